/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the JSON writer: what it writes, jansson reads back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "json/json.h"

/* A writer onto memory. */
typedef struct page {
    FILE *file;
    char *text;
    size_t len;
    gw_json json;
} page;

static void page_open(page *p)
{
    p->file = open_memstream(&p->text, &p->len);
    assert_non_null(p->file);
    gw_json_init(&p->json, p->file);
}

static json_t *page_close(page *p)
{
    json_error_t error;

    assert_int_equal(fclose(p->file), 0);
    json_t *root = json_loadb(p->text, p->len, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("line %d column %d: %s in %s", error.line, error.column, error.text, p->text);
    free(p->text);
    return root;
}

static void writes_every_kind(void **state)
{
    static const uint8_t bytes[] = {0x00, 0x4e, 0xff};
    page p;

    (void)state;
    page_open(&p);
    gw_json_open(&p.json, NULL, '{');
    gw_json_uint(&p.json, "max", 9007199254740991u);
    gw_json_uint(&p.json, "zero", 0);
    gw_json_hex(&p.json, "bytes", bytes, sizeof bytes);
    gw_json_word(&p.json, "wide", 0x1fcbfcb000000000, 16);
    gw_json_bool(&p.json, "yes", true);
    gw_json_null(&p.json, "none");
    gw_json_str(&p.json, "absent", NULL);
    gw_json_open(&p.json, "list", '[');
    gw_json_uint(&p.json, NULL, 1);
    gw_json_open(&p.json, NULL, '{');
    gw_json_close(&p.json, '}');
    gw_json_open(&p.json, NULL, '[');
    gw_json_close(&p.json, ']');
    gw_json_uint(&p.json, NULL, 2);
    gw_json_close(&p.json, ']');
    gw_json_close(&p.json, '}');
    gw_json_end(&p.json);

    fflush(p.file);
    assert_string_equal(
        p.text, "{\"max\":9007199254740991,\"zero\":0,\"bytes\":\"004eff\","
                "\"wide\":\"0x1fcbfcb000000000\",\"yes\":true,\"none\":null,\"absent\":null,"
                "\"list\":[1,{},[],2]}\n");
    json_decref(page_close(&p));
}

/* What is known last stands first: it is written aside, and put in at its place. */
static void takes_values_that_were_written_aside(void **state)
{
    page p, aside;

    (void)state;
    page_open(&p);
    page_open(&aside);
    gw_json_uint(&aside.json, NULL, 1);
    gw_json_str(&aside.json, NULL, "two");
    gw_json_flush(&aside.json);
    fflush(aside.file);
    gw_json_open(&p.json, NULL, '[');
    gw_json_uint(&p.json, NULL, 0);
    gw_json_values(&p.json, aside.text, strlen(aside.text));
    gw_json_uint(&p.json, NULL, 3);
    gw_json_close(&p.json, ']');
    gw_json_end(&p.json);
    fflush(p.file);
    assert_string_equal(p.text, "[0,1,\"two\",3]\n");
    json_decref(page_close(&p));
    fclose(aside.file);
    free(aside.text);
}

static const char *round_trip(const char *text, json_t **root)
{
    page p;

    page_open(&p);
    gw_json_open(&p.json, NULL, '{');
    gw_json_str(&p.json, "text", text);
    gw_json_close(&p.json, '}');
    gw_json_end(&p.json);
    *root = page_close(&p);
    return json_string_value(json_object_get(*root, "text"));
}

static void escapes_what_must_be(void **state)
{
    static const char *const texts[] = {
        "",
        "plain",
        "quote \" backslash \\ slash /",
        "tab \t newline \n bell \a escape \x1b delete \x7f",
        "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(texts); i++) {
        json_t *root;
        assert_string_equal(round_trip(texts[i], &root), texts[i]);
        json_decref(root);
    }
}

static void mends_what_is_not_utf8(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"\xff", "\xef\xbf\xbd"},
        {"a\xc3", "a\xef\xbf\xbd"},
        {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xe2\x82z", "\xef\xbf\xbd\xef\xbf\xbdz"},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(cases); i++) {
        json_t *root;
        assert_string_equal(round_trip(cases[i].in, &root), cases[i].out);
        json_decref(root);
    }
}

static void writes_more_than_its_buffer(void **state)
{
    size_t len = 100000;
    char *text = malloc(len + 1);
    json_t *root;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', len);
    text[len] = '\0';
    text[len / 2] = '"';
    assert_string_equal(round_trip(text, &root), text);
    json_decref(root);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_every_kind),
        cmocka_unit_test(takes_values_that_were_written_aside),
        cmocka_unit_test(escapes_what_must_be),
        cmocka_unit_test(mends_what_is_not_utf8),
        cmocka_unit_test(writes_more_than_its_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

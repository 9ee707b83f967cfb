/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the proof that leaves cover a message, with a format made to fail it, and of what an
 * account keeps and what it passes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inspect/account.h"
#include "inspect/describe/describe.h"

static const gw_group group = {.segment = "", .label = "Test", .bytes = 2};
static const gw_field high = {.name = "t.high",
                              .label = "High",
                              .group = &group,
                              .mask = 15,
                              .bits = 4,
                              .num_bytes = 1,
                              .shift = 4};
static const gw_field low = {
    .name = "t.low", .label = "Low", .group = &group, .mask = 15, .bits = 4, .num_bytes = 1};
static const gw_field view = {
    .name = "t.view", .group = &group, .mask = 255, .bits = 8, .num_bytes = 1, .view = 1};

/* What the walk of the format under test reports: fields of byte 0, and one of byte |extra|. */
static const gw_field *reported[4];
static uint32_t extra;
static unsigned walks;

static gw_error walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink)
{
    (void)message;
    (void)dialect;
    walks++;
    for (size_t i = 0; i < GW_ARRAY_LEN(reported) && reported[i] != NULL; i++) {
        gw_item item = {.field = reported[i], .bits = reported[i]->bits};
        item.offset = i == GW_ARRAY_LEN(reported) - 1 ? extra : 0;
        sink->item(sink, &item);
    }
    return (gw_error){0};
}

static void ignore_item(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    (void)item;
}

static const gw_field kind = {
    .name = "t.kind", .label = "Kind", .group = &group, .mask = 255, .bits = 8, .derived = 1};
static const gw_dialect dialects[] = {{.name = "strict"}};

static const gw_rule rule = {.id = "T-1", .text = "A rule.", .level = GW_MUST};
static const gw_format format = {.name = "t", .walk = walk, .dialects = dialects};

typedef struct listener {
    gw_account account;
    size_t num_notes;
    uint64_t frame;
    char note[512];
} listener;

static void on_note(void *ctx, uint64_t frame, const char *text)
{
    listener *l = ctx;

    l->num_notes++;
    l->frame = frame;
    snprintf(l->note, sizeof l->note, "%s", text);
}

static int open_listener(void **state)
{
    listener *l = calloc(1, sizeof *l);

    if (l == NULL)
        return -1;
    gw_account_init(&l->account, on_note, l);
    *state = l;
    return 0;
}

static int close_listener(void **state)
{
    free(*state);
    return 0;
}

static const gw_error *open_with(listener *l, const gw_field *a, const gw_field *b,
                                 const gw_field *c, const gw_field *d)
{
    static const uint8_t byte[1] = {0};
    gw_message m = gw_message_of(byte, sizeof byte);
    gw_found found = {.message = &m, .format = &format};
    gw_sink shown = {.item = ignore_item}; /* the walk above opens nothing */

    m.frame = 7;
    reported[0] = a;
    reported[1] = b;
    reported[2] = c;
    reported[3] = d;
    gw_account_open(&l->account, &found);
    gw_account_walk(&l->account, &found, &shown);
    return &l->account.error;
}

/* Describes |found| as JSON, or as a tree. */
static char *describe(listener *l, const gw_found *found, bool json)
{
    static gw_json writer;
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);

    assert_non_null(out);
    walks = 0;
    gw_account_open(&l->account, found);
    gw_json_init(&writer, out);
    if (json)
        assert_true(gw_describe_object(&writer, "x", found, &l->account));
    else
        gw_describe_tree(out, found, &l->account, &(gw_describe_looks){0});
    gw_account_close(&l->account);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void describes_with_one_walk(void **state)
{
    static const uint8_t byte[1] = {0};
    gw_message m = gw_message_of(byte, sizeof byte);
    gw_found found = {.message = &m, .format = &format, .dialect = dialects};

    m.frame = 7;
    reported[0] = &high;
    reported[1] = &kind;
    reported[2] = &low;
    reported[3] = NULL;
    for (unsigned json = 0; json < 2; json++) {
        char *text = describe(*state, &found, json);
        assert_int_equal(walks, 1);
        if (json)
            assert_non_null(strstr(
                text, "],\"error\":null,\"generated\":[{\"name\":\"t.kind\",\"value\":0}],"));
        free(text);
    }
}

static void accepts_a_whole_cover(void **state)
{
    assert_int_equal(open_with(*state, &high, &low, NULL, NULL)->kind, GW_OK);
    assert_int_equal(open_with(*state, &view, &low, &high, NULL)->kind, GW_OK);
}

static void sees_a_hole(void **state)
{
    const gw_error *error = open_with(*state, &high, &view, NULL, NULL);

    assert_int_equal(error->kind, GW_BUG);
    assert_int_equal(error->offset, 0);
    assert_null(error->field);
}

/* What one message came to is not said of the next, which may be shown without a walk. */
static void begins_without_an_error(void **state)
{
    listener *l = *state;
    gw_message message = gw_message_of((const uint8_t *)"\1", 1);
    gw_found found = {.message = &message, .format = &format, .dialect = dialects};
    const gw_error *error = open_with(l, &high, NULL, NULL, NULL);

    assert_int_equal(error->kind, GW_BUG);
    gw_account_open(&l->account, &found);
    assert_int_equal(error->kind, GW_OK);
}

static void sees_an_overlap(void **state)
{
    const gw_error *error = open_with(*state, &high, &low, &low, NULL);

    assert_int_equal(error->kind, GW_BUG);
    assert_ptr_equal(error->field, &low);
}

static void sees_a_leaf_outside(void **state)
{
    extra = 1;
    const gw_error *error = open_with(*state, &high, &low, &view, &high);

    assert_int_equal(error->kind, GW_BUG);
    assert_ptr_equal(error->field, &high);
    assert_int_equal(error->offset, 1);
    extra = UINT32_MAX;
    assert_int_equal(open_with(*state, &high, &low, &view, &high)->kind, GW_BUG);
}

static void find(listener *l, uint64_t frame, uint64_t revealed_by)
{
    gw_finding finding = {
        .rule = &rule, .frame = frame, .revealed_by = revealed_by, .offset = 3, .text = "wrong"};
    l->account.sink.finding(&l->account.sink, &finding);
}

static void keeps_what_is_about_the_message(void **state)
{
    listener *l = *state;

    open_with(l, &high, &low, NULL, NULL);
    find(l, 7, 7);
    assert_int_equal(l->account.num_findings, 1);
    assert_string_equal(l->account.findings[0].text, "wrong");
    assert_int_equal(l->num_notes, 0);
    find(l, 5, 7);
    assert_int_equal(l->account.num_findings, 1);
    assert_int_equal(l->frame, 5);
    assert_string_equal(l->note, "T-1 MUST @3 wrong (shown by frame 7)");
    gw_account_close(&l->account);
    find(l, 7, 7);
    assert_int_equal(l->num_notes, 2);
    assert_string_equal(l->note, "T-1 MUST @3 wrong");
}

static void passes_on_what_is_too_much(void **state)
{
    listener *l = *state;

    open_with(l, &high, &low, NULL, NULL);
    for (unsigned i = 0; i < GW_ACCOUNT_MAX + 3; i++)
        find(l, 7, 7);
    assert_int_equal(l->account.num_findings, GW_ACCOUNT_MAX);
    assert_int_equal(l->num_notes, 3);
}

static void tells_a_relation_once(void **state)
{
    listener *l = *state;
    gw_relation answer = {.request = 3, .response = 7, .kind = GW_ANSWERS};

    open_with(l, &high, &low, NULL, NULL);
    l->account.sink.relation(&l->account.sink, &answer);
    answer.response_unit = 1;
    l->account.sink.relation(&l->account.sink, &answer);
    assert_int_equal(l->account.num_relations, 1);
    answer.request = 4;
    l->account.sink.relation(&l->account.sink, &answer);
    assert_int_equal(l->account.num_relations, 2);
    assert_int_equal(l->num_notes, 0);
}

/* Many requests at once without answers are one thing to say, not one each. */
static void tells_what_is_untracked_once(void **state)
{
    listener *l = *state;
    gw_relation lost = {.kind = GW_UNTRACKED};

    open_with(l, &high, &low, NULL, NULL);
    for (lost.request = 2; lost.request < 6; lost.request++)
        l->account.sink.relation(&l->account.sink, &lost);
    assert_int_equal(l->account.num_relations, 0);
    gw_account_close(&l->account);
    lost.request = 7;
    l->account.sink.relation(&l->account.sink, &lost);
    assert_int_equal(l->num_notes, 0);
    gw_account_end(&l->account);
    assert_int_equal(l->num_notes, 1);
    assert_int_equal(l->frame, 2);
    assert_non_null(strstr(l->note, "is not known, nor of 4 more"));
    /* The next capture is another one. */
    gw_account_end(&l->account);
    assert_int_equal(l->num_notes, 1);
    lost.request = 0;
    lost.response = 3;
    l->account.sink.relation(&l->account.sink, &lost);
    gw_account_end(&l->account);
    assert_int_equal(l->num_notes, 2);
    assert_int_equal(l->frame, 3);
    assert_null(strstr(l->note, "nor of"));
}

int main(void)
{
#define LISTENER(test) cmocka_unit_test_setup_teardown(test, open_listener, close_listener)
    const struct CMUnitTest tests[] = {
        LISTENER(describes_with_one_walk),
        LISTENER(accepts_a_whole_cover),
        LISTENER(sees_a_hole),
        LISTENER(begins_without_an_error),
        LISTENER(sees_an_overlap),
        LISTENER(sees_a_leaf_outside),
        LISTENER(keeps_what_is_about_the_message),
        LISTENER(passes_on_what_is_too_much),
        LISTENER(tells_a_relation_once),
        LISTENER(tells_what_is_untracked_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

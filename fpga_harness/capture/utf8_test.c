/* SPDX-License-Identifier: BSD-2-Clause */
/* Text that is no UTF-8 becomes UTF-8, and nothing is cut inside a character. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include "utf8.h"

#define BAD "\xef\xbf\xbd"

static gw_cursor over(const char *text, size_t len)
{
    return gw_cursor_over((const uint8_t *)text, len);
}

static void copies(void **state)
{
    static const struct {
        const char *in;
        const char *out;
    } cases[] = {
        {"", ""},
        {"tab\tand\nline", "tab\tand\nline"},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x94\xac", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x94\xac"},
        {"\xe9t\xe9", BAD "t" BAD},    /* Latin-1 */
        {"\xc0\x80", BAD BAD},         /* overlong */
        {"\xe0\x80\x80", BAD BAD BAD}, /* overlong */
        {"\xed\xa0\x80", BAD BAD BAD}, /* surrogate */
        {"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"},
        {"\xf0\x80\x80\x80", BAD BAD BAD BAD}, /* overlong */
        {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
        {"\xf4\x90\x80\x80", BAD BAD BAD BAD}, /* beyond U+10FFFF */
        {"\xf5\x80\xff", BAD BAD BAD},
        {"a\xe2\x82", "a" BAD BAD}, /* breaks off */
    };
    char out[64];

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(cases); i++) {
        gw_utf8_copy(out, sizeof(out), over(cases[i].in, strlen(cases[i].in)));
        assert_string_equal(out, cases[i].out);
    }
}

static void ends_where_it_must(void **state)
{
    char out[6];

    (void)state;
    gw_utf8_copy(out, sizeof(out), over("ab\0cd", 5));
    assert_string_equal(out, "ab");
    gw_utf8_copy(out, sizeof(out), over("abcdefgh", 8));
    assert_string_equal(out, "abcde");
    gw_utf8_copy(out, sizeof(out), over("abc\xe2\x82\xac", 6));
    assert_string_equal(out, "abc");
    gw_utf8_copy(out, sizeof(out), over("abcd\xff", 5));
    assert_string_equal(out, "abcd");
    gw_utf8_copy(out, 1, over("abcd", 4));
    assert_string_equal(out, "");
    gw_utf8_copy(out, sizeof(out), over(NULL, 0));
    assert_string_equal(out, "");
}

static void cuts_between_characters(void **state)
{
    (void)state;
    assert_int_equal(gw_utf8_cut("abc", 10), 3);
    assert_int_equal(gw_utf8_cut("abc", 3), 3);
    assert_int_equal(gw_utf8_cut("abcd", 3), 3);
    assert_int_equal(gw_utf8_cut("ab\xc3\xa9", 3), 2);
    assert_int_equal(gw_utf8_cut("ab\xc3\xa9", 4), 4);
    assert_int_equal(gw_utf8_cut("a\xf0\x9f\x94\xac", 4), 1);
    assert_int_equal(gw_utf8_cut("a\xf0\x9f\x94\xac", 3), 1);
    assert_int_equal(gw_utf8_cut("a\xf0\x9f\x94\xac", 2), 1);
    assert_int_equal(gw_utf8_cut("a\xf0\x9f\x94\xac", 5), 5);
    assert_int_equal(gw_utf8_cut("\x80\x80\x80\x80\x80\x80", 5), 5);
    assert_int_equal(gw_utf8_cut("", 5), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies),
        cmocka_unit_test(ends_where_it_must),
        cmocka_unit_test(cuts_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

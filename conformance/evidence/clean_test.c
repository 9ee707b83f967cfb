/* SPDX-License-Identifier: BSD-2-Clause */
/* Hostile text, made harmless. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "evidence/clean.h"

#define BAD "\xef\xbf\xbd"

static void cleans(const char *text, const char *expected)
{
    char out[256];
    assert_string_equal(gw_clean(out, sizeof(out), text), expected);
}

static void keeps_good_text(void **state)
{
    (void)state;
    cleans("", "");
    cleans("plain <&> text\nsecond line", "plain <&> text\nsecond line");
    cleans("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa2",
           "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa2");
    cleans("\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf", "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf");
}

static void replaces_what_is_no_text(void **state)
{
    (void)state;
    cleans("\x1b[31mred", BAD "[31mred");
    cleans("a\tb\rc\x7f", "a" BAD "b" BAD "c" BAD);
    cleans("\xc2\x9b\x31m", BAD "1m"); /* a C1 control: another way to say ESC [ */
    cleans("\xff\xfe", BAD BAD);       /* never in UTF-8 */
    cleans("\xc0\xaf", BAD BAD);       /* an overlong slash */
    cleans("\xe0\x80\xaf", BAD BAD BAD);
    cleans("\xed\xa0\x80", BAD BAD BAD);         /* a surrogate */
    cleans("\xf4\x90\x80\x80", BAD BAD BAD BAD); /* beyond U+10FFFF */
    cleans("\xef\xbf\xbf", BAD BAD BAD);         /* not allowed in XML */
    cleans("cut \xe2\x82", "cut " BAD BAD);      /* ends inside a character */
    cleans("\xc3(", BAD "(");
}

static void cuts_between_characters(void **state)
{
    (void)state;
    char out[6];
    assert_string_equal(gw_clean(out, sizeof(out), "abc\xe2\x82\xac"), "abc");
    assert_string_equal(gw_clean(out, sizeof(out), "ab\xe2\x82\xac"), "ab\xe2\x82\xac");
    assert_string_equal(gw_clean(out, 1, "ab"), "");
}

static char *written(void (*put)(FILE *file, const char *text), const char *text)
{
    char *buf = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&buf, &len);
    assert_non_null(file);
    put(file, text);
    assert_int_equal(fclose(file), 0);
    return buf;
}

static void markup_is_escaped(void **state)
{
    (void)state;
    char *text = written(gw_put_markup, "<b a='1' b=\"2\">&\x1b</b>");
    assert_string_equal(text, "&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;" BAD "&lt;/b&gt;");
    free(text);
}

static void plain_is_one_line(void **state)
{
    (void)state;
    char *text = written(gw_put_plain, "a\nb\x1b]0;title\x07");
    assert_string_equal(text, "a b" BAD "]0;title" BAD);
    free(text);
}

static void lines_keep_their_shape(void **state)
{
    (void)state;
    static const char text[] = "a\tb\r\n\x1b[2J\0\xe2\x82\xac\xe2\x82";
    char *buf = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&buf, &len);
    assert_non_null(file);
    gw_put_lines(file, text, sizeof(text) - 1);
    (void)fclose(file);
    assert_string_equal(buf, "a\tb\n" BAD "[2J" BAD "\xe2\x82\xac" BAD BAD);
    free(buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_good_text),         cmocka_unit_test(replaces_what_is_no_text),
        cmocka_unit_test(cuts_between_characters), cmocka_unit_test(markup_is_escaped),
        cmocka_unit_test(plain_is_one_line),       cmocka_unit_test(lines_keep_their_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

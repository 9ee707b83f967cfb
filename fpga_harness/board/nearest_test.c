/* SPDX-License-Identifier: BSD-2-Clause */
/* Suggestions for mistyped words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/nearest.h"

static const char *const verbs[] = {"decode", "encode", "check", "peer", "certify", NULL};

static void counts_slips(void **state)
{
    (void)state;
    assert_int_equal(gw_slips("", ""), 0);
    assert_int_equal(gw_slips("", "abc"), 3);
    assert_int_equal(gw_slips("abc", ""), 3);
    assert_int_equal(gw_slips("peer", "peer"), 0);
    assert_int_equal(gw_slips("adress", "address"), 1);
    assert_int_equal(gw_slips("teh", "the"), 1);
    assert_int_equal(gw_slips("kitten", "sitting"), 3);
}

static void suggests_only_near_words(void **state)
{
    (void)state;
    assert_string_equal(gw_nearest("decoed", verbs), "decode");
    assert_string_equal(gw_nearest("pere", verbs), "peer");
    assert_string_equal(gw_nearest("certfy", verbs), "certify");
    assert_string_equal(gw_nearest("cert", verbs), "certify");
    assert_null(gw_nearest("xyzzy", verbs));
    assert_null(gw_nearest("", verbs));
    static const char *const none[] = {NULL};
    assert_null(gw_nearest("peer", none));
}

static void says_what_was_meant(void **state)
{
    (void)state;
    char out[64];
    assert_string_equal(gw_nearest_said(out, sizeof(out), "decoed", verbs),
                        "; did you mean 'decode'?");
    assert_string_equal(gw_nearest_said(out, sizeof(out), "xyzzy", verbs), "");
    assert_string_equal(gw_nearest_said(out, 6, "decoed", verbs), "; did");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_slips),
        cmocka_unit_test(suggests_only_near_words),
        cmocka_unit_test(says_what_was_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

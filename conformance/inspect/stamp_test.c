/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of times as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "inspect/stamp.h"

static void writes_nine_decimals(void **state)
{
    char out[GW_STAMP_MAX];

    (void)state;
    assert_string_equal(gw_stamp_text(out, 0), "0.000000000");
    assert_string_equal(gw_stamp_text(out, 1350000000000620546), "1350000000.000620546");
    assert_string_equal(gw_stamp_text(out, -1), "-0.000000001");
    assert_string_equal(gw_stamp_text(out, INT64_MIN), "-9223372036.854775808");
    assert_string_equal(gw_stamp_text(out, INT64_MAX), "9223372036.854775807");
}

static void reads_back(void **state)
{
    static const int64_t times[] = {
        0, 1, -1, 999999999, 1350000000000620546, -5000000001, INT64_MAX, INT64_MIN};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(times); i++) {
        char text[GW_STAMP_MAX];
        int64_t back = 42;
        assert_true(gw_stamp_parse(&back, gw_stamp_text(text, times[i])));
        assert_int_equal(back, times[i]);
    }
    int64_t short_form = 0;
    assert_true(gw_stamp_parse(&short_form, "3"));
    assert_int_equal(short_form, 3000000000);
    assert_true(gw_stamp_parse(&short_form, "3.5"));
    assert_int_equal(short_form, 3500000000);
}

static void refuses_the_rest(void **state)
{
    static const char *const texts[] = {
        "",
        "-",
        ".5",
        "1.0000000001",
        "1e3",
        " 1",
        "1 ",
        "--1",
        "99999999999",
        "18446744073709551616",
        "9223372036.854775808",
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(texts); i++) {
        int64_t out = 42;
        if (gw_stamp_parse(&out, texts[i]))
            fail_msg("'%s' was taken", texts[i]);
        assert_int_equal(out, 42);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_nine_decimals),
        cmocka_unit_test(reads_back),
        cmocka_unit_test(refuses_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Percentiles are values that were seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/times.h"

static void percentiles(void **state)
{
    int64_t times[200];
    (void)state;
    for (int i = 0; i < 200; i++)
        times[i] = 200 - i;
    gw_times_sort(times, 200);
    assert_int_equal(gw_times_permille(times, 200, 990), 198);
    assert_int_equal(gw_times_permille(times, 200, 500), 100);
    assert_int_equal(gw_times_permille(times, 200, 1000), 200);
    assert_int_equal(gw_times_permille(times, 200, 0), 1);
    assert_int_equal(gw_times_permille(times, 3, 500), 2);
    assert_int_equal(gw_times_permille(times, 1, 990), 1);
    assert_int_equal(gw_times_permille(times, 0, 990), 0);
}

static void sorts_times_of_both_signs(void **state)
{
    int64_t times[] = {INT64_MAX, -1, INT64_MIN, 0, 7};
    (void)state;
    gw_times_sort(times, 5);
    assert_true(times[0] == INT64_MIN && times[1] == -1 && times[2] == 0 && times[3] == 7 &&
                times[4] == INT64_MAX);
}

static void are_told_in_the_unit_that_fits(void **state)
{
    char text[24];
    (void)state;
    assert_string_equal(gw_times_text(text, sizeof(text), 1000000000), "1000 ms");
    assert_string_equal(gw_times_text(text, sizeof(text), 10000000), "10 ms");
    assert_string_equal(gw_times_text(text, sizeof(text), 9999999), "9999 us");
    assert_string_equal(gw_times_text(text, sizeof(text), 320001), "320 us");
    assert_string_equal(gw_times_text(text, sizeof(text), 48), "48 ns");
    assert_string_equal(gw_times_text(text, sizeof(text), 0), "0 ns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles),
        cmocka_unit_test(sorts_times_of_both_signs),
        cmocka_unit_test(are_told_in_the_unit_that_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* How long things take is this machine's business; that they are in order is ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/floor.h"

static void measures_in_order(void **state)
{
    (void)state;
    gw_floor f;
    char why[128] = "";
    if (!gw_floor_measure(&f, true, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(f.num, GW_FLOOR_ROUNDS);
    assert_true(f.own_ns > 0);
    assert_true(f.trip_median_ns > 0);
    assert_true(f.trip_median_ns <= f.trip_p99_ns && f.trip_p99_ns <= f.trip_max_ns);
    assert_true(f.wake_max_ns > 0);
    if (!gw_floor_measure(&f, false, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(f.wake_max_ns, 0); /* nobody slept */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(measures_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

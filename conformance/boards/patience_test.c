/* SPDX-License-Identifier: BSD-2-Clause */
/* How a board's timer follows the path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "boards/patience.h"

#define MS INT64_C(1000000)
#define USUAL (1000 * MS)

static void begins_as_usual(void **state)
{
    (void)state;
    gw_patience p = {0};
    for (unsigned tries = 1; tries < 5; tries++)
        assert_int_equal(gw_patience_ns(&p, USUAL, tries), USUAL);
}

/* RFC 6298 sections 2.2 and 2.3. */
static void measures_as_tcp_does(void **state)
{
    (void)state;
    gw_patience p = {0};
    gw_patience_add(&p, 80 * MS);
    assert_int_equal(p.trip_ns, 80 * MS);
    assert_int_equal(p.spread_ns, 40 * MS);
    gw_patience_add(&p, 160 * MS);
    assert_int_equal(p.trip_ns, 90 * MS);   /* 7/8 of 80 and 1/8 of 160 */
    assert_int_equal(p.spread_ns, 50 * MS); /* 3/4 of 40 and 1/4 of 80 */
    gw_patience_add(&p, 10 * MS);
    assert_int_equal(p.trip_ns, 80 * MS);
    assert_int_equal(p.spread_ns, 50 * MS + 30 * MS / 4);
}

static void is_short_on_a_quick_path(void **state)
{
    (void)state;
    gw_patience p = {0};
    gw_patience_add(&p, 0);
    assert_int_equal(gw_patience_ns(&p, USUAL, 1), USUAL / 4);
    assert_int_equal(gw_patience_ns(&p, USUAL, 2), USUAL / 2);
    for (unsigned tries = 3; tries < 100; tries++)
        assert_int_equal(gw_patience_ns(&p, USUAL, tries), USUAL);
    assert_int_equal(gw_patience_ns(&p, USUAL, UINT32_MAX), USUAL);
}

/* What takes as long as all before has its time, and what takes twice as long as well. */
static void outlasts_the_path(void **state)
{
    static const int64_t trips[] = {MS / 100, MS,       20 * MS,   100 * MS,
                                    300 * MS, 999 * MS, 1500 * MS, 20000 * MS};
    (void)state;
    for (size_t i = 0; i < sizeof(trips) / sizeof(trips[0]); i++) {
        gw_patience p = {0};
        for (unsigned k = 0; k < 50; k++) {
            gw_patience_add(&p, trips[i]);
            assert_true(gw_patience_ns(&p, USUAL, 1) >= trips[i]);
            if (trips[i] < USUAL / 2)
                assert_true(gw_patience_ns(&p, USUAL, 1) > 2 * trips[i]);
        }
    }
}

/* Answers that come sooner or later by half of that. */
static void has_room_for_irregular_paths(void **state)
{
    (void)state;
    for (int64_t trip = MS; trip < 4000 * MS; trip *= 2) {
        gw_patience p = {0};
        for (unsigned k = 0; k < 50; k++) {
            gw_patience_add(&p, k % 2 == 0 ? trip / 2 : trip + trip / 2);
            assert_true(k < 2 || gw_patience_ns(&p, USUAL, 1) > trip + trip / 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_as_usual),
        cmocka_unit_test(measures_as_tcp_does),
        cmocka_unit_test(is_short_on_a_quick_path),
        cmocka_unit_test(outlasts_the_path),
        cmocka_unit_test(has_room_for_irregular_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

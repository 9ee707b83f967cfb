/* SPDX-License-Identifier: BSD-2-Clause */
/* Random numbers that are the same everywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/random.h"

static void numbers_are_the_published_ones(void **state)
{
    gw_random r = {1234567};

    (void)state;
    assert_int_equal(gw_random_next(&r), UINT64_C(6457827717110365317));
    assert_int_equal(gw_random_next(&r), UINT64_C(3203168211198807973));
    assert_int_equal(gw_random_next(&r), UINT64_C(9817491932198370423));
}

static void numbers_stay_below(void **state)
{
    gw_random r = {0};
    unsigned seen = 0, hits = 0;

    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t n = gw_random_below(&r, 7);
        assert_true(n < 7);
        seen |= 1u << n;
        hits += gw_random_one_in(&r, 10);
        assert_false(gw_random_one_in(&r, 0));
        assert_int_equal(gw_random_below(&r, 0), 0);
        assert_int_equal(gw_random_below(&r, 1), 0);
    }
    assert_int_equal(seen, 127);
    assert_uint_in_range(hits, 50, 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_the_published_ones),
        cmocka_unit_test(numbers_stay_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

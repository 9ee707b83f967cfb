/* SPDX-License-Identifier: BSD-2-Clause */
/* Ticks of any resolution, at the edges of what 64 bits hold. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include "pcapng_time.h"

static int64_t time_of(uint8_t resolution, int64_t offset, uint64_t ticks)
{
    return gw_pcapng_time((gw_pcapng_clock){.resolution = resolution, .offset = offset}, ticks);
}

static void decimal_ticks(void **state)
{
    (void)state;
    assert_int_equal(time_of(0, 0, 7), INT64_C(7000000000));
    assert_int_equal(time_of(3, 0, 1350000000123), INT64_C(1350000000123000000));
    assert_int_equal(time_of(6, 0, 1350000000620546), INT64_C(1350000000620546000));
    assert_int_equal(time_of(9, 0, 1350000000620546123), INT64_C(1350000000620546123));
    assert_int_equal(time_of(12, 0, 1999), 1);
    assert_int_equal(time_of(12, 0, 1000000001999), INT64_C(1000000001));
    assert_int_equal(time_of(19, 0, UINT64_MAX), INT64_C(1844674407));
    assert_int_equal(time_of(20, 0, UINT64_MAX), INT64_C(184467440));
    assert_int_equal(time_of(28, 0, UINT64_MAX), 1);
    assert_int_equal(time_of(29, 0, UINT64_MAX), 0);
    assert_int_equal(time_of(127, 0, UINT64_MAX), 0);
}

static void binary_ticks(void **state)
{
    (void)state;
    assert_int_equal(time_of(0x80, 0, 7), INT64_C(7000000000));
    assert_int_equal(time_of(0x81, 0, 3), INT64_C(1500000000));
    assert_int_equal(time_of(0x80 | 20, 0, (5 << 20) + 1), INT64_C(5000000953));
    assert_int_equal(time_of(0x80 | 32, 0, UINT64_C(0x180000000)), INT64_C(1500000000));
    assert_int_equal(time_of(0x80 | 34, 0, ((uint64_t)1 << 34) - 1), 999999999);
    assert_int_equal(time_of(0x80 | 35, 0, ((uint64_t)1 << 35) - 1), 999999999);
    assert_int_equal(time_of(0x80 | 63, 0, UINT64_C(3) << 62), INT64_C(1500000000));
    assert_int_equal(time_of(0x80 | 64, 0, UINT64_C(1) << 63), INT64_C(500000000));
    assert_int_equal(time_of(0x80 | 93, 0, UINT64_MAX), 1);
    assert_int_equal(time_of(0x80 | 94, 0, UINT64_MAX), 0);
    assert_int_equal(time_of(0x80 | 98, 0, UINT64_MAX), 0);
    assert_int_equal(time_of(0xff, 0, UINT64_MAX), 0);
}

static void offsets(void **state)
{
    (void)state;
    assert_int_equal(time_of(6, 100, 1500000), INT64_C(101500000000));
    assert_int_equal(time_of(6, -2, 1500000), INT64_C(-500000000));
    assert_int_equal(time_of(6, -1350000000, 1350000000620546), 620546000);
}

static void beyond_64_bits(void **state)
{
    (void)state;
    assert_int_equal(time_of(0, 0, UINT64_MAX), INT64_MAX);
    assert_int_equal(time_of(0, 0, 9223372036), INT64_C(9223372036000000000));
    assert_int_equal(time_of(0, 0, 9223372037), INT64_MAX);
    assert_int_equal(time_of(9, 0, UINT64_MAX), INT64_MAX);
    assert_int_equal(time_of(9, 0, INT64_MAX), INT64_MAX);
    assert_int_equal(time_of(9, 0, (uint64_t)INT64_MAX + 1), INT64_MAX);
    assert_int_equal(time_of(0, INT64_MAX, UINT64_MAX), INT64_MAX);
    assert_int_equal(time_of(0, INT64_MIN, 0), INT64_MIN);
    assert_int_equal(time_of(0, INT64_MIN, UINT64_MAX), INT64_MAX);
    assert_int_equal(time_of(0, -9223372037, 0), INT64_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_ticks),
        cmocka_unit_test(binary_ticks),
        cmocka_unit_test(offsets),
        cmocka_unit_test(beyond_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

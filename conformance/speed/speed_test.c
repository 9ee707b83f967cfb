/* SPDX-License-Identifier: BSD-2-Clause */
/* Percentiles, rates, and an echo; how fast anything is is this machine's business. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "speed/echo.h"
#include "speed/speed.h"

static void percentiles_are_times_that_were_measured(void **state)
{
    (void)state;
    int64_t times[100];
    for (int i = 0; i < 100; i++)
        times[i] = INT64_C(10) * (i * 37 % 100 + 1); /* 10 to 1000, in some order */
    gw_spread s = gw_spread_of(times, 100);
    assert_int_equal(s.num, 100);
    assert_int_equal(s.min_ns, 10);
    assert_int_equal(s.p50_ns, 500);
    assert_int_equal(s.p90_ns, 900);
    assert_int_equal(s.p99_ns, 990);
    assert_int_equal(s.max_ns, 1000);
    int64_t one = 7;
    s = gw_spread_of(&one, 1);
    assert_true(s.p50_ns == 7 && s.p99_ns == 7 && s.max_ns == 7);
    assert_int_equal(gw_spread_of(times, 0).max_ns, 0);
}

static void rates_are_of_whole_exchanges(void **state)
{
    (void)state;
    const gw_rate rate = {.depth = 1, .num = 3000, .time_ns = 2 * GW_SECOND};
    const gw_rate none = {0};
    assert_int_equal(gw_rate_requests(&rate), 1500);
    assert_int_equal(gw_rate_bytes(&rate, 128), 1500 * 128);
    assert_int_equal(gw_rate_requests(&none), 0);
    const gw_rate fast = {.depth = 8, .num = 20000, .time_ns = 20000};
    assert_int_equal(gw_rate_bytes(&fast, 1000000), UINT64_C(1000000) * GW_SECOND);
}

/* What the paper reckons of a block write of 1432 bytes, and of a read, whose answer counts. */
static void efficiency_counts_the_frames_that_carry_the_payload(void **state)
{
    (void)state;
    const gw_load write = {.id = "write"};
    const gw_load read = {.id = "read", .back = true};
    gw_speed_point p = {
        .load = &write, .size = 1432, .carrier_messages = 1, .carrier_bytes = 1432 + 20};
    assert_int_equal(gw_speed_efficiency(&p, NULL, false), 955); /* 1432 in 1498, rounded down */
    p = (gw_speed_point){.load = &read, .size = 4, .carrier_messages = 1, .carrier_bytes = 16};
    assert_int_equal(gw_speed_efficiency(&p, NULL, false), 4000 / (16 + 46));
    assert_int_equal(gw_speed_efficiency(&p, NULL, true), 4000 / (16 + 58));
    /* Of a tunnel what its link carries counts: 1024 bytes in a PDU of 1040 and two symbols. */
    const gw_beneath aurora = {.what = "Aurora frames", .datagram = -8 + 4};
    const gw_beneath untold = {.what = NULL};
    const gw_speed_point pdu = {
        .load = &read, .size = 1024, .carrier_messages = 1, .carrier_bytes = 8 + 1040};
    assert_int_equal(gw_speed_efficiency(&pdu, &aurora, false), 1024000 / 1044);
    assert_int_equal(gw_speed_efficiency(&pdu, &aurora, true), 1024000 / 1048);
    assert_int_equal(gw_speed_efficiency(&pdu, &untold, false), 0);
    const gw_load broken = {.id = "nack", .left_out = true};
    p.load = &broken;
    assert_int_equal(gw_speed_efficiency(&p, NULL, false), 0);
    p.load = &read;
    p.carrier_messages = 0;
    assert_int_equal(gw_speed_efficiency(&p, NULL, false), 0);
}

static void echoes(bool stream, const gw_echo_shape *shape)
{
    enum { NUM = 20 };
    int64_t times[NUM];
    int64_t whole_ns = 0;
    char why[160] = "";
    gw_echo *echo = gw_echo_open(stream, false, why, sizeof(why));
    if (echo == NULL)
        fail_msg("%s", why);
    size_t num = gw_echo_times(echo, shape, times, NUM, INT64_MAX, &whole_ns);
    assert_true(num > 0 && num <= NUM); /* the time of day may have been set */
    for (size_t i = 0; i < num; i++)
        assert_true(times[i] >= 0);
    assert_true(whole_ns > 0);
    assert_true(gw_echo_times(echo, shape, times, NUM, 0, &whole_ns) <= 1); /* no time left */
    gw_echo_close(echo);
}

static void an_echo_takes_any_shape(void **state)
{
    (void)state;
    static const gw_echo_shape shapes[] = {
        {1, 8, 1, 8}, {1, 1472, 3, 4000}, {17, 70000, 1, 16}, {1, 0, 1, 0}, {1, 200000, 1, 1}};
    for (size_t i = 0; i < GW_ARRAY_LEN(shapes); i++) {
        echoes(false, &shapes[i]);
        echoes(true, &shapes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_are_times_that_were_measured),
        cmocka_unit_test(rates_are_of_whole_exchanges),
        cmocka_unit_test(efficiency_counts_the_frames_that_carry_the_payload),
        cmocka_unit_test(an_echo_takes_any_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

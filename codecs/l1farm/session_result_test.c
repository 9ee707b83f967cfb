/* SPDX-License-Identifier: BSD-2-Clause */
/* Results, decisions and runs: each rule broken once, and kept by good traffic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "l1farm/session.h"
#include "l1farm/testing/exchange.h"
#include "l1farm/testing/frames.h"

static void result(exchange *t, uint16_t node, uint16_t event, uint32_t ntries)
{
    uint8_t image[GW_L1_RESULT];
    gw_l1_result r = {.nallok = ntries, .ntries = ntries, .node_id = node, .tag_id = event};

    gw_l1_put_result(image, &r);
    put(t,
        (gw_l1_shim){
            .kind = GW_L1_KIND_RESULT, .dest = node, .event = event, .length = GW_L1_RESULT},
        image);
}

static void results_come_once(void **state)
{
    exchange t = begin("strict");

    (void)state;
    result(&t, 1, 10, 5);
    result(&t, 2, 11, 5);
    result(&t, 1, 36, 6);
    assert_string_equal(t.v.rules, "");
    result(&t, 1, 36, 6);
    assert_ends(&t, "R01");
}

/* In a tunnel the path may have made the second one. */
static void results_come_twice_in_a_tunnel(void **state)
{
    exchange t = begin("strict");

    (void)state;
    t.transport = GW_OVER_UDP;
    result(&t, 1, 36, 6);
    result(&t, 1, 36, 6);
    assert_string_equal(t.v.rules, "");
    t.now += INT64_C(2) * GIVE_UP; /* no datagram is under way for that long */
    result(&t, 1, 36, 6);
    assert_ends(&t, "R01");
    t = begin("strict");
    t.transport = GW_OVER_UDP;
    result(&t, 1, 36, 6);
    t.port = 1; /* the same bytes of somebody else are no copy */
    result(&t, 1, 36, 6);
    assert_ends(&t, "R01");
    t = begin("strict");
    gw_l1_session.lossless(memory); /* nor is anything where nothing comes twice */
    t.transport = GW_OVER_UDP;
    result(&t, 1, 36, 6);
    result(&t, 1, 36, 6);
    assert_ends(&t, "R01");
}

static void counters_go_back(void **state)
{
    exchange t = begin("strict");

    (void)state;
    result(&t, 1, 10, 5);
    result(&t, 1, 36, 4);
    assert_ends(&t, "R02");
    t = begin("strict"); /* in a tunnel one may overtake the other */
    t.transport = GW_OVER_UDP;
    result(&t, 1, 10, 5);
    result(&t, 1, 36, 4);
    result(&t, 1, 37, 6);
    assert_ends(&t, "");
    t = begin("strict");
    gw_l1_session.lossless(memory);
    t.transport = GW_OVER_UDP;
    result(&t, 1, 10, 5);
    result(&t, 1, 36, 4);
    assert_ends(&t, "R02");
}

static void decide(exchange *t, uint8_t kind, uint16_t event, uint32_t step)
{
    uint8_t image[GW_L1_RESULT] = {0};
    bool decision = kind == GW_L1_KIND_DECISION;

    put(t,
        (gw_l1_shim){
            .kind = kind, .event = event, .step = step, .length = decision ? GW_L1_RESULT : 0},
        image);
}

static void decisions_come_twice_in_a_tunnel(void **state)
{
    static const uint8_t transports[] = {GW_OVER_NOTHING, GW_OVER_UDP};

    (void)state;
    for (size_t i = 0; i < sizeof transports; i++) {
        exchange t = begin("strict");
        t.transport = transports[i];
        decide(&t, GW_L1_KIND_DECISION, 10, 100);
        decide(&t, GW_L1_KIND_DECISION, 10, 100);
        decide(&t, GW_L1_KIND_TIMEOUT, 10, 101); /* its entry came a second time, late */
        assert_ends(&t, i == 0 ? "U01 U01" : "");
        t = begin("strict");
        t.transport = transports[i];
        decide(&t, GW_L1_KIND_DECISION, 10, 100);
        decide(&t, GW_L1_KIND_DECISION, 10, 101); /* no copy */
        assert_ends(&t, "U01");
    }
}

static void decisions_come_in_order(void **state)
{
    exchange t = begin("final");

    (void)state;
    for (uint16_t event = 0; event < 5; event++)
        decide(&t, GW_L1_KIND_ENTERED, event, event);
    decide(&t, GW_L1_KIND_DECISION, 0, 100);
    decide(&t, GW_L1_KIND_TIMEOUT, 1, 101);
    decide(&t, GW_L1_KIND_DECISION, 2, 102);
    assert_string_equal(t.v.rules, "");
    decide(&t, GW_L1_KIND_DECISION, 4, 102);
    assert_ends(&t, "U01");
    t = begin("final"); /* nobody says what entered: numbers count */
    decide(&t, GW_L1_KIND_DECISION, 7, 100);
    decide(&t, GW_L1_KIND_DECISION, 8, 100);
    assert_string_equal(t.v.rules, "");
    decide(&t, GW_L1_KIND_DECISION, 10, 100);
    assert_ends(&t, "U01");
    t = begin("strict"); /* the prototype's come as they come */
    decide(&t, GW_L1_KIND_DECISION, 2, 102);
    decide(&t, GW_L1_KIND_DECISION, 0, 102);
    assert_ends(&t, "");
}

/* What counts is which event entered before which, whatever their numbers. */
static void events_may_enter_in_any_order(void **state)
{
    static const uint16_t entered[] = {700, 3, 65535, 4};
    exchange t = begin("final");

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(entered); i++)
        decide(&t, GW_L1_KIND_ENTERED, entered[i], 10);
    decide(&t, GW_L1_KIND_ENTERED, 4, 10); /* told twice */
    for (size_t i = 0; i < GW_ARRAY_LEN(entered); i++)
        decide(&t, GW_L1_KIND_DECISION, entered[i], 20);
    decide(&t, GW_L1_KIND_DECISION, 200, 20); /* its entry is not in the capture */
    decide(&t, GW_L1_KIND_ENTERED, 4, 12);    /* once more, and no repeated decision */
    decide(&t, GW_L1_KIND_DECISION, 4, 30);
    assert_string_equal(t.v.rules, "");
    decide(&t, GW_L1_KIND_ENTERED, 5, 13);
    decide(&t, GW_L1_KIND_ENTERED, 6, 13);
    decide(&t, GW_L1_KIND_DECISION, 6, 31);
    assert_ends(&t, "U01");
    assert_string_equal(t.v.rules, "U01");
    t = begin("final"); /* what was due has given way to another event */
    decide(&t, GW_L1_KIND_ENTERED, 1, 10);
    decide(&t, GW_L1_KIND_ENTERED, 2, 10);
    decide(&t, GW_L1_KIND_ENTERED, 3, 10);
    decide(&t, GW_L1_KIND_ENTERED, 2 + 4096, 10);
    decide(&t, GW_L1_KIND_DECISION, 1, 20);
    decide(&t, GW_L1_KIND_DECISION, 3, 20);
    assert_ends(&t, "");
}

/* A node that begins to be listened to may have begun anew; so has a unit that is cleared. */
static void a_new_run_starts_from_nothing(void **state)
{
    static const uint8_t clear[] = {0, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x08};
    exchange t = begin("strict");

    (void)state;
    result(&t, 1, 10, 5);
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_LISTEN, .dest = 1}, NULL);
    result(&t, 1, 36, 1);
    run_prototype(&t, 0, 60);
    for (uint8_t ru = 0; ru < 3; ru++)
        put(&t, (gw_l1_shim){.kind = GW_L1_KIND_REGISTER, .ru = ru, .length = sizeof clear}, clear);
    run_prototype(&t, 0, 60);
    assert_ends(&t, "");
}

static void only_clear_begins_a_run(void **state)
{
    static const uint8_t others[][8] = {
        {0, 0x00, 0x01, 0x00, 0, 0, 0, 0},    /* a read */
        {0, 0x02, 0x01, 0x00, 0, 0, 0, 0x08}, /* a value that was read */
        {1, 0x01, 0x01, 0x00, 0, 0, 0, 0x08}, /* DESCBUF */
        {0, 0x01, 0x02, 0x00, 0, 0, 0, 0x08}, /* FRQ */
        {0, 0x01, 0x01, 0x00, 0, 0, 0, 0x20},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(others); i++) {
        exchange t = begin("strict");
        fragment(&t, 0, 4, 4, 0, 4, 128);
        put(&t,
            (gw_l1_shim){.kind = GW_L1_KIND_REGISTER,
                         .length = (uint16_t)(others[i][1] == 0 ? 4 : sizeof others[i])},
            others[i]);
        fragment(&t, 0, 4, 4, 0, 4, 128);
        assert_ends(&t, "X06");
    }
}

/* A fragment of more than 128 bytes is several bursts, which may overtake each other. */
static void a_fragment_is_sent_in_bursts(void **state)
{
    static const uint8_t zeros[GW_L1_BURST];
    static const uint16_t places[] = {0x180, 0x100, 0x200};
    exchange t = begin("strict");
    gw_l1_shim s = {.ru = 1, .dest = 4, .length = GW_L1_BURST};

    (void)state;
    for (s.event = 9; s.event < 12; s.event++) {
        for (size_t i = 0; i < GW_ARRAY_LEN(places); i++) {
            s.offset = places[i];
            put(&t, s, zeros);
        }
        s.dest++;
        s.step++;
    }
    assert_string_equal(t.v.rules, "");
    s.event = 10;
    s.dest = 5;
    s.step = 1;
    put(&t, s, zeros);
    assert_string_equal(t.v.rules, "X06");
    t = begin("strict"); /* of an event whose place a newer one took, any burst is one more */
    for (uint16_t event = 9; event < 18; event++)
        fragment(&t, 1, event, event, 0, event, 128);
    fragment(&t, 1, 9, 9, 0, 9, 128);
    assert_ends(&t, "X06");
}

static void late_results_are_passed_on(void **state)
{
    exchange t = begin("strict");

    (void)state;
    decide(&t, GW_L1_KIND_TIMEOUT, 1, 101);
    decide(&t, GW_L1_KIND_DECISION, 2, 102);
    decide(&t, GW_L1_KIND_DECISION, 1, 103);
    assert_ends(&t, "U02");
    t = begin("strict"); /* its time step says that it was there before */
    decide(&t, GW_L1_KIND_TIMEOUT, 1, 101);
    decide(&t, GW_L1_KIND_DECISION, 1, 100);
    assert_ends(&t, "");
    t = begin("strict");
    decide(&t, GW_L1_KIND_TIMEOUT, 1, 101);
    decide(&t, GW_L1_KIND_DECISION, 1, 101);
    assert_ends(&t, "U02");
}

static void decisions_come_once(void **state)
{
    exchange t = begin("strict");

    (void)state;
    decide(&t, GW_L1_KIND_DECISION, 1, 102);
    decide(&t, GW_L1_KIND_DECISION, 1, 65536 + 102); /* the next lap's */
    assert_string_equal(t.v.rules, "");
    decide(&t, GW_L1_KIND_DECISION, 2, 102);
    decide(&t, GW_L1_KIND_DECISION, 2, 103);
    assert_ends(&t, "U01");
}

static void decisions_take_too_long(void **state)
{
    exchange t = begin("final");

    (void)state;
    decide(&t, GW_L1_KIND_ENTERED, 7, 100);
    decide(&t, GW_L1_KIND_DECISION, 7, 1920);
    assert_string_equal(t.v.rules, "");
    decide(&t, GW_L1_KIND_ENTERED, 8, 100);
    decide(&t, GW_L1_KIND_TIMEOUT, 8, 1921);
    assert_ends(&t, "U03");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_once),
        cmocka_unit_test(results_come_twice_in_a_tunnel),
        cmocka_unit_test(decisions_come_twice_in_a_tunnel),
        cmocka_unit_test(counters_go_back),
        cmocka_unit_test(decisions_come_in_order),
        cmocka_unit_test(events_may_enter_in_any_order),
        cmocka_unit_test(a_new_run_starts_from_nothing),
        cmocka_unit_test(only_clear_begins_a_run),
        cmocka_unit_test(a_fragment_is_sent_in_bursts),
        cmocka_unit_test(late_results_are_passed_on),
        cmocka_unit_test(decisions_come_once),
        cmocka_unit_test(decisions_take_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedule and TagNet: each rule broken once, and kept by good traffic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "l1farm/session.h"
#include "l1farm/testing/exchange.h"
#include "l1farm/testing/frames.h"

static void the_prototypes_schedule_is_kept(void **state)
{
    exchange t = begin("strict");

    (void)state;
    run_prototype(&t, 0, 200);
    assert_ends(&t, "");
}

static void order_of_arrival_does_not_count(void **state)
{
    exchange t = begin("strict");

    (void)state;
    for (unsigned event = 1; event < 200; event += 2) { /* neighbours change places */
        for (unsigned e = event; e + 2 > event; e--)
            fragment(&t, 0, (uint16_t)e, (uint16_t)(e % 26), (uint8_t)(e / 26 % 2), e, 64);
    }
    assert_ends(&t, "");
}

static void two_units_at_one_node(void **state)
{
    exchange t = begin("strict");

    (void)state;
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 1, 9, 3, 0, 10, 128);
    assert_ends(&t, "X01");
}

static void two_units_of_a_row_in_one_column(void **state)
{
    exchange t = begin("final");

    (void)state;
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 1, 9, 3 + 19, 0, 10, 128);
    assert_ends(&t, "X02");
    t = begin("final"); /* of different rows they may */
    fragment(&t, 0, 10, 3, 0, 10, 64);
    fragment(&t, 2, 8, 3 + 19, 0, 10, 64);
    assert_ends(&t, "");
}

static void buffers_are_used_too_early(void **state)
{
    exchange t = begin("strict");

    (void)state;
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 11, 3, 1, 11, 128);
    fragment(&t, 0, 12, 3, 0, 12, 128);
    assert_ends(&t, "X03");

    t = begin("final");
    fragment(&t, 0, 9, 3, 0, 9, 128);
    fragment(&t, 0, 10, 3, 0, 10, 128); /* who knows */
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_FREE, .dest = 3, .buffer = 0, .event = 10}, NULL);
    fragment(&t, 0, 11, 3, 0, 11, 128);
    assert_string_equal(t.v.rules, "");
    fragment(&t, 0, 12, 3, 0, 12, 128);
    assert_ends(&t, "X03");
}

static void write_register(exchange *t, uint8_t ru, uint16_t offset, uint8_t value)
{
    const uint8_t bytes[] = {0, GW_L1_WRITE, (uint8_t)(offset >> 8), 0, 0, 0, 0, value};

    put(t, (gw_l1_shim){.kind = GW_L1_KIND_REGISTER, .ru = ru, .length = sizeof bytes}, bytes);
}

static void describe(exchange *t, uint8_t which, unsigned node)
{
    const gw_l1_profile *p = gw_l1_profile_of(t->dialect);
    gw_l1_descriptor d = {.target = GW_L1_TARGET(node, 0, 0), .blocksize = 128u / p->unit};
    uint8_t image[GW_L1_DESCRIPTOR];

    gw_l1_put_descriptor(image, &d, p);
    put(t,
        (gw_l1_shim){.kind = GW_L1_KIND_DESCRIPTORS,
                     .offset = (uint32_t)which * GW_L1_DESCRIPTOR,
                     .length = sizeof image},
        image);
}

/* Who was told to come back to a buffer is not to be blamed for that. */
static void buffers_are_used_as_ordered(void **state)
{
    static const uint16_t nodes[] = {3, 4, 3, 5};
    exchange t = begin("strict");

    (void)state;
    write_register(&t, 0, GW_L1_DESCS, 2);
    for (uint16_t e = 0; e < 6; e++)
        fragment(&t, 0, e, e % 3, 0, e, 64);
    assert_string_equal(t.v.rules, "");
    fragment(&t, 0, 6, 1, 0, 6, 64); /* it left one out */
    assert_ends(&t, "X03");

    t = begin("strict"); /* a list may name a buffer twice */
    for (uint8_t i = 0; i < 4; i++)
        describe(&t, i, nodes[i]);
    write_register(&t, 0, GW_L1_DESCS, 3);
    for (uint16_t e = 0; e < 8; e++)
        fragment(&t, 0, e, nodes[e % 4], 0, e, 64);
    assert_string_equal(t.v.rules, "");
    fragment(&t, 0, 8, 5, 0, 8, 64);
    assert_ends(&t, "X03");

    t = begin("strict"); /* of another unit that says nothing */
    write_register(&t, 1, GW_L1_DESCS, 2);
    fragment(&t, 0, 0, 3, 0, 0, 128);
    fragment(&t, 0, 1, 3, 0, 1, 128);
    assert_ends(&t, "X03");

    t = begin("strict"); /* each tag names where */
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_TAG, .length = 4}, (const uint8_t[]){0, 0, 0, 0x0f});
    fragment(&t, 0, 0, 3, 0, 0, 128);
    fragment(&t, 0, 1, 3, 0, 1, 128);
    assert_ends(&t, "");
}

static void ringlets_are_overloaded(void **state)
{
    exchange t = begin("strict");

    (void)state;
    for (unsigned event = 0; event < 24; event++)
        fragment(&t, 0, (uint16_t)event, (uint16_t)event, 0, event, 384);
    assert_string_equal(t.v.rules, "X04"); /* its row, once */
    t = begin("strict");
    for (unsigned event = 0; event < 26; event++)
        fragment(&t, 0, (uint16_t)event, (uint16_t)event, 0, event, 256);
    assert_ends(&t, "");
}

static void every_fragment_comes_once(void **state)
{
    exchange t = begin("strict");

    (void)state;
    fragment(&t, 0, 0xffff, 3, 0, 10, 128);
    fragment(&t, 0, 0, 4, 0, 11, 128);
    fragment(&t, 0, 0, 4, 0, 12, 128);
    assert_ends(&t, "X06");

    t = begin("strict");
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 12, 5, 0, 12, 128);
    assert_string_equal(t.v.rules, "");
    fragment(&t, 0, 11, 4, 0, 11, 128); /* late, and not missing */
    assert_ends(&t, "");

    t = begin("strict");
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 12, 5, 0, 12, 128);
    assert_ends(&t, "X06");

    t = begin("strict");
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 500, 5, 0, 500, 128);
    assert_string_equal(t.v.rules, "X06");

    t = begin("strict"); /* at a node the events for the others are not seen ... */
    for (uint16_t e = 0; e < 260; e += 26) {
        for (uint8_t ru = 0; ru < 3; ru++) {
            if (e != 78 || ru != 1)
                fragment(&t, ru, e, 3, e / 26 % 2, (uint32_t)e + ru, 128);
        }
    }
    assert_ends(&t, "X06"); /* ... but of that one a fragment is missing */
    assert_string_equal(t.v.text, "readout unit 1 has not sent its fragment of 1 event before");

    t = begin("strict"); /* a new run */
    fragment(&t, 0, 30000, 3, 0, 10, 128);
    fragment(&t, 0, 0, 5, 0, 500, 128);
    assert_ends(&t, "");
}

static void fragments_of_an_event_belong_together(void **state)
{
    exchange t = begin("strict");

    (void)state;
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 1, 10, 4, 0, 11, 128);
    assert_ends(&t, "X06");
    t = begin("strict");
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 1, 10, 3, 0, 12, 128);
    assert_ends(&t, "X07");
}

/* ---- a tunnel, whose path may lose, repeat and mix up ---- */

static exchange through_udp(const char *dialect)
{
    exchange t = begin(dialect);

    t.transport = GW_OVER_UDP;
    return t;
}

static void copies_are_the_paths(void **state)
{
    exchange t = through_udp("strict");

    (void)state;
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 11, 4, 0, 11, 128);
    fragment(&t, 0, 11, 4, 0, 11, 128);
    assert_string_equal(t.v.rules, "");
    fragment(&t, 0, 11, 4, 0, 12, 128); /* no copy: its time step is another one */
    assert_ends(&t, "X06");
    t = through_udp("strict");
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 11, 4, 0, 11, 128);
    t.now += INT64_C(2) * GIVE_UP; /* no datagram is under way for that long */
    fragment(&t, 0, 11, 4, 0, 11, 128);
    assert_ends(&t, "X06");
    t = begin("strict"); /* what loses nothing repeats nothing */
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 11, 4, 0, 11, 128);
    fragment(&t, 0, 11, 4, 0, 11, 128);
    assert_ends(&t, "X06");

    t = through_udp("strict");
    for (unsigned event = 0; event < 26; event++) { /* at what a ringlet takes */
        for (unsigned i = 0; i <= event % 2; i++)
            fragment(&t, 0, (uint16_t)event, (uint16_t)event, 0, event, 256);
    }
    assert_ends(&t, "");
    t = through_udp("final");
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_FREE, .dest = 0x1234}, NULL);
    for (unsigned i = 0; i < 2; i++)
        put(&t, (gw_l1_shim){.kind = GW_L1_KIND_TAG, .length = 4},
            (const uint8_t[]){0, 0x05, 0x47, 0x42});
    assert_ends(&t, "");
}

static bool lossless; /* what left_out feeds went over such a path */

/* |num| events of which unit 1 leaves out all but the last and each |each|-th from the first on. */
static const char *left_out(uint8_t transport, unsigned num, unsigned each)
{
    static exchange t;

    t = begin("strict");
    if (lossless)
        gw_l1_session.lossless(memory);
    t.transport = transport;
    for (unsigned e = 0; e < num; e++) {
        fragment(&t, 0, (uint16_t)e, (uint16_t)(e % 26), (uint8_t)(e / 26), e, 128);
        if (e % each == 0 || e + 1 == num)
            fragment(&t, 1, (uint16_t)e, (uint16_t)(e % 26), (uint8_t)(e / 26), e + 1, 128);
    }
    gw_l1_session.end(memory, &t.v.sink);
    return t.v.rules;
}

static void a_tunnel_loses_fragments(void **state)
{
    (void)state;
    assert_string_equal(left_out(GW_OVER_NOTHING, 3, 3), "X06");
    assert_string_equal(left_out(GW_OVER_UDP, 3, 3), "");
    assert_string_equal(left_out(GW_OVER_UDP, 100, 100), ""); /* they may be late */
    lossless = true;
    assert_string_equal(left_out(GW_OVER_UDP, 3, 3), "X06");
    lossless = false;
    exchange t = through_udp("strict"); /* who knows what nobody saw */
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 500, 5, 0, 500, 128);
    assert_ends(&t, "");
}

/* What a unit was told may have got lost, or come twice. */
static void a_tunnel_loses_orders(void **state)
{
    (void)state;
    static const char *const rules[] = {"", "X03 X04 X06", "X03 X06"};
    for (unsigned i = 0; i < 3; i++) {
        exchange t = i == 1 ? begin("strict") : through_udp("strict");
        if (i == 2) /* what loses nothing may be slow all the same */
            gw_l1_session.lossless(memory);
        write_register(&t, 0, GW_L1_DESCS, 2);
        fragment(&t, 0, 0, 3, 0, 0, 128);
        fragment(&t, 0, 1, 3, 0, 1, 128);
        for (unsigned event = 2; event < 26; event++)
            fragment(&t, 0, (uint16_t)event, (uint16_t)event, 1, event, 384);
        fragment(&t, 0, 25, 25, 1, 27, 384);
        assert_ends(&t, rules[i]);
    }
    exchange t = through_udp("strict"); /* whoever listens from then on */
    write_register(&t, 0, GW_L1_DESCS, 2);
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_LISTEN}, NULL);
    fragment(&t, 0, 0, 3, 0, 0, 128);
    fragment(&t, 0, 1, 3, 0, 1, 128);
    assert_ends(&t, "");
    t = through_udp("strict"); /* by descriptors, or by a line */
    describe(&t, 0, 3);
    fragment(&t, 0, 0, 3, 0, 0, 128);
    fragment(&t, 0, 1, 3, 0, 1, 128);
    assert_ends(&t, "");
    t = through_udp("strict");
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_EDGE, .length = 4},
        (const uint8_t[]){GW_L1_TIN, 1, 0, 0});
    fragment(&t, 0, 0, 3, 0, 0, 128);
    fragment(&t, 0, 1, 3, 0, 1, 128);
    assert_ends(&t, "");
    t = through_udp("strict"); /* nobody shows that it was told */
    fragment(&t, 0, 0, 3, 0, 0, 128);
    fragment(&t, 0, 1, 3, 0, 1, 128);
    assert_ends(&t, "X03");
}

/* ---- TagNet ---- */

#define EDGE(ru, line, edge) send(&t, GW_L1_TAGNET, "00" line edge "00" ru)

static void tags_go_through(void **state)
{
    exchange t = begin("strict");

    (void)state;
    EDGE("01", "00", "01"); /* TIn */
    EDGE("01", "00", "00");
    EDGE("01", "03", "01"); /* BOn */
    EDGE("01", "03", "00");
    EDGE("01", "01", "01"); /* TOn */
    assert_ends(&t, "");
    t = begin("strict");
    EDGE("01", "01", "01"); /* its input is not in the capture */
    assert_ends(&t, "");
}

static void tags_appear_or_vanish(void **state)
{
    exchange t = begin("strict");

    (void)state;
    EDGE("01", "00", "01");
    EDGE("01", "01", "01");
    EDGE("01", "01", "01");
    assert_ends(&t, "G01");
    t = begin("strict");
    EDGE("01", "00", "01");
    EDGE("01", "01", "01");
    EDGE("01", "00", "01");
    EDGE("01", "00", "01");
    assert_string_equal(t.v.rules, "");
    EDGE("01", "00", "01");
    assert_ends(&t, "G01");
    t = begin("strict"); /* what came before its first answer may be answered yet */
    for (unsigned i = 0; i < 3; i++)
        EDGE("01", "00", "01");
    for (unsigned i = 0; i < 3; i++)
        EDGE("01", "01", "01");
    assert_string_equal(t.v.rules, "");
    EDGE("01", "01", "01");
    assert_ends(&t, "G01");
    t = begin("strict"); /* its output is not in the capture */
    for (unsigned i = 0; i < 5; i++)
        EDGE("01", "00", "01");
    assert_ends(&t, "");
}

/* A line's edges in a tunnel: of a tag that came twice only one is seen. */
static void a_tunnel_mixes_up_edges(void **state)
{
    static const uint8_t lines[] = {GW_L1_TIN, GW_L1_TON, GW_L1_TON, GW_L1_BIN,
                                    GW_L1_TON, GW_L1_BON, GW_L1_TIN};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        exchange t = begin("strict");
        t.transport = i == 0 ? GW_OVER_UDP : GW_OVER_NOTHING;
        for (size_t k = 0; k < sizeof lines; k++)
            put(&t,
                (gw_l1_shim){.kind = GW_L1_KIND_EDGE, .ru = 1, .step = (uint32_t)k, .length = 4},
                (const uint8_t[]){lines[k], 1, 0, 1});
        assert_ends(&t, i == 0 ? "" : "G01 G02 G01 G02");
    }
}

static void busy_is_not_heeded(void **state)
{
    exchange t = begin("strict");

    (void)state;
    EDGE("01", "00", "01");
    EDGE("01", "02", "01"); /* the next one is busy */
    EDGE("01", "01", "01");
    assert_ends(&t, "G02");
    t = begin("strict");
    EDGE("01", "03", "01");
    EDGE("01", "00", "01");
    assert_ends(&t, "G02");
}

static void destinations_are_named_twice(void **state)
{
    exchange t = begin("final");

    (void)state;
    send(&t, GW_L1_TAGNET, "0100054742");
    send(&t, GW_L1_TAGNET, "0100054742"); /* where releases are not captured */
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_FREE, .dest = 0x1234}, NULL);
    send(&t, GW_L1_TAGNET, "0100054742");
    send(&t, GW_L1_TAGNET, "010000000f");
    assert_string_equal(t.v.rules, "");
    send(&t, GW_L1_TAGNET, "0100054742");
    assert_string_equal(t.v.rules, "G07");
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_FREE, .dest = 0x1234}, NULL);
    send(&t, GW_L1_TAGNET, "0100054742");
    assert_ends(&t, "G07");
    t = begin("final"); /* each unit passes it on to the next */
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_FREE, .dest = 1}, NULL);
    for (uint8_t i = 0; i < 4; i++)
        put(&t, (gw_l1_shim){.kind = GW_L1_KIND_TAG, .ru = i % 2, .length = 4},
            (const uint8_t[]){0, 0, 0, 0x0f});
    assert_ends(&t, "G07");
    t = begin("strict"); /* the prototype's nodes do not say when they are done */
    send(&t, GW_L1_TAGNET, "0100054742");
    send(&t, GW_L1_TAGNET, "0100054742");
    assert_ends(&t, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_prototypes_schedule_is_kept),
        cmocka_unit_test(order_of_arrival_does_not_count),
        cmocka_unit_test(two_units_at_one_node),
        cmocka_unit_test(two_units_of_a_row_in_one_column),
        cmocka_unit_test(buffers_are_used_too_early),
        cmocka_unit_test(buffers_are_used_as_ordered),
        cmocka_unit_test(ringlets_are_overloaded),
        cmocka_unit_test(every_fragment_comes_once),
        cmocka_unit_test(fragments_of_an_event_belong_together),
        cmocka_unit_test(copies_are_the_paths),
        cmocka_unit_test(a_tunnel_loses_fragments),
        cmocka_unit_test(a_tunnel_loses_orders),
        cmocka_unit_test(tags_go_through),
        cmocka_unit_test(tags_appear_or_vanish),
        cmocka_unit_test(a_tunnel_mixes_up_edges),
        cmocka_unit_test(busy_is_not_heeded),
        cmocka_unit_test(destinations_are_named_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

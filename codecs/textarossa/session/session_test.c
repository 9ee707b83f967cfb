/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations: echoes, and credits between packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "textarossa/internal.h"
#include "textarossa/testing/packets.h"

#define MS INT64_C(1000000)

enum { GIVE_UP_MS = 1000, SESSION_BYTES = 1 << 15 };

static struct {
    uint64_t memory[SESSION_BYTES / 8];
    uint8_t bytes[256];
    tx_log log;
    uint64_t frame;
    int64_t time_ns;
} exchange;

static void start(size_t cap)
{
    memset(&exchange, 0, sizeof exchange);
    exchange.log = tx_log_new();
    assert_true(gw_tx_session.init(exchange.memory, cap, GIVE_UP_MS * MS));
}

static void feed(gw_message m)
{
    exchange.time_ns += MS;
    m.frame = ++exchange.frame;
    m.time_ns = exchange.time_ns;
    gw_tx_session.feed(exchange.memory, &m, NULL, &exchange.log.sink);
}

/* A packet of |len| bytes on channel |proc_id| from host to host. */
static void say(uint8_t from, uint8_t to, uint16_t proc_id, size_t len)
{
    gw_tx_draft draft = tx_draft(tx_header(0), len);

    draft.header.proc_id = proc_id;
    gw_message m = tx_datagram(exchange.bytes,
                               gw_tx_build(exchange.bytes, sizeof exchange.bytes, &draft, NULL));
    m.src = tx_end(from);
    m.dst = tx_end(to);
    feed(m);
}

static void say_part(uint8_t part, gw_direction dir, uint32_t interface)
{
    gw_tx_draft draft = tx_draft(tx_header(0), 16);
    size_t len = part == GW_TX_PART_LINK
                     ? gw_tx_build_run(exchange.bytes, sizeof exchange.bytes, &draft, NULL)
                     : gw_hex_bytes(exchange.bytes, sizeof exchange.bytes, TX_CREDIT);
    gw_message m = tx_part(exchange.bytes, len, part);

    m.dir = (uint8_t)dir;
    m.interface = interface;
    feed(m);
}

static void echoes_are_found(void **state)
{
    (void)state;
    start(SESSION_BYTES);
    say(3, 2, 5, 16);
    say(3, 2, 6, 16);
    say(2, 3, 6, 16);
    say(2, 3, 5, 16);
    say(2, 3, 5, 16); /* sent by itself: nothing is known of it */
    assert_string_equal(exchange.log.relations, "2>3 1>4");
    assert_int_equal(exchange.log.findings, 0);
}

static void what_differs_is_no_echo(void **state)
{
    (void)state;
    start(SESSION_BYTES);
    say(3, 2, 5, 16);
    say(2, 3, 5, 17); /* size */
    say(2, 3, 4, 16); /* channel */
    say(2, 4, 5, 16); /* address */
    say(3, 2, 5, 16); /* direction */
    assert_string_equal(exchange.log.relations, "");
    say(2, 3, 5, 16);
    assert_string_equal(exchange.log.relations, "1>6?");
    say(3, 3, 7, 16); /* to oneself */
    say(3, 3, 7, 16);
    assert_string_equal(exchange.log.relations, "1>6?");
}

static void an_echo_that_comes_too_late_is_none(void **state)
{
    (void)state;
    start(SESSION_BYTES);
    say(3, 2, 5, 16);
    exchange.time_ns += (GIVE_UP_MS + 1) * MS;
    say(2, 3, 5, 16);
    assert_string_equal(exchange.log.relations, "");
    gw_tx_session.advance(exchange.memory, exchange.time_ns + 2 * MS * GIVE_UP_MS,
                          &exchange.log.sink);
    gw_tx_session.end(exchange.memory, &exchange.log.sink);
    assert_string_equal(exchange.log.relations, "");
}

static void a_full_table_forgets_the_oldest(void **state)
{
    (void)state;
    assert_false(gw_tx_session.init(exchange.memory, gw_tx_session.min_size - 1, MS));
    start(gw_tx_session.min_size);
    for (uint16_t i = 0; i < 17; i++)
        say(3, 2, i, 16);
    say(2, 3, 0, 16);
    assert_string_equal(exchange.log.relations, "");
    say(2, 3, 16, 16);
    assert_string_equal(exchange.log.relations, "17>19");
}

static void links_have_two_ways(void **state)
{
    (void)state;
    start(SESSION_BYTES);
    say_part(GW_TX_PART_LINK, GW_DIR_OUT, 0);
    say_part(GW_TX_PART_IDLE, GW_DIR_OUT, 0);
    say_part(GW_TX_PART_LINK, GW_DIR_IN, 1); /* another port */
    say_part(GW_TX_PART_LINK, GW_DIR_IN, 0);
    assert_string_equal(exchange.log.relations, "1>4");
    assert_string_equal(exchange.log.rules, "");
}

/* A router changes the channel, and the way a packet is carried. */
static void a_router_passes_packets_on(void **state)
{
    gw_tx_draft draft = tx_draft(tx_header(16), 16);

    (void)state;
    start(SESSION_BYTES);
    draft.header.proc_id = 300;
    gw_message m = tx_part(exchange.bytes,
                           gw_tx_build_run(exchange.bytes, sizeof exchange.bytes, &draft, NULL),
                           GW_TX_PART_LINK);
    m.dir = GW_DIR_OUT;
    feed(m);
    draft.header.virt_chan = 0;
    m = tx_datagram(exchange.bytes,
                    gw_tx_build(exchange.bytes, sizeof exchange.bytes, &draft, NULL));
    m.dir = GW_DIR_IN;
    m.interface = 1;
    feed(m);
    assert_string_equal(exchange.log.forwards, "1>2");
    gw_tx_check(&m, NULL, &exchange.log.sink);
    assert_string_equal(exchange.log.rules, "E7");
    m.origin = 1;
    gw_tx_check(&m, NULL, &exchange.log.sink);
    assert_string_equal(exchange.log.rules, "E7");
    draft.header.dest_x = 2; /* another one */
    m = tx_datagram(exchange.bytes,
                    gw_tx_build(exchange.bytes, sizeof exchange.bytes, &draft, NULL));
    m.dir = GW_DIR_IN;
    feed(m);
    assert_string_equal(exchange.log.forwards, "1>2");
}

static void a_credit_stands_between_packets(void **state)
{
    (void)state;
    start(SESSION_BYTES);
    say_part(GW_TX_PART_LINK, GW_DIR_OUT, 0);
    say_part(GW_TX_PART_IDLE, GW_DIR_OUT, 0);
    say_part(GW_TX_PART_LINK, GW_DIR_OUT, 0);
    say_part(GW_TX_PART_IDLE, GW_DIR_IN, 0); /* the other way does not help */
    say_part(GW_TX_PART_LINK, GW_DIR_OUT, 0);
    assert_string_equal(exchange.log.rules, "L2");
    assert_int_equal(exchange.log.last.frame, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(echoes_are_found),
        cmocka_unit_test(what_differs_is_no_echo),
        cmocka_unit_test(an_echo_that_comes_too_late_is_none),
        cmocka_unit_test(a_full_table_forgets_the_oldest),
        cmocka_unit_test(links_have_two_ways),
        cmocka_unit_test(a_router_passes_packets_on),
        cmocka_unit_test(a_credit_stands_between_packets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

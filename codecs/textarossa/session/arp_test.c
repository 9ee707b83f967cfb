/* SPDX-License-Identifier: BSD-2-Clause */
/* ARP beside datagrams: what a capture proves, and what it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "goldwire/writer.h"
#include "textarossa/session/arp.h"
#include "textarossa/testing/packets.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

enum { SESSION_BYTES = 1 << 16, ALL = 255 };

static struct {
    uint64_t memory[SESSION_BYTES / 8];
    tx_log log;
    uint64_t frame;
    int64_t time_ns;
    uint32_t interface;
    uint32_t frame_len; /* of the next frames; 0: what they need */
    uint8_t dir;
} net;

static int start(void **state)
{
    (void)state;
    memset(&net, 0, sizeof net);
    net.log = tx_log_new();
    net.dir = GW_DIR_IN;
    return gw_tx_session.init(net.memory, sizeof net.memory, SECOND) ? 0 : -1;
}

#define EXPECT(rules_) assert_string_equal(net.log.rules, rules_)

/* A hardware address: the host's, or everybody's. */
static void put_hw(gw_writer *w, uint8_t host)
{
    if (host == ALL)
        gw_write_be(w, 0xffffffffffff, 6);
    else
        gw_write_be(w, 0x020000000000 | host, 6);
}

static void stamp(gw_message *m, const uint8_t *link, uint32_t frame_len)
{
    net.time_ns += MS;
    m->frame = ++net.frame;
    m->time_ns = net.time_ns;
    m->interface = net.interface;
    m->dir = net.dir;
    m->link = link;
    m->link_len = 14;
    m->frame_len = net.frame_len != 0 ? net.frame_len : frame_len;
}

static void arp(uint16_t operation, uint8_t to_hw, uint8_t from_hw, uint8_t says, uint8_t to)
{
    uint8_t frame[60] = {0};
    gw_writer w = gw_writer_over(frame, sizeof frame);

    put_hw(&w, to_hw);
    put_hw(&w, from_hw);
    gw_write_be(&w, GW_ETHERTYPE_ARP, 2);
    gw_write_be(&w, 0x0001080006040000 | operation, 8);
    put_hw(&w, from_hw);
    gw_write_bytes(&w, tx_end(says).ip, 4);
    put_hw(&w, to_hw);
    gw_write_bytes(&w, to == ALL ? (const uint8_t[]){255, 255, 255, 255} : tx_end(to).ip, 4);
    gw_message m = gw_message_of(frame + 14, 46);
    stamp(&m, frame, sizeof frame);
    gw_tx_session.arp(net.memory, &m, &net.log.sink);
}

static void ask(uint8_t from, uint8_t to)
{
    arp(GW_ARP_REQUEST, ALL, from, from, to);
}

static void answer(uint8_t from, uint8_t to)
{
    arp(GW_ARP_REPLY, to, from, from, to);
}

/* A datagram between two addresses, to a hardware address. */
static void send_to(gw_endpoint from, gw_endpoint to, uint8_t to_hw)
{
    uint8_t bytes[64], link[14] = {0};
    gw_writer w = gw_writer_over(link, sizeof link);
    gw_tx_draft draft = tx_draft(tx_header(0), 16);
    gw_message m = tx_datagram(bytes, gw_tx_build(bytes, sizeof bytes, &draft, NULL));

    put_hw(&w, to_hw);
    put_hw(&w, from.ip[3]);
    m.src = from;
    m.dst = to;
    stamp(&m, link, 90);
    gw_tx_session.feed(net.memory, &m, NULL, &net.log.sink);
}

static void send(uint8_t from, uint8_t to)
{
    send_to(tx_end(from), tx_end(to), to);
}

static void asking_first_is_right(void **state)
{
    (void)state;
    ask(1, 2);
    answer(2, 1);
    send(1, 2);
    ask(2, 1);
    answer(1, 2);
    send(2, 1);
    send(1, 2);
    ask(3, 3); /* a cable that leads back */
    answer(3, 3);
    send(3, 3);
    EXPECT("");
}

static void who_did_not_ask_is_found(void **state)
{
    (void)state;
    ask(1, 2);
    answer(2, 1);
    send(1, 3);
    EXPECT("N6");
    assert_int_equal(net.log.last.frame, 3);
    send(1, 3); /* the same once more is not told again */
    send(1, 2);
    EXPECT("N6");
}

static void who_did_not_wait_is_found(void **state)
{
    (void)state;
    ask(1, 2);
    send(1, 2);
    EXPECT("N6");
    answer(2, 1);
    send(1, 2);
    EXPECT("N6");
}

/* A table that was filled before the capture, another network, everybody: nothing is proven. */
static void what_was_not_captured_is_no_fault(void **state)
{
    gw_endpoint everybody = {.ip = {255, 255, 255, 255}, .port = 1, .family = GW_FAMILY_IPV4};
    gw_endpoint far_away = {.ip = {10, 0, 0, 1}, .port = 1, .family = GW_FAMILY_IPV4};

    (void)state;
    send(1, 2);
    ask(1, 3);
    answer(3, 1);
    send(1, 4);
    EXPECT("");
    ask(5, 6);
    answer(6, 5);
    send_to(tx_end(5), far_away, 6);
    send_to(tx_end(5), everybody, ALL);
    EXPECT("");
}

static void the_broadcast_address_is_nobodys(void **state)
{
    (void)state;
    ask(1, ALL);
    EXPECT(""); /* whoever that is */
    ask(1, 2);
    answer(2, 1);
    send(1, 2);
    EXPECT("N6");
    assert_int_equal(net.log.last.frame, 1);
    assert_int_equal(net.log.last.revealed_by, 4);
    send(1, 2);
    EXPECT("N6"); /* nothing was wrong since */
    ask(1, ALL);
    EXPECT("N6 N6");
}

static void answers_go_to_who_asked(void **state)
{
    (void)state;
    send(1, 2);
    ask(1, 2);
    arp(GW_ARP_REPLY, ALL, 2, 2, 1);
    EXPECT("N7");
    arp(GW_ARP_REPLY, ALL, 2, 2, 2); /* announces itself */
    EXPECT("N7");
}

static void answers_are_for_the_own_address(void **state)
{
    (void)state;
    send(2, 1);
    ask(1, 4);
    arp(GW_ARP_REPLY, 1, 2, 4, 1);
    EXPECT("N7");
    ask(1, 5);
    answer(5, 1);
    EXPECT("N7");
}

static void silence_is_a_fault_of_who_is_there(void **state)
{
    (void)state;
    send(2, 1);
    ask(1, 2);
    ask(1, 9);
    net.time_ns += 2 * SECOND;
    send(1, 2); /* station 2 may be gone: nothing came from it since */
    assert_null(strstr(net.log.rules, "N7"));
    (void)start(NULL);
    ask(1, 2);
    send(2, 1);
    net.time_ns += 2 * SECOND;
    ask(3, 4);
    EXPECT("N7");
    assert_int_equal(net.log.last.frame, 1);
    assert_int_equal(net.log.last.revealed_by, 3);
    net.time_ns += 2 * SECOND;
    send(2, 1);
    EXPECT("N7");
}

static void an_answer_to_a_repetition_is_an_answer(void **state)
{
    (void)state;
    ask(1, 2);
    send(2, 1);
    ask(1, 2);
    answer(2, 1);
    net.time_ns += 2 * SECOND;
    send(1, 2);
    EXPECT("");
}

static void the_address_that_was_told_is_used(void **state)
{
    (void)state;
    ask(1, 2);
    answer(2, 1);
    send_to(tx_end(1), tx_end(2), 7);
    send_to(tx_end(1), tx_end(2), 7);
    EXPECT("N8");
    arp(GW_ARP_REPLY, 1, 7, 2, 1); /* it moved */
    send_to(tx_end(1), tx_end(2), 7);
    EXPECT("N8");
}

/* By a reply that it waits for a station goes; what else it hears it may take up, or not. */
static void what_nobody_asked_for_may_be_passed_over(void **state)
{
    (void)state;
    for (uint8_t taken = 0; taken < 2; taken++) {
        for (unsigned reply = 0; reply < 2; reply++) {
            assert_int_equal(start(state), 0);
            ask(1, 2);
            answer(2, 1);
            send(1, 2);
            /* somebody says that he has the address */
            arp(reply == 0 ? GW_ARP_REQUEST : GW_ARP_REPLY, 1, 3, 2, 1);
            send_to(tx_end(1), tx_end(2), taken == 0 ? 2 : 3);
            EXPECT("");
            send_to(tx_end(1), tx_end(2), 4);
            EXPECT("N8");
        }
    }
    assert_int_equal(start(state), 0); /* it knew before the capture began */
    arp(GW_ARP_REQUEST, 1, 3, 2, 1);
    send(1, 2);
    EXPECT("");
}

static void short_frames_are_found_where_they_arrive(void **state)
{
    (void)state;
    net.frame_len = 42;
    net.dir = GW_DIR_OUT;
    ask(1, 2);
    net.dir = GW_DIR_IN;
    answer(2, 1);
    net.frame_len = 0;
    send(1, 2);
    EXPECT("N9");
    assert_int_equal(net.log.last.frame, 2);
    net.frame_len = 1519;
    ask(1, 2);
    EXPECT("N9 N9");
}

static void other_peoples_arp_is_their_own(void **state)
{
    (void)state;
    ask(11, ALL);
    arp(GW_ARP_REPLY, ALL, 12, 13, 11);
    net.frame_len = 42;
    ask(12, 11);
    net.frame_len = 0;
    net.time_ns += 2 * SECOND;
    send(1, 2);
    EXPECT("");
}

static void interfaces_are_kept_apart(void **state)
{
    (void)state;
    ask(1, 2);
    answer(2, 1);
    net.interface = 1;
    send_to(tx_end(1), tx_end(2), 7); /* behind a router, say */
    EXPECT("");
}

static void full_tables_say_nothing(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * GW_TX_ASKS; i++)
        ask(1, (uint8_t)(20 + i));
    send(1, 2);
    EXPECT("");
}

static void odd_packets_are_passed_over(void **state)
{
    uint8_t bytes[28] = {0}, link[14] = {0};
    gw_message m = gw_message_of(bytes, sizeof bytes);

    (void)state;
    arp(3, 2, 1, 1, 2);
    arp(0, 2, 1, 1, 2);
    stamp(&m, link, 60);
    gw_tx_session.arp(net.memory, &m, &net.log.sink);
    m = gw_message_of(NULL, 0);
    stamp(&m, NULL, 0);
    m.link_len = 0;
    gw_tx_session.arp(net.memory, &m, &net.log.sink);
    send(1, 2);
    EXPECT("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(asking_first_is_right, start),
        cmocka_unit_test_setup(who_did_not_ask_is_found, start),
        cmocka_unit_test_setup(who_did_not_wait_is_found, start),
        cmocka_unit_test_setup(what_was_not_captured_is_no_fault, start),
        cmocka_unit_test_setup(the_broadcast_address_is_nobodys, start),
        cmocka_unit_test_setup(answers_go_to_who_asked, start),
        cmocka_unit_test_setup(answers_are_for_the_own_address, start),
        cmocka_unit_test_setup(silence_is_a_fault_of_who_is_there, start),
        cmocka_unit_test_setup(an_answer_to_a_repetition_is_an_answer, start),
        cmocka_unit_test_setup(the_address_that_was_told_is_used, start),
        cmocka_unit_test_setup(what_nobody_asked_for_may_be_passed_over, start),
        cmocka_unit_test_setup(short_frames_are_found_where_they_arrive, start),
        cmocka_unit_test_setup(other_peoples_arp_is_their_own, start),
        cmocka_unit_test_setup(interfaces_are_kept_apart, start),
        cmocka_unit_test_setup(full_tables_say_nothing, start),
        cmocka_unit_test_setup(odd_packets_are_passed_over, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* What answers nothing, probes, streams, and what a session cannot know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "etherbone/testing/conversation.h"
#include "goldwire/format.h"

static void expect(const char *relations, const char *rules)
{
    assert_string_equal(exchange.log.relations, relations);
    assert_string_equal(exchange.log.rules, rules);
}

/* ---- what is no conversation ---- */

static void test_writes_are_no_replies(void **state)
{
    gw_endpoint sender = exchange_end(7, SERVICE_PORT),
                all = {.ip = {255, 255, 255, 255}, .port = SERVICE_PORT, .family = GW_FAMILY_IPV4};
    gw_eb_operation event = exchange_write(0x7ffffff0, 8, GW_EB_CYC | GW_EB_WFF);
    gw_eb_operation write = exchange_write(0x100, 4, GW_EB_CYC);

    (void)state;
    exchange_start();
    ask(0x8000, 1);
    for (unsigned i = 0; i < 100; i++)
        exchange_ops(sender, all, 0x44, &event, 1);
    exchange_ops(client(), server(), 0x44, &write, 1);
    exchange_ops(exchange_end(5, 5000), exchange_end(6, 6000), 0x44, &write, 1);
    reply(0x8000, 1);
    expect("A1.0>104.0", "");
}

static void test_a_reply_to_nothing_is_unsolicited(void **state)
{
    gw_eb_operation bus = exchange_write(0x700, 1, GW_EB_CYC);

    (void)state;
    exchange_start();
    reply(0x8000, 1);
    exchange_ops(server(), client(), 0x44, &bus, 1);
    /* into the return area it is a reply from any port */
    exchange_reply(exchange_end(5, 5000), exchange_end(6, 6000), 0x8000, 1);
    expect("U>1.0 U>2.0 U>3.0", "");
}

static void test_a_read_of_everybody_waits_for_nobody(void **state)
{
    gw_endpoint all = {.ip = {255, 255, 255, 255}, .port = SERVICE_PORT, .family = GW_FAMILY_IPV4};

    (void)state;
    exchange_start();
    exchange_ask(client(), all, 0x8000, 1);
    exchange_stop();
    expect("", "");
}

static void test_who_sets_nr_wants_no_reply(void **state)
{
    static const uint8_t bytes[] = {0x4e, 0x6f, 0x14, 0x44, 0x88, 0x0f, 0, 1,
                                    0,    0,    0x80, 0,    0,    0,    0, 0x40};

    (void)state;
    exchange_start();
    exchange_bytes(client(), server(), bytes, sizeof bytes);
    exchange_bytes(client(), server(), bytes, sizeof bytes);
    reply(0x8000, 1);
    exchange_stop();
    expect("A1.0>3.0? N2.0", "");
}

/* ---- probes ---- */

static void test_probes_are_paired_by_id(void **state)
{
    (void)state;
    exchange_start();
    probe(client(), server(), 0x44, 7);
    probe(client(), server(), 0x44, 8);
    probe_response(server(), client(), 0xff, 8);
    probe_response(server(), client(), 0xff, 7);
    probe_response(server(), client(), 0xff, 7);
    expect("A2.0>3.0 A1.0>4.0 D1.0>5.0", "");
    exchange_stop();
    expect("A2.0>3.0 A1.0>4.0 D1.0>5.0", "");
}

static void test_a_probe_may_be_answered_from_another_address(void **state)
{
    (void)state;
    exchange_start();
    probe(client(), server(), 0x44, 7);
    probe_response(exchange_end(SERVER + 1, SERVICE_PORT), client(), 0xff, 7);
    probe_response(exchange_end(SERVER + 1, SERVICE_PORT), client(), 0xff, 7);
    expect("A1.0>2.0 D1.0>3.0", "");
}

static void test_everybody_answers_a_broadcast(void **state)
{
    gw_endpoint all = {.ip = {255, 255, 255, 255}, .port = SERVICE_PORT, .family = GW_FAMILY_IPV4};

    (void)state;
    exchange_start();
    probe(client(), all, 0xff, 0);
    for (uint8_t host = 20; host < 24; host++)
        probe_response(exchange_end(host, SERVICE_PORT), client(), 0xff, 0);
    probe_response(exchange_end(21, SERVICE_PORT), client(), 0xff, 0);
    probe(client(), all, 0xff, 1);
    exchange_wait(GIVE_UP_MS + 1);
    probe_response(exchange_end(21, SERVICE_PORT), client(), 0xff, 1);
    expect("A1.0>2.0 A1.0>3.0 A1.0>4.0 A1.0>5.0 D1.0>6.0 N7.0 S7.0>8.0", "");
}

static void test_a_response_to_no_probe_is_unsolicited(void **state)
{
    (void)state;
    exchange_start();
    probe_response(server(), client(), 0xff, 7);
    expect("U>1.0", "");
}

/* ---- what cannot be told ---- */

static void test_a_full_table_says_that_it_lost_track(void **state)
{
    unsigned asked = 0;

    (void)state;
    exchange_start_in(gw_eb_session.min_size);
    while (exchange.log.num_relations == 0 && asked < 1000)
        ask(0x8000 + 2 * asked++, 1);
    assert_uint_in_range(asked, 65, 200);
    expect("T1.0", "");
    reply(0x8000, 1); /* its request was pushed out: not unsolicited */
    reply(0x8002, 1);
    expect("T1.0 T>66.0 A2.0>67.0", "");
}

/* What was answered makes room first, and no answer is blamed for it. */
static void test_the_answered_make_room(void **state)
{
    (void)state;
    exchange_start_in(gw_eb_session.min_size);
    for (unsigned i = 0; i < 300; i++) {
        ask(0x8000 + 2 * i, 1);
        reply(0x8000 + 2 * i, 1);
        assert_int_equal(exchange.log.last.kind, GW_ANSWERS);
    }
    assert_int_equal(exchange.log.num_relations, 300);
    reply(0x8000, 1);
    assert_int_equal(exchange.log.last.kind, GW_UNTRACKED);
    reply(0x8000 + 2 * 299, 1);
    assert_int_equal(exchange.log.last.kind, GW_DUPLICATE);
    /* Long after, nothing relevant was forgotten. */
    exchange_wait(INT64_C(2) * GIVE_UP_MS);
    reply(0x7000 + 0x8000, 3);
    assert_int_equal(exchange.log.last.kind, GW_UNSOLICITED);
}

/* Cuts the latest message to |cap_len| bytes and feeds it. */
static uint64_t feed_cut(gw_endpoint from, gw_endpoint to, size_t len, uint32_t cap_len)
{
    gw_message m = exchange_message(exchange.bytes, len, from, to);
    m.cap_len = cap_len;
    return exchange_feed(m);
}

static void test_what_the_capture_cut_accuses_nobody(void **state)
{
    gw_eb_operation asked[] = {exchange_read(0x8000, 4, GW_EB_BCA),
                               exchange_read(0x8002, 4, GW_EB_BCA)};
    gw_eb_operation given[] = {exchange_write(0x8000, 4, GW_EB_WCA),
                               exchange_write(0x8002, 4, GW_EB_WCA)};
    size_t len;

    (void)state;
    /* a cut reply: its first record is known by its head, the second may have been there */
    exchange_start();
    exchange_ops(client(), server(), 0x44, asked, 2);
    len = exchange_packet(exchange.bytes, sizeof exchange.bytes, 0x44, NULL, given, 2, true);
    feed_cut(server(), client(), len, 16);
    exchange_stop();
    expect("A1.0>2.0 T1.1", "");

    /* a cut request: the answer to its unseen part is not unsolicited */
    exchange_start();
    len = exchange_packet(exchange.bytes, sizeof exchange.bytes, 0x44, NULL, asked, 2, true);
    feed_cut(client(), server(), len, 16);
    exchange_ops(server(), client(), 0x44, given, 2);
    expect("A1.0>2.0 T>2.1", "");
}

/* ---- time ---- */

static void test_time_never_runs_back(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 1);
    exchange.time_ns -= 500 * MS; /* the reply is stamped before its request */
    reply(0x8000, 1);
    assert_int_equal(exchange.log.last.delta_ns, 0);
    ask(0x8002, 1);
    exchange.time_ns = INT64_MIN;
    reply(0x8002, 1);
    ask(0x8004, 1);
    exchange.time_ns = INT64_MAX - MS;
    reply(0x8004, 1);
    exchange.time_ns = 0;
    ask(0x8006, 1);
    reply(0x8006, 1);
    expect("A1.0>2.0 A3.0>4.0 N5.0 S5.0>6.0 A7.0>8.0", "");
}

/* ---- TCP ---- */

static uint64_t feed_part(gw_endpoint from, gw_endpoint to, uint32_t stream, gw_eb_part part,
                          const gw_eb_operation *op)
{
    gw_eb_builder b;
    gw_message m;

    assert_true(gw_eb_build_records(&b, exchange.bytes, sizeof exchange.bytes, 0x44, NULL));
    if (op != NULL)
        assert_true(gw_eb_build_record(&b, op));
    m = exchange_message(exchange.bytes, gw_eb_build_end(&b, false), from, to);
    m.transport = GW_OVER_TCP;
    m.stream = stream;
    m.part = (uint8_t)part;
    m.part_arg = 0x44;
    return exchange_feed(m);
}

static void test_connections_are_told_apart(void **state)
{
    gw_eb_operation asked = exchange_read(0x8000, 1, GW_EB_BCA),
                    given = exchange_write(0x8000, 1, GW_EB_WCA);

    (void)state;
    exchange_start();
    feed_part(client(), server(), 3, GW_EB_RECORD, &asked);
    feed_part(client(), server(), 4, GW_EB_RECORD, &asked);
    feed_part(server(), client(), 4, GW_EB_RECORD, &given);
    feed_part(server(), client(), 3, GW_EB_RECORD, &given);
    ask(0x8000, 1); /* by UDP, the same ends */
    feed_part(server(), client(), 4, GW_EB_RECORD, &given);
    reply(0x8000, 1);
    expect("A2.0>3.0 A1.0>4.0 D2.0>6.0 A5.0>7.0", "S52");
}

static void test_a_hole_in_a_stream_accuses_nobody(void **state)
{
    gw_eb_operation asked = exchange_read(0x8000, 1, GW_EB_BCA);

    (void)state;
    exchange_start();
    feed_part(client(), server(), 3, GW_EB_RECORD, &asked);
    feed_part(server(), client(), 3, GW_EB_LOST, NULL);
    exchange_stop();
    expect("T1.0", "");
}

/* A header where a record should be: what it seems to read is no request, and the answer to what
 * was asked before may have been lost in it. */
static void test_a_second_header_accuses_nobody(void **state)
{
    uint8_t header[82] = {0x4e, 0x6f, 0x14, 0x11};
    gw_eb_operation asked = exchange_read(0x8000, 1, GW_EB_BCA);
    gw_message m = exchange_message(header, sizeof header, server(), client());

    (void)state;
    exchange_start();
    feed_part(client(), server(), 3, GW_EB_RECORD, &asked);
    m.transport = GW_OVER_TCP;
    m.stream = 3;
    m.part = GW_EB_RECORD;
    m.part_arg = 0x11;
    exchange_feed(m);
    exchange_stop();
    expect("T1.0", "");
}

/* Nor is what follows it what it seems to be: a board that took the header for a record answers
 * that, and not what the cut makes of the rest. Another connection is judged as ever. */
static void test_behind_a_second_header_nobody_is_accused(void **state)
{
    uint8_t header[82] = {0x4e, 0x6f, 0x14, 0x11};
    gw_eb_operation asked = exchange_read(0x8000, 1, GW_EB_BCA),
                    given = exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_CYC);
    gw_message m = exchange_message(header, sizeof header, client(), server());

    (void)state;
    m.transport = GW_OVER_TCP;
    m.part = GW_EB_RECORD;
    m.part_arg = 0x11;
    for (m.stream = 3; m.stream < 5; m.stream++) {
        exchange_start();
        exchange_feed(m);
        feed_part(client(), server(), 3, GW_EB_RECORD, &asked);
        feed_part(client(), server(), 3, GW_EB_RECORD, &asked);
        feed_part(server(), client(), 3, GW_EB_RECORD, &given);
        exchange_stop();
        if (m.stream == 3)
            expect("A2.0>4.0? T3.0", "");
        else
            expect("A2.0>4.0? N3.0", "S20");
    }
}

/* One of two requests may be owed no answer: what is wrong with it for one, and right for the
 * other, is held against nobody. */
static void test_of_two_in_a_stream_either_may_be_meant(void **state)
{
    gw_eb_operation first = exchange_read(0x8000, 1, GW_EB_BCA),
                    second = exchange_read(0x8000, 1, GW_EB_BCA | GW_EB_CYC),
                    given = exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_CYC);

    (void)state;
    exchange_start();
    feed_part(client(), server(), 3, GW_EB_RECORD, &first);
    feed_part(client(), server(), 3, GW_EB_RECORD, &second);
    feed_part(server(), client(), 3, GW_EB_RECORD, &given);
    expect("A1.0>3.0?", "");
    exchange_start(); /* the first was given up, and is answered late */
    feed_part(client(), server(), 3, GW_EB_RECORD, &second);
    exchange_wait(GIVE_UP_MS + 1);
    feed_part(client(), server(), 3, GW_EB_RECORD, &first);
    feed_part(server(), client(), 3, GW_EB_RECORD, &given);
    expect("N1.0 A2.0>3.0?", "S51");
}

/* A stream keeps its order, however long an answer takes. */
static void test_in_a_stream_the_older_is_answered_first(void **state)
{
    gw_eb_operation asked = exchange_read(0x8000, 1, GW_EB_BCA),
                    given = exchange_write(0x8000, 1, GW_EB_WCA);

    (void)state;
    exchange_start();
    feed_part(client(), server(), 3, GW_EB_RECORD, &asked);
    feed_part(server(), client(), 3, GW_EB_RECORD, &given);
    feed_part(client(), server(), 3, GW_EB_RECORD, &asked);
    exchange_wait(50);
    feed_part(client(), server(), 3, GW_EB_RECORD, &asked);
    feed_part(server(), client(), 3, GW_EB_RECORD, &given);
    expect("A1.0>2.0 A3.0>5.0?", "");
}

static void say(bool stream, gw_endpoint from, gw_endpoint to, const gw_eb_operation *op)
{
    if (stream)
        feed_part(from, to, 3, GW_EB_RECORD, op);
    else
        exchange_ops(from, to, 0x44, op, 1);
}

/* What a full table forgets may be what is answered. */
static void test_a_full_table_accuses_nobody(void **state)
{
    (void)state;
    for (unsigned stream = 0; stream < 2; stream++) {
        gw_eb_operation op = exchange_read(0x8000, 1, GW_EB_BCA | GW_EB_CYC),
                        given = exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_CYC);
        exchange_start_in(gw_eb_session.min_size);
        say(stream == 1, client(), server(), &op);
        op.flags = GW_EB_BCA;
        say(stream == 1, client(), server(), &op);
        for (unsigned i = 1; i < 64; i++) {
            op.return_base = 0x8000 + 8 * i;
            say(stream == 1, client(), server(), &op);
        }
        say(stream == 1, server(), client(), &given);
        exchange_wait(GIVE_UP_MS + 1);
        assert_memory_equal(exchange.log.relations, "T1.0 A2.0>66.0 ", 15);
        assert_null(strstr(exchange.log.rules, "S20"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writes_are_no_replies),
        cmocka_unit_test(test_a_reply_to_nothing_is_unsolicited),
        cmocka_unit_test(test_a_read_of_everybody_waits_for_nobody),
        cmocka_unit_test(test_who_sets_nr_wants_no_reply),
        cmocka_unit_test(test_probes_are_paired_by_id),
        cmocka_unit_test(test_a_probe_may_be_answered_from_another_address),
        cmocka_unit_test(test_everybody_answers_a_broadcast),
        cmocka_unit_test(test_a_response_to_no_probe_is_unsolicited),
        cmocka_unit_test(test_a_full_table_says_that_it_lost_track),
        cmocka_unit_test(test_the_answered_make_room),
        cmocka_unit_test(test_what_the_capture_cut_accuses_nobody),
        cmocka_unit_test(test_time_never_runs_back),
        cmocka_unit_test(test_connections_are_told_apart),
        cmocka_unit_test(test_a_hole_in_a_stream_accuses_nobody),
        cmocka_unit_test(test_a_second_header_accuses_nobody),
        cmocka_unit_test(test_behind_a_second_header_nobody_is_accused),
        cmocka_unit_test(test_of_two_in_a_stream_either_may_be_meant),
        cmocka_unit_test(test_in_a_stream_the_older_is_answered_first),
        cmocka_unit_test(test_a_full_table_accuses_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Which reply answers which request, whatever the network did to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "etherbone/testing/conversation.h"
#include "goldwire/format.h"

static void expect(const char *relations, const char *rules)
{
    assert_string_equal(talk.log.relations, relations);
    assert_string_equal(talk.log.rules, rules);
}

static void test_a_reply_answers_its_request(void **state)
{
    (void)state;
    talk_start();
    ask(0x8000, 1);
    reply(0x8000, 1);
    ask(0x8002, 4);
    reply(0x8002, 4);
    expect("A1.0>2.0 A3.0>4.0", "");
    assert_int_equal(talk.log.last.delta_ns, MS);
    talk_stop();
    expect("A1.0>2.0 A3.0>4.0", "");
}

static void test_records_are_paired_one_by_one(void **state)
{
    gw_eb_operation asked[] = {
        talk_read(0x8000, 1, GW_EB_BCA), talk_write(0x100, 2, 0),        talk_empty(0),
        talk_read(0x8002, 3, GW_EB_BCA), talk_read(0x700, 1, GW_EB_CYC),
    };
    gw_eb_operation first[] = {talk_write(0x700, 1, GW_EB_CYC)};
    gw_eb_operation second[] = {talk_write(0x8002, 3, GW_EB_WCA), talk_write(0x8000, 1, GW_EB_WCA)};

    (void)state;
    talk_start();
    talk_ops(client(), server(), 0x44, asked, 5);
    talk_ops(server(), client(), 0x44, first, 1);
    talk_ops(server(), client(), 0x44, second, 2);
    expect("A1.4>2.0 A1.3>3.0 A1.0>3.1", "");
}

/* Told as a relation; a finding only where the capture proves that nothing was lost on the way. */
static void test_a_lost_reply_is_told_when_given_up(void **state)
{
    (void)state;
    talk_start();
    ask(0x8000, 1);
    ask(0x8002, 1);
    reply(0x8002, 1);
    talk_wait(GIVE_UP_MS - 3);
    expect("A2.0>3.0", "");
    talk_wait(2);
    expect("A2.0>3.0 N1.0", "");
}

/* Others are answered in between, so it is not the way that is broken. */
static void test_what_is_never_answered_is_a_finding(void **state)
{
    (void)state;
    talk_start();
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(talk.log.num_findings, 0);
        ask(0x8000, 1);
        ask(0x8002 + 2 * i, 1);
        reply(0x8002 + 2 * i, 1);
        talk_wait(GIVE_UP_MS + 1);
    }
    assert_string_equal(talk.log.rules, "S51");
    assert_int_equal(talk.log.findings[0].frame, 22);
    assert_int_equal(talk.log.findings[0].offset, 7);
    assert_string_equal(talk.log.findings[0].text,
                        "no reply to the reads of this record was seen in 1003.000 ms");
}

/* Nobody answers: a board that is off, or a tap that sees one direction. */
static void test_silence_alone_accuses_nobody(void **state)
{
    (void)state;
    talk_start();
    for (unsigned i = 0; i < 20; i++) {
        ask(0x8000, 1);
        talk_wait(GIVE_UP_MS + 1);
    }
    assert_int_equal(talk.log.by_kind[GW_UNANSWERED], 20);
    assert_string_equal(talk.log.rules, "");
}

/* That is nobody's fault: the answer may have come a moment later. */
static void test_the_end_of_a_capture_tells_who_still_waits(void **state)
{
    (void)state;
    talk_start();
    ask(0x8000, 1);
    probe(client(), server(), 0x44, 7);
    talk_stop();
    expect("N1.0 N2.0", "");
    talk_stop();
    expect("N1.0 N2.0", "");
}

static void test_an_unanswered_packet_is_one_finding(void **state)
{
    gw_eb_operation asked[] = {talk_read(0x8000, 1, GW_EB_BCA), talk_read(0x8002, 1, GW_EB_BCA)};

    (void)state;
    talk_start();
    for (unsigned i = 0; i < 8; i++) {
        talk_ops(client(), server(), 0x44, asked, 2);
        ask(0x8004 + 2 * i, 1);
        reply(0x8004 + 2 * i, 1);
        talk_wait(GIVE_UP_MS + 1);
    }
    assert_int_equal(talk.log.by_kind[GW_UNANSWERED], 16);
    assert_string_equal(talk.log.rules, "S51");
}

static void test_replies_may_come_in_any_order(void **state)
{
    (void)state;
    talk_start();
    ask(0x8000, 1);
    ask(0x8002, 1);
    ask(0x8004, 2);
    reply(0x8004, 2);
    reply(0x8000, 1);
    reply(0x8002, 1);
    expect("A3.0>4.0 A1.0>5.0 A2.0>6.0", "");
}

static void test_a_repeated_reply_is_a_duplicate(void **state)
{
    gw_eb_operation asked[] = {talk_read(0x8000, 1, GW_EB_BCA), talk_read(0x8002, 1, GW_EB_BCA)};
    gw_eb_operation given[] = {talk_write(0x8000, 1, GW_EB_WCA), talk_write(0x8002, 1, GW_EB_WCA)};

    (void)state;
    talk_start();
    talk_ops(client(), server(), 0x44, asked, 2);
    talk_ops(server(), client(), 0x44, given, 2);
    talk_ops(server(), client(), 0x44, given, 2);
    expect("A1.0>2.0 A1.1>2.1 D1.0>3.0 D1.1>3.1", "");
    assert_int_equal(talk.log.last.earlier, 2);
    assert_int_equal(talk.log.last.delta_ns, 2 * MS);
}

/* The network copies some packets, not nearly all of one sender and none of the other. */
static void test_who_answers_everything_twice_is_told(void **state)
{
    (void)state;
    talk_start();
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(talk.log.num_findings, 0);
        ask(0x8000 + 2 * i, 1);
        reply(0x8000 + 2 * i, 1);
        reply(0x8000 + 2 * i, 1);
    }
    assert_string_equal(talk.log.rules, "S52");
    assert_string_equal(talk.log.findings[0].text,
                        "this repeats the answer of frame 23 to frame 22");
    assert_int_equal(talk.log.findings[0].frame, 24);
}

static void test_a_late_reply_is_stale(void **state)
{
    (void)state;
    talk_start();
    ask(0x8000, 1);
    talk_wait(GIVE_UP_MS + 1);
    reply(0x8000, 1);
    reply(0x8000, 1);
    expect("N1.0 S1.0>2.0 D1.0>3.0", "");
    assert_int_equal(talk.log.last.earlier, 2);
}

static void test_equal_keys_are_ambiguous_oldest_first(void **state)
{
    (void)state;
    talk_start();
    ask(0x8000, 1);
    ask(0x8000, 1);
    ask(0x8002, 1);
    reply(0x8000, 1);
    reply(0x8002, 1);
    reply(0x8000, 1);
    expect("A1.0>4.0? A3.0>5.0 A2.0>6.0", "");
}

/* libetherbone sends all results of a cycle to one address: the packet's own order tells them
 * apart. */
static void test_equal_keys_of_one_packet_are_not_ambiguous(void **state)
{
    gw_eb_operation asked[] = {talk_read(0x8000, 1, GW_EB_BCA | GW_EB_RFF), talk_write(0x10, 1, 0),
                               talk_read(0x8000, 1, GW_EB_BCA | GW_EB_RFF)};
    gw_eb_operation given[] = {talk_write(0x8000, 1, GW_EB_WCA | GW_EB_WFF),
                               talk_write(0x8000, 1, GW_EB_WCA | GW_EB_WFF)};

    (void)state;
    talk_start();
    talk_ops(client(), server(), 0x44, asked, 3);
    talk_ops(server(), client(), 0x44, given, 2);
    expect("A1.0>2.0 A1.2>2.1", "");
}

/* The answer may be a late one to the request before. */
static void test_a_retry_is_ambiguous(void **state)
{
    (void)state;
    talk_start();
    ask(0x8000, 1);
    talk_wait(GIVE_UP_MS + 1);
    ask(0x8000, 1);
    reply(0x8000, 1);
    expect("N1.0 A2.0>3.0?", "");
}

static void test_a_return_address_may_be_used_again(void **state)
{
    (void)state;
    talk_start();
    for (unsigned i = 0; i < 3; i++) {
        ask(0x8000, 1);
        reply(0x8000, 1);
    }
    reply(0x8000, 1);
    expect("A1.0>2.0 A3.0>4.0 A5.0>6.0 D5.0>7.0", "");
}

static void test_clients_are_told_apart(void **state)
{
    gw_endpoint other_host = talk_end(OTHER_CLIENT, CLIENT_PORT);
    gw_endpoint other_port = talk_end(CLIENT, CLIENT_PORT + 1);

    (void)state;
    talk_start();
    ask(0x8000, 1);
    talk_ask(other_host, server(), 0x8000, 1);
    talk_ask(other_port, server(), 0x8000, 1);
    talk_reply(server(), other_port, 0x8000, 1);
    talk_reply(server(), other_host, 0x8000, 1);
    reply(0x8000, 1);
    expect("A3.0>4.0 A2.0>5.0 A1.0>6.0", "");
}

/* A duplicate for one client must not answer another one's request. */
static void test_a_duplicate_goes_to_its_own_client(void **state)
{
    (void)state;
    talk_start();
    ask(0x8000, 1);
    reply(0x8000, 1);
    talk_ask(talk_end(CLIENT, CLIENT_PORT + 1), server(), 0x8000, 1);
    reply(0x8000, 1);
    expect("A1.0>2.0 D1.0>4.0", "");
}

/* Boards behind one address: the port that was asked answers first. */
static void test_servers_are_told_apart(void **state)
{
    gw_endpoint second = talk_end(SERVER, SERVICE_PORT + 1);

    (void)state;
    talk_start();
    ask(0x8000, 1);
    talk_ask(client(), second, 0x8000, 1);
    talk_reply(second, client(), 0x8000, 1);
    reply(0x8000, 1);
    expect("A2.0>3.0 A1.0>4.0", "");
}

static void test_bus_and_config_space_are_two_places(void **state)
{
    gw_eb_operation bus = talk_read(0x8000, 1, GW_EB_CYC),
                    result = talk_write(0x8000, 1, GW_EB_CYC);

    (void)state;
    talk_start();
    ask(0x8000, 1);
    talk_ops(client(), server(), 0x44, &bus, 1);
    talk_ops(server(), client(), 0x44, &result, 1);
    reply(0x8000, 1);
    expect("A2.0>3.0 A1.0>4.0", "");
}

static void test_zero_filled_replies_are_paired(void **state)
{
    /* W2, R1 | W1+R2 | R1 | W1: zeros wherever the request wrote */
    gw_eb_operation asked[] = {
        talk_write(0x10, 2, 0),          talk_read(0x8000, 1, GW_EB_BCA),
        talk_read(0x8002, 2, GW_EB_BCA), talk_read(0x8004, 1, GW_EB_BCA),
        talk_write(0x20, 1, GW_EB_CYC),
    };
    gw_eb_operation none = talk_empty(0), last = talk_empty(GW_EB_CYC);
    gw_eb_operation given[] = {
        none,
        none,
        none,
        none,
        talk_write(0x8000, 1, GW_EB_WCA),
        none,
        none,
        talk_write(0x8002, 2, GW_EB_WCA),
        talk_write(0x8004, 1, GW_EB_WCA),
        none,
        none,
        last,
    };

    (void)state;
    asked[2].num_writes = 1;
    asked[2].writes = asked[0].writes;
    given[3].byte_enable = last.byte_enable = 0x0f;
    talk_start();
    talk_ops(client(), server(), 0x44, asked, 5);
    talk_ops(server(), client(), 0x44, given, 12);
    expect("A1.1>2.4 A1.2>2.7 A1.3>2.8", "");
}

static void test_several_datagrams_may_answer_one(void **state)
{
    gw_eb_operation asked[] = {talk_read(0x8000, 1, GW_EB_BCA), talk_read(0x8002, 1, GW_EB_BCA)};

    (void)state;
    talk_start();
    talk_ops(client(), server(), 0x44, asked, 2);
    for (unsigned i = 0; i < 2; i++) {
        gw_eb_operation given = talk_write(0x8000 + 2 * i, 1, GW_EB_WCA);
        talk_ops(server(), client(), 0x44, &given, 1);
    }
    expect("A1.0>2.0 A1.1>3.0", "");
}

/* ---- what is no conversation ---- */

static void test_writes_are_no_replies(void **state)
{
    gw_endpoint sender = talk_end(7, SERVICE_PORT),
                all = {.ip = {255, 255, 255, 255}, .port = SERVICE_PORT, .family = GW_FAMILY_IPV4};
    gw_eb_operation event = talk_write(0x7ffffff0, 8, GW_EB_CYC | GW_EB_WFF);
    gw_eb_operation write = talk_write(0x100, 4, GW_EB_CYC);

    (void)state;
    talk_start();
    ask(0x8000, 1);
    for (unsigned i = 0; i < 100; i++)
        talk_ops(sender, all, 0x44, &event, 1);
    talk_ops(client(), server(), 0x44, &write, 1);
    talk_ops(talk_end(5, 5000), talk_end(6, 6000), 0x44, &write, 1);
    reply(0x8000, 1);
    expect("A1.0>104.0", "");
}

static void test_a_reply_to_nothing_is_unsolicited(void **state)
{
    gw_eb_operation bus = talk_write(0x700, 1, GW_EB_CYC);

    (void)state;
    talk_start();
    reply(0x8000, 1);
    talk_ops(server(), client(), 0x44, &bus, 1);
    /* into the return area it is a reply from any port */
    talk_reply(talk_end(5, 5000), talk_end(6, 6000), 0x8000, 1);
    expect("U>1.0 U>2.0 U>3.0", "");
}

static void test_a_read_of_everybody_waits_for_nobody(void **state)
{
    gw_endpoint all = {.ip = {255, 255, 255, 255}, .port = SERVICE_PORT, .family = GW_FAMILY_IPV4};

    (void)state;
    talk_start();
    talk_ask(client(), all, 0x8000, 1);
    talk_stop();
    expect("", "");
}

static void test_who_sets_nr_wants_no_reply(void **state)
{
    static const uint8_t bytes[] = {0x4e, 0x6f, 0x14, 0x44, 0x88, 0x0f, 0, 1,
                                    0,    0,    0x80, 0,    0,    0,    0, 0x40};

    (void)state;
    talk_start();
    talk_bytes(client(), server(), bytes, sizeof bytes);
    talk_bytes(client(), server(), bytes, sizeof bytes);
    reply(0x8000, 1);
    talk_stop();
    expect("A1.0>3.0? N2.0", "");
}

/* ---- probes ---- */

static void test_probes_are_paired_by_id(void **state)
{
    (void)state;
    talk_start();
    probe(client(), server(), 0x44, 7);
    probe(client(), server(), 0x44, 8);
    probe_response(server(), client(), 0xff, 8);
    probe_response(server(), client(), 0xff, 7);
    probe_response(server(), client(), 0xff, 7);
    expect("A2.0>3.0 A1.0>4.0 D1.0>5.0", "");
    talk_stop();
    expect("A2.0>3.0 A1.0>4.0 D1.0>5.0", "");
}

static void test_a_probe_may_be_answered_from_another_address(void **state)
{
    (void)state;
    talk_start();
    probe(client(), server(), 0x44, 7);
    probe_response(talk_end(SERVER + 1, SERVICE_PORT), client(), 0xff, 7);
    probe_response(talk_end(SERVER + 1, SERVICE_PORT), client(), 0xff, 7);
    expect("A1.0>2.0 D1.0>3.0", "");
}

static void test_everybody_answers_a_broadcast(void **state)
{
    gw_endpoint all = {.ip = {255, 255, 255, 255}, .port = SERVICE_PORT, .family = GW_FAMILY_IPV4};

    (void)state;
    talk_start();
    probe(client(), all, 0xff, 0);
    for (uint8_t host = 20; host < 24; host++)
        probe_response(talk_end(host, SERVICE_PORT), client(), 0xff, 0);
    probe_response(talk_end(21, SERVICE_PORT), client(), 0xff, 0);
    probe(client(), all, 0xff, 1);
    talk_wait(GIVE_UP_MS + 1);
    probe_response(talk_end(21, SERVICE_PORT), client(), 0xff, 1);
    expect("A1.0>2.0 A1.0>3.0 A1.0>4.0 A1.0>5.0 D1.0>6.0 N7.0 S7.0>8.0", "");
}

static void test_a_response_to_no_probe_is_unsolicited(void **state)
{
    (void)state;
    talk_start();
    probe_response(server(), client(), 0xff, 7);
    expect("U>1.0", "");
}

/* ---- what cannot be told ---- */

static void test_a_full_table_says_that_it_lost_track(void **state)
{
    unsigned asked = 0;

    (void)state;
    talk_start_in(gw_eb_session.min_size);
    while (talk.log.num_relations == 0 && asked < 1000)
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
    talk_start_in(gw_eb_session.min_size);
    for (unsigned i = 0; i < 300; i++) {
        ask(0x8000 + 2 * i, 1);
        reply(0x8000 + 2 * i, 1);
        assert_int_equal(talk.log.last.kind, GW_ANSWERS);
    }
    assert_int_equal(talk.log.num_relations, 300);
    reply(0x8000, 1);
    assert_int_equal(talk.log.last.kind, GW_UNTRACKED);
    reply(0x8000 + 2 * 299, 1);
    assert_int_equal(talk.log.last.kind, GW_DUPLICATE);
    /* Long after, nothing relevant was forgotten. */
    talk_wait(INT64_C(2) * GIVE_UP_MS);
    reply(0x7000 + 0x8000, 3);
    assert_int_equal(talk.log.last.kind, GW_UNSOLICITED);
}

/* Cuts the latest message to |cap_len| bytes and feeds it. */
static uint64_t feed_cut(gw_endpoint from, gw_endpoint to, size_t len, uint32_t cap_len)
{
    gw_message m = talk_message(talk.bytes, len, from, to);
    m.cap_len = cap_len;
    return talk_feed(m);
}

static void test_what_the_capture_cut_accuses_nobody(void **state)
{
    gw_eb_operation asked[] = {talk_read(0x8000, 4, GW_EB_BCA), talk_read(0x8002, 4, GW_EB_BCA)};
    gw_eb_operation given[] = {talk_write(0x8000, 4, GW_EB_WCA), talk_write(0x8002, 4, GW_EB_WCA)};
    size_t len;

    (void)state;
    /* a cut reply: its first record is known by its head, the second may have been there */
    talk_start();
    talk_ops(client(), server(), 0x44, asked, 2);
    len = talk_packet(talk.bytes, sizeof talk.bytes, 0x44, NULL, given, 2, true);
    feed_cut(server(), client(), len, 16);
    talk_stop();
    expect("A1.0>2.0 T1.1", "");

    /* a cut request: the answer to its unseen part is not unsolicited */
    talk_start();
    len = talk_packet(talk.bytes, sizeof talk.bytes, 0x44, NULL, asked, 2, true);
    feed_cut(client(), server(), len, 16);
    talk_ops(server(), client(), 0x44, given, 2);
    expect("A1.0>2.0 T>2.1", "");
}

/* ---- time ---- */

static void test_time_never_runs_back(void **state)
{
    (void)state;
    talk_start();
    ask(0x8000, 1);
    talk.time_ns -= 500 * MS; /* the reply is stamped before its request */
    reply(0x8000, 1);
    assert_int_equal(talk.log.last.delta_ns, 0);
    ask(0x8002, 1);
    talk.time_ns = INT64_MIN;
    reply(0x8002, 1);
    ask(0x8004, 1);
    talk.time_ns = INT64_MAX - MS;
    reply(0x8004, 1);
    talk.time_ns = 0;
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

    assert_true(gw_eb_build_records(&b, talk.bytes, sizeof talk.bytes, 0x44, NULL));
    if (op != NULL)
        assert_true(gw_eb_build_record(&b, op));
    m = talk_message(talk.bytes, gw_eb_build_end(&b, false), from, to);
    m.transport = GW_OVER_TCP;
    m.stream = stream;
    m.part = (uint8_t)part;
    m.part_arg = 0x44;
    return talk_feed(m);
}

static void test_connections_are_told_apart(void **state)
{
    gw_eb_operation asked = talk_read(0x8000, 1, GW_EB_BCA),
                    given = talk_write(0x8000, 1, GW_EB_WCA);

    (void)state;
    talk_start();
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
    gw_eb_operation asked = talk_read(0x8000, 1, GW_EB_BCA);

    (void)state;
    talk_start();
    feed_part(client(), server(), 3, GW_EB_RECORD, &asked);
    feed_part(server(), client(), 3, GW_EB_LOST, NULL);
    talk_stop();
    expect("T1.0", "");
}

/* A header where a record should be: what it seems to read is no request, and the answer to what
 * was asked before may have been lost in it. */
static void test_a_second_header_accuses_nobody(void **state)
{
    uint8_t header[82] = {0x4e, 0x6f, 0x14, 0x11};
    gw_eb_operation asked = talk_read(0x8000, 1, GW_EB_BCA);
    gw_message m = talk_message(header, sizeof header, server(), client());

    (void)state;
    talk_start();
    feed_part(client(), server(), 3, GW_EB_RECORD, &asked);
    m.transport = GW_OVER_TCP;
    m.stream = 3;
    m.part = GW_EB_RECORD;
    m.part_arg = 0x11;
    talk_feed(m);
    talk_stop();
    expect("T1.0", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_reply_answers_its_request),
        cmocka_unit_test(test_records_are_paired_one_by_one),
        cmocka_unit_test(test_a_lost_reply_is_told_when_given_up),
        cmocka_unit_test(test_what_is_never_answered_is_a_finding),
        cmocka_unit_test(test_silence_alone_accuses_nobody),
        cmocka_unit_test(test_the_end_of_a_capture_tells_who_still_waits),
        cmocka_unit_test(test_an_unanswered_packet_is_one_finding),
        cmocka_unit_test(test_replies_may_come_in_any_order),
        cmocka_unit_test(test_a_repeated_reply_is_a_duplicate),
        cmocka_unit_test(test_who_answers_everything_twice_is_told),
        cmocka_unit_test(test_a_late_reply_is_stale),
        cmocka_unit_test(test_equal_keys_are_ambiguous_oldest_first),
        cmocka_unit_test(test_equal_keys_of_one_packet_are_not_ambiguous),
        cmocka_unit_test(test_a_retry_is_ambiguous),
        cmocka_unit_test(test_a_return_address_may_be_used_again),
        cmocka_unit_test(test_clients_are_told_apart),
        cmocka_unit_test(test_a_duplicate_goes_to_its_own_client),
        cmocka_unit_test(test_servers_are_told_apart),
        cmocka_unit_test(test_bus_and_config_space_are_two_places),
        cmocka_unit_test(test_zero_filled_replies_are_paired),
        cmocka_unit_test(test_several_datagrams_may_answer_one),
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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
    assert_string_equal(exchange.log.relations, relations);
    assert_string_equal(exchange.log.rules, rules);
}

static void test_a_reply_answers_its_request(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 1);
    reply(0x8000, 1);
    ask(0x8002, 4);
    reply(0x8002, 4);
    expect("A1.0>2.0 A3.0>4.0", "");
    assert_int_equal(exchange.log.last.delta_ns, MS);
    exchange_stop();
    expect("A1.0>2.0 A3.0>4.0", "");
}

static void test_records_are_paired_one_by_one(void **state)
{
    gw_eb_operation asked[] = {
        exchange_read(0x8000, 1, GW_EB_BCA), exchange_write(0x100, 2, 0),        exchange_empty(0),
        exchange_read(0x8002, 3, GW_EB_BCA), exchange_read(0x700, 1, GW_EB_CYC),
    };
    gw_eb_operation first[] = {exchange_write(0x700, 1, GW_EB_CYC)};
    gw_eb_operation second[] = {exchange_write(0x8002, 3, GW_EB_WCA),
                                exchange_write(0x8000, 1, GW_EB_WCA)};

    (void)state;
    exchange_start();
    exchange_ops(client(), server(), 0x44, asked, 5);
    exchange_ops(server(), client(), 0x44, first, 1);
    exchange_ops(server(), client(), 0x44, second, 2);
    expect("A1.4>2.0 A1.3>3.0 A1.0>3.1", "");
}

/* One word at one return address, by the width of its port, in the lanes of one less than that. */
static void of_width(unsigned i, bool answer)
{
    static const uint8_t widths[] = {0x11, 0x12, 0x14, 0x18, 0x21, 0x22, 0x24, 0x28};
    static const uint8_t lanes[] = {0x01, 0x03, 0x0f, 0xff};
    gw_eb_operation op = answer ? exchange_write(0x40, 1, GW_EB_WCA | GW_EB_CYC)
                                : exchange_read(0x40, 1, GW_EB_BCA | GW_EB_CYC);

    op.byte_enable = lanes[i % 4];
    (void)exchange_ops(answer ? server() : client(), answer ? client() : server(), widths[i], &op,
                       1);
}

/* The path's copy of the first answer takes the second one's place, and so on: each looks wrong and
 * is just what was asked for before. */
static void test_a_copy_shifts_no_pair(void **state)
{
    (void)state;
    exchange_start();
    for (unsigned i = 0; i < 8; i++) {
        of_width(i, false);
        of_width(i > 0 ? i - 1 : 0, true);
    }
    exchange_stop();
    assert_string_equal(exchange.log.rules, "");
    exchange_start();
    of_width(0, false);
    of_width(0, true);
    of_width(1, false);
    of_width(2, true); /* nobody has asked for that */
    exchange_stop();
    assert_string_equal(exchange.log.rules, "S21 S11 S25");
}

/* Told as a relation; a finding only where the capture proves that nothing was lost on the way. */
static void test_a_lost_reply_is_told_when_given_up(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 1);
    ask(0x8002, 1);
    reply(0x8002, 1);
    exchange_wait(GIVE_UP_MS - 3);
    expect("A2.0>3.0", "");
    exchange_wait(2);
    expect("A2.0>3.0 N1.0", "");
}

/* Others are answered in between, so it is not the way that is broken. */
static void test_what_is_never_answered_is_a_finding(void **state)
{
    (void)state;
    exchange_start();
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(exchange.log.num_findings, 0);
        ask(0x8000, 1);
        ask(0x8002 + 2 * i, 1);
        reply(0x8002 + 2 * i, 1);
        exchange_wait(GIVE_UP_MS + 1);
    }
    assert_string_equal(exchange.log.rules, "S51");
    assert_int_equal(exchange.log.findings[0].frame, 22);
    assert_int_equal(exchange.log.findings[0].offset, 7);
    assert_string_equal(exchange.log.findings[0].text,
                        "no reply to the reads of this record was seen in 1003.000 ms");
}

/* Nobody answers: a board that is off, or a tap that sees one direction. */
static void test_silence_alone_accuses_nobody(void **state)
{
    (void)state;
    exchange_start();
    for (unsigned i = 0; i < 20; i++) {
        ask(0x8000, 1);
        exchange_wait(GIVE_UP_MS + 1);
    }
    assert_int_equal(exchange.log.by_kind[GW_UNANSWERED], 20);
    assert_string_equal(exchange.log.rules, "");
}

/* That is nobody's fault: the answer may have come a moment later. */
static void test_the_end_of_a_capture_tells_who_still_waits(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 1);
    probe(client(), server(), 0x44, 7);
    exchange_stop();
    expect("N1.0 N2.0", "");
    exchange_stop();
    expect("N1.0 N2.0", "");
}

static void test_an_unanswered_packet_is_one_finding(void **state)
{
    gw_eb_operation asked[] = {exchange_read(0x8000, 1, GW_EB_BCA),
                               exchange_read(0x8002, 1, GW_EB_BCA)};

    (void)state;
    exchange_start();
    for (unsigned i = 0; i < 8; i++) {
        exchange_ops(client(), server(), 0x44, asked, 2);
        ask(0x8004 + 2 * i, 1);
        reply(0x8004 + 2 * i, 1);
        exchange_wait(GIVE_UP_MS + 1);
    }
    assert_int_equal(exchange.log.by_kind[GW_UNANSWERED], 16);
    assert_string_equal(exchange.log.rules, "S51");
}

static void test_replies_may_come_in_any_order(void **state)
{
    (void)state;
    exchange_start();
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
    gw_eb_operation asked[] = {exchange_read(0x8000, 1, GW_EB_BCA),
                               exchange_read(0x8002, 1, GW_EB_BCA)};
    gw_eb_operation given[] = {exchange_write(0x8000, 1, GW_EB_WCA),
                               exchange_write(0x8002, 1, GW_EB_WCA)};

    (void)state;
    exchange_start();
    exchange_ops(client(), server(), 0x44, asked, 2);
    exchange_ops(server(), client(), 0x44, given, 2);
    exchange_ops(server(), client(), 0x44, given, 2);
    expect("A1.0>2.0 A1.1>2.1 D1.0>3.0 D1.1>3.1", "");
    assert_int_equal(exchange.log.last.earlier, 2);
    assert_int_equal(exchange.log.last.delta_ns, 2 * MS);
}

/* The network copies some packets, not nearly all of one sender and none of the other. */
static void test_who_answers_everything_twice_is_told(void **state)
{
    (void)state;
    exchange_start();
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(exchange.log.num_findings, 0);
        ask(0x8000 + 2 * i, 1);
        reply(0x8000 + 2 * i, 1);
        reply(0x8000 + 2 * i, 1);
    }
    assert_string_equal(exchange.log.rules, "S52");
    assert_string_equal(exchange.log.findings[0].text,
                        "this repeats the answer of frame 47 to frame 46");
    assert_int_equal(exchange.log.findings[0].frame, 48);
}

static void test_an_answer_of_two_records_that_comes_twice_counts_once(void **state)
{
    gw_eb_operation asked[] = {exchange_read(0x8000, 1, GW_EB_BCA),
                               exchange_read(0x9000, 1, GW_EB_BCA)},
                    given[] = {exchange_write(0x8000, 1, GW_EB_WCA),
                               exchange_write(0x9000, 1, GW_EB_WCA)};

    (void)state;
    exchange_start();
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(exchange.log.num_findings, 0);
        for (unsigned k = 0; k < 2; k++)
            asked[k].return_base = given[k].write_base = 0x8000 + 0x1000 * k + 2 * i;
        exchange_ops(client(), server(), 0x44, asked, 2);
        exchange_ops(server(), client(), 0x44, given, 2);
        exchange_ops(server(), client(), 0x44, given, 2);
    }
    assert_string_equal(exchange.log.rules, "S52"); /* once a message */
}

/* A path that copies requests and answers brings some answers many times, and others once. */
static void test_an_answer_that_comes_many_times_counts_once(void **state)
{
    (void)state;
    exchange_start();
    for (unsigned i = 0; i < 60; i++) {
        ask(0x8000 + 2 * i, 1);
        for (unsigned copies = i % 3 == 0 ? 4 : 1; copies > 0; copies--)
            reply(0x8000 + 2 * i, 1);
    }
    assert_string_equal(exchange.log.rules, "");
}

static void test_a_late_reply_is_stale(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 1);
    exchange_wait(GIVE_UP_MS + 1);
    reply(0x8000, 1);
    reply(0x8000, 1);
    expect("N1.0 S1.0>2.0 D1.0>3.0", "");
    assert_int_equal(exchange.log.last.earlier, 2);
}

static void test_equal_keys_are_ambiguous_oldest_first(void **state)
{
    (void)state;
    exchange_start();
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
    gw_eb_operation asked[] = {exchange_read(0x8000, 1, GW_EB_BCA | GW_EB_RFF),
                               exchange_write(0x10, 1, 0),
                               exchange_read(0x8000, 1, GW_EB_BCA | GW_EB_RFF)};
    gw_eb_operation given[] = {exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_WFF),
                               exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_WFF)};

    (void)state;
    exchange_start();
    exchange_ops(client(), server(), 0x44, asked, 3);
    exchange_ops(server(), client(), 0x44, given, 2);
    expect("A1.0>2.0 A1.2>2.1", "");
}

/* The answer may be a late one to the request before. */
static void test_a_retry_is_ambiguous(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 1);
    exchange_wait(GIVE_UP_MS + 1);
    ask(0x8000, 1);
    reply(0x8000, 1);
    expect("N1.0 A2.0>3.0?", "");
}

static void test_a_return_address_may_be_used_again(void **state)
{
    (void)state;
    exchange_start();
    for (unsigned i = 0; i < 3; i++) {
        ask(0x8000, 1);
        reply(0x8000, 1);
    }
    reply(0x8000, 1);
    expect("A1.0>2.0 A3.0>4.0 A5.0>6.0 D5.0>7.0", "");
}

static void test_clients_are_told_apart(void **state)
{
    gw_endpoint other_host = exchange_end(OTHER_CLIENT, CLIENT_PORT);
    gw_endpoint other_port = exchange_end(CLIENT, CLIENT_PORT + 1);

    (void)state;
    exchange_start();
    ask(0x8000, 1);
    exchange_ask(other_host, server(), 0x8000, 1);
    exchange_ask(other_port, server(), 0x8000, 1);
    exchange_reply(server(), other_port, 0x8000, 1);
    exchange_reply(server(), other_host, 0x8000, 1);
    reply(0x8000, 1);
    expect("A3.0>4.0 A2.0>5.0 A1.0>6.0", "");
}

/* A duplicate for one client must not answer another one's request. */
static void test_a_duplicate_goes_to_its_own_client(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 1);
    reply(0x8000, 1);
    exchange_ask(exchange_end(CLIENT, CLIENT_PORT + 1), server(), 0x8000, 1);
    reply(0x8000, 1);
    expect("A1.0>2.0 D1.0>4.0", "");
}

/* Boards behind one address: the port that was asked answers first. */
static void test_servers_are_told_apart(void **state)
{
    gw_endpoint second = exchange_end(SERVER, SERVICE_PORT + 1);

    (void)state;
    exchange_start();
    ask(0x8000, 1);
    exchange_ask(client(), second, 0x8000, 1);
    exchange_reply(second, client(), 0x8000, 1);
    reply(0x8000, 1);
    expect("A2.0>3.0 A1.0>4.0", "");
}

static void test_bus_and_config_space_are_two_places(void **state)
{
    gw_eb_operation bus = exchange_read(0x8000, 1, GW_EB_CYC),
                    result = exchange_write(0x8000, 1, GW_EB_CYC);

    (void)state;
    exchange_start();
    ask(0x8000, 1);
    exchange_ops(client(), server(), 0x44, &bus, 1);
    exchange_ops(server(), client(), 0x44, &result, 1);
    reply(0x8000, 1);
    expect("A2.0>3.0 A1.0>4.0", "");
}

static void test_zero_filled_replies_are_paired(void **state)
{
    /* W2, R1 | W1+R2 | R1 | W1: zeros wherever the request wrote */
    gw_eb_operation asked[] = {
        exchange_write(0x10, 2, 0),          exchange_read(0x8000, 1, GW_EB_BCA),
        exchange_read(0x8002, 2, GW_EB_BCA), exchange_read(0x8004, 1, GW_EB_BCA),
        exchange_write(0x20, 1, GW_EB_CYC),
    };
    gw_eb_operation none = exchange_empty(0), last = exchange_empty(GW_EB_CYC);
    gw_eb_operation given[] = {
        none,
        none,
        none,
        none,
        exchange_write(0x8000, 1, GW_EB_WCA),
        none,
        none,
        exchange_write(0x8002, 2, GW_EB_WCA),
        exchange_write(0x8004, 1, GW_EB_WCA),
        none,
        none,
        last,
    };

    (void)state;
    asked[2].num_writes = 1;
    asked[2].writes = asked[0].writes;
    given[3].byte_enable = last.byte_enable = 0x0f;
    exchange_start();
    exchange_ops(client(), server(), 0x44, asked, 5);
    exchange_ops(server(), client(), 0x44, given, 12);
    expect("A1.1>2.4 A1.2>2.7 A1.3>2.8", "");
}

static void test_several_datagrams_may_answer_one(void **state)
{
    gw_eb_operation asked[] = {exchange_read(0x8000, 1, GW_EB_BCA),
                               exchange_read(0x8002, 1, GW_EB_BCA)};

    (void)state;
    exchange_start();
    exchange_ops(client(), server(), 0x44, asked, 2);
    for (unsigned i = 0; i < 2; i++) {
        gw_eb_operation given = exchange_write(0x8000 + 2 * i, 1, GW_EB_WCA);
        exchange_ops(server(), client(), 0x44, &given, 1);
    }
    expect("A1.0>2.0 A1.1>3.0", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_reply_answers_its_request),
        cmocka_unit_test(test_records_are_paired_one_by_one),
        cmocka_unit_test(test_a_copy_shifts_no_pair),
        cmocka_unit_test(test_a_lost_reply_is_told_when_given_up),
        cmocka_unit_test(test_what_is_never_answered_is_a_finding),
        cmocka_unit_test(test_silence_alone_accuses_nobody),
        cmocka_unit_test(test_the_end_of_a_capture_tells_who_still_waits),
        cmocka_unit_test(test_an_unanswered_packet_is_one_finding),
        cmocka_unit_test(test_replies_may_come_in_any_order),
        cmocka_unit_test(test_a_repeated_reply_is_a_duplicate),
        cmocka_unit_test(test_who_answers_everything_twice_is_told),
        cmocka_unit_test(test_an_answer_of_two_records_that_comes_twice_counts_once),
        cmocka_unit_test(test_an_answer_that_comes_many_times_counts_once),
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

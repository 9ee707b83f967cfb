/* SPDX-License-Identifier: BSD-2-Clause */
/* Transactions of SCI: each rule broken once, and kept by good traffic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "l1farm/session.h"
#include "l1farm/testing/exchange.h"
#include "l1farm/testing/frames.h"

/* A readsb from node 4 to node 0x10 with transaction ID 1, its echo, its response and that one's.
 */
#define READ L1_SEND_RECORD "0010000f 00040001 00001000 0340 94cd"
#define READ_ECHO L1_ECHO_RECORD "00040101 0010 0000"
#define READ_BUSY L1_ECHO_RECORD "00040181 0010 0000"
#define ANSWER L1_SEND_RECORD "00040020 00100001 00000000 0000 " L1_RESULT_IMAGE "0000"
#define ANSWER_ECHO L1_ECHO_RECORD "00100141 0004 0000"
#define SCI(hex) send(&t, GW_L1_SCI, hex)

static void transactions_are_followed(void **state)
{
    exchange t = begin("strict");

    (void)state;
    SCI(READ);
    SCI(READ_ECHO);
    SCI(ANSWER);
    SCI(ANSWER_ECHO);
    SCI(READ); /* the ID is free again */
    SCI(READ_BUSY);
    SCI(READ); /* asked for again */
    SCI(READ_ECHO);
    SCI(ANSWER);
    SCI(ANSWER_ECHO);
    assert_ends(&t, "");
    assert_string_equal(t.v.relations, "3 answers 1; 9 answers 5; ");
}

/* A response has the transaction ID of who asked, whatever its own node asks for by that. */
static void both_ends_may_use_one_transaction_id(void **state)
{
    exchange t = begin("strict");

    (void)state;
    SCI(READ);
    SCI(L1_SEND_RECORD "0004000f 00100001 00001000 0340 0000"); /* the other way */
    SCI(READ_ECHO);
    SCI(L1_ECHO_RECORD "00100101 0004 0000");
    SCI(ANSWER);
    SCI(L1_SEND_RECORD "00100020 00040001 00000000 0000 " L1_RESULT_IMAGE "0000");
    SCI(ANSWER_ECHO);
    SCI(L1_ECHO_RECORD "00040141 0010 0000");
    gw_l1_session.advance(memory, t.now + GIVE_UP + 1, &t.v.sink);
    assert_ends(&t, "");
    assert_string_equal(t.v.relations, "5 answers 1; 6 answers 2; ");
}

/* Clocks of a trace, flag and symbol: the echo, and the beginning of another. */
static void traced_packets_count_as_well(void **state)
{
    exchange t = begin("strict");

    (void)state;
    SCI(READ);
    send(&t, GW_L1_TRACE, "00ff00 010004 010101 010010 000000 00ff00 010004 010101");
    SCI(ANSWER);
    SCI(ANSWER_ECHO);
    assert_ends(&t, "");
    assert_string_equal(t.v.relations, "3 answers 1; ");
}

static void transaction_ids_are_used_again(void **state)
{
    exchange t = begin("strict");

    (void)state;
    SCI(READ);
    SCI(READ_ECHO);
    SCI(READ);
    assert_ends(&t, "S05");
    assert_string_equal(t.v.relations, "0 unanswered 1; 0 unanswered 3; ");
}

static void echoes_are_missing_or_too_many(void **state)
{
    exchange t = begin("strict");

    (void)state;
    SCI(READ_ECHO);
    SCI(READ);
    SCI(READ_ECHO);
    SCI(READ_ECHO);
    assert_ends(&t, "S06");
    assert_string_equal(t.v.relations, "1 unsolicited 0; 0 unanswered 2; ");
    t = begin("strict");
    SCI(READ);
    gw_l1_session.advance(memory, t.now + GIVE_UP + 1, &t.v.sink);
    assert_ends(&t, "S06");
}

static void responses_are_missing_or_too_many(void **state)
{
    exchange t = begin("strict");

    (void)state;
    SCI(READ);
    SCI(READ_ECHO);
    SCI(ANSWER);
    SCI(ANSWER_ECHO);
    SCI(ANSWER);
    assert_string_equal(t.v.rules, "S07");
    t = begin("strict");
    SCI(READ);
    SCI(READ_ECHO);
    gw_l1_session.advance(memory, t.now + GIVE_UP + 1, &t.v.sink);
    assert_ends(&t, "S07");
}

static void stale_packets_come_round(void **state)
{
    exchange t = begin("strict");

    (void)state;
    SCI(READ);
    SCI(L1_SEND_RECORD "0010020f 00040001 00001000 0340 94cd"); /* marked by the scrubber */
    assert_string_equal(t.v.rules, "");
    SCI(L1_SEND_RECORD "0010020f 00040001 00001000 0340 94cd");
    assert_ends(&t, "S10");
}

static void full_tables_are_told(void **state)
{
    verdicts v = no_verdicts();
    size_t size = gw_l1_session.min_size;

    (void)state;
    assert_false(gw_l1_session.init(memory, size - 1, 1));
    assert_uint_in_range(size, 1, sizeof memory);
    assert_true(gw_l1_session.init(memory, size, 1000000000));
    for (unsigned i = 0; i <= L1_SENDS; i++) {
        uint8_t bytes[64];
        gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, READ));
        m.part = GW_L1_SCI;
        m.frame = i + 1;
        bytes[8] = (uint8_t)(i + 1); /* another source */
        gw_l1_session.feed(memory, &m, NULL, &v.sink);
    }
    assert_string_equal(v.relations, "0 untracked 1; ");
}

/* The |number|th packet of a command that gets no response, of five nodes in turn, or its echo. */
static void feed_number(verdicts *v, unsigned number, bool echo)
{
    uint8_t bytes[64];
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, echo ? READ_ECHO : READ));
    const uint8_t tid = (uint8_t)(number / 5 % GW_L1_TID);

    m.part = GW_L1_SCI;
    m.frame = echo ? 1000 + number : number;
    bytes[echo ? 4 : 8] = (uint8_t)(number % 5);
    bytes[echo ? 7 : 11] = tid;
    if (!echo)
        bytes[7] = 0x40;
    gw_l1_session.feed(memory, &m, NULL, &v->sink);
}

/* Each packet's echo finds it, however often the table was full; what has left it is not found. */
static void packets_are_found_in_a_table_that_is_full(void **state)
{
    verdicts v = no_verdicts();

    (void)state;
    memset(memory, 0xee, sizeof memory);
    assert_true(gw_l1_session.init(memory, gw_l1_session.min_size, 1000000000));
    for (unsigned number = 1; number <= 900; number++) {
        feed_number(&v, number, false);
        if (number >= 20)
            feed_number(&v, number - 19, true);
    }
    assert_string_equal(v.rules, "");
    assert_string_equal(v.relations, "");
    feed_number(&v, 900 - L1_SENDS + 1, true);
    assert_string_equal(v.rules, "S06"); /* it was echoed before */
    feed_number(&v, 900 - L1_SENDS, true);
    assert_string_equal(v.relations, "1836 unsolicited 0; ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transactions_are_followed),
        cmocka_unit_test(both_ends_may_use_one_transaction_id),
        cmocka_unit_test(traced_packets_count_as_well),
        cmocka_unit_test(transaction_ids_are_used_again),
        cmocka_unit_test(echoes_are_missing_or_too_many),
        cmocka_unit_test(responses_are_missing_or_too_many),
        cmocka_unit_test(stale_packets_come_round),
        cmocka_unit_test(full_tables_are_told),
        cmocka_unit_test(packets_are_found_in_a_table_that_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

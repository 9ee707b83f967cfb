/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules that a conversation shows: each broken once, and what lost packets must not accuse. */
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

static void expect_text(uint64_t frame, uint64_t revealed_by, uint32_t offset, const char *field,
                        const char *text)
{
    assert_string_equal(exchange.log.findings[0].text, text);
    assert_int_equal(exchange.log.findings[0].frame, frame);
    assert_int_equal(exchange.log.findings[0].revealed_by, revealed_by);
    assert_int_equal(exchange.log.findings[0].offset, offset);
    assert_string_equal(exchange.log.findings[0].field->name, field);
}

static void choose(const char *dialect)
{
    exchange.dialect = gw_dialect_by_name(&gw_etherbone, dialect);
    assert_non_null(exchange.dialect);
}

/* Feeds the bytes of |op| as a reply after |change| did its work on them. */
static uint64_t reply_changed(const gw_eb_operation *op, void (*change)(uint8_t *bytes))
{
    size_t len =
        exchange_packet(exchange.bytes, sizeof exchange.bytes, 0x44, exchange.dialect, op, 1, true);
    change(exchange.bytes);
    return exchange_feed(exchange_message(exchange.bytes, len, server(), client()));
}

static void ask_flags(uint8_t flags)
{
    gw_eb_operation op = exchange_read(0x8000, 1, flags);
    exchange_ops(client(), server(), 0x44, &op, 1);
}

static void reply_flags(uint8_t flags)
{
    gw_eb_operation op = exchange_write(0x8000, 1, flags);
    exchange_ops(server(), client(), 0x44, &op, 1);
}

/* ---- flags, byte enables, counts, addresses ---- */

static void test_flags_are_derived(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        uint8_t asked = (uint8_t)((i & 1 ? GW_EB_BCA : 0) | (i & 2 ? GW_EB_RFF : 0) |
                                  (i & 4 ? GW_EB_CYC : 0) | GW_EB_RCA);
        uint8_t given =
            (uint8_t)((i & 1 ? GW_EB_WCA : 0) | (i & 2 ? GW_EB_WFF : 0) | (i & 4 ? GW_EB_CYC : 0));
        exchange_start();
        ask_flags(asked);
        reply_flags(given);
        expect("A1.0>2.0", "");
        for (unsigned bit = 0; bit < 8; bit++) {
            uint8_t wrong = (uint8_t)(1u << bit);
            if (wrong & (GW_EB_WCA | GW_EB_RESERVED_01 | GW_EB_RESERVED_10))
                continue;
            exchange_start();
            ask_flags(asked);
            reply_flags(given ^ wrong);
            exchange_stop();
            expect("A1.0>2.0", "S20");
        }
    }
    expect_text(2, 2, 4, "etherbone.record.bca",
                "record flags are 0x8e; the 0xe8 of frame 1 make them 0x0e");
}

static void test_wca_follows_bca(void **state)
{
    (void)state;
    exchange_start();
    ask_flags(GW_EB_BCA | GW_EB_CYC);
    reply_flags(GW_EB_CYC);
    expect("", "");
    exchange_wait(GIVE_UP_MS + 1);
    exchange_stop();
    expect("A1.0>2.0", "S20");
    expect_text(2, 2, 4, "etherbone.record.wca", "WCA is 0; BCA is 1 in the request of frame 1");
    assert_int_equal(exchange.log.last.delta_ns, MS);
}

static void test_byte_enables_are_copied(void **state)
{
    gw_eb_operation op = exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_CYC);

    (void)state;
    exchange_start();
    ask(0x8000, 1);
    op.byte_enable = 0x0c;
    exchange_ops(server(), client(), 0x44, &op, 1);
    exchange_stop();
    expect("A1.0>2.0", "S21");
    expect_text(2, 2, 5, "etherbone.record.byte_enable",
                "byte enable is 0x0c; 0x0f, as in frame 1, is expected");
}

static void test_counts_agree(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 4);
    reply(0x8000, 3);
    exchange_stop();
    expect("A1.0>2.0", "S19");
    expect_text(2, 2, 6, "etherbone.record.wcount",
                "the record writes 3 words; the request of frame 1 reads 4");
}

static void clear_nothing_but_swap_counts(uint8_t *bytes)
{
    bytes[7] = 1; /* RCount stays */
}

static void test_a_reply_reads_nothing(void **state)
{
    gw_eb_operation both = exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_CYC);
    gw_eb_operation only = both;

    (void)state;
    /* a whole record that also reads */
    both.num_reads = 1;
    both.reads = both.writes;
    both.return_base = 0x8000;
    exchange_start();
    ask(0x8000, 1);
    exchange_ops(server(), client(), 0x44, &both, 1);
    exchange_stop();
    expect("A1.0>2.0", "S19 S25 S25"); /* as well as longer than the request */

    /* the count alone: what it announces is not there, and check says so */
    exchange_start();
    ask(0x8000, 1);
    reply_changed(&only, clear_nothing_but_swap_counts);
    exchange_stop();
    expect("A1.0>2.0", "S25");
}

static void test_a_request_sent_back_is_no_request(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 2);
    exchange_ask(server(), client(), 0x8000, 2);
    exchange_wait(GIVE_UP_MS + 10);
    expect("A1.0>2.0", "S19");
    expect_text(2, 2, 7, "etherbone.record.rcount",
                "the record reads 2 words as that of frame 1 does; a reply writes them");
}

/* Two libetherbone hosts that ask each other start at the same return address. */
static void test_two_masters_may_use_one_address(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 1);
    exchange_ask(server(), client(), 0x8000, 1);
    exchange_reply(client(), server(), 0x8000, 1);
    reply(0x8000, 1);
    exchange_stop();
    expect("A2.0>3.0 A1.0>4.0", "");
}

static void test_the_return_address_is_a_whole_unit(void **state)
{
    gw_eb_operation asked = exchange_read(0x8024, 1, GW_EB_BCA | GW_EB_CYC);
    gw_eb_operation given = exchange_write(0x0024, 1, GW_EB_WCA | GW_EB_CYC);

    (void)state;
    exchange_start();
    asked.byte_enable = given.byte_enable = 1;
    exchange_ops(client(), server(), 0x11, &asked, 1);
    exchange_ops(server(), client(), 0x11, &given, 1);
    exchange_stop();
    expect("A1.0>2.0", "S22");
    expect_text(2, 2, 8, "etherbone.write.base",
                "the base address is 0x24; the whole return address 0x8024 of frame 1 is expected");
}

/* ---- header ---- */

static void test_widths_are_copied(void **state)
{
    gw_eb_operation given = exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_CYC);

    (void)state;
    /* the same alignment: at once */
    exchange_start();
    ask(0x8000, 1);
    exchange_ops(server(), client(), 0x24, &given, 1);
    exchange_stop();
    expect("A1.0>2.0", "S11");
    expect_text(2, 2, 3, "etherbone.addr_width",
                "widths are 0x24; 0x44, as in the request of frame 1, are expected");

    /* another alignment: the header lies about what follows */
    for (unsigned i = 0; i < 2; i++) {
        static const uint8_t widths[] = {0x88, 0x11};
        exchange_start();
        ask(0x8000, 1);
        size_t len =
            exchange_packet(exchange.bytes, sizeof exchange.bytes, 0x44, NULL, &given, 1, true);
        exchange.bytes[3] = widths[i];
        exchange_feed(exchange_message(exchange.bytes, len, server(), client()));
        exchange_stop();
        expect("A1.0>2.0", "S11");
    }
}

static void raise_version(uint8_t *bytes)
{
    bytes[2] = (uint8_t)((bytes[2] & 15) | 0x20);
}

static void test_the_version_is_copied(void **state)
{
    gw_eb_operation given = exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_CYC);

    (void)state;
    exchange_start();
    ask(0x8000, 1);
    reply_changed(&given, raise_version);
    expect("", "");
    exchange_stop();
    expect("A1.0>2.0", "S10");
    expect_text(2, 2, 2, "etherbone.version",
                "version is 2; 1, as in the request of frame 1, is expected");
}

static void set_reserved_and_clear_nr(uint8_t *bytes)
{
    bytes[2] = 0x18;
    bytes[4] |= 0x11;
}

/* Between ports that tell nothing, only the conversation shows that it was a reply. */
static void test_reply_rules_hold_on_any_port(void **state)
{
    gw_endpoint a = exchange_end(CLIENT, 40000), b = exchange_end(SERVER, 50000);
    gw_eb_operation given = exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_CYC);
    size_t len;

    (void)state;
    exchange_start();
    exchange_ask(a, b, 0x8000, 1);
    len = exchange_packet(exchange.bytes, sizeof exchange.bytes, 0x44, NULL, &given, 1, true);
    set_reserved_and_clear_nr(exchange.bytes);
    exchange_feed(exchange_message(exchange.bytes, len, b, a));
    expect("A1.0>2.0", "S13 S13 S24");

    /* Between ports that do tell, the one-message check has said it already. */
    exchange_start();
    ask(0x8000, 1);
    reply_changed(&given, set_reserved_and_clear_nr);
    expect("A1.0>2.0", "");
}

/* ---- length and form ---- */

static void test_a_reply_is_no_longer_than_its_request(void **state)
{
    gw_eb_operation given[] = {exchange_write(0x8000, 1, GW_EB_WCA | GW_EB_CYC), exchange_empty(0)};

    (void)state;
    exchange_start();
    ask(0x8000, 1);
    exchange_ops(server(), client(), 0x44, given, 2);
    exchange_stop();
    expect("A1.0>2.0", "S25");
    expect_text(2, 2, 16, "etherbone.undecoded",
                "the reply is 20 bytes long, its request in frame 1 only 16");
}

static void test_a_reply_to_two_requests_may_be_longer_than_each(void **state)
{
    gw_eb_operation given[] = {exchange_write(0x8000, 1, GW_EB_WCA),
                               exchange_write(0x8002, 1, GW_EB_WCA)};
    gw_eb_operation asked[] = {exchange_read(0x8000, 1, GW_EB_BCA),
                               exchange_read(0x8002, 1, GW_EB_BCA)};

    (void)state;
    exchange_start();
    exchange_ops(client(), server(), 0x44, &asked[0], 1);
    exchange_ops(client(), server(), 0x44, &asked[1], 1);
    exchange_ops(server(), client(), 0x44, given, 2);
    expect("A1.0>3.0 A2.0>3.1", "");
}

static void test_zero_filling_keeps_places(void **state)
{
    gw_eb_operation asked[] = {exchange_write(0x10, 2, 0), exchange_read(0x8000, 1, GW_EB_BCA)};
    gw_eb_operation zero = exchange_empty(0);
    gw_eb_operation good[] = {zero, zero, zero, zero, exchange_write(0x8000, 1, GW_EB_WCA)};
    gw_eb_operation moved[] = {zero, zero, exchange_write(0x8000, 1, GW_EB_WCA), zero, zero};

    (void)state;
    exchange_start();
    exchange_ops(client(), server(), 0x44, asked, 2);
    exchange_ops(server(), client(), 0x44, good, 5);
    expect("A1.1>2.4", "");

    exchange_start();
    exchange_ops(client(), server(), 0x44, asked, 2);
    exchange_ops(server(), client(), 0x44, moved, 5);
    exchange_stop();
    expect("A1.1>2.2", "S27");
    expect_text(2, 2, 12, "etherbone.record.bca",
                "a record header is at byte 12; a zero-filled reply to frame 1 has it at 20");

    exchange_start();
    asked[0].num_writes = 1;
    exchange_ops(client(), server(), 0x44, asked, 2);
    exchange_ops(client(), server(), 0x44, asked, 1);
    exchange_ops(server(), client(), 0x44, good + 1, 4);
    expect("A1.1>3.3", "");
}

static void test_zero_filling_keeps_the_length(void **state)
{
    gw_eb_operation asked[] = {exchange_write(0x10, 1, 0), exchange_read(0x8000, 1, GW_EB_BCA),
                               exchange_write(0x10, 1, 0)};
    gw_eb_operation zero = exchange_empty(0);
    gw_eb_operation given[] = {zero, zero, zero, exchange_write(0x8000, 1, GW_EB_WCA)};

    (void)state;
    exchange_start();
    exchange_ops(client(), server(), 0x44, asked, 3);
    exchange_ops(server(), client(), 0x44, given, 4);
    exchange_stop();
    expect("A1.1>2.3", "S27");
    assert_string_equal(exchange.log.findings[0].text,
                        "the zero-filled reply is 28 bytes long; its request in frame 1 has 40");
}

/* An empty record may be answered by one; that is not zero filling. */
static void test_empty_records_may_be_answered(void **state)
{
    gw_eb_operation asked[] = {exchange_empty(0), exchange_write(0x10, 1, 0),
                               exchange_read(0x8000, 1, GW_EB_BCA)};
    gw_eb_operation given[] = {exchange_empty(0), exchange_write(0x8000, 1, GW_EB_WCA)};

    (void)state;
    exchange_start();
    exchange_ops(client(), server(), 0x44, asked, 3);
    exchange_ops(server(), client(), 0x44, given, 2);
    expect("A1.2>2.1", "");
}

/* ---- where replies go ---- */

static void test_a_reply_goes_to_the_requesters_port(void **state)
{
    gw_endpoint elsewhere = exchange_end(CLIENT, SERVICE_PORT);

    (void)state;
    exchange_start();
    ask(0x8000, 1);
    exchange_reply(server(), elsewhere, 0x8000, 1);
    expect("", "");
    exchange_stop();
    expect("A1.0>2.0", "S44");
    expect_text(2, 2, 4, "etherbone.write.base",
                "the reply went to port 60368; the request of frame 1 came from port 40000");

    /* LiteEth is known to do that: no finding, and no need to wait for a better answer */
    exchange_start();
    choose("litex");
    gw_eb_operation asked = exchange_read(7, 1, 0), given = exchange_write(7, 1, 0);
    exchange_ops(client(), server(), 0x44, &asked, 1);
    exchange_ops(server(), elsewhere, 0x44, &given, 1);
    exchange_ops(server(), elsewhere, 0x44, &given, 1);
    expect("A1.0>2.0 D1.0>3.0", "");
}

/* The other port was another client's, whose request was not captured. */
static void test_a_lost_request_accuses_nobody(void **state)
{
    gw_endpoint other = exchange_end(CLIENT, CLIENT_PORT + 1);

    (void)state;
    exchange_start();
    ask(0x8000, 1);
    exchange_reply(server(), other, 0x8000, 1);
    reply(0x8000, 1);
    exchange_stop();
    expect("U>2.0 A1.0>3.0", "");
}

static void test_a_better_answer_clears_the_suspect(void **state)
{
    (void)state;
    exchange_start();
    ask(0x8000, 4);
    reply(0x8000, 3); /* answers something that was not captured */
    reply(0x8000, 4);
    exchange_stop();
    expect("U>2.0 A1.0>3.0", "");
}

static void test_a_suspect_counts_when_its_request_is_pushed_out(void **state)
{
    unsigned asked = 0;

    (void)state;
    exchange_start_in(gw_eb_session.min_size);
    ask(0x8000, 4);
    reply(0x8000, 3);
    while (exchange.log.num_relations == 0 && asked < 1000)
        ask(0x9000 + 2 * asked++, 1);
    expect("A1.0>2.0", "S19");
    assert_int_equal(exchange.log.findings[0].frame, 2);
    assert_int_equal(exchange.log.findings[0].revealed_by, exchange.frame);
}

/* ---- probes ---- */

static void test_a_response_echoes_the_id(void **state)
{
    (void)state;
    exchange_start();
    probe(client(), server(), 0x44, 7);
    probe_response(server(), client(), 0xff, 8);
    expect("", "");
    exchange_stop();
    expect("A1.0>2.0", "S04");
    expect_text(2, 2, 4, "etherbone.probe_id",
                "the probe id is 0x08; 0x07, as in frame 1, is expected");

    exchange_start();
    choose("litex");
    probe(client(), server(), 0x44, 7);
    probe_response(server(), client(), 0x44, 0);
    expect("A1.0>2.0", "");
}

static void test_a_foreign_response_accuses_nobody(void **state)
{
    (void)state;
    exchange_start();
    probe(client(), server(), 0x44, 7);
    probe_response(server(), client(), 0xff, 6); /* to a probe before the capture */
    probe_response(server(), client(), 0xff, 7);
    exchange_stop();
    expect("U>2.0 A1.0>3.0", "");
}

static void test_a_response_clears_pf(void **state)
{
    (void)state;
    exchange_start();
    probe(client(), server(), 0x44, 7);
    probe(server(), client(), 0xff, 7);
    exchange_wait(GIVE_UP_MS + 10);
    expect("A1.0>2.0", "S03");
    expect_text(2, 2, 2, "etherbone.pf",
                "PF is set in the answer to the probe of frame 1; PR alone is expected");
}

static void test_a_response_sets_pr(void **state)
{
    uint8_t bytes[8];

    (void)state;
    gw_eb_build_probe(bytes, true, 0xff, 7);
    bytes[2] &= (uint8_t)~GW_EB_PR;
    exchange_start();
    probe(client(), server(), 0x44, 7);
    exchange_bytes(server(), client(), bytes, sizeof bytes);
    expect("", "");
    exchange_stop();
    expect("A1.0>2.0", "S03");
    expect_text(2, 2, 2, "etherbone.pr",
                "PR is clear in the answer to the probe of frame 1, whose id it has");

    /* Another id, another port, or a proper answer that comes later: no answer, no finding of this.
     */
    exchange_start();
    probe(client(), server(), 0x44, 8);
    exchange_bytes(server(), client(), bytes, sizeof bytes);
    exchange_stop();
    expect("N1.0", "");
    exchange_start();
    probe(client(), server(), 0x44, 7);
    exchange_bytes(server(), exchange_end(CLIENT, CLIENT_PORT + 9), bytes, sizeof bytes);
    exchange_stop();
    expect("N1.0", "");
    exchange_start();
    probe(client(), server(), 0x44, 7);
    exchange_bytes(server(), client(), bytes, sizeof bytes);
    probe_response(server(), client(), 0xff, 7);
    exchange_stop();
    expect("U>2.0 A1.0>3.0", "");
}

/* Two libetherbone processes probe with one id. */
static void test_two_masters_may_probe_each_other(void **state)
{
    (void)state;
    exchange_start();
    probe(client(), server(), 0x44, 0x86);
    probe(server(), client(), 0x44, 0x86);
    probe_response(client(), server(), 0xff, 0x86);
    probe_response(server(), client(), 0xff, 0x86);
    exchange_stop();
    expect("A2.0>3.0 A1.0>4.0", "");
}

static void test_a_response_goes_to_the_probers_port(void **state)
{
    (void)state;
    exchange_start();
    probe(client(), server(), 0x44, 7);
    probe_response(server(), exchange_end(CLIENT, CLIENT_PORT + 9), 0xff, 7);
    exchange_stop();
    expect("A1.0>2.0", "S44");
}

static void test_requests_keep_to_what_was_agreed(void **state)
{
    gw_eb_operation asked = exchange_read(0x8000, 1, GW_EB_BCA | GW_EB_CYC);

    (void)state;
    exchange_start();
    probe(client(), server(), 0xf4, 7);
    probe_response(server(), client(), 0x4f, 7);
    exchange_ops(client(), server(), 0x44, &asked, 1);
    expect("A1.0>2.0", "");
    exchange_ops(exchange_end(OTHER_CLIENT, CLIENT_PORT), server(), 0x48, &asked, 1);
    expect("A1.0>2.0", "");
    exchange_ops(client(), server(), 0x48, &asked, 1);
    expect("A1.0>2.0", "M04");
    expect_text(5, 5, 3, "etherbone.port_width",
                "widths are 0x48; the probe that frame 2 answered leaves 0x44");
    exchange_ops(client(), server(), 0x84, &asked, 1);
    expect("A1.0>2.0", "M04 M04");
    assert_string_equal(exchange.log.findings[1].field->name, "etherbone.addr_width");

    /* The first is overdue; the second was asked with widths that nobody has to answer. */
    exchange_start();
    probe(client(), server(), 0xff, 7);
    probe_response(server(), client(), 0x44, 7);
    exchange_ops(client(), server(), 0x44, &asked, 1);
    exchange_ops(client(), server(), 0x22, &asked, 1);
    exchange_wait(GIVE_UP_MS + 1);
    expect("A1.0>2.0 N3.0 N4.0", "M04");
}

/* A master need not go by a response that is too long, or offers nothing, nor by the first of two.
 */
static void test_nobody_knows_which_response_a_master_goes_by(void **state)
{
    gw_eb_operation asked = exchange_read(0x8000, 1, GW_EB_BCA | GW_EB_CYC);
    uint8_t bytes[12] = {0};

    (void)state;
    for (unsigned how = 0; how < 3; how++) {
        exchange_start();
        probe(client(), server(), 0xff, 7);
        gw_eb_build_probe(bytes, true, how == 1 ? 0x40 : 0x22, 7);
        exchange_bytes(server(), client(), bytes, how == 0 ? 12 : 8);
        if (how == 2)
            probe_response(server(), client(), 0xff, 7);
        exchange_ops(client(), server(), 0x44, &asked, 1);
        assert_string_equal(exchange.log.rules, "");
    }
}

static void test_waived_rules_are_not_reported(void **state)
{
    gw_eb_operation asked = exchange_read(0x8000, 1, GW_EB_CYC),
                    given = exchange_write(0x8000, 1, 0);

    (void)state;
    exchange_start();
    choose("litex");
    exchange_ops(client(), server(), 0x44, &asked, 1);
    given.byte_enable = 3;
    exchange_ops(server(), client(), 0x44, &given, 1);
    expect("A1.0>2.0", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flags_are_derived),
        cmocka_unit_test(test_wca_follows_bca),
        cmocka_unit_test(test_byte_enables_are_copied),
        cmocka_unit_test(test_counts_agree),
        cmocka_unit_test(test_a_reply_reads_nothing),
        cmocka_unit_test(test_a_request_sent_back_is_no_request),
        cmocka_unit_test(test_two_masters_may_use_one_address),
        cmocka_unit_test(test_the_return_address_is_a_whole_unit),
        cmocka_unit_test(test_widths_are_copied),
        cmocka_unit_test(test_the_version_is_copied),
        cmocka_unit_test(test_reply_rules_hold_on_any_port),
        cmocka_unit_test(test_a_reply_is_no_longer_than_its_request),
        cmocka_unit_test(test_a_reply_to_two_requests_may_be_longer_than_each),
        cmocka_unit_test(test_zero_filling_keeps_places),
        cmocka_unit_test(test_zero_filling_keeps_the_length),
        cmocka_unit_test(test_empty_records_may_be_answered),
        cmocka_unit_test(test_a_reply_goes_to_the_requesters_port),
        cmocka_unit_test(test_a_lost_request_accuses_nobody),
        cmocka_unit_test(test_a_better_answer_clears_the_suspect),
        cmocka_unit_test(test_a_suspect_counts_when_its_request_is_pushed_out),
        cmocka_unit_test(test_a_response_echoes_the_id),
        cmocka_unit_test(test_a_foreign_response_accuses_nobody),
        cmocka_unit_test(test_a_response_clears_pf),
        cmocka_unit_test(test_a_response_sets_pr),
        cmocka_unit_test(test_two_masters_may_probe_each_other),
        cmocka_unit_test(test_a_response_goes_to_the_probers_port),
        cmocka_unit_test(test_requests_keep_to_what_was_agreed),
        cmocka_unit_test(test_nobody_knows_which_response_a_master_goes_by),
        cmocka_unit_test(test_waived_rules_are_not_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

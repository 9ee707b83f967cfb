/* SPDX-License-Identifier: BSD-2-Clause */
/* One message, one verdict: each rule that a single message shows, broken and kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "etherbone/internal.h"
#include "etherbone/rules.h"
#include "etherbone/testing/exchange.h"
#include "goldwire/format.h"

enum {
    CLIENT_PORT = 40000,
    SERVICE_PORT = 60368,
};

/* Bytes from hexadecimal text; spaces are for people. */
static size_t bytes_of(uint8_t *out, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    size_t nibbles = 0;

    for (; *hex != '\0'; hex++) {
        const char *digit = strchr(digits, *hex);
        if (*hex == ' ')
            continue;
        assert_non_null(digit);
        out[nibbles / 2] = (uint8_t)(out[nibbles / 2] << 4 | (digit - digits));
        nibbles++;
    }
    return nibbles / 2;
}

static exchange_log log_;
static uint8_t buf_[4096];

static gw_message message_of(const char *hex, bool reply)
{
    gw_endpoint client = exchange_end(1, CLIENT_PORT), server = exchange_end(2, SERVICE_PORT);

    memset(buf_, 0, sizeof buf_);
    size_t len = bytes_of(buf_, hex);
    return exchange_message(buf_, len, reply ? server : client, reply ? client : server);
}

/* The rules that |m| breaks, as text. */
static const char *judge(const gw_message *m, const gw_dialect *dialect)
{
    exchange_log_clear(&log_);
    gw_eb_check(m, dialect, &log_.sink);
    return log_.rules;
}

static const char *request(const char *hex)
{
    gw_message m = message_of(hex, false);
    return judge(&m, NULL);
}

static const char *reply(const char *hex)
{
    gw_message m = message_of(hex, true);
    return judge(&m, NULL);
}

/* Between ports of which none is a slave's. */
static const char *unknown(const char *hex)
{
    gw_message m = message_of(hex, false);
    m.dst.port = CLIENT_PORT + 1;
    return judge(&m, NULL);
}

static void test_good_messages_break_nothing(void **state)
{
    (void)state;
    assert_string_equal(request("4e6f1044 080f0001 00008000 aaaaaaaa"), "");
    assert_string_equal(request("4e6f1444 080f0100 00000010 cafe0001"), "");
    assert_string_equal(request("4e6f1044 080f0100 00000010 cafe0001"), "");
    assert_string_equal(request("4e6f1144 00000001"), "");
    assert_string_equal(request("4e6f11ff 00000001"), "");
    assert_string_equal(request("4e6f2111 00000001"), ""); /* a probe of a higher version */
    assert_string_equal(request("4e6f1444"), "");
    assert_string_equal(request("4e6f1444 00000000 08000000"), "");
    assert_string_equal(request("4e6f1011 08010101 0001 0022 8000 0004"), "");
    assert_string_equal(request("4e6f1444 840f0100 00008000 00000001 080f0100 00000010 00000001"),
                        "");
    assert_string_equal(reply("4e6f16ff 00000001"), "");
    assert_string_equal(reply("4e6f1444 0e0f0200 00008000 11111111 22222222"), "");
    assert_string_equal(reply("4e6f1444 00000000 00000000 080f0000"), "");
    assert_string_equal(reply("4e6f1444 000f0100 00008000 11111111"), "");
    assert_string_equal(reply("4e6f1444 00000100 00008000 11111111"), "");
    assert_string_equal(reply("4e6f1411 0a010100 8000 0011"), ""); /* a whole return address */
    assert_string_equal(
        request("4e6f1088 00000000 08ff0101 00000000 0000000000000010 1111111111111111"
                "0000000000008000 0000000000000018"),
        "");
}

static void test_magic_version_and_reserved_bits(void **state)
{
    (void)state;
    assert_string_equal(request("4e6e1044 080f0001 00008000 aaaaaaaa"), "M01");
    assert_string_equal(log_.findings[0].text, "Magic is 0x4e6e; 0x4e6f is expected");
    assert_int_equal(log_.findings[0].offset, 0);
    assert_string_equal(log_.findings[0].field->name, "etherbone.magic");
    assert_string_equal(reply("4e6e1444 080f0100 00008000 aaaaaaaa"), "S10");
    assert_string_equal(request("4e6f2044 080f0001 00008000 aaaaaaaa"), "M01");
    assert_string_equal(reply("4e6f0444 080f0100 00008000 aaaaaaaa"), "S10");
    assert_string_equal(request("4e6f1844 080f0001 00008000 aaaaaaaa"), "M01");
    assert_string_equal(reply("4e6f1c44 080f0100 00008000 aaaaaaaa"), "S13");
    assert_string_equal(request("4e6f1044 190f0001 00008000 aaaaaaaa"), "M01");
    assert_string_equal(log_.findings[0].text,
                        "reserved flag bits 0x11 are set; senders clear them");
    assert_int_equal(log_.findings[0].offset, 4);
    assert_string_equal(reply("4e6f1444 080f0100 00008000 11111111 180f0000"), "S13");
    assert_int_equal(log_.findings[0].offset, 16);
    assert_string_equal(request("4e6f1944 00000001"), "M01");
    assert_string_equal(reply("4e6f1e44 00000001"), "S13");
}

static void test_messages_shorter_than_a_header(void **state)
{
    (void)state;
    assert_string_equal(request(""), "M01");
    assert_string_equal(request("4e6f10"), "M01");
    assert_string_equal(log_.findings[0].text,
                        "the message is 3 bytes long; a packet header takes 4");
    assert_string_equal(reply("4e"), "S10");
    assert_string_equal(request("4e6f1088"), "M06");
    assert_string_equal(reply("4e6f1488 0000"), "S12");
}

static void test_probes(void **state)
{
    (void)state;
    assert_string_equal(request("4e6f1144"), "M02");
    assert_int_equal(log_.findings[0].offset, 4);
    assert_string_equal(request("4e6f1144 0000"), "M02");
    assert_string_equal(request("4e6f1144 00000001 00000000"), "M02");
    assert_string_equal(log_.findings[0].text,
                        "the probe is 12 bytes long; exactly 8 are expected");
    assert_int_equal(log_.findings[0].offset, 8);
    assert_string_equal(reply("4e6f1644 00000001 00000000"), "S05");
    assert_string_equal(reply("4e6f1604 00000001"), "S06");
    assert_string_equal(reply("4e6f1640 00000001"), "S06");
    assert_string_equal(reply("4e6f1600 00000001"), "S06 S06");
    assert_string_equal(reply("4e6f1244 00000001"), "S08");
    assert_string_equal(reply("4e6f0644 00000001"), "S07");
}

static void test_widths(void **state)
{
    (void)state;
    assert_string_equal(request("4e6f10f4 080f0001 00008000 aaaaaaaa"), "M04");
    assert_string_equal(log_.findings[0].text,
                        "Address width is 0x0f; exactly one bit is expected");
    assert_string_equal(request("4e6f1000"), "M04 M04");
    assert_string_equal(reply("4e6f1446 080f0100 00008000 aaaaaaaa"), "S11");
    assert_string_equal(log_.findings[0].field->name, "etherbone.port_width");
}

static void test_padding(void **state)
{
    (void)state;
    assert_string_equal(request("4e6f1088 00000001 08ff0001 00000000 0000000000008000"
                                "0000000000000010"),
                        "M06");
    assert_string_equal(log_.findings[0].text, "Header padding is 0x01; 0 is expected");
    assert_int_equal(log_.findings[0].offset, 4);
    assert_string_equal(reply("4e6f1488 00000001 08ff0100 00000000 0000000000008000"
                              "0000000000000010"),
                        "S13");
    assert_string_equal(request("4e6f1088 00000000 08ff0001 00000100 0000000000008000"
                                "0000000000000010"),
                        "M06");
    assert_int_equal(log_.findings[0].offset, 12);
    assert_string_equal(reply("4e6f1488 00000000 08ff0100 00000100 0000000000008000"
                              "0000000000000010"),
                        "S13");
    /* a base write address, a word and a read address wider than they may be */
    assert_string_equal(request("4e6f1411 08010100 0100 0022"), "M06");
    assert_int_equal(log_.findings[0].offset, 8);
    assert_string_equal(request("4e6f1411 08010200 0001 0022 0100"), "M06");
    assert_string_equal(log_.findings[0].text,
                        "padding of write 1 is not zero; words of 1 bytes are zero-extended");
    assert_int_equal(log_.findings[0].offset, 12);
    assert_string_equal(request("4e6f1011 08010002 8000 0004 0104"), "M06");
    assert_int_equal(log_.findings[0].offset, 12);
    assert_string_equal(reply("4e6f1411 0a010200 8000 0011 ff11"), "S13");
    /* config addresses have 16 bits on the narrowest bus */
    assert_string_equal(request("4e6f1011 48010001 8000 0107"), "");
    assert_string_equal(request("4e6f1018 00000000 48ff0001 00000000 0000000000008000"
                                "0000000000010000"),
                        "M06");
    assert_string_equal(request("4e6f1044 080f0001 ffff8000 ffffffff"), "");
}

/* Who sent it nobody knows: a reply echoes what was asked, a request names it. */
static void test_what_may_be_a_reply_is_no_bad_request(void **state)
{
    (void)state;
    assert_string_equal(unknown("4e6f1411 08010100 c328 0022"), ""); /* a whole return address */
    assert_string_equal(unknown("4e6f1444 08050100 00008000 cafe0001"), "");
    assert_string_equal(unknown("4e6f1444 000f0100 00008000 cafe0001"), "");
    assert_string_equal(unknown("4e6f1011 08010100 c328 0022"), "M06"); /* replies set NR */
    assert_string_equal(unknown("4e6f1044 08050100 00008000 cafe0001"), "M12");
    assert_string_equal(unknown("4e6f1044 000f0100 00008000 cafe0001"), "M11");
    assert_string_equal(unknown("4e6f1411 08010101 0001 0022 8000 0004"),
                        "M07"); /* they read not */
}

static void test_reads_and_nr(void **state)
{
    (void)state;
    assert_string_equal(request("4e6f1444 080f0001 00008000 aaaaaaaa"), "M07");
    assert_int_equal(log_.findings[0].offset, 2);
    assert_string_equal(reply("4e6f1044 080f0100 00008000 aaaaaaaa"), "S24");
    assert_string_equal(reply("4e6f1444 080f0001 00008000 aaaaaaaa"), "S25");
    assert_string_equal(request("4e6f1444 080f0000 080f0001 00008000 aaaaaaaa"), "M07");
}

static void test_counts_and_payload(void **state)
{
    (void)state;
    assert_string_equal(request("4e6f1044 080f0002 00008000 aaaaaaaa"), "M09");
    assert_string_equal(log_.findings[0].text,
                        "0 writes and 2 reads make a record of 16 bytes; here are 12");
    assert_int_equal(log_.findings[0].offset, 6);
    assert_string_equal(reply("4e6f1444 080f0200 00008000 aaaaaaaa"), "S19");
    assert_string_equal(request("4e6f1444 080f0100 00000010 cafe0001 5657"), "M09");
    assert_string_equal(log_.findings[0].text,
                        "2 bytes behind the last record; a record header takes 4");
    assert_int_equal(log_.findings[0].offset, 16);
    assert_string_equal(reply("4e6f1444 080f0100 00000010 cafe0001 56"), "S19");
}

static void test_the_capture_is_never_blamed_on_the_sender(void **state)
{
    static const char whole[] = "4e6f1044 080f0203 00000010 11111111 22222222 00008000 aaaaaaaa "
                                "bbbbbbbb cccccccc";
    gw_message m = message_of(whole, false);

    (void)state;
    assert_string_equal(judge(&m, NULL), "");
    for (m.cap_len = 0; m.cap_len < m.len; m.cap_len++)
        assert_string_equal(judge(&m, NULL), "");
    m = message_of("4e6f1188 12345678", false);
    for (m.cap_len = 0; m.cap_len < m.len; m.cap_len++)
        assert_string_equal(judge(&m, NULL), "");
    m = message_of("4e6f1088 00000000 08ff0001 00000000 0000000000008000 0000000000000010", false);
    for (m.cap_len = 0; m.cap_len < m.len; m.cap_len++)
        assert_string_equal(judge(&m, NULL), "");
}

static void test_the_cycle_ends_with_the_datagram(void **state)
{
    (void)state;
    assert_string_equal(request("4e6f1444 000f0100 00000010 cafe0001"), "M11");
    assert_int_equal(log_.findings[0].offset, 4);
    assert_string_equal(log_.findings[0].field->name, "etherbone.record.cyc");
    assert_string_equal(request("4e6f1444 000f0100 00000010 cafe0001 08000000"), "");
    assert_string_equal(request("4e6f1444 080f0100 00000010 cafe0001 00000000"), "M11");

    gw_message m = message_of("000f0100 00000010 cafe0001", false);
    m.part = GW_EB_RECORD;
    m.part_arg = 0x44;
    m.transport = GW_OVER_TCP;
    assert_string_equal(judge(&m, NULL), "");
}

static void test_byte_enables(void **state)
{
    char hex[] = "4e6f1444 08xx0100 00000010 cafe0001";
    static const char digits[] = "0123456789abcdef";

    (void)state;
    for (unsigned be = 0; be < 256; be++) {
        bool good = be == 1 || be == 2 || be == 4 || be == 8 || be == 3 || be == 12 || be == 15;
        hex[11] = digits[be >> 4];
        hex[12] = digits[be & 15];
        assert_string_equal(request(hex), good ? "" : "M12");
        assert_string_equal(reply(hex), "");
    }
    assert_string_equal(request("4e6f1444 08ff0100 00000010 cafe0001"), "M12");
    assert_string_equal(log_.findings[0].text,
                        "byte enable 0xff selects lanes outside a port of 4 bytes");
    assert_int_equal(log_.findings[0].offset, 5);
}

static void test_config_reads(void **state)
{
    (void)state;
    assert_string_equal(request("4e6f1044 480f0002 00008000 00000008 0000000c"), "");
    assert_string_equal(request("4e6f1044 480f0002 00008000 00000008 0000000e"), "M22");
    assert_string_equal(log_.findings[0].text,
                        "config space is read at 0x0e; a multiple of 4 is expected");
    assert_int_equal(log_.findings[0].offset, 16);
    assert_string_equal(request("4e6f1044 48030001 00008000 00000008"), "M22");
    assert_int_equal(log_.findings[0].offset, 5);
    /* as a sub-word read of the bus it is fine */
    assert_string_equal(request("4e6f1044 08030001 00008000 0000000a"), "");
}

static void test_a_packet_fits_the_path(void **state)
{
    gw_eb_operation ops[6];
    gw_message m;
    size_t len;

    (void)state;
    for (unsigned i = 0; i < 6; i++)
        ops[i] = exchange_write(0x10, 255, i == 1 ? GW_EB_CYC : 0);
    ops[1].num_writes = 108; /* 4 + (8 + 1020) + (8 + 432) */
    len = exchange_packet(buf_, sizeof buf_, 0x44, NULL, ops, 2, true);
    assert_int_equal(len, 1472);
    m = exchange_message(buf_, len, exchange_end(1, CLIENT_PORT), exchange_end(2, SERVICE_PORT));
    assert_string_equal(judge(&m, NULL), "");
    m.num_frames = 2;
    assert_string_equal(judge(&m, NULL), "M20");
    assert_string_equal(log_.findings[0].text,
                        "1472 bytes came in 2 IP fragments; a packet fits the path whole");
    m.num_frames = 1;
    m.src.family = m.dst.family = GW_FAMILY_IPV6;
    assert_string_equal(judge(&m, NULL), "M20");
    m.src.family = m.dst.family = GW_FAMILY_IPV4;
    ops[1].num_writes++;
    m.len = m.cap_len = (uint32_t)exchange_packet(buf_, sizeof buf_, 0x44, NULL, ops, 2, true);
    assert_string_equal(judge(&m, NULL), "M20");
    assert_string_equal(log_.findings[0].text,
                        "1476 bytes of payload; a frame of 1500 bytes holds 1472");
    m.transport = GW_OVER_TCP;
    assert_string_equal(judge(&m, NULL), "");
}

static void test_a_stream_has_one_header(void **state)
{
    gw_message m = message_of("4e6f1044", false);

    (void)state;
    m.part = GW_EB_RECORD;
    m.part_arg = 0x44;
    m.transport = GW_OVER_TCP;
    assert_string_equal(judge(&m, NULL), "M21");
    m.src.port = SERVICE_PORT;
    m.dst.port = CLIENT_PORT;
    assert_string_equal(judge(&m, NULL), "S46");

    /* With 78 bytes behind it, it reads as a record of 20 writes and 17 reads. */
    uint8_t whole[82] = {0x4e, 0x6f, 0x14, 0x11};
    m.data = whole;
    m.len = m.cap_len = sizeof whole;
    m.part_arg = 0x11;
    assert_string_equal(judge(&m, NULL), "S46");
    m.src.port = CLIENT_PORT;
    m.dst.port = SERVICE_PORT;
    assert_string_equal(judge(&m, NULL), "M21");
    m.part = GW_EB_HEAD;
    assert_string_equal(judge(&m, NULL), "");
    m.part = GW_EB_LOST;
    assert_string_equal(judge(&m, NULL), "");
    m.part = GW_EB_BANNER;
    assert_string_equal(judge(&m, NULL), "");
}

/* The cut end of a stream may be the capture's. */
static void test_the_end_of_a_stream_is_not_blamed(void **state)
{
    gw_message m = message_of("080f0002 00008000", false);

    (void)state;
    m.part = GW_EB_RECORD;
    m.part_arg = 0x44;
    m.transport = GW_OVER_TCP;
    assert_string_equal(judge(&m, NULL), "");
    m = message_of("4e6f", false);
    m.part = GW_EB_HEAD;
    m.transport = GW_OVER_TCP;
    assert_string_equal(judge(&m, NULL), "");
}

static void test_dialects_waive_what_is_known(void **state)
{
    const gw_dialect *litex = gw_dialect_by_name(&gw_etherbone, "litex");
    const gw_dialect *libetherbone = gw_dialect_by_name(&gw_etherbone, "libetherbone");
    const gw_dialect *gsi = gw_dialect_by_name(&gw_etherbone, "gsi");
    gw_message m;

    (void)state;
    m = message_of("4e6f1044 00000000 000f0001 00000007 00000004", false);
    assert_string_equal(judge(&m, litex), "");
    m = message_of("4e6f1044 00000000 000f0100 00000007 12345678", true);
    assert_string_equal(judge(&m, litex), "");
    assert_string_equal(judge(&m, NULL), "S24");
    m = message_of("4e6f1144 00000000 00000000", false);
    assert_string_equal(judge(&m, litex), "");
    assert_string_equal(judge(&m, NULL), "M02");
    m = message_of("4e6f1244 00000000 485cc1fe", true); /* its tail reads like no record */
    assert_string_equal(judge(&m, litex), "");
    m = message_of("4e6f1c44 080f0100 00008000 aaaaaaaa", true);
    assert_string_equal(judge(&m, libetherbone), "");
    m = message_of("4e6f1644 00000001 08000000", true);
    assert_string_equal(judge(&m, gsi), "");
}

/* Real timing messages: eight words to a FIFO, between two service ports. */
static void test_timing_messages_are_clean(void **state)
{
    static const uint8_t trailer[] = {0x56, 0x57, 0, 0, 0, 0xb7, 5, 0x56};
    gw_message m = message_of("4e6f1444 0a0f0800 7ffffff0 1fcbfcb0 00000000 03010000 ff000000"
                              "00000000 00000000 16cd9348 f6482e98",
                              false);

    (void)state;
    m.src.port = SERVICE_PORT;
    assert_string_equal(judge(&m, NULL), "");
    m.len = m.cap_len = 44 + 22; /* a traffic generator's trailer */
    memcpy(buf_ + 44, trailer, sizeof trailer);
    assert_string_equal(judge(&m, NULL), "M01 M09"); /* as an empty record it has a reserved bit */
}

static void test_a_reply_known_by_other_means(void **state)
{
    gw_message m = message_of("4e6f1444 190f0100 00008000 aaaaaaaa", false);

    (void)state;
    m.dst.port = CLIENT_PORT + 1;
    assert_string_equal(judge(&m, NULL), "M01");
    exchange_log_clear(&log_);
    gw_eb_check_reply(&m, NULL, &log_.sink);
    assert_string_equal(log_.rules, "S13");
}

/* Where the capture tells who calls, neither ports nor content do; and nothing is found twice. */
static void test_a_sender_that_the_capture_tells(void **state)
{
    gw_message m = message_of("4e6e1444 190f0100 00008000 aaaaaaaa", false);

    (void)state;
    m.side = GW_SIDE_CALLED;
    assert_string_equal(judge(&m, NULL), "S10");
    exchange_log_clear(&log_);
    gw_eb_check_reply(&m, NULL, &log_.sink);
    assert_string_equal(log_.rules, "");
    m = message_of("4e6f1444 080f0001 00008000 00000004", false);
    assert_string_equal(judge(&m, NULL), "M07");
    m.side = GW_SIDE_CALLED;
    assert_string_equal(judge(&m, NULL), "S25");
    m = message_of("4e6e1444 190f0100 00008000 aaaaaaaa", true);
    m.side = GW_SIDE_CALLER;
    assert_string_equal(judge(&m, NULL), "M01");
    m = message_of("4e6f1644 00000001 00000000", false); /* known by itself to be a reply */
    m.dst.port = CLIENT_PORT + 1;
    assert_string_equal(judge(&m, NULL), "S05");
    exchange_log_clear(&log_);
    gw_eb_check_reply(&m, NULL, &log_.sink);
    assert_string_equal(log_.rules, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_messages_break_nothing),
        cmocka_unit_test(test_magic_version_and_reserved_bits),
        cmocka_unit_test(test_messages_shorter_than_a_header),
        cmocka_unit_test(test_probes),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_what_may_be_a_reply_is_no_bad_request),
        cmocka_unit_test(test_reads_and_nr),
        cmocka_unit_test(test_counts_and_payload),
        cmocka_unit_test(test_the_capture_is_never_blamed_on_the_sender),
        cmocka_unit_test(test_the_cycle_ends_with_the_datagram),
        cmocka_unit_test(test_byte_enables),
        cmocka_unit_test(test_config_reads),
        cmocka_unit_test(test_a_packet_fits_the_path),
        cmocka_unit_test(test_a_stream_has_one_header),
        cmocka_unit_test(test_the_end_of_a_stream_is_not_blamed),
        cmocka_unit_test(test_dialects_waive_what_is_known),
        cmocka_unit_test(test_timing_messages_are_clean),
        cmocka_unit_test(test_a_reply_known_by_other_means),
        cmocka_unit_test(test_a_sender_that_the_capture_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

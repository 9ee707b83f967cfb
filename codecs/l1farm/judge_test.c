/* SPDX-License-Identifier: BSD-2-Clause */
/* Each rule that one message shows: broken once, and kept by good ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "l1farm/testing/frames.h"
#include "l1farm/testing/verdicts.h"

static const char *check_as(const char *hex, uint8_t part, const char *dialect)
{
    static verdicts log;
    uint8_t bytes[2048];
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, hex));

    log = no_verdicts();
    m.part = part;
    m.frame = 1;
    gw_l1_check(&m, gw_dialect_by_name(&gw_l1farm, dialect), &log.sink);
    return log.rules;
}

#define assert_sci(hex, rules) assert_string_equal(check_as(hex, GW_L1_SCI, "strict"), rules)
#define assert_udp(hex, rules) assert_string_equal(check_as(hex, GW_L1_TUNNEL, "strict"), rules)

static void sci_packets(void **state)
{
    (void)state;
    assert_sci(L1_SEND_RECORD L1_WRITESB, "");
    assert_sci(L1_ECHO_RECORD L1_ECHO, "");
    assert_sci(L1_SPECIAL_RECORD "00112233445566778899aabbccddeeff", "");
    /* only flow control changed: the CRC holds */
    assert_sci(L1_SEND_RECORD "0010fe1f 0004001f 00001000 0340" L1_RESULT_IMAGE "00ca", "");
    assert_sci(L1_SEND_RECORD "0010001f 0004001f 00001000 0340" L1_RESULT_IMAGE "00cb", "S04");
    assert_string_equal(check_as(L1_SEND_RECORD L1_WRITESB, GW_L1_SCI, "crc-ffff"), "S04");
    assert_string_equal(check_as(L1_SEND_RECORD L1_WRITESB, GW_L1_SCI, "opaque"), "");
    /* a node before marked it: counted once, by that one */
    assert_sci("01000200 0010001f 0004001f 00001000 0340" L1_RESULT_IMAGE "00cb", "");
    assert_sci("01000400 0010001f 0004001f 00001000 0340 0000", "");
    assert_sci(L1_ECHO_RECORD L1_ECHO "0000", "S03");
    assert_sci(L1_ECHO_RECORD "0004011f 0010 82d0", "S04");
    assert_sci(L1_SPECIAL_RECORD "00112233", "S03");
    assert_sci(L1_SEND_RECORD "0010001f 0004001f 00001000 0340 0102 0304", "S01");
    assert_sci(L1_SEND_RECORD "0010009f 0004001f 00001000 0340 0000", "S01"); /* no such header */
    assert_sci(L1_UNKNOWN_RECORD "001000", "S01");
    assert_sci(L1_SEND_RECORD "0010001f 0004001f", "S01");
    /* selected bytes that end before they begin */
    assert_sci(L1_SEND_RECORD "00100013 0004001f 00001000 0348" L1_RESULT_IMAGE "80aa", "S04 S14");
}

/* A request-send with |len| bytes of data at |addr|. */
static void assert_block(uint64_t addr, uint32_t len, const char *rules)
{
    uint8_t data[256] = {0}, bytes[512] = {1, 0, 0, 0};
    gw_l1_sci sci = {
        .target = 0x10, .command = 0x20, .source = 4, .addr = addr, .data = data, .data_len = len};
    size_t built = gw_l1_build_send(bytes + 4, sizeof bytes - 4, &sci, gw_l1_profile_of(NULL));
    verdicts log = no_verdicts();
    gw_message m = gw_message_of(bytes, built + 4);

    m.part = GW_L1_SCI;
    m.frame = 1;
    gw_l1_check(&m, NULL, &log.sink);
    assert_string_equal(log.rules, rules);
}

static void blocks_do_not_cross(void **state)
{
    (void)state;
    assert_block(0x1000, 0, "");
    assert_block(0x1040, 64, "");
    assert_block(0x1080, 128, "");
    assert_block(0x1040, 128, "S14");
    assert_block(0x1020, 64, "S14");
    assert_block(0x1000, 256, "S02");
}

static void traces(void **state)
{
    (void)state;
    /* echo, idle, echo; then without the idle */
    assert_string_equal(check_as("010004 01011f 010010 0082d1 00ff00 010004 01011f 010010 0082d1",
                                 GW_L1_TRACE, "strict"),
                        "");
    assert_string_equal(
        check_as("010004 01011f 010010 0082d1 010004 01011f 010010 0082d1", GW_L1_TRACE, "strict"),
        "S09");
    assert_string_equal(check_as("010004 01011f 010010 0082d2", GW_L1_TRACE, "strict"), "S04");
    assert_string_equal(check_as("010004 00011f 000010 0082d1", GW_L1_TRACE, "strict"), "S01");
    /* a send of eight symbols, of which six come before the flag rises again */
    assert_string_equal(check_as("010004 01011f 010010 010082 000000 000000 010000 010000 010000"
                                 "000000 000000",
                                 GW_L1_TRACE, "strict"),
                        "S01 S09");
    /* the trace ends before the packet does */
    assert_string_equal(check_as("010004 01011f 010010 010082", GW_L1_TRACE, "strict"), "");
    assert_string_equal(check_as("010004 01011f 010010", GW_L1_TRACE, "strict"), "");
}

static void tags_and_registers(void **state)
{
    (void)state;
    assert_string_equal(check_as("0100054742", GW_L1_TAGNET, "strict"), "");
    assert_string_equal(check_as("0100054743", GW_L1_TAGNET, "strict"), "G05");
    assert_string_equal(check_as("0100054741", GW_L1_TAGNET, "strict"), "G05");
    assert_string_equal(check_as("0100054742", GW_L1_TAGNET, "hamming19"), "");
    assert_string_equal(check_as("0100054743", GW_L1_TAGNET, "hamming19"), "G05");
    assert_string_equal(check_as("0000010001", GW_L1_TAGNET, "strict"), "");
    assert_udp(L1_SHIM("05", "0008") "00010100 00000820", "");
    assert_udp(L1_SHIM("05", "0008") "00010100 00000824", "D04");
    assert_udp(L1_SHIM("05", "0008") "00020100 00000824", ""); /* ignored when read */
    assert_udp(L1_SHIM("05", "0008") "00010300 0000003f", "");
    assert_udp(L1_SHIM("05", "0008") "00010300 00000040", "D05");
    assert_udp(L1_SHIM("05", "0004") "00000300", "");
}

static void event_data(void **state)
{
    (void)state;
    assert_udp(L1_SHIM("80", "0010") L1_WORDS, "");
    assert_udp(L1_SHIM("80", "0010") "0000341200000000 0100341200000001", "E03");
    assert_udp(L1_SHIM("80", "0010") "0000341200000000 0100351200000000", "E03");
    assert_udp(L1_SHIM("80", "0010") "0000341200000000 0200341200000000", "E03");
    assert_udp(L1_SHIM("80", "0008") "0000351200000000", "E03"); /* not the tunnel's event */
    assert_udp(L1_SHIM("80", "0010") "0f00341200000000 1000341200000000", ""); /* counting on */
    assert_udp(L1_SHIM("80", "0008") "0000341201000000", "E03");
    assert_string_equal(
        check_as("0000000010000080 00000010 0003 00 00" L1_RESULT_IMAGE, GW_L1_MEMORY, "strict"),
        "");
    assert_string_equal(
        check_as("0000000010000080 00000088 0003 00 00" L1_WORDS, GW_L1_MEMORY, "strict"), "D06");
    assert_string_equal(
        check_as("0000000010000080 00000088 0003 01 00" L1_WORDS, GW_L1_MEMORY, "strict"), "");
}

static void detector_data(void **state)
{
    (void)state;
    assert_udp(L1_SHIM("08", "000c") "b0021234 0003 87ff e0021234", "");
    assert_udp(L1_SHIM("08", "0008") "b0021234 e0001234", "");
    assert_udp(L1_SHIM("08", "000c") "b0021234 0003 87ff e0031234", "E07");
    assert_udp(L1_SHIM("08", "000c") "b0021234 0003 87ff e0021235", "E07");
    assert_udp(L1_SHIM("08", "0006") "b0021234 0003", "E07");
#define ODE(hex, rules) assert_string_equal(check_as(hex, GW_L1_TUNNEL, "ode"), rules)
    ODE(L1_SHIM("00", "0012") "01021234 00120000 00040001 0003 00050000", "");
    ODE(L1_SHIM("00", "0012") "01021234 00140000 00040001 0003 00050000", "E07");
    ODE(L1_SHIM("00", "0012") "01021235 00120000 00040001 0003 00050000", "E07");
    ODE(L1_SHIM("00", "0012") "01021234 00120000 00040002 0003 00050000", "E07");
    /* bursts of a longer one: its first, and one from its middle; alone it is as long as it says */
#define ZEROS_28 "00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
#define ZEROS_112 ZEROS_28 ZEROS_28 ZEROS_28 ZEROS_28
    ODE(L1_SHIM("00", "0080") "01011234 00880000 0004003e 00000000 " ZEROS_112, "");
    ODE(L1_SHIM("00", "0080") "01011234 00780000 0004003e 00000000 " ZEROS_112, "E07");
    ODE(L1_SHIM("00", "0012") "00030005 00070009 000b000d 000f 00110013", "");
#undef ODE
}

static void results(void **state)
{
    (void)state;
    assert_udp(L1_SHIM("83", "0010") L1_RESULT_IMAGE, "");
    assert_udp(L1_SHIM("83", "0010") "0000efbe 00000401 18f7de00 19f7de00", "R02");
    assert_udp(L1_SHIM("83", "0010") "0100efbe 00000401 18f7de00 2df6de00", "R03");
    assert_udp(L1_SHIM("83", "0010") "0000efbe 03000401 18f7de00 2df6de00", "R04");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sci_packets), cmocka_unit_test(blocks_do_not_cross),
        cmocka_unit_test(traces),      cmocka_unit_test(tags_and_registers),
        cmocka_unit_test(event_data),  cmocka_unit_test(detector_data),
        cmocka_unit_test(results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

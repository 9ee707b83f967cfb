/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of every kind and carriage, cut, broken and put back; the thesis' examples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/testing/cover.h"
#include "l1farm/internal.h"
#include "l1farm/testing/frames.h"

enum { UDP = GW_L1_TUNNEL };

static const struct {
    const char *hex;
    uint64_t part;
    const char *dialect;
    uint64_t stops; /* gw_error_kind of the whole message */
    const char *summary;
} samples[] = {
    {L1_SEND_RECORD L1_WRITESB, GW_L1_SCI, "strict", GW_OK,
     "SCI writesb 0x4 -> 0x10 tid 31 @ 0x10000340, 16 B"},
    {L1_SEND_RECORD L1_WRITESB, GW_L1_SCI, "opaque", GW_OK,
     "SCI send 0x1f 0x4 -> 0x10 tid 31 @ 0x10000340, 16 B"},
    {L1_SEND_RECORD L1_WRITESB, GW_L1_SCI, "crc-ffff", GW_OK,
     "SCI writesb 0x4 -> 0x10 tid 31 @ 0x10000340, 16 B, CRC bad"},
    {L1_UNKNOWN_RECORD L1_WRITESB, GW_L1_SCI, "strict", GW_OK,
     "SCI writesb 0x4 -> 0x10 tid 31 @ 0x10000340, 16 B"},
    {L1_ECHO_RECORD L1_ECHO, GW_L1_SCI, "strict", GW_OK, "SCI echo 0x10 -> 0x4 tid 31"},
    {L1_ECHO_RECORD L1_ECHO, GW_L1_SCI, "opaque", GW_OK, "SCI echo 0x10 -> 0x4 tid 31"},
    {L1_UNKNOWN_RECORD L1_ECHO, GW_L1_SCI, "strict", GW_OK, "SCI echo 0x10 -> 0x4 tid 31"},
    {L1_ECHO_RECORD L1_ECHO "00", GW_L1_SCI, "strict", GW_MALFORMED,
     "SCI echo 0x10 -> 0x4 tid 31, malformed at byte 12"},
    {L1_SEND_RECORD "0010001f0004", GW_L1_SCI, "strict", GW_TRUNCATED,
     "SCI send packet, truncated at byte 10"},
    {L1_ECHO_RECORD "00040000", GW_L1_SCI, "strict", GW_TRUNCATED, "SCI echo, truncated at byte 8"},
    {L1_SPECIAL_RECORD "00112233445566778899aabbccddeeff", GW_L1_SCI, "strict", GW_OK,
     "SCI special packet"},
    {"01030002 ff00ff00", GW_L1_SCI, "strict", GW_OK, "SCI idle symbols"},
    {L1_UNKNOWN_RECORD "0102030405", GW_L1_SCI, "strict", GW_OK, "SCI packet of no known length"},
    {"02000000 0000", GW_L1_SCI, "strict", GW_UNSUPPORTED, "Level-1 farm, unsupported at byte 0"},
    {"01050000 0000", GW_L1_SCI, "strict", GW_UNSUPPORTED, "Level-1 farm, unsupported at byte 1"},
    /* an extended header without data: as long as 16 bytes of data without one */
    {L1_SEND_RECORD "00100080 0004001f 00001000 0340" L1_RESULT_IMAGE "0000", GW_L1_SCI, "strict",
     GW_OK, "SCI readsb 0x4 -> 0x10 tid 31 @ 0x10000340, 0 B, CRC bad"},
    {"00ff00 010004 01011f 010010 0082d1 00ff00", GW_L1_TRACE, "strict", GW_OK,
     "SCI trace, 6 clocks, 1 packet"},
    {"0000010001", GW_L1_TAGNET, "strict", GW_OK, "TIn asserted, RU 1"},
    {"0000010001 ", GW_L1_TAGNET, "uncoded", GW_OK, "TIn asserted, RU 1"},
    {"0100054742", GW_L1_TAGNET, "strict", GW_OK, "Tag for 0x1234"},
    {"0100054743", GW_L1_TAGNET, "strict", GW_OK, "Tag for 0x1234, corrected bit 0"},
    {"0100054740", GW_L1_TAGNET, "strict", GW_OK, "Tag for 0x1234, corrected bit 1"},
    {"0100054741", GW_L1_TAGNET, "strict", GW_OK, "Tag beyond correction, word 0x54741"},
    {"0100001234", GW_L1_TAGNET, "uncoded", GW_OK, "Tag for 0x1234"},
    {"0200001234", GW_L1_TAGNET, "strict", GW_UNSUPPORTED, "Level-1 farm, unsupported at byte 0"},
    {"0000000010000080 00000010 0003 00 00" L1_RESULT_IMAGE, GW_L1_MEMORY, "strict", GW_OK,
     "Result of 0xbeef by node 0x104, status 0, 14612013 of 14612248"},
    {"0000000010000080 00000018 0003 00 00" L1_WORDS "0200341200000000", GW_L1_MEMORY, "strict",
     GW_OK, "Event data @ 0x10000080 node 0x3, 24 B"},
    {"0000000010000080 00000003 0003 01 00 010203", GW_L1_MEMORY, "strict", GW_OK,
     "Data @ 0x10000080 node 0x3, 3 B"},
    {L1_SHIM("80", "0010") L1_WORDS, UDP, "strict", GW_OK,
     "Sub-event 0x1234 RU 1 -> 0x5 buffer 0, 16 B, step 7"},
    {L1_SHIM("00", "0008") "0000000012340000", UDP, "strict", GW_UNSUPPORTED,
     "Level-1 farm, unsupported at byte 3"},
    {L1_SHIM("80", "0000"), UDP, "strict", GW_OK,
     "Sub-event 0x1234 RU 1 -> 0x5 buffer 0, 0 B, step 7"},
    {L1_SHIM("80", "0008") L1_WORDS, UDP, "strict", GW_MALFORMED,
     "Sub-event 0x1234 RU 1 -> 0x5 buffer 0, 8 B, step 7, malformed at byte 28"},
    {L1_SHIM("80", "0020") L1_WORDS, UDP, "strict", GW_TRUNCATED,
     "Sub-event 0x1234 RU 1 -> 0x5 buffer 0, 16 B, step 7, truncated at byte 36"},
    {L1_SHIM("01", "0004") "00054742", UDP, "strict", GW_OK, "Tag for 0x1234"},
    {L1_SHIM("02", "0004") "02010002", UDP, "strict", GW_OK, "BIn asserted, RU 2"},
    {L1_SHIM("83", "0010") L1_RESULT_IMAGE, UDP, "strict", GW_OK,
     "Result of 0xbeef by node 0x104, status 0, 14612013 of 14612248"},
    {L1_SHIM("89", "0010") L1_RESULT_IMAGE, UDP, "strict", GW_OK,
     "Decision of 0xbeef by node 0x104, status 0, 14612013 of 14612248"},
    {L1_SHIM("83", "0012") L1_RESULT_IMAGE "0000", UDP, "strict", GW_MALFORMED,
     "Result of 0xbeef by node 0x104, status 0, 14612013 of 14612248, malformed at byte 36"},
    {L1_SHIM("04", "0026") L1_SEND_RECORD L1_WRITESB, UDP, "strict", GW_TRUNCATED,
     "SCI writesb 0x4 -> 0x10 tid 31 @ 0x10000340, 18 B, truncated at byte 56"},
    {L1_SHIM("04", "0024") L1_SEND_RECORD L1_WRITESB, UDP, "strict", GW_OK,
     "SCI writesb 0x4 -> 0x10 tid 31 @ 0x10000340, 16 B"},
    {L1_SHIM("05", "0008") "00010100 00000820", UDP, "strict", GW_OK, "Write DMACNTRL = 0x820"},
    {L1_SHIM("05", "0008") "00020400 00000007", UDP, "strict", GW_OK, "Value of TAGS = 0x7"},
    {L1_SHIM("05", "0004") "01000010", UDP, "strict", GW_OK, "Read BAR1 0x10"},
    {L1_SHIM("06", "0000"), UDP, "strict", GW_OK, "Released 0x1234 node 0x5 buffer 0, step 7"},
    {L1_SHIM("0a", "0000"), UDP, "strict", GW_OK, "Time-out 0x1234 node 0x5 buffer 0, step 7"},
    {L1_SHIM("0b", "0000"), UDP, "strict", GW_OK, "Entered 0x1234 node 0x5 buffer 0, step 7"},
    {L1_SHIM("0c", "0000"), UDP, "strict", GW_OK, "Listening 0x1234 node 0x5 buffer 0, step 7"},
    {L1_SHIM("0d", "0000"), UDP, "strict", GW_UNSUPPORTED, "Level-1 farm, unsupported at byte 3"},
    {L1_SHIM("87", "0010") "000000c2 00000000 20000000 00000000", UDP, "strict", GW_OK,
     "Descriptors, 1"},
    {L1_SHIM("87", "0010") "00000000 10000000 00000000 000000c2", UDP, "desc-top-down", GW_OK,
     "Descriptors, 1"},
    {L1_SHIM("87", "0010") "000000c2 10000000 00000000 00000000", UDP, "desc-prose", GW_OK,
     "Descriptors, 1"},
    {L1_SHIM("08", "000c") "b0021234 0003 87ff e0021234", UDP, "strict", GW_OK,
     "ODE block, 2 clusters"},
    {L1_SHIM("00", "0012") "01021234 00120000 00040001 0003 00050000", UDP, "ode", GW_OK,
     "Sub-event 0x1234 RU 1 -> 0x5 buffer 0, 18 B, step 7"},
    {L1_SHIM("00", "0010") "01021234 00100000 00040001 0003 0005", UDP, "final", GW_TRUNCATED,
     "Sub-event 0x1234 RU 1 -> 0x5 buffer 0, 16 B, step 7, truncated at byte 36"},
    {"4c3102800100000512340000000700000080 0000", UDP, "strict", GW_UNSUPPORTED,
     "Level-1 farm, unsupported at byte 2"},
    {"4c32018001000005", UDP, "strict", GW_MALFORMED, "Level-1 farm, malformed at byte 0"},
};

static const gw_dialect *dialect_of(size_t i)
{
    const gw_dialect *d = gw_dialect_by_name(&gw_l1farm, samples[i].dialect);
    assert_non_null(d);
    return d;
}

static gw_message sample(size_t i, uint8_t *out, size_t cap)
{
    gw_message m = gw_message_of(out, gw_hex_bytes(out, cap, samples[i].hex));
    m.part = (uint8_t)samples[i].part;
    m.transport = samples[i].part == UDP ? GW_OVER_UDP : GW_OVER_NOTHING;
    return m;
}

static void samples_are_read_as_they_were_meant(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        uint8_t bytes[256];
        char line[128];
        gw_message m = sample(i, bytes, sizeof bytes);
        gw_l1_unit u;
        gw_text t = gw_text_over(line, sizeof line);
        gw_error error = gw_l1_decode(&u, &m, dialect_of(i));
        if (error.kind != samples[i].stops)
            fail_msg("sample %zu stops with %s at %u", i, gw_error_kind_name(error.kind),
                     error.offset);
        gw_l1_summary(&m, dialect_of(i), &t);
        if (strcmp(line, samples[i].summary) != 0)
            fail_msg("sample %zu: %s", i, line);
        gw_error walked;
        const char *fault = gw_cover_walk(&gw_l1farm, &m, dialect_of(i), &walked);
        if (fault != NULL)
            fail_msg("sample %zu: %s", i, fault);
        assert_int_equal(walked.kind, error.kind);
        assert_int_equal(walked.offset, error.offset);
        assert_ptr_equal(walked.field, error.field);
    }
}

/* A run of clocks, idle symbols, and a packet that cannot be read may end anywhere. */
static bool ends_anywhere(const gw_message *m, uint32_t len)
{
    if (m->part == GW_L1_TRACE)
        return len % GW_L1_CLOCK == 0;
    return m->part == GW_L1_SCI && len >= GW_L1_SCI_RECORD &&
           (m->data[1] != GW_L1_SCI_SEND || len >= GW_L1_SCI_RECORD + GW_L1_SCI_HEADER + 2);
}

/* Cut by the sender or by the capture at every byte: whole fields stay, nothing is lost, and a cut
 * that the capture made is called that. */
static void cuts_are_told_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        uint8_t bytes[256];
        gw_message whole = sample(i, bytes, sizeof bytes);
        for (uint32_t len = 0; len < whole.len; len++) {
            uint8_t *copy = malloc(len + 1); /* so that a sanitizer sees one byte too many */
            assert_non_null(copy);
            memcpy(copy, bytes, len);
            gw_message m = whole;
            m.data = copy;
            m.cap_len = len;
            gw_l1_unit u;
            gw_error walked;
            gw_error captured = gw_l1_decode(&u, &m, dialect_of(i));
            assert_null(gw_cover_walk(&gw_l1farm, &m, dialect_of(i), &walked));
            if (samples[i].stops == GW_OK) {
                if (captured.kind != GW_TRUNCATED || !captured.capture_cut)
                    fail_msg("sample %zu cut at %u: %s at %u", i, len,
                             gw_error_kind_name(captured.kind), captured.offset);
            }
            m.len = len;
            gw_error sent = gw_l1_decode(&u, &m, dialect_of(i));
            assert_null(gw_cover_walk(&gw_l1farm, &m, dialect_of(i), &walked));
            assert_false(sent.capture_cut);
            if (samples[i].stops == GW_OK && !ends_anywhere(&m, len))
                assert_int_equal(sent.kind, GW_TRUNCATED);
            free(copy);
        }
    }
}

static const gw_l1_profile *profile(const char *name)
{
    return gw_l1_profile_of(gw_dialect_by_name(&gw_l1farm, name));
}

static void packets_are_built_as_they_are_read(void **state)
{
    uint8_t data[GW_L1_RESULT], expected[64], built[64];
    gw_l1_sci sci = {.target = 0x0010,
                     .source = 0x0004,
                     .control = 31,
                     .command = 0x1f, /* writesb, up to byte 15 (assumed) */
                     .addr = 0x10000340,
                     .data = data,
                     .data_len = sizeof data};
    gw_l1_result r = {.nallok = 14612013, .ntries = 14612248, .node_id = 0x104, .tag_id = 0xbeef};

    (void)state;
    gw_l1_put_result(data, &r);
    size_t len = gw_hex_bytes(expected, sizeof expected, L1_WRITESB);
    assert_int_equal(gw_l1_build_send(built, sizeof built, &sci, profile("strict")), len);
    assert_memory_equal(built, expected, len);
    assert_int_equal(gw_l1_build_send(built, len - 1, &sci, profile("strict")), 0);
    assert_int_equal(gw_l1_sci_crc(profile("crc-ffff"), expected, len - 2), 0x2a8f);

    gw_hex_bytes(expected, sizeof expected, L1_ECHO);
    gw_l1_build_echo(built, &sci, 0x0010, false, false, profile("strict"));
    assert_memory_equal(built, expected, GW_L1_SCI_ECHO);
    gw_l1_build_echo(built, &sci, 0x0010, true, true, profile("strict"));
    assert_int_equal(gw_load_be16(built + 2), 0x01df);
}

/* Flow control is not under the CRC (T 4.4.3); every other bit is. */
static void flow_control_does_not_change_the_crc(void **state)
{
    uint8_t bytes[64];
    size_t len = gw_hex_bytes(bytes, sizeof bytes, L1_WRITESB) - 2;
    uint16_t crc = gw_l1_sci_crc(profile("strict"), bytes, len);

    (void)state;
    assert_int_equal(crc, 0x00ca);
    for (size_t bit = 0; bit < len * 8; bit++) {
        bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        bool changed = gw_l1_sci_crc(profile("strict"), bytes, len) != crc;
        assert_int_equal(changed, bit < 16 || bit > 22);
        bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    }
}

/* The five knobs of the CRC, on the usual nine characters; no flow control among them. */
static void crcs_follow_their_parameters(void **state)
{
    const uint8_t *check = (const uint8_t *)"123456789";
    gw_l1_profile p = {.crc = {.poly = 0x1021}};

    (void)state;
    assert_int_equal(gw_l1_sci_crc(&p, check, 9), 0x31c3); /* XMODEM */
    p.crc.seed = 0xffff;
    assert_int_equal(gw_l1_sci_crc(&p, check, 9), 0x29b1); /* CCITT-FALSE */
    p.crc.xorout = 0xffff;
    p.crc.reflected = true;
    assert_int_equal(gw_l1_sci_crc(&p, check, 9), 0x906e); /* X.25 */
}

static void event_words_lie_as_in_memory(void **state)
{
    uint8_t words[16 * GW_L1_WORD];
    static const uint8_t last[] = {0x0f, 0, 0x34, 0x12, 0, 0, 0, 0};

    (void)state;
    gw_l1_put_words(words, 0x1234, 0, 16);
    assert_memory_equal(words + sizeof words - GW_L1_WORD, last, sizeof last);
    assert_int_equal(gw_load_le32(words), 0x12340000);
    assert_true(gw_l1_words_ok(words, 16, 0x1234));
    assert_true(gw_l1_words_ok(words, 0, 7));
    assert_false(gw_l1_words_ok(words, 16, 0x1235));
    for (size_t bit = 0; bit < sizeof words * 8; bit++) {
        words[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(gw_l1_words_ok(words, 16, 0x1234));
        words[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    gw_l1_put_words(words, 0xffff, 0xfff8, 16); /* the index wraps */
    assert_true(gw_l1_words_ok(words, 16, 0xffff));
}

static void descriptors_survive_each_order(void **state)
{
    static const char *const dialects[] = {"strict", "desc-top-down", "desc-prose"};
    gw_l1_descriptor d = {.target = 0xc2000000, .blocksize = 0x20, .unused = {1, 2}};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(dialects); i++) {
        uint8_t bytes[GW_L1_DESCRIPTOR];
        gw_l1_put_descriptor(bytes, &d, profile(dialects[i]));
        gw_l1_descriptor back = gw_l1_get_descriptor(bytes, profile(dialects[i]));
        assert_memory_equal(&back, &d, sizeof d);
    }
}

static void shims_survive_the_way_there_and_back(void **state)
{
    gw_l1_shim s = {.version = 1,
                    .kind = GW_L1_KIND_RESULT,
                    .little = true,
                    .ru = 33,
                    .buffer = 1,
                    .dest = 0x3fff,
                    .event = 0xfffe,
                    .step = 0x12345678,
                    .offset = 0x9abcdef0,
                    .length = 782};
    uint8_t bytes[GW_L1_SHIM], again[GW_L1_SHIM];

    (void)state;
    gw_l1_put_shim(bytes, &s);
    gw_l1_shim back = gw_l1_get_shim(bytes);
    gw_l1_put_shim(again, &back);
    assert_memory_equal(bytes, again, sizeof bytes);
    assert_int_equal(back.dest, s.dest);
    assert_int_equal(back.length, s.length);
    assert_true(back.little && back.kind == s.kind && back.step == s.step);
    assert_true(gw_l1_is_tunnel(bytes, sizeof bytes));
    assert_false(gw_l1_is_tunnel(bytes, 2));
}

/* Two echoes with an idle symbol between, and a clock that breaks off. */
static void a_trace_is_read_packet_by_packet(void **state)
{
    uint8_t bytes[64];
    size_t len = gw_hex_bytes(bytes, sizeof bytes,
                              "010004 01011f 010010 0082d1 00ff00 010004 01011f 010010 0082d1 00");
    gw_l1_traced p;
    size_t at = 0;

    (void)state;
    assert_true(gw_l1_trace_next(&p, bytes, len, &at));
    assert_int_equal(at, 12);
    assert_true(p.first && p.whole && p.kind == GW_L1_SCI_IS_ECHO);
    assert_int_equal(p.offset, 0);
    assert_int_equal(p.high, 3);
    assert_int_equal(p.len, 8);
    assert_int_equal(p.symbols[7], 0xd1);
    assert_true(gw_l1_trace_next(&p, bytes, len, &at));
    assert_int_equal(at, 27);
    assert_true(!p.first && p.whole);
    assert_int_equal(p.offset, 15);
    assert_int_equal(p.idles, 1);
    assert_false(gw_l1_trace_next(&p, bytes, len, &at));
    assert_int_equal(at, 27);
    at = len + 1;
    assert_false(gw_l1_trace_next(&p, bytes, len, &at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_read_as_they_were_meant),
        cmocka_unit_test(cuts_are_told_where_they_are),
        cmocka_unit_test(packets_are_built_as_they_are_read),
        cmocka_unit_test(flow_control_does_not_change_the_crc),
        cmocka_unit_test(crcs_follow_their_parameters),
        cmocka_unit_test(event_words_lie_as_in_memory),
        cmocka_unit_test(descriptors_survive_each_order),
        cmocka_unit_test(shims_survive_the_way_there_and_back),
        cmocka_unit_test(a_trace_is_read_packet_by_packet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

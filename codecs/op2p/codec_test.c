/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames of the datasheet and of the reference core's simulation, cut, broken and put back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/testing/cover.h"
#include "op2p/internal.h"
#include "op2p/testing/frames.h"

/* One message of each kind and carriage. */
static const struct {
    const char *hex;
    gw_transport_kind transport;
    uint8_t part;
    uint8_t stops; /* gw_error_kind of the whole message */
    const char *summary;
} samples[] = {
    {OP2P_WRITE_16, GW_OVER_NOTHING, 0, GW_OK, "Write 16 B 1.1 -> 1.2 @ 0x2000"},
    {OP2P_READ_STALE, GW_OVER_NOTHING, 0, GW_OK, "Read 16 B 1.1 -> 1.2 @ 0x4000"},
    {OP2P_READ_16, GW_OVER_NOTHING, 0, GW_OK, "Read 16 B 1.1 -> 1.2 @ 0x4000"},
    {OP2P_COMPLETION_4, GW_OVER_NOTHING, 0, GW_OK, "Completion 4 B 1.1 -> 1.2 @ 0x200"},
    {OP2P_COMPLETION_FROM_0, GW_OVER_NOTHING, 0, GW_OK, "Completion 4 B partner -> 1.2 @ 0x200"},
    {OP2P_ERROR_16, GW_OVER_NOTHING, 0, GW_UNSUPPORTED,
     "Reserved type 0x4 16 B 1.1 -> 1.2 @ 0x200, status unknown error, unsupported at byte 14"},
    {OP2P_RETRANSMIT_8, GW_OVER_NOTHING, 0, GW_OK,
     "Retransmit request 8 B 1.1 -> partner @ 0x200, status unknown error"},
    {OP2P_EVENT OP2P_READ_16, GW_OVER_NOTHING, GW_OP2P_EVENT, GW_OK,
     "Read 16 B 1.1 -> 1.2 @ 0x4000"},
    {"01020000 0001ffff", GW_OVER_NOTHING, GW_OP2P_EVENT, GW_OK, "Channel down"},
    {OP2P_TUNNEL OP2P_WRITE_16, GW_OVER_UDP, 0, GW_OK, "Write 16 B 1.1 -> 1.2 @ 0x2000"},
    {OP2P_WRITE_16, GW_OVER_UDP, 0, GW_OK, "Write 16 B 1.1 -> 1.2 @ 0x2000"},
    {"4f320101 000f0007", GW_OVER_UDP, 0, GW_OK, "XOFF"},
    {"4f320101 00000007", GW_OVER_UDP, 0, GW_OK, "XON"},
    {"4f320101 00030007", GW_OVER_UDP, 0, GW_OK, "Pause of 8 beats"},
    {"4f320103 02000007", GW_OVER_UDP, 0, GW_OK, "Error burst, link error"},
    {"4f320104 00000007", GW_OVER_UDP, 0, GW_UNSUPPORTED,
     "Unknown link event, unsupported at byte 3"},
    {"4f320101 00000007 00", GW_OVER_UDP, 0, GW_MALFORMED, "XON, malformed at byte 8"},
    {"02000000 0001ffff" OP2P_READ_16, GW_OVER_NOTHING, GW_OP2P_EVENT, GW_UNSUPPORTED,
     "Packet, unsupported at byte 0"},
    {OP2P_READ_16 "d0", GW_OVER_NOTHING, 0, GW_MALFORMED,
     "Read 16 B 1.1 -> 1.2 @ 0x4000, malformed at byte 16"},
    {"0041004200002000000010000003 00f0 a0a1a2a3", GW_OVER_NOTHING, 0, GW_OK,
     "Write 3 B 1.1 -> 1.2 @ 0x2000"},
};

static gw_message sample(size_t i, uint8_t *out, size_t cap)
{
    gw_message m = gw_message_of(out, gw_hex_bytes(out, cap, samples[i].hex));
    m.transport = (uint8_t)samples[i].transport;
    m.part = samples[i].part;
    return m;
}

static void samples_are_read_as_they_were_meant(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        uint8_t bytes[256];
        char line[128];
        gw_message m = sample(i, bytes, sizeof bytes);
        gw_op2p_packet p;
        gw_text t = gw_text_over(line, sizeof line);
        gw_error error = gw_op2p_decode(&p, &m);
        if (error.kind != samples[i].stops)
            fail_msg("sample %zu stops with %s at %u", i, gw_error_kind_name(error.kind),
                     error.offset);
        gw_op2p_summary(&m, NULL, &t);
        assert_string_equal(line, samples[i].summary);
        gw_error walked;
        const char *fault = gw_cover_walk(&gw_op2p, &m, NULL, &walked);
        if (fault != NULL)
            fail_msg("sample %zu: %s", i, fault);
    }
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
            gw_op2p_packet p;
            gw_error walked;
            gw_error captured = gw_op2p_decode(&p, &m);
            assert_null(gw_cover_walk(&gw_op2p, &m, NULL, &walked));
            if (samples[i].stops == GW_OK) {
                assert_int_equal(captured.kind, GW_TRUNCATED);
                assert_true(captured.capture_cut);
            }
            m.len = len;
            gw_error sent = gw_op2p_decode(&p, &m);
            assert_null(gw_cover_walk(&gw_op2p, &m, NULL, &walked));
            assert_false(sent.capture_cut);
            if (len < GW_OP2P_HEADER && samples[i].transport == GW_OVER_NOTHING &&
                samples[i].part == GW_OP2P_BARE)
                assert_int_equal(sent.kind, GW_TRUNCATED);
            free(copy);
        }
    }
}

static void headers_survive_the_way_there_and_back(void **state)
{
    gw_op2p_header h = {.src_id = 0xffc1,
                        .dst_id = 0x1234,
                        .dst_addr = 0xdeadbeef,
                        .src_addr = 0x01020304,
                        .byte_count = 0xfffc,
                        .type = 10,
                        .status = 2,
                        .fbe = 12,
                        .rfu = 5};
    uint8_t bytes[GW_OP2P_HEADER];

    (void)state;
    gw_op2p_put(bytes, &h);
    gw_op2p_header back = gw_op2p_get(bytes);
    assert_int_equal(back.src_id, h.src_id);
    assert_int_equal(back.dst_id, h.dst_id);
    assert_int_equal(back.dst_addr, h.dst_addr);
    assert_int_equal(back.src_addr, h.src_addr);
    assert_int_equal(back.byte_count, h.byte_count);
    assert_int_equal(back.type << 12 | back.status << 8 | back.fbe << 4 | back.rfu, 0xa2c5);
    assert_int_equal(bytes[0], 0xff); /* source id, most significant byte first */
    assert_int_equal(bytes[14], 0xa2);
    assert_int_equal(bytes[15], 0xc5);
    assert_int_equal(gw_op2p_chassis(0x0042), 1);
    assert_int_equal(gw_op2p_slot(0x0042), 2);
}

/* vhdl 2254 */
static void byte_enables_name_the_first_byte(void **state)
{
    static const struct {
        uint8_t fbe, first;
        bool known;
    } table[] = {{1, 0, true},  {2, 1, true},  {4, 2, true},  {8, 3, true},  {3, 0, true},
                 {12, 2, true}, {15, 0, true}, {0, 0, false}, {5, 0, false}, {14, 0, false}};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(table); i++) {
        assert_int_equal(gw_op2p_first_byte(table[i].fbe), table[i].first);
        assert_int_equal(gw_op2p_fbe_known(table[i].fbe), table[i].known);
    }
}

static void memory_order_reverses_each_double_word(void **state)
{
    uint8_t wire[] = {3, 2, 1, 0, 7, 6, 5, 4}, memory[8];
    static const uint8_t expected[] = {0, 1, 2, 3, 4, 5, 6, 7};

    (void)state;
    gw_op2p_swap(memory, wire, sizeof wire);
    assert_memory_equal(memory, expected, sizeof expected);
    gw_op2p_swap(wire, wire, sizeof wire);
    assert_memory_equal(wire, expected, sizeof expected);
}

static void registers_have_names(void **state)
{
    (void)state;
    assert_int_equal(gw_op2p_registers.num, 22);
    for (size_t i = 0; i < gw_op2p_registers.num; i++)
        assert_int_equal(gw_op2p_registers.registers[i].offset, 4 * i);
    assert_string_equal(gw_op2p_registers.registers[GW_OP2P_LOCALID / 4].name, "localid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_read_as_they_were_meant),
        cmocka_unit_test(cuts_are_told_where_they_are),
        cmocka_unit_test(headers_survive_the_way_there_and_back),
        cmocka_unit_test(byte_enables_name_the_first_byte),
        cmocka_unit_test(memory_order_reverses_each_double_word),
        cmocka_unit_test(registers_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

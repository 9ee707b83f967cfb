/* SPDX-License-Identifier: BSD-2-Clause */
/* Words: layouts, byte orders, credits, footers, what a check byte says; and the register map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "textarossa/internal.h"
#include "textarossa/testing/packets.h"

static void assert_word(gw_tx_word word, uint64_t hi, uint64_t lo)
{
    if (word.hi != hi || word.lo != lo)
        fail_msg("%016llx %016llx, %016llx %016llx is expected", (unsigned long long)word.hi,
                 (unsigned long long)word.lo, (unsigned long long)hi, (unsigned long long)lo);
}

static void assert_header(gw_tx_header a, const gw_tx_header *b)
{
    assert_int_equal(a.virt_chan, b->virt_chan);
    assert_int_equal(a.proc_id, b->proc_id);
    assert_int_equal(a.dest_x, b->dest_x);
    assert_int_equal(a.dest_y, b->dest_y);
    assert_int_equal(a.dest_z, b->dest_z);
    assert_int_equal(a.intra_dest, b->intra_dest);
    assert_int_equal(a.reserved, b->reserved);
    assert_int_equal(a.out_of_lattice, b->out_of_lattice);
    assert_int_equal(a.packet_type, b->packet_type);
    assert_int_equal(a.packet_size, b->packet_size);
    assert_true(a.dest_addr == b->dest_addr);
    assert_int_equal(a.num_of_hops, b->num_of_hops);
    assert_int_equal(a.edac, b->edac);
}

/* Headers of the published code, in port layout. */
static void known_headers_are_packed(void **state)
{
    static const struct {
        gw_tx_header header;
        uint64_t hi, lo;
    } known[] = {
        {{.dest_x = 1, .packet_size = 16, .dest_addr = 0xfafbfcfd},
         0x000000003ebeff3f,
         0x4010000000200000},
        {{.dest_x = 1, .packet_size = 4096, .intra_dest = 3, .dest_addr = 0xfafbfcfd},
         0x000000003ebeff3f,
         0x5000006000200000},
        {{.dest_x = 2, .packet_size = 64, .intra_dest = 1, .proc_id = 127, .dest_addr = 0xfafbfcfd},
         0x000000003ebeff3f,
         0x4040002000400fe0},
        {{.virt_chan = 0x10, .dest_x = 1, .packet_type = 0x10}, 0, 0x0000800000200010},
        {{.virt_chan = 1, .dest_x = 5, .packet_size = 17, .dest_addr = 0xfafbfcfd},
         0x000000003ebeff3f,
         0x4011000000a00001},
        {{.dest_x = 40, .packet_size = 32, .out_of_lattice = 1, .dest_addr = 0xfafbfcfd},
         0x000000003ebeff3f,
         0x4020040005000000},
        {{.virt_chan = 0x10, .packet_size = 16, .packet_type = 0, .dest_addr = 0xfa62c0a80002},
         0x00003e98b02a0000,
         0x8010000000000010},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(known); i++) {
        assert_word(gw_tx_pack(&known[i].header, GW_TX_PORT), known[i].hi, known[i].lo);
        gw_tx_word word = {known[i].lo, known[i].hi};
        assert_header(gw_tx_unpack(word, GW_TX_PORT), &known[i].header);
    }
}

/* The HLS view packs first fields at the top: what port layout has in bits hi..lo it has in
 * 127-lo..127-hi, the bits inside of a field in their order. */
static void both_layouts_hold_the_same_fields(void **state)
{
    gw_tx_header h = {.virt_chan = 0x15,
                      .proc_id = 0xa55a,
                      .dest_x = 0x2b,
                      .dest_y = 0x13,
                      .dest_z = 0x19,
                      .intra_dest = 0xa,
                      .reserved = 1,
                      .out_of_lattice = 0,
                      .packet_type = 0x16,
                      .packet_size = 0x2f0d,
                      .dest_addr = UINT64_C(0x923456789abd),
                      .num_of_hops = 0x2d5,
                      .edac = 0xc9};

    (void)state;
    for (int layout = GW_TX_PORT; layout <= GW_TX_HLS; layout++) {
        gw_tx_word word = gw_tx_pack(&h, (gw_tx_layout)layout);
        assert_header(gw_tx_unpack(word, (gw_tx_layout)layout), &h);
    }
    gw_tx_word hls = gw_tx_pack(&h, GW_TX_HLS);
    assert_int_equal(hls.hi >> 59, 0x15);
    assert_int_equal(hls.hi >> 43 & 0xffff, 0xa55a);
    assert_int_equal(hls.hi >> 2 & 0x3fff, 0x2f0d);
    assert_int_equal(hls.lo & 0xff, 0xc9);
    assert_word(gw_tx_footer_word(GW_TX_FOOTER_HAPECOM, GW_TX_HLS), 0, 0x0002aabaaeb00099);
    assert_word(gw_tx_footer_word(GW_TX_FOOTER_STREAMING, GW_TX_HLS), 0, 0x99);
}

/* A value too wide for its field touches no other. */
static void wide_values_are_cut(void **state)
{
    gw_tx_header h = {.virt_chan = 0xff, .packet_size = 0xffff, .dest_x = 0xff};

    (void)state;
    h.dest_addr = UINT64_MAX;
    h.num_of_hops = 0xffff;
    for (int layout = GW_TX_PORT; layout <= GW_TX_HLS; layout++) {
        gw_tx_header back =
            gw_tx_unpack(gw_tx_pack(&h, (gw_tx_layout)layout), (gw_tx_layout)layout);
        assert_int_equal(back.virt_chan, 0x1f);
        assert_int_equal(back.proc_id, 0);
        assert_int_equal(back.dest_x, 0x3f);
        assert_int_equal(back.dest_y, 0);
        assert_int_equal(back.packet_type, 0);
        assert_int_equal(back.packet_size, 0x3fff);
        assert_true(back.dest_addr == UINT64_C(0xffffffffffff));
        assert_int_equal(back.num_of_hops, 0x3ff);
        assert_int_equal(back.edac, 0);
    }
}

static void bytes_come_in_three_orders(void **state)
{
    gw_tx_word word = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};

    (void)state;
    for (unsigned bytes = GW_TX_WORD; bytes <= GW_TX_WIDE_WORD; bytes *= 2) {
        for (int order = GW_TX_ORDER_A; order <= GW_TX_ORDER_C; order++) {
            uint8_t out[GW_TX_WIDE_WORD];
            unsigned swizzle = gw_tx_swizzle(bytes, (gw_tx_order)order);
            gw_tx_store(out, bytes, (gw_tx_order)order, word);
            for (unsigned k = 0; k < bytes; k++)
                assert_int_equal(out[k ^ swizzle], k < GW_TX_WORD ? k : 0);
            gw_tx_word back = gw_tx_load(out, bytes, (gw_tx_order)order);
            assert_word(back, word.hi, word.lo);
        }
    }
}

/* What the simulated links sent while idle. */
static void credits_hold_two_channels(void **state)
{
    uint8_t bytes[16];

    (void)state;
    gw_hex_bytes(bytes, sizeof bytes, TX_CREDIT_5);
    gw_tx_word word = gw_tx_load(bytes, 16, GW_TX_ORDER_A);
    gw_tx_credit credit = gw_tx_credit_unpack(word);
    for (unsigned vc = 0; vc < GW_TX_NUM_VCS; vc++) {
        assert_int_equal(credit.vc[vc].header, 0x45);
        assert_int_equal(credit.vc[vc].data, 0x45);
    }
    assert_int_equal(credit.edac, 0x42);
    gw_tx_word back = gw_tx_credit_pack(&credit);
    assert_word(back, word.hi, word.lo);
    back.hi = 0;
    assert_word(gw_tx_protect(back), word.hi, word.lo);
    gw_tx_credit most = {.vc = {{0xff, 0xffff}, {0, 0}}};
    assert_word(gw_tx_credit_pack(&most), 0, 0x3ffff);
}

static void footers_tell_their_senders(void **state)
{
    gw_tx_word other = {1, 2};

    (void)state;
    for (int layout = GW_TX_PORT; layout <= GW_TX_HLS; layout++) {
        for (int kind = GW_TX_FOOTER_HAPECOM; kind <= GW_TX_FOOTER_LEGACY; kind++) {
            gw_tx_word word = gw_tx_footer_word((gw_tx_footer)kind, (gw_tx_layout)layout);
            assert_int_equal(gw_tx_footer_kind(word, (gw_tx_layout)layout), kind);
        }
        assert_int_equal(gw_tx_footer_kind(other, (gw_tx_layout)layout), GW_TX_FOOTER_UNKNOWN);
    }
    assert_word(gw_tx_footer_word(GW_TX_FOOTER_UNKNOWN, GW_TX_PORT), 0, 0);
    assert_word(gw_tx_footer_word(GW_TX_FOOTER_GENERATOR, GW_TX_HLS), UINT64_MAX, UINT64_MAX);
}

static gw_tx_word flipped(gw_tx_word word, unsigned bit)
{
    if (bit < 64)
        word.lo ^= UINT64_C(1) << bit;
    else
        word.hi ^= UINT64_C(1) << (bit - 64);
    return word;
}

/* The flips of the simulated header of 16 bytes to x = 1, whose check byte is 0 (sim D). */
static void a_check_byte_tells_what_was_flipped(void **state)
{
    gw_tx_word sent = {UINT64_C(0x4010000000200000), UINT64_C(0x000000003ebeff3f)};
    const gw_tx_dialect *strict = gw_tx_dialect_of(NULL);
    const gw_tx_dialect *rtl = gw_tx_dialect_of(gw_dialect_by_name(&gw_textarossa, "rtl"));

    (void)state;
    assert_word(gw_tx_protect(sent), sent.hi, sent.lo);
    gw_tx_edac e = gw_tx_edac_judge(sent, true, strict);
    assert_int_equal(e.status, GW_TX_EDAC_CLEAN);
    assert_int_equal(e.bit, 0xff);
    for (unsigned bit = 0; bit < 128; bit++) {
        e = gw_tx_edac_judge(flipped(sent, bit), true, strict);
        assert_int_equal(e.status, GW_TX_EDAC_CORRECTED);
        assert_int_equal(e.bit, bit);
        assert_word(e.word, sent.hi, sent.lo);
    }
    e = gw_tx_edac_judge(flipped(sent, 21), true, strict);
    assert_int_equal(e.syndrome, 0x9b);
    e = gw_tx_edac_judge(flipped(sent, 124), true, strict);
    assert_int_equal(e.syndrome, 0x88);
    gw_tx_word twice = flipped(flipped(sent, 21), 100);
    assert_int_equal(gw_tx_edac_judge(twice, true, strict).status, GW_TX_EDAC_FATAL);
    assert_int_equal(gw_tx_edac_judge(twice, true, rtl).status, GW_TX_EDAC_FATAL);
    /* One of the 448 double flips that the published decoder takes for clean. */
    twice = flipped(flipped(sent, 21), 25);
    assert_int_equal(gw_tx_edac_judge(twice, true, rtl).syndrome, 0x04);
    assert_int_equal(gw_tx_edac_judge(twice, true, rtl).status, GW_TX_EDAC_CLEAN);
    assert_int_equal(gw_tx_edac_judge(twice, true, strict).status, GW_TX_EDAC_FATAL);
}

/* Links run without EDAC unless told: a check byte of 0 is then no error. */
static void a_check_byte_of_0_may_be_none(void **state)
{
    gw_tx_word sent = {UINT64_C(0x4001000000200000), UINT64_C(0x000000003ebeff3f)};
    const gw_tx_dialect *strict = gw_tx_dialect_of(NULL);

    (void)state;
    assert_int_equal(gw_tx_protect(sent).hi >> 56, 0x18);
    assert_int_equal(gw_tx_edac_judge(sent, false, strict).status, GW_TX_EDAC_OFF);
    assert_int_not_equal(gw_tx_edac_judge(sent, true, strict).status, GW_TX_EDAC_OFF);
    gw_tx_word hit = flipped(gw_tx_protect(sent), 3);
    assert_int_equal(gw_tx_edac_judge(hit, false, strict).status, GW_TX_EDAC_CORRECTED);
}

/* A flipped size is corrected before it counts; the published receiver takes it as it came. */
static void framing_goes_by_the_corrected_header(void **state)
{
    gw_tx_word sent = {UINT64_C(0x4010000000200000), UINT64_C(0x000000003ebeff3f)};
    const gw_tx_dialect *strict = gw_tx_dialect_of(NULL);
    const gw_tx_dialect *rtl = gw_tx_dialect_of(gw_dialect_by_name(&gw_textarossa, "rtl"));
    gw_tx_word hit = flipped(sent, 53);

    (void)state;
    assert_int_equal(gw_tx_framing(hit, true, strict).packet_size, 16);
    assert_int_equal(gw_tx_framing(hit, true, rtl).packet_size, 48);
}

static void sizes_are_rounded_up_to_words(void **state)
{
    static const struct {
        uint32_t size, narrow, wide;
    } known[] = {{0, 0, 0},        {1, 1, 1},         {16, 1, 1},       {17, 2, 1},
                 {32, 2, 1},       {33, 3, 2},        {4095, 256, 128}, {4096, 256, 128},
                 {4097, 257, 129}, {16383, 1024, 512}};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(known); i++) {
        gw_tx_header h = {.packet_size = (uint16_t)known[i].size};
        assert_int_equal(gw_tx_words(known[i].size, GW_TX_WORD), known[i].narrow);
        assert_int_equal(gw_tx_words(known[i].size, GW_TX_WIDE_WORD), known[i].wide);
        assert_int_equal(gw_tx_packet_words(&h, GW_TX_WORD), known[i].narrow + 2);
        h.packet_type = GW_TX_TYPE_HEADER_ONLY;
        assert_int_equal(gw_tx_packet_words(&h, GW_TX_WORD), 1);
    }
}

static void registers_have_places_and_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_tx_registers.num; i++) {
        const gw_register *r = &gw_tx_registers.registers[i];
        assert_int_equal(r->offset % 4, 0);
        assert_true(r->offset < GW_TX_REGISTERS);
        if (i > 0)
            assert_true(r->offset > gw_tx_registers.registers[i - 1].offset);
        assert_ptr_equal(gw_register_at(&gw_tx_registers, r->offset), r);
        assert_ptr_equal(gw_register_by_name(&gw_tx_registers, r->name), r);
    }
    assert_null(gw_register_at(&gw_tx_registers, 0));
    assert_null(gw_register_at(&gw_tx_registers, 0x320 + 1));
    assert_null(gw_register_by_name(&gw_tx_registers, "NO_REG"));
    assert_null(gw_register_by_name(&gw_tx_registers, "RESET_REG_"));
    assert_int_equal(gw_register_by_name(&gw_tx_registers, "reset_reg")->offset, GW_TX_RESET_REG);
    /* Places where the deliverable's table slips. */
    assert_int_equal(gw_register_by_name(&gw_tx_registers, "LINK_1_RX_FTR")->offset, 0x18c);
    assert_int_equal(gw_register_by_name(&gw_tx_registers, "FIFO_REGISTER")->offset, 0x25c);
    assert_int_equal(gw_register_by_name(&gw_tx_registers, "ETH_RX_GOOD_BYTE_LSB")->offset, 0x334);
    assert_int_equal(gw_register_by_name(&gw_tx_registers, "INTRANODE_FIFO_DT_RX_WR_3")->offset,
                     0x10c);
    assert_int_equal(gw_register_by_name(&gw_tx_registers, "LINK1_RD_WR_CNT_11")->offset, 0x214);
    assert_int_equal(gw_register_by_name(&gw_tx_registers, "LATTICESIZE_REG")->reset, 0xffffffff);
}

static void half_a_control_word_is_none(void **state)
{
    (void)state;
    assert_true(gw_tx_is_magic((gw_tx_word){.lo = GW_TX_MAGIC, .hi = GW_TX_MAGIC}));
    assert_false(gw_tx_is_magic((gw_tx_word){.lo = GW_TX_MAGIC, .hi = GW_TX_START}));
    assert_false(gw_tx_is_magic((gw_tx_word){.lo = GW_TX_START, .hi = GW_TX_MAGIC}));
    assert_true(gw_tx_is_start((gw_tx_word){.lo = GW_TX_START, .hi = GW_TX_START}));
    assert_false(gw_tx_is_start((gw_tx_word){.lo = GW_TX_START, .hi = GW_TX_MAGIC}));
    assert_false(gw_tx_is_start((gw_tx_word){.lo = GW_TX_MAGIC, .hi = GW_TX_START}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_headers_are_packed),
        cmocka_unit_test(both_layouts_hold_the_same_fields),
        cmocka_unit_test(wide_values_are_cut),
        cmocka_unit_test(bytes_come_in_three_orders),
        cmocka_unit_test(half_a_control_word_is_none),
        cmocka_unit_test(credits_hold_two_channels),
        cmocka_unit_test(footers_tell_their_senders),
        cmocka_unit_test(a_check_byte_tells_what_was_flipped),
        cmocka_unit_test(a_check_byte_of_0_may_be_none),
        cmocka_unit_test(framing_goes_by_the_corrected_header),
        cmocka_unit_test(sizes_are_rounded_up_to_words),
        cmocka_unit_test(registers_have_places_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

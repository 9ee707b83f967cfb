/* SPDX-License-Identifier: BSD-2-Clause */
/* pcapng as other programs write it, in both byte orders, and as no program should. */
#include "testing.h"

#include <stdlib.h>

#include "pcapng.h"

#define STAMP UINT64_C(1350000000620546)

/* Begins a block; end_block sets its length. */
static size_t begin_block(test_file *f, uint32_t type)
{
    const size_t start = f->w.len;

    test_put(f, type, 4);
    test_put(f, 0, 4);
    return start;
}

static void end_block(test_file *f, size_t start)
{
    const size_t len = f->w.len + 4 - start;
    uint8_t *p = f->bytes + start + 4;

    if (f->big)
        gw_store_be(p, len, 4);
    else
        gw_store_le(p, len, 4);
    test_put(f, len, 4);
}

static void put_bytes(test_file *f, const void *bytes, size_t len)
{
    gw_write_bytes(&f->w, bytes, len);
    gw_write_zeros(&f->w, -len & 3);
}

static void put_option(test_file *f, uint16_t code, const void *value, size_t len)
{
    test_put(f, code, 2);
    test_put(f, len, 2);
    put_bytes(f, value, len);
}

static void put_number_option(test_file *f, uint16_t code, uint64_t value, size_t len)
{
    test_put(f, code, 2);
    test_put(f, len, 2);
    test_put(f, value, len);
    gw_write_zeros(&f->w, -len & 3);
}

static void add_section(test_file *f, bool big, int64_t len)
{
    f->big = big;
    size_t start = begin_block(f, GW_PCAPNG_SECTION);
    test_put(f, GW_PCAPNG_BYTE_ORDER, 4);
    test_put(f, 1, 2);
    test_put(f, 0, 2);
    test_put(f, (uint64_t)len, 8);
    put_option(f, GW_PCAPNG_OPT_SHB_USERAPPL, "test", 4);
    put_option(f, GW_PCAPNG_OPT_END, NULL, 0);
    end_block(f, start);
}

static void start_file(test_file *f, bool big)
{
    test_file_start(f, big);
    add_section(f, big, -1);
}

static void add_interface(test_file *f, uint16_t link_type, uint32_t snaplen)
{
    size_t start = begin_block(f, GW_PCAPNG_INTERFACE);
    test_put(f, link_type, 2);
    test_put(f, 0, 2);
    test_put(f, snaplen, 4);
    end_block(f, start);
}

static void add_clocked_interface(test_file *f, uint8_t resolution, int64_t offset)
{
    size_t start = begin_block(f, GW_PCAPNG_INTERFACE);
    test_put(f, 1, 2);
    test_put(f, 0, 2);
    test_put(f, 0, 4);
    put_option(f, GW_PCAPNG_OPT_IF_NAME, "eth0", 4);
    put_option(f, GW_PCAPNG_OPT_IF_TSRESOL, &resolution, 1);
    put_number_option(f, GW_PCAPNG_OPT_IF_TSOFFSET, (uint64_t)offset, 8);
    put_option(f, GW_PCAPNG_OPT_END, NULL, 0);
    end_block(f, start);
}

static size_t begin_packet(test_file *f, uint32_t interface, uint64_t stamp, const char *data,
                           uint32_t len)
{
    size_t start = begin_block(f, GW_PCAPNG_ENHANCED);
    test_put(f, interface, 4);
    test_put(f, stamp >> 32, 4);
    test_put(f, stamp & 0xffffffff, 4);
    test_put(f, strlen(data), 4);
    test_put(f, len, 4);
    put_bytes(f, data, strlen(data));
    return start;
}

static void add_packet(test_file *f, uint32_t interface, uint64_t stamp, const char *data,
                       uint32_t len)
{
    end_block(f, begin_packet(f, interface, stamp, data, len));
}

static void assert_data(const gw_frame *frame, const char *data, uint32_t len)
{
    assert_int_equal(frame->cap_len, strlen(data));
    assert_memory_equal(frame->data, data, frame->cap_len);
    assert_int_equal(frame->len, len);
}

static void both_orders(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        test_file f;
        test_reader r;
        start_file(&f, big != 0);
        add_interface(&f, 1, 0);
        add_packet(&f, 0, STAMP, "hello", 77);
        add_packet(&f, 0, STAMP + 1, "", 0);
        test_open_file(&r, &f);
        assert_string_equal(type_of(r.capture), "pcapng");
        gw_frame frame = test_next(&r);
        assert_data(&frame, "hello", 77);
        assert_int_equal(frame.time_ns, STAMP * 1000);
        assert_int_equal(frame.number, 1);
        assert_int_equal(frame.link_type, 1);
        assert_int_equal(frame.dir, GW_DIR_UNKNOWN);
        assert_null(frame.comment);
        frame = test_next(&r);
        assert_data(&frame, "", 0);
        assert_int_equal(frame.number, 2);
        test_end(&r);
        test_close(&r);
    }
}

static void sections_have_their_own_order_and_interfaces(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    start_file(&f, false);
    add_interface(&f, 1, 0);
    add_interface(&f, 147, 0);
    add_packet(&f, 1, STAMP, "one", 3);
    add_packet(&f, 0, STAMP, "two", 3);
    add_section(&f, true, -1);
    add_interface(&f, 276, 0);
    add_packet(&f, 0, STAMP, "three", 5);
    add_section(&f, false, 0);
    test_open_file(&r, &f);

    gw_frame frame = test_next(&r);
    assert_data(&frame, "one", 3);
    assert_int_equal(frame.link_type, 147);
    assert_int_equal(frame.interface, 1);
    frame = test_next(&r);
    assert_int_equal(frame.link_type, 1);
    assert_int_equal(frame.interface, 0);
    frame = test_next(&r);
    assert_data(&frame, "three", 5);
    assert_int_equal(frame.link_type, 276);
    assert_int_equal(frame.number, 3);
    test_end(&r);
    test_close(&r);
}

static void clocks(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    start_file(&f, true);
    add_clocked_interface(&f, 9, 0);
    add_clocked_interface(&f, 0x80 | 32, 1350000000);
    add_clocked_interface(&f, 3, -1);
    add_packet(&f, 0, UINT64_C(1350000000620546123), "a", 1);
    add_packet(&f, 1, UINT64_C(0x180000000), "b", 1);
    add_packet(&f, 2, 2500, "c", 1);
    add_packet(&f, 2, UINT64_MAX, "d", 1);
    test_open_file(&r, &f);
    assert_int_equal(test_next(&r).time_ns, INT64_C(1350000000620546123));
    assert_int_equal(test_next(&r).time_ns, INT64_C(1350000001500000000));
    assert_int_equal(test_next(&r).time_ns, INT64_C(1500000000));
    assert_int_equal(test_next(&r).time_ns, INT64_MAX);
    test_end(&r);
    test_close(&r);
}

static void comments_and_directions(void **state)
{
    test_file f;
    test_reader r;
    size_t start;

    (void)state;
    for (int big = 0; big < 2; big++) {
        start_file(&f, big != 0);
        add_interface(&f, 1, 0);
        start = begin_packet(&f, 0, STAMP, "abc", 3);
        put_number_option(&f, GW_PCAPNG_OPT_PACKET_FLAGS, 0x00000021, 4);
        put_option(&f, GW_PCAPNG_OPT_COMMENT, "probe \xe2\x82\xac\n", 10);
        put_option(&f, GW_PCAPNG_OPT_COMMENT, "second", 6);
        put_option(&f, 4711, "unknown", 7);
        put_option(&f, GW_PCAPNG_OPT_END, NULL, 0);
        put_option(&f, GW_PCAPNG_OPT_COMMENT, "behind the end", 14);
        end_block(&f, start);
        start = begin_packet(&f, 0, STAMP, "de", 2);
        put_option(&f, GW_PCAPNG_OPT_COMMENT, "\xff", 1);
        put_number_option(&f, GW_PCAPNG_OPT_PACKET_FLAGS, 2, 4);
        end_block(&f, start); /* without an end of options */
        start = begin_packet(&f, 0, STAMP, "f", 1);
        put_number_option(&f, GW_PCAPNG_OPT_PACKET_FLAGS, 3, 4);
        put_option(&f, GW_PCAPNG_OPT_COMMENT, "", 0);
        end_block(&f, start);
        add_packet(&f, 0, STAMP, "g", 1);

        test_open_file(&r, &f);
        gw_frame frame = test_next(&r);
        assert_int_equal(frame.dir, GW_DIR_IN);
        assert_string_equal(frame.comment, "probe \xe2\x82\xac\n");
        frame = test_next(&r);
        assert_int_equal(frame.dir, GW_DIR_OUT);
        assert_string_equal(frame.comment, "\xef\xbf\xbd");
        frame = test_next(&r);
        assert_int_equal(frame.dir, GW_DIR_UNKNOWN);
        assert_string_equal(frame.comment, "");
        assert_null(test_next(&r).comment);
        test_end(&r);
        test_close(&r);
    }
}

static void the_longest_comment(void **state)
{
    static uint8_t bytes[2 * GW_PCAPNG_OPT_MAX];
    static uint8_t text[GW_PCAPNG_OPT_MAX];
    test_file f;
    test_reader r;
    gw_writer w = gw_writer_over(bytes, sizeof(bytes));

    (void)state;
    memset(text, 0xff, sizeof(text));
    start_file(&f, false);
    add_interface(&f, 1, 0);
    gw_write_bytes(&w, f.bytes, f.w.len);
    gw_write_le(&w, GW_PCAPNG_ENHANCED, 4);
    gw_write_le(&w, 32 + 4 + 65536, 4);
    gw_write_zeros(&w, 20);
    gw_write_le(&w, GW_PCAPNG_OPT_COMMENT, 2);
    gw_write_le(&w, sizeof(text), 2);
    gw_write_bytes(&w, text, sizeof(text));
    gw_write_zeros(&w, 1);
    gw_write_le(&w, 32 + 4 + 65536, 4);
    assert_false(w.full);

    test_open(&r, bytes, w.len);
    gw_frame frame = test_next(&r);
    assert_int_equal(strlen(frame.comment), 3 * sizeof(text));
    test_end(&r);
    test_close(&r);
}

static void obsolete_and_simple_packets(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        test_file f;
        test_reader r;
        start_file(&f, big != 0);
        add_interface(&f, 228, 4);
        add_interface(&f, 1, 0);

        size_t start = begin_block(&f, GW_PCAPNG_PACKET);
        test_put(&f, 1, 2);
        test_put(&f, 0xffff, 2); /* drops unknown */
        test_put(&f, STAMP >> 32, 4);
        test_put(&f, STAMP & 0xffffffff, 4);
        test_put(&f, 3, 4);
        test_put(&f, 9, 4);
        put_bytes(&f, "old", 3);
        put_number_option(&f, GW_PCAPNG_OPT_PACKET_FLAGS, 2, 4);
        end_block(&f, start);

        start = begin_block(&f, GW_PCAPNG_SIMPLE);
        test_put(&f, 900, 4); /* the interface keeps 4 */
        put_bytes(&f, "simp", 4);
        end_block(&f, start);
        start = begin_block(&f, GW_PCAPNG_SIMPLE);
        test_put(&f, 3, 4);
        put_bytes(&f, "sim", 3);
        end_block(&f, start);

        test_open_file(&r, &f);
        gw_frame frame = test_next(&r);
        assert_data(&frame, "old", 9);
        assert_int_equal(frame.link_type, 1);
        assert_int_equal(frame.interface, 1);
        assert_int_equal(frame.dir, GW_DIR_OUT);
        assert_int_equal(frame.time_ns, STAMP * 1000);
        frame = test_next(&r);
        assert_data(&frame, "simp", 900);
        assert_int_equal(frame.link_type, 228);
        assert_int_equal(frame.time_ns, 0);
        frame = test_next(&r);
        assert_data(&frame, "sim", 3);
        test_end(&r);
        test_close(&r);
    }
}

static void unknown_blocks_are_skipped(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    start_file(&f, false);
    end_block(&f, begin_block(&f, 0x80001234));
    add_interface(&f, 1, 0);
    size_t start = begin_block(&f, 0x00000bad);
    put_bytes(&f, "custom data", 11);
    end_block(&f, start);
    add_packet(&f, 0, STAMP, "x", 1);
    end_block(&f, begin_block(&f, 5));
    test_open_file(&r, &f);
    (void)test_next(&r);
    test_end(&r);
    test_close(&r);
}

/* A big block makes the window grow; what lies behind it must not be lost. */
static void a_big_block(void **state)
{
    const size_t big = 3 << 20;
    uint8_t *bytes = calloc(1, big + 4096);
    gw_writer w = gw_writer_over(bytes, big + 4096);
    test_file f;
    test_reader r;

    (void)state;
    assert_non_null(bytes);
    start_file(&f, false);
    add_interface(&f, 1, 0);
    gw_write_bytes(&w, f.bytes, f.w.len);
    gw_write_le(&w, GW_PCAPNG_ENHANCED, 4);
    gw_write_le(&w, 32 + big, 4);
    gw_write_zeros(&w, 12);
    gw_write_le(&w, big, 4);
    gw_write_le(&w, big, 4);
    memset(bytes + w.len, 'b', big);
    w.len += big;
    gw_write_le(&w, 32 + big, 4);
    f.w.len = 0;
    add_packet(&f, 0, STAMP, "behind", 6);
    gw_write_bytes(&w, f.bytes, f.w.len);
    assert_false(w.full);

    test_open(&r, bytes, w.len);
    gw_frame frame = test_next(&r);
    assert_int_equal(frame.cap_len, big);
    assert_int_equal(frame.data[0], 'b');
    assert_int_equal(frame.data[big - 1], 'b');
    frame = test_next(&r);
    assert_data(&frame, "behind", 6);
    test_end(&r);
    test_close(&r);
    free(bytes);
}

/* Many frames of odd sizes, so that they straddle the window's end in every way. */
static void frames_across_the_window(void **state)
{
    const size_t cap = 4 << 20;
    uint8_t *bytes = malloc(cap);
    gw_writer w = gw_writer_over(bytes, cap);
    test_file f;
    test_reader r;
    unsigned n = 0;

    (void)state;
    assert_non_null(bytes);
    start_file(&f, true);
    add_interface(&f, 1, 0);
    gw_write_bytes(&w, f.bytes, f.w.len);
    for (uint32_t len = 0; w.len < cap - 8192; len = (len * 7 + 13) % 4099) {
        const uint32_t padded = (len + 3) & ~3u;
        gw_write_be(&w, GW_PCAPNG_ENHANCED, 4);
        gw_write_be(&w, 32 + padded, 4);
        gw_write_be(&w, 0, 8);
        gw_write_be(&w, n++, 4);
        gw_write_be(&w, len, 4);
        gw_write_be(&w, len, 4);
        memset(w.buf + w.len, (int)(len & 0xff), padded);
        w.len += padded;
        gw_write_be(&w, 32 + padded, 4);
    }
    test_open(&r, bytes, w.len);
    uint32_t len = 0;
    for (unsigned i = 0; i < n; i++) {
        gw_frame frame = test_next(&r);
        assert_int_equal(frame.cap_len, len);
        assert_int_equal(frame.time_ns, (int64_t)i * 1000);
        for (uint32_t k = 0; k < len; k++)
            assert_int_equal(frame.data[k], len & 0xff);
        len = (len * 7 + 13) % 4099;
    }
    test_end(&r);
    test_close(&r);
    free(bytes);
}

/* Patches four bytes of a good file, in its order, and expects a text. */
static void expect_broken(const test_file *good, size_t at, uint32_t value, unsigned frames,
                          const char *text)
{
    test_file f = *good;
    test_reader r;

    f.w.buf = f.bytes;
    if (f.big)
        gw_store_be(f.bytes + at, value, 4);
    else
        gw_store_le(f.bytes + at, value, 4);
    test_open_file(&r, &f);
    while (frames-- > 0)
        (void)test_next(&r);
    test_broken(&r, text);
    test_close(&r);
}

static void contradictions(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        test_file f;
        start_file(&f, big != 0);
        const size_t interface = f.w.len;
        add_interface(&f, 1, 0);
        const size_t first = f.w.len;
        add_packet(&f, 0, STAMP, "first", 5);
        const size_t second = f.w.len;
        size_t start = begin_packet(&f, 0, STAMP, "second", 6);
        put_option(&f, GW_PCAPNG_OPT_COMMENT, "comment", 7);
        end_block(&f, start);
        assert_int_equal(interface, 40);
        assert_int_equal(first, 60);
        assert_int_equal(second, 100);

        expect_broken(&f, 8, 0x11223344, 0,
                      big != 0 ? "byte 8: byte-order magic 0x11223344, 0x1a2b3c4d expected"
                               : "byte 8: byte-order magic 0x44332211, 0x1a2b3c4d expected");
        expect_broken(&f, 12, big != 0 ? 2 << 16 : 2, 0,
                      "byte 12: pcapng version 2.0, only 1.x is known");
        expect_broken(&f, interface + 4, 8, 0, "byte 44: block of 8 bytes, at least 12 expected");
        expect_broken(&f, interface + 4, 21, 0,
                      "byte 44: block of 21 bytes, a multiple of 4 expected");
        expect_broken(&f, interface + 4, 0x7ffffffc, 0,
                      "byte 44: block of 2147483644 bytes, at most 16777216 are read");
        expect_broken(&f, interface + 16, 24, 0,
                      "byte 56: block of 20 bytes ends with the length 24");
        expect_broken(&f, second + 8, 7, 1, "byte 108: packet of interface 7, 1 described so far");
        expect_broken(&f, second + 8, UINT32_MAX, 1,
                      "byte 108: packet of interface 4294967295, 1 described so far");
        expect_broken(&f, second + 20, 21, 1,
                      "byte 128: packet of 21 bytes, the block has room for 20");
        expect_broken(&f, second + 20, UINT32_MAX, 1,
                      "byte 128: packet of 4294967295 bytes, the block has room for 20");
        expect_broken(&f, second + 36, big != 0 ? 1 << 16 | 9 : 9 << 16 | 1, 1,
                      "byte 136: an option does not fit in its block");
        expect_broken(&f, second + 36, big != 0 ? 2 << 16 | 3 : 3 << 16 | 2, 1,
                      "byte 140: packet flags of 3 bytes, 4 expected");
        expect_broken(&f, second + 4, 300, 1,
                      "byte 100: the file ends inside a block: 52 of 300 "
                      "bytes");
        /* A packet before its interface; an interface block read as something else. */
        expect_broken(&f, interface, GW_PCAPNG_SIMPLE, 0,
                      "byte 48: packet of interface 0, none described so far");
        expect_broken(&f, interface, 77, 0, "byte 68: packet of interface 0, 0 described so far");
        expect_broken(&f, interface, GW_PCAPNG_ENHANCED, 0,
                      "byte 48: no room for a packet's header");
    }
}

static void interface_options_that_do_not_hold(void **state)
{
    static const struct {
        uint16_t code;
        uint8_t len;
        const char *text;
    } cases[] = {
        {GW_PCAPNG_OPT_IF_TSRESOL, 0, "byte 60: if_tsresol without a value"},
        {GW_PCAPNG_OPT_IF_TSOFFSET, 7, "byte 60: if_tsoffset of 7 bytes, 8 expected"},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(cases); i++) {
        test_file f;
        test_reader r;
        start_file(&f, false);
        size_t start = begin_block(&f, GW_PCAPNG_INTERFACE);
        gw_write_zeros(&f.w, 8);
        put_option(&f, cases[i].code, "1234567", cases[i].len);
        end_block(&f, start);
        test_open_file(&r, &f);
        test_broken(&r, cases[i].text);
        test_close(&r);
    }
}

static void a_captured_length_is_never_more(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    start_file(&f, false);
    add_interface(&f, 1, 0);
    add_packet(&f, 0, STAMP, "longer than it says", 4);
    test_open_file(&r, &f);
    gw_frame frame = test_next(&r);
    assert_data(&frame, "longer than it says", 19);
    test_close(&r);
}

/* A file cut between two blocks shows only in the section's length. */
static void a_section_that_breaks_off(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    test_file_start(&f, false);
    add_section(&f, false, 60);
    add_interface(&f, 1, 0);
    add_packet(&f, 0, STAMP, "x", 1);
    test_open_file(&r, &f);
    (void)test_next(&r);
    test_broken(&r, "byte 96: the file ends, its section goes on for 4 bytes");
    test_close(&r);

    test_file_start(&f, false);
    add_section(&f, false, 56);
    add_interface(&f, 1, 0);
    add_packet(&f, 0, STAMP, "x", 1);
    test_open_file(&r, &f);
    (void)test_next(&r);
    test_end(&r);
    test_close(&r);

    /* Longer than it says is read on. */
    add_packet(&f, 0, STAMP, "y", 1);
    test_open_file(&r, &f);
    (void)test_next(&r);
    (void)test_next(&r);
    test_end(&r);
    test_close(&r);

    test_file_start(&f, false);
    add_section(&f, false, INT64_MAX);
    test_open_file(&r, &f);
    test_broken(&r, "byte 40: the file ends, its section goes on for 9223372036854775807 bytes");
    test_close(&r);
}

static void too_many_interfaces(void **state)
{
    const size_t one = 20;
    const size_t num = 65537;
    uint8_t *bytes = malloc(28 + one * num);
    gw_writer w = gw_writer_over(bytes, 28 + one * num);
    test_reader r;

    (void)state;
    assert_non_null(bytes);
    gw_write_le(&w, GW_PCAPNG_SECTION, 4);
    gw_write_le(&w, 28, 4);
    gw_write_le(&w, GW_PCAPNG_BYTE_ORDER, 4);
    gw_write_le(&w, 1, 4);
    gw_write_le(&w, UINT64_MAX, 8);
    gw_write_le(&w, 28, 4);
    for (size_t i = 0; i < num; i++) {
        gw_write_le(&w, GW_PCAPNG_INTERFACE, 4);
        gw_write_le(&w, one, 4);
        gw_write_le(&w, 1, 8);
        gw_write_le(&w, one, 4);
    }
    test_open(&r, bytes, w.len);
    test_broken(&r, "byte 1310756: more than 65536 interfaces in a section");
    test_close(&r);
    free(bytes);
}

static void every_cut(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        test_file f;
        size_t ends[7];
        const unsigned frames[] = {0, 0, 1, 1, 1, 1, 2};
        start_file(&f, big != 0);
        ends[0] = f.w.len;
        add_interface(&f, 1, 0);
        ends[1] = f.w.len;
        size_t start = begin_packet(&f, 0, STAMP, "one", 3);
        put_option(&f, GW_PCAPNG_OPT_COMMENT, "comment", 7);
        end_block(&f, start);
        ends[2] = f.w.len;
        end_block(&f, begin_block(&f, 5));
        ends[3] = f.w.len;
        add_section(&f, big == 0, -1);
        ends[4] = f.w.len;
        add_clocked_interface(&f, 9, 0);
        ends[5] = f.w.len;
        add_packet(&f, 0, STAMP, "two", 3);
        ends[6] = f.w.len;
        test_every_cut(&f, 4, ends, frames, GW_ARRAY_LEN(ends));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_orders),
        cmocka_unit_test(sections_have_their_own_order_and_interfaces),
        cmocka_unit_test(clocks),
        cmocka_unit_test(comments_and_directions),
        cmocka_unit_test(the_longest_comment),
        cmocka_unit_test(obsolete_and_simple_packets),
        cmocka_unit_test(unknown_blocks_are_skipped),
        cmocka_unit_test(a_big_block),
        cmocka_unit_test(frames_across_the_window),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(interface_options_that_do_not_hold),
        cmocka_unit_test(a_captured_length_is_never_more),
        cmocka_unit_test(a_section_that_breaks_off),
        cmocka_unit_test(too_many_interfaces),
        cmocka_unit_test(every_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

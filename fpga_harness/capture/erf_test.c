/* SPDX-License-Identifier: BSD-2-Clause */
/* ERF records of every kind a card writes, and what only looks like them. */
#include "testing.h"

#define SECOND ((uint64_t)1 << 32)
#define NOW (UINT64_C(1350000000) << 32)

static void add_header(test_file *f, uint64_t stamp, uint8_t type, uint8_t flags, uint16_t len,
                       uint16_t wire_len)
{
    gw_write_le(&f->w, stamp, 8);
    gw_write_be(&f->w, type, 1);
    gw_write_be(&f->w, flags, 1);
    gw_write_be(&f->w, len, 2);
    gw_write_be(&f->w, 0x1234, 2); /* loss counter, or colour */
    gw_write_be(&f->w, wire_len, 2);
}

static void add_bytes(test_file *f, uint8_t first, size_t len)
{
    for (size_t i = 0; i < len; i++)
        gw_write_be(&f->w, first + i, 1);
}

/* A record of one Ethernet frame, padded to a multiple of 8 as cards do. */
static void add_ethernet(test_file *f, uint64_t stamp, uint8_t flags, uint16_t wire_len)
{
    const size_t len = (16 + 2 + (size_t)wire_len + 7) & ~(size_t)7;

    add_header(f, stamp, 2, flags, (uint16_t)len, wire_len);
    gw_write_zeros(&f->w, 2);
    add_bytes(f, 0x40, wire_len);
    gw_write_zeros(&f->w, len - 18 - wire_len);
}

static void ethernet(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    test_file_start(&f, true);
    add_ethernet(&f, NOW + SECOND / 2, 0x04, 64);
    add_ethernet(&f, NOW + SECOND + 1, 0x07, 61);
    test_open_file(&r, &f);
    assert_string_equal(type_of(r.capture), "erf");

    gw_frame frame = test_next(&r);
    assert_int_equal(frame.time_ns, INT64_C(1350000000500000000));
    assert_int_equal(frame.link_type, 1);
    assert_int_equal(frame.erf_type, 2);
    assert_int_equal(frame.interface, 0);
    assert_int_equal(frame.cap_len, 64);
    assert_int_equal(frame.len, 64);
    assert_int_equal(frame.data[0], 0x40);
    assert_int_equal(frame.data[63], 0x7f);
    assert_null(frame.comment);
    frame = test_next(&r);
    assert_int_equal(frame.time_ns, INT64_C(1350000001000000000));
    assert_int_equal(frame.interface, 3);
    assert_int_equal(frame.cap_len, 61); /* without the record's padding */
    assert_int_equal(frame.number, 2);
    test_end(&r);
    test_close(&r);
}

static void a_cut_frame(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    test_file_start(&f, true);
    add_header(&f, NOW, 2, 0x04, 16 + 2 + 30, 1518);
    gw_write_zeros(&f.w, 2);
    add_bytes(&f, 0, 30);
    test_open_file(&r, &f);
    gw_frame frame = test_next(&r);
    assert_int_equal(frame.cap_len, 30);
    assert_int_equal(frame.len, 1518);
    test_close(&r);
}

static void types(void **state)
{
    static const struct {
        uint8_t type;
        uint8_t skipped; /* bytes between header and frame */
        uint32_t link;
    } cases[] = {
        {2, 2, 1},
        {11, 2, 1},
        {16, 2, 1},
        {20, 2, 1},
        {21, 0, 247},
        {22, 0, 228},
        {23, 0, 229},
        {1, 0, GW_LINK_ERF_OTHER},
        {5, 0, GW_LINK_ERF_OTHER},
        {27, 0, GW_LINK_ERF_OTHER},
    };
    test_file f;
    test_reader r;

    (void)state;
    test_file_start(&f, true);
    for (size_t i = 0; i < GW_ARRAY_LEN(cases); i++) {
        add_header(&f, NOW + i * SECOND, cases[i].type, 4, (uint16_t)(16 + cases[i].skipped + 20),
                   20);
        gw_write_zeros(&f.w, cases[i].skipped);
        add_bytes(&f, 0x50, 20);
    }
    test_open_file(&r, &f);
    for (size_t i = 0; i < GW_ARRAY_LEN(cases); i++) {
        gw_frame frame = test_next(&r);
        assert_int_equal(frame.link_type, cases[i].link);
        assert_int_equal(frame.erf_type, cases[i].type);
        assert_int_equal(frame.cap_len, 20);
        assert_int_equal(frame.data[0], 0x50);
    }
    test_end(&r);
    test_close(&r);
}

static void extension_headers(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    test_file_start(&f, true);
    add_header(&f, NOW, 0x80 | 2, 4, 16 + 16 + 2 + 20, 20);
    gw_write_be(&f.w, 0x83, 1); /* another follows */
    gw_write_zeros(&f.w, 7);
    gw_write_be(&f.w, 0x04, 1);
    gw_write_zeros(&f.w, 7 + 2);
    add_bytes(&f, 0x60, 20);
    test_open_file(&r, &f);
    gw_frame frame = test_next(&r);
    assert_int_equal(frame.erf_type, 2);
    assert_int_equal(frame.cap_len, 20);
    assert_int_equal(frame.data[0], 0x60);
    test_end(&r);
    test_close(&r);
}

static void padding_records(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    test_file_start(&f, true);
    add_header(&f, 0, 48, 0, 16, 0);
    add_ethernet(&f, NOW, 4, 60);
    add_header(&f, 0, 48, 0, 24, 0);
    gw_write_zeros(&f.w, 8);
    add_ethernet(&f, NOW + SECOND, 4, 60);
    add_header(&f, 0, 48, 0, 16, 0);
    test_open_file(&r, &f);
    assert_int_equal(test_next(&r).number, 1);
    assert_int_equal(test_next(&r).number, 2);
    test_end(&r);
    test_close(&r);
}

static void last_times(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    test_file_start(&f, true);
    add_ethernet(&f, UINT64_MAX, 4, 60);
    add_ethernet(&f, UINT64_MAX - 1, 4, 60);
    test_open_file(&r, &f);
    assert_int_equal(test_next(&r).time_ns, INT64_C(4294967296000000000));
    test_close(&r);
}

/* Good records first, so that the file is known; then one that does not hold. */
static void contradictions(void **state)
{
    static const struct {
        uint8_t type;
        uint16_t len;
        const char *text;
    } cases[] = {
        {2, 15, "byte 650: record of 15 bytes, at least 16 expected"},
        {2, 17, "byte 656: no room for an Ethernet frame in a record of 17 bytes"},
        {0, 32, "byte 648: record of type 0, which is not ERF"},
        {0x82, 20, "byte 656: extension header does not fit in its record of 20 bytes"},
        {2, 200, "byte 640: the file ends inside a record: 80 of 200 bytes"},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(cases); i++) {
        test_file f;
        test_reader r;
        test_file_start(&f, true);
        for (unsigned k = 0; k < 8; k++)
            add_ethernet(&f, NOW + k * SECOND, 4, 60);
        assert_int_equal(f.w.len, 640);
        add_header(&f, NOW + 9 * SECOND, cases[i].type, 4, cases[i].len, 60);
        add_bytes(&f, 0x80, 64);
        test_open_file(&r, &f);
        for (unsigned k = 0; k < 8; k++)
            (void)test_next(&r);
        test_broken(&r, cases[i].text);
        test_close(&r);
    }
}

/* Changes one byte of the second record of a good file, which then must not be taken for ERF. */
static void expect_foreign(size_t at, uint8_t value)
{
    test_file f;
    test_reader r;

    test_file_start(&f, true);
    for (unsigned k = 0; k < 3; k++)
        add_ethernet(&f, NOW + k * SECOND, 4, 60);
    test_open_file(&r, &f);
    test_close(&r);
    f.bytes[80 + at] = value;
    test_open(&r, f.bytes, f.w.len);
    assert_null(r.capture);
    assert_non_null(strstr(r.why, "not pcap, pcapng or ERF"));
    test_close(&r);
}

static void look_alikes(void **state)
{
    static const char text[] =
        "1234567800000000 a text that begins like a padding record, and more";
    test_file f;
    test_reader r;

    (void)state;
    expect_foreign(8, 0);    /* no type */
    expect_foreign(8, 30);   /* nobody's type */
    expect_foreign(11, 15);  /* shorter than its header */
    expect_foreign(15, 13);  /* less than an Ethernet header on the wire */
    expect_foreign(7, 0x4f); /* back in time */
    expect_foreign(7, 0x53); /* years later */

    test_open(&r, text, sizeof(text));
    assert_null(r.capture);
    test_close(&r);
    test_file_start(&f, true);
    gw_write_zeros(&f.w, 4096);
    test_open(&r, f.bytes, f.w.len);
    assert_null(r.capture);
    test_close(&r);
    test_file_start(&f, true); /* more extension headers than there is room */
    add_header(&f, NOW, 0x82, 4, 16 + 40, 60);
    add_bytes(&f, 0x80, 40);
    test_open(&r, f.bytes, f.w.len);
    assert_null(r.capture);
    test_close(&r);
    test_file_start(&f, true); /* padding alone */
    add_header(&f, 0, 48, 0, 16, 0);
    test_open(&r, f.bytes, f.w.len);
    assert_null(r.capture);
    test_close(&r);
}

static void every_cut(void **state)
{
    test_file f;
    const size_t ends[] = {80, 160, 176, 256};
    const unsigned frames[] = {1, 2, 2, 3};

    (void)state;
    test_file_start(&f, true);
    add_ethernet(&f, NOW, 4, 60);
    add_ethernet(&f, NOW + 1, 4, 60);
    add_header(&f, 0, 48, 0, 16, 0);
    add_ethernet(&f, NOW + 2, 4, 60);
    assert_int_equal(f.w.len, 256);
    test_every_cut(&f, 80, ends, frames, GW_ARRAY_LEN(ends));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ethernet),        cmocka_unit_test(a_cut_frame),
        cmocka_unit_test(types),           cmocka_unit_test(extension_headers),
        cmocka_unit_test(padding_records), cmocka_unit_test(last_times),
        cmocka_unit_test(contradictions),  cmocka_unit_test(look_alikes),
        cmocka_unit_test(every_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

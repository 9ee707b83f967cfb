/* SPDX-License-Identifier: BSD-2-Clause */
/* Layouts, decoding, walking and building of EtherBone packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/testing/cover.h"
#include "etherbone/internal.h"

static const uint8_t all_widths[] = {0x11, 0x12, 0x14, 0x18, 0x21, 0x22, 0x24, 0x28,
                                     0x41, 0x42, 0x44, 0x48, 0x81, 0x82, 0x84, 0x88};

static size_t from_hex(uint8_t *out, const char *hex)
{
    size_t len = 0;
    for (; *hex != '\0'; hex++) {
        if (*hex == ' ')
            continue;
        char pair[] = {hex[0], hex[1], '\0'}, *end;
        out[len++] = (uint8_t)strtoul(pair, &end, 16);
        assert_ptr_equal(end, pair + 2);
        hex++;
    }
    return len;
}

/* The table of the reference: alignment and header size of all sixteen pairs. */
static void layouts_follow_the_widths(void **state)
{
    static const struct {
        uint8_t widths, unit, header;
    } want[] = {
        {0x11, 2, 4}, {0x21, 2, 4}, {0x41, 4, 4}, {0x81, 8, 8}, {0x12, 2, 4}, {0x22, 2, 4},
        {0x42, 4, 4}, {0x82, 8, 8}, {0x14, 4, 4}, {0x24, 4, 4}, {0x44, 4, 4}, {0x84, 8, 8},
        {0x18, 8, 8}, {0x28, 8, 8}, {0x48, 8, 8}, {0x88, 8, 8},
    };
    gw_eb_layout l;

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(want); i++) {
        assert_true(gw_eb_layout_for(&l, want[i].widths, NULL));
        assert_int_equal(l.addr_unit, want[i].unit);
        assert_int_equal(l.data_unit, want[i].unit);
        assert_int_equal(l.header_len, want[i].header);
        assert_int_equal(l.record_header, want[i].header);
        assert_int_equal(l.addr_bytes, want[i].widths >> 4);
        assert_int_equal(l.data_bytes, want[i].widths & 15);
    }
    for (unsigned widths = 0; widths < 256; widths++) {
        unsigned bits = 0;
        for (unsigned w = widths; w != 0; w >>= 1)
            bits += w & 1;
        bool pair = bits == 2 && (widths >> 4) != 0 && (widths & 15) != 0;
        assert_int_equal(gw_eb_layout_for(&l, (uint8_t)widths, NULL), pair);
    }
    assert_true(gw_eb_layout_for(&l, 0x44, gw_dialect_by_name(&gw_etherbone, "litex")));
    assert_int_equal(l.header_len, 8);
    assert_int_equal(l.record_header, 4);
    assert_true(gw_eb_layout_for(&l, 0x84, gw_dialect_by_name(&gw_etherbone, "litex")));
    assert_int_equal(l.record_header, 4);
    assert_int_equal(l.addr_unit, 8);
    assert_int_equal(l.data_unit, 4);
    assert_true(gw_eb_layout_for(&l, 0x48, gw_dialect_by_name(&gw_etherbone, "gsi")));
    assert_int_equal(l.widths, 0x44);
    assert_false(gw_eb_layout_for(&l, 0x22, gw_dialect_by_name(&gw_etherbone, "gsi")));
}

static void masks_refine_to_the_widest_pair(void **state)
{
    (void)state;
    assert_int_equal(gw_eb_refine(0xff, 0x44), 0x44);
    assert_int_equal(gw_eb_refine(0x71, 0xff), 0x41);
    assert_int_equal(gw_eb_refine(0x11, 0x44), 0);
    assert_int_equal(gw_eb_refine(0x4f, 0x40), 0);
}

/* Which selects are one aligned run: the list for a 32-bit port, written out. */
static void byte_enables_are_aligned_runs(void **state)
{
    static const uint8_t good[] = {0x1, 0x2, 0x3, 0x4, 0x8, 0xc, 0xf};

    (void)state;
    for (unsigned be = 0; be < 256; be++) {
        bool listed = false;
        for (size_t i = 0; i < sizeof good; i++)
            listed |= good[i] == be;
        assert_int_equal(gw_eb_byte_enable_valid((uint8_t)be, 4), listed);
    }
    assert_true(gw_eb_byte_enable_valid(0xff, 8));
    assert_true(gw_eb_byte_enable_valid(0xf0, 8));
    assert_false(gw_eb_byte_enable_valid(0x3c, 8));
    assert_false(gw_eb_byte_enable_valid(0x02, 1));
}

static void a_timing_message_decodes(void **state)
{
    uint8_t buf[64];
    size_t len = from_hex(buf, "4e6f1444 0a0f0800 7ffffff0 1fcbfcb0 00000000 03010000 ff000000 "
                               "00000000 00000000 16cd9348 f6482e98");
    gw_message m = gw_message_of(buf, len);
    gw_eb_reader r;
    gw_eb_record rec = {0};
    char line[80];
    gw_text t = gw_text_over(line, sizeof line);

    (void)state;
    assert_true(gw_eb_open(&r, &m, NULL));
    assert_int_equal(r.header.flags, GW_EB_NR);
    assert_int_equal(r.header.len, 4);
    assert_true(gw_eb_next(&r, &rec));
    assert_int_equal(rec.flags, GW_EB_CYC | GW_EB_WFF);
    assert_int_equal(rec.byte_enable, 0x0f);
    assert_int_equal(rec.wcount, 8);
    assert_int_equal(rec.rcount, 0);
    assert_int_equal(rec.write_base, 0x7ffffff0);
    assert_int_equal(gw_eb_write_value(&r.layout, &rec, 7), 0xf6482e98);
    assert_false(gw_eb_next(&r, &rec));
    assert_int_equal(r.error.kind, GW_OK);
    gw_eb_summary(&m, NULL, &t);
    assert_string_equal(line, "Write 8 @ 0x7ffffff0 FIFO");
}

static void expect_summary(const char *hex, const char *dialect, const char *want)
{
    uint8_t buf[256];
    gw_message m = gw_message_of(buf, from_hex(buf, hex));
    char line[200];
    gw_text t = gw_text_over(line, sizeof line);

    gw_eb_summary(&m, gw_dialect_by_name(&gw_etherbone, dialect), &t);
    assert_string_equal(line, want);
}

static void summaries_read_well(void **state)
{
    (void)state;
    expect_summary("4e6f1144 00000001", "strict", "Probe a32 d32");
    expect_summary("4e6f16ff 00000001", "strict", "Probe response a8/16/32/64 d8/16/32/64");
    expect_summary("4e6f1044 080f0001 00008000 00100000", "strict", "Read 1 @ 0x100000");
    expect_summary("4e6f1044 480f0002 00008001 00000000 00000004", "strict",
                   "Read 2 @ config 0x0...");
    expect_summary("4e6f1044 a80f0101 00000010 cafe0001 00008000 00000010", "strict",
                   "Write 1 @ 0x10, Read 1 @ 0x10");
    expect_summary("4e6f1044 08000000", "strict", "Empty record");
    expect_summary("4e6f1044", "strict", "Header");
    expect_summary("4e6f10", "strict", "Header, truncated at byte 3");
    expect_summary("4e6e1044 08000000", "strict", "Header, malformed at byte 0");
    expect_summary("4e6f1044 080f0001 00008000", "strict", "Record, truncated at byte 12");
    expect_summary("4e6f1044 00000000 000f0001 00008000 00000004", "litex", "Read 1 @ 0x4");
    expect_summary("4e6f11ff 00000001 4957cc10", "litex", "Probe a8/16/32/64 d8/16/32/64");
    expect_summary("4e6f1144 00000001 4957", "litex", "Probe a32 d32, truncated at byte 8");
    expect_summary("4e6f1144 00000001", "litex", "Probe a32 d32");
    expect_summary("4e6f1144 00000001 00000000 00", "litex", "Probe a32 d32, malformed at byte 12");
}

/* What the struct decoder and the walk say of the same bytes must agree. */
struct sum {
    gw_sink sink;
    uint64_t values;
    unsigned writes, reads, records;
};

static void sum_item(gw_sink *sink, const gw_item *item)
{
    struct sum *s = (struct sum *)sink;
    if (item->field == gw_eb_field(GW_EB_F_WRITE_VALUE)) {
        s->values += item->value;
        s->writes++;
    } else if (item->field == gw_eb_field(GW_EB_F_READ_ADDR)) {
        s->values += item->value * 3;
        s->reads++;
    }
}

static void sum_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    struct sum *s = (struct sum *)sink;
    (void)group;
    (void)offset;
    assert_int_equal(index, s->records);
    s->records++;
}

static void expect_agreement(const gw_message *m, const gw_dialect *dialect)
{
    struct sum walked = {.sink = {.item = sum_item, .open = sum_open}}, decoded = {0};
    gw_error error, cover_error;
    gw_eb_reader r;
    gw_eb_record rec;

    error = gw_eb_walk(m, dialect, &walked.sink);
    const char *fault = gw_cover_walk(&gw_etherbone, m, dialect, &cover_error);
    if (fault != NULL)
        fail_msg("%s", fault);
    if (gw_eb_open(&r, m, dialect)) {
        while (gw_eb_next(&r, &rec)) {
            decoded.records++;
            for (unsigned i = 0; i < rec.wcount; i++, decoded.writes++)
                decoded.values += gw_eb_write_value(&r.layout, &rec, i);
            for (unsigned i = 0; i < rec.rcount; i++, decoded.reads++)
                decoded.values += gw_eb_read_addr(&r.layout, &rec, i) * 3;
        }
    }
    assert_int_equal(error.kind, r.error.kind);
    if (error.kind != GW_OK) {
        assert_int_equal(error.offset, r.error.offset);
        assert_ptr_equal(error.field, r.error.field);
        assert_int_equal(error.capture_cut, r.error.capture_cut);
        return; /* the walk also shows the units of the record that broke */
    }
    assert_true(walked.values == decoded.values);
    assert_int_equal(walked.writes, decoded.writes);
    assert_int_equal(walked.reads, decoded.reads);
    assert_int_equal(walked.records, decoded.records);
}

/* One record with |w| writes and |r| reads after another, in every pair of widths, cut at every
 * byte. */
static size_t build_sample(uint8_t *buf, size_t cap, uint8_t widths, const gw_dialect *dialect)
{
    uint64_t values[9], addrs[5];
    gw_eb_builder b;

    for (size_t i = 0; i < GW_ARRAY_LEN(values); i++)
        values[i] = 0x1122334455667788ULL * (i + 1);
    for (size_t i = 0; i < GW_ARRAY_LEN(addrs); i++)
        addrs[i] = 0x0102030405060708ULL + 8 * i;
    gw_eb_operation ops[] = {
        {.writes = values,
         .num_writes = 3,
         .write_base = 0x40,
         .flags = GW_EB_WFF,
         .byte_enable = 1},
        {.byte_enable = 0xff},
        {.reads = addrs, .num_reads = 2, .return_base = 0x8000, .flags = 0xff, .byte_enable = 1},
        {.writes = values,
         .num_writes = 9,
         .write_base = 0x10,
         .reads = addrs,
         .num_reads = 5,
         .return_base = 0x8002,
         .flags = GW_EB_CYC,
         .byte_enable = 1},
    };
    assert_true(gw_eb_build_packet(&b, buf, cap, widths, dialect));
    for (size_t i = 0; i < GW_ARRAY_LEN(ops); i++)
        assert_true(gw_eb_build_record(&b, &ops[i]));
    return gw_eb_build_end(&b, true);
}

static void every_width_and_every_cut_is_told_alike(void **state)
{
    uint8_t buf[512];

    (void)state;
    for (size_t d = 0; d < gw_etherbone.num_dialects; d++) {
        const gw_dialect *dialect = &gw_etherbone.dialects[d];
        for (size_t i = 0; i < sizeof all_widths; i++) {
            gw_eb_layout l;
            if (!gw_eb_layout_for(&l, all_widths[i], dialect) || l.widths != all_widths[i])
                continue;
            size_t len = build_sample(buf, sizeof buf, all_widths[i], dialect);
            assert_int_equal(buf[2], 0x10); /* there are reads: NR stays clear */
            for (size_t cut = 0; cut <= len; cut++) {
                uint8_t *exact = malloc(cut + 1);
                memcpy(exact, buf, cut);
                gw_message m = gw_message_of(exact, cut);
                expect_agreement(&m, dialect);
                m.len = (uint32_t)len; /* the capture cut it */
                expect_agreement(&m, dialect);
                free(exact);
            }
        }
    }
}

static gw_error error_of(const uint8_t *buf, size_t cap_len, size_t len)
{
    gw_message m = gw_message_of(buf, cap_len);
    gw_error error;
    m.len = (uint32_t)len;
    assert_null(gw_cover_walk(&gw_etherbone, &m, NULL, &error));
    return error;
}

static void truncation_names_the_field_that_does_not_fit(void **state)
{
    uint8_t buf[64];
    size_t len = from_hex(buf, "4e6f1044 280f0102 00000010 cafe0001 00008000 00000010 00000014");
    static const struct {
        unsigned cut, offset;
        const char *field;
    } want[] = {
        {0, 0, "etherbone.magic"},
        {1, 0, "etherbone.magic"},
        {2, 2, "etherbone.version"},
        {3, 3, "etherbone.addr_width"},
        {5, 5, "etherbone.record.byte_enable"},
        {6, 6, "etherbone.record.wcount"},
        {7, 7, "etherbone.record.rcount"},
        {8, 8, "etherbone.write.base"},
        {11, 8, "etherbone.write.base"},
        {12, 12, "etherbone.write.value"},
        {15, 12, "etherbone.write.value"},
        {16, 16, "etherbone.read.base"},
        {20, 20, "etherbone.read.addr"},
        {27, 24, "etherbone.read.addr"},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(want); i++) {
        gw_error e = error_of(buf, want[i].cut, want[i].cut);
        assert_int_equal(e.kind, GW_TRUNCATED);
        assert_int_equal(e.offset, want[i].offset);
        assert_string_equal(e.field->name, want[i].field);
        assert_false(e.capture_cut);
        e = error_of(buf, want[i].cut, len);
        assert_int_equal(e.kind, GW_TRUNCATED);
        assert_true(e.capture_cut);
    }
    /* Cut between records it is a shorter legal packet, unless the capture did it. */
    assert_int_equal(error_of(buf, 4, 4).kind, GW_OK);
    assert_int_equal(error_of(buf, len, len).kind, GW_OK);
    assert_true(error_of(buf, 4, len).capture_cut);
    /* The board said 40 bytes short of what it counted, and the capture is not to blame for those.
     */
    buf[6] = 9;
    assert_false(error_of(buf, len, len).capture_cut);
}

static void what_is_not_etherbone_is_told(void **state)
{
    uint8_t buf[64];

    (void)state;
    from_hex(buf, "4e6e1044 08000000");
    gw_error e = error_of(buf, 8, 8);
    assert_int_equal(e.kind, GW_MALFORMED);
    assert_string_equal(e.field->name, "etherbone.magic");
    from_hex(buf, "4e6f2044 08000000");
    e = error_of(buf, 8, 8);
    assert_int_equal(e.kind, GW_UNSUPPORTED);
    assert_string_equal(e.field->name, "etherbone.version");
    from_hex(buf, "4e6f1043 08000000");
    e = error_of(buf, 8, 8);
    assert_int_equal(e.kind, GW_UNSUPPORTED);
    assert_string_equal(e.field->name, "etherbone.port_width");
    from_hex(buf, "4e6f1104 00000000");
    assert_int_equal(error_of(buf, 8, 8).kind, GW_OK); /* a probe may carry any mask */
    from_hex(buf, "4e6f1144 00000000 00000000");
    e = error_of(buf, 12, 12);
    assert_int_equal(e.kind, GW_MALFORMED);
    assert_int_equal(e.offset, 8);
    e = error_of(buf, 6, 6);
    assert_int_equal(e.kind, GW_TRUNCATED);
    assert_string_equal(e.field->name, "etherbone.probe_id");
}

static void building_refuses_what_does_not_fit(void **state)
{
    uint8_t buf[32];
    uint64_t value = 1;
    gw_eb_builder b;
    gw_eb_operation op = {.writes = &value, .num_writes = 1, .byte_enable = 15, .flags = GW_EB_CYC};

    (void)state;
    assert_false(gw_eb_build_packet(&b, buf, sizeof buf, 0x4c, NULL));
    assert_false(gw_eb_build_packet(&b, buf, 3, 0x44, NULL));
    assert_true(gw_eb_build_packet(&b, buf, 16, 0x44, NULL));
    assert_true(gw_eb_build_record(&b, &op));
    assert_false(gw_eb_build_record(&b, &op));
    assert_int_equal(gw_eb_build_end(&b, true), 16);
    assert_int_equal(buf[2], 0x14);
    uint8_t probe[8];
    gw_eb_build_probe(probe, true, 0xff, 0xa1b2c3d4);
    assert_memory_equal(probe, ((uint8_t[]){0x4e, 0x6f, 0x16, 0xff, 0xa1, 0xb2, 0xc3, 0xd4}), 8);
}

/* Setting one leaf changes its bits and no others. */
static void emit_touches_its_own_bits_only(void **state)
{
    uint8_t buf[4] = {0x4e, 0x6f, 0x10, 0x44}, want[4] = {0x4e, 0x6f, 0x14, 0x44};
    gw_item item = {.field = gw_eb_field(GW_EB_F_NR), .value = 1, .offset = 2, .bits = 1};

    (void)state;
    assert_true(gw_emit(buf, 4, &item));
    assert_memory_equal(buf, want, 4);
    item.value = 2;
    assert_false(gw_emit(buf, 4, &item));
    item.value = 1;
    item.offset = 4;
    assert_false(gw_emit(buf, 4, &item));
    assert_memory_equal(buf, want, 4);
}

static void claims_are_few(void **state)
{
    uint8_t buf[64];
    gw_message m;

    (void)state;
    m = gw_message_of(buf, from_hex(buf, "4e6f1044 080f0001 00008000 00000000"));
    assert_true(gw_eb_claims(&m));
    m = gw_message_of(buf, from_hex(buf, "4e6f1144 00000001"));
    assert_true(gw_eb_claims(&m));
    m = gw_message_of(buf, from_hex(buf, "4e6f1044"));
    assert_false(gw_eb_claims(&m));
    m = gw_message_of(buf, from_hex(buf, "4e6f1044 080f0001 00008000"));
    assert_false(gw_eb_claims(&m));
    m = gw_message_of(buf, from_hex(buf, "4e6f7468 696e6720 6e6f7468"));
    assert_false(gw_eb_claims(&m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_follow_the_widths),
        cmocka_unit_test(masks_refine_to_the_widest_pair),
        cmocka_unit_test(byte_enables_are_aligned_runs),
        cmocka_unit_test(a_timing_message_decodes),
        cmocka_unit_test(summaries_read_well),
        cmocka_unit_test(every_width_and_every_cut_is_told_alike),
        cmocka_unit_test(truncation_names_the_field_that_does_not_fit),
        cmocka_unit_test(what_is_not_etherbone_is_told),
        cmocka_unit_test(building_refuses_what_does_not_fit),
        cmocka_unit_test(emit_touches_its_own_bits_only),
        cmocka_unit_test(claims_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

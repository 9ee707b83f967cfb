/* SPDX-License-Identifier: BSD-2-Clause */
/* Decode and round trip. Input: one byte (dialect, part, what the capture cut), then the message.
 *
 * Oracles: every bit in exactly one leaf; the leaves give the message back; errors lie inside; the
 * struct decoder says what the walk says; what was decoded whole can be built again and decodes to
 * the same. */
#include "crash/layout.h"
#include "fuzz.h"
#include "goldwire/etherbone.h"
#include "worth/worth.h"

static void nobody(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    gw_fuzz_check(finding->rule != NULL && finding->text != NULL && finding->text[0] != '\0',
                  "a finding without rule or text");
}

GW_WATCHER static void compare(const gw_message *m, const gw_message *again,
                               const gw_dialect *dialect)
{
    gw_eb_reader r, r2;
    gw_eb_record rec, rec2;

    gw_fuzz_check(again->len == m->len, "a rebuilt packet has another length");
    gw_fuzz_check(gw_eb_open(&r, m, dialect) && gw_eb_open(&r2, again, dialect),
                  "a rebuilt packet does not open");
    while (gw_eb_next(&r, &rec)) {
        gw_fuzz_check(gw_eb_next(&r2, &rec2), "a rebuilt packet has fewer records");
        gw_fuzz_check(rec.wcount == rec2.wcount && rec.rcount == rec2.rcount &&
                          rec.byte_enable == rec2.byte_enable &&
                          rec.write_base == rec2.write_base && rec.return_base == rec2.return_base,
                      "a rebuilt record differs");
    }
    gw_fuzz_check(!gw_eb_next(&r2, &rec2) && r2.error.kind == GW_OK,
                  "a rebuilt packet has more records, or an error");
}

/* Builds the records of a whole packet anew, where there is room for just these, and compares what
 * the builder is free to choose: nothing, if the packet had no dirty padding and no reserved bits.
 */
GW_WATCHER static void rebuild(const gw_message *m, const gw_dialect *dialect)
{
    static uint64_t writes[255], reads[255];
    gw_eb_reader r;
    gw_eb_record rec;
    gw_eb_builder b;

    if (m->part != GW_EB_PACKET || !gw_eb_open(&r, m, dialect) || !r.has_layout ||
        (r.header.flags & (GW_EB_PF | GW_EB_PR)) != 0 || r.header.widths != r.layout.widths)
        return;
    uint8_t *out = gw_fuzz_lend(NULL, m->len);
    gw_fuzz_check(gw_eb_build_packet(&b, out, m->len, r.layout.widths, dialect),
                  "a decoded packet's widths cannot be built");
    while (gw_eb_next(&r, &rec)) {
        for (unsigned i = 0; i < rec.wcount; i++)
            writes[i] = gw_eb_write_value(&r.layout, &rec, i);
        for (unsigned i = 0; i < rec.rcount; i++)
            reads[i] = gw_eb_read_addr(&r.layout, &rec, i);
        gw_eb_operation op = {.writes = writes,
                              .reads = reads,
                              .write_base = rec.write_base,
                              .return_base = rec.return_base,
                              .num_writes = rec.wcount,
                              .num_reads = rec.rcount,
                              .flags = rec.flags,
                              .byte_enable = rec.byte_enable};
        gw_fuzz_check(gw_eb_build_record(&b, &op), "a decoded record cannot be built");
    }
    if (r.error.kind == GW_OK) {
        gw_message again =
            gw_message_of(out, gw_eb_build_end(&b, (r.header.flags & GW_EB_NR) != 0));
        compare(m, &again, dialect);
    }
    gw_fuzz_take_back(out);
}

GW_WATCHER static void agree(const gw_message *m, const gw_dialect *dialect, const gw_error *walked)
{
    gw_eb_reader r;
    gw_eb_record rec;
    uint32_t steps = 0;

    if (gw_eb_open(&r, m, dialect)) {
        while (gw_eb_next(&r, &rec))
            gw_fuzz_check(++steps <= m->cap_len / 4 + 1, "more records than bytes allow");
    }
    gw_fuzz_check(r.error.kind == walked->kind, "decoder and walk disagree on the kind of error");
    gw_fuzz_check(r.error.kind == GW_OK ||
                      (r.error.offset == walked->offset && r.error.field == walked->field &&
                       r.error.capture_cut == walked->capture_cut),
                  "decoder and walk disagree on where the error is");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gw_verdict_sink sink = {.finding = nobody};

    if (size < 1 || size > 65536)
        return 0;
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_etherbone, data[0]);
    size_t len = size - 1;
    uint8_t *bytes = gw_fuzz_lend(data + 1, len);
    gw_message m = gw_fuzz_message(&gw_fuzz_layouts[GW_FUZZ_etherbone_decode], data, 0, bytes, len);

    gw_error error = gw_etherbone.walk(&m, dialect, NULL);
    gw_fuzz_parsed(error.kind == GW_OK);
    agree(&m, dialect, &error);
    gw_etherbone.check(&m, dialect, &sink);
    if (gw_fuzz_worth()) {
        gw_fuzz_tell(&gw_etherbone, &m, dialect, &error);
        rebuild(&m, dialect);
    }
    gw_fuzz_take_back(bytes);
    return 0;
}

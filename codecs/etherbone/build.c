/* SPDX-License-Identifier: BSD-2-Clause */
/* Building packets: counts, padding and NR follow from what is asked for. */
#include <string.h>

#include "etherbone/internal.h"

static bool begin(gw_eb_builder *b, void *buf, size_t cap, uint8_t widths,
                  const gw_dialect *dialect, bool with_header)
{
    *b = (gw_eb_builder){.w = gw_writer_over(buf, cap), .has_header = with_header};
    /* The gsi dialect reads 32/32 from either nibble; what we send says it in both. */
    return gw_eb_layout_for(&b->layout, widths, dialect) && b->layout.widths == widths;
}

static void put_header(uint8_t out[GW_EB_BYTES_IN_HEADER], uint8_t flags, uint8_t widths)
{
    PUT(out, MAGIC, GW_EB_MAGIC);
    PUT(out, VERSION, GW_EB_VERSION);
    PUT_RUN(out, RESERVED, PF, flags);
    PUT_RUN(out, ADDR_WIDTH, PORT_WIDTH, widths);
}

bool gw_eb_build_packet(gw_eb_builder *b, void *buf, size_t cap, uint8_t widths,
                        const gw_dialect *dialect)
{
    uint8_t head[GW_EB_BYTES_IN_HEADER] = {0};

    if (!begin(b, buf, cap, widths, dialect, true))
        return false;
    put_header(head, 0, widths);
    gw_write_bytes(&b->w, head, sizeof head);
    gw_write_zeros(&b->w, b->layout.header_len - sizeof head);
    return !b->w.full;
}

bool gw_eb_build_records(gw_eb_builder *b, void *buf, size_t cap, uint8_t widths,
                         const gw_dialect *dialect)
{
    return begin(b, buf, cap, widths, dialect, false);
}

/* |width| significant bytes, zero-extended to |unit|. */
static void write_unit(gw_writer *w, uint64_t value, size_t unit, size_t width)
{
    gw_write_zeros(w, unit - width);
    gw_write_be(w, value, width);
}

bool gw_eb_build_record(gw_eb_builder *b, const gw_eb_operation *op)
{
    const gw_eb_layout *l = &b->layout;
    gw_writer *w = &b->w;
    uint8_t flags = op->flags & (uint8_t) ~(GW_EB_RESERVED_10 | GW_EB_RESERVED_01);
    uint8_t head[GW_EB_BYTES_IN_RECORD_HEADER + GW_EB_BYTES_IN_RECORD_FILL] = {0};

    if (w->full || w->cap - w->len < gw_eb_record_len(l, op->num_writes, op->num_reads))
        return false;
    PUT_RUN(head, BCA, RECORD_RESERVED2, l->mirrored_flags ? gw_eb_flags_swap(flags) : flags);
    PUT(head, BYTE_ENABLE, op->byte_enable);
    PUT(head, WCOUNT, op->num_writes);
    PUT(head, RCOUNT, op->num_reads);
    gw_write_bytes(w, head, l->record_header);
    if (op->num_writes > 0) {
        /* In a reply the base is the request's BaseRetAddr, which fills its unit. */
        gw_write_be(w, op->write_base, l->addr_unit);
        for (unsigned i = 0; i < op->num_writes; i++)
            write_unit(w, op->writes[i], l->data_unit, l->data_bytes);
    }
    if (op->num_reads > 0) {
        gw_write_be(w, op->return_base, l->addr_unit);
        for (unsigned i = 0; i < op->num_reads; i++)
            write_unit(w, op->reads[i], l->addr_unit, l->addr_bytes);
        b->has_reads = true;
    }
    return true;
}

size_t gw_eb_build_end(gw_eb_builder *b, bool no_response)
{
    if (b->has_header && no_response && !b->has_reads)
        PUT(b->w.buf, NR, 1);
    return b->w.len;
}

void gw_eb_build_probe(uint8_t out[8], bool response, uint8_t widths, uint32_t id)
{
    memset(out, 0, GW_EB_PROBE_LEN);
    /* A response holds no reads, so it says NR as well (spec 866). */
    put_header(out, response ? GW_EB_NR | GW_EB_PR : GW_EB_PF, widths);
    PUT(out + GW_EB_BYTES_IN_HEADER, PROBE_ID, id);
}

size_t gw_eb_build_any_probe(uint8_t out[12], uint8_t widths, uint32_t id,
                             const gw_dialect *dialect)
{
    size_t len = gw_eb_probe_len(dialect);

    memset(out, 0, GW_EB_PROBE_MAX);
    gw_eb_build_probe(out, false, widths, id);
    if (len > GW_EB_PROBE_LEN)
        PUT(out + GW_EB_PROBE_LEN, PROBE_TAIL, id);
    return len;
}

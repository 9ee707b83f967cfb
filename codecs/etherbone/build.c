/* SPDX-License-Identifier: BSD-2-Clause */
/* Building packets: counts, padding and NR follow from what is asked for. */
#include "etherbone/internal.h"

static bool begin(gw_eb_builder *b, void *buf, size_t cap, uint8_t widths,
                  const gw_dialect *dialect, bool with_header)
{
    *b = (gw_eb_builder){.w = gw_writer_over(buf, cap), .has_header = with_header};
    /* The gsi dialect reads 32/32 from either nibble; what we send says it in both. */
    return gw_eb_layout_for(&b->layout, widths, dialect) && b->layout.widths == widths;
}

bool gw_eb_build_packet(gw_eb_builder *b, void *buf, size_t cap, uint8_t widths,
                        const gw_dialect *dialect)
{
    if (!begin(b, buf, cap, widths, dialect, true))
        return false;
    gw_write_be(&b->w, GW_EB_MAGIC, 2);
    gw_write_be(&b->w, GW_EB_VERSION << 4, 1);
    gw_write_be(&b->w, widths, 1);
    gw_write_zeros(&b->w, b->layout.header_len - 4);
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

    if (w->full || w->cap - w->len < gw_eb_record_len(l, op->num_writes, op->num_reads))
        return false;
    gw_write_be(w, l->mirrored_flags ? gw_eb_flags_swap(flags) : flags, 1);
    gw_write_be(w, op->byte_enable, 1);
    gw_write_be(w, op->num_writes, 1);
    gw_write_be(w, op->num_reads, 1);
    gw_write_zeros(w, l->record_header - 4);
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
        b->w.buf[2] |= GW_EB_NR;
    return b->w.len;
}

void gw_eb_build_probe(uint8_t out[8], bool response, uint8_t widths, uint32_t id)
{
    gw_store_be(out, GW_EB_MAGIC, 2);
    /* A response holds no reads, so it says NR as well (spec 866). */
    out[2] = (uint8_t)(GW_EB_VERSION << 4 | (response ? GW_EB_NR | GW_EB_PR : GW_EB_PF));
    out[3] = widths;
    gw_store_be(out + 4, id, 4);
}

size_t gw_eb_build_any_probe(uint8_t out[12], uint8_t widths, uint32_t id,
                             const gw_dialect *dialect)
{
    size_t len = gw_eb_probe_len(dialect);

    gw_eb_build_probe(out, false, widths, id);
    if (len > 8)
        gw_store_be(out + 8, id, 4);
    return len;
}

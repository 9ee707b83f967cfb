/* SPDX-License-Identifier: BSD-2-Clause */
/* Walking a message field by field. */
#include "etherbone/internal.h"

static bool flat(gw_walk *w, int group)
{
    return gw_walk_flat(w, gw_eb_group(group), 0);
}

static bool units(gw_walk *w, int group, unsigned num, size_t unit, size_t width)
{
    return gw_walk_units(w, gw_eb_group(group), num, unit, width);
}

/* Writes come before reads (spec 780-791); BaseRetAddr fills its unit whatever the address width.
 */
static bool walk_operations(gw_walk *w, const gw_eb_layout *l, unsigned wcount, unsigned rcount)
{
    if (wcount > 0) {
        if (!units(w, GW_EB_G_WRITE_BASE, 1, l->addr_unit, l->addr_bytes) ||
            !units(w, GW_EB_G_WRITE_VALUE, wcount, l->data_unit, l->data_bytes))
            return false;
    }
    if (rcount > 0) {
        if (!units(w, GW_EB_G_READ_BASE, 1, l->addr_unit, l->addr_unit) ||
            !units(w, GW_EB_G_READ_ADDR, rcount, l->addr_unit, l->addr_bytes))
            return false;
    }
    return true;
}

void gw_eb_walk_record(gw_walk *w, const gw_eb_layout *l, uint32_t index)
{
    const uint8_t *head = w->c.p;

    gw_walk_open(w, gw_eb_group(GW_EB_G_RECORD), index);
    bool whole = flat(w, l->mirrored_flags ? GW_EB_G_MIRRORED_HEADER : GW_EB_G_RECORD_HEADER);
    if (whole && l->record_header == 8)
        whole = flat(w, GW_EB_G_RECORD_FILL);
    if (whole)
        whole = walk_operations(w, l, head[2], head[3]);
    gw_walk_close(w, gw_eb_group(GW_EB_G_RECORD));
    (void)whole; /* the walk remembers why */
}

static void walk_records(gw_walk *w, const gw_eb_layout *l)
{
    /* A capture that cut between two records still owes the next one. */
    for (uint32_t i = 0; w->error.kind == GW_OK; i++) {
        if (gw_cursor_left(&w->c) == 0 && gw_cursor_offset(&w->c) >= w->len)
            return;
        gw_eb_walk_record(w, l, i);
    }
}

static void walk_probe(gw_walk *w, const gw_message *message, const gw_dialect *dialect,
                       uint8_t widths)
{
    gw_eb_layout layout;

    if (!flat(w, GW_EB_G_PROBE))
        return;
    if (gw_cursor_left(&w->c) == 0)
        return;
    if (!gw_eb_dialect_of(dialect)->records_after_probe || message->part != GW_EB_PACKET) {
        gw_walk_stop(w, GW_MALFORMED, gw_cursor_offset(&w->c), gw_eb_field(GW_EB_F_UNDECODED));
        return;
    }
    if (!gw_eb_layout_for(&layout, widths, dialect)) {
        gw_walk_stop(w, GW_UNSUPPORTED, 3, gw_eb_field(GW_EB_F_ADDR_WIDTH));
        return;
    }
    walk_records(w, &layout);
}

static void walk_packet(gw_walk *w, const gw_message *message, const gw_dialect *dialect)
{
    const uint8_t *head = w->c.p;
    gw_eb_layout layout;

    if (!flat(w, GW_EB_G_HEADER))
        return;
    if (gw_load_be16(head) != GW_EB_MAGIC) {
        gw_walk_stop(w, GW_MALFORMED, 0, gw_eb_field(GW_EB_F_MAGIC));
        return;
    }
    if ((head[2] & (GW_EB_PF | GW_EB_PR)) != 0) {
        walk_probe(w, message, dialect, head[3]);
        return;
    }
    if (head[2] >> 4 != GW_EB_VERSION) {
        gw_walk_stop(w, GW_UNSUPPORTED, 2, gw_eb_field(GW_EB_F_VERSION));
        return;
    }
    if (!gw_eb_layout_for(&layout, head[3], dialect)) {
        const gw_field *addr = gw_eb_field(GW_EB_F_ADDR_WIDTH);
        bool addr_fits = gw_field_legal(addr, head[3] >> 4);
        gw_walk_stop(w, GW_UNSUPPORTED, 3, addr_fits ? gw_eb_field(GW_EB_F_PORT_WIDTH) : addr);
        return;
    }
    if (layout.header_len == 8 && !flat(w, GW_EB_G_HEADER_FILL))
        return;
    if (message->part == GW_EB_PACKET)
        walk_records(w, &layout);
}

gw_error gw_eb_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink)
{
    gw_walk w = gw_walk_over(message, sink);
    gw_eb_layout layout;

    switch (message->part) {
    case GW_EB_PACKET:
    case GW_EB_HEAD:
        walk_packet(&w, message, dialect);
        break;
    case GW_EB_RECORD:
        if (gw_eb_layout_for(&layout, (uint8_t)message->part_arg, dialect))
            walk_records(&w, &layout);
        else
            gw_walk_stop(&w, GW_UNSUPPORTED, 0, gw_eb_field(GW_EB_F_UNDECODED));
        break;
    case GW_EB_BANNER:
        gw_walk_rest(&w, gw_eb_group(GW_EB_G_BANNER));
        break;
    case GW_EB_LOST:
        gw_walk_stop(&w, GW_UNSUPPORTED, 0, gw_eb_field(GW_EB_F_UNDECODED));
        break;
    default:
        gw_walk_stop(&w, GW_BUG, 0, gw_eb_field(GW_EB_F_UNDECODED));
        break;
    }
    if (gw_cursor_left(&w.c) > 0)
        gw_walk_stop(&w, GW_MALFORMED, gw_cursor_offset(&w.c), gw_eb_field(GW_EB_F_UNDECODED));
    else if (gw_cursor_offset(&w.c) < w.len)
        gw_walk_missing(&w, gw_eb_field(GW_EB_F_UNDECODED), 1);
    gw_walk_rest(&w, gw_eb_group(GW_EB_G_UNDECODED));
    return w.error;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a message: into structs, and field by field. */
#include "core/check.h"
#include "etherbone/internal.h"

static bool flat(gw_walk *w, int group)
{
    return gw_walk_flat(w, gw_eb_group(group), 0);
}

/* Stops at |field|, of a group that begins at byte |start|; records do not follow. */
static bool stop(gw_walk *w, gw_error_kind kind, uint32_t start, int field)
{
    const gw_field *f = gw_eb_field(field);

    gw_walk_stop(w, kind, start + f->byte, f);
    return false;
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

static void walk_record(gw_walk *w, const gw_eb_layout *l, uint32_t index)
{
    int header = l->mirrored_flags ? GW_EB_G_MIRRORED_HEADER : GW_EB_G_RECORD_HEADER;

    gw_walk_open(w, gw_eb_group(GW_EB_G_RECORD), index);
    unsigned wcount = 0, rcount = 0;
    bool whole = flat(w, header);
    if (whole) {
        const uint8_t *head = gw_walk_taken(w, gw_eb_group(header));
        wcount = (uint8_t)GET(head, WCOUNT);
        rcount = (uint8_t)GET(head, RCOUNT);
    }
    if (whole && l->record_header > GW_EB_BYTES_IN_RECORD_HEADER)
        whole = flat(w, GW_EB_G_RECORD_FILL);
    if (whole)
        whole = walk_operations(w, l, wcount, rcount);
    gw_walk_close(w, gw_eb_group(GW_EB_G_RECORD));
    (void)whole; /* the walk remembers why */
}

static void walk_records(gw_walk *w, const gw_eb_layout *l)
{
    /* A capture that cut between two records still owes the next one. */
    //@ slevel 0;
    //@ loop unroll 0;
    for (uint32_t i = 0; w->error.kind == GW_OK; i++) {
        if (gw_cursor_left(&w->c) == 0 && gw_cursor_offset(&w->c) >= w->len)
            return;
        walk_record(w, l, i);
    }
}

/* What follows a probe: nothing, unless the dialect has longer ones or allows records. */
static bool walk_probe(gw_walk *w, const gw_eb_reader *r, const gw_message *message,
                       const gw_dialect *dialect)
{
    if (gw_cursor_left(&w->c) == 0)
        return false;
    if (gw_eb_probe_len(dialect) > GW_EB_PROBE_LEN)
        return flat(w, GW_EB_G_PROBE_TAIL) && false;
    if (!gw_eb_dialect_of(dialect)->records_after_probe || message->part != GW_EB_PACKET)
        return stop(w, GW_MALFORMED, gw_cursor_offset(&w->c), GW_EB_F_UNDECODED);
    return r->has_layout || stop(w, GW_UNSUPPORTED, 0, GW_EB_F_ADDR_WIDTH);
}

/* A packet's header; what it says of the records goes into |r|. False when none follow. */
static bool walk_head(gw_walk *w, gw_eb_reader *r, const gw_message *message,
                      const gw_dialect *dialect)
{
    if (!flat(w, GW_EB_G_HEADER))
        return false;
    const uint8_t *p = gw_walk_taken(w, gw_eb_group(GW_EB_G_HEADER));
    if (!gw_eb_has_magic(p))
        return stop(w, GW_MALFORMED, 0, GW_EB_F_MAGIC);
    bool probes = gw_eb_probes(p);
    if (!probes && !gw_eb_is_v1(p))
        return stop(w, GW_UNSUPPORTED, 0, GW_EB_F_VERSION);
    r->has_layout = gw_eb_layout_for(&r->layout, gw_eb_widths_of(p), dialect);
    if (!probes && !r->has_layout) {
        bool addr_fits =
            gw_field_legal(gw_eb_field(GW_EB_F_ADDR_WIDTH), gw_eb_addr_code(gw_eb_widths_of(p)));
        return stop(w, GW_UNSUPPORTED, 0, addr_fits ? GW_EB_F_PORT_WIDTH : GW_EB_F_ADDR_WIDTH);
    }
    if (probes || r->layout.header_len > GW_EB_BYTES_IN_HEADER) {
        if (!flat(w, probes ? GW_EB_G_PROBE : GW_EB_G_HEADER_FILL))
            return false;
    }
    return probes ? walk_probe(w, r, message, dialect) : message->part == GW_EB_PACKET;
}

/* What is left belongs to nothing. */
static gw_error end(gw_walk *w)
{
    if (gw_cursor_left(&w->c) > 0)
        (void)stop(w, GW_MALFORMED, gw_cursor_offset(&w->c), GW_EB_F_UNDECODED);
    else if (gw_cursor_offset(&w->c) < w->len)
        gw_walk_missing(w, gw_eb_field(GW_EB_F_UNDECODED), 1);
    gw_walk_rest(w, gw_eb_group(GW_EB_G_UNDECODED));
    return w->error;
}

/* What comes before the records. False when there are none. */
static bool walk_start(gw_walk *w, gw_eb_reader *r, const gw_message *message,
                       const gw_dialect *dialect)
{
    r->has_layout = false;
    r->layout = (gw_eb_layout){0};
    switch (message->part) {
    case GW_EB_PACKET:
    case GW_EB_HEAD:
        return walk_head(w, r, message, dialect);
    case GW_EB_RECORD:
        r->has_layout = gw_eb_layout_for(&r->layout, (uint8_t)message->part_arg, dialect);
        return r->has_layout || stop(w, GW_UNSUPPORTED, 0, GW_EB_F_UNDECODED);
    case GW_EB_BANNER:
        gw_walk_rest(w, gw_eb_group(GW_EB_G_BANNER));
        return false;
    default:
        return stop(w, message->part == GW_EB_LOST ? GW_UNSUPPORTED : GW_BUG, 0, GW_EB_F_UNDECODED);
    }
}

/* Reads |message| up to its records, where |r| then stands, or with |whole| all of it. */
static gw_error read_message(gw_eb_reader *r, const gw_message *message, const gw_dialect *dialect,
                             gw_sink *sink, bool whole)
{
    gw_walk w = gw_walk_over(message, sink);

    bool records = walk_start(&w, r, message, dialect);
    r->c = w.c;
    if (records && !whole)
        return w.error;
    if (records)
        walk_records(&w, &r->layout);
    return end(&w);
}

gw_error gw_eb_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink)
{
    gw_eb_reader r;

    return read_message(&r, message, dialect, sink, true);
}

static inline void fill_header(gw_eb_reader *r, const uint8_t *p, size_t len)
{
    r->header.version = (uint8_t)GET(p, VERSION);
    r->header.flags = gw_eb_flags_of(p);
    r->header.widths = gw_eb_widths_of(p);
    r->header.len = (uint8_t)len;
    r->header.tail = len > GW_EB_BYTES_IN_HEADER ? gw_eb_probe_id(p) : 0; /* or the padding there */
}

/* A packet that is no probe, as nearly all are: what is wrong with another one, the walk tells. */
static inline bool open_packet(gw_eb_reader *r, const gw_message *message,
                               const gw_dialect *dialect)
{
    gw_cursor c = r->c;
    const uint8_t *p;

    if (message->part != GW_EB_PACKET || !gw_cursor_bytes(&c, &p, GW_EB_BYTES_IN_HEADER) ||
        !gw_eb_is_v1(p) || gw_eb_probes(p) ||
        !gw_eb_layout_for(&r->layout, gw_eb_widths_of(p), dialect))
        return false;
    size_t len =
        r->layout.header_len > GW_EB_BYTES_IN_HEADER ? GW_EB_PROBE_LEN : GW_EB_BYTES_IN_HEADER;
    //@ split len;
    if (!gw_cursor_bytes(&r->c, &p, len))
        return false;
    r->has_header = r->has_layout = true;
    r->error = (gw_error){0};
    fill_header(r, p, len);
    return true;
}

bool gw_eb_open(gw_eb_reader *r, const gw_message *message, const gw_dialect *dialect)
{
    r->c = gw_cursor_over(message->data, message->cap_len);
    r->len = message->len;
    if (open_packet(r, message, dialect))
        return true;

    r->header = (gw_eb_header){0};
    r->error = read_message(r, message, dialect, NULL, false);
    /* A probe's tail stands behind its header. */
    uint32_t len =
        gw_cursor_offset(&r->c) < GW_EB_PROBE_LEN ? GW_EB_BYTES_IN_HEADER : GW_EB_PROBE_LEN;
    //@ split len;
    const uint8_t *p = gw_check_bytes(message, 0, len);
    r->has_header = (message->part == GW_EB_PACKET || message->part == GW_EB_HEAD) &&
                    gw_cursor_offset(&r->c) >= GW_EB_BYTES_IN_HEADER && p != NULL;
    if (r->has_header)
        fill_header(r, p, len);
    return r->error.kind == GW_OK && message->part != GW_EB_BANNER;
}

void gw_eb_next_slow(gw_eb_reader *r)
{
    if (r->error.kind == GW_OK && r->has_layout) {
        gw_walk w = {.c = r->c, .len = r->len};
        walk_record(&w, &r->layout, 0);
        r->error = w.error;
    }
}

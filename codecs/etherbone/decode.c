/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoding into structs: the fast way. What does not fit is located by the walk, so that both tell
 * the same. */
#include "etherbone/internal.h"

static void ignore_item(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    (void)item;
}

/* Asks the walk what is wrong with |message|. */
static void locate(gw_eb_reader *r, const gw_message *message, const gw_dialect *dialect)
{
    gw_sink nobody = {.item = ignore_item};
    r->error = gw_eb_walk(message, dialect, &nobody);
}

/* The header of a packet or of a stream; false when records cannot follow. */
static bool read_header(gw_eb_reader *r, const gw_message *message, const gw_dialect *dialect)
{
    const gw_eb_dialect *d = gw_eb_dialect_of(dialect);
    const uint8_t *p;

    if (!gw_cursor_bytes(&r->c, &p, 4))
        return false;
    r->has_header = true;
    r->header = (gw_eb_header){
        .version = p[2] >> 4, .flags = p[2] & 15, .widths = p[3], .len = 4, .tail = 0};
    if (gw_load_be16(p) != GW_EB_MAGIC)
        return false;

    bool probing = (p[2] & (GW_EB_PF | GW_EB_PR)) != 0;
    if (p[2] >> 4 != GW_EB_VERSION && !probing)
        return false;
    r->has_layout = gw_eb_layout_for(&r->layout, p[3], dialect);
    if (probing || (r->has_layout && r->layout.header_len == 8)) {
        if (!gw_cursor_be32(&r->c, &r->header.tail))
            return false;
        r->header.len = 8;
    }
    if (message->part == GW_EB_HEAD || (probing && gw_cursor_left(&r->c) == 0))
        return gw_cursor_left(&r->c) == 0 && message->cap_len == message->len &&
               (probing || r->has_layout);
    return r->has_layout && (!probing || d->records_after_probe);
}

bool gw_eb_open(gw_eb_reader *r, const gw_message *message, const gw_dialect *dialect)
{
    r->c = gw_cursor_over(message->data, message->cap_len);
    r->len = message->len;
    r->error = (gw_error){0};
    r->has_header = false;
    r->has_layout = false;

    switch (message->part) {
    case GW_EB_PACKET:
    case GW_EB_HEAD:
        if (GW_UNLIKELY(!read_header(r, message, dialect))) {
            locate(r, message, dialect);
            return false;
        }
        return true;
    case GW_EB_RECORD:
        r->has_layout = gw_eb_layout_for(&r->layout, (uint8_t)message->part_arg, dialect);
        if (r->has_layout)
            return true;
        break;
    default:
        break;
    }
    locate(r, message, dialect);
    return false;
}

/* The record at the cursor does not fit: walk it to learn which field it is. */
static void locate_record(gw_eb_reader *r)
{
    gw_sink nobody = {.item = ignore_item};
    gw_walk w = {.sink = &nobody, .c = r->c, .len = r->len};

    gw_eb_walk_record(&w, &r->layout, 0);
    r->error = w.error;
}

void gw_eb_next_slow(gw_eb_reader *r)
{
    bool at_end = gw_cursor_left(&r->c) == 0 && gw_cursor_offset(&r->c) >= r->len;

    if (r->error.kind == GW_OK && r->has_layout && !at_end)
        locate_record(r);
    r->c.end = r->c.p; /* nothing more comes out of this reader */
}

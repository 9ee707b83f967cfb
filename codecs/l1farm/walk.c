/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a message, whatever carries it: into a struct, and field by field. */
#include <string.h>

#include "l1farm/walk.h"

static void read_kind(gw_l1_reading *r)
{
    const gw_l1_shim *s = &r->out->shim;

    switch (s->kind) {
    case GW_L1_KIND_SUBEVENT:
        gw_l1_read_subevent(r);
        return;
    case GW_L1_KIND_TAG:
        gw_l1_read_tag(r);
        return;
    case GW_L1_KIND_EDGE:
        gw_l1_read_edge(r);
        return;
    case GW_L1_KIND_RESULT:
    case GW_L1_KIND_DECISION:
        gw_l1_read_result(r);
        return;
    case GW_L1_KIND_SCI:
        gw_l1_read_record(r, s->length);
        return;
    case GW_L1_KIND_REGISTER:
        gw_l1_read_register(r);
        return;
    case GW_L1_KIND_DESCRIPTORS:
        gw_l1_read_descriptors(r);
        return;
    case GW_L1_KIND_ODE:
        gw_l1_read_ode(r, s->length);
        return;
    case GW_L1_KIND_FREE:
    case GW_L1_KIND_TIMEOUT:
    case GW_L1_KIND_ENTERED:
    case GW_L1_KIND_LISTEN:
        r->out->has = GW_L1_HAS_NOTICE;
        return;
    default:
        gw_l1_stop(&r->w, GW_UNSUPPORTED, 0, GW_L1_F_KIND);
        return;
    }
}

/* A burst of 16 bytes is a result, one of whole words event data: that is all there is to tell them
 * by. */
static void read_burst(gw_l1_reading *r, uint32_t length)
{
    if (length == GW_L1_RESULT) {
        gw_l1_read_result(r);
    } else if (r->profile->ode || length % GW_L1_WORD == 0) {
        gw_l1_read_subevent(r);
    } else {
        r->out->has = GW_L1_HAS_DATA;
        gw_l1_string(&r->w, GW_L1_G_DATA, GW_L1_F_DATA, length);
    }
}

/* What is left is the data, behind all headers. */
static void note_data(gw_l1_reading *r)
{
    r->out->data = r->w.c.p;
    r->out->data_len = (uint32_t)gw_cursor_left(&r->w.c);
    r->out->data_offset = gw_cursor_offset(&r->w.c);
}

/* What was around the data that a header announces. */
typedef struct body {
    const uint8_t *end;
    uint32_t len, declared;
} body;

/* Goes into the |length| bytes that a header announces, or as many of them as there are. */
static body enter(gw_l1_reading *r, uint32_t length)
{
    gw_walk *w = &r->w;
    uint32_t offset = gw_cursor_offset(&w->c);
    body b = {.end = w->c.end, .len = w->len, .declared = length};

    gw_cursor_bound(&w->c, length);
    if (w->len - offset > length)
        w->len = offset + length;
    note_data(r);
    return b;
}

static void leave(gw_walk *w, const body *b, uint32_t start)
{
    uint32_t offset = gw_cursor_offset(&w->c);

    if (w->error.kind == GW_OK && gw_cursor_left(&w->c) > 0)
        gw_walk_stop(w, GW_MALFORMED, offset, gw_l1_field(GW_L1_F_UNDECODED));
    w->c.end = b->end;
    w->len = b->len;
    if (offset - start < b->declared)
        gw_walk_missing(w, gw_l1_field(GW_L1_F_DATA), b->declared - (offset - start));
}

static void read_tunnel(gw_l1_reading *r)
{
    gw_walk *w = &r->w;
    gw_cursor ahead = w->c;
    const uint8_t *at;
    body b;

    if (gw_cursor_bytes(&ahead, &at, GW_L1_TO_MAGIC / 8 + 1) && GET(at, MAGIC) != GW_L1_MAGIC) {
        gw_l1_stop(w, GW_MALFORMED, 0, GW_L1_F_MAGIC);
        return;
    }
    if (!gw_l1_flat(w, GW_L1_G_SHIM))
        return;
    gw_l1_shim *s = &r->out->shim;
    r->out->has_shim = true;
    *s = gw_l1_get_shim(gw_l1_taken(w, GW_L1_G_SHIM));
    if (s->version != 1) {
        gw_l1_stop(w, GW_UNSUPPORTED, 0, GW_L1_F_VERSION);
        return;
    }
    b = enter(r, s->length);
    if (!s->little && gw_l1_is_image(s->kind, r->profile))
        gw_l1_stop(w, GW_UNSUPPORTED, 0, GW_L1_F_LITTLE);
    else
        read_kind(r);
    leave(w, &b, GW_L1_SHIM);
}

static void read_memory(gw_l1_reading *r)
{
    gw_l1_memory *m = &r->out->memory;
    const uint8_t *at;
    body b;

    if (!gw_l1_flat(&r->w, GW_L1_G_MEMORY))
        return;
    r->out->has_memory = true;
    at = gw_l1_taken(&r->w, GW_L1_G_MEMORY);
    m->address = GET(at, MEMORY_ADDRESS);
    m->length = GET(at, MEMORY_LENGTH);
    m->node = GET(at, MEMORY_NODE);
    m->direction = GET(at, MEMORY_DIRECTION);
    b = enter(r, m->length);
    read_burst(r, m->length);
    leave(&r->w, &b, GW_L1_MEMORY_HEADER);
}

static void read_tagnet(gw_l1_reading *r)
{
    if (!gw_l1_flat(&r->w, GW_L1_G_TAGNET))
        return;
    note_data(r);
    switch (GET(gw_l1_taken(&r->w, GW_L1_G_TAGNET), TAGNET_KIND)) {
    case 0:
        gw_l1_read_edge(r);
        return;
    case 1:
        gw_l1_read_tag(r);
        return;
    default:
        gw_l1_stop(&r->w, GW_UNSUPPORTED, 0, GW_L1_F_TAGNET_KIND);
        return;
    }
}

static void read_part(gw_l1_reading *r, uint64_t part)
{
    switch (part) {
    case GW_L1_SCI:
        gw_l1_read_record(r, r->w.len);
        return;
    case GW_L1_TRACE:
        r->out->has = GW_L1_HAS_TRACE;
        gw_l1_read_trace(&r->w);
        return;
    case GW_L1_TAGNET:
        read_tagnet(r);
        return;
    case GW_L1_MEMORY:
        read_memory(r);
        return;
    default:
        read_tunnel(r);
        return;
    }
}

/* Into |out|, and field by field into |sink|, if there is one. */
static gw_error read_message(gw_l1_unit *out, const gw_message *message, const gw_dialect *dialect,
                             gw_sink *sink)
{
    gw_l1_reading r = {
        .w = gw_walk_over(message, sink), .out = out, .profile = gw_l1_profile_of(dialect)};
    gw_walk *w = &r.w;

    memset(out, 0, sizeof *out);
    note_data(&r);
    read_part(&r, message->part);
    if (w->error.kind == GW_OK) {
        const gw_field *undecoded = gw_l1_field(GW_L1_F_UNDECODED);
        uint32_t offset = gw_cursor_offset(&w->c);
        if (gw_cursor_left(&w->c) > 0)
            gw_walk_stop(w, GW_MALFORMED, offset, undecoded);
        else if (offset < w->len)
            gw_walk_missing(w, undecoded, w->len - offset);
    }
    gw_walk_rest(w, gw_l1_group(GW_L1_G_UNDECODED));
    return w->error;
}

gw_error gw_l1_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink)
{
    gw_l1_unit unit;

    return read_message(&unit, message, dialect, sink);
}

gw_error gw_l1_decode(gw_l1_unit *out, const gw_message *message, const gw_dialect *dialect)
{
    return read_message(out, message, dialect, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a message: into a struct, and field by field. */
#include <string.h>

#include "l1farm/internal.h"

/* The one reading of a message: |w| tells its fields to who looks, |out| gets what it holds. */
typedef struct reading {
    gw_walk w;
    gw_l1_unit *out;
    const gw_l1_profile *profile;
} reading;

static bool flat(gw_walk *w, int group)
{
    return gw_walk_flat(w, gw_l1_group(group), 0);
}

static void derive(gw_walk *w, int field, uint64_t value, uint32_t offset)
{
    gw_walk_derive(w, gw_l1_field(field), value, offset);
}

/* Stops at |field| of the group that begins at byte |start|. */
static void stop(gw_walk *w, gw_error_kind kind, uint32_t start, int field)
{
    gw_walk_stop(w, kind, start + gw_l1_field(field)->byte, gw_l1_field(field));
}

/* Reports |group|, in a |container| each, until the bytes end. Where nobody looks, only what is
 * left over matters. */
static void each(gw_walk *w, int container, int group)
{
    size_t left = gw_cursor_left(&w->c);

    if (w->sink == NULL && w->error.kind == GW_OK)
        w->c.p += left - left % gw_l1_group(group)->bytes;
    for (uint32_t i = 0; w->error.kind == GW_OK && gw_cursor_left(&w->c) > 0; i++) {
        gw_walk_open(w, gw_l1_group(container), i);
        (void)flat(w, group);
        gw_walk_close(w, gw_l1_group(container));
    }
}

/* Reports |len| bytes, or as many as were captured. False when that is fewer. */
static bool string(gw_walk *w, int group, int field, size_t len)
{
    const uint8_t *end = w->c.end;
    size_t left = gw_cursor_left(&w->c);

    if (w->error.kind != GW_OK)
        return false;
    w->c.end = w->c.p + (len < left ? len : left);
    gw_walk_rest(w, gw_l1_group(group));
    w->c.end = end;
    if (len > left)
        gw_walk_missing(w, gw_l1_field(field), (uint32_t)(len - left));
    return len <= left;
}

/* ---- SCI ---- */

static void derive_crc(reading *r, const gw_l1_sci *sci, uint32_t offset)
{
    if (!sci->has_crc || !r->profile->judge_crc)
        return;
    derive(&r->w, GW_L1_F_CRC_EXPECTED, sci->crc_expected, offset);
    derive(&r->w, GW_L1_F_CRC_STATUS, sci->crc != sci->crc_expected, offset);
}

/* Blocks of codes that a derivative's public code gives: 0x00 and 0x10 (assumed). */
static unsigned transaction(unsigned command)
{
    return command < 0x20 ? 1 + (command >> 4) : 0;
}

static void read_send(reading *r, const gw_l1_sci *sci)
{
    gw_walk *w = &r->w;
    const gw_l1_profile *profile = r->profile;
    uint32_t start = gw_cursor_offset(&w->c);
    uint32_t head = GW_L1_SCI_HEADER + (sci->extended ? GW_L1_SCI_EXTENSION : 0);

    if (!flat(w, profile->layout ? GW_L1_G_SEND : GW_L1_G_SEND_PLAIN))
        return;
    if (profile->layout)
        derive(w, GW_L1_F_TRANSACTION, transaction(sci->command & profile->command_mask),
               start + GW_L1_BYTE_OF_SEND_COMMAND);
    if (sci->extended && !string(w, GW_L1_G_EXTENSION, GW_L1_F_EXTENSION, GW_L1_SCI_EXTENSION))
        return;
    if (sci->len > head + 2 && !string(w, GW_L1_G_SCI_DATA, GW_L1_F_SCI_DATA, sci->len - head - 2))
        return;
    if (flat(w, GW_L1_G_SCI_CRC))
        derive_crc(r, sci, start + sci->len - GW_L1_BYTES_IN_SCI_CRC);
}

/* |len| bytes are due. */
static void read_packet(reading *r, gw_l1_sci *sci, uint32_t len)
{
    gw_walk *w = &r->w;
    uint32_t start = gw_cursor_offset(&w->c);

    gw_l1_sci_read(sci, w->c.p, (uint32_t)gw_cursor_left(&w->c), len, r->profile);
    switch (sci->kind) {
    case GW_L1_SCI_SEND:
        read_send(r, sci);
        return;
    case GW_L1_SCI_IS_ECHO: /* what follows is not part of it */
        if (flat(w, r->profile->layout ? GW_L1_G_ECHO : GW_L1_G_ECHO_PLAIN))
            derive_crc(r, sci, start + GW_L1_BYTE_OF_ECHO_CRC);
        return;
    default:
        string(w, GW_L1_G_SYMBOLS, GW_L1_F_SYMBOLS, len);
        return;
    }
}

static void read_record(reading *r, uint32_t len)
{
    gw_walk *w = &r->w;
    gw_l1_sci *sci = &r->out->u.sci;
    uint32_t start = gw_cursor_offset(&w->c);
    const uint8_t *at = w->c.p;

    if (!flat(w, GW_L1_G_RECORD))
        return;
    if (GET(at, SCI_VERSION) != 1) {
        stop(w, GW_UNSUPPORTED, start, GW_L1_F_SCI_VERSION);
        return;
    }
    uint8_t kind = GET(at, SCI_KIND);
    if (kind > GW_L1_SCI_UNKNOWN) {
        stop(w, GW_UNSUPPORTED, start, GW_L1_F_SCI_KIND);
        return;
    }
    sci->kind = kind;
    sci->flags = GET(at, SCI_FLAGS);
    sci->ringlet = GET(at, SCI_RINGLET);
    r->out->has = GW_L1_HAS_SCI;
    read_packet(r, sci, len - GW_L1_SCI_RECORD);
}

/* Clocks are the leaves; the packets among them are derived. */
static void read_trace(gw_walk *w)
{
    const uint8_t *data = w->c.p;
    size_t len = gw_cursor_left(&w->c), at = 0;
    gw_l1_traced packet;

    each(w, GW_L1_G_CLOCK, GW_L1_G_CLOCKED);
    while (w->sink != NULL && gw_l1_trace_next(&packet, data, len, &at)) {
        derive(w, GW_L1_F_TRACE_KIND, packet.kind, packet.offset);
        gw_walk_derive_bytes(w, gw_l1_field(GW_L1_F_TRACE_PACKET), packet.symbols,
                             packet.len < sizeof packet.symbols ? packet.len
                                                                : (uint32_t)sizeof packet.symbols,
                             packet.offset);
    }
}

/* ---- TagNet ---- */

static void read_edge(reading *r)
{
    const uint8_t *at = r->w.c.p;

    if (!flat(&r->w, GW_L1_G_EDGE))
        return;
    r->out->has = GW_L1_HAS_EDGE;
    r->out->u.edge = (gw_l1_edge){
        .line = GET(at, EDGE_LINE), .edge = GET(at, EDGE_EDGE), .ru = GET(at, EDGE_RU)};
}

static void read_tag(reading *r)
{
    gw_walk *w = &r->w;
    uint32_t start = gw_cursor_offset(&w->c);
    const uint8_t *at = w->c.p;

    if (!flat(w, GW_L1_G_TAG))
        return;
    uint32_t word = (uint32_t)gw_bits_get_msb0(at, GW_L1_FROM_TAG_ZERO, GW_L1_TO_TAG_CODE);
    gw_l1_tag tag = gw_l1_tag_decode(word, (gw_l1_code)r->profile->code);
    r->out->has = GW_L1_HAS_TAG;
    r->out->word = word;
    r->out->u.tag = tag;
    derive(w, GW_L1_F_TAG_STATUS, tag.status, start);
    if (tag.status != GW_L1_TAG_FATAL)
        derive(w, GW_L1_F_TAG_DEST, tag.dest, start);
    if (tag.status == GW_L1_TAG_CORRECTED)
        derive(w, GW_L1_F_TAG_BIT, tag.bit, start);
}

/* ---- event data, results, descriptors, registers ---- */

static void read_result(reading *r)
{
    const uint8_t *at = r->w.c.p;

    if (!flat(&r->w, GW_L1_G_RESULT))
        return;
    r->out->has = GW_L1_HAS_RESULT;
    r->out->u.result = gw_l1_get_result(at);
}

static void read_descriptors(reading *r)
{
    static const int groups[] = {GW_L1_G_DESC, GW_L1_G_DESC_TOP_DOWN, GW_L1_G_DESC_PROSE};
    const gw_l1_profile *profile = r->profile;
    gw_walk *w = &r->w;

    r->out->has = GW_L1_HAS_DESCRIPTORS;
    for (uint32_t i = 0; w->error.kind == GW_OK && gw_cursor_left(&w->c) > 0; i++) {
        uint32_t start = gw_cursor_offset(&w->c);
        const uint8_t *at = w->c.p;
        gw_walk_open(w, gw_l1_group(GW_L1_G_DESCRIPTOR), i);
        if (flat(w, groups[profile->order])) {
            gw_l1_descriptor d = gw_l1_get_descriptor(at, profile);
            derive(w, GW_L1_F_DESC_BYTES, (uint64_t)d.blocksize * profile->unit, start);
        }
        gw_walk_close(w, gw_l1_group(GW_L1_G_DESCRIPTOR));
    }
}

static void read_register(reading *r)
{
    gw_l1_register *reg = &r->out->u.reg;
    const uint8_t *at = r->w.c.p;

    if (!flat(&r->w, GW_L1_G_REGISTER))
        return;
    r->out->has = GW_L1_HAS_REGISTER;
    reg->bar = GET(at, REG_BAR);
    reg->op = GET(at, REG_OP);
    reg->offset = GET(at, REG_OFFSET);
    if (reg->op == GW_L1_READ)
        return;
    at = r->w.c.p;
    bool control = reg->bar == 0 && reg->offset == GW_L1_DMACNTRL;
    reg->has_value = flat(&r->w, control ? GW_L1_G_DMACNTRL : GW_L1_G_VALUE);
    if (reg->has_value)
        reg->value = GET(at, REG_VALUE);
}

/* ---- from the detector ---- */

static bool walk_clusters(gw_walk *w, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        gw_walk_open(w, gw_l1_group(GW_L1_G_CLUSTER), i);
        bool whole = flat(w, GW_L1_G_HIT);
        gw_walk_close(w, gw_l1_group(GW_L1_G_CLUSTER));
        if (!whole)
            return false;
    }
    return true;
}

/* A block is header, clusters and trailer; its length says how many clusters there are. */
static void read_ode(reading *r, uint32_t len)
{
    r->out->has = GW_L1_HAS_ODE;
    if (flat(&r->w, GW_L1_G_ODE_HEADER) && walk_clusters(&r->w, gw_l1_ode_clusters(len)))
        (void)flat(&r->w, GW_L1_G_ODE_TRAILER);
}

static void walk_ru(gw_walk *w)
{
    const uint8_t *head = w->c.p;

    if (!flat(w, GW_L1_G_RU_HEADER))
        return;
    for (uint32_t i = 0; i < GET(head, RU_LINKS); i++) {
        const uint8_t *source = w->c.p;
        gw_walk_open(w, gw_l1_group(GW_L1_G_LINK), i);
        bool whole = flat(w, GW_L1_G_LINK_SOURCE) && walk_clusters(w, GET(source, LINK_COUNT));
        gw_walk_close(w, gw_l1_group(GW_L1_G_LINK));
        if (!whole)
            return;
    }
}

/* A sub-event travels in bursts, and all but the first begin in the middle of it. What begins names
 * its unit and event, as the tunnel does, or is as long as it says. */
static bool is_part(const reading *r)
{
    const gw_l1_shim *s = &r->out->shim;
    const uint8_t *head = r->w.c.p;

    if (!r->out->has_shim || gw_cursor_left(&r->w.c) < GW_L1_BYTES_IN_RU_HEADER)
        return false;
    uint16_t length = GET(head, RU_LENGTH);
    if (length < GW_L1_BYTES_IN_RU_HEADER || GET(head, RU_NUMBER) != s->ru ||
        (GET(head, RU_EVENT) != s->event && length != s->length))
        return true;
    return s->length == GW_L1_BURST && length > GW_L1_BURST;
}

static void read_subevent(reading *r)
{
    if (r->profile->ode && is_part(r)) {
        r->out->has = GW_L1_HAS_DATA;
        string(&r->w, GW_L1_G_DATA, GW_L1_F_DATA, r->out->shim.length);
        return;
    }
    r->out->has = r->profile->ode ? GW_L1_HAS_RU : GW_L1_HAS_WORDS;
    if (r->profile->ode)
        walk_ru(&r->w);
    else
        each(&r->w, GW_L1_G_WORD, GW_L1_G_EVENT);
}

/* ---- carriages ---- */

static void read_kind(reading *r)
{
    const gw_l1_shim *s = &r->out->shim;

    switch (s->kind) {
    case GW_L1_KIND_SUBEVENT:
        read_subevent(r);
        return;
    case GW_L1_KIND_TAG:
        read_tag(r);
        return;
    case GW_L1_KIND_EDGE:
        read_edge(r);
        return;
    case GW_L1_KIND_RESULT:
    case GW_L1_KIND_DECISION:
        read_result(r);
        return;
    case GW_L1_KIND_SCI:
        read_record(r, s->length);
        return;
    case GW_L1_KIND_REGISTER:
        read_register(r);
        return;
    case GW_L1_KIND_DESCRIPTORS:
        read_descriptors(r);
        return;
    case GW_L1_KIND_ODE:
        read_ode(r, s->length);
        return;
    case GW_L1_KIND_FREE:
    case GW_L1_KIND_TIMEOUT:
    case GW_L1_KIND_ENTERED:
    case GW_L1_KIND_LISTEN:
        r->out->has = GW_L1_HAS_NOTICE;
        return;
    default:
        stop(&r->w, GW_UNSUPPORTED, 0, GW_L1_F_KIND);
        return;
    }
}

/* A burst of 16 bytes is a result, one of whole words event data: that is all there is to tell them
 * by. */
static void read_burst(reading *r, uint32_t length)
{
    if (length == GW_L1_RESULT) {
        read_result(r);
    } else if (r->profile->ode || length % GW_L1_WORD == 0) {
        read_subevent(r);
    } else {
        r->out->has = GW_L1_HAS_DATA;
        string(&r->w, GW_L1_G_DATA, GW_L1_F_DATA, length);
    }
}

/* What is left is the data, behind all headers. */
static void note_data(reading *r)
{
    r->out->data = r->w.c.p;
    r->out->data_len = (uint32_t)gw_cursor_left(&r->w.c);
    r->out->data_offset = gw_cursor_offset(&r->w.c);
}

/* The data that a header announces: |length| bytes from here on, or what there is of them. */
typedef struct body {
    const uint8_t *end;
    uint32_t len, declared;
} body;

static body enter(reading *r, uint32_t length)
{
    gw_walk *w = &r->w;
    uint32_t offset = gw_cursor_offset(&w->c);
    body b = {.end = w->c.end, .len = w->len, .declared = length};

    if (gw_cursor_left(&w->c) > length)
        w->c.end = w->c.p + length;
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

static void read_tunnel(reading *r)
{
    gw_walk *w = &r->w;
    const uint8_t *at = w->c.p;

    if (gw_cursor_left(&w->c) > GW_L1_TO_MAGIC / 8 && GET(at, MAGIC) != GW_L1_MAGIC) {
        stop(w, GW_MALFORMED, 0, GW_L1_F_MAGIC);
        return;
    }
    if (!flat(w, GW_L1_G_SHIM))
        return;
    gw_l1_shim *s = &r->out->shim;
    r->out->has_shim = true;
    *s = gw_l1_get_shim(at);
    if (s->version != 1) {
        stop(w, GW_UNSUPPORTED, 0, GW_L1_F_VERSION);
        return;
    }
    body b = enter(r, s->length);
    if (!s->little && gw_l1_is_image(s->kind, r->profile))
        stop(w, GW_UNSUPPORTED, 0, GW_L1_F_LITTLE);
    else
        read_kind(r);
    leave(w, &b, GW_L1_SHIM);
}

static void read_memory(reading *r)
{
    gw_l1_memory *m = &r->out->memory;
    const uint8_t *at = r->w.c.p;

    if (!flat(&r->w, GW_L1_G_MEMORY))
        return;
    r->out->has_memory = true;
    m->address = GET(at, MEMORY_ADDRESS);
    m->length = GET(at, MEMORY_LENGTH);
    m->node = GET(at, MEMORY_NODE);
    m->direction = GET(at, MEMORY_DIRECTION);
    body b = enter(r, m->length);
    read_burst(r, m->length);
    leave(&r->w, &b, GW_L1_MEMORY_HEADER);
}

static void read_tagnet(reading *r)
{
    const uint8_t *at = r->w.c.p;

    if (!flat(&r->w, GW_L1_G_TAGNET))
        return;
    note_data(r);
    switch (GET(at, TAGNET_KIND)) {
    case 0:
        read_edge(r);
        return;
    case 1:
        read_tag(r);
        return;
    default:
        stop(&r->w, GW_UNSUPPORTED, 0, GW_L1_F_TAGNET_KIND);
        return;
    }
}

static void read_part(reading *r, uint64_t part)
{
    switch (part) {
    case GW_L1_SCI:
        read_record(r, r->w.len);
        return;
    case GW_L1_TRACE:
        r->out->has = GW_L1_HAS_TRACE;
        read_trace(&r->w);
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
    reading r = {
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

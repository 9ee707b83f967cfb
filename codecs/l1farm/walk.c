/* SPDX-License-Identifier: BSD-2-Clause */
/* Walking a message field by field. */
#include "l1farm/internal.h"

static bool flat(gw_walk *w, int group)
{
    return gw_walk_flat(w, gw_l1_group(group), 0);
}

static void derive(gw_walk *w, int field, uint64_t value, uint32_t offset)
{
    gw_walk_derive(w, gw_l1_field(field), value, offset);
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

static void derive_crc(gw_walk *w, const gw_l1_sci *sci, const gw_l1_profile *profile,
                       uint32_t start)
{
    if (!sci->has_crc || !profile->judge_crc)
        return;
    derive(w, GW_L1_F_CRC_EXPECTED, sci->crc_expected, start + sci->len - 2);
    derive(w, GW_L1_F_CRC_STATUS, sci->crc != sci->crc_expected, start + sci->len - 2);
}

/* Blocks of codes that a derivative's public code gives: 0x00 and 0x10 (assumed). */
static unsigned transaction(unsigned command)
{
    return command < 0x20 ? 1 + (command >> 4) : 0;
}

static void walk_send(gw_walk *w, const gw_l1_sci *sci, const gw_l1_profile *profile)
{
    uint32_t start = gw_cursor_offset(&w->c);
    uint32_t head = GW_L1_SCI_HEADER + (sci->extended ? GW_L1_SCI_EXTENSION : 0);

    if (!flat(w, profile->layout ? GW_L1_G_SEND : GW_L1_G_SEND_PLAIN))
        return;
    if (profile->layout)
        derive(w, GW_L1_F_TRANSACTION, transaction(sci->command & profile->command_mask),
               start + 2);
    if (sci->extended && !string(w, GW_L1_G_EXTENSION, GW_L1_F_EXTENSION, GW_L1_SCI_EXTENSION))
        return;
    if (sci->len > head + 2 && !string(w, GW_L1_G_SCI_DATA, GW_L1_F_SCI_DATA, sci->len - head - 2))
        return;
    if (flat(w, GW_L1_G_SCI_CRC))
        derive_crc(w, sci, profile, start);
}

/* |len| bytes are due. */
static void walk_packet(gw_walk *w, uint8_t kind, uint32_t len, const gw_l1_profile *profile)
{
    uint32_t start = gw_cursor_offset(&w->c);
    gw_l1_sci sci = {.kind = kind};

    gw_l1_sci_read(&sci, w->c.p, (uint32_t)gw_cursor_left(&w->c), len, profile);
    switch (sci.kind) {
    case GW_L1_SCI_SEND:
        walk_send(w, &sci, profile);
        return;
    case GW_L1_SCI_IS_ECHO:
        sci.len = GW_L1_SCI_ECHO; /* what follows is not part of it */
        if (flat(w, profile->layout ? GW_L1_G_ECHO : GW_L1_G_ECHO_PLAIN))
            derive_crc(w, &sci, profile, start);
        return;
    default:
        string(w, GW_L1_G_SYMBOLS, GW_L1_F_SYMBOLS, len);
        return;
    }
}

static void walk_record(gw_walk *w, uint32_t len, const gw_l1_profile *profile)
{
    uint32_t start = gw_cursor_offset(&w->c);
    const uint8_t *at = w->c.p;

    if (!flat(w, GW_L1_G_RECORD))
        return;
    if (at[0] != 1)
        gw_walk_stop(w, GW_UNSUPPORTED, start, gw_l1_field(GW_L1_F_SCI_VERSION));
    else if (at[1] > GW_L1_SCI_UNKNOWN)
        gw_walk_stop(w, GW_UNSUPPORTED, start + 1, gw_l1_field(GW_L1_F_SCI_KIND));
    else
        walk_packet(w, at[1], len - GW_L1_SCI_RECORD, profile);
}

/* Clocks are the leaves; the packets among them are derived. */
static void walk_trace(gw_walk *w)
{
    const uint8_t *data = w->c.p;
    size_t len = gw_cursor_left(&w->c), at = 0;
    gw_l1_traced packet;

    for (uint32_t i = 0; w->error.kind == GW_OK && gw_cursor_left(&w->c) > 0; i++) {
        gw_walk_open(w, gw_l1_group(GW_L1_G_CLOCK), i);
        (void)flat(w, GW_L1_G_CLOCKED);
        gw_walk_close(w, gw_l1_group(GW_L1_G_CLOCK));
    }
    while (gw_l1_trace_next(&packet, data, len, &at)) {
        derive(w, GW_L1_F_TRACE_KIND, packet.kind, packet.offset);
        gw_walk_derive_bytes(w, gw_l1_field(GW_L1_F_TRACE_PACKET), packet.symbols,
                             packet.len < sizeof packet.symbols ? packet.len
                                                                : (uint32_t)sizeof packet.symbols,
                             packet.offset);
    }
}

/* ---- TagNet ---- */

static void walk_tag(gw_walk *w, const gw_l1_profile *profile)
{
    uint32_t start = gw_cursor_offset(&w->c);
    const uint8_t *at = w->c.p;

    if (!flat(w, GW_L1_G_TAG))
        return;
    gw_l1_tag tag = gw_l1_tag_decode(gw_load_be32(at), (gw_l1_code)profile->code);
    derive(w, GW_L1_F_TAG_STATUS, tag.status, start);
    if (tag.status != GW_L1_TAG_FATAL)
        derive(w, GW_L1_F_TAG_DEST, tag.dest, start);
    if (tag.status == GW_L1_TAG_CORRECTED)
        derive(w, GW_L1_F_TAG_BIT, tag.bit, start);
}

static void walk_tagnet(gw_walk *w, const gw_l1_profile *profile)
{
    const uint8_t *at = w->c.p;

    if (!flat(w, GW_L1_G_TAGNET))
        return;
    if (*at == 0)
        (void)flat(w, GW_L1_G_EDGE);
    else if (*at == 1)
        walk_tag(w, profile);
    else
        gw_walk_stop(w, GW_UNSUPPORTED, 0, gw_l1_field(GW_L1_F_TAGNET_KIND));
}

/* ---- event data, results, descriptors, registers ---- */

static void walk_words(gw_walk *w)
{
    for (uint32_t i = 0; w->error.kind == GW_OK && gw_cursor_left(&w->c) > 0; i++) {
        gw_walk_open(w, gw_l1_group(GW_L1_G_WORD), i);
        (void)flat(w, GW_L1_G_EVENT);
        gw_walk_close(w, gw_l1_group(GW_L1_G_WORD));
    }
}

static void walk_descriptors(gw_walk *w, const gw_l1_profile *profile)
{
    static const int groups[] = {GW_L1_G_DESC, GW_L1_G_DESC_TOP_DOWN, GW_L1_G_DESC_PROSE};

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

static void walk_register(gw_walk *w)
{
    const uint8_t *at = w->c.p;

    if (!flat(w, GW_L1_G_REGISTER) || at[1] == GW_L1_READ)
        return;
    bool control = at[0] == 0 && gw_load_be16(at + 2) == GW_L1_DMACNTRL;
    (void)flat(w, control ? GW_L1_G_DMACNTRL : GW_L1_G_VALUE);
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
static void walk_ode(gw_walk *w, uint32_t len)
{
    if (flat(w, GW_L1_G_ODE_HEADER) && walk_clusters(w, len > 8 ? (len - 8) / 2 : 0))
        (void)flat(w, GW_L1_G_ODE_TRAILER);
}

static void walk_ru(gw_walk *w)
{
    const uint8_t *head = w->c.p;

    if (!flat(w, GW_L1_G_RU_HEADER))
        return;
    for (uint32_t i = 0; i < head[1]; i++) {
        const uint8_t *source = w->c.p;
        gw_walk_open(w, gw_l1_group(GW_L1_G_LINK), i);
        bool whole = flat(w, GW_L1_G_LINK_SOURCE) && walk_clusters(w, source[3]);
        gw_walk_close(w, gw_l1_group(GW_L1_G_LINK));
        if (!whole)
            return;
    }
}

static void walk_subevent(gw_walk *w, const gw_l1_profile *profile)
{
    if (profile->ode)
        walk_ru(w);
    else
        walk_words(w);
}

/* ---- carriages ---- */

static void walk_kind(gw_walk *w, const gw_l1_shim *s, const gw_l1_profile *profile)
{
    switch (s->kind) {
    case GW_L1_KIND_SUBEVENT:
        walk_subevent(w, profile);
        return;
    case GW_L1_KIND_TAG:
        walk_tag(w, profile);
        return;
    case GW_L1_KIND_EDGE:
        (void)flat(w, GW_L1_G_EDGE);
        return;
    case GW_L1_KIND_RESULT:
    case GW_L1_KIND_DECISION:
        (void)flat(w, GW_L1_G_RESULT);
        return;
    case GW_L1_KIND_SCI:
        walk_record(w, s->length, profile);
        return;
    case GW_L1_KIND_REGISTER:
        walk_register(w);
        return;
    case GW_L1_KIND_DESCRIPTORS:
        walk_descriptors(w, profile);
        return;
    case GW_L1_KIND_ODE:
        walk_ode(w, s->length);
        return;
    case GW_L1_KIND_FREE:
    case GW_L1_KIND_TIMEOUT:
    case GW_L1_KIND_ENTERED:
    case GW_L1_KIND_LISTEN:
        return;
    default:
        gw_walk_stop(w, GW_UNSUPPORTED, 3, gw_l1_field(GW_L1_F_KIND));
        return;
    }
}

/* A burst of 16 bytes is a result, one of whole words event data: that is all there is to tell them
 * by. */
static void walk_burst(gw_walk *w, uint32_t length, const gw_l1_profile *profile)
{
    if (length == GW_L1_RESULT)
        (void)flat(w, GW_L1_G_RESULT);
    else if (profile->ode || length % GW_L1_WORD == 0)
        walk_subevent(w, profile);
    else
        string(w, GW_L1_G_DATA, GW_L1_F_DATA, length);
}

/* The data that a header announces: |length| bytes from here on, or what there is of them. */
typedef struct body {
    const uint8_t *end;
    uint32_t len, declared;
} body;

static body enter(gw_walk *w, uint32_t length)
{
    uint32_t offset = gw_cursor_offset(&w->c);
    body b = {.end = w->c.end, .len = w->len, .declared = length};

    if (gw_cursor_left(&w->c) > length)
        w->c.end = w->c.p + length;
    if (w->len - offset > length)
        w->len = offset + length;
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

static void walk_tunnel(gw_walk *w, const gw_l1_profile *profile)
{
    const uint8_t *at = w->c.p;

    if (gw_cursor_left(&w->c) >= 2 && (at[0] != 'L' || at[1] != '1')) {
        gw_walk_stop(w, GW_MALFORMED, 0, gw_l1_field(GW_L1_F_MAGIC));
        return;
    }
    if (!flat(w, GW_L1_G_SHIM))
        return;
    gw_l1_shim s = gw_l1_get_shim(at);
    if (s.version != 1) {
        gw_walk_stop(w, GW_UNSUPPORTED, 2, gw_l1_field(GW_L1_F_VERSION));
        return;
    }
    body b = enter(w, s.length);
    if (!s.little && gw_l1_is_image(s.kind, profile))
        gw_walk_stop(w, GW_UNSUPPORTED, 3, gw_l1_field(GW_L1_F_LITTLE));
    else
        walk_kind(w, &s, profile);
    leave(w, &b, GW_L1_SHIM);
}

static void walk_memory(gw_walk *w, const gw_l1_profile *profile)
{
    const uint8_t *at = w->c.p;

    if (!flat(w, GW_L1_G_MEMORY))
        return;
    uint32_t length = gw_load_be32(at + 8);
    body b = enter(w, length);
    walk_burst(w, length, profile);
    leave(w, &b, GW_L1_MEMORY_HEADER);
}

static void walk_part(gw_walk *w, const gw_message *message, const gw_l1_profile *profile)
{
    switch (message->part) {
    case GW_L1_SCI:
        walk_record(w, w->len, profile);
        return;
    case GW_L1_TRACE:
        walk_trace(w);
        return;
    case GW_L1_TAGNET:
        walk_tagnet(w, profile);
        return;
    case GW_L1_MEMORY:
        walk_memory(w, profile);
        return;
    default:
        walk_tunnel(w, profile);
        return;
    }
}

gw_error gw_l1_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink)
{
    gw_walk w = gw_walk_over(message, sink);

    walk_part(&w, message, gw_l1_profile_of(dialect));
    if (w.error.kind == GW_OK) {
        const gw_field *undecoded = gw_l1_field(GW_L1_F_UNDECODED);
        uint32_t offset = gw_cursor_offset(&w.c);
        if (gw_cursor_left(&w.c) > 0)
            gw_walk_stop(&w, GW_MALFORMED, offset, undecoded);
        else if (offset < w.len)
            gw_walk_missing(&w, undecoded, w.len - offset);
    }
    gw_walk_rest(&w, gw_l1_group(GW_L1_G_UNDECODED));
    return w.error;
}

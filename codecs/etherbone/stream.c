/* SPDX-License-Identifier: BSD-2-Clause */
/* Cutting a connection's bytes into messages: the header or probe first, then record by record
 * (spec 1117). Bytes may arrive one at a time; at most one record waits in memory. */
#include <string.h>

#include "etherbone/internal.h"

enum {
    BUFFER_SIZE = GW_EB_RECORD_MAX + 8, /* litex: header and record together */
    BANNER_MAX = 256,
    MAX_CHUNKS = 16,
};

enum phase {
    PHASE_BANNER, /* text may come before the first header */
    PHASE_HEAD,
    PHASE_RECORDS,
    PHASE_LOST, /* nothing that follows can be placed */
};

/* Bytes in the buffer that came in one frame, or in several when there are too many to list. */
struct chunk {
    uint64_t first_frame;
    uint64_t last_frame;
    int64_t time_ns;
    uint32_t num_frames;
    uint32_t len;
};

/* One direction. */
struct half {
    gw_message last; /* the segment seen last: addresses, stream, carrier */
    struct chunk chunks[MAX_CHUNKS];
    uint32_t num_chunks;
    uint32_t have; /* bytes in buf */
    uint8_t phase;
    uint8_t widths; /* that govern the records; 0 while they are being negotiated */
    uint8_t probe;  /* mask of the probe or response that opened this direction; 0 for none */
    bool is_response;
    uint8_t buf[BUFFER_SIZE];
};

struct stream {
    const gw_dialect *dialect;
    struct half half[2];
};

static void stream_init(void *state, const gw_dialect *dialect)
{
    struct stream *s = state;
    const gw_eb_dialect *d = gw_eb_dialect_of(dialect);

    memset(s, 0, sizeof *s);
    s->dialect = dialect;
    for (unsigned i = 0; i < 2; i++)
        s->half[i].phase = d->framing == GW_EB_HEADER_EACH_PACKET ? PHASE_BANNER : PHASE_HEAD;
}

/* ---- the buffer and where its bytes came from ---- */

static void note_chunk(struct half *h, uint32_t len)
{
    uint32_t num = h->num_chunks;
    struct chunk *c = num > 0 ? &h->chunks[num - 1] : NULL;

    if (c != NULL && (c->last_frame == h->last.frame || num == MAX_CHUNKS)) {
        if (c->last_frame != h->last.frame)
            c->num_frames++;
    } else {
        c = &h->chunks[num];
        h->num_chunks = num + 1;
        *c = (struct chunk){.first_frame = h->last.frame, .num_frames = 1};
    }
    c->last_frame = h->last.frame;
    c->time_ns = h->last.time_ns;
    c->len += len;
}

/* Takes as many bytes of |c| as there is room for. False when there is none. */
static bool append(struct half *h, gw_cursor *c)
{
    //@ slevel 3000;
    uint32_t have = h->have;
    size_t len = gw_cursor_left(c);
    const uint8_t *p;

    //@ split len;
    if (len > BUFFER_SIZE - have) {
        //@ split have;
        len = BUFFER_SIZE - have;
    }
    if (len == 0 || !gw_cursor_bytes(c, &p, len))
        return false;
    memcpy(h->buf + have, p, len);
    h->have = have + (uint32_t)len;
    note_chunk(h, (uint32_t)len);
    return true;
}

/* Drops the first |len| bytes and lists the frames they came in. */
static void consume(struct half *h, uint32_t len, gw_message *m)
{
    uint32_t num = h->num_chunks, dropped = 0, kept = 0, left = len;

    m->num_frames = 0;
    while (left > 0 && dropped < num) {
        struct chunk *c = &h->chunks[dropped];
        uint32_t take = c->len < left ? c->len : left;
        if (m->num_frames < GW_MESSAGE_FRAMES)
            m->frames[m->num_frames] = c->first_frame;
        m->num_frames += c->num_frames;
        m->frame = c->last_frame;
        m->time_ns = c->time_ns;
        c->len -= take;
        left -= take;
        if (c->len == 0)
            dropped++;
    }
    for (uint32_t i = dropped; i < num; i++)
        h->chunks[kept++] = h->chunks[i];
    h->num_chunks = kept;
}

/* Hands out |len| bytes at the front of the buffer as one message of |full| bytes. */
static void hand_out(struct half *h, gw_eb_part part, uint32_t len, uint32_t full, gw_message_fn fn,
                     void *ctx)
{
    gw_message m = h->last;

    m.data = h->buf;
    m.cap_len = len;
    m.len = full;
    m.part = (uint8_t)part;
    m.part_arg = part == GW_EB_RECORD ? h->widths : 0;
    consume(h, len, &m);
    fn(ctx, &m);
}

/* Does so, and has done with them. */
static void deliver(struct half *h, gw_eb_part part, uint32_t len, uint32_t full, gw_message_fn fn,
                    void *ctx)
{
    uint32_t rest = h->have - len;

    hand_out(h, part, len, full, fn, ctx);
    //@ assert proven_rest: rest <= BUFFER_SIZE - len;
    h->have = rest;
    memmove(h->buf, h->buf + len, rest);
}

/* ---- what comes next in one direction ---- */

static void head_seen(struct stream *s, unsigned dir, uint8_t flags, uint8_t widths)
{
    struct half *h = &s->half[dir], *other = &s->half[!dir];
    gw_eb_layout layout;

    h->phase = PHASE_RECORDS;
    if ((flags & (GW_EB_PF | GW_EB_PR)) == 0) {
        if (gw_eb_layout_for(&layout, widths, s->dialect))
            h->widths = layout.widths;
        else
            h->phase = PHASE_LOST;
        return;
    }
    h->probe = widths;
    h->is_response = (flags & GW_EB_PR) != 0;
    /* Whoever asks with one pair can only be answered with that pair. */
    if (gw_eb_layout_for(&layout, widths, NULL))
        h->widths = layout.widths;
    if (other->probe != 0 && other->is_response != h->is_response) {
        uint8_t agreed = gw_eb_refine(h->probe, other->probe);
        h->widths = other->widths = agreed;
        if (agreed == 0)
            h->phase = other->phase = PHASE_LOST;
    }
}

/* How many bytes the unit at the front of the buffer takes, as far as its |have| bytes tell: more
 * than |have| means wait for them. */
static uint32_t head_need(const struct stream *s, const uint8_t *p, uint32_t have)
{
    gw_eb_layout layout;

    if (have < GW_EB_BYTES_IN_HEADER)
        return GW_EB_BYTES_IN_HEADER;
    if (gw_eb_probes(p))
        return GW_EB_PROBE_LEN;
    return gw_eb_layout_for(&layout, gw_eb_widths_of(p), s->dialect) ? layout.header_len
                                                                     : GW_EB_BYTES_IN_HEADER;
}

static bool head_valid(const uint8_t *p)
{
    return gw_eb_is_v1(p) || (gw_eb_has_magic(p) && gw_eb_probes(p));
}

static uint32_t record_need(const gw_eb_layout *l, const uint8_t *p, uint32_t have)
{
    if (have < l->record_header)
        return l->record_header;
    return gw_eb_record_len(l, (uint8_t)GET(p, WCOUNT), (uint8_t)GET(p, RCOUNT));
}

/* A stream in which every packet has its header (litex_server): one header and one record. */
static uint32_t packet_need(const struct stream *s, const uint8_t *p, uint32_t have)
{
    gw_eb_layout layout;
    uint32_t head = head_need(s, p, have);

    if (have < head || !gw_eb_layout_for(&layout, gw_eb_widths_of(p), s->dialect))
        return head < GW_EB_PROBE_LEN ? GW_EB_PROBE_LEN : head;
    return head + record_need(&layout, p + head, have - head);
}

/* Where the first packet header begins after a banner of at most BANNER_MAX bytes: "No" may be part
 * of the text, a version nibble of 1 after it is not. Returns |len| when there is none. */
static uint32_t banner_end(const uint8_t *p, uint32_t len)
{
    /*@ loop invariant proven_inside: i <= len;
      @ loop assigns i; */
    for (uint32_t i = 0; i + 3 <= len && i <= BANNER_MAX; i++) {
        if (gw_eb_is_v1(p + i))
            return i;
    }
    return len;
}

/* Delivers what is complete at the front of the buffer. True when something was, so call again. */
static bool advance(struct stream *s, unsigned dir, gw_message_fn fn, void *ctx)
{
    struct half *h = &s->half[dir];
    const gw_eb_dialect *d = gw_eb_dialect_of(s->dialect);
    gw_eb_layout layout;
    uint32_t need;

    if (h->have == 0)
        return false;
    switch (h->phase) {
    case PHASE_BANNER:
        need = banner_end(h->buf, h->have);
        if (need == h->have && need < BANNER_MAX + 3)
            return false; /* the header may still begin in time */
        h->phase = need == h->have ? PHASE_LOST : PHASE_HEAD;
        if (h->phase == PHASE_HEAD && need > 0)
            deliver(h, GW_EB_BANNER, need, need, fn, ctx);
        return true;
    case PHASE_HEAD:
        need = d->framing == GW_EB_HEADER_EACH_PACKET ? packet_need(s, h->buf, h->have)
                                                      : head_need(s, h->buf, h->have);
        if (h->have >= GW_EB_BYTES_IN_HEADER && !head_valid(h->buf)) {
            h->phase = PHASE_LOST;
            return true;
        }
        if (h->have < need)
            return false;
        if (d->framing == GW_EB_HEADER_EACH_PACKET) {
            deliver(h, GW_EB_PACKET, need, need, fn, ctx);
            return true;
        }
        head_seen(s, dir, gw_eb_flags_of(h->buf), gw_eb_widths_of(h->buf));
        deliver(h, GW_EB_HEAD, need, need, fn, ctx);
        return true;
    case PHASE_RECORDS:
        if (h->widths == 0) {
            /* The other side has not answered the probe yet: wait, as long as there is room. */
            if (h->have < BUFFER_SIZE)
                return false;
            h->phase = PHASE_LOST;
            return true;
        }
        if (!gw_eb_layout_for(&layout, h->widths, s->dialect)) {
            h->phase = PHASE_LOST;
            return true;
        }
        need = record_need(&layout, h->buf, h->have);
        if (h->have < need)
            return false;
        deliver(h, GW_EB_RECORD, need, need, fn, ctx);
        return true;
    default:
        deliver(h, GW_EB_LOST, h->have, h->have, fn, ctx);
        return true;
    }
}

static void drain(struct stream *s, unsigned dir, gw_message_fn fn, void *ctx)
{
    while (advance(s, dir, fn, ctx)) {
    }
}

static void stream_push(void *state, unsigned dir, const gw_message *segment, gw_message_fn fn,
                        void *ctx)
{
    struct stream *s = state;
    struct half *h = &s->half[dir];
    gw_cursor c = gw_cursor_over(segment->data, segment->cap_len);

    h->last = gw_message_kept(segment);
    while (gw_cursor_left(&c) > 0) {
        if (!append(h, &c))
            return; /* cannot be: a full buffer is always delivered */
        drain(s, dir, fn, ctx);
    }
    /* This side may have been what the other one waited for. */
    drain(s, !dir, fn, ctx);
}

/* What waits is the beginning of something: hands it out as that, |full| telling how long it would
 * be. */
static void leftover(struct stream *s, unsigned dir, bool lost, gw_message_fn fn, void *ctx)
{
    struct half *h = &s->half[dir];
    const gw_eb_dialect *d = gw_eb_dialect_of(s->dialect);
    gw_eb_layout layout;
    gw_eb_part part = GW_EB_LOST;
    uint32_t full = h->have;

    if (h->have == 0)
        return;
    if (h->phase == PHASE_BANNER) {
        part = GW_EB_BANNER;
    } else if (h->phase == PHASE_HEAD) {
        bool packets = d->framing == GW_EB_HEADER_EACH_PACKET;
        part = packets ? GW_EB_PACKET : GW_EB_HEAD;
        full = packets ? packet_need(s, h->buf, h->have) : head_need(s, h->buf, h->have);
    } else if (h->phase == PHASE_RECORDS && h->widths != 0 &&
               gw_eb_layout_for(&layout, h->widths, s->dialect)) {
        part = GW_EB_RECORD;
        full = record_need(&layout, h->buf, h->have);
    }
    /* Lost by the capture: the message was longer than what is here. Ended by its sender: it was
     * not. */
    deliver(h, part, h->have, lost && full > h->have ? full : h->have, fn, ctx);
}

static void stream_gap(void *state, unsigned dir, gw_message_fn fn, void *ctx)
{
    struct stream *s = state;

    leftover(s, dir, true, fn, ctx);
    s->half[dir].phase = PHASE_LOST;
}

static void stream_end(void *state, gw_message_fn fn, void *ctx)
{
    leftover(state, 0, false, fn, ctx);
    leftover(state, 1, false, fn, ctx);
}

const gw_stream_ops gw_eb_stream = {
    .size = sizeof(struct stream),
    .init = stream_init,
    .push = stream_push,
    .gap = stream_gap,
    .end = stream_end,
};

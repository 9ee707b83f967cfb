/* SPDX-License-Identifier: BSD-2-Clause */
/* One direction of a TCP connection: segments in any order to bytes in theirs. */
#include "tcp_state.h"

/* A run of one segment's bytes on its way in. */
typedef struct span {
    bool is_cut; /* the capture has none of it */
    gw_cursor captured;
    uint32_t cut;
    uint64_t off;
    gw_seen at;
    uint32_t differing; /* bytes seen before with another value */
} span;

static uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint32_t min32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- what comes out ---- */

/* Hands out an event, made from the last one, because clearing it would cost more than all the
 * rest. What only some have, bytes and |evicted|, their callers set and take back. */
static void tell(gw_tcp *t, const gw_conn *c, unsigned dir, gw_tcp_event_kind kind,
                 uint32_t gap_len, gw_seen at)
{
    const gw_tcp_flow *f = &c->flow[dir];
    gw_tcp_event *e = &t->event;
    gw_message *s = &e->segment;

    e->kind = (uint8_t)kind;
    e->dir = (uint8_t)dir;
    e->mid_stream = f->mid_stream;
    e->slot = (uint32_t)(c - t->conns);
    e->stream = c->stream;
    e->gap_len = gap_len;
    s->time_ns = at.time_ns;
    s->src = c->end[dir];
    s->dst = c->end[1 - dir];
    s->frame = at.frame;
    s->frames[0] = at.frame;
    s->stream = c->stream;
    s->num_vlans = f->num_vlans;
    memcpy(s->vlans, f->vlans, sizeof s->vlans);
    t->fn(t->ctx, e);
}

static void tell_data(gw_tcp *t, const gw_conn *c, unsigned dir, const uint8_t *data, uint32_t len,
                      gw_seen at)
{
    gw_message *s = &t->event.segment;
    s->data = data;
    s->cap_len = len;
    s->len = len;
    tell(t, c, dir, GW_TCP_DATA, 0, at);
    s->data = NULL;
    s->cap_len = 0;
    s->len = 0;
}

void gw_flow_tell_end(gw_tcp *t, const gw_conn *c, unsigned dir, bool evicted, gw_seen at)
{
    t->event.evicted = evicted;
    tell(t, c, dir, GW_TCP_END, 0, at);
    t->event.evicted = false;
}

/* ---- the ring ---- */

static uint32_t ring_place(const gw_tcp *t, uint64_t off)
{
    return (uint32_t)off & (t->window - 1);
}

/* Keeps |len| bytes at |off|, or the last of them that fit. */
static void remember(const gw_tcp *t, gw_tcp_flow *f, uint64_t off, const uint8_t *data,
                     uint32_t len)
{
    if (len > t->window) {
        off += len - t->window;
        data += len - t->window;
        len = t->window;
    }
    for (uint32_t done = 0, run; done < len; done += run) {
        const uint32_t at = ring_place(t, off + done);
        //@ split at;
        run = min32(len - done, t->window - at);
        memcpy(f->ring + at, data + done, run);
    }

    if (off + len > f->top)
        f->top = off + len;
    if (f->known + t->window < f->top)
        f->known = f->top - t->window;
}

static uint32_t count_differing(const uint8_t *a, const uint8_t *b, uint32_t len)
{
    uint32_t n = 0;
    if (memcmp(a, b, len) == 0)
        return 0;
    for (uint32_t i = 0; i < len; i++)
        n += a[i] != b[i];
    return n;
}

/* Compares |len| bytes at |off|, all of which are in the ring. */
static uint32_t compare(const gw_tcp *t, const gw_tcp_flow *f, uint64_t off, const uint8_t *data,
                        uint32_t len)
{
    uint32_t differing = 0;

    for (uint32_t done = 0, run; done < len; done += run) {
        const uint32_t at = ring_place(t, off + done);
        //@ split at;
        run = min32(len - done, t->window - at);
        differing += count_differing(f->ring + at, data + done, run);
    }
    return differing;
}

/* ---- bytes that go on ---- */

static void gap(gw_tcp *t, gw_conn *c, unsigned dir, uint32_t len, gw_seen at)
{
    gw_tcp_flow *f = &c->flow[dir];
    f->next += len;
    f->known = f->next;
    tell(t, c, dir, GW_TCP_GAP, len, at);
}

static void deliver_piece(gw_tcp *t, gw_conn *c, unsigned dir, const gw_piece *p)
{
    gw_tcp_flow *f = &c->flow[dir];
    const uint32_t at = ring_place(t, p->off);
    const uint32_t len = p->len;

    if (p->lost) {
        gap(t, c, dir, len, p->at);
        return;
    }
    f->next += len;
    //@ split at;
    if (len <= t->window - at) {
        tell_data(t, c, dir, f->ring + at, len, p->at);
        return;
    }
    tell_data(t, c, dir, f->ring + at, t->window - at, p->at);
    tell_data(t, c, dir, f->ring, len - (t->window - at), p->at);
}

/* Delivers the pieces that have nothing missing before them any more. */
static void drain(gw_tcp *t, gw_conn *c, unsigned dir)
{
    gw_tcp_flow *f = &c->flow[dir];
    while (f->head != GW_TCP_NONE && f->pieces[f->head].off == f->next) {
        gw_piece *p = &f->pieces[f->head];
        const uint32_t index = f->head;
        f->head = p->next;
        p->next = f->spare;
        f->spare = index;
        deliver_piece(t, c, dir, p);
    }
}

static uint32_t span_left(const span *s)
{
    return s->is_cut ? s->cut : (uint32_t)gw_cursor_left(&s->captured);
}

/* As many of |num| bytes as are left of a span. */
static uint32_t span_part(const span *s, uint64_t num)
{
    return (uint32_t)min64(span_left(s), num);
}

/* Takes the next |len| bytes of a span. NULL when the capture cut them. */
static const uint8_t *span_take(span *s, uint32_t len)
{
    const uint8_t *data;

    s->off += len;
    if (s->is_cut)
        s->cut -= len;
    return !s->is_cut && gw_cursor_bytes(&s->captured, &data, len) ? data : NULL;
}

/* Delivers the first |len| bytes of a span that is due. */
static void deliver_span(gw_tcp *t, gw_conn *c, unsigned dir, span *s, uint32_t len)
{
    gw_tcp_flow *f = &c->flow[dir];
    //@ split len;
    const uint8_t *data = span_take(s, len);

    if (data == NULL) {
        gap(t, c, dir, len, s->at);
    } else {
        remember(t, f, f->next, data, len);
        f->next += len;
        tell_data(t, c, dir, data, len, s->at);
    }
    drain(t, c, dir);
}

/* ---- bytes that wait ---- */

/* The piece to use next, GW_TCP_NONE when all are waiting. */
static uint32_t free_piece(const gw_tcp *t, const gw_tcp_flow *f)
{
    if (f->spare != GW_TCP_NONE)
        return f->spare;
    return f->fresh < t->num_pieces ? f->fresh : GW_TCP_NONE;
}

/* Makes the first |len| bytes of a span the free piece |index| after piece |before|, GW_TCP_NONE
 * for the front. */
static void wait_for_turn(const gw_tcp *t, gw_tcp_flow *f, uint32_t index, uint32_t before, span *s,
                          uint32_t len)
{
    uint32_t *link = before == GW_TCP_NONE ? &f->head : &f->pieces[before].next;
    const uint64_t off = s->off;
    //@ split len;
    const uint8_t *data = span_take(s, len);

    if (index == f->spare)
        f->spare = f->pieces[index].next;
    else
        f->fresh = index + 1;
    f->pieces[index] = (gw_piece){
        .off = off,
        .at = s->at,
        .len = len,
        .next = *link,
        .lost = data == NULL,
    };
    *link = index;
    if (data != NULL)
        remember(t, f, off, data, len);
}

/* Drops the first |len| bytes of a span, all of which are in the ring, and counts those that
 * differ. */
static void drop_known(const gw_tcp *t, const gw_tcp_flow *f, span *s, uint32_t len)
{
    const uint64_t off = s->off;
    //@ split len;
    const uint8_t *data = span_take(s, len);

    if (data != NULL)
        s->differing += compare(t, f, off, data, len);
}

/* Drops what a span repeats of delivered bytes, comparing as much as the ring still knows. */
static void drop_old(const gw_tcp *t, const gw_tcp_flow *f, span *s)
{
    if (s->off < f->known)
        (void)span_take(s, span_part(s, f->known - s->off));
    if (s->off < f->next)
        drop_known(t, f, s, span_part(s, f->next - s->off));
}

/* Drops what a span repeats of piece |p|, in which it starts. */
static void drop_waiting(const gw_tcp *t, const gw_tcp_flow *f, const gw_piece *p, span *s)
{
    const uint32_t len = span_part(s, p->off + p->len - s->off);

    if (p->lost)
        (void)span_take(s, len);
    else
        drop_known(t, f, s, len);
}

/* Brings one span in, run by run: each turn delivers, keeps or drops its front, or makes room. The
 * walk along the pieces goes on from |before|, which is the last one that ends at or below the
 * span. */
static void add_span(gw_tcp *t, gw_conn *c, unsigned dir, span *s)
{
    gw_tcp_flow *f = &c->flow[dir];
    uint32_t before = GW_TCP_NONE;

    for (drop_old(t, f, s); span_left(s) > 0; drop_old(t, f, s)) {
        uint32_t at = before == GW_TCP_NONE ? f->head : f->pieces[before].next;
        while (at != GW_TCP_NONE && f->pieces[at].off + f->pieces[at].len <= s->off) {
            before = at;
            at = f->pieces[at].next;
        }
        if (at != GW_TCP_NONE && f->pieces[at].off <= s->off) {
            drop_waiting(t, f, &f->pieces[at], s);
            continue;
        }

        const uint32_t len =
            at == GW_TCP_NONE ? span_left(s) : span_part(s, f->pieces[at].off - s->off);
        if (s->off == f->next) {
            deliver_span(t, c, dir, s, len);
            before = GW_TCP_NONE;
            continue;
        }
        const uint64_t ahead = s->off - f->next;
        const uint32_t index = free_piece(t, f);
        if (ahead >= t->window || index == GW_TCP_NONE) {
            gw_flow_pass(t, c, dir,
                         f->head == GW_TCP_NONE ? s->off : min64(s->off, f->pieces[f->head].off),
                         s->at);
            before = GW_TCP_NONE;
            continue;
        }
        wait_for_turn(t, f, index, before, s, (uint32_t)min64(len, t->window - ahead));
        before = index;
    }
}

void gw_flow_add(gw_tcp *t, gw_conn *c, unsigned dir, uint64_t off, gw_cursor payload, uint32_t len,
                 gw_seen at)
{
    const uint32_t left = (uint32_t)gw_cursor_left(&payload);
    const uint32_t captured = min32(left, len);
    //@ split captured;
    gw_cursor_bound(&payload, captured);
    span bytes = {.captured = payload, .off = off, .at = at};
    span cut = {.is_cut = true, .cut = len - captured, .off = off + captured, .at = at};

    if (captured > 0)
        add_span(t, c, dir, &bytes);
    if (captured < len)
        add_span(t, c, dir, &cut);
    if (bytes.differing > 0)
        tell(t, c, dir, GW_TCP_OVERLAP, bytes.differing, at);
}

/* ---- giving up ---- */

void gw_flow_pass(gw_tcp *t, gw_conn *c, unsigned dir, uint64_t to, gw_seen at)
{
    gw_tcp_flow *f = &c->flow[dir];
    while (f->next < to) {
        uint64_t end = f->head == GW_TCP_NONE ? to : min64(to, f->pieces[f->head].off);
        gap(t, c, dir, (uint32_t)(end - f->next), at);
        drain(t, c, dir);
    }
}

void gw_flow_flush(gw_tcp *t, gw_conn *c, unsigned dir, gw_seen at)
{
    gw_tcp_flow *f = &c->flow[dir];
    while (f->head != GW_TCP_NONE)
        gw_flow_pass(t, c, dir, f->pieces[f->head].off, at);
    if (f->fin_seen && f->fin > f->next)
        gw_flow_pass(t, c, dir, f->fin, at);
}

/* ---- beginnings ---- */

void gw_flow_reset(gw_tcp_flow *f)
{
    *f = (gw_tcp_flow){
        .pieces = f->pieces,
        .ring = f->ring,
        .head = GW_TCP_NONE,
        .spare = GW_TCP_NONE,
    };
}

void gw_flow_start(gw_tcp_flow *f, uint32_t seq, const gw_net *net, bool mid_stream)
{
    /* A stream's first offset is far enough from 0 for what lies before it. */
    f->start = UINT64_C(1) << 32 | seq;
    f->next = f->start;
    f->known = f->start;
    f->top = f->start;
    f->started = true;
    f->mid_stream = mid_stream;
    f->num_vlans = net->num_vlans;
    memcpy(f->vlans, net->vlans, sizeof f->vlans);
}

uint64_t gw_flow_offset(const gw_tcp_flow *f, uint32_t seq)
{
    const uint32_t ahead = seq - (uint32_t)f->next;
    if (ahead < UINT32_MAX - GW_TCP_MAX_WINDOW)
        return f->next + ahead;
    return f->next - (UINT32_MAX - ahead) - 1;
}

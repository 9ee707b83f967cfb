/* SPDX-License-Identifier: BSD-2-Clause */
/* One direction of a TCP connection: segments in any order to bytes in theirs. */
#include "tcp_state.h"

/* A run of one segment's bytes on its way in. */
typedef struct span {
    const uint8_t *data; /* NULL: the capture cut them */
    uint64_t off;
    uint64_t end;
    gw_seen at;
    uint32_t differing; /* bytes seen before with another value */
} span;

static uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- what comes out ---- */

/* Hands out an event, made from the last one, because clearing it would cost more than all the
 * rest. What only some have, bytes and |evicted|, their callers set and take back. */
static void tell(gw_tcp *t, const gw_conn *c, unsigned dir, gw_tcp_event_kind kind,
                 uint32_t gap_len, gw_seen at)
{
    const gw_flow *f = &c->flow[dir];
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

/* Keeps |len| bytes at |off|, or the last of them that fit. */
static void remember(const gw_tcp *t, gw_flow *f, uint64_t off, const uint8_t *data, uint32_t len)
{
    if (len > t->window) {
        off += len - t->window;
        data += len - t->window;
        len = t->window;
    }
    const uint32_t at = (uint32_t)off & (t->window - 1);
    const uint32_t first = len < t->window - at ? len : t->window - at;
    memcpy(f->ring + at, data, first);
    memcpy(f->ring, data + first, len - first);

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
static uint32_t compare(const gw_tcp *t, const gw_flow *f, uint64_t off, const uint8_t *data,
                        uint32_t len)
{
    const uint32_t at = (uint32_t)off & (t->window - 1);
    const uint32_t first = len < t->window - at ? len : t->window - at;
    return count_differing(f->ring + at, data, first) +
           count_differing(f->ring, data + first, len - first);
}

/* ---- bytes that go on ---- */

static void gap(gw_tcp *t, gw_conn *c, unsigned dir, uint32_t len, gw_seen at)
{
    gw_flow *f = &c->flow[dir];
    f->next += len;
    f->known = f->next;
    tell(t, c, dir, GW_TCP_GAP, len, at);
}

static void deliver_piece(gw_tcp *t, gw_conn *c, unsigned dir, const gw_piece *p)
{
    gw_flow *f = &c->flow[dir];
    const uint32_t at = (uint32_t)p->off & (t->window - 1);
    const uint32_t first = p->len < t->window - at ? p->len : t->window - at;

    if (p->lost) {
        gap(t, c, dir, p->len, p->at);
        return;
    }
    f->next += p->len;
    tell_data(t, c, dir, f->ring + at, first, p->at);
    if (p->len > first)
        tell_data(t, c, dir, f->ring, p->len - first, p->at);
}

/* Delivers the pieces that have nothing missing before them any more. */
static void drain(gw_tcp *t, gw_conn *c, unsigned dir)
{
    gw_flow *f = &c->flow[dir];
    while (f->head != GW_TCP_NONE && f->pieces[f->head].off == f->next) {
        gw_piece *p = &f->pieces[f->head];
        const uint32_t index = f->head;
        f->head = p->next;
        p->next = f->spare;
        f->spare = index;
        deliver_piece(t, c, dir, p);
    }
}

static void span_skip(span *s, uint32_t len)
{
    s->off += len;
    if (s->data != NULL)
        s->data += len;
}

/* Delivers the first |len| bytes of a span that is due. */
static void deliver_span(gw_tcp *t, gw_conn *c, unsigned dir, span *s, uint32_t len)
{
    gw_flow *f = &c->flow[dir];
    const uint8_t *data = s->data;

    span_skip(s, len);
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

/* Puts |len| bytes of a span after piece |before|, GW_TCP_NONE for the front. Returns the new
 * piece. */
static uint32_t wait_for_turn(const gw_tcp *t, gw_flow *f, uint32_t before, const span *s,
                              uint32_t len)
{
    uint32_t index = f->spare;
    uint32_t *link = before == GW_TCP_NONE ? &f->head : &f->pieces[before].next;

    if (index != GW_TCP_NONE)
        f->spare = f->pieces[index].next;
    else
        index = f->fresh++;
    f->pieces[index] = (gw_piece){
        .off = s->off,
        .at = s->at,
        .len = len,
        .next = *link,
        .lost = s->data == NULL,
    };
    *link = index;
    if (s->data != NULL)
        remember(t, f, s->off, s->data, len);
    return index;
}

static bool no_pieces_left(const gw_tcp *t, const gw_flow *f)
{
    return f->spare == GW_TCP_NONE && f->fresh == t->num_pieces;
}

/* Drops what a span repeats of delivered bytes, comparing as much as the ring still knows. */
static void drop_old(const gw_tcp *t, const gw_flow *f, span *s)
{
    const uint64_t end = min64(s->end, f->next);
    if (s->off >= end)
        return;
    if (s->data != NULL && end > f->known) {
        const uint64_t from = s->off > f->known ? s->off : f->known;
        s->differing += compare(t, f, from, s->data + (from - s->off), (uint32_t)(end - from));
    }
    span_skip(s, (uint32_t)(end - s->off));
}

/* Drops what a span repeats of piece |p|, in which it starts. */
static void drop_waiting(const gw_tcp *t, const gw_flow *f, const gw_piece *p, span *s)
{
    const uint32_t len = (uint32_t)(min64(s->end, p->off + p->len) - s->off);
    if (s->data != NULL && !p->lost)
        s->differing += compare(t, f, s->off, s->data, len);
    span_skip(s, len);
}

/* Brings one span in, run by run: each turn delivers, keeps or drops its front, or makes room. The
 * walk along the pieces goes on from |before|, which is the last one that ends at or below the
 * span. */
static void add_span(gw_tcp *t, gw_conn *c, unsigned dir, span *s)
{
    gw_flow *f = &c->flow[dir];
    uint32_t before = GW_TCP_NONE;

    for (drop_old(t, f, s); s->off < s->end; drop_old(t, f, s)) {
        uint32_t at = before == GW_TCP_NONE ? f->head : f->pieces[before].next;
        while (at != GW_TCP_NONE && f->pieces[at].off + f->pieces[at].len <= s->off) {
            before = at;
            at = f->pieces[at].next;
        }
        if (at != GW_TCP_NONE && f->pieces[at].off <= s->off) {
            drop_waiting(t, f, &f->pieces[at], s);
            continue;
        }

        uint64_t end = at == GW_TCP_NONE ? s->end : min64(s->end, f->pieces[at].off);
        if (s->off == f->next) {
            deliver_span(t, c, dir, s, (uint32_t)(end - s->off));
            before = GW_TCP_NONE;
            continue;
        }
        if (s->off - f->next >= t->window || no_pieces_left(t, f)) {
            gw_flow_pass(t, c, dir,
                         f->head == GW_TCP_NONE ? s->off : min64(s->off, f->pieces[f->head].off),
                         s->at);
            before = GW_TCP_NONE;
            continue;
        }
        end = min64(end, f->next + t->window);
        const uint32_t len = (uint32_t)(end - s->off);
        before = wait_for_turn(t, f, before, s, len);
        span_skip(s, len);
    }
}

void gw_flow_add(gw_tcp *t, gw_conn *c, unsigned dir, uint64_t off, gw_cursor payload, uint32_t len,
                 gw_seen at)
{
    const uint32_t left = (uint32_t)gw_cursor_left(&payload);
    const uint32_t captured = left < len ? left : len;
    span bytes = {.off = off, .end = off + captured, .at = at};
    span cut = {.off = off + captured, .end = off + len, .at = at};

    if (gw_cursor_bytes(&payload, &bytes.data, captured) && captured > 0)
        add_span(t, c, dir, &bytes);
    add_span(t, c, dir, &cut);
    if (bytes.differing > 0)
        tell(t, c, dir, GW_TCP_OVERLAP, bytes.differing, at);
}

/* ---- giving up ---- */

void gw_flow_pass(gw_tcp *t, gw_conn *c, unsigned dir, uint64_t to, gw_seen at)
{
    gw_flow *f = &c->flow[dir];
    while (f->next < to) {
        uint64_t end = f->head == GW_TCP_NONE ? to : min64(to, f->pieces[f->head].off);
        gap(t, c, dir, (uint32_t)(end - f->next), at);
        drain(t, c, dir);
    }
}

void gw_flow_flush(gw_tcp *t, gw_conn *c, unsigned dir, gw_seen at)
{
    gw_flow *f = &c->flow[dir];
    while (f->head != GW_TCP_NONE)
        gw_flow_pass(t, c, dir, f->pieces[f->head].off, at);
    if (f->fin_seen && f->fin > f->next)
        gw_flow_pass(t, c, dir, f->fin, at);
}

/* ---- beginnings ---- */

void gw_flow_reset(gw_flow *f)
{
    *f = (gw_flow){
        .pieces = f->pieces,
        .ring = f->ring,
        .head = GW_TCP_NONE,
        .spare = GW_TCP_NONE,
    };
}

void gw_flow_start(gw_flow *f, uint32_t seq, const gw_net *net, bool mid_stream)
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

uint64_t gw_flow_offset(const gw_flow *f, uint32_t seq)
{
    const uint32_t ahead = seq - (uint32_t)f->next;
    if (ahead < UINT32_MAX - GW_TCP_MAX_WINDOW)
        return f->next + ahead;
    return f->next - (UINT32_MAX - ahead) - 1;
}

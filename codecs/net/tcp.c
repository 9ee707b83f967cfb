/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP connections: which segment belongs to which, where they begin and end. */
#include "tcp_state.h"

/* Copies of segments that arrive after the end lie within this distance of it. Anything farther off
 * belongs to a new connection whose start was not captured. */
#define LATE_REACH (UINT32_C(1) << 20)

#define MIN_WINDOW 64u
#define MIN_PIECES 64u
#define MAX_CONNS (UINT32_C(1) << 30)

/* ---- memory ---- */

static size_t power_of_two(size_t at_least, size_t n)
{
    while (n < at_least)
        n *= 2;
    return n;
}

static size_t pieces_of(size_t window)
{
    return window / 128 > MIN_PIECES ? window / 128 : MIN_PIECES;
}

size_t gw_tcp_size(size_t num, size_t window)
{
    if (num == 0 || num > MAX_CONNS || window > GW_TCP_MAX_WINDOW)
        return 0;
    window = power_of_two(window, MIN_WINDOW);
    const size_t conn = sizeof(gw_conn) + 2 * (pieces_of(window) * sizeof(gw_piece) + window);
    const size_t buckets = power_of_two(num, 1) * sizeof(uint32_t);
    if (num > (SIZE_MAX - sizeof(gw_tcp) - buckets) / conn)
        return 0;
    return sizeof(gw_tcp) + num * conn + buckets;
}

gw_tcp *gw_tcp_init(void *mem, size_t num, size_t window, gw_tcp_fn fn, void *ctx)
{
    if (gw_tcp_size(num, window) == 0)
        return NULL;
    window = power_of_two(window, MIN_WINDOW);

    const size_t num_buckets = power_of_two(num, 1);
    const size_t num_pieces = pieces_of(window);
    gw_tcp *t = mem;
    gw_conn *conns = (gw_conn *)(t + 1);
    gw_piece *pieces = (gw_piece *)(conns + num);
    uint32_t *buckets = (uint32_t *)(pieces + 2 * num * num_pieces);
    uint8_t *rings = (uint8_t *)(buckets + num_buckets);

    *t = (gw_tcp){
        .fn = fn,
        .ctx = ctx,
        .conns = conns,
        .buckets = buckets,
        .bucket_mask = (uint32_t)(num_buckets - 1),
        .num = (uint32_t)num,
        .window = (uint32_t)window,
        .num_pieces = (uint32_t)num_pieces,
        .event.segment = {.num_frames = 1, .transport = GW_OVER_TCP},
    };
    for (size_t i = 0; i < num_buckets; i++)
        buckets[i] = GW_TCP_NONE;
    for (size_t i = 0; i < 2 * num; i++) {
        gw_tcp_flow *f = &conns[i / 2].flow[i % 2];
        f->pieces = pieces + i * num_pieces;
        f->ring = rings + i * window;
    }
    conns[0].newer = 0;
    conns[0].older = 0;
    return t;
}

/* ---- the table ---- */

static uint32_t hash_end(const gw_endpoint *e)
{
    uint32_t w[4];
    memcpy(w, e->ip, sizeof w);
    uint32_t h = e->port * UINT32_C(0x9e3779b1);
    for (size_t i = 0; i < GW_ARRAY_LEN(w); i++)
        h = ((h ^ w[i]) << 13 | (h ^ w[i]) >> 19) * UINT32_C(0x85ebca6b);
    return h ^ h >> 15;
}

/* Both directions have one hash. */
static uint32_t hash_of(const gw_net *net)
{
    const uint32_t h = (hash_end(&net->src) + hash_end(&net->dst)) * UINT32_C(0xc2b2ae35);
    return h ^ h >> 16;
}

static bool same_end(const gw_endpoint *a, const gw_endpoint *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Finds the number of the connection of |net| and its direction there. GW_TCP_NONE when it is new.
 */
static uint32_t find(const gw_tcp *t, const gw_net *net, uint32_t hash, unsigned *dir)
{
    for (uint32_t i = t->buckets[hash & t->bucket_mask]; i != GW_TCP_NONE; i = t->conns[i].chain) {
        const gw_conn *c = &t->conns[i];
        if (c->hash != hash)
            continue;
        for (*dir = 0; *dir < 2; ++*dir) {
            if (same_end(&c->end[*dir], &net->src) && same_end(&c->end[1 - *dir], &net->dst))
                return i;
        }
    }
    return GW_TCP_NONE;
}

static uint32_t oldest(const gw_tcp *t)
{
    return t->conns[t->newest].newer;
}

static void unlink_age(gw_tcp *t, const gw_conn *c)
{
    t->conns[c->newer].older = c->older;
    t->conns[c->older].newer = c->newer;
    if (&t->conns[t->newest] == c)
        t->newest = c->older;
}

/* Where the ring closes. */
static void link_oldest(gw_tcp *t, gw_conn *c)
{
    const uint32_t i = (uint32_t)(c - t->conns);
    c->older = t->newest;
    c->newer = oldest(t);
    t->conns[c->newer].older = i;
    t->conns[c->older].newer = i;
}

static void link_newest(gw_tcp *t, gw_conn *c)
{
    link_oldest(t, c);
    t->newest = (uint32_t)(c - t->conns);
}

static void link_hash(gw_tcp *t, gw_conn *c, uint32_t hash)
{
    uint32_t *bucket = &t->buckets[hash & t->bucket_mask];
    c->hash = hash;
    c->chain = *bucket;
    *bucket = (uint32_t)(c - t->conns);
}

static void unlink_hash(gw_tcp *t, const gw_conn *c)
{
    uint32_t *link = &t->buckets[c->hash & t->bucket_mask];
    uint32_t at;

    while ((at = *link) != GW_TCP_NONE && &t->conns[at] != c)
        link = &t->conns[at].chain;
    *link = c->chain;
}

/* ---- beginnings and ends of connections ---- */

static bool finished(const gw_tcp_flow *f)
{
    return f->fin_seen && f->next >= f->fin;
}

/* Delivers what waits, tells the end, and keeps the connection for late copies. */
static void close_conn(gw_tcp *t, gw_conn *c, unsigned dir, bool evicted, gw_seen at)
{
    gw_flow_flush(t, c, 0, at);
    gw_flow_flush(t, c, 1, at);
    gw_flow_tell_end(t, c, dir, evicted, at);
    c->state = GW_CONN_CLOSED;
    unlink_age(t, c);
    link_oldest(t, c);
}

/* Opens |c|, found in the table or fresh, for the sender of |net|; of a SYN's answer, for its
 * receiver. Returns the direction of |net|. */
static unsigned open_conn(gw_tcp *t, gw_conn *c, const gw_net *net)
{
    const uint8_t answer = GW_TCP_SYN | GW_TCP_ACK;
    const unsigned dir = (net->tcp_flags & answer) == answer;
    c->end[dir] = net->src;
    c->end[1 - dir] = net->dst;
    c->stream = t->streams++;
    c->state = GW_CONN_OPEN;
    gw_flow_reset(&c->flow[0]);
    gw_flow_reset(&c->flow[1]);
    return dir;
}

/* Returns the number of a connection that is in neither list nor table, if need be that of the
 * oldest. One that a side has ended was about to go. */
static uint32_t make_room(gw_tcp *t, gw_seen at)
{
    if (t->used < t->num)
        return t->used++;
    const uint32_t i = oldest(t);
    gw_conn *c;

    //@ split i;
    c = &t->conns[i];
    if (c->state == GW_CONN_OPEN)
        close_conn(t, c, 0, !finished(&c->flow[0]) && !finished(&c->flow[1]), at);
    unlink_age(t, c);
    unlink_hash(t, c);
    return i;
}

/* Whether |net| shows that its ports serve a new connection now. */
static bool begins_anew(const gw_conn *c, unsigned dir, const gw_net *net)
{
    const gw_tcp_flow *f = &c->flow[dir];
    const gw_tcp_flow *other = &c->flow[1 - dir];
    const bool closed = c->state == GW_CONN_CLOSED;

    if ((net->tcp_flags & GW_TCP_SYN) == 0) {
        if (!closed || net->payload_len == 0)
            return false;
        return !f->started ||
               net->tcp_seq - (uint32_t)f->next + LATE_REACH > 2 * (uint64_t)LATE_REACH;
    }
    if (f->started && (uint32_t)f->start == net->tcp_seq + 1) /* again, or later than its data */
        return closed && f->next == f->start && (net->tcp_flags & GW_TCP_ACK) == 0;
    if (f->started || closed)
        return true;
    /* The first SYN of this side: an answer, or both sides opened at once. */
    return (net->tcp_flags & GW_TCP_ACK) == 0 && other->started &&
           (other->mid_stream || other->next != other->start);
}

/* ---- segments ---- */

static void on_syn(gw_conn *c, unsigned dir, const gw_net *net)
{
    gw_tcp_flow *f = &c->flow[dir];
    gw_tcp_flow *other = &c->flow[1 - dir];
    if (!f->started)
        gw_flow_start(f, net->tcp_seq + 1, net, false);
    f->mid_stream = false;
    if ((net->tcp_flags & GW_TCP_ACK) != 0 && !other->started)
        gw_flow_start(other, net->tcp_ack, net, false);
}

/* Bytes that the receiver had and the capture has not will not come any more. */
static void on_ack(gw_tcp *t, gw_conn *c, unsigned dir, const gw_net *net, gw_seen at)
{
    const gw_tcp_flow *f = &c->flow[dir];
    if (!f->started)
        return;
    uint64_t to = gw_flow_offset(f, net->tcp_ack);
    if (f->fin_seen && to > f->fin)
        to = f->fin; /* the FIN takes a number of its own */
    if (to > f->next && to - f->next <= GW_TCP_MAX_WINDOW)
        gw_flow_pass(t, c, dir, to, at);
}

/* A keep-alive repeats the last number, with any byte or none (RFC 9293 3.8.4). The last number may
 * be the FIN's. */
static bool is_keep_alive(const gw_tcp_flow *f, const gw_net *net)
{
    if (net->payload_len != 1 || (net->tcp_flags & (GW_TCP_SYN | GW_TCP_FIN)) != 0)
        return false;
    return net->tcp_seq + 1 == (uint32_t)f->next ||
           (f->fin_seen && net->tcp_seq == (uint32_t)f->fin);
}

static void on_bytes(gw_tcp *t, gw_conn *c, unsigned dir, const gw_net *net, gw_seen at)
{
    gw_tcp_flow *f = &c->flow[dir];
    const bool syn = (net->tcp_flags & GW_TCP_SYN) != 0;
    const bool fin = (net->tcp_flags & GW_TCP_FIN) != 0;

    if (net->payload_len == 0 && !fin)
        return;
    if (!f->started)
        gw_flow_start(f, net->tcp_seq, net, true);
    if (is_keep_alive(f, net))
        return;
    const uint64_t off = gw_flow_offset(f, net->tcp_seq + syn);
    gw_flow_add(t, c, dir, off, net->payload, net->payload_len, at);
    if (fin && !f->fin_seen && off + net->payload_len >= f->next) {
        f->fin_seen = true;
        f->fin = off + net->payload_len;
    }
}

static void on_segment(gw_tcp *t, gw_conn *c, unsigned dir, const gw_net *net, gw_seen at)
{
    if ((net->tcp_flags & GW_TCP_RST) != 0) {
        close_conn(t, c, dir, false, at);
        return;
    }
    if ((net->tcp_flags & GW_TCP_SYN) != 0)
        on_syn(c, dir, net);
    else if ((net->tcp_flags & GW_TCP_ACK) != 0)
        on_ack(t, c, 1 - dir, net, at);
    on_bytes(t, c, dir, net, at);
    if (finished(&c->flow[0]) && finished(&c->flow[1]))
        close_conn(t, c, dir, false, at);
}

void gw_tcp_add(gw_tcp *t, const gw_net *net, uint64_t frame, int64_t time_ns)
{
    const gw_seen at = {.frame = frame, .time_ns = time_ns};
    if (net->transport != GW_OVER_TCP)
        return;

    const uint32_t hash = hash_of(net);
    unsigned dir = 0;
    uint32_t i = find(t, net, hash, &dir);
    const bool is_new = i == GW_TCP_NONE;
    gw_conn *c;

    if (is_new) {
        if ((net->tcp_flags & GW_TCP_RST) != 0 ||
            ((net->tcp_flags & GW_TCP_SYN) == 0 && net->payload_len == 0))
            return; /* nothing of a connection that is worth a place */
        i = make_room(t, at);
    }
    //@ split i;
    //@ split dir;
    c = &t->conns[i];
    if (is_new) {
        dir = open_conn(t, c, net);
        link_hash(t, c, hash);
        link_newest(t, c);
    } else if (begins_anew(c, dir, net) && (net->tcp_flags & GW_TCP_RST) == 0) {
        if (c->state == GW_CONN_OPEN)
            close_conn(t, c, dir, false, at);
        dir = open_conn(t, c, net);
    }
    //@ split dir;
    if (c->state == GW_CONN_CLOSED)
        return;
    if (t->newest != i) {
        unlink_age(t, c);
        link_newest(t, c);
    }
    c->last = at;
    on_segment(t, c, dir, net, at);
}

void gw_tcp_end(gw_tcp *t)
{
    for (uint32_t i = 0; i < t->used; i++) {
        if (t->conns[i].state == GW_CONN_OPEN)
            close_conn(t, &t->conns[i], 0, false, t->conns[i].last);
    }
}

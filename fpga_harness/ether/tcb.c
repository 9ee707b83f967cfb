/* SPDX-License-Identifier: BSD-2-Clause */
/* One end of a TCP connection: what it hears, and what it sends. */
#include "harness/tcb.h"

#include <string.h>

#include "goldwire/net.h"

enum { MASK = GW_TCB_ROOM - 1, WINDOW = UINT16_MAX, COPIES = 3 };

/* Numbers wrap: what lies less than half of all of them ahead is later. */
static bool before(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

static uint16_t room(const gw_tcb *e)
{
    uint32_t waiting = e->expects - e->taken;
    return waiting < WINDOW ? (uint16_t)(WINDOW - waiting) : 0;
}

/* What waits to be acknowledged: our SYN, bytes, our FIN. */
static bool owed(const gw_tcb *e)
{
    return e->unknown != e->sent;
}

/* ---- sending ---- */

static void put(gw_tcb *e, uint32_t seq, uint8_t flags, const uint8_t *data, size_t len)
{
    bool syn = (flags & GW_TCP_SYN) != 0;
    bool calls = e->state == GW_TCB_CALLS;
    gw_tcp_segment s = {.seq = seq,
                        .ack = calls ? 0 : e->expects,
                        .flags = flags,
                        .window = room(e),
                        .mss = syn ? GW_TCB_LONGEST : 0,
                        .again = before(seq, e->sent),
                        .data = data,
                        .len = len};
    e->owes_ack = false;
    e->send(e->arg, &s);
}

static void acknowledge(gw_tcb *e)
{
    put(e, e->next, GW_TCP_ACK, NULL, 0);
}

static void note_sent(gw_tcb *e, uint32_t to, int64_t now)
{
    if (!e->timing && !before(e->next, e->sent)) {
        e->timing = true;
        e->timed = to;
        e->timed_ns = now;
    }
    e->next = to;
    if (before(e->sent, to))
        e->sent = to;
    if (e->deadline == GW_TCB_NEVER)
        e->deadline = now + e->wait_ns;
}

static void send_syn(gw_tcb *e, int64_t now)
{
    bool answers = e->state == GW_TCB_CALLED;
    put(e, e->first, answers ? GW_TCP_SYN | GW_TCP_ACK : GW_TCP_SYN, NULL, 0);
    e->next = e->first;
    note_sent(e, e->first + 1, now);
}

static void send_bytes(gw_tcb *e, size_t len, int64_t now)
{
    for (size_t i = 0; i < len; i++)
        e->piece[i] = e->out[(e->next + i) & MASK];
    put(e, e->next, GW_TCP_ACK | GW_TCP_PSH, e->piece, len);
    note_sent(e, e->next + (uint32_t)len, now);
}

/* Sends what the other side takes. |probe|: a byte, even where it takes none. */
static void send_queued(gw_tcb *e, bool probe, int64_t now)
{
    while (before(e->next, e->queued)) {
        uint32_t under_way = e->next - e->unknown;
        uint32_t left = e->queued - e->next;
        uint32_t fits = under_way < e->window ? e->window - under_way : 0;
        if (fits == 0 && probe && under_way == 0)
            fits = 1;
        if (fits == 0 || (e->careful && under_way > 0))
            break;
        probe = false;
        uint32_t len = left < fits ? left : fits;
        if (before(e->next, e->sent) && e->sent - e->next < len)
            len = e->sent - e->next; /* old bytes and new ones go apart */
        send_bytes(e, len < e->segment ? len : e->segment, now);
    }
    if (e->ends && e->next == e->queued) {
        put(e, e->next, GW_TCP_FIN | GW_TCP_ACK, NULL, 0);
        note_sent(e, e->next + 1, now);
    }
}

/* ---- time ---- */

static void set_wait(gw_tcb *e)
{
    int64_t wait = e->smooth_ns == 0 ? GW_TCB_FIRST_NS : e->smooth_ns + 4 * e->spread_ns;
    e->wait_ns = wait < GW_TCB_LEAST_NS  ? GW_TCB_LEAST_NS
                 : wait > GW_TCB_MOST_NS ? GW_TCB_MOST_NS
                                         : wait;
}

/* RFC 6298 2. */
static void measure(gw_tcb *e, int64_t took)
{
    int64_t off = took > e->smooth_ns ? took - e->smooth_ns : e->smooth_ns - took;
    e->spread_ns = e->smooth_ns == 0 ? took / 2 : (3 * e->spread_ns + off) / 4;
    e->smooth_ns = e->smooth_ns == 0 ? took : (7 * e->smooth_ns + took) / 8;
    if (e->smooth_ns == 0)
        e->smooth_ns = 1;
}

/* What is at |unknown| goes out once more. */
static void send_again(gw_tcb *e, int64_t now)
{
    e->timing = false; /* which of the two is acknowledged nobody knows */
    e->next = e->unknown;
    e->deadline = GW_TCB_NEVER;
    if (e->state <= GW_TCB_CALLED)
        send_syn(e, now);
    else
        send_queued(e, true, now);
}

/* Where the other side takes nothing, it is asked whether it does by now. */
static bool is_shut(const gw_tcb *e)
{
    return e->state == GW_TCB_OPEN && e->window == 0 && !owed(e) && before(e->unknown, e->queued);
}

static void time_out(gw_tcb *e, int64_t now)
{
    if (++e->tries >= GW_TCB_TRIES) {
        e->state = GW_TCB_DEAD;
        e->deadline = GW_TCB_NEVER;
        return;
    }
    e->careful = true;
    e->wait_ns = 2 * e->wait_ns < GW_TCB_MOST_NS ? 2 * e->wait_ns : GW_TCB_MOST_NS;
    send_again(e, now);
}

int64_t gw_tcb_run(gw_tcb *e, int64_t now)
{
    if (e->state >= GW_TCB_OVER && !e->owes_ack)
        return GW_TCB_NEVER;
    if (e->state < GW_TCB_OVER && e->deadline <= now)
        time_out(e, now);
    if (e->state == GW_TCB_OPEN)
        send_queued(e, false, now);
    if (e->owes_ack)
        acknowledge(e);
    if (e->deadline == GW_TCB_NEVER && is_shut(e))
        e->deadline = now + e->wait_ns;
    return e->state < GW_TCB_OVER ? e->deadline : GW_TCB_NEVER;
}

/* ---- what comes in ---- */

static void note_known(gw_tcb *e, uint32_t ack, int64_t now)
{
    if (e->timing && !before(ack, e->timed)) {
        e->timing = false;
        measure(e, now - e->timed_ns);
    }
    e->unknown = ack;
    if (before(e->next, ack))
        e->next = ack;
    e->tries = e->copies = 0;
    e->careful = false;
    set_wait(e);
    e->deadline = owed(e) ? now + e->wait_ns : GW_TCB_NEVER;
    e->end_known = e->ends && ack == e->queued + 1;
}

static void hear_ack(gw_tcb *e, const gw_tcp_segment *s, int64_t now)
{
    if (before(e->sent, s->ack) || before(s->ack, e->unknown)) {
        e->owes_ack = before(e->sent, s->ack); /* of what was never sent */
        return;
    }
    bool copy =
        s->ack == e->unknown && s->len == 0 && s->window == e->window && s->window != 0 && owed(e);
    if (s->ack != e->unknown)
        note_known(e, s->ack, now);
    else if (copy && ++e->copies == COPIES)
        e->next = e->unknown; /* one is missing there */
    if (e->window == 0 && s->window != 0)
        e->next = e->unknown; /* what it was asked with it has not taken */
    e->careful = e->careful || e->copies == COPIES;
    if (e->window == 0 && s->window == 0)
        e->tries = 0; /* it takes nothing, and is there */
    e->window = s->window;
}

/* Keeps the bytes from |from| to |to|, which lie behind what is expected, in mind. What cannot be
 * kept comes again. */
static void keep_run(gw_tcb *e, uint32_t from, uint32_t to)
{
    unsigned i = 0;
    while (i < e->num_runs && before(e->runs[i].to, from))
        i++;
    unsigned end = i;
    for (; end < e->num_runs && !before(to, e->runs[end].from); end++) {
        from = before(e->runs[end].from, from) ? e->runs[end].from : from;
        to = before(to, e->runs[end].to) ? e->runs[end].to : to;
    }
    if (i == end && e->num_runs == GW_TCB_HOLES)
        return;
    memmove(&e->runs[i + 1], &e->runs[end], (e->num_runs - end) * sizeof(e->runs[0]));
    e->num_runs = e->num_runs - (end - i) + 1;
    e->runs[i] = (gw_tcp_run){from, to};
}

/* Takes what fits the window of the bytes that |s| has. */
static void keep_bytes(gw_tcb *e, const gw_tcp_segment *s)
{
    uint32_t from = s->seq;
    uint32_t to = s->seq + (uint32_t)s->len;
    uint32_t most = e->expects + room(e);
    if (before(from, e->expects))
        from = e->expects;
    if (before(most, to))
        to = most;
    if (!before(from, to))
        return;
    bool full = e->num_runs == GW_TCB_HOLES && from != e->expects;
    for (uint32_t i = from; !full && i != to; i++)
        e->in[i & MASK] = s->data[i - s->seq];
    if (!full)
        keep_run(e, from, to);
}

/* What is there without a hole before it is there for good. */
static size_t advance(gw_tcb *e)
{
    uint32_t had = e->expects;
    while (e->num_runs > 0 && !before(e->expects, e->runs[0].from)) {
        if (before(e->expects, e->runs[0].to))
            e->expects = e->runs[0].to;
        memmove(&e->runs[0], &e->runs[1], --e->num_runs * sizeof(e->runs[0]));
    }
    size_t fresh = e->expects - had;
    if (e->knows_end && !e->they_ended && e->expects == e->their_end) {
        e->they_ended = true;
        e->expects++;
        e->taken++; /* nobody reads a FIN */
    }
    return fresh;
}

static void hear_syn(gw_tcb *e, const gw_tcp_segment *s)
{
    e->expects = e->taken = s->seq + 1;
    e->segment = s->mss == 0 ? GW_TCB_SEGMENT : s->mss < GW_TCB_LONGEST ? s->mss : GW_TCB_LONGEST;
    e->window = s->window;
}

/* While we call, only an answer to our SYN is one. */
static void hear_answer(gw_tcb *e, const gw_tcp_segment *s, int64_t now)
{
    if ((s->flags & GW_TCP_ACK) == 0 || s->ack != e->first + 1)
        return;
    if ((s->flags & GW_TCP_RST) != 0) {
        e->state = GW_TCB_RESET;
        return;
    }
    if ((s->flags & GW_TCP_SYN) == 0)
        return;
    hear_syn(e, s);
    note_known(e, s->ack, now);
    e->state = GW_TCB_OPEN;
    e->owes_ack = true;
}

/* Whether anything of |s| lies in the window (RFC 9293 3.10.7.4). */
static bool is_expected(const gw_tcb *e, const gw_tcp_segment *s)
{
    uint32_t most = e->expects + (room(e) > 0 ? room(e) : 1);
    uint32_t end = s->seq + (uint32_t)s->len + ((s->flags & GW_TCP_FIN) != 0);
    return s->seq == e->expects || (before(s->seq, most) && before(e->expects, end));
}

size_t gw_tcb_hear(gw_tcb *e, const gw_tcp_segment *s, int64_t now)
{
    if (e->state == GW_TCB_CALLS) {
        hear_answer(e, s, now);
        return 0;
    }
    if (e->state == GW_TCB_RESET || e->state == GW_TCB_DEAD)
        return 0;
    if (!is_expected(e, s) || (s->flags & GW_TCP_SYN) != 0) {
        e->owes_ack = (s->flags & GW_TCP_RST) == 0;
        return 0;
    }
    if ((s->flags & GW_TCP_RST) != 0) {
        /* One that is only in the window may be a stranger's (RFC 5961 3.2). */
        e->owes_ack = s->seq != e->expects;
        e->state = s->seq == e->expects ? (uint8_t)GW_TCB_RESET : e->state;
        return 0;
    }
    if ((s->flags & GW_TCP_ACK) == 0)
        return 0;
    if (e->state == GW_TCB_CALLED && s->ack == e->first + 1)
        e->state = GW_TCB_OPEN;
    hear_ack(e, s, now);
    keep_bytes(e, s);
    if ((s->flags & GW_TCP_FIN) != 0 && !e->knows_end) {
        e->knows_end = true;
        e->their_end = s->seq + (uint32_t)s->len;
    }
    size_t fresh = advance(e);
    e->owes_ack = e->owes_ack || s->len > 0 || (s->flags & GW_TCP_FIN) != 0;
    if (e->state == GW_TCB_OPEN && e->end_known && e->they_ended)
        e->state = GW_TCB_OVER;
    return fresh;
}

/* ---- the user's side ---- */

static void begin(gw_tcb *e, gw_tcp_send_fn send, void *arg, uint32_t first)
{
    memset(e, 0, sizeof(*e));
    e->send = send;
    e->arg = arg;
    e->first = e->unknown = e->next = e->sent = first;
    e->queued = first + 1;
    e->segment = GW_TCB_SEGMENT;
    e->deadline = GW_TCB_NEVER;
    set_wait(e);
}

void gw_tcb_call(gw_tcb *e, gw_tcp_send_fn send, void *arg, uint32_t first, int64_t now)
{
    begin(e, send, arg, first);
    e->state = GW_TCB_CALLS;
    send_syn(e, now);
}

void gw_tcb_answer(gw_tcb *e, gw_tcp_send_fn send, void *arg, uint32_t first,
                   const gw_tcp_segment *syn, int64_t now)
{
    begin(e, send, arg, first);
    e->state = GW_TCB_CALLED;
    hear_syn(e, syn);
    send_syn(e, now);
}

size_t gw_tcb_write(gw_tcb *e, const uint8_t *data, size_t len)
{
    size_t free = GW_TCB_ROOM - (e->queued - e->unknown);
    if (e->ends || e->state >= GW_TCB_OVER)
        return 0;
    if (e->state <= GW_TCB_CALLED)
        free--; /* the SYN counts */
    len = len < free ? len : free;
    for (size_t i = 0; i < len; i++)
        e->out[(e->queued + i) & MASK] = data[i];
    e->queued += (uint32_t)len;
    return len;
}

/* Of what waits to be read the FIN is none. */
static size_t readable(const gw_tcb *e)
{
    return e->expects - e->taken;
}

size_t gw_tcb_read(gw_tcb *e, uint8_t *buf, size_t cap)
{
    size_t len = readable(e) < cap ? readable(e) : cap;
    uint32_t at = e->taken - (e->they_ended ? 1 : 0);
    bool shut = room(e) < GW_TCB_LONGEST;
    for (size_t i = 0; i < len; i++)
        buf[i] = e->in[(at + i) & MASK];
    e->taken += (uint32_t)len;
    /* Who stopped because there was no room is told that there is. */
    e->owes_ack = e->owes_ack || (shut && room(e) >= GW_TCB_LONGEST);
    return len;
}

void gw_tcb_peek(const gw_tcb *e, uint8_t *buf, size_t len)
{
    uint32_t at = e->expects - (e->they_ended ? 1 : 0) - (uint32_t)len;
    for (size_t i = 0; i < len; i++)
        buf[i] = e->in[(at + i) & MASK];
}

void gw_tcb_close(gw_tcb *e)
{
    e->ends = true;
}

void gw_tcb_reset(gw_tcb *e)
{
    if (e->state < GW_TCB_OVER)
        put(e, e->next, GW_TCP_RST | GW_TCP_ACK, NULL, 0);
    e->state = GW_TCB_RESET;
    e->deadline = GW_TCB_NEVER;
}

bool gw_tcb_idle(const gw_tcb *e)
{
    return e->unknown == e->queued + (e->ends ? 1 : 0);
}

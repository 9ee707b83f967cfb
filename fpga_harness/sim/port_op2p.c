/* SPDX-License-Identifier: BSD-2-Clause */
/* The OP2P tunnel's other end before a simulated link (docs/op2p-tunnel.md): datagrams become words
 * with start, end and remainder on one port and events on the next, and back. What holds frames
 * back while the board says XOFF is the port itself (hdl/gw_words.sv). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/op2p.h"
#include "goldwire/writer.h"
#include "link.h"

#define WORD 4
#define BESIDE 5 /* a word and what is beside it */
#define DATAGRAM_MAX (GW_OP2P_SHIM + 8192u)
#define BEAT_PS INT64_C(13334) /* of the published core's link, 75 MHz: what gaps are told in */
#define TAKEN_PS INT64_C(1000000000) /* a core that has not taken what was sent by then is deaf */

typedef struct op2p_transport {
    gw_transport t;
    gw_sim *sim;
    unsigned port;       /* of the words; the events are the next one */
    gw_sim_queue words;  /* chunks from the core */
    gw_sim_queue events; /* from the core */
    gw_sim_queue out;    /* datagrams that nobody has received yet */
    uint16_t number;     /* of the next datagram */
    bool halted;         /* the board has said XOFF */
    bool open;           /* a frame from the core has begun ... */
    bool thrown;         /* ... and grew too long: the rest is thrown away */
    uint8_t flags;       /* of that frame */
    size_t len;
    uint8_t frame[GW_OP2P_PDU_MAX + WORD];
    uint8_t chunk[GW_SIM_FRAME_MAX];
} op2p_transport;

static op2p_transport *of(gw_transport *t)
{
    return (op2p_transport *)t;
}

static int64_t op2p_now(gw_transport *t)
{
    return gw_sim_now(of(t)->sim);
}

/* ---- from the core ---- */

static void emit(op2p_transport *o, int64_t time_ps, const gw_op2p_shim *what, size_t len)
{
    uint8_t datagram[GW_OP2P_SHIM + sizeof(o->frame)];
    gw_op2p_shim shim = *what;
    shim.version = 1;
    shim.sequence = o->number++;
    gw_op2p_put_tunnel(datagram, &shim);
    memcpy(datagram + GW_OP2P_SHIM, o->frame, len);
    gw_sim_queue_put(&o->out, time_ps, datagram, GW_OP2P_SHIM + len);
}

static void emit_frame(op2p_transport *o, int64_t time_ps, uint8_t flags)
{
    gw_op2p_shim shim = {.kind = GW_OP2P_KIND_PDU, .flags = o->flags | flags};
    emit(o, time_ps, &shim, o->len);
    o->open = false;
}

/* A frame without an end is told by its header and as much payload as that names. */
static void emit_endless(op2p_transport *o, int64_t time_ps)
{
    if (o->len >= GW_OP2P_HEADER) {
        size_t named = GW_OP2P_HEADER + (size_t)gw_op2p_get(o->frame).byte_count;
        o->len = named < o->len ? named : o->len;
    }
    if (o->len > GW_OP2P_PDU_MAX)
        o->len = GW_OP2P_PDU_MAX;
    emit_frame(o, time_ps, GW_OP2P_FLAG_NO_EOF);
}

/* Takes a word, |beside| it what the link says of it. */
static void take_word(op2p_transport *o, int64_t time_ps, const uint8_t *word, unsigned beside)
{
    bool begins = (beside & GW_SIM_WORD_SOF) != 0;
    bool ends = (beside & GW_SIM_WORD_EOF) != 0;
    if (begins && o->open)
        emit_endless(o, time_ps);
    if (begins || (!o->open && !o->thrown)) {
        o->flags = begins ? 0 : GW_OP2P_FLAG_FRAME_ERROR;
        o->open = true;
        o->thrown = false;
        o->len = 0;
    }
    if (o->open) {
        for (size_t i = 0; i < WORD; i++) /* most significant byte first */
            o->frame[o->len + i] = word[WORD - 1 - i];
        o->len += ends ? (beside >> GW_SIM_WORD_REM_SHIFT & 3) + 1 : WORD;
        if (ends)
            emit_frame(o, time_ps, o->len % WORD != 0 ? GW_OP2P_FLAG_PAD : 0);
        o->thrown = o->open && o->len > GW_OP2P_PDU_MAX;
        if (o->thrown)
            emit_endless(o, time_ps);
    }
    o->thrown = o->thrown && !ends;
}

static void take_event(op2p_transport *o, int64_t time_ps, const uint8_t *event)
{
    gw_op2p_shim shim = {.kind = event[0], .code = event[1]};
    if (event[0] == GW_SIM_EVENT_FLOW)
        o->halted = event[1] == GW_OP2P_XOFF;
    if (event[0] == GW_SIM_EVENT_CHANNEL)
        o->halted = false;
    emit(o, time_ps, &shim, 0);
}

/* The time of the oldest in |queue|; later than all when there is none. */
static int64_t oldest_ps(const gw_sim_queue *queue)
{
    int64_t time_ps = INT64_MAX;
    (void)gw_sim_queue_peek(queue, &time_ps);
    return time_ps;
}

/* Makes datagrams of all that has come, in its order. */
static void translate(op2p_transport *o)
{
    uint8_t event[WORD];
    int64_t time_ps;
    size_t len;
    for (;;) {
        int64_t words_ps = oldest_ps(&o->words), events_ps = oldest_ps(&o->events);
        if (words_ps == INT64_MAX && events_ps == INT64_MAX)
            return;
        if (events_ps < words_ps) {
            if (gw_sim_queue_get(&o->events, &time_ps, event, sizeof(event), &len) && len == WORD)
                take_event(o, time_ps, event);
            continue;
        }
        if (!gw_sim_queue_get(&o->words, &time_ps, o->chunk, sizeof(o->chunk), &len))
            return;
        for (size_t at = 0; at + BESIDE <= len; at += BESIDE)
            take_word(o, time_ps, o->chunk + at, o->chunk[at + WORD]);
    }
}

static gw_recv_status op2p_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    op2p_transport *o = of(t);
    gw_sim *sim = o->sim;
    int64_t time_ps;
    translate(o);
    while (!gw_sim_queue_get(&o->out, &time_ps, buf, cap, len)) {
        int64_t before_ps = sim->now_ps;
        if (sim->now_ps >= gw_sim_ps(deadline))
            return GW_RECV_TIMEOUT;
        gw_sim_run(sim, gw_sim_ps(deadline), false);
        gw_sim_note(sim, t);
        translate(o);
        if (sim->now_ps == before_ps && o->out.first == o->out.end)
            return GW_RECV_TIMEOUT; /* goldwire was told to stop */
    }
    if (stamp_ns != NULL)
        *stamp_ns = GW_VIRTUAL_EPOCH_NS + time_ps / GW_SIM_PS_A_NS;
    if (from != NULL)
        *from = t->remote;
    t->unreachable = false;
    return GW_RECV_DATA;
}

static void op2p_wait(gw_transport *t, int64_t deadline)
{
    gw_sim_pass(of(t)->sim, deadline);
    gw_sim_note(of(t)->sim, t);
}

/* ---- to the core ---- */

/* Lets time pass until the core has taken what was sent to |port|, or (|unless_halted|) has said
 * that it takes no more. */
static void await_taken(op2p_transport *o, unsigned port, bool unless_halted)
{
    gw_sim *sim = o->sim;
    int64_t until_ps = sim->now_ps + TAKEN_PS, step_ps = GW_SIM_PS_A_NS * 200;
    translate(o);
    while (gw_sim_untaken(sim, port) > 0 && !(unless_halted && o->halted) &&
           sim->now_ps < until_ps && gw_sim_is_there(sim)) {
        int64_t before_ps = sim->now_ps;
        gw_sim_run(sim, sim->now_ps + step_ps, false);
        translate(o);
        if (sim->now_ps == before_ps)
            return; /* goldwire was told to stop */
    }
}

/* What happens beside frames has its place among them: those before it are past then, and it is
 * over before those that follow. */
static void send_event(op2p_transport *o, uint8_t kind, uint8_t code)
{
    const uint8_t event[WORD] = {kind, code};
    await_taken(o, o->port, true);
    if (kind == GW_SIM_EVENT_CHANNEL)
        o->halted = false;
    gw_sim_write(o->sim, o->port + 1, event, sizeof(event));
    await_taken(o, o->port + 1, false);
}

/* Sends the first |words| of those in |o|->chunk, and lets the link be without any of them for the
 * gap that |code| tells: a chunk's end is no frame's. */
static void send_before_gap(op2p_transport *o, uint8_t flags, uint8_t code, size_t words)
{
    const uint8_t halt[WORD] = {GW_SIM_EVENT_FLOW, GW_OP2P_XOFF};
    gw_sim_write(o->sim, o->port, o->chunk, words * BESIDE);
    await_taken(o, o->port, true);
    if ((flags & GW_OP2P_FLAG_HALT_INSIDE) != 0) {
        gw_sim_write(o->sim, o->port + 1, halt, sizeof(halt));
        await_taken(o, o->port + 1, false);
    }
    gw_sim_run(o->sim, o->sim->now_ps + (BEAT_PS << (code & 15)), true);
}

/* A frame as words. One that is damaged is so in its last word; one that is not whole there has a
 * remainder. */
static void send_frame(op2p_transport *o, uint8_t flags, uint8_t code, const uint8_t *pdu,
                       size_t len)
{
    size_t num = (len + WORD - 1) / WORD;
    uint8_t *to = o->chunk;
    if (num == 0 || num * BESIDE > sizeof(o->chunk))
        return;
    for (size_t i = 0; i < num; i++, to += BESIDE) {
        size_t left = len - i * WORD < WORD ? len - i * WORD : WORD;
        for (size_t k = 0; k < WORD; k++)
            to[WORD - 1 - k] = k < left ? pdu[i * WORD + k] : 0;
        unsigned rem = left - 1;
        unsigned beside = i == 0 ? GW_SIM_WORD_SOF : 0;
        if (i + 1 == num) {
            rem -= (flags & GW_OP2P_FLAG_PAD) != 0 && left == WORD;
            beside |= GW_SIM_WORD_EOF;
            beside |= (flags & GW_OP2P_FLAG_SOFT_ERROR) != 0 ? GW_SIM_WORD_SOFT_ERROR : 0u;
            beside |= (flags & GW_OP2P_FLAG_FRAME_ERROR) != 0 ? GW_SIM_WORD_FRAME_ERROR : 0u;
        }
        to[WORD] = (uint8_t)(beside | rem << GW_SIM_WORD_REM_SHIFT);
    }
    size_t before = (size_t)code >> 4 < num ? (size_t)code >> 4 : 0;
    if (before > 0)
        send_before_gap(o, flags, code, before);
    gw_sim_write(o->sim, o->port, o->chunk + before * BESIDE, (num - before) * BESIDE);
}

static bool op2p_send(gw_transport *t, const uint8_t *data, size_t len)
{
    op2p_transport *o = of(t);
    if (len > t->carries) {
        t->too_long = true;
        (void)snprintf(t->error, sizeof(t->error), "%zu bytes, and the link takes %zu at most", len,
                       t->carries);
        return false;
    }
    gw_sim_note(o->sim, t);
    if (t->unreachable)
        return false;
    bool bare = !gw_op2p_is_tunnel(data, len);
    if (bare)
        send_frame(o, 0, 0, data, len);
    else if (data[3] == GW_OP2P_KIND_PDU)
        send_frame(o, data[4], data[5], data + GW_OP2P_SHIM, len - GW_OP2P_SHIM);
    else
        send_event(o, data[3], data[5]);
    gw_sim_note(o->sim, t);
    return !t->unreachable;
}

/* ---- open and close ---- */

static void op2p_close(gw_transport *t)
{
    op2p_transport *o = of(t);
    gw_sim *sim = o->sim;
    gw_sim_leave(sim, o->port, &o->words);
    gw_sim_leave(sim, o->port + 1, &o->events);
    free(o->out.bytes);
    free(o);
    gw_sim_unref(sim);
}

static const gw_transport_ops op2p_ops = {
    .now = op2p_now, .send = op2p_send, .recv = op2p_recv, .wait = op2p_wait, .close = op2p_close};

static bool join(op2p_transport *o, gw_sim *sim, unsigned port, char *why, size_t why_cap)
{
    if (gw_sim_lacks_events(sim, port)) {
        (void)snprintf(why, why_cap, "the testbench has no port %u for the events of the link %u",
                       port + 1, port);
        return false;
    }
    o->out.bytes = malloc(GW_SIM_QUEUE);
    if (o->out.bytes == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return false;
    }
    if (!gw_sim_join(sim, port, &o->words, why, why_cap))
        return false;
    if (gw_sim_join(sim, port + 1, &o->events, why, why_cap))
        return true;
    gw_sim_leave(sim, port, &o->words);
    return false;
}

gw_transport *gw_sim_open_words(gw_sim *sim, unsigned port, const gw_endpoint *local,
                                const gw_endpoint *remote, char *why, size_t why_cap)
{
    op2p_transport *o = calloc(1, sizeof(*o));
    if (o == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    if (!join(o, sim, port, why, why_cap)) {
        free(o->out.bytes);
        free(o);
        return NULL;
    }
    o->t = (gw_transport){
        .ops = &op2p_ops, .local = *local, .remote = *remote, .carries = DATAGRAM_MAX};
    o->sim = sim;
    o->port = port;
    sim->refs++;
    return &o->t;
}

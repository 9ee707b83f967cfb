/* SPDX-License-Identifier: BSD-2-Clause */
/* A byte stream over frames: a TCP connection of our own, so that a kernel knows nothing of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/cursor.h"
#include "harness/raw.h"
#include "harness/stop.h"
#include "harness/tcb.h"

#define PATIENCE_NS INT64_C(5000000000) /* for a board that takes no bytes, as over sockets */
#define FAREWELL_NS INT64_C(200000000)  /* for the other side's FIN behind ours */
#define BABBLE 4096                     /* frames that are taken once the time is up */

typedef struct raw_tcp {
    gw_transport t;
    gw_transport *station;
    gw_tcb tcb;
    unsigned number;  /* of the frame that brought what is read next, and ... */
    int64_t stamp_ns; /* ... when it came */
    bool brought;     /* the frame being taken up brings bytes */
    uint8_t fresh[GW_TCB_ROOM];
} raw_tcp;

static raw_tcp *of(gw_transport *t)
{
    return (raw_tcp *)t;
}

static int64_t tcp_now(gw_transport *t)
{
    return of(t)->station->ops->now(of(t)->station);
}

static void send_segment(void *arg, const gw_tcp_segment *segment)
{
    raw_tcp *w = arg;
    gw_raw_send_segment(w->station, segment);
}

static bool take_segment(void *arg, const gw_net *net, gw_cursor *fresh)
{
    raw_tcp *w = arg;
    gw_tcp_segment s = {.seq = net->tcp_seq,
                        .ack = net->tcp_ack,
                        .flags = net->tcp_flags,
                        .window = net->tcp_window,
                        .mss = net->tcp_mss,
                        .data = net->payload.p,
                        .len = (size_t)(net->payload.end - net->payload.p)};
    size_t len = gw_tcb_hear(&w->tcb, &s, tcp_now(&w->t));
    gw_tcb_peek(&w->tcb, w->fresh, len);
    *fresh = gw_cursor_over(w->fresh, len);
    w->brought = len > 0;
    return w->brought;
}

/* Takes one frame until |deadline|, and does what is due. False when none came until then, or
 * somebody interrupts. */
static bool step(raw_tcp *w, int64_t deadline)
{
    int64_t due = gw_tcb_run(&w->tcb, tcp_now(&w->t));
    int64_t until = due < deadline ? due : deadline;
    int64_t stamp_ns = 0;
    w->brought = false;
    gw_recv_status status = gw_raw_recv_frame(w->station, until, &stamp_ns);
    if (status == GW_RECV_DATA && w->brought) {
        w->number = w->t.raw->last.number;
        w->stamp_ns = stamp_ns;
    }
    (void)gw_tcb_run(&w->tcb, tcp_now(&w->t));
    memcpy(w->t.error, w->station->error, sizeof(w->t.error));
    return status == GW_RECV_DATA ||
           (status == GW_RECV_TIMEOUT && until < deadline && tcp_now(&w->t) >= until);
}

static bool is_over(const raw_tcp *w)
{
    return w->tcb.state >= GW_TCB_OVER;
}

static bool tcp_send(gw_transport *t, const uint8_t *data, size_t len)
{
    raw_tcp *w = of(t);
    int64_t patience = tcp_now(t) + PATIENCE_NS;
    while (len > 0 && !is_over(w)) {
        size_t taken = gw_tcb_write(&w->tcb, data, len);
        data += taken;
        len -= taken;
        (void)gw_tcb_run(&w->tcb, tcp_now(t));
        if (taken > 0)
            patience = tcp_now(t) + PATIENCE_NS;
        else if (!step(w, patience))
            break;
    }
    if (len > 0)
        (void)snprintf(t->error, sizeof(t->error), "send: %s",
                       is_over(w) ? "the connection is over" : "the other side takes no bytes");
    return len == 0;
}

static gw_recv_status ended(raw_tcp *w)
{
    if (w->tcb.state != GW_TCB_DEAD)
        return GW_RECV_CLOSED;
    w->t.unreachable = true;
    (void)snprintf(w->t.error, sizeof(w->t.error), "the other side acknowledges nothing any more");
    return GW_RECV_ERROR;
}

static gw_recv_status tcp_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                               int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    raw_tcp *w = of(t);
    for (unsigned babble = 0; babble < BABBLE; babble++) {
        *len = gw_tcb_read(&w->tcb, buf, cap);
        if (*len > 0)
            break;
        if (w->tcb.they_ended || is_over(w))
            return ended(w);
        if (!step(w, deadline))
            return GW_RECV_TIMEOUT;
        if (tcp_now(t) < deadline)
            babble = 0;
    }
    if (*len == 0)
        return GW_RECV_TIMEOUT;
    (void)gw_tcb_run(&w->tcb, tcp_now(t));
    t->raw->last.number = w->number;
    if (stamp_ns != NULL)
        *stamp_ns = w->stamp_ns;
    if (from != NULL)
        *from = t->remote;
    return GW_RECV_DATA;
}

static void tcp_wait(gw_transport *t, int64_t deadline)
{
    while (step(of(t), deadline))
        if (tcp_now(t) >= deadline)
            return;
}

static void tcp_close(gw_transport *t)
{
    raw_tcp *w = of(t);
    int64_t deadline = tcp_now(t) + FAREWELL_NS;
    gw_tcb_close(&w->tcb);
    while (!is_over(w) && !gw_stopped() && step(w, deadline))
        if (tcp_now(t) >= deadline)
            break;
    gw_tcb_reset(&w->tcb); /* of one that is over nothing is sent */
    gw_transport_close(w->station);
    free(w);
}

static const gw_transport_ops tcp_ops = {
    .now = tcp_now,
    .send = tcp_send,
    .recv = tcp_recv,
    .wait = tcp_wait,
    .close = tcp_close,
};

/* Whether the other side answers our call. */
static bool dial(raw_tcp *w, int64_t timeout_ns, char *why, size_t why_cap)
{
    int64_t now = tcp_now(&w->t);
    int64_t deadline = now + timeout_ns;
    gw_tcb_call(&w->tcb, send_segment, w, (uint32_t)(now / 4000), now);
    while (w->tcb.state == GW_TCB_CALLS && step(w, deadline))
        if (tcp_now(&w->t) >= deadline)
            break;
    if (w->tcb.state == GW_TCB_OPEN)
        return true;
    (void)snprintf(why, why_cap, "%s",
                   w->tcb.state == GW_TCB_RESET ? "the connection is refused"
                   : w->t.raw->unanswered       ? "nobody answers for the board's address"
                                                : "no answer to a call over TCP");
    return false;
}

gw_transport *gw_raw_tcp_over(gw_transport *station, int64_t timeout_ns, bool *unreachable,
                              char *why, size_t why_cap)
{
    *unreachable = false;
    if (station == NULL)
        return NULL;
    raw_tcp *w = calloc(1, sizeof(*w));
    if (w == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        gw_transport_close(station);
        return NULL;
    }
    w->t = (gw_transport){.ops = &tcp_ops,
                          .local = station->local,
                          .remote = station->remote,
                          .stream = true,
                          .raw = station->raw};
    w->station = station;
    gw_raw_take_segments(station, take_segment, w);
    if (dial(w, timeout_ns, why, why_cap))
        return &w->t;
    *unreachable = true;
    gw_transport_close(station);
    free(w);
    return NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* A transport whose datagrams meet with impairments, in both directions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/impair.h"
#include "harness/transport.h"

/* One datagram in makes at most this many out: the one before, it, and it again. */
#define MAX_READY 3

/* What came with a datagram. */
typedef struct note {
    int64_t stamp_ns;
    gw_endpoint from;
} note;

typedef struct ready {
    note note;
    size_t len;
    uint8_t bytes[GW_IMPAIR_MAX];
} ready;

typedef struct impaired {
    gw_transport t;
    gw_transport *inner;
    gw_impair out;
    gw_impair in;
    bool sent; /* the last send went well */
    unsigned num_ready;
    ready queue[MAX_READY];
    uint8_t received[GW_IMPAIR_MAX];
} impaired;

static impaired *of(gw_transport *t)
{
    return (impaired *)t;
}

/* What the transport beneath says about itself is said of this one too. */
static void copy_state(impaired *w)
{
    const gw_transport *inner = w->inner;
    w->t.local = inner->local;
    w->t.remote = inner->remote;
    w->t.unreachable = inner->unreachable;
    memcpy(w->t.error, inner->error, sizeof(w->t.error));
}

static void pass_out(void *arg, const void *about, const uint8_t *data, size_t len)
{
    impaired *w = arg;
    (void)about;
    w->sent = w->inner->ops->send(w->inner, data, len) && w->sent;
}

static void pass_in(void *arg, const void *about, const uint8_t *data, size_t len)
{
    impaired *w = arg;
    if (w->num_ready == MAX_READY)
        return;
    ready *r = &w->queue[w->num_ready++];
    memcpy(&r->note, about, sizeof(r->note));
    if (len > 0)
        memcpy(r->bytes, data, len);
    r->len = len;
}

static int64_t impaired_now(gw_transport *t)
{
    return of(t)->inner->ops->now(of(t)->inner);
}

static bool impaired_send(gw_transport *t, const uint8_t *data, size_t len)
{
    impaired *w = of(t);
    w->sent = true;
    gw_impair_put(&w->out, "", 0, data, len);
    copy_state(w);
    return w->sent;
}

static size_t take_ready(impaired *w, uint8_t *buf, size_t cap, int64_t *stamp_ns,
                         gw_endpoint *from)
{
    const ready *r = &w->queue[0];
    size_t len = r->len < cap ? r->len : cap;
    memcpy(buf, r->bytes, len);
    if (stamp_ns != NULL)
        *stamp_ns = r->note.stamp_ns;
    if (from != NULL)
        *from = r->note.from;
    w->num_ready--;
    memmove(&w->queue[0], &w->queue[1], w->num_ready * sizeof(w->queue[0]));
    return len;
}

static gw_recv_status impaired_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                    int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    impaired *w = of(t);
    /* Whoever waits for an answer has nothing more to say that a datagram could wait for. */
    gw_impair_flush(&w->out);
    while (w->num_ready == 0) {
        note about = {0};
        size_t got = 0;
        int64_t until = deadline;
        int64_t quiet = impaired_now(t) + GW_IMPAIR_QUIET_NS;
        if (w->in.holds && quiet < until)
            until = quiet;
        gw_recv_status status = w->inner->ops->recv(w->inner, w->received, sizeof(w->received),
                                                    &got, until, &about.stamp_ns, &about.from);
        copy_state(w);
        if (status == GW_RECV_DATA)
            gw_impair_put(&w->in, &about, sizeof(about), w->received, got);
        else if (status == GW_RECV_TIMEOUT && w->in.holds)
            gw_impair_flush(&w->in);
        else
            return status;
    }
    *len = take_ready(w, buf, cap, stamp_ns, from);
    return GW_RECV_DATA;
}

static void impaired_wait(gw_transport *t, int64_t deadline)
{
    gw_impair_flush(&of(t)->out);
    of(t)->inner->ops->wait(of(t)->inner, deadline);
}

static void impaired_close(gw_transport *t)
{
    gw_transport_close(of(t)->inner);
    free(t);
}

static bool impaired_no_checksum(gw_transport *t, bool on)
{
    gw_transport *inner = of(t)->inner;
    return inner->ops->no_checksum != NULL && inner->ops->no_checksum(inner, on);
}

static const gw_transport_ops impaired_ops = {
    .now = impaired_now,
    .send = impaired_send,
    .recv = impaired_recv,
    .wait = impaired_wait,
    .close = impaired_close,
    .no_checksum = impaired_no_checksum,
};

gw_transport *gw_impair_transport(gw_transport *t, const gw_impairment *what, char *why,
                                  size_t why_cap)
{
    if (t == NULL || !gw_impairs(what))
        return t;
    impaired *w = t->stream ? NULL : calloc(1, sizeof(*w));
    if (w == NULL) {
        (void)snprintf(why, why_cap, "%s",
                       t->stream ? "a byte stream knows no lost or changed datagrams"
                                 : "out of memory");
        gw_transport_close(t);
        return NULL;
    }
    w->t.ops = &impaired_ops;
    w->inner = t;
    gw_impair_init(&w->out, what, 0, pass_out, w);
    gw_impair_init(&w->in, what, 1, pass_in, w);
    copy_state(w);
    return &w->t;
}

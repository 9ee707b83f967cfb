/* SPDX-License-Identifier: BSD-2-Clause */
/* A transport whose datagrams meet with impairments, in both directions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/impair.h"
#include "harness/transport.h"
#include "later.h"
#include "sockets.h"

/* What came with a datagram. */
typedef struct note {
    int64_t stamp_ns;
    int64_t came; /* by the transport's clock */
    gw_endpoint from;
} note;

typedef struct impaired {
    gw_transport t;
    gw_transport *inner;
    gw_later later; /* what is under way to the board goes on while we wait for something else */
    gw_impair out;
    gw_impair in;
    bool sent; /* the last send went well */
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
    w->t.too_long = inner->too_long;
    memcpy(w->t.error, inner->error, sizeof(w->t.error));
}

static void pass_out(void *arg, const void *about, const uint8_t *data, size_t len)
{
    impaired *w = arg;
    (void)about;
    w->sent = w->inner->ops->send(w->inner, data, len) && w->sent;
}

static int64_t out_due(void *arg)
{
    const impaired *w = arg;
    return gw_impair_next(&w->out);
}

static void out_run(void *arg, int64_t now)
{
    impaired *w = arg;
    gw_impair_run(&w->out, now);
}

static int64_t impaired_now(gw_transport *t)
{
    return of(t)->inner->ops->now(of(t)->inner);
}

static bool impaired_send(gw_transport *t, const uint8_t *data, size_t len)
{
    impaired *w = of(t);
    if (gw_sockets_refuse(t, len))
        return false;
    w->sent = true;
    gw_impair_put(&w->out, impaired_now(t), "", 0, data, len);
    copy_state(w);
    return w->sent;
}

/* Hands out what is due of what came. */
static bool take(impaired *w, uint8_t *buf, size_t cap, size_t *len, int64_t *stamp_ns,
                 gw_endpoint *from)
{
    int64_t now = impaired_now(&w->t);
    gw_impair_item *item = gw_impair_pop(&w->in, now);
    if (item == NULL)
        return false;
    note about;
    memcpy(&about, item->note, sizeof(about));
    *len = item->len < cap ? item->len : cap;
    memcpy(buf, item->bytes, *len);
    if (stamp_ns != NULL)
        *stamp_ns = about.stamp_ns + (item->due - about.came);
    if (from != NULL)
        *from = about.from;
    free(item);
    return true;
}

static int64_t first_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static gw_recv_status impaired_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                    int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    impaired *w = of(t);
    for (;;) {
        note about = {0};
        size_t got = 0;
        gw_impair_run(&w->out, impaired_now(t));
        if (take(w, buf, cap, len, stamp_ns, from))
            return GW_RECV_DATA;
        int64_t due = first_of(gw_impair_next(&w->out), gw_impair_next(&w->in));
        gw_recv_status status =
            w->inner->ops->recv(w->inner, w->received, sizeof(w->received), &got,
                                first_of(due, deadline), &about.stamp_ns, &about.from);
        copy_state(w);
        if (status == GW_RECV_DATA) {
            about.came = impaired_now(t);
            gw_impair_put(&w->in, about.came, &about, sizeof(about), w->received, got);
        } else if (status != GW_RECV_TIMEOUT) {
            return status;
        } else if (deadline <= due || impaired_now(t) < due) { /* the latter: interrupted */
            return take(w, buf, cap, len, stamp_ns, from) ? GW_RECV_DATA : status;
        }
    }
}

static void impaired_wait(gw_transport *t, int64_t deadline)
{
    impaired *w = of(t);
    int64_t due = gw_impair_next(&w->out);
    while (due <= deadline) {
        w->inner->ops->wait(w->inner, due);
        if (impaired_now(t) < due)
            return; /* interrupted */
        gw_impair_run(&w->out, due);
        due = gw_impair_next(&w->out);
    }
    w->inner->ops->wait(w->inner, deadline);
}

static void impaired_close(gw_transport *t)
{
    impaired *w = of(t);
    gw_later_remove(&w->later);
    gw_impair_flush(&w->out); /* what was sent arrives, if early */
    gw_impair_end(&w->in);
    gw_transport_close(w->inner);
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

static size_t least(size_t a, size_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

gw_transport *gw_impair_transport(gw_transport *t, const gw_impairment *what, bool frames,
                                  char *why, size_t why_cap)
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
    gw_impair_kind kind = frames                              ? GW_IMPAIR_FRAMES
                          : t->local.family == GW_FAMILY_IPV6 ? GW_IMPAIR_UDP6
                                                              : GW_IMPAIR_UDP4;
    w->t.ops = &impaired_ops;
    w->inner = t;
    gw_impair_init(&w->out, what, 0, pass_out, w);
    gw_impair_init(&w->in, what, 1, NULL, NULL);
    w->out.kind = w->in.kind = kind;
    w->out.begun_ns = w->in.begun_ns = impaired_now(&w->t);
    w->t.carries = least(t->carries, gw_impair_carries(what, kind));
    copy_state(w);
    w->later = (gw_later){.due = out_due, .run = out_run, .arg = w};
    if (t->ops->now == gw_sockets_now)
        gw_later_add(&w->later);
    return &w->t;
}

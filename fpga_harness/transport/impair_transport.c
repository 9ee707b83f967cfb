/* SPDX-License-Identifier: BSD-2-Clause */
/* A transport whose datagrams, frames or bytes meet with impairments, in both directions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/impair.h"
#include "harness/socket.h"
#include "harness/transport.h"
#include "harness/vlan.h"
#include "later.h"
#include "sockets.h"

#define STREAM_ROOM (GW_IMPAIR_ROOM / 2) /* bytes of a stream under way */

/* What came with a datagram. */
typedef struct note {
    int64_t stamp_ns;
    int64_t came; /* by the transport's clock */
    gw_endpoint from;
    bool end; /* of a stream: nothing came but its end */
} note;

typedef struct impaired {
    gw_transport t;
    gw_transport *inner;
    gw_later later; /* what is under way to the board goes on while we wait for something else */
    gw_impair out;
    gw_impair in;
    bool sent; /* the last send went well */
    /* Of a stream: */
    int64_t behind_out; /* when its last bytes are due, in each direction ... */
    int64_t behind_in;
    gw_impair_item *open; /* what was handed out in part, ... */
    size_t used;          /* ... and how much of it */
    bool ended;           /* its end is under way, ... */
    bool over;            /* ... or has come */
    bool serves;          /* one caller after the other */
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

/* A stream waits where datagrams get lost: as long as nothing of it arrives, no more is taken. */
static void make_room(impaired *w)
{
    int64_t due = gw_impair_next(&w->out);
    while (w->t.stream && w->out.used > STREAM_ROOM && due != GW_IMPAIR_NEVER) {
        w->inner->ops->wait(w->inner, due);
        if (impaired_now(&w->t) < due)
            return; /* interrupted */
        gw_impair_run(&w->out, due);
        due = gw_impair_next(&w->out);
    }
}

static bool impaired_send(gw_transport *t, const uint8_t *data, size_t len)
{
    impaired *w = of(t);
    bool frames = w->out.kind == GW_IMPAIR_FRAMES;
    if (!t->stream && gw_sockets_refuse(t, frames ? gw_vlan_counted(data, len) : len))
        return false;
    w->sent = true;
    make_room(w);
    if (!t->stream)
        gw_impair_put(&w->out, impaired_now(t), "", 0, data, len);
    /* A stream of which no more arrives is silent. */
    else if (len > 0)
        (void)!gw_impair_put_stream(&w->out, impaired_now(t), "", 0, data, len, &w->behind_out);
    gw_impair_run(&w->out, impaired_now(t));
    copy_state(w);
    return w->sent;
}

/* A connection has come to its end: the next one, of who is served, begins anew. */
static void end_stream(impaired *w)
{
    gw_impair_flush(&w->out);
    w->behind_out = w->behind_in = 0;
    w->ended = false;
    w->over = !w->serves;
}

/* Hands out what is due of what came, of a stream as much as fits; GW_RECV_TIMEOUT: nothing is. */
static gw_recv_status take(impaired *w, uint8_t *buf, size_t cap, size_t *len, int64_t *stamp_ns,
                           gw_endpoint *from)
{
    gw_impair_item *item = w->open != NULL ? w->open : gw_impair_pop(&w->in, impaired_now(&w->t));
    if (item == NULL)
        return GW_RECV_TIMEOUT;
    note about;
    memcpy(&about, item->note, sizeof(about));
    size_t left = item->len - w->used;
    *len = left < cap ? left : cap;
    memcpy(buf, item->bytes + w->used, *len);
    if (stamp_ns != NULL)
        *stamp_ns = about.stamp_ns + (item->due - about.came);
    if (from != NULL)
        *from = about.from;
    bool more = w->t.stream && *len < left;
    w->used = more ? w->used + *len : 0;
    w->open = more ? item : NULL;
    if (!more)
        free(item);
    if (about.end)
        end_stream(w);
    return about.end ? GW_RECV_CLOSED : GW_RECV_DATA;
}

static int64_t first_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* When what has just been received, and |stamp_ns| is about, came: nobody may have listened then.
 */
static int64_t came_at(impaired *w, int64_t stamp_ns)
{
    int64_t now = impaired_now(&w->t);
    int64_t age = gw_clock_ns(CLOCK_REALTIME) - stamp_ns;
    bool told = w->inner->ops->now == gw_sockets_now && age > 0 && age < now - w->in.begun_ns;
    return told ? now - age : now;
}

/* Puts what came on its way to us. */
static void put_in(impaired *w, note *about, size_t len)
{
    about->came = came_at(w, about->stamp_ns);
    if (!w->t.stream)
        gw_impair_put(&w->in, about->came, about, sizeof(*about), w->received, len);
    else
        (void)!gw_impair_put_stream(&w->in, about->came, about, sizeof(*about), w->received, len,
                                    &w->behind_in);
    w->ended = about->end;
}

/* What the transport beneath has to say until |deadline|: behind the end of a stream, nothing. */
static gw_recv_status hear(impaired *w, int64_t deadline, note *about, size_t *len)
{
    gw_transport *inner = w->inner;
    *len = 0;
    if (w->ended || w->in.used > STREAM_ROOM) {
        inner->ops->wait(inner, deadline);
        return GW_RECV_TIMEOUT;
    }
    gw_recv_status status = inner->ops->recv(inner, w->received, sizeof(w->received), len, deadline,
                                             &about->stamp_ns, &about->from);
    about->end = status == GW_RECV_CLOSED;
    return status;
}

static gw_recv_status impaired_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                    int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    impaired *w = of(t);
    for (;;) {
        note about = {0};
        size_t got = 0;
        gw_impair_run(&w->out, impaired_now(t));
        if (w->over)
            return GW_RECV_CLOSED;
        gw_recv_status taken = take(w, buf, cap, len, stamp_ns, from);
        if (taken != GW_RECV_TIMEOUT)
            return taken;
        int64_t due = first_of(gw_impair_next(&w->out), gw_impair_next(&w->in));
        gw_recv_status status = hear(w, first_of(due, deadline), &about, &got);
        copy_state(w);
        if (status == GW_RECV_DATA || (status == GW_RECV_CLOSED && t->stream))
            put_in(w, &about, got);
        else if (status != GW_RECV_TIMEOUT)
            return status;
        else if (deadline <= due || impaired_now(t) < due) /* the latter: interrupted */
            return take(w, buf, cap, len, stamp_ns, from);
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
    free(w->open);
    gw_transport_close(w->inner);
    free(t);
}

static bool impaired_no_checksum(gw_transport *t, bool on)
{
    gw_transport *inner = of(t)->inner;
    return inner->ops->no_checksum != NULL && inner->ops->no_checksum(inner, on);
}

/* Another sender's datagrams are not what is impaired. */
static bool impaired_send_as_other(gw_transport *t, const uint8_t *data, size_t len,
                                   gw_endpoint *from)
{
    impaired *w = of(t);
    gw_transport *inner = w->inner;
    bool sent =
        inner->ops->send_as_other != NULL && inner->ops->send_as_other(inner, data, len, from);
    copy_state(w);
    return sent;
}

static const gw_transport_ops impaired_ops = {
    .now = impaired_now,
    .send = impaired_send,
    .recv = impaired_recv,
    .wait = impaired_wait,
    .close = impaired_close,
    .no_checksum = impaired_no_checksum,
    .send_as_other = impaired_send_as_other,
};

static size_t least(size_t a, size_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

static gw_impair_kind kind_of(const gw_transport *t, bool frames)
{
    if (frames)
        return GW_IMPAIR_FRAMES;
    return t->local.family == GW_FAMILY_IPV6 ? GW_IMPAIR_UDP6 : GW_IMPAIR_UDP4;
}

gw_transport *gw_impair_transport(gw_transport *t, const gw_impairment *what, bool frames,
                                  char *why, size_t why_cap)
{
    if (t == NULL || !gw_impairs(what))
        return t;
    impaired *w = calloc(1, sizeof(*w));
    if (w == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        gw_transport_close(t);
        return NULL;
    }
    w->t.ops = &impaired_ops;
    w->t.stream = t->stream;
    w->inner = t;
    gw_impair_init(&w->out, what, 0, pass_out, w);
    gw_impair_init(&w->in, what, 1, NULL, NULL);
    w->out.kind = w->in.kind = kind_of(t, frames);
    w->out.begun_ns = w->in.begun_ns = impaired_now(&w->t);
    if (!t->stream)
        w->t.carries = least(t->carries, gw_impair_carries(what, w->out.kind));
    copy_state(w);
    w->serves = t->remote.family == GW_FAMILY_NONE;
    w->later = (gw_later){.due = out_due, .run = out_run, .arg = w};
    if (t->ops->now == gw_sockets_now)
        gw_later_add(&w->later);
    return &w->t;
}

bool gw_impair_connect(gw_transport *t, int64_t timeout_ns)
{
    if (t->ops != &impaired_ops)
        return true;
    impaired *w = of(t);
    int64_t now = impaired_now(t);
    int64_t takes = gw_impair_handshake(&w->out, &w->in, now);
    w->inner->ops->wait(w->inner, now + (takes < timeout_ns ? takes : timeout_ns));
    return takes <= timeout_ns;
}

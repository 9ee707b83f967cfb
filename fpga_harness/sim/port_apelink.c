/* SPDX-License-Identifier: BSD-2-Clause */
/* An APElink of a simulated board: the beats of a link as bytes of a stream, least significant byte
 * first, as a bridge hands them on, and as words of 128 bits with one flag at the port. The flag is
 * the last of Aurora's framing interface, which link control ties to 0: it is sent so, and what
 * comes is left to the port to look at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/textarossa.h"
#include "harness/sim.h"

enum {
    WORD = GW_TX_WORD,
    CARRIED = WORD + 1,  /* a word and its flag */
    CHUNK = 256,         /* words that go to the port together */
    HEARD = 1024 * WORD, /* bytes from the core at a time */
};

typedef struct apelink {
    gw_transport t;
    gw_transport *port; /* of words */
    uint8_t out[CHUNK * CARRIED];
    size_t out_len; /* bytes; the last ones may be a part of a word */
    uint8_t in[CARRIED * HEARD / WORD];
    size_t in_len;    /* bytes without flags */
    size_t in_next;   /* that nobody has received yet */
    int64_t stamp_ns; /* of them */
} apelink;

static apelink *link_of(gw_transport *t)
{
    return (apelink *)t;
}

static void note_port(gw_transport *t)
{
    const gw_transport *port = link_of(t)->port;
    t->unreachable = port->unreachable;
    memcpy(t->error, port->error, sizeof(t->error));
}

static int64_t now(gw_transport *t)
{
    gw_transport *port = link_of(t)->port;
    return port->ops->now(port);
}

static void wait(gw_transport *t, int64_t deadline)
{
    gw_transport *port = link_of(t)->port;
    port->ops->wait(port, deadline);
    note_port(t);
}

/* Sends the words that are whole; what is left of one waits for the rest. */
static bool flush(apelink *l)
{
    size_t rest = l->out_len % CARRIED;
    size_t whole = l->out_len - rest;
    bool ok = whole == 0 || l->port->ops->send(l->port, l->out, whole);
    memmove(l->out, l->out + whole, rest);
    l->out_len = rest;
    note_port(&l->t);
    return ok;
}

static bool send(gw_transport *t, const uint8_t *data, size_t len)
{
    apelink *l = link_of(t);
    for (size_t i = 0; i < len; i++) {
        l->out[l->out_len++] = data[i];
        if (l->out_len % CARRIED == WORD)
            l->out[l->out_len++] = 0; /* the flag */
        if (l->out_len == sizeof(l->out) && !flush(l))
            return false;
    }
    return flush(l);
}

/* Takes the flags away. */
static void strip(apelink *l, size_t len)
{
    l->in_len = l->in_next = 0;
    for (size_t at = 0; at + CARRIED <= len; at += CARRIED) {
        memmove(l->in + l->in_len, l->in + at, WORD);
        l->in_len += WORD;
    }
}

static gw_recv_status recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len, int64_t deadline,
                           int64_t *stamp_ns, gw_endpoint *from)
{
    apelink *l = link_of(t);
    while (l->in_next == l->in_len) {
        size_t got = 0;
        gw_recv_status status =
            l->port->ops->recv(l->port, l->in, sizeof(l->in), &got, deadline, &l->stamp_ns, NULL);
        note_port(t);
        if (status != GW_RECV_DATA)
            return status;
        strip(l, got);
    }
    *len = l->in_len - l->in_next < cap ? l->in_len - l->in_next : cap;
    memcpy(buf, l->in + l->in_next, *len);
    l->in_next += *len;
    if (stamp_ns != NULL)
        *stamp_ns = l->stamp_ns;
    if (from != NULL)
        *from = t->remote;
    return GW_RECV_DATA;
}

static void close_link(gw_transport *t)
{
    gw_transport *port = link_of(t)->port;
    port->ops->close(port);
    free(t);
}

static const gw_transport_ops ops = {
    .now = now, .send = send, .recv = recv, .wait = wait, .close = close_link};

gw_transport *gw_sim_apelink(gw_transport *port, char *why, size_t why_cap)
{
    apelink *l = calloc(1, sizeof(*l));
    if (l == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        port->ops->close(port);
        return NULL;
    }
    l->t =
        (gw_transport){.ops = &ops, .local = port->local, .remote = port->remote, .stream = true};
    l->port = port;
    return &l->t;
}

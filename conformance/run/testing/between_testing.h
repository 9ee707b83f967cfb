/* SPDX-License-Identifier: BSD-2-Clause */
/* A path to a board that a test has laid over another one, to do to messages what it pleases. */
#ifndef GOLDWIRE_RUN_TESTING_BETWEEN_TESTING_H
#define GOLDWIRE_RUN_TESTING_BETWEEN_TESTING_H

#include <stdlib.h>

#include "run/run.h"

typedef struct between_connection between_connection;

/* between is such a way; |target| has to stay its first member. What is NULL lets through. */
typedef struct between {
    gw_target target;
    gw_target *inner;
    bool (*send)(between_connection *conn, const uint8_t *data, size_t len);
    gw_recv_status (*recv)(between_connection *conn, uint8_t *buf, size_t cap, size_t *len,
                           int64_t deadline, int64_t *stamp_ns, gw_endpoint *from);
    void (*wait)(between_connection *conn, int64_t deadline);
    void (*close)(between_connection *conn); /* told before |conn| is closed */
    void *arg;                               /* the test's own */
} between;

/* between_connection is one of its connections. */
struct between_connection {
    gw_transport t; /* first */
    gw_transport *inner;
    between *way;
    unsigned link;
};

static inline int64_t between_now(gw_transport *t)
{
    gw_transport *inner = ((between_connection *)t)->inner;
    return inner->ops->now(inner);
}

static inline bool between_send(gw_transport *t, const uint8_t *data, size_t len)
{
    between_connection *conn = (between_connection *)t;
    if (conn->way->send != NULL)
        return conn->way->send(conn, data, len);
    return conn->inner->ops->send(conn->inner, data, len);
}

static inline gw_recv_status between_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                          int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    between_connection *conn = (between_connection *)t;
    if (conn->way->recv != NULL)
        return conn->way->recv(conn, buf, cap, len, deadline, stamp_ns, from);
    return conn->inner->ops->recv(conn->inner, buf, cap, len, deadline, stamp_ns, from);
}

static inline void between_wait(gw_transport *t, int64_t deadline)
{
    between_connection *conn = (between_connection *)t;
    if (conn->way->wait != NULL)
        conn->way->wait(conn, deadline);
    else
        conn->inner->ops->wait(conn->inner, deadline);
}

static inline void between_close(gw_transport *t)
{
    between_connection *conn = (between_connection *)t;
    if (conn->way->close != NULL)
        conn->way->close(conn);
    gw_transport_close(conn->inner);
    free(conn);
}

static inline gw_transport *between_open(gw_target *target, unsigned link, int64_t timeout_ns,
                                         bool *unreachable, char *why, size_t why_cap)
{
    static const gw_transport_ops ops = {.now = between_now,
                                         .send = between_send,
                                         .recv = between_recv,
                                         .wait = between_wait,
                                         .close = between_close};
    between *way = (between *)target;
    between_connection *conn = calloc(1, sizeof(*conn));
    if (conn == NULL)
        abort();
    conn->inner = way->inner->open(way->inner, link, timeout_ns, unreachable, why, why_cap);
    if (conn->inner == NULL)
        abort();
    conn->way = way;
    conn->link = link;
    conn->t = *conn->inner;
    conn->t.ops = &ops;
    return &conn->t;
}

static inline bool between_over(gw_target *target)
{
    const between *way = (const between *)target;
    return way->inner->over(way->inner);
}

/* between_lay lays |way| over |inner|, which cannot be restarted through it. */
static inline void between_lay(between *way, gw_target *inner)
{
    way->inner = inner;
    way->target = *inner;
    way->target.open = between_open;
    way->target.restart = NULL;
    if (inner->over != NULL)
        way->target.over = between_over;
}

#endif

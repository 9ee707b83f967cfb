/* SPDX-License-Identifier: BSD-2-Clause */
/* A path to a board on which what goes over some links takes longer than what goes over others. */
#ifndef GOLDWIRE_RUN_TESTING_LONG_WAY_TESTING_H
#define GOLDWIRE_RUN_TESTING_LONG_WAY_TESTING_H

#include <string.h>

#include "run/testing/between_testing.h"

#define LONG_WAY_HOLDS 4096
#define LONG_WAY_NS (3 * GW_MS)

typedef struct long_way {
    between way;   /* first */
    unsigned slow; /* bit i: link i is */
    unsigned num;
    struct {
        gw_transport *to;
        int64_t due;
        size_t len;
        uint8_t *data;
    } held[LONG_WAY_HOLDS];
} long_way;

static inline void long_way_deliver(long_way *way, int64_t now)
{
    unsigned at = 0;
    for (; at < way->num && way->held[at].due <= now; at++) {
        (void)way->held[at].to->ops->send(way->held[at].to, way->held[at].data, way->held[at].len);
        free(way->held[at].data);
    }
    way->num -= at;
    memmove(way->held, way->held + at, way->num * sizeof(way->held[0]));
}

static inline bool long_way_send(between_connection *conn, const uint8_t *data, size_t len)
{
    long_way *way = (long_way *)conn->way;
    int64_t now = conn->inner->ops->now(conn->inner);
    long_way_deliver(way, now);
    if ((way->slow >> conn->link & 1) == 0)
        return conn->inner->ops->send(conn->inner, data, len);
    uint8_t *copy = malloc(len + 1);
    if (way->num == LONG_WAY_HOLDS || copy == NULL)
        abort();
    memcpy(copy, data, len);
    way->held[way->num].to = conn->inner;
    way->held[way->num].due = now + LONG_WAY_NS;
    way->held[way->num].len = len;
    way->held[way->num++].data = copy;
    return true;
}

static inline gw_recv_status long_way_recv(between_connection *conn, uint8_t *buf, size_t cap,
                                           size_t *len, int64_t deadline, int64_t *stamp_ns,
                                           gw_endpoint *from)
{
    long_way *way = (long_way *)conn->way;
    gw_transport *t = conn->inner;
    for (;;) {
        bool first = way->num > 0 && way->held[0].due < deadline;
        gw_recv_status status =
            t->ops->recv(t, buf, cap, len, first ? way->held[0].due : deadline, stamp_ns, from);
        long_way_deliver(way, t->ops->now(t));
        if (status != GW_RECV_TIMEOUT || !first)
            return status;
    }
}

static inline void long_way_wait(between_connection *conn, int64_t deadline)
{
    long_way *way = (long_way *)conn->way;
    gw_transport *t = conn->inner;
    while (way->num > 0 && way->held[0].due < deadline) {
        t->ops->wait(t, way->held[0].due);
        long_way_deliver(way, t->ops->now(t));
    }
    t->ops->wait(t, deadline);
}

static inline void long_way_close(between_connection *conn)
{
    long_way_deliver((long_way *)conn->way, INT64_MAX);
}

/* long_way_lay lays |way| over |inner|, a board in memory that is treated like one that is not; the
 * links of |slow| are the long ones. */
static inline void long_way_lay(long_way *way, gw_target *inner, unsigned slow)
{
    *way = (long_way){.way = {.send = long_way_send,
                              .recv = long_way_recv,
                              .wait = long_way_wait,
                              .close = long_way_close},
                      .slow = slow};
    between_lay(&way->way, inner);
    way->way.target.virtual_time = false;
}

#endif

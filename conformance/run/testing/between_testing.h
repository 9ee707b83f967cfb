/* SPDX-License-Identifier: BSD-2-Clause */
/* A path to a board that a test has laid over another one, to do to messages what it pleases. */
#ifndef GOLDWIRE_RUN_TESTING_BETWEEN_TESTING_H
#define GOLDWIRE_RUN_TESTING_BETWEEN_TESTING_H

#include <stdlib.h>

#include "run/run.h"

typedef struct between_line between_line;

/* between is such a way; |target| has to stay its first member. What is NULL lets through. */
typedef struct between {
    gw_target target;
    gw_target *inner;
    bool (*send)(between_line *line, const uint8_t *data, size_t len);
    gw_recv_status (*recv)(between_line *line, uint8_t *buf, size_t cap, size_t *len,
                           int64_t deadline, int64_t *stamp_ns, gw_endpoint *from);
    void (*wait)(between_line *line, int64_t deadline);
    void (*close)(between_line *line); /* told before |line| is closed */
    void *arg;                         /* the test's own */
} between;

/* between_line is one of its lines. */
struct between_line {
    gw_transport t; /* first */
    gw_transport *inner;
    between *way;
    unsigned link;
};

static inline int64_t between_now(gw_transport *t)
{
    gw_transport *inner = ((between_line *)t)->inner;
    return inner->ops->now(inner);
}

static inline bool between_send(gw_transport *t, const uint8_t *data, size_t len)
{
    between_line *line = (between_line *)t;
    if (line->way->send != NULL)
        return line->way->send(line, data, len);
    return line->inner->ops->send(line->inner, data, len);
}

static inline gw_recv_status between_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                          int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    between_line *line = (between_line *)t;
    if (line->way->recv != NULL)
        return line->way->recv(line, buf, cap, len, deadline, stamp_ns, from);
    return line->inner->ops->recv(line->inner, buf, cap, len, deadline, stamp_ns, from);
}

static inline void between_wait(gw_transport *t, int64_t deadline)
{
    between_line *line = (between_line *)t;
    if (line->way->wait != NULL)
        line->way->wait(line, deadline);
    else
        line->inner->ops->wait(line->inner, deadline);
}

static inline void between_close(gw_transport *t)
{
    between_line *line = (between_line *)t;
    if (line->way->close != NULL)
        line->way->close(line);
    gw_transport_close(line->inner);
    free(line);
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
    between_line *line = calloc(1, sizeof(*line));
    if (line == NULL)
        abort();
    line->inner = way->inner->open(way->inner, link, timeout_ns, unreachable, why, why_cap);
    if (line->inner == NULL)
        abort();
    line->way = way;
    line->link = link;
    line->t = *line->inner;
    line->t.ops = &ops;
    return &line->t;
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

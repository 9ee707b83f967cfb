/* SPDX-License-Identifier: BSD-2-Clause */
/* A toy board and a toy suite for the tests of the runner. The board lives under virtual time and
 * knows single letters: p is answered P, k kills it, x is dropped, anything else is echoed. */
#ifndef GOLDWIRE_FAKE_TESTING_H
#define GOLDWIRE_FAKE_TESTING_H

#include <stdlib.h>
#include <string.h>

#include "goldwire/etherbone.h"
#include "runner/run.h"

typedef struct fake_board {
    gw_target target; /* first */
    int64_t now;
    bool dead;
    bool deaf;         /* never answers anything */
    bool refuses;      /* connections fail */
    unsigned lives;    /* how often k kills; after that it is immune */
    unsigned restarts; /* seen */
    unsigned opened;
    unsigned queued; /* answers that wait */
    uint8_t queue[16];
} fake_board;

typedef struct fake_transport {
    gw_transport t; /* first */
    fake_board *board;
} fake_transport;

static inline fake_board *board_behind(gw_transport *t)
{
    return ((fake_transport *)t)->board;
}

static inline int64_t fake_now(gw_transport *t)
{
    return board_behind(t)->now;
}

static inline bool fake_send(gw_transport *t, const uint8_t *data, size_t len)
{
    fake_board *b = board_behind(t);
    uint8_t c = len > 0 ? data[0] : 'x';
    if (c == 'k' && b->lives > 0) {
        b->lives--;
        b->dead = true;
    }
    bool answered = !b->dead && !b->deaf && c != 'x' && c != 'k';
    if (answered && b->queued < sizeof(b->queue))
        b->queue[b->queued++] = c == 'p' ? 'P' : c;
    return true;
}

static inline gw_recv_status fake_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                       int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    fake_board *b = board_behind(t);
    if (b->queued == 0 || cap == 0) {
        b->now = deadline > b->now ? deadline : b->now;
        return GW_RECV_TIMEOUT;
    }
    buf[0] = b->queue[0];
    *len = 1;
    *stamp_ns = b->now;
    *from = t->remote;
    memmove(b->queue, b->queue + 1, --b->queued);
    return GW_RECV_DATA;
}

static inline void fake_wait(gw_transport *t, int64_t deadline)
{
    board_behind(t)->now = deadline;
}

static inline void fake_close(gw_transport *t)
{
    free(t);
}

static const gw_transport_ops fake_ops = {
    .now = fake_now, .send = fake_send, .recv = fake_recv, .wait = fake_wait, .close = fake_close};

static inline gw_transport *fake_open(gw_target *target, unsigned link, int64_t timeout_ns,
                                      bool *unreachable, char *why, size_t why_cap)
{
    fake_board *b = (fake_board *)target;
    fake_transport *t = calloc(1, sizeof(*t));
    (void)link;
    (void)timeout_ns;
    *unreachable = b->refuses;
    if (t == NULL || b->refuses) {
        (void)snprintf(why, why_cap, "refused");
        free(t);
        return NULL;
    }
    b->opened++;
    t->t.ops = &fake_ops;
    t->t.local = (gw_endpoint){.ip = {127, 0, 0, 1}, .port = 40000, .family = GW_FAMILY_IPV4};
    t->t.remote = (gw_endpoint){.ip = {127, 0, 0, 2}, .port = 60368, .family = GW_FAMILY_IPV4};
    t->board = b;
    return &t->t;
}

static inline bool fake_restart(gw_target *target, char *why, size_t why_cap)
{
    fake_board *b = (fake_board *)target;
    (void)why;
    (void)why_cap;
    b->dead = false;
    b->restarts++;
    return true;
}

static inline fake_board new_fake_board(void)
{
    return (fake_board){.target = {.open = fake_open,
                                   .virtual_time = true,
                                   .links = {{.name = "", .present = true}},
                                   .num_links = 1}};
}

/* ---- the suite ---- */

static inline bool fake_exchange(gw_ctx *ctx, char c, int64_t timeout_ns)
{
    gw_packet packet;
    gw_line *line = gw_case_line(ctx);
    gw_case_send(ctx, line, &c, 1);
    return gw_case_recv(ctx, line, timeout_ns, &packet) == GW_RECV_DATA;
}

static inline bool fake_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    return fake_exchange(ctx, 'p', timeout_ns);
}

static inline bool fake_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    (void)ctx;
    (void)snprintf(why, why_cap, "the board has no %s", need);
    return false;
}

#endif

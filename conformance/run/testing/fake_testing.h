/* SPDX-License-Identifier: BSD-2-Clause */
/* A toy board and a toy suite for the tests of the runner. The board lives under virtual time and
 * knows single letters: p is answered P, k kills it, x is dropped, c closes the connection, b makes
 * it babble until it is reset, anything else is echoed. */
#ifndef GOLDWIRE_RUN_TESTING_FAKE_TESTING_H
#define GOLDWIRE_RUN_TESTING_FAKE_TESTING_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "goldwire/etherbone.h"
#include "run/run.h"

#define FAKE_BABBLE_NS 20000 /* between two packets of a board that babbles */

typedef struct fake_board {
    gw_target target; /* first */
    int64_t now;
    bool dead;
    bool deaf;    /* never answers anything */
    bool refuses; /* connections fail */
    bool hangs;   /* connections take all the time they are given, and fail */
    bool babbles; /* sends without being asked */
    bool restart_fails;
    bool send_fails;          /* with an error of ours */
    bool way_fails;           /* sends fail because the network is gone */
    bool knows_carrier;       /* the way tells when the cable is out */
    bool closed;              /* the connection, from the board's side */
    unsigned lives;           /* how often k kills; after that it is immune */
    unsigned broken_at;       /* opening number so many fails, and it is our fault; 0: none */
    unsigned unplugged_after; /* packets of ours; 0: never */
    unsigned interrupts_at;   /* the run, with so many packets of ours; 0: never */
    size_t carries;           /* bytes of a datagram at most; 0: any */
    int64_t boot_ns;          /* a dead board comes back by itself after this; 0: it does not */
    int64_t dead_at;
    int64_t late_ns;      /* answers take so long */
    uint8_t keeps;        /* this letter's answer comes in front of a later one, not to a p */
    bool kept;            /* there is such an answer */
    unsigned late_once;   /* only so many answers do; 0: all */
    uint8_t late_letter;  /* only this letter's answers do; 0: all */
    uint8_t loses;        /* this letter ... */
    unsigned loses_times; /* ... so often, or ... */
    unsigned loses_each;  /* ... each so-manieth time */
    unsigned lost_seen;
    int64_t stops_at;    /* from then on it hears nothing for ... */
    int64_t stops_ns;    /* ... so long; what comes meanwhile is lost */
    uint16_t sends_from; /* a port other than the one it is spoken to at; 0: that one */
    const char *revives; /* a file whose existence brings a dead board back */
    gw_claims shown;
    unsigned restarts; /* seen */
    unsigned opened;
    unsigned sent;
    unsigned queued; /* answers that wait */
    struct {
        uint8_t letter;
        unsigned opening; /* that it goes to */
        int64_t due;
    } queue[16];
} fake_board;

typedef struct fake_transport {
    gw_transport t; /* first */
    fake_board *board;
    unsigned opening; /* its number */
} fake_transport;

static inline fake_board *board_behind(gw_transport *t)
{
    return ((fake_transport *)t)->board;
}

static inline int64_t fake_now(gw_transport *t)
{
    return board_behind(t)->now;
}

static inline bool fake_unplugged(const fake_board *b)
{
    return b->unplugged_after > 0 && b->sent > b->unplugged_after;
}

/* A dead board may come back by itself, or because a hook has done something. */
static inline void fake_heal(fake_board *b)
{
    bool booted = b->boot_ns > 0 && b->now >= b->dead_at + b->boot_ns;
    bool revived = b->revives != NULL && access(b->revives, F_OK) == 0;
    if (b->dead && (booted || revived))
        b->dead = false;
}

static inline void fake_answer(fake_board *b, unsigned opening, uint8_t letter)
{
    bool late = b->late_ns > 0 && (b->late_letter == 0 || b->late_letter == letter);
    if (b->queued == GW_ARRAY_LEN(b->queue))
        return;
    b->queue[b->queued].letter = letter;
    b->queue[b->queued].opening = opening;
    b->queue[b->queued++].due = b->now + (late ? b->late_ns : 0);
    if (late && b->late_once > 0 && --b->late_once == 0)
        b->late_ns = 0;
}

static inline bool fake_loses(fake_board *b, uint8_t c)
{
    bool stopped = b->stops_ns > 0 && b->now >= b->stops_at && b->now < b->stops_at + b->stops_ns;
    if (c != b->loses || b->loses == 0)
        return stopped;
    if (b->loses_each > 0)
        return ++b->lost_seen % b->loses_each == 0;
    if (b->loses_times == 0)
        return stopped;
    b->loses_times--;
    return true;
}

static inline bool fake_send(gw_transport *t, const uint8_t *data, size_t len)
{
    fake_board *b = board_behind(t);
    uint8_t c = len > 0 ? data[0] : 'x';
    if (++b->sent == b->interrupts_at)
        (void)raise(SIGTERM);
    fake_heal(b);
    if (b->send_fails || b->way_fails) {
        t->unreachable = b->way_fails;
        (void)snprintf(t->error, sizeof(t->error), "%s",
                       b->way_fails ? "Network is unreachable" : "No buffer space");
        return false;
    }
    if (fake_loses(b, c))
        return true;
    if (c == 'k' && b->lives > 0) {
        b->lives--;
        b->dead = true;
        b->dead_at = b->now;
    }
    if (c == 'c' && !b->dead)
        b->closed = true;
    if (c == 'b')
        b->babbles = true;
    bool silent = b->dead || b->deaf || fake_unplugged(b);
    if (silent || c == 'x' || c == 'k' || c == 'c')
        return true;
    unsigned opening = ((fake_transport *)t)->opening;
    bool keeps = c == b->keeps && c != 0;
    if (b->kept && !keeps && c != 'p')
        fake_answer(b, opening, b->keeps);
    b->kept = keeps || (b->kept && c == 'p');
    if (!keeps)
        fake_answer(b, opening, c == 'p' ? 'P' : c);
    return true;
}

/* The answer to connection |opening| that is due first; |b|->queued when none is under way. */
static inline unsigned fake_first(const fake_board *b, unsigned opening)
{
    unsigned at = b->queued;
    for (unsigned i = 0; i < b->queued; i++)
        if (b->queue[i].opening == opening &&
            (at == b->queued || b->queue[i].due < b->queue[at].due))
            at = i;
    return at;
}

static inline void fake_unqueue(fake_board *b, unsigned at)
{
    memmove(b->queue + at, b->queue + at + 1, (--b->queued - at) * sizeof(b->queue[0]));
}

static inline gw_recv_status fake_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                       int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    fake_board *b = board_behind(t);
    unsigned opening = ((fake_transport *)t)->opening;
    unsigned at = fake_first(b, opening);
    if (b->closed && at == b->queued)
        return GW_RECV_CLOSED;
    if (b->babbles && !b->dead && at == b->queued && b->now < deadline) {
        b->now += FAKE_BABBLE_NS;
        fake_answer(b, opening, 'B');
        at = fake_first(b, opening);
    }
    if (at == b->queued || cap == 0 || b->queue[at].due > deadline) {
        b->now = deadline > b->now ? deadline : b->now;
        return GW_RECV_TIMEOUT;
    }
    b->now = b->queue[at].due > b->now ? b->queue[at].due : b->now;
    buf[0] = b->queue[at].letter;
    *len = 1;
    *stamp_ns = b->now;
    *from = t->remote;
    from->port = b->sends_from != 0 ? b->sends_from : from->port;
    fake_unqueue(b, at);
    return GW_RECV_DATA;
}

static inline void fake_wait(gw_transport *t, int64_t deadline)
{
    board_behind(t)->now = deadline;
}

/* What is still under way to a connection that is closed reaches nobody. */
static inline void fake_close(gw_transport *t)
{
    fake_board *b = board_behind(t);
    for (unsigned i = b->queued; i-- > 0;)
        if (b->queue[i].opening == ((fake_transport *)t)->opening)
            fake_unqueue(b, i);
    free(t);
}

static const gw_transport_ops fake_ops = {
    .now = fake_now, .send = fake_send, .recv = fake_recv, .wait = fake_wait, .close = fake_close};

static inline gw_transport *fake_open(gw_target *target, unsigned link, int64_t timeout_ns,
                                      bool *unreachable, char *why, size_t why_cap)
{
    fake_board *b = (fake_board *)target;
    fake_transport *t = calloc(1, sizeof(*t));
    bool ours = b->broken_at > 0 && b->opened + 1 == b->broken_at;
    *unreachable = !ours;
    if (b->hangs)
        b->now += timeout_ns;
    if (t == NULL || b->refuses || b->hangs || ours) {
        (void)snprintf(why, why_cap, "%s", ours ? "too many open files" : "refused");
        free(t);
        return NULL;
    }
    b->opened++;
    b->closed = false;
    t->t.ops = &fake_ops;
    t->t.stream = target->links[link].stream;
    t->t.carries = b->carries;
    t->t.local = (gw_endpoint){.ip = {127, 0, 0, 1}, .port = 40000, .family = GW_FAMILY_IPV4};
    t->t.remote = (gw_endpoint){.ip = {127, 0, 0, 2}, .port = 60368, .family = GW_FAMILY_IPV4};
    t->board = b;
    t->opening = b->opened;
    return &t->t;
}

static inline bool fake_restart(gw_target *target, char *why, size_t why_cap)
{
    fake_board *b = (fake_board *)target;
    (void)snprintf(why, why_cap, "fork: Resource temporarily unavailable");
    b->dead = false;
    b->babbles = false;
    b->restarts++;
    return !b->restart_fails;
}

static inline bool fake_broken(gw_target *target, char *why, size_t why_cap)
{
    const fake_board *b = (fake_board *)target;
    bool out = b->way_fails || (b->deaf && b->knows_carrier) || fake_unplugged(b);
    (void)snprintf(why, why_cap, "interface lab0 has no carrier: is the cable in?");
    return out && b->knows_carrier;
}

static inline fake_board new_fake_board(void)
{
    return (fake_board){.target = {.open = fake_open,
                                   .broken = fake_broken,
                                   .virtual_time = true,
                                   .links = {{.name = "", .present = true}},
                                   .num_links = 1}};
}

/* ---- the suite ---- */

/* Whatever is left over from earlier is not an answer to what is sent now. */
static inline void fake_drain(gw_ctx *ctx, gw_connection *conn)
{
    gw_packet packet;
    for (unsigned i = 0; i < 64; i++)
        if (gw_case_recv(ctx, conn, 0, &packet) != GW_RECV_DATA)
            return;
}

/* Sends |c| and waits for its answer; what else comes is passed over. */
static inline bool fake_exchange(gw_ctx *ctx, char c, int64_t timeout_ns)
{
    gw_packet packet;
    gw_connection *conn = gw_case_connection(ctx);
    fake_drain(ctx, conn);
    gw_case_send(ctx, conn, &c, 1);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA)
        if (packet.data[0] == (c == 'p' ? 'P' : c))
            return true;
    return false;
}

/* On a stream life shows on a new connection. */
static inline bool fake_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    if (gw_case_stream(ctx))
        (void)gw_case_reconnect(ctx);
    return fake_exchange(ctx, 'p', timeout_ns);
}

static inline bool fake_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    (void)ctx;
    (void)snprintf(why, why_cap, "the board has no %s", need);
    return false;
}

/* A suite of toy cases in the groups |of|, and what else it has. */
#define FAKE_SUITE(of, ...)                                                                        \
    {                                                                                              \
        .role = "toy", .format = &gw_etherbone, .families = GW_LIST("EB-S"), .groups = (of),       \
        .num_groups = GW_ARRAY_LEN(of), .alive = fake_alive, .has = fake_has, __VA_ARGS__          \
    }

#endif

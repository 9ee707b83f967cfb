/* SPDX-License-Identifier: BSD-2-Clause */
/* A clock, the datagrams on their way, and thirty boards. */
#include "formats/l1farm/farm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boards/mem.h"
#include "formats/l1farm/loopback.h"
#include "goldwire/cursor.h"
#include "harness/stop.h"

enum {
    NODES = 26,
    FIRST_NODE = GW_L1_UNITS, /* boards: readout units, nodes, decision unit */
    DECISION_UNIT = FIRST_NODE + NODES,
    BOARDS = DECISION_UNIT + 1,
    GENERATOR = BOARDS, /* and who takes the decisions: no board */
    ON_THE_WAY = 4096,
    DATAGRAM = GW_L1_SHIM + GW_L1_SUBEVENT,
    PORT = 50000,
};

/* Through the torus; the thesis measured 1.40 us and 0.06 us a hop. */
#define LATENCY_NS 2000
#define CHECK_NS 2000
#define LIMIT_NS 100000

typedef struct flight {
    int64_t at;
    uint64_t order; /* among those of one time */
    uint8_t from, to, link;
    uint8_t len;
    uint8_t bytes[DATAGRAM];
} flight;

typedef struct farm farm;

/* A board and its way into the network. */
typedef struct port {
    gw_peer_out out;
    farm *farm;
    const gw_board *board;
    void *state;
    gw_peer_config config;
    gw_l1_setup setup;
    int64_t timer;
    uint8_t index;
} port;

struct farm {
    const gw_l1_farm_setup *setup;
    gw_l1_farm_fn fn;
    void *ctx;
    gw_l1_farm_totals *totals;
    const gw_l1_profile *profile;
    int64_t now;
    uint64_t order;
    uint64_t frames;
    unsigned next_tag;
    bool first_busy; /* BOn of the first readout unit */
    bool overrun;
    bool broken; /* loopback is; |why| says how */
    char why[128];
    gw_l1_loopback net;
    size_t num;
    flight flights[ON_THE_WAY];
    port ports[BOARDS];
};

/* ---- what everybody may see ---- */

static gw_endpoint address_of(const farm *f, unsigned who)
{
    if (f->setup->loopback)
        return f->net.ends[who];
    gw_endpoint e = {.ip = {192, 0, 2, (uint8_t)(1 + who)}, .port = PORT, .family = GW_FAMILY_IPV4};
    return e;
}

static void tell(farm *f, unsigned from, unsigned to, const uint8_t *data, size_t len)
{
    gw_message m = gw_message_of(data, len);

    m.transport = GW_OVER_UDP;
    m.src = address_of(f, from);
    m.dst = address_of(f, to);
    m.time_ns = GW_VIRTUAL_EPOCH_NS + f->now;
    m.frame = m.frames[0] = ++f->frames;
    m.num_frames = 1;
    if (f->fn != NULL)
        f->fn(f->ctx, &m);
}

/* ---- the network ---- */

static void launch(farm *f, unsigned from, unsigned to, unsigned link, int64_t delay,
                   const uint8_t *data, size_t len)
{
    if (f->num == ON_THE_WAY || len > DATAGRAM) {
        f->overrun = true;
        return;
    }
    flight *x = &f->flights[f->num++];
    *x = (flight){.at = f->now + delay,
                  .order = f->order++,
                  .from = (uint8_t)from,
                  .to = (uint8_t)to,
                  .link = (uint8_t)link,
                  .len = (uint8_t)len};
    memcpy(x->bytes, data, len);
}

static uint32_t step_at(const farm *f, int64_t at)
{
    return (uint32_t)(at / f->profile->step_ns);
}

/* A line of one unit is another one of its neighbour's: TOn is TIn, BOn is BIn. */
static void launch_edge(farm *f, unsigned from, unsigned to, uint8_t line, uint8_t edge,
                        int64_t delay)
{
    uint8_t bytes[GW_L1_SHIM + 4] = {0};
    gw_l1_shim s = {.version = 1,
                    .kind = GW_L1_KIND_EDGE,
                    .ru = (uint8_t)to,
                    .step = step_at(f, f->now + delay),
                    .length = 4};

    gw_l1_put_shim(bytes, &s);
    bytes[GW_L1_SHIM] = line;
    bytes[GW_L1_SHIM + 1] = edge;
    bytes[GW_L1_SHIM + 3] = (uint8_t)to;
    launch(f, from, to, GW_L1_LINK_IN, delay, bytes, sizeof(bytes));
}

static void route_fragment(farm *f, unsigned from, const gw_l1_shim *s, const uint8_t *data,
                           size_t len)
{
    f->totals->fragments++;
    if (f->setup->lose > 0 && f->totals->fragments % f->setup->lose == 0)
        f->totals->lost++;
    else if (s->dest < NODES)
        launch(f, from, FIRST_NODE + s->dest, GW_L1_LINK_IN, LATENCY_NS, data, len);
}

/* What a unit does to its lines is told when it does it, what comes of it when it arrives. */
static void route_edge(farm *f, unsigned unit, const gw_l1_edge *e, const uint8_t *data, size_t len)
{
    bool onward = e->line == GW_L1_TON;
    unsigned to = onward ? unit + 1 : unit > 0 ? unit - 1 : GENERATOR;

    tell(f, unit, to < GW_L1_UNITS ? to : GENERATOR, data, len);
    if (onward && to < GW_L1_UNITS)
        launch_edge(f, unit, to, GW_L1_TIN, e->edge, f->profile->step_ns);
    else if (e->line == GW_L1_BON && unit > 0)
        launch_edge(f, unit, to, GW_L1_BIN, e->edge, 0);
    else if (e->line == GW_L1_BON)
        f->first_busy = e->edge == 1;
}

static void on_send(gw_peer_out *out, unsigned link, uint32_t conn, const uint8_t *data, size_t len)
{
    port *p = (port *)(void *)out; /* its first member */
    farm *f = p->farm;
    gw_message m = gw_message_of(data, len);
    gw_l1_unit u;

    (void)link;
    (void)conn;
    m.transport = GW_OVER_UDP;
    if (gw_l1_decode(&u, &m, NULL).kind != GW_OK)
        return;
    switch (u.shim.kind) {
    case GW_L1_KIND_SUBEVENT:
        route_fragment(f, p->index, &u.shim, data, len);
        return;
    case GW_L1_KIND_EDGE:
        route_edge(f, p->index, &u.u.edge, data, len);
        return;
    case GW_L1_KIND_RESULT:
        f->totals->results++;
        launch(f, p->index, DECISION_UNIT, GW_L1_LINK_IN, LATENCY_NS, data, len);
        return;
    case GW_L1_KIND_DECISION:
        f->totals->decisions++;
        launch(f, p->index, GENERATOR, GW_L1_LINK_OUT, LATENCY_NS, data, len);
        return;
    default:
        return; /* who listens was told so */
    }
}

static void on_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)out;
    (void)link;
    (void)conn;
}

/* ---- time ---- */

static void step_board(farm *f, port *p, const gw_peer_event *event)
{
    p->timer = p->board->step(p->state, event, f->now, &p->out);
}

static void arrive(farm *f, flight *x)
{
    if (f->setup->loopback &&
        !gw_l1_loopback_cross(&f->net, x->from, x->to, x->bytes, x->len, f->why, sizeof(f->why))) {
        f->broken = true;
        return;
    }
    tell(f, x->from, x->to, x->bytes, x->len);
    if (x->to >= BOARDS)
        return;
    gw_peer_event event = {
        .kind = GW_PEER_BYTES, .link = x->link, .conn = x->link, .data = x->bytes, .len = x->len};
    step_board(f, &f->ports[x->to], &event);
}

/* The first datagram to arrive, or f->num. */
static size_t first_flight(const farm *f)
{
    size_t best = f->num;

    for (size_t i = 0; i < f->num; i++) {
        const flight *a = &f->flights[i], *b = &f->flights[best < f->num ? best : i];
        if (best == f->num || a->at < b->at || (a->at == b->at && a->order < b->order))
            best = i;
    }
    return best;
}

static port *first_timer(farm *f)
{
    port *best = &f->ports[0];

    for (size_t i = 1; i < BOARDS; i++) {
        if (f->ports[i].timer < best->timer)
            best = &f->ports[i];
    }
    return best;
}

/* The generator waits while the first unit is busy (T 7.2.1). */
static int64_t next_tag_at(const farm *f)
{
    int64_t due = (int64_t)f->next_tag * f->profile->step_ns;

    return f->next_tag < f->setup->events && !f->first_busy ? due : GW_PEER_NEVER;
}

static void generate(farm *f)
{
    launch_edge(f, GENERATOR, 0, GW_L1_TIN, 1, 0);
    launch_edge(f, GENERATOR, 0, GW_L1_TIN, 0, 0);
    f->next_tag++;
}

/* One thing happens: what is due first. Timers alone go on only while something may come of them.
 */
static bool happen(farm *f)
{
    size_t i = first_flight(f);
    port *p = first_timer(f);
    int64_t arrival = i < f->num ? f->flights[i].at : GW_PEER_NEVER;
    int64_t tag = next_tag_at(f);

    if (arrival == GW_PEER_NEVER && tag == GW_PEER_NEVER && p->timer > f->now + LIMIT_NS / 2)
        return false;
    if (p->timer <= arrival && p->timer <= tag) {
        gw_peer_event event = {.kind = GW_PEER_TIMER};
        f->now = p->timer > f->now ? p->timer : f->now;
        step_board(f, p, &event);
        return true;
    }
    if (tag <= arrival) {
        f->now = tag > f->now ? tag : f->now;
        generate(f);
        return true;
    }
    flight x = f->flights[i];
    f->flights[i] = f->flights[--f->num];
    f->now = x.at;
    arrive(f, &x);
    return true;
}

/* ---- set-up ---- */

static bool open_port(farm *f, unsigned index, const gw_board *board, const gw_mutant *mutant,
                      uint16_t number, char *why, size_t why_cap)
{
    port *p = &f->ports[index];

    *p = (port){.out = {.send = on_send, .close = on_close},
                .farm = f,
                .board = board,
                .setup = {.node = number, .check_ns = CHECK_NS, .limit_ns = LIMIT_NS},
                .timer = GW_PEER_NEVER,
                .index = (uint8_t)index};
    p->config = (gw_peer_config){.mutant = mutant, .setup = &p->setup};
    p->state = calloc(1, board->size);
    if (p->state == NULL) {
        (void)snprintf(why, why_cap, "out of memory for the farm");
        return false;
    }
    return board->init(p->state, &p->config, why, why_cap);
}

static bool open_ports(farm *f, char *why, size_t why_cap)
{
    const gw_l1_farm_setup *s = f->setup;

    for (unsigned i = 0; i < GW_L1_UNITS; i++) {
        if (!open_port(f, i, &gw_l1_ru_board, i == 1 ? s->ru_mutant : NULL, (uint16_t)i, why,
                       why_cap))
            return false;
    }
    for (unsigned i = 0; i < NODES; i++) {
        if (!open_port(f, FIRST_NODE + i, &gw_l1_cn_board, i == GW_L1_CN_NODE ? s->cn_mutant : NULL,
                       (uint16_t)i, why, why_cap))
            return false;
    }
    return open_port(f, DECISION_UNIT, &gw_l1_du_board, s->du_mutant, NODES, why, why_cap);
}

static void give(farm *f, unsigned to, unsigned link, gw_l1_shim s, const uint8_t *data)
{
    uint8_t bytes[DATAGRAM];

    s.version = 1;
    gw_l1_put_shim(bytes, &s);
    if (s.length > 0)
        memcpy(bytes + GW_L1_SHIM, data, s.length);
    gw_peer_event event = {.kind = GW_PEER_BYTES,
                           .link = (uint8_t)link,
                           .conn = link,
                           .data = bytes,
                           .len = (size_t)GW_L1_SHIM + s.length};
    step_board(f, &f->ports[to], &event);
}

static void set_register(farm *f, unsigned unit, uint16_t offset, uint32_t value)
{
    uint8_t bytes[8] = {0,
                        GW_L1_WRITE,
                        (uint8_t)(offset >> 8),
                        (uint8_t)offset,
                        (uint8_t)(value >> 24),
                        (uint8_t)(value >> 16),
                        (uint8_t)(value >> 8),
                        (uint8_t)value};

    give(f, unit, GW_L1_LINK_IN, (gw_l1_shim){.kind = GW_L1_KIND_REGISTER, .length = 8}, bytes);
}

/* Clear, descriptors, DESCS, DMACNTRL (T 7.2.2): the first buffer of all nodes, then the second,
 * each unit in its own slot. */
static void program_unit(farm *f, unsigned unit)
{
    set_register(f, unit, GW_L1_DMACNTRL, GW_L1_DMA_CLEAR);
    for (unsigned i = 0; i < NODES * GW_L1_BUFFERS; i++) {
        uint8_t image[GW_L1_DESCRIPTOR];
        gw_l1_descriptor d = {.target = GW_L1_TARGET(i % NODES, i / NODES, unit * GW_L1_SUBEVENT),
                              .blocksize = GW_L1_SUBEVENT / f->profile->unit};
        gw_l1_put_descriptor(image, &d, f->profile);
        give(f, unit, GW_L1_LINK_IN,
             (gw_l1_shim){.kind = GW_L1_KIND_DESCRIPTORS,
                          .little = true,
                          .offset = i * GW_L1_DESCRIPTOR,
                          .length = GW_L1_DESCRIPTOR},
             image);
    }
    set_register(f, unit, GW_L1_DESCS, NODES * GW_L1_BUFFERS - 1);
    set_register(f, unit, GW_L1_DMACNTRL,
                 GW_L1_DMA_TAGNET | UINT32_C(1) << GW_L1_DMA_TRANSFERS_SHIFT);
}

static void add_up(farm *f)
{
    gw_l1_farm_totals *t = f->totals;
    const gw_l1_du *d = f->ports[DECISION_UNIT].state;

    for (unsigned i = 0; i < NODES; i++) {
        const gw_l1_cn *n = f->ports[FIRST_NODE + i].state;
        t->ntries += n->ntries;
        t->nallok += n->nallok;
        t->nnext += n->nnext;
    }
    for (unsigned i = 0; i < GW_L1_UNITS; i++)
        t->tags[i] = ((const gw_l1_ru *)f->ports[i].state)->tags;
    t->timeouts = d->timeouts;
    t->late = d->late;
    t->took_ns = f->now;
}

bool gw_l1_farm_run(const gw_l1_farm_setup *setup, gw_l1_farm_fn fn, void *ctx,
                    gw_l1_farm_totals *totals, char *why, size_t why_cap)
{
    farm *f = calloc(1, sizeof(*f));

    memset(totals, 0, sizeof(*totals));
    if (f == NULL) {
        (void)snprintf(why, why_cap, "out of memory for the farm");
        return false;
    }
    f->setup = setup;
    f->fn = fn;
    f->ctx = ctx;
    f->totals = totals;
    f->profile = gw_l1_profile_of(NULL);
    bool ok = open_ports(f, why, why_cap) &&
              (!setup->loopback || gw_l1_loopback_open(&f->net, BOARDS + 1, why, why_cap));
    for (unsigned i = 0; ok && i < BOARDS; i++)
        give(f, i, GW_L1_LINK_OUT, (gw_l1_shim){.kind = GW_L1_KIND_LISTEN}, NULL);
    for (unsigned i = 0; ok && i < GW_L1_UNITS; i++)
        program_unit(f, i);
    while (ok && !f->broken && !gw_stopped() && happen(f))
        ;
    totals->stopped = gw_stopped();
    totals->cut_off = f->broken;
    if (ok && f->broken) {
        (void)snprintf(why, why_cap, "%s", f->why);
        ok = false;
    }
    if (ok && f->overrun) {
        (void)snprintf(why, why_cap, "more than %d datagrams are on their way", ON_THE_WAY);
        ok = false;
    }
    if (ok)
        add_up(f);
    for (unsigned i = 0; i < BOARDS; i++)
        free(f->ports[i].state);
    gw_l1_loopback_close(&f->net);
    free(f);
    return ok;
}

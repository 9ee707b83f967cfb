/* SPDX-License-Identifier: BSD-2-Clause */
/* The last clock edges of each port, for whoever asks what led to a failure. A part of gw_hdl.c. */
#ifndef GW_HDL_EDGES_H
#define GW_HDL_EDGES_H

#define EDGE_WORDS (GW_WIRE_MAX_BEAT / 4)
#define EDGES_BEFORE 16 /* cycles that are shown before a breach ... */
#define EDGES_BEHIND 8  /* ... and behind it */
#define EDGES_DUE (GW_WIRE_MAX_PORTS * GW_SIM_NUM_BREACHES)

/* What the data and byte enables of a lane are, and which of the data are unknown: a bit a byte. */
typedef struct sim_beat {
    uint64_t keep;
    uint64_t unknown;
    uint8_t bytes[GW_WIRE_MAX_BEAT];
} sim_beat;

/* What the signals of a lane are from a clock edge on until the next one in the ring. What a lane
 * of few bytes has lies together at the beginning. */
typedef struct sim_edge {
    uint64_t time_ps;
    uint32_t number;
    uint32_t wires;
    uint32_t len; /* of the data */
    sim_beat beat;
} sim_edge;

typedef struct sim_edges {
    sim_edge *ring; /* GW_WIRE_EDGES_MAX; NULL before the first edge */
    uint64_t num;   /* ever: the oldest ones are gone */
} sim_edges;

/* A breach whose surroundings are to be told. */
typedef struct sim_due {
    unsigned port;
    uint32_t which;
    uint64_t at_ps;
    uint64_t cycle_ps;
} sim_due;

static sim_edges edges[GW_WIRE_MAX_PORTS][GW_WIRE_LANES];
static sim_beat beat_told;     /* of the edge that is told next */
static sim_due due[EDGES_DUE]; /* in the order of their times */
static unsigned num_due;
static uint64_t edges_due_ps = UINT64_MAX; /* of the first one */

static const sim_edge *edge_at(const sim_edges *lane, uint64_t index)
{
    return &lane->ring[index % GW_WIRE_EDGES_MAX];
}

static uint64_t oldest_edge(const sim_edges *lane)
{
    return lane->num > GW_WIRE_EDGES_MAX ? lane->num - GW_WIRE_EDGES_MAX : 0;
}

/* The edge that is told now, with all but its beat; NULL without memory. */
static sim_edge *new_edge(sim_edges *lane, uint32_t number, uint32_t wires, uint32_t len)
{
    if (lane->ring == NULL)
        lane->ring = malloc(GW_WIRE_EDGES_MAX * sizeof(*lane->ring));
    if (lane->ring == NULL)
        return NULL;
    sim_edge *edge = &lane->ring[lane->num++ % GW_WIRE_EDGES_MAX];
    edge->time_ps = sim.now_ps;
    edge->number = number;
    edge->wires = wires;
    edge->len = len;
    return edge;
}

/* The edges of |lane| that tell what was from |from_ps| to |to_ps|. */
static void find_edges(const sim_edges *lane, uint64_t from_ps, uint64_t to_ps, uint64_t *first,
                       uint64_t *end)
{
    uint64_t oldest = oldest_edge(lane);
    *end = lane->num;
    while (*end > oldest && edge_at(lane, *end - 1)->time_ps > to_ps)
        (*end)--;
    *first = *end;
    while (*first > oldest && edge_at(lane, *first - 1)->time_ps >= from_ps)
        (*first)--;
    if (*first > oldest)
        (*first)--;
}

static uint8_t *put_edge(uint8_t *p, const sim_edge *edge, unsigned lane)
{
    gw_wire_put64(p, edge->time_ps);
    gw_wire_put32(p + 8, edge->number);
    gw_wire_put32(p + 12, edge->wires);
    p[16] = (uint8_t)lane;
    p[17] = (uint8_t)edge->len;
    p += 20;
    memcpy(p, edge->beat.bytes, edge->len);
    p += edge->len;
    gw_wire_put64(p, edge->beat.keep);
    gw_wire_put64(p + 8, edge->beat.unknown);
    return p + 16;
}

static uint8_t *edges_message(unsigned port, uint32_t id, uint32_t flags, uint64_t from_ps,
                              uint64_t to_ps)
{
    uint64_t first[GW_WIRE_LANES] = {0};
    uint64_t end_of[GW_WIRE_LANES] = {0};
    uint32_t len = GW_WIRE_EDGES_HEAD;
    uint32_t num = 0;
    for (unsigned k = 0; k < GW_WIRE_LANES; k++) {
        const sim_edges *lane = &edges[port][k];
        if (lane->ring != NULL)
            find_edges(lane, from_ps, to_ps, &first[k], &end_of[k]);
        for (uint64_t i = first[k]; i < end_of[k]; i++, num++)
            len += GW_WIRE_EDGE + edge_at(lane, i)->len;
    }
    uint8_t *body = message(GW_WIRE_EDGES, len, id, flags, port);
    uint8_t *p = body + GW_WIRE_EDGES_HEAD;
    gw_wire_put64(body, sim.now_ps);
    gw_wire_put32(body + 20, num);
    for (unsigned k = 0; k < GW_WIRE_LANES; k++)
        for (uint64_t i = first[k]; i < end_of[k]; i++)
            p = put_edge(p, edge_at(&edges[port][k], i), k);
    return body;
}

static void tell_edges(unsigned port, uint32_t id, uint64_t from_ps, uint64_t to_ps)
{
    edges_message(port, id, GW_WIRE_RESPONSE, from_ps, to_ps);
}

/* The time between two clock edges of |port|, by the last that are known; 0: not known. */
static uint64_t cycle_of(unsigned port)
{
    for (unsigned k = 0; k < GW_WIRE_LANES; k++) {
        const sim_edges *lane = &edges[port][k];
        if (lane->num < 2)
            continue;
        const sim_edge *last = edge_at(lane, lane->num - 1);
        const sim_edge *before = edge_at(lane, lane->num - 2);
        if (last->number > before->number)
            return (last->time_ps - before->time_ps) / (last->number - before->number);
    }
    return 0;
}

/* What led to a breach is told some cycles behind it: what came of it is worth seeing as well. */
static void show_edges_soon(unsigned port, uint32_t which)
{
    if (num_due == EDGES_DUE)
        return;
    sim_due *one = &due[num_due++];
    one->port = port;
    one->which = which;
    one->at_ps = sim.now_ps;
    one->cycle_ps = cycle_of(port);
    if (num_due == 1)
        edges_due_ps = one->at_ps + EDGES_BEHIND * one->cycle_ps;
}

RARELY void tell_due_edges(void)
{
    unsigned told = 0;
    for (; told < num_due; told++) {
        const sim_due *one = &due[told];
        uint64_t until_ps = one->at_ps + EDGES_BEHIND * one->cycle_ps;
        uint64_t before_ps = EDGES_BEFORE * one->cycle_ps;
        if (sim.now_ps <= until_ps)
            break;
        if (!sim.there)
            continue;
        uint8_t *body =
            edges_message(one->port, 0, GW_WIRE_OPTIONAL | GW_WIRE_POSTED,
                          one->at_ps > before_ps ? one->at_ps - before_ps : 0, until_ps);
        gw_wire_put64(body + 8, one->at_ps);
        gw_wire_put32(body + 16, one->which);
    }
    memmove(due, due + told, (num_due - told) * sizeof(due[0]));
    num_due -= told;
    edges_due_ps = num_due > 0 ? due[0].at_ps + EDGES_BEHIND * due[0].cycle_ps : UINT64_MAX;
}

#ifdef GW_HDL_IN_PROCESS
/* A simulation begins anew: of the one before nobody asks any more. */
static void forget_edges(void)
{
    for (unsigned i = 0; i < GW_WIRE_MAX_PORTS; i++)
        for (unsigned k = 0; k < GW_WIRE_LANES; k++)
            edges[i][k].num = 0;
    num_due = 0;
    edges_due_ps = UINT64_MAX;
}
#endif

#endif

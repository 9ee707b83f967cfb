/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairs of ends, in a table of fixed size: who was silent longest is forgotten. */
#include "core/pairs.h"

#include <string.h>

#include "core/hash.h"

typedef struct pair {
    gw_endpoint ends[2];
    uint64_t touched; /* 0: unused */
    uint32_t where;   /* transport, or link type and interface */
    uint32_t unused;
} pair;

typedef struct pairs {
    uint64_t clock; /* counts messages */
    pair sets[GW_PAIRS_SETS][GW_PAIRS_WAYS];
} pairs;

_Static_assert(sizeof(pairs) == GW_PAIRS_SIZE, "GW_PAIRS_SIZE");

void gw_pairs_init(void *state)
{
    memset(state, 0, sizeof(pairs));
}

static uint32_t where_of(const gw_message *m)
{
    if (m->transport != GW_OVER_NOTHING)
        return m->transport;
    return (uint32_t)m->link_type << 16 ^ m->interface;
}

static bool is_between(const pair *p, const gw_message *m, uint32_t where)
{
    if (p->touched == 0 || p->where != where)
        return false;
    return (gw_endpoint_equal(&p->ends[0], &m->src) && gw_endpoint_equal(&p->ends[1], &m->dst)) ||
           (gw_endpoint_equal(&p->ends[1], &m->src) && gw_endpoint_equal(&p->ends[0], &m->dst));
}

static pair *find(pairs *t, const gw_message *m, bool wanted)
{
    uint32_t where = where_of(m);
    uint64_t h = (gw_hash_endpoint(&m->src) ^ gw_hash_endpoint(&m->dst)) + where * GW_HASH_4;
    pair *set = t->sets[gw_hash_fold(h) % GW_PAIRS_SETS];
    pair *oldest = &set[0];

    t->clock++;
    for (size_t i = 0; i < GW_PAIRS_WAYS; i++) {
        if (is_between(&set[i], m, where)) {
            set[i].touched = t->clock;
            return &set[i];
        }
        if (set[i].touched < oldest->touched)
            oldest = &set[i];
    }
    if (!wanted)
        return NULL;
    *oldest = (pair){.ends = {m->src, m->dst}, .touched = t->clock, .where = where};
    return oldest;
}

bool gw_pairs_know(void *state, const gw_message *message)
{
    return find(state, message, false) != NULL;
}

bool gw_pairs_meet(void *state, const gw_message *message, bool plausible)
{
    return find(state, message, plausible) != NULL;
}

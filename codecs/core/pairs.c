/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairs of ends, in a table of fixed size: who was silent longest is forgotten. */
#include "core/pairs.h"

#include <string.h>

#include "core/hash.h"

typedef struct pair {
    gw_endpoint ends[2];
    uint64_t touched; /* the higher, the later; 0: unused */
    uint64_t where;   /* transport, or link type and interface; 0: unused */
} pair;

typedef struct pairs {
    uint64_t clock; /* counts how often a pair was found after another */
    uint64_t last;  /* where the pair stands that was found last: it often is the next as well */
    pair all[GW_PAIRS_SETS * GW_PAIRS_WAYS];
} pairs;

_Static_assert(sizeof(pairs) == GW_PAIRS_SIZE, "GW_PAIRS_SIZE");

void gw_pairs_init(void *state)
{
    memset(state, 0, sizeof(pairs));
}

static inline uint64_t where_of(const gw_message *m)
{
    if (m->transport != GW_OVER_NOTHING)
        return m->transport;
    return UINT64_C(1) << 63 | (uint64_t)m->link_type << 32 | m->interface;
}

static inline bool is_end(const gw_endpoint *a, const gw_endpoint *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static inline bool is_between(const pair *p, const gw_message *m, uint64_t where)
{
    return p->where == where && ((is_end(&p->ends[0], &m->src) && is_end(&p->ends[1], &m->dst)) ||
                                 (is_end(&p->ends[1], &m->src) && is_end(&p->ends[0], &m->dst)));
}

/* Finds the pair in its set; |wanted| takes the place of who was silent longest for it. */
static pair *search(pairs *t, const gw_message *m, uint64_t where, bool wanted)
{
    uint64_t h = (gw_hash_endpoint(&m->src) ^ gw_hash_endpoint(&m->dst)) + where * GW_HASH_4;
    pair *set = &t->all[(size_t)GW_PAIRS_WAYS * (gw_hash_fold(h) % GW_PAIRS_SETS)];
    pair *oldest = &set[0];

    for (size_t i = 0; i < GW_PAIRS_WAYS; i++) {
        if (is_between(&set[i], m, where))
            return &set[i];
        if (set[i].touched < oldest->touched)
            oldest = &set[i];
    }
    if (!wanted)
        return NULL;
    *oldest = (pair){.ends = {m->src, m->dst}, .where = where};
    return oldest;
}

static bool find(pairs *t, const gw_message *m, bool wanted)
{
    pair *found = search(t, m, where_of(m), wanted);

    if (found == NULL)
        return false;
    found->touched = ++t->clock;
    t->last = (uint64_t)(found - t->all);
    return true;
}

/* Of nobody was heard later than of the pair found last, so that finding it again changes nothing.
 */
static inline bool is_last(const pairs *t, const gw_message *m)
{
    return is_between(&t->all[t->last], m, where_of(m));
}

bool gw_pairs_know(void *state, const gw_message *message)
{
    return is_last(state, message) || find(state, message, false);
}

bool gw_pairs_meet(void *state, const gw_message *message, bool plausible)
{
    return is_last(state, message) || find(state, message, plausible);
}

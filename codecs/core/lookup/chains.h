/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds entries of a table by what they are looked up by, however many there are: each place of the
 * table is in one chain at the most, by a hash, behind those that came before it. */
#ifndef CORE_LOOKUP_CHAINS_H
#define CORE_LOOKUP_CHAINS_H

#include "goldwire/base.h"

#define GW_CHAINS_NONE UINT32_MAX
#define GW_CHAINS_BYTES (3 * sizeof(uint32_t)) /* that a place takes at the most */

/* gw_chains are circles: who comes after the last is the first. */
typedef struct gw_chains {
    uint32_t *next; /* of a place; GW_CHAINS_NONE: it is in no chain */
    uint32_t *home; /* of a place: its chain */
    uint32_t *last; /* of a chain; GW_CHAINS_NONE: it is empty */
    uint32_t mask;  /* number of chains - 1 */
} gw_chains;

/* gw_chains_init makes empty chains for |room| places, 1 at the least, of GW_CHAINS_BYTES each at
 * |memory|, aligned for uint32_t. */
void gw_chains_init(gw_chains *c, void *memory, uint32_t room);

/* gw_chains_append puts |place|, which is in no chain, to the end of the one of |hash|. */
void gw_chains_append(gw_chains *c, uint32_t place, uint32_t hash);

/* gw_chains_remove takes |place| out of its chain, if it is in one. What that costs is how many
 * stand before it. */
void gw_chains_remove(gw_chains *c, uint32_t place);

/* gw_chains_first returns the first place of the chain of |hash|, in which other hashes' places may
 * be as well, or GW_CHAINS_NONE. */
static inline uint32_t gw_chains_first(const gw_chains *c, uint32_t hash)
{
    uint32_t last = c->last[hash & c->mask];

    return last == GW_CHAINS_NONE ? GW_CHAINS_NONE : c->next[last];
}

/* gw_chains_after returns who comes after |place|, which is in a chain, or GW_CHAINS_NONE. */
static inline uint32_t gw_chains_after(const gw_chains *c, uint32_t place)
{
    return place == c->last[c->home[place]] ? GW_CHAINS_NONE : c->next[place];
}

#endif

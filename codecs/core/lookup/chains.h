/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds entries of a table by what they are looked up by, however many there are: each place of the
 * table is in one chain at the most, by a hash, behind those that came before it. */
#ifndef CORE_LOOKUP_CHAINS_H
#define CORE_LOOKUP_CHAINS_H

#include "goldwire/base.h"

#define GW_CHAINS_NONE UINT32_MAX

/* gw_chain_link is who stands beside a place: itself, when it is in no chain. */
typedef struct gw_chain_link {
    uint32_t next;
    uint32_t before;
} gw_chain_link;

/* gw_chains are circles: each goes from its head, a link behind those of the places, through its
 * places in their order, and back. So every link leads to one that there is. */
typedef struct gw_chains {
    gw_chain_link *links; /* of places, then of heads */
    uint32_t room;        /* places */
    uint32_t mask;        /* number of chains - 1 */
} gw_chains;

/* What a place takes at the most, with the heads. */
#define GW_CHAINS_BYTES (2 * sizeof(gw_chain_link))

/* gw_chains_init makes empty chains for |room| places, 1 at the least, of GW_CHAINS_BYTES each at
 * |memory|, aligned for uint32_t. */
void gw_chains_init(gw_chains *c, void *memory, uint32_t room);

/* gw_chains_append puts |place|, which is in no chain, to the end of the one of |hash|. */
void gw_chains_append(gw_chains *c, uint32_t place, uint32_t hash);

/* gw_chains_remove takes |place| out of its chain, if it is in one. */
void gw_chains_remove(gw_chains *c, uint32_t place);

/* gw_chains_after returns who comes after |place| in its chain, or GW_CHAINS_NONE. */
static inline uint32_t gw_chains_after(const gw_chains *c, uint32_t place)
{
    uint32_t next = c->links[place].next;

    return next < c->room ? next : GW_CHAINS_NONE;
}

/* gw_chains_first returns the first place of the chain of |hash|, in which other hashes' places may
 * be as well, or GW_CHAINS_NONE. */
static inline uint32_t gw_chains_first(const gw_chains *c, uint32_t hash)
{
    return gw_chains_after(c, c->room + (hash & c->mask));
}

#endif

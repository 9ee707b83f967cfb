/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains of a table's places. */
#include "core/lookup/chains.h"

static void link_up(gw_chains *c, uint32_t before, uint32_t next)
{
    c->links[before].next = next;
    c->links[next].before = before;
}

void gw_chains_init(gw_chains *c, void *memory, uint32_t room)
{
    uint32_t chains = 1;

    while (chains <= room / 2)
        chains *= 2; /* no more than there are places */
    *c = (gw_chains){.links = memory, .room = room, .mask = chains - 1};
    for (uint32_t i = 0; i < room + chains; i++)
        link_up(c, i, i);
}

void gw_chains_append(gw_chains *c, uint32_t place, uint32_t hash)
{
    uint32_t head = c->room + (hash & c->mask);

    link_up(c, c->links[head].before, place);
    link_up(c, place, head);
}

void gw_chains_remove(gw_chains *c, uint32_t place)
{
    link_up(c, c->links[place].before, c->links[place].next);
    link_up(c, place, place);
}

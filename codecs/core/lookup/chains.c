/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains of a table's places. */
#include "core/lookup/chains.h"

#include <string.h>

void gw_chains_init(gw_chains *c, void *memory, uint32_t room)
{
    uint32_t chains = 1;

    while (chains <= room / 2)
        chains *= 2;
    *c = (gw_chains){.next = memory,
                     .home = (uint32_t *)memory + room,
                     .last = (uint32_t *)memory + 2 * (size_t)room,
                     .mask = chains - 1};
    memset(c->next, 0xff, room * sizeof c->next[0]);
    memset(c->last, 0xff, chains * sizeof c->last[0]);
}

void gw_chains_append(gw_chains *c, uint32_t place, uint32_t hash)
{
    uint32_t chain = hash & c->mask;
    uint32_t last = c->last[chain];

    c->home[place] = chain;
    if (last == GW_CHAINS_NONE) {
        c->next[place] = place;
    } else {
        c->next[place] = c->next[last];
        c->next[last] = place;
    }
    c->last[chain] = place;
}

void gw_chains_remove(gw_chains *c, uint32_t place)
{
    if (c->next[place] == GW_CHAINS_NONE)
        return;
    uint32_t *last = &c->last[c->home[place]];
    uint32_t before = *last;
    while (c->next[before] != place)
        before = c->next[before];
    c->next[before] = c->next[place];
    if (before == place)
        *last = GW_CHAINS_NONE;
    else if (*last == place)
        *last = before;
    c->next[place] = GW_CHAINS_NONE;
}

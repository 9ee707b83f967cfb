/* SPDX-License-Identifier: BSD-2-Clause */
/* What a station knows of others, and what waits for one of them. */
#include <string.h>

#include "ether_faults.h"
#include "ether_parts.h"

gw_ether_neighbour *gw_ether_find(gw_ether *e, const gw_endpoint *whom)
{
    static const uint8_t nobody[sizeof(whom->ip)];

    if (memcmp(whom->ip, nobody, sizeof(nobody)) == 0)
        return NULL;
    for (size_t i = 0; i < GW_ETHER_NEIGHBOURS; i++) {
        gw_ether_neighbour *n = &e->neighbours[i];
        if (!gw_ether_same(&n->at, whom))
            continue;
        n->used = ++e->clock;
        return n;
    }
    return NULL;
}

gw_ether_neighbour *gw_ether_find_or_add(gw_ether *e, const gw_endpoint *whom)
{
    gw_ether_neighbour *oldest = gw_ether_find(e, whom);

    if (oldest != NULL)
        return oldest;
    oldest = &e->neighbours[0];
    for (size_t i = 1; i < GW_ETHER_NEIGHBOURS; i++)
        if (e->neighbours[i].used < oldest->used)
            oldest = &e->neighbours[i];
    memset(oldest, 0, sizeof(*oldest));
    oldest->at = *whom;
    oldest->at.port = 0;
    oldest->used = ++e->clock;
    oldest->deadline = GW_ETHER_NEVER;
    return oldest;
}

const uint8_t *gw_ether_lookup(gw_ether *e, const gw_endpoint *whom, int64_t now_ns)
{
    gw_ether_neighbour *n = gw_ether_find(e, whom);

    if (n == NULL || !n->known)
        return NULL;
    if (n->deadline > now_ns)
        return n->mac;
    n->known = false;
    n->deadline = GW_ETHER_NEVER;
    return NULL;
}

static void send_waiting(gw_ether *e, gw_ether_neighbour *n, gw_ether_out *out)
{
    gw_endpoint to = n->at;
    const uint8_t *mac = gw_ether_fault_waiting(e, n);

    to.port = n->to;
    if (n->waits && mac != NULL)
        (void)gw_ether_send_to(e, mac, n->from, &to, n->waiting, n->waiting_len, out);
    n->waits = false;
}

void gw_ether_learn(gw_ether *e, const gw_endpoint *whom, const uint8_t mac[6], int64_t now_ns,
                    gw_ether_out *out)
{
    gw_ether_neighbour *n = gw_ether_find_or_add(e, whom);

    memcpy(n->mac, mac, sizeof(n->mac));
    n->known = true;
    n->asks = 0;
    n->deadline = now_ns + GW_ETHER_KEEP_NS;
    send_waiting(e, n, out);
}

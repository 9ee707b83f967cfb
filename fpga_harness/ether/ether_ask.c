/* SPDX-License-Identifier: BSD-2-Clause */
/* Whom a station asks for, and what it sends to whom it does not know yet. */
#include <string.h>

#include "ether_faults.h"
#include "ether_parts.h"

enum { IPV4_LEN = 4 };

void gw_ether_ask(gw_ether *e, const gw_endpoint *whom, int64_t now_ns, gw_ether_out *out)
{
    gw_ether_neighbour *n = gw_ether_find_or_add(e, whom);

    if (!n->known) {
        n->asks++;
        n->deadline = now_ns + GW_ETHER_ASK_NS;
    }
    if (whom->family == GW_FAMILY_IPV6)
        gw_ether_solicit(e, whom, out);
    else
        gw_ether_ask_by_arp(e, whom, out);
}

int64_t gw_ether_timer(gw_ether *e, int64_t now_ns, gw_ether_out *out)
{
    int64_t next = GW_ETHER_NEVER;

    for (size_t i = 0; i < GW_ETHER_NEIGHBOURS; i++) {
        gw_ether_neighbour *n = &e->neighbours[i];
        if (n->at.family == GW_FAMILY_NONE || n->known || n->asks == 0)
            continue;
        if (n->deadline <= now_ns && n->asks >= GW_ETHER_ASKS) {
            n->asks = 0; /* nobody is there */
            n->waits = false;
            n->deadline = GW_ETHER_NEVER;
        } else if (n->deadline <= now_ns) {
            const gw_endpoint whom = n->at;
            gw_ether_ask(e, &whom, now_ns, out);
        }
        if (n->deadline < next)
            next = n->deadline;
    }
    return next;
}

static bool keep_waiting(gw_ether_neighbour *n, uint16_t from, uint16_t to, const uint8_t *data,
                         size_t len)
{
    if (len > sizeof(n->waiting))
        return false;
    if (len > 0)
        memcpy(n->waiting, data, len);
    n->waiting_len = (uint16_t)len;
    n->from = from;
    n->to = to;
    n->waits = true;
    return true;
}

bool gw_ether_send(gw_ether *e, uint16_t from, const gw_endpoint *to, const uint8_t *data,
                   size_t len, int64_t now_ns, gw_ether_out *out)
{
    static const uint8_t to_all[IPV4_LEN] = {0xff, 0xff, 0xff, 0xff};
    bool all = to->family == GW_FAMILY_IPV4 && memcmp(to->ip, to_all, sizeof(to_all)) == 0;
    const uint8_t *mac = all ? gw_ether_broadcast : gw_ether_lookup(e, to, now_ns);

    if (to->family != e->setup.at.family)
        return false;
    bool anew = false;
    mac = gw_ether_fault_knows(e, to, mac == NULL ? gw_ether_find(e, to) : NULL, mac, &anew);
    if (anew)
        gw_ether_ask(e, to, now_ns, out);
    if (mac != NULL)
        return gw_ether_send_to(e, mac, from, to, data, len, out);
    gw_ether_neighbour *n = gw_ether_find_or_add(e, to);
    if (!keep_waiting(n, from, to->port, data, len))
        return false;
    if (n->asks == 0)
        gw_ether_ask(e, to, now_ns, out);
    return true;
}

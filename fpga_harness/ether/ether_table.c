/* SPDX-License-Identifier: BSD-2-Clause */
/* What a station knows of others: who is asked for, who has told, and what waits for an answer. */
#include <string.h>

#include "ether_faults.h"
#include "ether_parts.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

enum { IPV4_LEN = 4 };

bool gw_ether_same(const gw_endpoint *a, const gw_endpoint *b)
{
    return a->family == b->family && memcmp(a->ip, b->ip, sizeof(a->ip)) == 0;
}

gw_endpoint gw_ether_ipv4(uint32_t ip)
{
    gw_endpoint at = {.family = GW_FAMILY_IPV4};

    gw_store_be(at.ip, ip, IPV4_LEN);
    return at;
}

void gw_ether_own_mac(uint8_t mac[6], uint32_t ip)
{
    gw_store_be(mac, 0x0200, 2);
    gw_store_be(mac + 2, ip, 4);
}

void gw_ether_mac_of(uint8_t mac[6], const gw_endpoint *at)
{
    size_t len = at->family == GW_FAMILY_IPV6 ? sizeof(at->ip) : IPV4_LEN;

    gw_ether_own_mac(mac, gw_load_be32(at->ip + len - 4));
}

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

static gw_ether_neighbour *find_or_add(gw_ether *e, const gw_endpoint *whom)
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
    gw_ether_neighbour *n = find_or_add(e, whom);

    memcpy(n->mac, mac, sizeof(n->mac));
    n->known = true;
    n->asks = 0;
    n->deadline = now_ns + GW_ETHER_KEEP_NS;
    send_waiting(e, n, out);
}

void gw_ether_ask(gw_ether *e, const gw_endpoint *whom, int64_t now_ns, gw_ether_out *out)
{
    gw_ether_neighbour *n = find_or_add(e, whom);

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

/* ---- what goes out ---- */

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
    mac = gw_ether_fault_knows(e, to, mac, now_ns, out);
    if (mac != NULL)
        return gw_ether_send_to(e, mac, from, to, data, len, out);
    gw_ether_neighbour *n = find_or_add(e, to);
    if (!keep_waiting(n, from, to->port, data, len))
        return false;
    if (n->asks == 0)
        gw_ether_ask(e, to, now_ns, out);
    return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* A station's ARP table (RFC 826): who is asked for, who has told, and what waits for an answer.
 */
#include <string.h>

#include "ether_faults.h"
#include "ether_parts.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

#define BROADCAST_IP UINT32_MAX

enum { ARP_END = GW_ETHER_HEADER + 28 }; /* of a packet, where padding begins */

const uint8_t gw_ether_broadcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

void gw_ether_own_mac(uint8_t mac[6], uint32_t ip)
{
    gw_store_be(mac, 0x0200, 2);
    gw_store_be(mac + 2, ip, 4);
}

size_t gw_ether_arp(uint8_t out[GW_ETHER_FRAME_MIN], const uint8_t dst[6], const gw_arp *arp)
{
    gw_writer w = gw_writer_over(out, GW_ETHER_FRAME_MIN);

    memset(out, 0, GW_ETHER_FRAME_MIN);
    gw_write_bytes(&w, dst, 6);
    gw_write_bytes(&w, arp->sender_hw, 6);
    gw_write_be(&w, GW_ETHERTYPE_ARP, 2);
    gw_write_be(&w, 0x000108000604, 6); /* Ethernet, IPv4, and the lengths of their addresses */
    gw_write_be(&w, arp->operation, 2);
    gw_write_bytes(&w, arp->sender_hw, 6);
    gw_write_be(&w, arp->sender_ip, 4);
    gw_write_bytes(&w, arp->target_hw, 6);
    gw_write_be(&w, arp->target_ip, 4);
    return GW_ETHER_FRAME_MIN;
}

static void send_arp(const gw_ether *e, const uint8_t dst[6], const gw_arp *arp, gw_ether_out *out)
{
    uint8_t frame[GW_ETHER_FRAME_MIN];
    (void)gw_ether_arp(frame, dst, arp);

    gw_ether_put(e, frame, ARP_END, arp->operation == GW_ARP_REPLY, out);
}

/* ---- the table ---- */

gw_ether_arp_entry *gw_ether_find(gw_ether *e, uint32_t ip)
{
    for (size_t i = 0; i < GW_ETHER_ARP_ENTRIES; i++) {
        gw_ether_arp_entry *n = &e->arp_entries[i];
        if (n->ip != ip || ip == 0)
            continue;
        n->used = ++e->clock;
        return n;
    }
    return NULL;
}

static gw_ether_arp_entry *find_or_add(gw_ether *e, uint32_t ip)
{
    gw_ether_arp_entry *oldest = gw_ether_find(e, ip);

    if (oldest != NULL)
        return oldest;
    oldest = &e->arp_entries[0];
    for (size_t i = 1; i < GW_ETHER_ARP_ENTRIES; i++)
        if (e->arp_entries[i].used < oldest->used)
            oldest = &e->arp_entries[i];
    memset(oldest, 0, sizeof(*oldest));
    oldest->ip = ip;
    oldest->used = ++e->clock;
    oldest->deadline = GW_ETHER_NEVER;
    return oldest;
}

const uint8_t *gw_ether_lookup(gw_ether *e, uint32_t ip, int64_t now_ns)
{
    gw_ether_arp_entry *n = gw_ether_find(e, ip);

    if (n == NULL || !n->known)
        return NULL;
    if (n->deadline > now_ns)
        return n->mac;
    n->known = false;
    n->deadline = GW_ETHER_NEVER;
    return NULL;
}

static void send_waiting(gw_ether *e, gw_ether_arp_entry *n, gw_ether_out *out)
{
    gw_endpoint to = {.port = n->to, .family = GW_FAMILY_IPV4};
    const uint8_t *mac = gw_ether_fault_waiting(e, n);

    gw_store_be(to.ip, n->ip, 4);
    if (n->waits && mac != NULL)
        (void)gw_ether_send_to(e, mac, n->from, &to, n->waiting, n->waiting_len, out);
    n->waits = false;
}

void gw_ether_learn(gw_ether *e, uint32_t ip, const uint8_t mac[6], int64_t now_ns,
                    gw_ether_out *out)
{
    gw_ether_arp_entry *n = find_or_add(e, ip);

    memcpy(n->mac, mac, sizeof(n->mac));
    n->known = true;
    n->asks = 0;
    n->deadline = now_ns + GW_ETHER_KEEP_NS;
    send_waiting(e, n, out);
}

void gw_ether_ask(gw_ether *e, uint32_t ip, int64_t now_ns, gw_ether_out *out)
{
    gw_ether_arp_entry *n = find_or_add(e, ip);
    gw_arp arp = {.operation = GW_ARP_REQUEST, .sender_ip = e->setup.ip, .target_ip = ip};

    if (!n->known) {
        n->asks++;
        n->deadline = now_ns + GW_ETHER_ASK_NS;
    }
    memcpy(arp.sender_hw, e->setup.mac, sizeof(arp.sender_hw));
    send_arp(e, gw_ether_broadcast, &arp, out);
}

int64_t gw_ether_timer(gw_ether *e, int64_t now_ns, gw_ether_out *out)
{
    int64_t next = GW_ETHER_NEVER;

    for (size_t i = 0; i < GW_ETHER_ARP_ENTRIES; i++) {
        gw_ether_arp_entry *n = &e->arp_entries[i];
        if (n->ip == 0 || n->known || n->asks == 0)
            continue;
        if (n->deadline <= now_ns && n->asks >= GW_ETHER_ASKS) {
            n->asks = 0; /* nobody is there */
            n->waits = false;
            n->deadline = GW_ETHER_NEVER;
        } else if (n->deadline <= now_ns) {
            gw_ether_ask(e, n->ip, now_ns, out);
        }
        if (n->deadline < next)
            next = n->deadline;
    }
    return next;
}

/* ---- what comes in ---- */

static void answer(const gw_ether *e, const gw_arp *request, const uint8_t *to, gw_ether_out *out)
{
    gw_arp arp = {.operation = GW_ARP_REPLY,
                  .sender_ip = request->target_ip,
                  .target_ip = request->sender_ip};

    memcpy(arp.sender_hw, e->setup.mac, sizeof(arp.sender_hw));
    memcpy(arp.target_hw, request->sender_hw, sizeof(arp.target_hw));
    send_arp(e, to, &arp, out);
}

static bool is_asked(const gw_ether *e, const gw_arp *arp)
{
    return arp->operation == GW_ARP_REQUEST && !e->silent && arp->target_ip == e->setup.ip;
}

/* Learns from whoever speaks of this station, and of addresses it knows already (RFC 826). An
 * address that nobody has yet, or everybody, is none. */
gw_ether_kind gw_ether_take_arp(gw_ether *e, const gw_net *net, int64_t now_ns, gw_ether_out *out)
{
    gw_arp arp;
    bool to_all = (net->link[0] & 1) != 0;

    if (!gw_ether_fault_reads(e, &arp, net->payload))
        return GW_ETHER_BAD;
    bool about_us = arp.target_ip == e->setup.ip;
    bool has_sender = arp.sender_ip != 0 && arp.sender_ip != BROADCAST_IP &&
                      arp.sender_ip != e->setup.ip && (arp.sender_hw[0] & 1) == 0;
    const gw_ether_arp_entry *sender = has_sender ? gw_ether_find(e, arp.sender_ip) : NULL;
    if (has_sender && (about_us || sender != NULL))
        gw_ether_learn(e, arp.sender_ip, arp.sender_hw, now_ns, out);
    const uint8_t *asker =
        gw_ether_fault_answers(e, &arp, to_all, is_asked(e, &arp) ? arp.sender_hw : NULL);
    if (asker != NULL)
        answer(e, &arp, asker, out);
    return about_us || sender != NULL ? GW_ETHER_ARP : GW_ETHER_FOREIGN;
}

/* ---- what goes out ---- */

static bool keep_waiting(gw_ether_arp_entry *n, uint16_t from, uint16_t to, const uint8_t *data,
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
    uint32_t ip = gw_load_be32(to->ip);
    bool to_all = ip == BROADCAST_IP;
    const uint8_t *mac = to_all ? gw_ether_broadcast : gw_ether_lookup(e, ip, now_ns);

    if (to->family != GW_FAMILY_IPV4)
        return false;
    mac = gw_ether_fault_knows(e, ip, mac, now_ns, out);
    if (mac != NULL)
        return gw_ether_send_to(e, mac, from, to, data, len, out);
    gw_ether_arp_entry *n = find_or_add(e, ip);
    if (!keep_waiting(n, from, to->port, data, len))
        return false;
    if (n->asks == 0)
        gw_ether_ask(e, ip, now_ns, out);
    return true;
}

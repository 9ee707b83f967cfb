/* SPDX-License-Identifier: BSD-2-Clause */
/* How a station asks and answers who has an IPv4 address (RFC 826). */
#include <string.h>

#include "ether_faults.h"
#include "ether_parts.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

#define BROADCAST_IP UINT32_MAX

enum { ARP_END = GW_ETHER_HEADER + 28 }; /* of a packet, where padding begins */

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

static uint32_t own_ip(const gw_ether *e)
{
    return gw_load_be32(e->setup.at.ip);
}

static void send_arp(const gw_ether *e, const uint8_t dst[6], const gw_arp *arp, gw_ether_out *out)
{
    uint8_t frame[GW_ETHER_FRAME_MIN];
    (void)gw_ether_arp(frame, dst, arp);

    gw_ether_put(e, frame, ARP_END, arp->operation == GW_ARP_REPLY, out);
}

void gw_ether_ask_by_arp(const gw_ether *e, const gw_endpoint *whom, gw_ether_out *out)
{
    gw_arp arp = {
        .operation = GW_ARP_REQUEST, .sender_ip = own_ip(e), .target_ip = gw_load_be32(whom->ip)};

    memcpy(arp.sender_hw, e->setup.mac, sizeof(arp.sender_hw));
    send_arp(e, gw_ether_broadcast, &arp, out);
}

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
    return arp->operation == GW_ARP_REQUEST && !e->silent && arp->target_ip == own_ip(e);
}

/* Learns from whoever speaks of this station, and of addresses it knows already (RFC 826). An
 * address that nobody has yet, or everybody, is none. */
gw_ether_kind gw_ether_take_arp(gw_ether *e, const gw_net *net, int64_t now_ns, gw_ether_out *out)
{
    gw_arp arp;
    bool to_all = (net->link[0] & 1) != 0;

    if (e->setup.at.family != GW_FAMILY_IPV4)
        return GW_ETHER_FOREIGN;
    if (!gw_ether_fault_reads(e, &arp, net->payload))
        return GW_ETHER_BAD;
    bool about_us = arp.target_ip == own_ip(e);
    bool has_sender = arp.sender_ip != 0 && arp.sender_ip != BROADCAST_IP &&
                      arp.sender_ip != own_ip(e) && (arp.sender_hw[0] & 1) == 0;
    const gw_endpoint at = gw_ether_ipv4(arp.sender_ip);
    const gw_ether_neighbour *sender = has_sender ? gw_ether_find(e, &at) : NULL;
    if (has_sender && (about_us || sender != NULL))
        gw_ether_learn(e, &at, arp.sender_hw, now_ns, out);
    const uint8_t *asker =
        gw_ether_fault_answers(e, &arp, to_all, is_asked(e, &arp) ? arp.sender_hw : NULL);
    if (asker != NULL)
        answer(e, &arp, asker, out);
    return about_us || sender != NULL ? GW_ETHER_ASKED : GW_ETHER_FOREIGN;
}

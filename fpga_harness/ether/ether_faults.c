/* SPDX-License-Identifier: BSD-2-Clause */
/* What a faulty station does otherwise: hooks, each called at one place of the station's life, that
 * change nothing for a station without faults. */
#include "ether_faults.h"

#include <string.h>

#include "ether_parts.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

#define HAS(e, fault) (((e)->setup.faults & GW_ETHER_BIT(fault)) != 0)

enum {
    IPV4_HEADER = 20,
    TOS = 1, /* places in an IPv4 header */
    LENGTH = 2,
    TTL = 8,
    ARP = 28,
};

/* ---- what comes in ---- */

/* Whether |net| is what the station cannot stand. */
static bool stalls(const gw_ether *e, const gw_net *net, gw_net_status status)
{
    bool ipv4 = net->ip_version == 4;
    bool options = ipv4 && net->lower != NULL && (net->lower[0] & 0x0f) > IPV4_HEADER / 4;
    bool broken = ipv4 && (status == GW_NET_MALFORMED || status == GW_NET_TRUNCATED);

    return (HAS(e, FRAGMENT_STALLS) && status == GW_NET_FRAGMENT) ||
           (HAS(e, OPTIONS_STALL) && options) || (HAS(e, SHORT_LENGTH_STALL) && broken) ||
           (HAS(e, ETHERTYPE_STALLS) && status == GW_NET_NOT_IP &&
            net->ethertype != GW_ETHERTYPE_ARP);
}

bool gw_ether_fault_hears(gw_ether *e, const gw_net *net, gw_net_status status, size_t len)
{
    e->stalled = e->stalled || stalls(e, net, status);
    memcpy(e->last_from, net->link + 6, sizeof(e->last_from));
    e->last_len = len;
    return !e->stalled;
}

bool gw_ether_fault_takes(gw_ether *e, gw_net *net, const uint8_t *end, bool fragment)
{
    if (net->udp_checksum_zero && HAS(e, WANTS_CHECKSUM))
        return false;
    if (!fragment && HAS(e, PADDING_LEAKS)) {
        net->payload.end = end;
        net->payload_len = (uint32_t)(end - net->payload.p);
    }
    if (net->lower != NULL && net->ip_version == 4)
        e->last_tos = net->lower[TOS];
    return true;
}

/* ---- what goes out ---- */

size_t gw_ether_fault_padded(const gw_ether *e, size_t len, bool replies)
{
    size_t least = GW_ETHER_FRAME_MIN;

    if (replies && e->last_len < least && HAS(e, RUNT_MIRRORED))
        least = e->last_len;
    return len > least || HAS(e, RUNT) ? len : least;
}

void gw_ether_fault_style(const gw_ether *e, gw_ip_style *style)
{
    style->no_udp_checksum = style->no_udp_checksum && !HAS(e, UDP_CHECKSUM);
}

/* Puts options that do nothing behind the header. */
static void add_options(uint8_t *ip, size_t len)
{
    static const uint8_t nothing[GW_ETHER_EXTRA] = {1, 1, 1, 0}; /* no operation, end (RFC 791) */

    memmove(ip + IPV4_HEADER + GW_ETHER_EXTRA, ip + IPV4_HEADER, len - IPV4_HEADER);
    memcpy(ip + IPV4_HEADER, nothing, GW_ETHER_EXTRA);
    ip[0] = 0x40 | (IPV4_HEADER + GW_ETHER_EXTRA) / 4;
}

size_t gw_ether_fault_header(const gw_ether *e, uint8_t *ip, size_t len)
{
    if (HAS(e, TTL))
        ip[TTL] /= 2;
    if (HAS(e, TOS))
        ip[TOS] = 0x10;
    if (HAS(e, TOS_MIRRORED))
        ip[TOS] = e->last_tos;
    if (!HAS(e, IP_OPTIONS) && !HAS(e, IP_LENGTH))
        return len;
    memset(ip + len, 0, GW_ETHER_EXTRA);
    if (HAS(e, IP_OPTIONS))
        add_options(ip, len);
    gw_store_be(ip + LENGTH, (uint64_t)gw_load_be16(ip + LENGTH) + GW_ETHER_EXTRA, 2);
    return len + GW_ETHER_EXTRA;
}

uint16_t gw_ether_fault_sum(const gw_ether *e, uint16_t sum)
{
    return HAS(e, IP_CHECKSUM) ? sum ^ 0x0100 : sum;
}

/* ---- ARP ---- */

bool gw_ether_fault_reads(const gw_ether *e, gw_arp *arp, gw_cursor payload)
{
    enum { ETHERNET = 1 };
    uint8_t bytes[ARP];
    bool ok = gw_net_arp(arp, payload);

    if (!ok && HAS(e, ANY_HARDWARE) && (size_t)(payload.end - payload.p) >= sizeof(bytes)) {
        memcpy(bytes, payload.p, sizeof(bytes));
        gw_store_be(bytes, ETHERNET, 2);
        ok = gw_net_arp(arp, gw_cursor_over(bytes, sizeof(bytes)));
    }
    if (ok && e->last_to != 0 && arp->operation == GW_ARP_REPLY && HAS(e, ANY_REPLY))
        arp->sender_ip = e->last_to;
    return ok;
}

const uint8_t *gw_ether_fault_answers(const gw_ether *e, const gw_arp *arp, bool to_all,
                                      const uint8_t *to)
{
    bool asks = arp->operation == GW_ARP_REQUEST && !e->silent;

    if (HAS(e, ANSWERS_NOT) || (!to_all && HAS(e, DEAF_TO_ONE)))
        return NULL;
    if (asks && arp->target_ip != arp->sender_ip && HAS(e, ANSWERS_MANY))
        to = arp->sender_hw;
    return to != NULL && HAS(e, ANSWERS_ALL) ? gw_ether_broadcast : to;
}

const uint8_t *gw_ether_fault_waiting(const gw_ether *e, const gw_ether_neighbour *n)
{
    if (HAS(e, LOSES_WAITING))
        return NULL;
    return HAS(e, REPLY_IGNORED) ? e->last_from : n->mac;
}

const uint8_t *gw_ether_fault_knows(gw_ether *e, const gw_endpoint *whom,
                                    const gw_ether_neighbour *asked, const uint8_t *mac, bool *anew)
{
    if (HAS(e, ASKS_NOT) || (mac != NULL && HAS(e, REPLY_IGNORED)))
        mac = e->last_from;
    if (asked != NULL && asked->asks > 0 && HAS(e, ASKED_IS_KNOWN))
        mac = asked->mac;
    e->last_to = whom->family == GW_FAMILY_IPV4 ? gw_load_be32(whom->ip) : 0;
    *anew = mac != NULL && mac != gw_ether_broadcast && HAS(e, ASKS_ANEW);
    return mac;
}

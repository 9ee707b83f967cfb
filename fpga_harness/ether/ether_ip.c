/* SPDX-License-Identifier: BSD-2-Clause */
/* The IP and UDP headers that a station writes, and the ways to get them wrong. */
#include <string.h>

#include "ether_parts.h"
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "harness/capture.h"

enum {
    IPV4_HEADER = 20,
    TOS = 1, /* places in an IPv4 header */
    LENGTH = 2,
    ID = 4,
    TTL = 8,
    CHECKSUM = 10,
    EXTRA = 4, /* bytes that faults add */
};

void gw_ether_sum_ip(const gw_ether *e, uint8_t *ip)
{
    gw_store_be(ip + CHECKSUM, 0, 2);
    uint16_t sum = gw_inet_fold(gw_inet_sum(0, ip, (ip[0] & 0x0fu) * (size_t)4));
    if (gw_ether_faulty(e, GW_ETHER_FAULT_IP_CHECKSUM))
        sum ^= 0x0100;
    gw_store_be(ip + CHECKSUM, sum, 2);
}

/* Puts options that do nothing behind the header; returns the packet's new end. */
static size_t add_options(uint8_t *ip, uint8_t *packet, size_t len)
{
    static const uint8_t nothing[EXTRA] = {1, 1, 1, 0}; /* no operation, end (RFC 791) */
    uint8_t *rest = ip + IPV4_HEADER;

    memmove(rest + EXTRA, rest, len - (size_t)(rest - packet));
    memcpy(rest, nothing, EXTRA);
    ip[0] = 0x40 | (IPV4_HEADER + EXTRA) / 4;
    gw_store_be(ip + LENGTH, (uint64_t)gw_load_be16(ip + LENGTH) + EXTRA, 2);
    return len + EXTRA;
}

/* Lets the IP length count bytes that do not belong to the datagram. */
static size_t add_tail(uint8_t *ip, uint8_t *packet, size_t len)
{
    memset(packet + len, 0, EXTRA);
    gw_store_be(ip + LENGTH, (uint64_t)gw_load_be16(ip + LENGTH) + EXTRA, 2);
    return len + EXTRA;
}

size_t gw_ether_write_udp(gw_ether *e, const gw_endpoint *src, const gw_endpoint *to,
                          const uint8_t *data, size_t len)
{
    static const gw_ip_style usual = {.ttl = 64};
    gw_ip_style style = e->setup.style != NULL ? *e->setup.style : usual;
    uint8_t *ip = e->packet + GW_ETHER_HEADER;

    if (to->family != GW_FAMILY_IPV4)
        return 0;
    if (gw_ether_faulty(e, GW_ETHER_FAULT_UDP_CHECKSUM))
        style.no_udp_checksum = false;
    len = gw_frame_udp_styled(e->packet, sizeof(e->packet) - EXTRA, src, to, data, len, &style);
    if (len == 0)
        return 0;
    gw_store_be(ip + ID, ++e->id, 2); /* of use to fragments, and never the same twice in a row */
    if (len > GW_ETHER_FRAME_MAX)
        gw_store_be(ip + ID + 2, 0, 2);
    if (gw_ether_faulty(e, GW_ETHER_FAULT_TTL))
        ip[TTL] /= 2;
    if (gw_ether_faulty(e, GW_ETHER_FAULT_TOS))
        ip[TOS] = 0x10;
    if (gw_ether_faulty(e, GW_ETHER_FAULT_TOS_MIRRORED))
        ip[TOS] = e->last_tos;
    if (gw_ether_faulty(e, GW_ETHER_FAULT_IP_OPTIONS))
        len = add_options(ip, e->packet, len);
    if (gw_ether_faulty(e, GW_ETHER_FAULT_IP_LENGTH))
        len = add_tail(ip, e->packet, len);
    gw_ether_sum_ip(e, ip);
    return len;
}

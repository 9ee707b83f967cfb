/* SPDX-License-Identifier: BSD-2-Clause */
/* Checksums of frames that come in. */
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "harness/ether.h"

enum {
    UDP_CHECKSUM = 6, /* places in the headers */
    TCP_CHECKSUM = 16,
    UDP_HEADER = 8,
    PROTOCOL_UDP = 17,
    PROTOCOL_TCP = 6,
};

/* Whether the |len| bytes at |p|, whose checksum stands at |sum_at|, are not as they were sent. */
static bool segment_is_damaged(const gw_net *net, uint8_t protocol, const uint8_t *p, size_t len,
                               size_t sum_at)
{
    const size_t address = net->ip_version == 4 ? 4 : sizeof(net->src.ip);
    uint8_t rest[8] = {[7] = protocol};

    gw_store_be(rest, len, 4);
    uint32_t above = gw_inet_sum(gw_inet_sum(0, net->src.ip, address), net->dst.ip, address);
    above = gw_inet_sum(above, rest, sizeof(rest));
    /* What is to be completed by hardware has the sum of the pseudo header in it. A frame that was
     * handed over inside this machine still has. */
    if ((gw_load_be16(p + sum_at) ^ gw_inet_fold(above)) == UINT16_MAX)
        return false;
    return gw_inet_fold(gw_inet_sum(above, p, len)) != 0;
}

bool gw_ether_damaged(const gw_net *net, gw_net_status status)
{
    bool broken = status == GW_NET_TRUNCATED || status == GW_NET_MALFORMED;
    if (broken || net->ip_version == 0 || net->link == NULL)
        return false;
    const uint8_t *ip = net->link + net->link_len;
    if (net->ip_version == 4 && gw_inet_fold(gw_inet_sum(0, ip, (ip[0] & 0x0fu) * (size_t)4)) != 0)
        return true;
    size_t len = (size_t)(net->payload.end - net->payload.p);
    if (status != GW_NET_OK || len != net->payload_len)
        return false;
    if (net->transport == GW_OVER_TCP)
        return segment_is_damaged(net, PROTOCOL_TCP, net->payload.p - net->tcp_header,
                                  net->tcp_header + len, TCP_CHECKSUM);
    if (net->udp_checksum_zero)
        return net->ip_version == 6;
    return segment_is_damaged(net, PROTOCOL_UDP, net->payload.p - UDP_HEADER, UDP_HEADER + len,
                              UDP_CHECKSUM);
}

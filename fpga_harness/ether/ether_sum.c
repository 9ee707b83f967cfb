/* SPDX-License-Identifier: BSD-2-Clause */
/* Checksums of frames that come in. */
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "harness/ether.h"

enum {
    PROTOCOL = 9, /* places in an IPv4 header */
    SOURCE = 12,
    UDP_LENGTH = 4, /* in a UDP header */
    UDP_CHECKSUM = 6,
    UDP_HEADER = 8,
};

static bool udp_is_damaged(const uint8_t *ip, const uint8_t *udp, const uint8_t *end)
{
    const uint8_t pseudo[] = {0, ip[PROTOCOL], udp[UDP_LENGTH], udp[UDP_LENGTH + 1]};
    size_t len = gw_load_be16(udp + UDP_LENGTH);
    uint16_t sum = gw_load_be16(udp + UDP_CHECKSUM);
    uint32_t above = gw_inet_sum(gw_inet_sum(0, ip + SOURCE, 8), pseudo, sizeof(pseudo));
    if (sum == 0 || len < UDP_HEADER || len > (size_t)(end - udp))
        return false;
    /* What is to be completed by hardware has the sum of the pseudo header in it. A frame that was
     * handed over inside this machine still has. */
    if ((sum ^ gw_inet_fold(above)) == UINT16_MAX)
        return false;
    return gw_inet_fold(gw_inet_sum(above, udp, len)) != 0;
}

bool gw_ether_damaged(const gw_net *net, gw_net_status status)
{
    bool broken = status == GW_NET_TRUNCATED || status == GW_NET_MALFORMED;
    if (broken || net->ip_version != 4 || net->link == NULL)
        return false;
    const uint8_t *ip = net->link + net->link_len;
    size_t header = (ip[0] & 0x0fu) * (size_t)4;
    if (gw_inet_fold(gw_inet_sum(0, ip, header)) != 0)
        return true;
    bool udp = status == GW_NET_OK && net->transport == GW_OVER_UDP && net->lower != NULL;
    return udp && udp_is_damaged(ip, ip + header, net->payload.end);
}

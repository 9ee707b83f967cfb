/* SPDX-License-Identifier: BSD-2-Clause */
/* The IP and UDP headers that a station writes. */
#include <string.h>

#include "ether_faults.h"
#include "ether_parts.h"
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "harness/capture.h"

enum {
    ID = 4, /* places in an IPv4 header */
    CHECKSUM = 10,
};

void gw_ether_sum_ip(const gw_ether *e, uint8_t *ip)
{
    gw_store_be(ip + CHECKSUM, 0, 2);
    uint16_t sum = gw_inet_fold(gw_inet_sum(0, ip, (ip[0] & 0x0fu) * (size_t)4));
    gw_store_be(ip + CHECKSUM, gw_ether_fault_sum(e, sum), 2);
}

size_t gw_ether_write_udp(gw_ether *e, const gw_endpoint *src, const gw_endpoint *to,
                          const uint8_t *data, size_t len)
{
    static const gw_ip_style usual = {.ttl = 64};
    gw_ip_style style = e->setup.style != NULL ? *e->setup.style : usual;
    uint8_t *ip = e->packet + GW_ETHER_HEADER;

    gw_ether_fault_style(e, &style);
    len = gw_frame_udp_styled(e->packet, sizeof(e->packet) - GW_ETHER_EXTRA, src, to, data, len,
                              &style);
    if (len == 0 || to->family != GW_FAMILY_IPV4)
        return len;
    gw_store_be(ip + ID, ++e->id, 2); /* of use to fragments, and never the same twice in a row */
    if (len > GW_ETHER_FRAME_MAX)
        gw_store_be(ip + ID + 2, 0, 2);
    len = GW_ETHER_HEADER + gw_ether_fault_header(e, ip, len - GW_ETHER_HEADER);
    gw_ether_sum_ip(e, ip);
    return len;
}

size_t gw_ether_write_segment(gw_ether *e, const gw_endpoint *src, const gw_endpoint *to,
                              const gw_tcp_segment *segment)
{
    uint8_t *ip = e->packet + GW_ETHER_HEADER;
    size_t len = gw_frame_tcp_like(e->packet, sizeof(e->packet) - GW_ETHER_EXTRA, src, to, segment,
                                   e->setup.style);

    if (len == 0 || to->family != GW_FAMILY_IPV4)
        return len;
    gw_store_be(ip + ID, ++e->id, 2);
    gw_ether_sum_ip(e, ip);
    return len;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* IPv6's Neighbor Discovery: whose hardware address is asked for, and told (RFC 4861). */
#include <string.h>

#include "goldwire/checksum.h"
#include "goldwire/net.h"

enum {
    CODE = 1, /* places in a message */
    FLAGS = 4,
    TARGET = 8,
    SOLICITED = 0x40,
    SOURCE_HW = 1, /* options */
    TARGET_HW = 2,
    OPTION_UNIT = 8, /* bytes that an option's length counts */
};

/* The checksum covers a header with both addresses, the length and the protocol (RFC 8200 8.1). */
static bool is_sound(const gw_net *net, const uint8_t *p, size_t len)
{
    const uint8_t rest[] = {(uint8_t)(len >> 8), (uint8_t)len, 0, GW_PROTOCOL_ICMPV6};
    uint32_t sum = gw_inet_sum(0, net->src.ip, sizeof net->src.ip);

    sum = gw_inet_sum(sum, net->dst.ip, sizeof net->dst.ip);
    return gw_inet_fold(gw_inet_sum(gw_inet_sum(sum, rest, sizeof rest), p, len)) == 0;
}

/* False when an option has no length, or one that the message does not hold. */
static bool read_options(gw_neighbour *out, gw_cursor options)
{
    const uint8_t *p;

    while (gw_cursor_left(&options) > 0) {
        gw_cursor peek = options;
        uint8_t type, count;
        if (!gw_cursor_u8(&peek, &type) || !gw_cursor_u8(&peek, &count) || count == 0 ||
            !gw_cursor_bytes(&options, &p, (size_t)count * OPTION_UNIT))
            return false;
        if (type != (out->told ? TARGET_HW : SOURCE_HW) || count != 1)
            continue;
        memcpy(out->hw, p + 2, sizeof out->hw);
        out->has_hw = true;
    }
    return true;
}

bool gw_net_neighbour(gw_neighbour *out, const gw_net *net)
{
    gw_cursor rest = net->payload;
    const size_t len = gw_cursor_left(&rest);
    const uint8_t *p;

    memset(out, 0, sizeof *out);
    if (net->ip_version != 6 || net->protocol != GW_PROTOCOL_ICMPV6 ||
        net->ttl != GW_NEIGHBOUR_HOPS || len != net->payload_len ||
        !gw_cursor_bytes(&rest, &p, GW_NEIGHBOUR_BYTES) || p[CODE] != 0 ||
        (p[0] != GW_NEIGHBOUR_ASKS && p[0] != GW_NEIGHBOUR_TELLS) || !is_sound(net, p, len))
        return false;
    out->told = p[0] == GW_NEIGHBOUR_TELLS;
    out->solicited = out->told && (p[FLAGS] & SOLICITED) != 0;
    memcpy(out->target, p + TARGET, sizeof out->target);
    return read_options(out, rest) && out->target[0] != 0xff; /* no multicast address */
}

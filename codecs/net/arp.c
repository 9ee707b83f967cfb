/* SPDX-License-Identifier: BSD-2-Clause */
/* ARP: whose hardware address is asked for, and told. */
#include <string.h>

#include "goldwire/net.h"

enum {
    ARP_BYTES = 28,
    HARDWARE_ETHERNET = 1,
    PROTOCOL_IPV4 = 0x0800,
    LENGTHS = 0x0604, /* of a hardware and a protocol address */
};

bool gw_net_arp(gw_arp *out, gw_cursor payload)
{
    const uint8_t *p;

    if (!gw_cursor_bytes(&payload, &p, ARP_BYTES) || gw_load_be16(p) != HARDWARE_ETHERNET ||
        gw_load_be16(p + 2) != PROTOCOL_IPV4 || gw_load_be16(p + 4) != LENGTHS)
        return false;
    out->operation = gw_load_be16(p + 6);
    memcpy(out->sender_hw, p + 8, sizeof out->sender_hw);
    out->sender_ip = gw_load_be32(p + 14);
    memcpy(out->target_hw, p + 18, sizeof out->target_hw);
    out->target_ip = gw_load_be32(p + 24);
    return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses of stations. */
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "harness/ether.h"

enum { IPV4_LEN = 4 };

const uint8_t gw_ether_broadcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

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

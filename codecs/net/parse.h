/* SPDX-License-Identifier: BSD-2-Clause */
/* What link.c, ip.c and transport.c share: the bytes left of a frame, and the way to say what is
 * wrong with them. */
#ifndef GOLDWIRE_NET_PARSE_H
#define GOLDWIRE_NET_PARSE_H

#include "goldwire/net.h"

/* gw_layer is what is left of a frame: the captured bytes and how many the wire carried. The
 * captured ones are never more. */
typedef struct gw_layer {
    gw_cursor c;
    uint32_t len;
} gw_layer;

/* gw_layer_of pairs the captured bytes with their length on the wire, which a broken capture may
 * state too small. */
static inline gw_layer gw_layer_of(gw_cursor c, uint32_t len)
{
    uint32_t left = (uint32_t)gw_cursor_left(&c);
    gw_layer l = {c, len < left ? left : len};
    return l;
}

/* gw_layer_take hands out |len| captured bytes in place. False, and no move, when fewer were
 * captured. */
GW_MUST_USE static inline bool gw_layer_take(gw_layer *l, const uint8_t **out, uint32_t len)
{
    if (!gw_cursor_bytes(&l->c, out, len))
        return false;
    l->len -= len;
    return true;
}

/* gw_layer_bound drops what follows the first |len| bytes on the wire, Ethernet's padding say. */
static inline void gw_layer_bound(gw_layer *l, uint32_t len)
{
    if (len < l->len)
        l->len = len;
    gw_cursor_bound(&l->c, len);
}

/* gw_net_hand_on makes what is left the payload. Member by member, because a wide load right after
 * narrow stores waits for them. */
static inline void gw_net_hand_on(gw_net *net, const gw_layer *l)
{
    net->payload.p = l->c.p;
    net->payload.end = l->c.end;
    net->payload.base = l->c.base;
    net->payload_len = l->len;
}

/* gw_net_fault notes |text| for byte |offset| of the frame and returns |status|. */
static inline gw_net_status gw_net_fault(gw_net *net, gw_net_status status, uint32_t offset,
                                         const char *text)
{
    net->fault = text;
    net->fault_offset = offset;
    return status;
}

/* gw_net_ipv4 reads an IPv4 packet and what it carries. */
gw_net_status gw_net_ipv4(gw_net *net, gw_layer *l);

/* gw_net_ipv6 reads an IPv6 packet and what it carries. */
gw_net_status gw_net_ipv6(gw_net *net, gw_layer *l);

/* gw_net_upper reads what net->protocol says lies above IP: extension headers, then UDP or TCP.
 * |after_ipv6| tells that the IPv6 header comes right before, the one place of hop-by-hop options.
 */
gw_net_status gw_net_upper(gw_net *net, gw_layer *l, bool after_ipv6);

/* gw_net_udp reads a UDP header. */
gw_net_status gw_net_udp(gw_net *net, gw_layer *l);

/* gw_net_tcp reads a TCP header. */
gw_net_status gw_net_tcp(gw_net *net, gw_layer *l);

#endif

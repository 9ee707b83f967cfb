/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside a station: the parts that its files take from each other. */
#ifndef ETHER_ETHER_PARTS_H
#define ETHER_ETHER_PARTS_H

#include "harness/ether.h"

/* gw_ether_put pads the frame of which |len| bytes are written, an ARP reply if it |replies|, and
 * sends it. It has room for the shortest frame. */
void gw_ether_put(const gw_ether *e, uint8_t *frame, size_t len, bool replies, gw_ether_out *out);

/* gw_ether_find returns what is known of |whom|, or NULL; gw_ether_find_or_add lets it take the
 * place of whom was not asked about for the longest time. */
gw_ether_neighbour *gw_ether_find(gw_ether *e, const gw_endpoint *whom);
gw_ether_neighbour *gw_ether_find_or_add(gw_ether *e, const gw_endpoint *whom);

/* gw_ether_ask_by_arp asks for |whom|, IPv4; gw_ether_solicit for |whom|, IPv6. */
void gw_ether_ask_by_arp(const gw_ether *e, const gw_endpoint *whom, gw_ether_out *out);
void gw_ether_solicit(const gw_ether *e, const gw_endpoint *whom, gw_ether_out *out);

/* gw_ether_is_group says whether |mac| is that of a group of IPv6 that the station belongs to. */
bool gw_ether_is_group(const gw_ether *e, const uint8_t mac[6]);

/* gw_ether_take_nd takes the packet of Neighbor Discovery that |net| was read of, if it is one. */
gw_ether_kind gw_ether_take_nd(gw_ether *e, const gw_net *net, int64_t now_ns, gw_ether_out *out);

/* gw_ether_take_arp takes the ARP packet that |net| was read of. */
gw_ether_kind gw_ether_take_arp(gw_ether *e, const gw_net *net, int64_t now_ns, gw_ether_out *out);

/* gw_ether_write_udp writes a datagram from |src| to |to| into e->packet, room for the Ethernet
 * header before it, and returns where it ends; 0 when it is too long. */
size_t gw_ether_write_udp(gw_ether *e, const gw_endpoint *src, const gw_endpoint *to,
                          const uint8_t *data, size_t len);

/* gw_ether_write_segment does so with a TCP segment. */
size_t gw_ether_write_segment(gw_ether *e, const gw_endpoint *src, const gw_endpoint *to,
                              const gw_tcp_segment *segment);

/* gw_ether_sum_ip fills in the checksum of the IPv4 header |ip|. */
void gw_ether_sum_ip(const gw_ether *e, uint8_t *ip);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP (RFC 768, RFC 2675) and TCP (RFC 9293) headers. */
#include "net/headers.h"
#include "parse.h"

gw_net_status gw_net_udp(gw_net *net, gw_layer *l)
{
    const uint32_t at = gw_cursor_offset(&l->c);
    const uint32_t on_wire = l->len;
    const uint8_t *h;

    if (l->len < GW_UDP_HEADER)
        return gw_net_fault(net, GW_NET_MALFORMED, at,
                            "UDP header: 8 bytes within the IP payload expected");
    if (!gw_layer_take(l, &h, GW_UDP_HEADER))
        return gw_net_fault(net, GW_NET_TRUNCATED, at, "UDP header: 8 bytes expected");
    net->transport = GW_OVER_UDP;
    if (net->lower != NULL && (size_t)(h - net->lower) <= UINT16_MAX - (size_t)GW_UDP_HEADER)
        net->lower_len = (uint16_t)(h + GW_UDP_HEADER - net->lower);
    else
        net->lower = NULL;
    net->src.port = gw_load_be16(h + GW_UDP_SRC);
    net->dst.port = gw_load_be16(h + GW_UDP_DST);
    net->udp_checksum_zero = gw_load_be16(h + GW_UDP_CHECKSUM) == 0;

    uint32_t len = gw_load_be16(h + GW_UDP_LENGTH);
    if (len == 0 && on_wire > 65535 && net->ip_version == 6)
        len = on_wire; /* only IPv6 jumbograms are that long */
    if (len == 0)
        return gw_net_fault(net, GW_NET_MALFORMED, at + GW_UDP_LENGTH,
                            "UDP length: 0 is allowed in an IPv6 jumbogram only, "
                            "at least 8 expected");
    if (len < GW_UDP_HEADER)
        return gw_net_fault(net, GW_NET_MALFORMED, at + GW_UDP_LENGTH,
                            "UDP length: at least 8 expected");
    if (len > on_wire)
        return gw_net_fault(net, GW_NET_MALFORMED, at + GW_UDP_LENGTH,
                            "UDP length: no more than the IP payload expected");
    gw_layer_bound(l, len - GW_UDP_HEADER);
    gw_net_hand_on(net, l);
    return GW_NET_OK;
}

/* The largest segment that the sender of a SYN takes (RFC 9293 3.7.1); 0: it does not say. */
static uint16_t segment_option(gw_cursor options)
{
    enum { END = 0, NOTHING = 1, SEGMENT = 2, SEGMENT_BYTES = 4 };
    uint8_t kind, len;
    uint16_t segment;

    while (gw_cursor_u8(&options, &kind) && kind != END) {
        if (kind == NOTHING)
            continue;
        if (!gw_cursor_u8(&options, &len) || len < 2)
            return 0;
        if (kind == SEGMENT && len == SEGMENT_BYTES)
            return gw_cursor_be16(&options, &segment) ? segment : 0;
        if (!gw_cursor_skip(&options, len - (size_t)2))
            return 0;
    }
    return 0;
}

gw_net_status gw_net_tcp(gw_net *net, gw_layer *l)
{
    const uint32_t at = gw_cursor_offset(&l->c);
    const uint32_t on_wire = l->len;
    const uint8_t *h;
    gw_cursor options;

    if (l->len < 20)
        return gw_net_fault(net, GW_NET_MALFORMED, at,
                            "TCP header: 20 bytes within the IP payload expected");
    if (!gw_layer_take(l, &h, 20))
        return gw_net_fault(net, GW_NET_TRUNCATED, at, "TCP header: 20 bytes expected");
    net->transport = GW_OVER_TCP;
    net->src.port = gw_load_be16(h);
    net->dst.port = gw_load_be16(h + 2);
    net->tcp_seq = gw_load_be32(h + 4);
    net->tcp_ack = gw_load_be32(h + 8);
    net->tcp_flags = h[13];
    net->tcp_window = gw_load_be16(h + 14);

    uint32_t header_len = (h[12] >> 4) * 4u;
    if (header_len < 20)
        return gw_net_fault(net, GW_NET_MALFORMED, at + 12,
                            "TCP data offset: at least 5 words expected");
    if (header_len > on_wire)
        return gw_net_fault(net, GW_NET_MALFORMED, at + 12,
                            "TCP data offset: no more than the IP payload expected");
    if (!gw_cursor_sub(&l->c, &options, header_len - 20))
        return gw_net_fault(net, GW_NET_TRUNCATED, at + 20,
                            "TCP options: as many bytes as the data offset says expected");
    l->len -= header_len - 20;
    net->tcp_header = (uint16_t)header_len;
    if ((net->tcp_flags & GW_TCP_SYN) != 0)
        net->tcp_mss = segment_option(options);
    gw_net_hand_on(net, l);
    return GW_NET_OK;
}

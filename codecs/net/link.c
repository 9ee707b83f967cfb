/* SPDX-License-Identifier: BSD-2-Clause */
/* Link layers: from the first byte of a frame to its IP header. */
#include "parse.h"

enum {
    ETHERTYPE_IPV4 = 0x0800,
    ETHERTYPE_VLAN = 0x8100, /* 802.1Q */
    ETHERTYPE_QINQ = 0x88a8, /* 802.1ad */
    ETHERTYPE_OLD_QINQ = 0x9100,
};

/* Older writers number raw IP by their system's DLT value. */
enum {
    LINK_RAW_BSD = 12,
    LINK_RAW_OPENBSD = 14,
};

static bool is_vlan(uint32_t type)
{
    return type == ETHERTYPE_VLAN || type == ETHERTYPE_QINQ || type == ETHERTYPE_OLD_QINQ;
}

static gw_net_status not_ip(gw_net *net, uint32_t type)
{
    net->ethertype = type;
    return GW_NET_NOT_IP;
}

/* Lengths of 802.3 frames are no EtherTypes and end up as not IP. */
static gw_net_status by_ethertype(gw_net *net, gw_layer *l, uint32_t type)
{
    while (is_vlan(type)) {
        const uint8_t *tag;
        if (!gw_layer_take(l, &tag, 4))
            return gw_net_fault(net, GW_NET_TRUNCATED, gw_cursor_offset(&l->c),
                                "VLAN tag: 4 bytes expected");
        if (net->num_vlans < GW_MESSAGE_VLANS)
            net->vlans[net->num_vlans++] = gw_load_be16(tag) & 0x0fff;
        type = gw_load_be16(tag + 2);
    }
    if (net->link != NULL)
        net->link_len = (uint16_t)(l->c.p - net->link);
    if (type == ETHERTYPE_IPV4)
        return gw_net_ipv4(net, l);
    if (type == GW_ETHERTYPE_IPV6)
        return gw_net_ipv6(net, l);
    if (net->link != NULL)
        gw_net_hand_on(net, l);
    return not_ip(net, type);
}

static gw_net_status ethernet(gw_net *net, gw_layer *l)
{
    const uint8_t *h;
    if (!gw_layer_take(l, &h, 14))
        return gw_net_fault(net, GW_NET_TRUNCATED, gw_cursor_offset(&l->c),
                            "Ethernet header: 14 bytes expected");
    net->link = h;
    return by_ethertype(net, l, gw_load_be16(h + 12));
}

static gw_net_status cooked_v1(gw_net *net, gw_layer *l)
{
    const uint8_t *h;
    if (!gw_layer_take(l, &h, 16))
        return gw_net_fault(net, GW_NET_TRUNCATED, gw_cursor_offset(&l->c),
                            "Linux cooked header: 16 bytes expected");
    return by_ethertype(net, l, gw_load_be16(h + 14));
}

static gw_net_status cooked_v2(gw_net *net, gw_layer *l)
{
    const uint8_t *h;
    if (!gw_layer_take(l, &h, 20))
        return gw_net_fault(net, GW_NET_TRUNCATED, gw_cursor_offset(&l->c),
                            "Linux cooked v2 header: 20 bytes expected");
    return by_ethertype(net, l, gw_load_be16(h));
}

/* The BSDs agree on the number of IPv4 and on none other. */
static gw_net_status by_family(gw_net *net, gw_layer *l, uint32_t family)
{
    switch (family) {
    case 2:
        return gw_net_ipv4(net, l);
    case 24: /* NetBSD, OpenBSD, Npcap */
    case 28: /* FreeBSD */
    case 30: /* Darwin */
        return gw_net_ipv6(net, l);
    default:
        return not_ip(net, family);
    }
}

/* The family's byte order is the capturing machine's, of which the frame does not tell; families
 * are small numbers, so the order that makes it small is right. */
static gw_net_status loopback(gw_net *net, gw_layer *l, bool host_order)
{
    const uint8_t *h;
    if (!gw_layer_take(l, &h, 4))
        return gw_net_fault(net, GW_NET_TRUNCATED, gw_cursor_offset(&l->c),
                            "loopback address family: 4 bytes expected");
    uint32_t family = gw_load_be32(h);
    if (host_order && family > 0xffff)
        family = gw_load_le32(h);
    return by_family(net, l, family);
}

static gw_net_status raw_ip(gw_net *net, gw_layer *l)
{
    gw_cursor peek = l->c;
    uint8_t first;
    if (!gw_cursor_u8(&peek, &first))
        return gw_net_fault(net, GW_NET_TRUNCATED, gw_cursor_offset(&l->c),
                            "IP header: at least 20 bytes expected");
    if (first >> 4 == 4)
        return gw_net_ipv4(net, l);
    if (first >> 4 == 6)
        return gw_net_ipv6(net, l);
    return gw_net_fault(net, GW_NET_MALFORMED, gw_cursor_offset(&l->c),
                        "IP version: 4 or 6 expected");
}

/* In two halves, which compilers turn into plain stores; of the whole they make a string
 * instruction that takes as long as the rest of the parser. */
static void clear(gw_net *net)
{
    const size_t half = offsetof(gw_net, payload_len);
    memset(net, 0, half);
    memset((uint8_t *)net + half, 0, sizeof *net - half);
}

gw_net_status gw_net_parse(gw_net *out, unsigned link_type, gw_cursor frame, uint32_t orig_len)
{
    gw_layer l = gw_layer_of(frame, orig_len);

    clear(out);
    out->payload = (gw_cursor){frame.end, frame.end, frame.base};
    switch (link_type) {
    case GW_LINK_ETHERNET:
        return ethernet(out, &l);
    case GW_LINK_SLL:
        return cooked_v1(out, &l);
    case GW_LINK_SLL2:
        return cooked_v2(out, &l);
    case GW_LINK_RAW:
    case LINK_RAW_BSD:
    case LINK_RAW_OPENBSD:
        return raw_ip(out, &l);
    case GW_LINK_IPV4:
        return gw_net_ipv4(out, &l);
    case GW_LINK_IPV6:
        return gw_net_ipv6(out, &l);
    case GW_LINK_NULL:
        return loopback(out, &l, true);
    case GW_LINK_LOOP:
        return loopback(out, &l, false);
    default:
        return GW_NET_UNKNOWN_LINK;
    }
}

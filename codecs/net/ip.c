/* SPDX-License-Identifier: BSD-2-Clause */
/* IPv4 (RFC 791) and IPv6 (RFC 8200) with its extension headers. */
#include "net/headers.h"
#include "parse.h"

/* Protocol and next-header numbers (IANA). */
enum {
    PROTO_HOP_BY_HOP = 0,
    PROTO_TCP = 6,
    PROTO_UDP = 17,
    PROTO_ROUTING = 43,
    PROTO_FRAGMENT = 44,
    PROTO_AH = 51,
    PROTO_DESTINATION = 60,
};

#define MAX_PACKET 65535u

/* What the checks on fragments need to name their fields. */
typedef struct fragment_texts {
    const char *too_long;
    const char *not_eighths;
} fragment_texts;

/* Hands the fragment's bytes on. |at| is the field of its flags and offset, |limit| the most that a
 * whole datagram can carry. */
static gw_net_status fragment(gw_net *net, gw_layer *l, uint32_t at, uint32_t limit,
                              const fragment_texts *texts)
{
    if (l->len > limit || net->fragment_offset > limit - l->len)
        return gw_net_fault(net, GW_NET_MALFORMED, at, texts->too_long);
    if (net->more_fragments && (l->len == 0 || l->len % 8 != 0))
        return gw_net_fault(net, GW_NET_MALFORMED, at, texts->not_eighths);
    gw_net_hand_on(net, l);
    return GW_NET_FRAGMENT;
}

static void ipv4_facts(gw_net *net, const uint8_t *h)
{
    net->ip_version = 4;
    net->ttl = h[GW_IPV4_TTL];
    net->protocol = h[GW_IPV4_PROTOCOL];
    net->src.family = GW_FAMILY_IPV4;
    net->dst.family = GW_FAMILY_IPV4;
    memcpy(net->src.ip, h + GW_IPV4_SRC, 4);
    memcpy(net->dst.ip, h + GW_IPV4_DST, 4);
    net->fragment_id = gw_load_be16(h + GW_IPV4_ID);
    net->more_fragments = (h[GW_IPV4_FRAGMENT] & 0x20) != 0;
    net->fragment_offset = (gw_load_be16(h + GW_IPV4_FRAGMENT) & 0x1fffu) * 8;
}

gw_net_status gw_net_ipv4(gw_net *net, gw_layer *l)
{
    static const fragment_texts texts = {
        "IPv4 fragment offset: the datagram would exceed 65535 bytes",
        "IPv4 total length: of a fragment with more to come, a multiple of 8 payload bytes "
        "expected",
    };
    const uint32_t at = gw_cursor_offset(&l->c);
    const uint32_t on_wire = l->len;
    const uint8_t *h;
    const uint8_t *options;

    if (!gw_layer_take(l, &h, GW_IPV4_HEADER))
        return gw_net_fault(net, GW_NET_TRUNCATED, at, "IPv4 header: 20 bytes expected");
    if (h[GW_IPV4_VERSION] >> 4 != 4)
        return gw_net_fault(net, GW_NET_MALFORMED, at, "IPv4 version: 4 expected");
    ipv4_facts(net, h);
    net->lower = h;

    uint32_t header_len = (h[GW_IPV4_VERSION] & 0x0fu) * 4;
    uint32_t total_len = gw_load_be16(h + GW_IPV4_LENGTH);
    if (total_len == 0 && net->protocol == PROTO_TCP)
        total_len = on_wire; /* a segment captured before the card cut it to size has no length */
    if (header_len < GW_IPV4_HEADER)
        return gw_net_fault(net, GW_NET_MALFORMED, at,
                            "IPv4 header length: at least 5 words expected");
    if (total_len < header_len)
        return gw_net_fault(net, GW_NET_MALFORMED, at + GW_IPV4_LENGTH,
                            "IPv4 total length: at least the header's length expected");
    if (total_len > on_wire)
        return gw_net_fault(net, GW_NET_MALFORMED, at + GW_IPV4_LENGTH,
                            "IPv4 total length: no more than the frame carries expected");
    if (!gw_layer_take(l, &options, header_len - GW_IPV4_HEADER))
        return gw_net_fault(net, GW_NET_TRUNCATED, at + GW_IPV4_HEADER,
                            "IPv4 options: as many bytes as the header length says expected");
    gw_layer_bound(l, total_len - header_len);

    if (net->more_fragments || net->fragment_offset != 0)
        return fragment(net, l, at + GW_IPV4_FRAGMENT, MAX_PACKET - header_len, &texts);
    return gw_net_upper(net, l, false);
}

/* Finds the jumbo payload length (RFC 2675) in the hop-by-hop options that |l| starts with. The
 * length counts from there. */
static gw_net_status jumbo_len(gw_net *net, const gw_layer *l, uint32_t at, uint32_t *out)
{
    gw_cursor rest = l->c;
    gw_cursor options = l->c;
    uint8_t next, words;

    if (!gw_cursor_u8(&options, &next) || !gw_cursor_u8(&options, &words) ||
        !gw_cursor_sub(&rest, &options, (words + (size_t)1) * 8) || !gw_cursor_skip(&options, 2))
        return gw_net_fault(net, GW_NET_TRUNCATED, gw_cursor_offset(&l->c),
                            "IPv6 hop-by-hop options: as many bytes as their length says expected");
    for (;;) {
        uint8_t type, len;
        if (!gw_cursor_u8(&options, &type))
            break;
        if (type == 0) /* Pad1 has no length */
            continue;
        if (!gw_cursor_u8(&options, &len))
            break;
        if (type == 0xc2 && len == 4 && gw_cursor_be32(&options, out)) {
            if (*out > MAX_PACKET)
                return GW_NET_OK;
            return gw_net_fault(net, GW_NET_MALFORMED, gw_cursor_offset(&options) - 4,
                                "IPv6 jumbo payload length: more than 65535 expected");
        }
        if (!gw_cursor_skip(&options, len))
            break;
    }
    return gw_net_fault(net, GW_NET_MALFORMED, at + 4,
                        "IPv6 payload length: not 0 without a jumbo payload option expected");
}

gw_net_status gw_net_ipv6(gw_net *net, gw_layer *l)
{
    const uint32_t at = gw_cursor_offset(&l->c);
    const uint8_t *h;

    if (!gw_layer_take(l, &h, 40))
        return gw_net_fault(net, GW_NET_TRUNCATED, at, "IPv6 header: 40 bytes expected");
    if (h[0] >> 4 != 6)
        return gw_net_fault(net, GW_NET_MALFORMED, at, "IPv6 version: 6 expected");
    net->ip_version = 6;
    net->lower = h;
    net->protocol = h[6];
    net->ttl = h[7];
    net->src.family = GW_FAMILY_IPV6;
    net->dst.family = GW_FAMILY_IPV6;
    memcpy(net->src.ip, h + 8, 16);
    memcpy(net->dst.ip, h + 24, 16);

    uint32_t payload_len = gw_load_be16(h + 4);
    if (payload_len == 0 && net->protocol == PROTO_TCP)
        payload_len = l->len; /* as with IPv4's total length */
    if (payload_len == 0 && net->protocol == PROTO_HOP_BY_HOP) {
        gw_net_status status = jumbo_len(net, l, at, &payload_len);
        if (status != GW_NET_OK)
            return status;
    }
    if (payload_len > l->len)
        return gw_net_fault(net, GW_NET_MALFORMED, at + 4,
                            "IPv6 payload length: no more than the frame carries expected");
    gw_layer_bound(l, payload_len);
    return gw_net_upper(net, l, true);
}

/* Takes the extension header of |len| bytes that |l| starts with. */
static gw_net_status extension(gw_net *net, gw_layer *l, const uint8_t **out, uint32_t len)
{
    if (l->len < len)
        return gw_net_fault(net, GW_NET_MALFORMED, gw_cursor_offset(&l->c),
                            "IP extension header: an end within the payload length expected");
    if (!gw_layer_take(l, out, len))
        return gw_net_fault(net, GW_NET_TRUNCATED, gw_cursor_offset(&l->c),
                            "IP extension header: as many bytes as its length says expected");
    return GW_NET_OK;
}

/* Steps over an extension header whose second byte tells its length: |first| bytes and |unit| more
 * for each count. */
static gw_net_status step(gw_net *net, gw_layer *l, uint32_t first, uint32_t unit)
{
    gw_layer peek = *l;
    const uint8_t *h;
    gw_net_status status = extension(net, &peek, &h, 2);
    if (status == GW_NET_OK)
        status = extension(net, l, &h, first + unit * h[1]);
    if (status == GW_NET_OK)
        net->protocol = h[0];
    return status;
}

/* Reads a fragment header. GW_NET_OK stands for one that holds a whole datagram (RFC 6946). */
static gw_net_status fragment_header(gw_net *net, gw_layer *l)
{
    static const fragment_texts texts = {
        "IPv6 fragment offset: the datagram would exceed 65535 bytes",
        "IPv6 payload length: of a fragment with more to come, a multiple of 8 bytes expected",
    };
    const uint32_t at = gw_cursor_offset(&l->c);
    const uint8_t *h;
    gw_net_status status = extension(net, l, &h, 8);
    if (status != GW_NET_OK)
        return status;
    net->protocol = h[0];
    net->more_fragments = (h[3] & 1) != 0;
    net->fragment_offset = gw_load_be16(h + 2) & 0xfff8u;
    net->fragment_id = gw_load_be32(h + 4);
    if (!net->more_fragments && net->fragment_offset == 0)
        return GW_NET_OK;
    return fragment(net, l, at + 2, MAX_PACKET, &texts);
}

/* One extension header. GW_NET_OK: stepped over; GW_NET_OTHER_IP: it is none. */
static gw_net_status next_header(gw_net *net, gw_layer *l, bool after_ipv6)
{
    if (net->protocol == PROTO_AH) /* of IPv4 as well */
        return step(net, l, 8, 4);
    if (net->ip_version != 6)
        return GW_NET_OTHER_IP;
    switch (net->protocol) {
    case PROTO_HOP_BY_HOP:
        if (!after_ipv6)
            return gw_net_fault(net, GW_NET_MALFORMED, gw_cursor_offset(&l->c),
                                "IPv6 hop-by-hop options: right after the IPv6 header expected");
        return step(net, l, 8, 8);
    case PROTO_ROUTING:
    case PROTO_DESTINATION:
        return step(net, l, 8, 8);
    case PROTO_FRAGMENT:
        return fragment_header(net, l);
    default:
        return GW_NET_OTHER_IP;
    }
}

gw_net_status gw_net_upper(gw_net *net, gw_layer *l, bool after_ipv6)
{
    while (net->protocol != PROTO_UDP && net->protocol != PROTO_TCP) {
        gw_net_status status = next_header(net, l, after_ipv6);
        if (status == GW_NET_OTHER_IP)
            gw_net_hand_on(net, l);
        if (status != GW_NET_OK)
            return status;
        after_ipv6 = false;
    }
    return net->protocol == PROTO_UDP ? gw_net_udp(net, l) : gw_net_tcp(net, l);
}

gw_net_status gw_net_parse_transport(gw_net *net, gw_cursor payload, uint32_t payload_len)
{
    gw_layer l = gw_layer_of(payload, payload_len);

    net->fault = NULL;
    net->fault_offset = 0;
    net->payload = (gw_cursor){payload.end, payload.end, payload.base};
    net->payload_len = 0;
    net->lower = NULL;
    net->lower_len = 0;
    net->link = NULL;
    net->link_len = 0;
    gw_net_status status = gw_net_upper(net, &l, false);
    if (status != GW_NET_FRAGMENT)
        return status;
    return gw_net_fault(net, GW_NET_MALFORMED, gw_cursor_offset(&net->payload) - 8,
                        "IPv6 fragment header: none inside a reassembled datagram expected");
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* A station's life: what comes in, and whose turn it is. */
#include "harness/ether.h"

#include <string.h>

#include "ether_faults.h"
#include "ether_parts.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

enum {
    MTU = GW_ETHER_FRAME_MAX - GW_ETHER_HEADER,
    IPV6_HEADER = 40,
    IPV6_LENGTH = 4, /* places in an IPv6 header */
    IPV6_NEXT = 6,
    FRAGMENT = 44, /* the header of a fragment of IPv6 */
    FRAGMENT_HEADER = 8,
};

void gw_ether_init(gw_ether *e, const gw_ether_setup *setup)
{
    memset(e, 0, sizeof(*e));
    e->setup = *setup;
}

/* ---- frames that come in ---- */

/* Whether the frame |net| was read of is meant for this station's IP address. */
static bool is_for_us(const gw_ether *e, const gw_net *net)
{
    return gw_ether_same(&net->dst, &e->setup.at);
}

/* Puts fragments together; true when |net| has become a whole datagram. */
static bool assemble(gw_ether *e, gw_net *net, int64_t now_ns)
{
    uint64_t frames[GW_MESSAGE_FRAMES];
    uint32_t num_frames;

    return e->setup.defrag != NULL &&
           gw_defrag_add(e->setup.defrag, net, e->num_frames, now_ns, frames, &num_frames) ==
               GW_DEFRAG_COMPLETE &&
           gw_net_parse_transport(net, net->payload, net->payload_len) == GW_NET_OK;
}

static gw_ether_kind take_ip(gw_ether *e, gw_net *net, gw_net_status status, const uint8_t *end,
                             int64_t now_ns, gw_ether_out *out)
{
    bool fragment = status == GW_NET_FRAGMENT;

    if (status == GW_NET_OTHER_IP && net->protocol == GW_PROTOCOL_ICMPV6)
        return gw_ether_take_nd(e, net, now_ns, out);
    if (!is_for_us(e, net))
        return GW_ETHER_FOREIGN;
    if (e->setup.verifies && gw_ether_damaged(net, status))
        return GW_ETHER_BAD;
    if (fragment ? !assemble(e, net, now_ns) : status != GW_NET_OK)
        return fragment ? GW_ETHER_FRAGMENT : GW_ETHER_BAD;
    if (net->transport == GW_OVER_TCP && out->segment != NULL) {
        out->segment(out, net);
        return GW_ETHER_SEGMENT;
    }
    if (net->transport != GW_OVER_UDP)
        return GW_ETHER_FOREIGN;
    if (!gw_ether_fault_takes(e, net, end, fragment))
        return GW_ETHER_BAD;
    out->datagram(out, net);
    return GW_ETHER_DATAGRAM;
}

gw_ether_kind gw_ether_receive(gw_ether *e, const uint8_t *frame, size_t len, int64_t now_ns,
                               gw_ether_out *out)
{
    gw_net net = {0};
    gw_net_status status = gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(frame, len),
                                        len < UINT32_MAX ? (uint32_t)len : UINT32_MAX);
    bool ours = net.link != NULL &&
                (memcmp(net.link, e->setup.mac, 6) == 0 ||
                 memcmp(net.link, gw_ether_broadcast, 6) == 0 || gw_ether_is_group(e, net.link));

    e->num_frames++;
    if (!ours || net.num_vlans > 0)
        return GW_ETHER_FOREIGN;
    if (!gw_ether_fault_hears(e, &net, status, len))
        return GW_ETHER_BAD;
    if (status == GW_NET_NOT_IP && net.ethertype == GW_ETHERTYPE_ARP)
        return gw_ether_take_arp(e, &net, now_ns, out);
    return take_ip(e, &net, status, frame + len, now_ns, out);
}

/* ---- frames that go out ---- */

void gw_ether_put(const gw_ether *e, uint8_t *frame, size_t len, bool replies, gw_ether_out *out)
{
    size_t whole = gw_ether_fault_padded(e, len, replies);

    if (whole > len)
        memset(frame + len, 0, whole - len);
    out->frame(out, frame, whole);
}

static void put_piece(gw_ether *e, size_t len, gw_ether_out *out)
{
    if (len < GW_ETHER_FRAME_MIN) {
        memset(e->piece + len, 0, GW_ETHER_FRAME_MIN - len);
        len = GW_ETHER_FRAME_MIN;
    }
    out->frame(out, e->piece, len);
}

/* Cuts the packet in e->packet, whose IP part ends at |len|, into frames. */
static void send_pieces(gw_ether *e, size_t len, gw_ether_out *out)
{
    enum { FLAGS = 6, MORE = 0x2000 };
    size_t ip = GW_ETHER_HEADER, header = (e->packet[ip] & 0x0fu) * (size_t)4;
    size_t room = (MTU - header) / 8 * 8, rest = len - ip - header;

    for (size_t at = 0; at < rest; at += room) {
        size_t part = rest - at < room ? rest - at : room;
        uint8_t *h = e->piece + ip;
        memcpy(e->piece, e->packet, ip + header);
        memcpy(h + header, e->packet + ip + header + at, part);
        gw_store_be(h + 2, header + part, 2);
        gw_store_be(h + FLAGS, at / 8 | (at + part < rest ? (size_t)MORE : 0), 2);
        gw_ether_sum_ip(e, h);
        put_piece(e, ip + header + part, out);
    }
}

/* Does so with one of IPv6, which has a header of its own for that (RFC 8200 4.5). */
static void send_pieces6(gw_ether *e, size_t len, gw_ether_out *out)
{
    const size_t headers = GW_ETHER_HEADER + IPV6_HEADER;
    const size_t room = (size_t)(MTU - IPV6_HEADER - FRAGMENT_HEADER) / 8 * 8;
    const size_t rest = len - headers;

    e->id++;
    for (size_t at = 0; at < rest; at += room) {
        size_t part = rest - at < room ? rest - at : room;
        uint8_t *h = e->piece + GW_ETHER_HEADER;
        uint8_t *fragment = h + IPV6_HEADER;
        memcpy(e->piece, e->packet, headers);
        gw_store_be(h + IPV6_LENGTH, FRAGMENT_HEADER + part, 2);
        h[IPV6_NEXT] = FRAGMENT;
        gw_store_be(fragment, (uint64_t)e->packet[GW_ETHER_HEADER + IPV6_NEXT] << 8, 2);
        gw_store_be(fragment + 2, at | (at + part < rest), 2);
        gw_store_be(fragment + 4, e->id, 4);
        memcpy(fragment + FRAGMENT_HEADER, e->packet + headers + at, part);
        put_piece(e, headers + FRAGMENT_HEADER + part, out);
    }
}

bool gw_ether_send_to(gw_ether *e, const uint8_t mac[6], uint16_t from, const gw_endpoint *to,
                      const uint8_t *data, size_t len, gw_ether_out *out)
{
    gw_endpoint src = e->setup.at;

    src.port = from;
    len = gw_ether_write_udp(e, &src, to, data, len);
    if (len == 0)
        return false;
    memcpy(e->packet, mac, 6);
    memcpy(e->packet + 6, e->setup.mac, 6);
    if (len <= GW_ETHER_FRAME_MAX)
        gw_ether_put(e, e->packet, len, false, out);
    else if (to->family == GW_FAMILY_IPV6)
        send_pieces6(e, len, out);
    else
        send_pieces(e, len, out);
    return true;
}

void gw_ether_send_segment(gw_ether *e, const uint8_t mac[6], uint16_t from, const gw_endpoint *to,
                           const gw_tcp_segment *segment, gw_ether_out *out)
{
    gw_endpoint src = e->setup.at;

    src.port = from;
    size_t len = gw_ether_write_segment(e, &src, to, segment);
    if (len == 0 || len > GW_ETHER_FRAME_MAX)
        return;
    memcpy(e->packet, mac, 6);
    memcpy(e->packet + 6, e->setup.mac, 6);
    gw_ether_put(e, e->packet, len, false, out);
}

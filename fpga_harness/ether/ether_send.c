/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that a station sends, to a neighbour that is known. */
#include <string.h>

#include "ether_faults.h"
#include "ether_parts.h"
#include "goldwire/writer.h"

enum {
    MTU = GW_ETHER_FRAME_MAX - GW_ETHER_HEADER,
    IPV6_HEADER = 40,
    IPV6_LENGTH = 4, /* places in an IPv6 header */
    IPV6_NEXT = 6,
    FRAGMENT = 44, /* the header of a fragment of IPv6 */
    FRAGMENT_HEADER = 8,
};

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

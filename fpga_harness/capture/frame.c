/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames around payloads: what went through a socket is recorded as it would look on a wire. */
#include "goldwire/checksum.h"
#include "goldwire/writer.h"
#include "harness/capture.h"

#define ETHERNET_HEADER 14
#define IPV4_HEADER 20
#define IPV6_HEADER 40
#define UDP_HEADER 8
#define TCP_HEADER 20
#define SEGMENT_OPTION 4
#define ETHERTYPE_IPV4 0x0800
#define ETHERTYPE_IPV6 0x86dd
#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17
#define DO_NOT_FRAGMENT 0x4000

/* What a host's sockets send. */
static const gw_ip_style usual = {.ttl = 64};

static size_t address_len(const gw_endpoint *end)
{
    return end->family == GW_FAMILY_IPV4 ? 4 : 16;
}

/* A locally administered address that ends as the IP address does. */
static void write_mac(gw_writer *w, const gw_endpoint *end)
{
    gw_write_be(w, 0x0200, 2);
    gw_write_bytes(w, end->ip + address_len(end) - 4, 4);
}

static void write_ipv4(gw_writer *w, const gw_endpoint *src, const gw_endpoint *dst,
                       uint8_t protocol, size_t segment_len, const gw_ip_style *style)
{
    const size_t start = w->len;

    gw_write_be(w, 0x4500, 2);
    gw_write_be(w, IPV4_HEADER + segment_len, 2);
    gw_write_be(w, 0, 2); /* identification: of use to fragments only */
    gw_write_be(w, style->may_fragment ? 0 : DO_NOT_FRAGMENT, 2);
    gw_write_be(w, style->ttl, 1);
    gw_write_be(w, protocol, 1);
    gw_write_be(w, 0, 2); /* checksum */
    gw_write_bytes(w, src->ip, 4);
    gw_write_bytes(w, dst->ip, 4);
    const uint32_t sum = gw_inet_sum(0, w->buf + start, IPV4_HEADER);
    gw_store_be(w->buf + start + 10, gw_inet_fold(sum), 2);
}

static void write_ipv6(gw_writer *w, const gw_endpoint *src, const gw_endpoint *dst,
                       uint8_t protocol, size_t segment_len, const gw_ip_style *style)
{
    gw_write_be(w, 0x60000000, 4);
    gw_write_be(w, segment_len, 2);
    gw_write_be(w, protocol, 1);
    gw_write_be(w, style->ttl, 1);
    gw_write_bytes(w, src->ip, 16);
    gw_write_bytes(w, dst->ip, 16);
}

/* Begins a frame whose UDP or TCP part has |segment_len| bytes. False when it does not fit into
 * |w|, or into IP. */
static bool write_lower_layers(gw_writer *w, const gw_endpoint *src, const gw_endpoint *dst,
                               uint8_t protocol, size_t segment_len, const gw_ip_style *style)
{
    const bool v4 = src->family == GW_FAMILY_IPV4;
    const size_t headers = ETHERNET_HEADER + (v4 ? IPV4_HEADER : IPV6_HEADER);

    if (src->family != dst->family || (!v4 && src->family != GW_FAMILY_IPV6))
        return false;
    if (segment_len > UINT16_MAX - (v4 ? (size_t)IPV4_HEADER : 0))
        return false;
    if (w->cap < headers || w->cap - headers < segment_len)
        return false;
    write_mac(w, dst);
    write_mac(w, src);
    gw_write_be(w, v4 ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6, 2);
    if (v4)
        write_ipv4(w, src, dst, protocol, segment_len, style);
    else
        write_ipv6(w, src, dst, protocol, segment_len, style);
    return true;
}

/* The checksum of a UDP or TCP part over its pseudo-header (RFC 768, RFC 8200 8.1). */
static uint16_t segment_checksum(const gw_endpoint *src, const gw_endpoint *dst, uint8_t protocol,
                                 const uint8_t *segment, size_t len)
{
    uint8_t pseudo[40];
    gw_writer w = gw_writer_over(pseudo, sizeof(pseudo));

    gw_write_bytes(&w, src->ip, address_len(src));
    gw_write_bytes(&w, dst->ip, address_len(dst));
    gw_write_be(&w, len, 4);
    gw_write_be(&w, protocol, 4);
    return gw_inet_fold(gw_inet_sum(gw_inet_sum(0, pseudo, w.len), segment, len));
}

void gw_erf_header(uint8_t out[GW_ERF_HEADER], uint8_t type, int64_t time_ns, size_t len,
                   size_t cut)
{
    const uint64_t ns = time_ns > 0 ? (uint64_t)time_ns : 0;
    const uint64_t second = 1000000000;
    gw_writer w = gw_writer_over(out, GW_ERF_HEADER);

    gw_write_le(&w, ns / second << 32 | (ns % second << 32) / second, 8);
    gw_write_be(&w, type, 1);
    gw_write_be(&w, 4, 1); /* flags: of varying length */
    gw_write_be(&w, GW_ERF_HEADER + len - cut, 2);
    gw_write_be(&w, 0, 2); /* nothing was lost before it */
    gw_write_be(&w, len, 2);
}

size_t gw_frame_udp_styled(uint8_t *out, size_t cap, const gw_endpoint *src, const gw_endpoint *dst,
                           const uint8_t *payload, size_t len, const gw_ip_style *style)
{
    gw_writer w = gw_writer_over(out, cap);

    if (style == NULL)
        style = &usual;
    if (len > UINT16_MAX ||
        !write_lower_layers(&w, src, dst, PROTOCOL_UDP, UDP_HEADER + len, style))
        return 0;
    uint8_t *segment = out + w.len;
    gw_write_be(&w, src->port, 2);
    gw_write_be(&w, dst->port, 2);
    gw_write_be(&w, UDP_HEADER + len, 2);
    gw_write_be(&w, 0, 2);
    gw_write_bytes(&w, payload, len);
    if (style->no_udp_checksum && src->family == GW_FAMILY_IPV4)
        return w.len;
    const uint16_t sum = segment_checksum(src, dst, PROTOCOL_UDP, segment, UDP_HEADER + len);
    /* 0 on the wire says that there is no checksum; all ones is the same number. */
    gw_store_be(segment + 6, sum == 0 ? 0xffff : sum, 2);
    return w.len;
}

size_t gw_frame_udp(uint8_t *out, size_t cap, const gw_endpoint *src, const gw_endpoint *dst,
                    const uint8_t *payload, size_t len)
{
    return gw_frame_udp_styled(out, cap, src, dst, payload, len, NULL);
}

size_t gw_frame_tcp_like(uint8_t *out, size_t cap, const gw_endpoint *src, const gw_endpoint *dst,
                         const gw_tcp_segment *like, const gw_ip_style *style)
{
    const size_t header = TCP_HEADER + (like->mss != 0 ? (size_t)SEGMENT_OPTION : 0);
    const size_t len = like->len;
    gw_writer w = gw_writer_over(out, cap);

    if (len > UINT16_MAX || !write_lower_layers(&w, src, dst, PROTOCOL_TCP, header + len,
                                                style != NULL ? style : &usual))
        return 0;
    uint8_t *segment = out + w.len;
    gw_write_be(&w, src->port, 2);
    gw_write_be(&w, dst->port, 2);
    gw_write_be(&w, like->seq, 4);
    gw_write_be(&w, like->ack, 4);
    gw_write_be(&w, header / 4 << 4, 1);
    gw_write_be(&w, like->flags, 1);
    gw_write_be(&w, like->window, 2);
    gw_write_be(&w, 0, 2);
    gw_write_be(&w, 0, 2); /* no urgent data */
    if (like->mss != 0)
        gw_write_be(&w, UINT32_C(0x02040000) | like->mss, SEGMENT_OPTION);
    gw_write_bytes(&w, like->data, len);
    const uint16_t sum = segment_checksum(src, dst, PROTOCOL_TCP, segment, header + len);
    gw_store_be(segment + 16, sum, 2);
    return w.len;
}

size_t gw_frame_tcp(uint8_t *out, size_t cap, const gw_endpoint *src, const gw_endpoint *dst,
                    uint32_t seq, uint32_t ack, uint8_t flags, const uint8_t *payload, size_t len)
{
    const gw_tcp_segment like = {
        .seq = seq, .ack = ack, .flags = flags, .window = UINT16_MAX, .data = payload, .len = len};

    return gw_frame_tcp_like(out, cap, src, dst, &like, NULL);
}

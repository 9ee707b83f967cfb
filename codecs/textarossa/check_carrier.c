/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging what the Ethernet port writes beneath a datagram. */
#include "goldwire/checksum.h"
#include "net/headers.h"
#include "textarossa/check.h"

enum {
    TTL = 0x80,
    ETHERNET_HEADER = 14, /* bytes, without VLAN tags */
    FRAME_MIN = 60,       /* without check sequence */
    FRAME_MAX = 1514,
};

static void report(const gw_tx_checking *c, enum gw_tx_rule_place rule, const char *text,
                   const uint64_t *numbers)
{
    gw_report(&c->judge, &gw_tx_rules[rule], NULL, 0, text, numbers);
}

static void check_ip(const gw_tx_checking *c, const uint8_t *ip, uint32_t header)
{
    uint16_t rest = gw_inet_fold(gw_inet_sum(0, ip, header));

    if (header != GW_IPV4_HEADER)
        report(c, TX_N3, "the IP header has %d bytes of options; none are expected",
               GW_NUMBERS(header - GW_IPV4_HEADER));
    if (ip[GW_IPV4_TOS] != 0)
        report(c, TX_N3, "the IP header's TOS is %x; 0 is expected", GW_NUMBERS(ip[GW_IPV4_TOS]));
    if (ip[GW_IPV4_TTL] != TTL)
        report(c, TX_N3, "the IP header's TTL is %d; 128 is expected", GW_NUMBERS(ip[GW_IPV4_TTL]));
    if (rest != 0)
        report(c, TX_N3, "the IP header's checksum %x is wrong",
               GW_NUMBERS(gw_load_be16(ip + GW_IPV4_CHECKSUM)));
}

static void check_udp(const gw_tx_checking *c, const uint8_t *ip, uint32_t header)
{
    const uint8_t *udp = ip + header;
    uint32_t total = gw_load_be16(ip + GW_IPV4_LENGTH), length = gw_load_be16(udp + GW_UDP_LENGTH);

    if (gw_load_be16(udp + GW_UDP_CHECKSUM) != 0)
        report(c, TX_N3, "the UDP checksum is %x; 0 is expected",
               GW_NUMBERS(gw_load_be16(udp + GW_UDP_CHECKSUM)));
    if (length != GW_UDP_HEADER + c->message->len || total != header + length)
        report(c, TX_N4, "IP length %d and UDP length %d around %d bytes",
               GW_NUMBERS(total, length, c->message->len));
}

static void check_ports(const gw_tx_checking *c)
{
    const gw_message *m = c->message;
    uint32_t ip = (uint32_t)c->p.header.dest_addr;
    uint16_t port = (uint16_t)(c->p.header.dest_addr >> 32);

    if (m->src.port != m->dst.port)
        report(c, TX_N2, "UDP port %d to port %d; one port is used for both",
               GW_NUMBERS(m->src.port, m->dst.port));
    if (!c->p.has_header || gw_tx_detect(m, c->d) != GW_TX_ORDER_DETECT)
        return;
    if (m->dst.port != port)
        gw_tx_report_header(c, TX_N2, GW_TX_F_DEST_ADDR,
                            "the datagram goes to port %d; the header says %d",
                            GW_NUMBERS(m->dst.port, port));
    if (m->dst.family == GW_FAMILY_IPV4 && gw_load_be32(m->dst.ip) != ip)
        gw_tx_report_header(c, TX_N2, GW_TX_F_DEST_ADDR,
                            "the datagram goes to address %x; the header says %x",
                            GW_NUMBERS(gw_load_be32(m->dst.ip), ip));
}

/* Only what was received is judged: a frame that leaves is captured before it is padded, and
 * offload hands down more than one frame's worth. */
const char *gw_tx_frame_fault(const gw_message *m)
{
    if (m->link == NULL || m->dir != GW_DIR_IN || m->link_len < ETHERNET_HEADER)
        return NULL;
    if (m->frame_len < FRAME_MIN)
        return "a frame of %d bytes without check sequence; 60 are the least";
    if (m->frame_len > FRAME_MAX + m->link_len - (uint32_t)ETHERNET_HEADER)
        return "a frame of %d bytes without check sequence; 1514 are the most";
    return NULL;
}

static void check_frame(const gw_tx_checking *c)
{
    const char *fault = gw_tx_frame_fault(c->message);

    if (fault != NULL)
        report(c, TX_N9, fault, GW_NUMBERS(c->message->frame_len));
}

static void check_padding(const gw_tx_checking *c, const uint8_t *ip, uint32_t header)
{
    const gw_message *m = c->message;
    uint32_t total = gw_load_be16(ip + GW_IPV4_LENGTH),
             length = gw_load_be16(ip + header + GW_UDP_LENGTH);

    if (m->link != NULL && m->frame_len == FRAME_MIN && total == m->frame_len - m->link_len &&
        total > header + length)
        report(c, TX_N9, "IP length %d counts %d bytes of Ethernet padding",
               GW_NUMBERS(total, total - header - length));
}

void gw_tx_check_carrier(const gw_tx_checking *c)
{
    const gw_message *m = c->message;
    const uint8_t *ip = m->lower;

    if (!gw_tx_has_carrier(m))
        return;
    check_ports(c);
    check_frame(c);
    if (m->len + GW_UDP_HEADER > GW_TX_UDP_LIMIT)
        report(c, TX_N5, "a UDP datagram of %d bytes; 1480 are the most",
               GW_NUMBERS(m->len + GW_UDP_HEADER));
    if (ip == NULL || m->lower_len < GW_IPV4_HEADER + GW_UDP_HEADER ||
        ip[GW_IPV4_VERSION] >> 4 != 4)
        return;
    uint32_t header = m->lower_len - (uint32_t)GW_UDP_HEADER;
    check_ip(c, ip, header);
    check_udp(c, ip, header);
    check_padding(c, ip, header);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The Ethernet port of a node: a packet is a datagram, to the address and port that its header
 * names (rtl; doc 2.2, 2.3). ARP and everything below belong to whoever carries the datagrams. */
#include <string.h>

#include "formats/textarossa/board.h"
#include "goldwire/cursor.h"

enum {
    HEADERS = 14 + 20 + 8, /* Ethernet, IPv4, UDP */
    UDP_HEADER = 8,
    CHECK_SEQUENCE = 4,
    SHORTEST_FRAME = 64,
    IP_HEADER = 20, /* for a mutant that counts it as part of the datagram */
    PIPELINE = 3,   /* words of payload behind the header, for a mutant that has no room for more */
};

static uint32_t frame_len(size_t len)
{
    size_t frame = HEADERS + len + CHECK_SEQUENCE;
    return frame < SHORTEST_FRAME ? SHORTEST_FRAME : (uint32_t)frame;
}

/* The datagram as a packet; false when it is none in |dialect|. */
static bool reads(const gw_peer_event *event, const gw_dialect *dialect, gw_tx_packet *p)
{
    gw_message message = gw_message_of(event->data, event->len);

    message.transport = GW_OVER_UDP;
    return gw_tx_decode(p, &message, dialect).kind == GW_OK;
}

/* Adopts the byte order of a datagram that makes sense in another one. */
static void follow_order(gw_tx_board *b, const gw_peer_event *event)
{
    static const char *const others[] = {"order-b", "order-c"};
    gw_tx_packet p;

    for (size_t i = 0; i < GW_ARRAY_LEN(others) && !reads(event, b->dialect, &p); i++) {
        const gw_dialect *other = gw_dialect_by_name(&gw_textarossa, others[i]);
        if (reads(event, other, &p) && p.has_footer)
            b->memory.dialect = other;
    }
}

/* What mutants make of a datagram. */
static void spoil(gw_tx_board *b, const gw_peer_event *event)
{
    gw_tx_packet p;

    if (event->len < GW_TX_WORD && gw_tx_faulty(b, TX_FAULT_SHORT_DATAGRAM_STALLS))
        b->stalled = true;
    if (gw_tx_faulty(b, TX_FAULT_ORDER_FOLLOWS))
        follow_order(b, event);
    if (!reads(event, b->dialect, &p))
        return;
    if ((p.header.virt_chan & 0xf) >= GW_TX_NUM_VCS && gw_tx_faulty(b, TX_FAULT_CHANNEL_STALLS))
        b->stalled = true;
    if (event->here != NULL && gw_tx_faulty(b, TX_FAULT_ADDRESS_KEPT) &&
        p.header.dest_addr != ((uint64_t)event->here->port << 32 | gw_load_be32(event->here->ip)))
        b->memory.address = p.header.dest_addr;
}

void gw_tx_ethernet_in(gw_tx_board *b, gw_tx_link *l, const gw_peer_event *event)
{
    l->rx_bytes += frame_len(event->len);
    if (event->there != NULL) {
        b->partners[event->conn] = *event->there;
        b->partner = event->conn;
        b->has_partner = true;
    }
    spoil(b, event);
    if (b->stalled)
        return;
    (void)gw_tx_packet_in(b, &l->rx[0], event->data, event->len);
    gw_tx_run(b);
}

/* Who has the address that |header| names. */
static bool find_partner(const gw_tx_board *b, const gw_tx_header *header, uint32_t *conn)
{
    for (*conn = 0; *conn < GW_PEER_MAX_CONNS; ++*conn) {
        const gw_endpoint *p = &b->partners[*conn];
        if (p->family == GW_FAMILY_IPV4 && p->port == header->dest_addr >> 32 &&
            gw_load_be32(p->ip) == (uint32_t)header->dest_addr)
            return true;
    }
    return false;
}

/* Whether a UDP datagram of |len| bytes is more than may be sent (TX-N5). */
static bool is_too_long(const gw_tx_board *b, size_t len)
{
    if (gw_tx_faulty(b, TX_FAULT_LIMIT_TOO_LOW))
        len += IP_HEADER;
    return len > GW_TX_UDP_LIMIT && !gw_tx_faulty(b, TX_FAULT_SENDS_TOO_MUCH);
}

void gw_tx_ethernet_out(gw_tx_board *b, gw_tx_link *l, const gw_tx_head *h)
{
    gw_tx_head spoilt = *h;
    uint32_t conn;

    bool found = find_partner(b, &h->header, &conn);
    if (gw_tx_faulty(b, TX_FAULT_NO_ADDRESS))
        spoilt.header.dest_addr = 0xfafbfcfd;
    if (gw_tx_faulty(b, TX_FAULT_PORT_LOST) && h->words > PIPELINE)
        spoilt.header.dest_addr &= UINT32_MAX;
    const gw_dialect *dialect = b->memory.dialect != NULL ? b->memory.dialect : b->dialect;
    if (gw_tx_faulty(b, TX_FAULT_HLS_LAYOUT))
        dialect = gw_dialect_by_name(&gw_textarossa, "hls");
    size_t len = gw_tx_packet_out(b, &spoilt, dialect);
    if (!found || len == 0 || is_too_long(b, UDP_HEADER + len))
        return;
    l->tx_bytes += frame_len(len);
    b->out->send(b->out, l->index, conn, b->packet, len);
}

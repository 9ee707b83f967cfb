/* SPDX-License-Identifier: BSD-2-Clause */
/* The Ethernet port of a node: a packet is a datagram, to the address and port that its header
 * names (rtl; doc 2.2, 2.3). ARP and everything below belong to whoever carries the datagrams. */
#include <string.h>

#include "goldwire/cursor.h"
#include "textarossa.h"

enum {
    HEADERS = 14 + 20 + 8, /* Ethernet, IPv4, UDP */
    CHECK_SEQUENCE = 4,
    SHORTEST_FRAME = 64,
};

static uint32_t frame_len(size_t len)
{
    size_t frame = HEADERS + len + CHECK_SEQUENCE;
    return frame < SHORTEST_FRAME ? SHORTEST_FRAME : (uint32_t)frame;
}

void gw_tx_ethernet_in(gw_tx_board *b, gw_tx_link *l, const gw_peer_event *event)
{
    l->rx_bytes += frame_len(event->len);
    if (event->there != NULL) {
        b->partners[event->conn] = *event->there;
        b->partner = event->conn;
        b->has_partner = true;
    }
    if (event->len < GW_TX_WORD && gw_tx_faulty(b, TX_FAULT_SHORT_DATAGRAM_STALLS))
        b->stalled = true;
    if (b->stalled)
        return;
    (void)gw_tx_packet_in(b, &l->rx[0], event->data, event->len, b->dialect);
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

void gw_tx_ethernet_out(gw_tx_board *b, gw_tx_link *l, const gw_tx_header *header, gw_tx_pair *from,
                        uint32_t words, bool alone)
{
    gw_tx_header h = *header;
    uint32_t conn;

    bool found = find_partner(b, &h, &conn);
    if (gw_tx_faulty(b, TX_FAULT_NO_ADDRESS))
        h.dest_addr = 0xfafbfcfd;
    const gw_dialect *dialect = gw_tx_faulty(b, TX_FAULT_HLS_LAYOUT)
                                    ? gw_dialect_by_name(&gw_textarossa, "hls")
                                    : b->dialect;
    size_t len = gw_tx_packet_out(b, &h, from, words, alone, dialect);
    bool too_long = 8 + len > GW_TX_UDP_LIMIT && !gw_tx_faulty(b, TX_FAULT_SENDS_TOO_MUCH);
    if (!found || too_long || len == 0)
        return;
    l->tx_bytes += frame_len(len);
    b->out->send(b->out, l->index, conn, b->packet, len);
}

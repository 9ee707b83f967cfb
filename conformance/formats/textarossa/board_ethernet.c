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
    (void)gw_tx_packet_in(b, &l->rx[0], event);
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

/* More than may be sent stays (TX-N5). */
void gw_tx_ethernet_out(gw_tx_board *b, gw_tx_link *l, const gw_tx_head *h)
{
    uint32_t conn;
    bool found = find_partner(b, &h->header, &conn);
    size_t len = gw_tx_packet_out(b, h);

    if (!found || len == 0 || UDP_HEADER + len > b->policy.longest)
        return;
    l->tx_bytes += frame_len(len);
    b->out->send(b->out, l->index, conn, b->packet, len);
}

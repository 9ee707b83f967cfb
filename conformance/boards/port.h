/* SPDX-License-Identifier: BSD-2-Clause */
/* A board behind an Ethernet port. What lies behind it is again a board, whose datagrams on that
 * link are whole frames: it is served, stepped in memory and fuzzed as any other. */
#ifndef GOLDWIRE_BOARDS_PORT_H
#define GOLDWIRE_BOARDS_PORT_H

#include "boards/peer.h"
#include "harness/ether.h"
#include "harness/vlan.h"

/* Who speaks to the port gets numbers of connections from here on; below it are those of the links
 * that are no Ethernet ports. */
#define GW_PORT_FIRST_CONN 48

/* gw_port is a board with an Ethernet port laid before one of its links. */
typedef struct gw_port {
    gw_board board;        /* to be started ... */
    gw_peer_config config; /* ... with this */
    const gw_board *inner;
    gw_peer_config inner_config;
    gw_endpoint here; /* the port's address, and the UDP port of the link */
    gw_vlan vlan;     /* that all its frames are in */
    unsigned link;
} gw_port;

/* gw_port_lay lays the port |here|, in |vlan| (NULL: none), before link |link| of |board|, which is
 * one of its ethernet_links. Its hardware address is gw_ether_own_mac's; its faults are the
 * mutant's. |port| stays the caller's and outlives the board, and so does what |config| points to.
 */
void gw_port_lay(gw_port *port, const gw_board *board, const gw_peer_config *config, unsigned link,
                 const gw_endpoint *here, const gw_vlan *vlan);

#endif

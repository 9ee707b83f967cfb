/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards under test that are stations on an Ethernet: on an interface of this machine, on a cable
 * of our own, or in memory. */
#ifndef GOLDWIRE_DEVICE_DUT_RAW_H
#define GOLDWIRE_DEVICE_DUT_RAW_H

#include "boards/mem.h"
#include "boards/port.h"
#include "boards/spawn.h"
#include "harness/cable.h"
#include "harness/raw.h"
#include "harness/transport.h"

/* gw_raw_place completes the raw:// URL of link |link| of a board like |role| (NULL: nobody knows):
 * ports that were not said, and how headers are filled. It opens the interface once, so that what
 * is wrong is told before the first packet. False with a text in |why|. */
GW_MUST_USE bool gw_raw_place(gw_url *url, const gw_board *role, unsigned link, char *why,
                              size_t why_cap);

/* gw_raw_lay lays a port with an address of our choice, of the kind and in the VLAN that |way|
 * says, before |board|'s Ethernet link. False with a text in |why| when it has none. */
GW_MUST_USE bool gw_raw_lay(gw_port *port, const gw_board *board, const gw_peer_config *config,
                            const gw_raw_options *way, char *why, size_t why_cap);

/* gw_raw_ends returns who talks to whom on connection |number| of link |link| of a board like
 * |role| (NULL: nobody knows), where nobody else is on the Ethernet: what |way| does not say is
 * chosen. |own_port|: the board answers to its own port number only. */
gw_raw_setup gw_raw_ends(const gw_raw_options *way, const gw_board *role, unsigned link,
                         bool own_port, unsigned number);

/* gw_raw_far opens the far end of |cable| for the board of |port|: where it is to be served. False
 * with a text in |why|. */
GW_MUST_USE bool gw_raw_far(gw_cable *cable, const gw_port *port, gw_spawn_link *out, char *why,
                            size_t why_cap);

/* gw_raw_near opens connection |number| from the near end of |cable| to it, on which |what| happens
 * to frames. NULL with a text in |why|. */
gw_transport *gw_raw_near(gw_cable *cable, const gw_port *port, unsigned number,
                          const gw_impairment *what, char *why, size_t why_cap);

/* gw_raw_in_memory opens connection |number| to |mem|, which was started with |port|. NULL with a
 * text in |why|. */
gw_transport *gw_raw_in_memory(gw_mem *mem, const gw_port *port, unsigned number, char *why,
                               size_t why_cap);

#endif

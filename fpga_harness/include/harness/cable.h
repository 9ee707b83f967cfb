/* SPDX-License-Identifier: BSD-2-Clause */
/* An Ethernet of our own: a cable with two ends, in a user and network namespace that nobody else
 * is in. No privilege is needed where the system allows it, and this process stays where it is: a
 * helper process lives there, lays the cable and hands sockets out. */
#ifndef HARNESS_CABLE_H
#define HARNESS_CABLE_H

#include "harness/transport.h"

/* gw_cable is a cable. What goes in at one end comes out at the other. */
typedef struct gw_cable gw_cable;

/* gw_cable_lay makes one. NULL with a text in |why|, one line, where the system refuses. */
gw_cable *gw_cable_lay(char *why, size_t why_cap);

/* gw_cable_open opens end |end|, 0 or 1, for whole frames, as gw_packet_open does; what is open
 * works on when the cable is freed. |mac| gets the end's hardware address. NULL with a text in
 * |why|. */
gw_transport *gw_cable_open(gw_cable *cable, unsigned end, uint8_t mac[6], char *why,
                            size_t why_cap);

/* gw_cable_free lets go of the cable; NULL is allowed. */
void gw_cable_free(gw_cable *cable);

#endif

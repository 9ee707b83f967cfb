/* SPDX-License-Identifier: BSD-2-Clause */
/* Laying a cable, for the helper process that lives at it. */
#ifndef TRANSPORT_CABLE_H
#define TRANSPORT_CABLE_H

#include "goldwire/base.h"

/* gw_cable_ends are the names of the two interfaces. */
extern const char *const gw_cable_ends[2];

/* gw_netns_enter moves this process, which must have one thread only, into a user and network
 * namespace of its own, for good. False with a text in |why| where the system refuses. */
GW_MUST_USE bool gw_netns_enter(char *why, size_t why_cap);

/* gw_netns_cable makes two Ethernet interfaces that are connected to each other, both up, and that
 * frames cross both ways. False with a text in |why|. */
GW_MUST_USE bool gw_netns_cable(char *why, size_t why_cap);

#endif

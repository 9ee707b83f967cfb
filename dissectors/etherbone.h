/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EtherBone in Wireshark: what plugin.c registers. */
#ifndef DISSECTORS_ETHERBONE_H
#define DISSECTORS_ETHERBONE_H

/* gw_ws_etherbone_register makes the protocol, its fields and its preferences known. */
void gw_ws_etherbone_register(void);

/* gw_ws_etherbone_handoff ties the protocol to UDP and TCP. */
void gw_ws_etherbone_handoff(void);

#endif

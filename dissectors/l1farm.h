/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Level-1 farm in Wireshark: what plugin.c registers. */
#ifndef DISSECTORS_L1FARM_H
#define DISSECTORS_L1FARM_H

/* gw_ws_l1farm_register makes the protocol, its fields and its preferences known. */
void gw_ws_l1farm_register(void);

/* gw_ws_l1farm_handoff ties the protocol to its private link types, and to UDP when asked. */
void gw_ws_l1farm_handoff(void);

#endif

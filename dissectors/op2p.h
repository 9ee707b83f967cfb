/* SPDX-License-Identifier: GPL-2.0-or-later */
/* OP2P in Wireshark: what plugin.c registers. */
#ifndef DISSECTORS_OP2P_H
#define DISSECTORS_OP2P_H

/* gw_ws_op2p_register makes the protocol, its fields and its preferences known. */
void gw_ws_op2p_register(void);

/* gw_ws_op2p_handoff ties the protocol to its private link types, and to UDP when asked. */
void gw_ws_op2p_handoff(void);

#endif

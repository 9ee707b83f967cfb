/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TEXTAROSSA in Wireshark: what plugin.c registers. */
#ifndef DISSECTORS_TEXTAROSSA_H
#define DISSECTORS_TEXTAROSSA_H

/* gw_ws_textarossa_register makes the protocol, its fields and its preferences known. */
void gw_ws_textarossa_register(void);

/* gw_ws_textarossa_handoff ties the protocol to UDP and to its link type. */
void gw_ws_textarossa_handoff(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captures that say what they hold, in the description of an interface (goldwire/announce.h). */
#ifndef DISSECTORS_ANNOUNCED_H
#define DISSECTORS_ANNOUNCED_H

#include "bridge.h"

#include "goldwire/announce.h"

/* gw_ws_announced reads what the capture says of the interface of |pinfo|'s frame. False when it
 * says nothing. */
bool gw_ws_announced(gw_announcement *out, packet_info *pinfo);

/* gw_ws_announced_as says whether the frame of |pinfo| is announced as |format|, ports and all. */
bool gw_ws_announced_as(const gw_format *format, packet_info *pinfo);

/* gw_ws_announced_register looks at each Ethernet frame before its ports are: |udp| and |tcp|, or
 * NULL, dissect what is announced as |format|. For the handoff; |proto| is one of ours. */
void gw_ws_announced_register(const gw_format *format, int proto, dissector_handle_t udp,
                              dissector_handle_t tcp);

#endif

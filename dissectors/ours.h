/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose packets are: a port, or a link type that anybody may use, makes nobody guilty. */
#ifndef DISSECTORS_OURS_H
#define DISSECTORS_OURS_H

#include "bridge.h"

/* gw_ws_ours says whether |message|, which is |tvb|, is one of |bridge|'s format: because the
 * capture says so, or by what its two ends have said so far. Ends are learned in capture order, so
 * the first pass decides and later ones remember. What an ICMP error quotes teaches nothing. */
bool gw_ws_ours(const gw_ws_bridge *bridge, tvbuff_t *tvb, packet_info *pinfo,
                const gw_message *message, const gw_dialect *dialect);

/* gw_ws_heard does the same on a port of nobody's: |message| has to be flawless, or between ends
 * that are known. */
bool gw_ws_heard(const gw_ws_bridge *bridge, tvbuff_t *tvb, packet_info *pinfo,
                 const gw_message *message, const gw_dialect *dialect);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One message as Wireshark shows it: columns, tree, findings, and what its conversation says. */
#ifndef DISSECTORS_UNIT_H
#define DISSECTORS_UNIT_H

#include "bridge.h"

/* gw_ws_unit is one message, ready to be shown. */
typedef struct gw_ws_unit {
    gw_message message;
    const gw_dialect *dialect;
    uint64_t id;                        /* for gw_ws_track_show */
    uint32_t lost_before;               /* bytes of a stream that are missing before it */
    struct gw_message_names *registers; /* names of its addresses; NULL: none */
    bool other_way; /* it belongs to the other direction, which waited for this segment */
} gw_ws_unit;

/* gw_ws_set_columns puts the protocol's short name and |summary| in the columns; the summary is
 * appended to what is there unless it is the |first| of its frame. */
void gw_ws_set_columns(const gw_ws_bridge *bridge, packet_info *pinfo, const char *summary,
                       bool first);

/* gw_ws_show_unit shows |unit|, which lies at |offset| of |tvb|: columns (|first| of its frame, or
 * appended), tree, findings and, when |tracked|, what the conversation says of it. Returns where
 * more can be added. */
gw_ws_place gw_ws_show_unit(const gw_ws_bridge *bridge, tvbuff_t *tvb, packet_info *pinfo,
                            proto_tree *tree, uint32_t offset, const gw_ws_unit *unit, bool first,
                            bool tracked);

#endif

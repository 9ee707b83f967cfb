/* SPDX-License-Identifier: GPL-2.0-or-later */
/* OP2P in Wireshark: private link types, a port if the user names one, Decode As. Everything else
 * is generic. */
#include "op2p.h"

#include "bridge.h"

#include <epan/prefs.h>

#include "dialects.h"
#include "goldwire/op2p.h"
#include "links.h"
#include "message.h"
#include "track.h"
#include "unit.h"

static gw_ws_bridge bridge;
static unsigned give_up_ms = 5000;
static dissector_handle_t udp_handle;

static int dissect_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    gw_message m = gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_UDP);
    gw_ws_unit unit = {.message = m,
                       .dialect = gw_ws_dialect_for(bridge.dialects, &m.src, &m.dst),
                       .id = pinfo->num};
    bool tracked = !pinfo->flags.in_error_pkt; /* what an ICMP error quotes is no new packet */
    (void)data;

    if (tracked && !PINFO_FD_VISITED(pinfo))
        gw_ws_track_feed(bridge.track, &m, unit.dialect, unit.id, give_up_ms);
    gw_ws_show_unit(&bridge, tvb, pinfo, tree, 0, &unit, true, tracked);
    return (int)tvb_reported_length(tvb);
}

void gw_ws_op2p_register(void)
{
    static const char *const links[] = {"op2p", "op2p.event"};

    gw_ws_bridge_register(&bridge, &gw_op2p, NULL);
    bridge.track = gw_ws_track_register(&bridge);
    module_t *module = prefs_register_protocol(bridge.proto, gw_ws_links_apply);

    bridge.dialects = gw_ws_dialects_register(module, &gw_op2p);
    prefs_register_uint_preference(module, "give_up", "Give up on a completion after (ms)",
                                   "A read request without a completion for so long counts as "
                                   "unanswered",
                                   10, &give_up_ms);
    gw_ws_links_register(&bridge, module, links, &give_up_ms);
    udp_handle = register_dissector("op2p.udp", dissect_udp, bridge.proto);
}

void gw_ws_op2p_handoff(void)
{
    gw_ws_links_apply();
    /* OP2P owns no port: the preference begins empty, and Decode As offers it. */
    dissector_add_for_decode_as_with_preference("udp.port", udp_handle);
}

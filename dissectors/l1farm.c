/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Level-1 farm in Wireshark: private link types, a port if the user names one, Decode As.
 * Everything else is generic. */
#include "l1farm.h"

#include "bridge.h"

#include <epan/prefs.h>

#include "dialects.h"
#include "goldwire/l1farm.h"
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

void gw_ws_l1farm_register(void)
{
    static const char *const links[] = {"l1farm.sci", "l1farm.trace", "l1farm.tagnet",
                                        "l1farm.memory"};

    gw_ws_bridge_register(&bridge, &gw_l1farm, NULL);
    bridge.track = gw_ws_track_register(&bridge);
    module_t *module = prefs_register_protocol(bridge.proto, gw_ws_links_apply);

    bridge.dialects = gw_ws_dialects_register(module, &gw_l1farm);
    prefs_register_uint_preference(module, "give_up", "Give up on an SCI transaction after (ms)",
                                   "A packet without an echo, or a request without a response, "
                                   "for so long counts as unanswered",
                                   10, &give_up_ms);
    gw_ws_links_register(&bridge, module, links, &give_up_ms);
    udp_handle = register_dissector("l1farm", dissect_udp, bridge.proto);
}

void gw_ws_l1farm_handoff(void)
{
    gw_ws_links_apply();
    /* The farm owns no port: the preference begins empty, and Decode As offers it. */
    dissector_add_for_decode_as_with_preference("udp.port", udp_handle);
}

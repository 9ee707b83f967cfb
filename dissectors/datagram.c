/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Showing what comes one message a datagram. */
#include "datagram.h"

#include <epan/prefs.h>

#include "dialects.h"
#include "links.h"
#include "message.h"
#include "track.h"
#include "unit.h"

#define GIVE_UP_MS 5000

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data, void *self)
{
    const gw_ws_datagram *d = self;
    gw_message m = gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_UDP);
    bool tracked = !pinfo->flags.in_error_pkt; /* what an ICMP error quotes is no new packet */
    (void)data;

    if (d->beneath != NULL)
        d->beneath(&m, tvb, pinfo);
    gw_ws_unit unit = {.message = m,
                       .dialect = gw_ws_dialect_for(d->bridge.dialects, &m.src, &m.dst),
                       .id = pinfo->num};
    if (tracked && !PINFO_FD_VISITED(pinfo))
        gw_ws_track_feed(d->bridge.track, &m, unit.dialect, unit.id, d->give_up_ms);
    gw_ws_show_unit(&d->bridge, tvb, pinfo, tree, 0, &unit, true, tracked);
    return (int)tvb_reported_length(tvb);
}

void gw_ws_datagram_register(gw_ws_datagram *datagram)
{
    gw_ws_bridge *bridge = &datagram->bridge;

    gw_ws_bridge_register(bridge, datagram->format, NULL);
    bridge->track = gw_ws_track_register(bridge);
    module_t *module = prefs_register_protocol(bridge->proto, gw_ws_links_apply);

    bridge->dialects = gw_ws_dialects_register(module, datagram->format);
    datagram->give_up_ms = GIVE_UP_MS;
    prefs_register_uint_preference(module, "give_up", datagram->give_up_title,
                                   datagram->give_up_text, 10, &datagram->give_up_ms);
    gw_ws_links_register(bridge, module, datagram->links, &datagram->give_up_ms);
    datagram->handle =
        register_dissector_with_data(datagram->name, dissect, bridge->proto, datagram);
}

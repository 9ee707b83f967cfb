/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Showing what comes one message a datagram. */
#include "datagram.h"

#include <epan/prefs.h>
#include <epan/wmem_scopes.h>

#include "dialects.h"
#include "links.h"
#include "message.h"
#include "ours.h"
#include "track.h"
#include "unit.h"

#define GIVE_UP_MS 5000

static void show(gw_ws_datagram *d, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
{
    gw_message m = gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_UDP);
    bool tracked = !pinfo->flags.in_error_pkt; /* what an ICMP error quotes is no new packet */

    if (d->lower_layers != NULL)
        d->lower_layers(&m, tvb, pinfo);
    gw_ws_unit unit = {.message = m,
                       .dialect = gw_ws_dialect_for(d->bridge.dialects, pinfo, &m.src, &m.dst),
                       .id = gw_ws_track_id_at(pinfo, tvb)};
    if (tracked && !PINFO_FD_VISITED(pinfo))
        gw_ws_track_feed(d->bridge.track, &m, unit.dialect, unit.id);
    gw_ws_show_unit(&d->bridge, tvb, pinfo, tree, 0, &unit, true, tracked);
}

/* Whether the port speaks for the packet, and alone. Whoever names another one, by Decode As or in
 * the preferences, knows what is there. */
static bool only_port_speaks(const gw_ws_datagram *d, const packet_info *pinfo)
{
    for (size_t i = 0; d->owns_ports && i < d->format->num_udp_ports; i++) {
        if (pinfo->match_uint == d->format->udp_ports[i])
            return !d->by_port;
    }
    return false;
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data, void *self)
{
    gw_ws_datagram *d = self;
    gw_message m = gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_UDP);
    const gw_dialect *dialect = gw_ws_dialect_for(d->bridge.dialects, pinfo, &m.src, &m.dst);
    (void)data;

    if (only_port_speaks(d, pinfo) && !gw_ws_ours(&d->bridge, tvb, pinfo, &m, dialect))
        return 0;
    show(d, tvb, pinfo, tree);
    return (int)tvb_reported_length(tvb); /* 0 would mean "not mine" */
}

/* Ports of nobody's, for a format that is known by its content. */
static bool dissect_unknown(gw_ws_datagram *d, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
{
    gw_message m = gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_UDP);
    const gw_dialect *dialect = gw_ws_dialect_for(d->bridge.dialects, pinfo, &m.src, &m.dst);

    if (!gw_ws_heard(&d->bridge, tvb, pinfo, &m, dialect))
        return false;
    show(d, tvb, pinfo, tree);
    return true;
}

/* Wireshark's heuristics get nothing of their own to tell them apart: each format has one. */
enum {
#define GW_FORMAT(name) PLACE_OF_##name,
#include "goldwire/formats.def"
    NUM_FORMATS
};

static gw_ws_datagram *by_content[NUM_FORMATS];

#define GW_FORMAT(name)                                                                            \
    static gw_ws_bool dissect_##name(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,          \
                                     void *data)                                                   \
    {                                                                                              \
        (void)data;                                                                                \
        return dissect_unknown(by_content[PLACE_OF_##name], tvb, pinfo, tree);                     \
    }
#include "goldwire/formats.def"

void gw_ws_datagram_by_content(gw_ws_datagram *datagram)
{
    static const heur_dissector_t heuristics[NUM_FORMATS] = {
#define GW_FORMAT(name) dissect_##name,
#include "goldwire/formats.def"
    };
    size_t place = 0;

    while (gw_formats[place] != datagram->format)
        place++;
    by_content[place] = datagram;
    heur_dissector_add(
        "udp", heuristics[place],
        wmem_strdup_printf(wmem_epan_scope(), "%s over UDP", datagram->format->title),
        wmem_strdup_printf(wmem_epan_scope(), "%s_udp", datagram->format->name),
        datagram->bridge.proto, HEURISTIC_ENABLE);
}

void gw_ws_datagram_register(gw_ws_datagram *datagram)
{
    gw_ws_bridge *bridge = &datagram->bridge;

    gw_ws_bridge_register(bridge, datagram->format, datagram->column, NULL);
    bridge->track = gw_ws_track_register(bridge);
    bridge->ends = gw_ws_ends_register(bridge, datagram->ends);
    module_t *module = prefs_register_protocol(bridge->proto, gw_ws_links_apply);

    bridge->dialects = gw_ws_dialects_register(module, datagram->format);
    gw_ws_track_preferences(bridge->track, module, GIVE_UP_MS, datagram->give_up_title,
                            datagram->give_up_text);
    if (datagram->owns_ports)
        prefs_register_bool_preference(module, "by_port", "Whatever uses its ports",
                                       "Take datagrams on the format's ports also when nothing "
                                       "between their ends looks like it",
                                       &datagram->by_port);
    gw_ws_links_register(bridge, module, datagram->links);
    datagram->handle =
        register_dissector_with_data(datagram->name, dissect, bridge->proto, datagram);
}

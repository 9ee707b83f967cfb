/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EtherBone in Wireshark: ports, preferences, columns. Everything else is generic. */
#include "formats.h"

#include "bridge.h"

#include <epan/prefs.h>
#include <epan/wmem_scopes.h>

#include "announced.h"
#include "dialects.h"
#include "ends.h"
#include "goldwire/etherbone.h"
#include "goldwire/text.h"
#include "message.h"
#include "ours.h"
#include "registers.h"
#include "stream.h"
#include "track.h"
#include "unit.h"

#define PORTS_LEN 64
#define GIVE_UP_MS 5000

static gw_ws_bridge bridge;
static int hf_lost_before = -1;
static expert_field ei_lost_before = EI_INIT;
static dissector_handle_t udp_handle;
static dissector_handle_t tcp_handle;
static gw_ws_bool magic_only = FALSE;
static gw_ws_bool by_port = FALSE;

/* The reader stops where the walk does. */
static gw_error stop(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_reader reader;
    gw_eb_record record;

    if (gw_eb_open(&reader, message, dialect)) {
        while (gw_eb_next(&reader, &record)) {
        }
    }
    return reader.error;
}

static void show_loss(const gw_ws_place *place, uint32_t lost)
{
    proto_item *item =
        proto_tree_add_uint(place->tree, hf_lost_before, place->tvb, (int)place->offset, 0, lost);

    proto_item_set_generated(item);
    expert_add_info_format(place->pinfo, item != NULL ? item : place->item, &ei_lost_before,
                           "%u bytes of the stream are missing before this message", lost);
}

static void show(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, uint32_t offset,
                 const gw_ws_unit *unit, bool first, bool tracked)
{
    gw_ws_unit named = *unit;

    if (tracked && !PINFO_FD_VISITED(pinfo))
        gw_ws_registers_learn(&unit->message, unit->dialect);
    named.registers = gw_ws_registers_for(pinfo, &unit->message, unit->dialect);
    gw_ws_place place = gw_ws_show_unit(&bridge, tvb, pinfo, tree, offset, &named, first, tracked);

    if (unit->lost_before > 0)
        show_loss(&place, unit->lost_before);
}

/* ---- UDP ---- */

static bool has_magic(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_reader reader;

    return gw_eb_open(&reader, message, dialect) ||
           !(reader.error.kind == GW_MALFORMED && reader.error.offset == 0);
}

static int dissect_datagram(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                            const gw_message *message, const gw_dialect *dialect)
{
    gw_ws_unit unit = {
        .message = *message, .dialect = dialect, .id = gw_ws_track_id_at(pinfo, tvb)};
    bool tracked = !pinfo->flags.in_error_pkt; /* what an ICMP error quotes is no new packet */

    if (tracked && !PINFO_FD_VISITED(pinfo))
        gw_ws_track_feed(bridge.track, message, dialect, unit.id);
    show(tvb, pinfo, tree, 0, &unit, true, tracked);
    return (int)tvb_reported_length(
        tvb); /* 0 would mean "not mine", also when nothing was captured */
}

/* Whether the port speaks for the packet, and alone. Whoever names another one, by Decode As or in
 * the preferences, knows what is there. */
static bool only_port_speaks(const packet_info *pinfo)
{
    for (size_t i = 0; i < gw_etherbone.num_udp_ports; i++) {
        if (pinfo->match_uint == gw_etherbone.udp_ports[i])
            return !by_port;
    }
    return false;
}

static int dissect_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    gw_message m = gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_UDP);
    const gw_dialect *dialect = gw_ws_dialect_for(bridge.dialects, pinfo, &m.src, &m.dst);
    (void)data;

    if (magic_only && !has_magic(&m, dialect))
        return 0;
    if (only_port_speaks(pinfo) && !gw_ws_ours(&bridge, tvb, pinfo, &m, dialect))
        return 0;
    return dissect_datagram(tvb, pinfo, tree, &m, dialect);
}

static gw_ws_bool dissect_udp_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                                        void *data)
{
    gw_message m = gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_UDP);
    (void)data;

    const gw_dialect *dialect = gw_ws_dialect_for(bridge.dialects, pinfo, &m.src, &m.dst);
    if (!gw_ws_heard(&bridge, tvb, pinfo, &m, dialect))
        return FALSE;
    dissect_datagram(tvb, pinfo, tree, &m, dialect);
    return TRUE;
}

/* ---- TCP ---- */

static bool begins_stream(const gw_message *message)
{
    return message->part != GW_EB_LOST;
}

static void show_stream_unit(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, uint32_t offset,
                             const gw_ws_unit *unit)
{
    show(tvb, pinfo, tree, offset, unit, unit->id == pinfo->num, true);
}

static int dissect_tcp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    bool told =
        !magic_only && (!only_port_speaks(pinfo) || gw_ws_announced_as(&gw_etherbone, pinfo));

    if (pinfo->flags.in_error_pkt)
        return 0;
    return gw_ws_stream_dissect(&bridge, tvb, pinfo, tree, data, told ? NULL : begins_stream,
                                show_stream_unit);
}

/* ---- registration ---- */

static void register_loss(void)
{
    static hf_register_info fields[] = {
        {&hf_lost_before,
         {"Bytes lost before", "etherbone.lost_before", FT_UINT32, BASE_DEC, NULL, 0,
          "Bytes of the TCP stream that the capture does not hold", HFILL}}};
    static ei_register_info experts[] = {
        {&ei_lost_before,
         {"etherbone.note.lost_before", PI_SEQUENCE, PI_WARN,
          "Bytes of the stream are missing; what follows may not be placed", EXPFILL}}};

    proto_register_field_array(bridge.proto, fields, (int)G_N_ELEMENTS(fields));
    expert_register_field_array(expert_register_protocol(bridge.proto), experts,
                                (int)G_N_ELEMENTS(experts));
}

void gw_ws_etherbone_register(void)
{
    gw_ws_bridge_register(&bridge, &gw_etherbone, "EtherBone", stop);
    bridge.track = gw_ws_track_register(&bridge);
    bridge.ends = gw_ws_ends_register(&bridge, NULL);
    register_loss();

    module_t *module = prefs_register_protocol(bridge.proto, gw_ws_registers_apply);
    bridge.dialects = gw_ws_dialects_register(module, &gw_etherbone);
    gw_ws_track_preferences(bridge.track, module, GIVE_UP_MS, "Give up on an answer after (ms)",
                            "A request without an answer for so long counts as unanswered, and an "
                            "answer after that as stale");
    prefs_register_bool_preference(module, "magic_only", "Only what begins with the magic",
                                   "Leave datagrams and connections on EtherBone's ports to other "
                                   "dissectors when they do not begin with the letters No",
                                   &magic_only);
    prefs_register_bool_preference(module, "by_port", "Whatever uses its ports",
                                   "Take datagrams and connections on EtherBone's ports also when "
                                   "nothing between their ends looks like EtherBone",
                                   &by_port);
    gw_ws_registers_register(bridge.proto, module);
    udp_handle = register_dissector("etherbone", dissect_udp, bridge.proto);
    tcp_handle = register_dissector("etherbone.tcp", dissect_tcp, bridge.proto);
}

static const char *port_list(const uint16_t *ports, size_t num)
{
    char *buf = (char *)wmem_alloc(wmem_epan_scope(), PORTS_LEN);
    gw_text text = gw_text_over(buf, PORTS_LEN);

    for (size_t i = 0; i < num; i++) {
        if (i > 0)
            gw_text_str(&text, ",");
        gw_text_dec(&text, ports[i]);
    }
    return buf;
}

void gw_ws_etherbone_handoff(void)
{
    dissector_add_uint_range_with_preference(
        "udp.port", port_list(gw_etherbone.udp_ports, gw_etherbone.num_udp_ports), udp_handle);
    dissector_add_uint_range_with_preference(
        "tcp.port", port_list(gw_etherbone.tcp_ports, gw_etherbone.num_tcp_ports), tcp_handle);
    heur_dissector_add("udp", dissect_udp_heuristic, "EtherBone over UDP", "etherbone_udp",
                       bridge.proto, HEURISTIC_ENABLE);
    gw_ws_announced_register(&gw_etherbone, bridge.proto, udp_handle, tcp_handle);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TEXTAROSSA in Wireshark: the Ethernet port's UDP port, any other by Decode As, and the private
 * link type of APElink. Everything else is generic. */
#include "textarossa.h"

#include "bridge.h"

#include <epan/prefs.h>
#include <epan/wmem_scopes.h>
#include <wiretap/wtap.h>

#include "dialects.h"
#include "goldwire/textarossa.h"
#include "links.h"
#include "message.h"
#include "track.h"
#include "unit.h"

#define BENEATH 28  /* bytes of IPv4 without options, and of UDP */
#define ETHERNET 14 /* and of Ethernet's header, which may have tags */

static gw_ws_bridge bridge;
static unsigned give_up_ms = 5000;
static dissector_handle_t udp_handle;

/* The rules about TTL, checksums and frame lengths need the headers beneath, which lie right before
 * the payload unless the datagram came in fragments. */
static void find_beneath(gw_message *m, tvbuff_t *tvb, const packet_info *pinfo)
{
    int start = tvb_raw_offset(tvb) - BENEATH;
    tvbuff_t *whole = tvb_get_ds_tvb(tvb);

    if (m->num_frames > 1 || pinfo->net_src.type != AT_IPv4 || start < 0 || whole == NULL ||
        tvb_captured_length_remaining(whole, start) < BENEATH ||
        tvb_get_guint8(whole, start) != 0x45)
        return;
    m->beneath = tvb_get_ptr(whole, start, BENEATH);
    m->beneath_len = BENEATH;
    if (pinfo->rec->rec_header.packet_header.pkt_encap != WTAP_ENCAP_ETHERNET || start < ETHERNET ||
        start > UINT16_MAX)
        return;
    m->link = tvb_get_ptr(whole, 0, start);
    m->link_len = (uint16_t)start;
    m->frame_len = tvb_reported_length(whole);
}

static int dissect_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    gw_message m = gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_UDP);
    bool tracked = !pinfo->flags.in_error_pkt; /* what an ICMP error quotes is no new packet */
    (void)data;

    find_beneath(&m, tvb, pinfo);
    gw_ws_unit unit = {.message = m,
                       .dialect = gw_ws_dialect_for(bridge.dialects, &m.src, &m.dst),
                       .id = pinfo->num};
    if (tracked && !PINFO_FD_VISITED(pinfo))
        gw_ws_track_feed(bridge.track, &m, unit.dialect, unit.id, give_up_ms);
    gw_ws_show_unit(&bridge, tvb, pinfo, tree, 0, &unit, true, tracked);
    return (int)tvb_reported_length(tvb);
}

void gw_ws_textarossa_register(void)
{
    static const char *const links[] = {"textarossa.link"};

    gw_ws_bridge_register(&bridge, &gw_textarossa, NULL);
    bridge.track = gw_ws_track_register(&bridge);
    module_t *module = prefs_register_protocol(bridge.proto, gw_ws_links_apply);

    bridge.dialects = gw_ws_dialects_register(module, &gw_textarossa);
    prefs_register_uint_preference(module, "give_up", "Give up on an echo after (ms)",
                                   "A packet that was not sent back for so long is forgotten", 10,
                                   &give_up_ms);
    gw_ws_links_register(&bridge, module, links, &give_up_ms);
    udp_handle = register_dissector("textarossa", dissect_udp, bridge.proto);
}

void gw_ws_textarossa_handoff(void)
{
    gw_ws_links_apply();
    dissector_add_uint_range_with_preference(
        "udp.port", wmem_strdup_printf(wmem_epan_scope(), "%u", GW_TX_UDP_PORT), udp_handle);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* OP2P in Wireshark: private link types, a port if the user names one, Decode As. Everything else
 * is generic. */
#include "op2p.h"

#include "bridge.h"

#include <epan/prefs.h>
#include <wiretap/wtap.h>

#include "dialects.h"
#include "goldwire/net.h"
#include "goldwire/op2p.h"
#include "message.h"
#include "track.h"
#include "unit.h"

static gw_ws_bridge bridge;
static unsigned give_up_ms = 5000;

/* A private link type, whether it is taken, and who had it before. */
typedef struct private_link {
    const char *pref, *label, *dissector;
    uint32_t encap;
    uint16_t link_type;
    uint8_t part;
    gw_ws_bool wanted;
    bool taken;
    dissector_handle_t handle;
    dissector_handle_t former;
} private_link;

static private_link links[] = {
    {.pref = "user0",
     .label = "Take DLT_USER0 (link type 147) for bare frames",
     .dissector = "op2p",
     .encap = WTAP_ENCAP_USER0,
     .link_type = GW_LINK_USER0,
     .part = GW_OP2P_BARE,
     .wanted = TRUE},
    {.pref = "user1",
     .label = "Take DLT_USER1 (link type 148) for frames behind the event header",
     .dissector = "op2p.event",
     .encap = WTAP_ENCAP_USER1,
     .link_type = GW_LINK_USER0 + 1,
     .part = GW_OP2P_EVENT,
     .wanted = TRUE},
};

static uint8_t direction_of(const packet_info *pinfo)
{
    switch (pinfo->p2p_dir) {
    case P2P_DIR_SENT:
        return GW_DIR_OUT;
    case P2P_DIR_RECV:
        return GW_DIR_IN;
    default:
        return GW_DIR_UNKNOWN;
    }
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, gw_message message)
{
    const gw_dialect *dialect = gw_ws_dialect_for(bridge.dialects, &message.src, &message.dst);
    gw_ws_unit unit = {.message = message, .dialect = dialect, .id = pinfo->num};
    bool tracked = !pinfo->flags.in_error_pkt; /* what an ICMP error quotes is no new packet */

    if (tracked && !PINFO_FD_VISITED(pinfo))
        gw_ws_track_feed(bridge.track, &message, dialect, unit.id, give_up_ms);
    gw_ws_show_unit(&bridge, tvb, pinfo, tree, 0, &unit, true, tracked);
    return (int)tvb_reported_length(tvb);
}

static int dissect_link(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                        const private_link *link)
{
    gw_message m = gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_NOTHING);

    m.src = m.dst = (gw_endpoint){0};
    m.link_type = link->link_type;
    m.part = link->part;
    m.dir = direction_of(pinfo);
    if ((pinfo->rec->presence_flags & WTAP_HAS_INTERFACE_ID) != 0)
        m.interface = pinfo->rec->rec_header.packet_header.interface_id;
    return dissect(tvb, pinfo, tree, m);
}

static int dissect_bare(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    (void)data;
    return dissect_link(tvb, pinfo, tree, &links[0]);
}

static int dissect_event(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    (void)data;
    return dissect_link(tvb, pinfo, tree, &links[1]);
}

static int dissect_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    (void)data;
    return dissect(tvb, pinfo, tree,
                   gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_UDP));
}

/* ---- registration ---- */

/* Takes a link type, or gives it back to whoever had it. */
static void apply_link(private_link *l)
{
    if ((l->wanted != FALSE) == l->taken)
        return;
    l->taken = l->wanted != FALSE;
    if (l->taken) {
        l->former = dissector_get_uint_handle(find_dissector_table("wtap_encap"), l->encap);
        dissector_add_uint("wtap_encap", l->encap, l->handle);
        return;
    }
    dissector_delete_uint("wtap_encap", l->encap, l->handle);
    if (l->former != NULL)
        dissector_add_uint("wtap_encap", l->encap, l->former);
}

static void apply_links(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(links); i++)
        apply_link(&links[i]);
}

static dissector_handle_t udp_handle;

void gw_ws_op2p_register(void)
{
    gw_ws_bridge_register(&bridge, &gw_op2p, NULL);
    bridge.track = gw_ws_track_register(&bridge);
    module_t *module = prefs_register_protocol(bridge.proto, apply_links);

    bridge.dialects = gw_ws_dialects_register(module, &gw_op2p);
    prefs_register_uint_preference(module, "give_up", "Give up on a completion after (ms)",
                                   "A read request without a completion for so long counts as "
                                   "unanswered",
                                   10, &give_up_ms);
    for (size_t i = 0; i < G_N_ELEMENTS(links); i++)
        prefs_register_bool_preference(module, links[i].pref, links[i].label,
                                       "Anybody may use this link type for anything. Off gives it "
                                       "back to whoever had it",
                                       &links[i].wanted);
    links[0].handle = register_dissector(links[0].dissector, dissect_bare, bridge.proto);
    links[1].handle = register_dissector(links[1].dissector, dissect_event, bridge.proto);
    udp_handle = register_dissector("op2p.udp", dissect_udp, bridge.proto);
}

void gw_ws_op2p_handoff(void)
{
    apply_links();
    /* OP2P owns no port: the preference begins empty, and Decode As offers it. */
    dissector_add_for_decode_as_with_preference("udp.port", udp_handle);
}

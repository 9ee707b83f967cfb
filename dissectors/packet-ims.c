/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IMS streaming in Wireshark: a heuristic over InfiniBand's payloads, whatever carries them, and
 * Decode As. Everything else is generic.
 *
 * InfiniBand hands over what stands above all its headers. A message begins at the BTH, which the
 * opcode places before it in the same bytes, and what wraps it is found there as well. */
#include "formats.h"

#include "bridge.h"

#include <string.h>

#include <epan/dissectors/packet-infiniband.h>
#include <epan/prefs.h>
#include <epan/proto_data.h>

#include "announced.h"
#include "dialects.h"
#include "ends.h"
#include "goldwire/cursor.h"
#include "goldwire/ims.h"
#include "goldwire/net.h"
#include "message.h"
#include "track.h"
#include "unit.h"

enum {
    UDP_HEADER = 8,
    IPV4_HEADER = 20,
    IPV6_HEADER = 40,
    LNH = 3, /* of an LRH's second byte: what follows, 3 a GRH */
    GIVE_UP_MS = 20000,
    CLAIMED = 1,
    REFUSED = 2,
};

static gw_ws_bridge bridge;
static gw_ws_bool take_unknown = FALSE;
static gw_ws_bool keep_place = TRUE;
static dissector_handle_t handle;
static dissector_table_t udp_ports;
static void *introductions; /* of gw_ims.introductions, until the capture is closed */

/* ---- heuristics of others that take frames for what they are not ---- */

/* Whatever claimed last is asked first in Wireshark 4.0. These two claim by a byte or two, which
 * images have as well: eth_over_ib takes 08 00 for an EtherType. */
static const char *const rivals[] = {"eth_over_ib", "mellanox_eoib"};
static bool rivals_off;
static gw_ws_bool rival_was_on[G_N_ELEMENTS(rivals)];

static void apply_place(void)
{
    if ((keep_place != FALSE) == rivals_off)
        return;
    for (size_t i = 0; i < G_N_ELEMENTS(rivals); i++) {
        heur_dtbl_entry_t *e = find_heur_dissector_by_unique_short_name(rivals[i]);
        if (e == NULL)
            continue;
        if (!rivals_off)
            rival_was_on[i] = e->enabled;
        e->enabled = rivals_off ? rival_was_on[i] : FALSE;
    }
    rivals_off = keep_place != FALSE;
}

/* ---- finding the packet around the payload ---- */

/* Bytes of the headers from BTH to payload, as InfiniBand's dissector reads them. */
static int headers_of(uint8_t opcode)
{
    switch (opcode) {
    case GW_IB_UD_SEND_ONLY:
        return GW_IB_BTH + GW_IB_DETH;
    case GW_IB_UD_SEND_ONLY_IMM:
        return GW_IB_BTH + GW_IB_DETH + GW_IB_IMM;
    case GW_IB_UC_WRITE_FIRST:
    case GW_IB_UC_WRITE_ONLY:
        return GW_IB_BTH + GW_IB_RETH;
    case GW_IB_UC_WRITE_ONLY_IMM:
        return GW_IB_BTH + GW_IB_RETH + GW_IB_IMM;
    case GW_IB_UC_SEND_LAST_IMM:
    case GW_IB_UC_SEND_ONLY_IMM:
    case GW_IB_UC_WRITE_LAST_IMM:
        return GW_IB_BTH + GW_IB_IMM;
    default:
        return (opcode & GW_IB_SERVICE) == GW_IB_UC ? GW_IB_BTH : 0;
    }
}

/* The IP and UDP headers right before the BTH, when they are there as a whole. Returns what UDP
 * says of the packet's length: InfiniBand's dissector does not mind when headers are cut short. */
static int find_lower_layers(gw_message *m, tvbuff_t *whole, int bth, const packet_info *pinfo)
{
    int len = UDP_HEADER + (pinfo->src.type == AT_IPv4 ? IPV4_HEADER : IPV6_HEADER);
    uint8_t version = pinfo->src.type == AT_IPv4 ? 0x45 : 0x60;
    uint8_t mask = pinfo->src.type == AT_IPv4 ? 0xff : 0xf0;

    if (bth < len || (tvb_get_uint8(whole, bth - len) & mask) != version)
        return 0;
    m->lower = tvb_get_ptr(whole, bth - len, len);
    m->lower_len = (uint16_t)len;
    m->src.port = tvb_get_ntohs(whole, bth - UDP_HEADER);
    m->dst.port = tvb_get_ntohs(whole, bth - UDP_HEADER + 2);
    return tvb_get_ntohs(whole, bth - UDP_HEADER + 4) - UDP_HEADER;
}

static bool open_roce(gw_ib *ib, gw_message *m, tvbuff_t *whole, int bth, int len,
                      packet_info *pinfo)
{
    len += GW_IB_ICRC;
    *m = gw_ws_message(whole, pinfo, (uint32_t)bth, (uint32_t)len, GW_OVER_UDP);
    m->src = gw_ws_endpoint(&pinfo->src, 0);
    m->dst = gw_ws_endpoint(&pinfo->dst, GW_ROCE_PORT);
    int told = find_lower_layers(m, whole, bth, pinfo);
    if (told >= GW_IB_ICRC && told < len) {
        m->len = (uint32_t)told;
        m->cap_len = m->cap_len < m->len ? m->cap_len : m->len;
    }
    return gw_ib_open_udp(ib, m);
}

/* The LRH stands before the BTH, or before a GRH there. A frame may lack its VCRC. */
static bool open_native(gw_ib *ib, gw_message *m, tvbuff_t *whole, int bth, int len,
                        packet_info *pinfo)
{
    int lrh = bth - GW_IB_LRH, global = lrh - GW_IB_GRH;
    uint32_t fault;

    if (global >= 0 && (tvb_get_uint8(whole, global + 1) & LNH) == LNH &&
        tvb_get_uint8(whole, global + GW_IB_LRH) >> 4 == 6)
        lrh = global;
    if (lrh < 0)
        return false;
    int frame = bth - lrh + len + GW_IB_ICRC;
    int left = (int)tvb_reported_length_remaining(whole, lrh);
    if (left >= frame + GW_IB_VCRC)
        frame += GW_IB_VCRC;
    *m = gw_ws_message(whole, pinfo, (uint32_t)lrh, (uint32_t)frame, GW_OVER_NOTHING);
    m->link_type = GW_LINK_INFINIBAND;
    return gw_ib_open_native(ib, m, &fault) == NULL;
}

/* Finds the packet whose payload |tvb| is. |offset| becomes where its BTH lies in |whole|. */
static bool find_packet(gw_ib *ib, gw_message *m, tvbuff_t *tvb, packet_info *pinfo,
                        const struct infinibandinfo *info, tvbuff_t **whole, int *offset)
{
    int headers = headers_of(info->opCode);

    *whole = tvb_get_ds_tvb(tvb);
    if (*whole == NULL || headers == 0)
        return false;
    int bth = tvb_raw_offset(tvb) - headers;
    if (bth < 0 || tvb_captured_length_remaining(*whole, bth) < headers ||
        tvb_get_uint8(*whole, bth) != info->opCode)
        return false;
    *offset = bth;
    int len = headers + (int)tvb_reported_length(tvb);
    bool over_ip = pinfo->src.type == AT_IPv4 || pinfo->src.type == AT_IPv6;
    bool at_native = pinfo->src.type == AT_IB && pinfo->src.len == 2;
    if (over_ip && !at_native)
        return open_roce(ib, m, *whole, bth, len, pinfo);
    return open_native(ib, m, *whole, bth, len, pinfo);
}

/* ---- ends ---- */

/* Ports of UDP say nothing of a queue pair, and a LID's endpoint may hold another one. */
static void name_end(gw_text *t, const gw_endpoint *end, bool has_qp, uint32_t qp)
{
    gw_endpoint place = *end;

    place.port = 0;
    if (place.family == GW_FAMILY_LID)
        memset(place.ip + 2, 0, sizeof place.ip - 2);
    gw_text_endpoint(t, &place);
    if (place.family != GW_FAMILY_LID) {
        t->len -= sizeof ":0" - 1;
        t->buf[t->len] = '\0';
    }
    if (!has_qp)
        return;
    gw_text_str(t, "/qp:");
    gw_text_hex(t, qp, 2);
}

/* Only datagrams name the queue pair that they come from. */
static void name_ends(const gw_message *message, const gw_dialect *dialect, gw_text *from,
                      gw_text *to)
{
    gw_ims_packet p = {0};

    (void)gw_ims_decode(&p, message, dialect);
    if (message->src.family != GW_FAMILY_NONE)
        name_end(from, &message->src, p.has_deth, p.deth.src_qp);
    if (message->dst.family != GW_FAMILY_NONE)
        name_end(to, &message->dst, p.has_bth, p.bth.dest_qp);
}

/* ---- dissecting ---- */

/* Queue pairs are learned in capture order, so the first pass decides and later ones remember. */
static bool is_ours(tvbuff_t *tvb, packet_info *pinfo, const gw_message *m,
                    const gw_dialect *dialect, bool told)
{
    uint32_t place = (uint32_t)tvb_raw_offset(tvb); /* a frame may hold several packets */
    gpointer kept = p_get_proto_data(wmem_file_scope(), pinfo, bridge.proto, place);

    if (kept == NULL) {
        bool claims = gw_ims.introductions->meet(introductions, m, dialect);
        kept = GINT_TO_POINTER(claims ? CLAIMED : REFUSED);
        p_add_proto_data(wmem_file_scope(), pinfo, bridge.proto, place, kept);
    }
    return told || take_unknown || gw_ws_announced_as(&gw_ims, pinfo) ||
           GPOINTER_TO_INT(kept) == CLAIMED;
}

static void forget_everybody(void)
{
    introductions = wmem_alloc(wmem_file_scope(), gw_ims.introductions->size);
    gw_ims.introductions->init(introductions);
}

static bool dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data, bool told)
{
    const struct infinibandinfo *info = data;
    gw_ib *ib = wmem_new0(pinfo->pool, gw_ib);
    tvbuff_t *whole;
    gw_message m;
    int offset;

    if (info == NULL || !find_packet(ib, &m, tvb, pinfo, info, &whole, &offset))
        return false;
    const gw_dialect *dialect = gw_ws_dialect_for(bridge.dialects, pinfo, &m.src, &m.dst);
    if (!is_ours(tvb, pinfo, &m, dialect, told))
        return false;
    gw_ws_unit unit = {.message = m, .dialect = dialect, .id = gw_ws_track_id_at(pinfo, tvb)};
    bool tracked = !pinfo->flags.in_error_pkt; /* what an ICMP error quotes is no new packet */
    if (tracked && !PINFO_FD_VISITED(pinfo))
        gw_ws_track_feed(bridge.track, &m, dialect, unit.id);
    gw_ws_show_unit(&bridge, whole, pinfo, tree, (uint32_t)offset, &unit, true, tracked);
    return true;
}

static gw_ws_bool dissect_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return dissect(tvb, pinfo, tree, data, false);
}

static int dissect_told(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return dissect(tvb, pinfo, tree, data, true) ? (int)tvb_reported_length(tvb) : 0;
}

/* RoCEv2 on ports that are not its own, where the capture says that it is. It is no layer of its
 * own, hence no protocol's. */
static int dissect_announced(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    (void)data;
    return dissector_try_uint(udp_ports, GW_ROCE_PORT, tvb, pinfo, tree);
}

void gw_ws_ims_register(void)
{
    gw_ws_bridge_register(&bridge, &gw_ims, "IMS", NULL);
    bridge.track = gw_ws_track_register(&bridge);
    bridge.ends = gw_ws_ends_register(&bridge, name_ends);
    module_t *module = prefs_register_protocol(bridge.proto, apply_place);

    bridge.dialects = gw_ws_dialects_register(module, &gw_ims);
    gw_ws_track_preferences(bridge.track, module, GIVE_UP_MS, "Give up on a response after (ms)",
                            "A frame without an ACK or NACK for so long counts as unanswered");
    prefs_register_bool_preference(module, "unknown", "Take packets of unknown queue pairs",
                                   "For captures that begin after a data channel was set up: every "
                                   "UC and UD packet that nobody else claims is shown as IMS",
                                   &take_unknown);
    prefs_register_bool_preference(module, "keep_place",
                                   "Switch off what takes frames for Ethernet",
                                   "The heuristics eth_over_ib and mellanox_eoib claim images by a "
                                   "byte or two. Off gives them back",
                                   &keep_place);
    handle = register_dissector("ims", dissect_told, bridge.proto);
    register_init_routine(forget_everybody);
    register_init_routine(apply_place);
}

void gw_ws_ims_handoff(void)
{
    heur_dissector_add("infiniband.payload", dissect_heuristic, "IMS streaming over InfiniBand",
                       "ims_infiniband", bridge.proto, HEURISTIC_ENABLE);
    dissector_add_for_decode_as("infiniband", handle);
    udp_ports = find_dissector_table("udp.port");
    gw_ws_announced_register(&gw_ims, bridge.proto, create_dissector_handle(dissect_announced, -1),
                             NULL);
}

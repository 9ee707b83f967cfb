/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TEXTAROSSA in Wireshark: the Ethernet port's UDP port, any other by what is there or by Decode
 * As, and the private link type of APElink. */
#include "formats.h"

#include "announced.h"
#include "datagram.h"

#include <epan/prefs.h>
#include <epan/wmem_scopes.h>
#include <wiretap/wtap.h>

#include "goldwire/textarossa.h"
#include "links.h"
#include "stream.h"
#include "unit.h"

#define LOWER_LAYERS 28 /* bytes of IPv4 without options, and of UDP */
#define ETHERNET 14     /* and of Ethernet's header, which may have tags */

/* The rules about TTL, checksums and frame lengths need the headers beneath, which lie right before
 * the payload unless the datagram came in fragments. */
static void find_lower_layers(gw_message *m, tvbuff_t *tvb, const packet_info *pinfo)
{
    int start = tvb_raw_offset(tvb) - LOWER_LAYERS;
    tvbuff_t *whole = tvb_get_ds_tvb(tvb);

    if (m->num_frames > 1 || pinfo->net_src.type != AT_IPv4 || start < 0 || whole == NULL ||
        tvb_captured_length_remaining(whole, start) < LOWER_LAYERS ||
        tvb_get_uint8(whole, start) != 0x45)
        return;
    m->lower = tvb_get_ptr(whole, start, LOWER_LAYERS);
    m->lower_len = LOWER_LAYERS;
    if (pinfo->rec->rec_header.packet_header.pkt_encap != WTAP_ENCAP_ETHERNET || start < ETHERNET ||
        start > UINT16_MAX)
        return;
    m->link = tvb_get_ptr(whole, 0, start);
    m->link_len = (uint16_t)start;
    m->frame_len = tvb_reported_length(whole);
}

/* A header names the node that it goes to, and none that it comes from. */
static void name_ends(const gw_message *message, const gw_dialect *dialect, gw_text *from,
                      gw_text *to)
{
    gw_tx_packet p;
    (void)from;

    (void)gw_tx_decode(&p, message, dialect);
    if (!p.has_header || p.edac.status == GW_TX_EDAC_FATAL)
        return;
    gw_tx_header h = gw_tx_unpack(p.edac.word, GW_TX_PORT);
    gw_text_dec(to, h.dest_x);
    gw_text_str(to, ".");
    gw_text_dec(to, h.dest_y);
    gw_text_str(to, ".");
    gw_text_dec(to, h.dest_z);
}

static const char *const links[] = {"textarossa.link"};

static gw_ws_datagram textarossa = {
    .format = &gw_textarossa,
    .column = "TEXTAROSSA",
    .name = "textarossa",
    .links = links,
    .ends = name_ends,
    .give_up_title = "Give up on an echo after (ms)",
    .give_up_text = "A packet that was not sent back for so long is forgotten",
    .owns_ports = true,
    .lower_layers = find_lower_layers,
};

/* ---- APElink over TCP: only where the capture or the user says so ---- */

static dissector_handle_t tcp_handle;

static void show_run(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, uint32_t offset,
                     const gw_ws_unit *unit)
{
    (void)gw_ws_show_unit(&textarossa.bridge, tvb, pinfo, tree, offset, unit,
                          unit->id == pinfo->num, true);
}

static int dissect_tcp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (pinfo->flags.in_error_pkt)
        return 0;
    return gw_ws_stream_dissect(&textarossa.bridge, tvb, pinfo, tree, data, NULL, show_run);
}

void gw_ws_textarossa_register(void)
{
    gw_ws_datagram_register(&textarossa);
    tcp_handle = register_dissector("textarossa.tcp", dissect_tcp, textarossa.bridge.proto);
}

void gw_ws_textarossa_handoff(void)
{
    gw_ws_links_apply();
    dissector_add_uint_range_with_preference(
        "udp.port", wmem_strdup_printf(wmem_epan_scope(), "%u", GW_TX_UDP_PORT), textarossa.handle);
    gw_ws_datagram_by_content(&textarossa);
    gw_ws_announced_register(textarossa.format, textarossa.bridge.proto, textarossa.handle,
                             tcp_handle);
    dissector_add_for_decode_as("tcp.port", tcp_handle);
}

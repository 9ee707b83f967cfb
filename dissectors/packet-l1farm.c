/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Level-1 farm in Wireshark: private link types, a port if the user names one, Decode As. */
#include "formats.h"

#include "announced.h"
#include "datagram.h"
#include "goldwire/l1farm.h"
#include "links.h"

static void name_unit(gw_text *t, unsigned ru)
{
    gw_text_str(t, "RU ");
    gw_text_dec(t, ru);
}

/* The lines of a readout unit go into it or out of it. */
static void name_edge(const gw_l1_edge *edge, gw_text *from, gw_text *to)
{
    name_unit(edge->line == GW_L1_TON || edge->line == GW_L1_BON ? from : to, edge->ru);
}

/* Sub-events go from readout units to compute nodes; what else the tunnel's header tells has one
 * end. */
static void name_tunnel(const gw_l1_shim *shim, gw_text *from, gw_text *to)
{
    switch (shim->kind) {
    case GW_L1_KIND_SUBEVENT:
        name_unit(from, shim->ru);
        gw_text_hex(to, shim->dest, 1);
        break;
    case GW_L1_KIND_RESULT:
    case GW_L1_KIND_FREE:
        gw_text_hex(from, shim->dest, 1);
        break;
    case GW_L1_KIND_DESCRIPTORS:
        name_unit(to, shim->ru);
        break;
    default:
        break;
    }
}

/* Who took a packet off the ringlet is an echo's source. Tags, edges and bursts have one end each.
 */
static void name_ends(const gw_message *message, const gw_dialect *dialect, gw_text *from,
                      gw_text *to)
{
    gw_l1_unit u = {0};

    (void)gw_l1_decode(&u, message, dialect);
    if (u.has == GW_L1_HAS_SCI &&
        (u.u.sci.kind == GW_L1_SCI_SEND || u.u.sci.kind == GW_L1_SCI_IS_ECHO) &&
        gw_l1_sci_has_head(&u.u.sci)) {
        gw_text_hex(from, u.u.sci.source, 1);
        gw_text_hex(to, u.u.sci.target, 1);
    } else if (u.has == GW_L1_HAS_TAG && u.u.tag.status != GW_L1_TAG_FATAL) {
        gw_text_hex(to, u.u.tag.dest, 1);
    } else if (u.has == GW_L1_HAS_EDGE) {
        name_edge(&u.u.edge, from, to);
    } else if (u.has_memory) {
        gw_text_hex(u.memory.direction == 0 ? to : from, u.memory.node, 1);
    } else if (u.has_shim) {
        name_tunnel(&u.shim, from, to);
    }
}

static const char *const links[] = {"l1farm.sci", "l1farm.trace", "l1farm.tagnet", "l1farm.memory"};

static gw_ws_datagram l1farm = {
    .format = &gw_l1farm,
    .column = "L1 farm",
    .name = "l1farm",
    .links = links,
    .ends = name_ends,
    .give_up_title = "Give up on an SCI transaction after (ms)",
    .give_up_text = "A packet without an echo, or a request without a response, for so long counts "
                    "as unanswered",
};

void gw_ws_l1farm_register(void)
{
    gw_ws_datagram_register(&l1farm);
}

void gw_ws_l1farm_handoff(void)
{
    gw_ws_links_apply();
    /* The farm owns no port: the preference begins empty, and Decode As offers it. */
    dissector_add_for_decode_as_with_preference("udp.port", l1farm.handle);
    gw_ws_datagram_by_content(&l1farm);
    gw_ws_announced_register(l1farm.format, l1farm.bridge.proto, l1farm.handle, NULL);
}

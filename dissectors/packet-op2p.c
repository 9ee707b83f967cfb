/* SPDX-License-Identifier: GPL-2.0-or-later */
/* OP2P in Wireshark: private link types, a port if the user names one, Decode As. */
#include "formats.h"

#include "announced.h"
#include "datagram.h"
#include "goldwire/op2p.h"
#include "links.h"

static void name_ends(const gw_message *message, const gw_dialect *dialect, gw_text *from,
                      gw_text *to)
{
    gw_op2p_packet p;
    (void)dialect;

    (void)gw_op2p_decode(&p, message);
    if (!p.has_header)
        return;
    gw_op2p_put_node(from, p.header.src_id);
    gw_op2p_put_node(to, p.header.dst_id);
}

static const char *const links[] = {"op2p", "op2p.event"};

static gw_ws_datagram op2p = {
    .format = &gw_op2p,
    .column = "OP2P",
    .name = "op2p.udp",
    .links = links,
    .ends = name_ends,
    .give_up_title = "Give up on a completion after (ms)",
    .give_up_text = "A read request without a completion for so long counts as unanswered",
};

void gw_ws_op2p_register(void)
{
    gw_ws_datagram_register(&op2p);
}

void gw_ws_op2p_handoff(void)
{
    gw_ws_links_apply();
    /* OP2P owns no port: the preference begins empty, and Decode As offers it. */
    dissector_add_for_decode_as_with_preference("udp.port", op2p.handle);
    gw_ws_datagram_by_content(&op2p);
    gw_ws_announced_register(op2p.format, op2p.bridge.proto, op2p.handle, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Level-1 farm in Wireshark: private link types, a port if the user names one, Decode As. */
#include "formats.h"

#include "announced.h"
#include "datagram.h"
#include "goldwire/l1farm.h"
#include "links.h"

static const char *const links[] = {"l1farm.sci", "l1farm.trace", "l1farm.tagnet", "l1farm.memory"};

static gw_ws_datagram l1farm = {
    .format = &gw_l1farm,
    .name = "l1farm",
    .links = links,
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

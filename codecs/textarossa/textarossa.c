/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA as a format. */
#include "goldwire/net.h"
#include "textarossa/internal.h"
#include "textarossa/link/apelink.h"

static const uint16_t udp_ports[] = {GW_TX_UDP_PORT};

/* As the Ethernet port fills them (doc). */
static const gw_ip_style ip_style = {.ttl = 0x80, .may_fragment = true, .no_udp_checksum = true};

static const gw_link links[] = {
    {.link_type = GW_LINK_USER0 + 6,
     .part = GW_TX_PART_LINK,
     .stream = &gw_ape_stream,
     .wrap = gw_ape_wrap,
     .unwrap = gw_ape_unwrap,
     .what = "APElink beats"},
};

const gw_format gw_textarossa = {
    .name = "textarossa",
    .title = "TEXTAROSSA",
    .groups = gw_tx_groups,
    .num_groups = GW_TX_NUM_GROUPS,
    .rules = gw_tx_rules,
    .num_rules = TX_NUM_RULES,
    .headings = gw_tx_headings,
    .dialects = gw_tx_dialects,
    .num_dialects = GW_TX_NUM_DIALECTS,
    .udp_ports = udp_ports,
    .num_udp_ports = GW_ARRAY_LEN(udp_ports),
    .links = links,
    .num_links = GW_ARRAY_LEN(links),
    .registers = &gw_tx_registers,
    .ip_style = &ip_style,
    .stream = &gw_ape_stream,
    .session = &gw_tx_session,
    .introductions = &gw_tx_introductions,
    .walk = gw_tx_walk,
    .check = gw_tx_check,
    .claims = gw_tx_claims,
    .transaction = gw_tx_transaction,
    .summary = gw_tx_summary,
};

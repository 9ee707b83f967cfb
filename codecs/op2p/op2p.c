/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P as a format. It has no port; over UDP only the tunnel is known by itself. */
#include "goldwire/net.h"
#include "op2p/internal.h"

static const gw_link links[] = {
    {.link_type = GW_LINK_USER0, .part = GW_OP2P_BARE, .what = "OP2P frame, wire order"},
    {.link_type = GW_LINK_USER0 + 1, .part = GW_OP2P_EVENT, .what = "OP2P frame or link event"},
};

const gw_format gw_op2p = {
    .name = "op2p",
    .title = "OP2P",
    .groups = gw_op2p_groups,
    .num_groups = GW_OP2P_NUM_GROUPS,
    .rules = gw_op2p_rules,
    .num_rules = OP_NUM_RULES,
    .headings = gw_op2p_headings,
    .dialects = gw_op2p_dialects,
    .num_dialects = GW_OP2P_NUM_DIALECTS,
    .registers = &gw_op2p_registers,
    .links = links,
    .num_links = GW_ARRAY_LEN(links),
    .session = &gw_op2p_session,
    .walk = gw_op2p_walk,
    .check = gw_op2p_check,
    .claims = gw_op2p_claims,
    .introductions = &gw_op2p_introductions,
    .transaction = gw_op2p_transaction,
    .portion = gw_op2p_portion,
    .summary = gw_op2p_summary,
};

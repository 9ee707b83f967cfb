/* SPDX-License-Identifier: BSD-2-Clause */
/* The Level-1 farm as a format. It has no port; over UDP only the tunnel is known by itself. */
#include "goldwire/net.h"
#include "l1farm/internal.h"

static const gw_link links[] = {
    {GW_LINK_USER0 + 2, GW_L1_SCI, NULL, NULL, NULL, "SCI packet with a 4-byte header"},
    {GW_LINK_USER0 + 3, GW_L1_TRACE, NULL, NULL, NULL, "SCI symbols, a flag byte before each"},
    {GW_LINK_USER0 + 4, GW_L1_TAGNET, NULL, NULL, NULL, "TagNet edge or coded tag"},
    {GW_LINK_USER0 + 5, GW_L1_MEMORY, NULL, NULL, NULL, "memory write with a 16-byte header"},
};

const gw_format gw_l1farm = {
    .name = "l1farm",
    .title = "Level-1 farm",
    .groups = gw_l1_groups,
    .num_groups = GW_L1_NUM_GROUPS,
    .rules = gw_l1_rules,
    .num_rules = L1_NUM_RULES,
    .headings = gw_l1_headings,
    .dialects = gw_l1_dialects,
    .num_dialects = GW_L1_NUM_DIALECTS,
    .links = links,
    .num_links = GW_ARRAY_LEN(links),
    .session = &gw_l1_session,
    .walk = gw_l1_walk,
    .check = gw_l1_check,
    .claims = gw_l1_claims,
    .introductions = &gw_l1_introductions,
    .transaction = gw_l1_transaction,
    .portion = gw_l1_portion,
    .summary = gw_l1_summary,
};

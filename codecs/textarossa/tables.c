/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA's tables, made from textarossa.def. */
#include "core/table.h"
#include "textarossa/internal.h"

#define GW_TABLE_DEF "textarossa/textarossa.def"
#define GW_ID(name) GW_TX_##name
#define GW_PREFIX "textarossa"
#define GW_BROKEN(place) &gw_tx_rules[place]
#define GW_AT GW_AT_LSB0
#define GW_TABLE_GROUPS gw_tx_groups
#include "core/table_build.h"

const gw_group *gw_tx_group(int id)
{
    return &table_groups[id];
}

const gw_field *gw_tx_field(int id)
{
    return &table_fields[id];
}

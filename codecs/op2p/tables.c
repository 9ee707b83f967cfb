/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P's tables, made from op2p.def. */
#include "core/table.h"
#include "op2p/internal.h"

#define GW_TABLE_DEF "op2p/op2p.def"
#define GW_ID(name) GW_OP2P_##name
#define GW_PREFIX "op2p"
#define GW_BROKEN(place) &gw_op2p_rules[place]
#define GW_AT GW_AT_MSB0
#define GW_TABLE_GROUPS gw_op2p_groups
#include "core/table_build.h"

const gw_group *gw_op2p_group(int id)
{
    return &table_groups[id];
}

const gw_field *gw_op2p_field(int id)
{
    return &table_fields[id];
}

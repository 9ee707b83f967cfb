/* SPDX-License-Identifier: BSD-2-Clause */
/* The Level-1 farm's tables, made from l1farm.def. */
#include "core/table.h"
#include "l1farm/internal.h"

#define GW_TABLE_DEF "l1farm/l1farm.def"
#define GW_ID(name) GW_L1_##name
#define GW_PREFIX "l1farm"
#define GW_BROKEN(place) &gw_l1_rules[place]
#define GW_AT GW_AT_MSB0
#define GW_TABLE_GROUPS gw_l1_groups
#include "core/table_build.h"

const gw_group *gw_l1_group(int id)
{
    return &table_groups[id];
}

const gw_field *gw_l1_field(int id)
{
    return &table_fields[id];
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone's tables, made from etherbone.def. */
#include "core/table.h"
#include "etherbone/internal.h"

#define GW_TABLE_DEF "etherbone/etherbone.def"
#define GW_ID(name) GW_EB_##name
#define GW_PREFIX "etherbone"
#define GW_AT GW_AT_MSB0
#define GW_TABLE_GROUPS gw_eb_groups
#include "core/table_build.h"

const gw_group *gw_eb_group(int id)
{
    return &table_groups[id];
}

const gw_field *gw_eb_field(int id)
{
    return &table_fields[id];
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of IMS streaming, made from ims.def. */
#include "core/table.h"
#include "ims/internal.h"

#define GW_TABLE_DEF "ims/ims.def"
#define GW_ID(name) GW_IMS_##name
#define GW_PREFIX "ims"
#define GW_BROKEN(place) &gw_ims_rules[place]
#define GW_AT GW_AT_MSB0
#define GW_TABLE_GROUPS gw_ims_groups
#include "core/table_build.h"

const gw_group *gw_ims_group(int id)
{
    return &table_groups[id];
}

const gw_field *gw_ims_field(int id)
{
    return &table_fields[id];
}

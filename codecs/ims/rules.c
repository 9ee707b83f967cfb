/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the rules of IMS streaming. */
#include "ims/internal.h"

#include "core/rule_rows.h"

const gw_rule gw_ims_rules[] = {
#define GW_IMS_RULE(number, ...) [IMS_##number] = GW_RULE_ROW("IMS-", number, __VA_ARGS__),
#include "ims/ims_rules.def"
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of EtherBone's rules. */
#include "etherbone/rules.h"

#include "core/rule_rows.h"

const gw_rule gw_eb_rules[] = {
#define GW_EB_RULE(number, ...) [EB_##number] = GW_RULE_ROW("EB-", number, __VA_ARGS__),
#include "etherbone_rules.def"
};

const size_t gw_eb_num_rules = GW_ARRAY_LEN(gw_eb_rules);

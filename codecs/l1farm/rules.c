/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the Level-1 farm's rules. */
#include "l1farm/internal.h"

#include "core/rule_rows.h"

const gw_rule gw_l1_rules[] = {
#define GW_L1_RULE(number, ...) [L1_##number] = GW_RULE_ROW("L1-", number, __VA_ARGS__),
#include "l1farm/l1farm_rules.def"
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of OP2P's rules. */
#include "op2p/internal.h"

#include "core/rule_rows.h"

const gw_rule gw_op2p_rules[] = {
#define GW_OP2P_RULE(number, ...) [OP_##number] = GW_RULE_ROW("OP-", number, __VA_ARGS__),
#include "op2p/op2p_rules.def"
};

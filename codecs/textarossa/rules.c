/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of TEXTAROSSA's rules. */
#include "textarossa/internal.h"

#include "core/rule_rows.h"

const gw_rule gw_tx_rules[] = {
#define GW_TX_RULE(number, ...) [TX_##number] = GW_RULE_ROW("TX-", number, __VA_ARGS__),
#include "textarossa/textarossa_rules.def"
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of OP2P's rules. */
#include "op2p/internal.h"

#include "core/rule_rows.h"

const gw_rule gw_op2p_rules[] = {
#define GW_OP2P_RULE(number, ...) [OP_##number] = GW_RULE_ROW("OP-", number, __VA_ARGS__),
#include "op2p/op2p_rules.def"
};

void gw_op2p_report(const gw_judge *judge, enum gw_op2p_rule_place rule, int field, uint32_t start,
                    const char *text, const uint64_t *numbers)
{
    const gw_field *f = gw_op2p_field(field);

    gw_report(judge, &gw_op2p_rules[rule], f, start + f->byte, text, numbers);
}

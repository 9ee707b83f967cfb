/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the Level-1 farm's rules. */
#include "l1farm/internal.h"

#include "core/rule_rows.h"

const gw_rule gw_l1_rules[] = {
#define GW_L1_RULE(number, ...) [L1_##number] = GW_RULE_ROW("L1-", number, __VA_ARGS__),
#include "l1farm/l1farm_rules.def"
};

void gw_l1_report(const gw_judge *judge, enum gw_l1_rule_place rule, int field, uint32_t start,
                  const char *text, const uint64_t *numbers)
{
    const gw_field *f = gw_l1_field(field);

    gw_report(judge, &gw_l1_rules[rule], f, start + f->byte, text, numbers);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the rules of IMS streaming. */
#include "ims/internal.h"

#include "core/rule_rows.h"

const gw_rule gw_ims_rules[] = {
#define GW_IMS_RULE(number, ...) [IMS_##number] = GW_RULE_ROW("IMS-", number, __VA_ARGS__),
#include "ims/ims_rules.def"
};

void gw_ims_report(const gw_judge *judge, enum gw_ims_rule_place rule, int field, uint32_t offset,
                   const char *text, const uint64_t *numbers)
{
    gw_report(judge, &gw_ims_rules[rule], gw_ims_field(field), offset, text, numbers);
}

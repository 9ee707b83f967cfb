/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns a broken rule into a finding with a text for people. */
#include "etherbone/report.h"

#include "etherbone/internal.h"

void gw_eb_report(const gw_eb_judge *judge, enum gw_eb_rule_place rule, int field, uint32_t offset,
                  const char *text, const uint64_t *numbers)
{
    gw_report(judge, &gw_eb_rules[rule], gw_eb_field(field), offset, text, numbers);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the Level-1 farm's rules. */
#include "l1farm/internal.h"

/* The scopes, by the short names that the .def uses. */
enum {
    MESSAGE = GW_SCOPE_MESSAGE,
    SESSION = GW_SCOPE_SESSION,
    ACTIVE = GW_SCOPE_ACTIVE,
    HIDDEN = GW_SCOPE_HIDDEN,
};

const gw_rule gw_l1_rules[] = {
#define GW_L1_RULE(number, rule_level, rule_scope, rule_clause, rule_text, rule_why)               \
    [L1_##number] = {                                                                              \
        .id = "L1-" #number,                                                                       \
        .text = (rule_text),                                                                       \
        .why = (rule_why),                                                                         \
        .clause = (rule_clause),                                                                   \
        .level = GW_##rule_level,                                                                  \
        .scope = (rule_scope),                                                                     \
    },
#include "l1farm/l1farm_rules.def"
};

void gw_l1_report(const gw_judge *judge, enum gw_l1_rule_place rule, int field, uint32_t start,
                  const char *text, const uint64_t *numbers)
{
    const gw_field *f = gw_l1_field(field);

    gw_report(judge, &gw_l1_rules[rule], f, start + f->byte, text, numbers);
}

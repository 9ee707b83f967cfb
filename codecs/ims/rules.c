/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the rules of IMS streaming. */
#include "ims/internal.h"

/* The scopes, by the short names that the .def uses. */
enum {
    MESSAGE = GW_SCOPE_MESSAGE,
    SESSION = GW_SCOPE_SESSION,
    ACTIVE = GW_SCOPE_ACTIVE,
    HIDDEN = GW_SCOPE_HIDDEN,
};

const gw_rule gw_ims_rules[] = {
#define GW_IMS_RULE(number, rule_level, rule_scope, rule_clause, rule_text, rule_why)              \
    [IMS_##number] = {                                                                             \
        .id = "IMS-" #number,                                                                      \
        .text = (rule_text),                                                                       \
        .why = (rule_why),                                                                         \
        .clause = (rule_clause),                                                                   \
        .level = GW_##rule_level,                                                                  \
        .scope = (rule_scope),                                                                     \
    },
#include "ims/ims_rules.def"
};

void gw_ims_report(const gw_judge *judge, enum gw_ims_rule_place rule, int field, uint32_t offset,
                   const char *text, const uint64_t *numbers)
{
    gw_report(judge, &gw_ims_rules[rule], gw_ims_field(field), offset, text, numbers);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of OP2P's rules. */
#include "op2p/internal.h"

/* The scopes, by the short names that the .def uses. */
enum {
    MESSAGE = GW_SCOPE_MESSAGE,
    SESSION = GW_SCOPE_SESSION,
    ACTIVE = GW_SCOPE_ACTIVE,
    HIDDEN = GW_SCOPE_HIDDEN,
};

const gw_rule gw_op2p_rules[] = {
#define GW_OP2P_RULE(number, rule_level, rule_scope, rule_clause, rule_text, rule_why)             \
    [OP_##number] = {                                                                              \
        .id = "OP-" #number,                                                                       \
        .text = (rule_text),                                                                       \
        .why = (rule_why),                                                                         \
        .clause = (rule_clause),                                                                   \
        .level = GW_##rule_level,                                                                  \
        .scope = (rule_scope),                                                                     \
    },
#include "op2p/op2p_rules.def"
};

void gw_op2p_report(const gw_judge *judge, enum gw_op2p_rule_place rule, int field, uint32_t start,
                    const char *text, const uint64_t *numbers)
{
    const gw_field *f = gw_op2p_field(field);

    gw_report(judge, &gw_op2p_rules[rule], f, start + f->byte, text, numbers);
}

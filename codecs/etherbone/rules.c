/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of EtherBone's rules. */
#include "etherbone/rules.h"

/* The scopes, by the short names that the .def uses. */
enum {
    MESSAGE = GW_SCOPE_MESSAGE,
    SESSION = GW_SCOPE_SESSION,
    ACTIVE = GW_SCOPE_ACTIVE,
    HIDDEN = GW_SCOPE_HIDDEN,
};

const gw_rule gw_eb_rules[] = {
#define GW_EB_RULE(number, rule_level, rule_scope, rule_clause, rule_text, rule_why)               \
    [EB_##number] = {                                                                              \
        .id = "EB-" #number,                                                                       \
        .text = (rule_text),                                                                       \
        .why = (rule_why),                                                                         \
        .clause = (rule_clause),                                                                   \
        .level = GW_##rule_level,                                                                  \
        .scope = (rule_scope),                                                                     \
    },
#include "etherbone_rules.def"
};

const size_t gw_eb_num_rules = GW_ARRAY_LEN(gw_eb_rules);

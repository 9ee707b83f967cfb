/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of TEXTAROSSA's rules. */
#include "textarossa/internal.h"

/* The scopes, by the short names that the .def uses. */
enum {
    MESSAGE = GW_SCOPE_MESSAGE,
    SESSION = GW_SCOPE_SESSION,
    ACTIVE = GW_SCOPE_ACTIVE,
    HIDDEN = GW_SCOPE_HIDDEN,
};

const gw_rule gw_tx_rules[] = {
#define GW_TX_RULE(number, rule_level, rule_scope, rule_clause, rule_text, rule_why)               \
    [TX_##number] = {                                                                              \
        .id = "TX-" #number,                                                                       \
        .text = (rule_text),                                                                       \
        .why = (rule_why),                                                                         \
        .clause = (rule_clause),                                                                   \
        .level = GW_##rule_level,                                                                  \
        .scope = (rule_scope),                                                                     \
    },
#include "textarossa/textarossa_rules.def"
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* What turns the rows of a rules .def into a table of gw_rule. For rules.c of a format only. */
#ifndef CORE_RULE_ROWS_H
#define CORE_RULE_ROWS_H

#include "goldwire/rule.h"

/* The scopes, by the short names that the .def files use. */
enum {
    MESSAGE = GW_SCOPE_MESSAGE,
    SESSION = GW_SCOPE_SESSION,
    ACTIVE = GW_SCOPE_ACTIVE,
    HIDDEN = GW_SCOPE_HIDDEN,
};

/* GW_RULE_ROW is the rule |number| of the format whose ids begin with |prefix|, a string. */
#define GW_RULE_ROW(prefix, number, rule_level, rule_scope, rule_clause, rule_text, rule_why)      \
    {                                                                                              \
        .id = prefix #number, .text = (rule_text), .why = (rule_why), .clause = (rule_clause),     \
        .level = GW_##rule_level, .scope = (rule_scope),                                           \
    }

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the rules that a core's ports are under, whatever they carry. */
#include "core/rule_rows.h"
#include "goldwire/format.h"

static const gw_rule rules[] = {
#define GW_PORT_RULE(family, number, level, clause, text, why)                                     \
    GW_RULE_ROW(family, number, level, 0, clause, text, why),
#include "core/port_requirements.def"
};

const gw_format gw_port_format = {
    .name = "ports",
    .title = "AXI4-Stream and Wishbone",
    .rules = rules,
    .num_rules = GW_ARRAY_LEN(rules),
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules of EtherBone by number, and what judges by them. */
#ifndef ETHERBONE_RULES_H
#define ETHERBONE_RULES_H

#include "goldwire/format.h"
#include "goldwire/message.h"
#include "goldwire/rule.h"

/* EB_S01 .. EB_M29 are the rules' places in gw_eb_rules. Places may change, ids may not. */
enum gw_eb_rule_place {
#define GW_EB_RULE(number, level, scope, clause, text, why) EB_##number,
#include "etherbone_rules.def"
    EB_NUM_RULES
};

/* gw_eb_rules holds every rule of EtherBone, indexed by gw_eb_rule_place. */
extern const gw_rule gw_eb_rules[];

/* gw_eb_num_rules is EB_NUM_RULES, for those who do not see the enumeration. */
extern const size_t gw_eb_num_rules;

/* gw_eb_check judges |message| alone and reports to |sink|. */
void gw_eb_check(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink);

/* gw_eb_check_reply judges |message|, which its conversation shows to be a reply, by the rules for
 * replies; not again where gw_eb_check has done so. */
void gw_eb_check_reply(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink);

/* gw_eb_session judges conversations. */
extern const gw_session_ops gw_eb_session;

#endif

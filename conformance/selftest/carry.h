/* SPDX-License-Identifier: BSD-2-Clause */
/* Which fields and messages a rule is about. No table says it, so it is found out: fields that
 * quote the same clause, and what the cases name when a known fault breaks the rule. */
#ifndef GOLDWIRE_SELFTEST_CARRY_H
#define GOLDWIRE_SELFTEST_CARRY_H

#include "boards/peer.h"
#include "run/case.h"

#define GW_CARRY_MAX 32
#define GW_CARRY_KINDS 16

/* gw_carry is one such field. */
typedef struct gw_carry {
    const gw_field *field;
    const gw_mutant *shown_by; /* with this fault a case names it; NULL: it quotes the clause */
} gw_carry;

/* gw_carriers is all that carries a rule. */
typedef struct gw_carriers {
    gw_carry fields[GW_CARRY_MAX]; /* each once */
    unsigned num_fields;
    const char *kinds[GW_CARRY_KINDS]; /* of the board's messages in which cases see it broken, as
                                          gw_transaction has them, each once */
    unsigned num_kinds;
} gw_carriers;

/* gw_mutant_breaks says whether |mutant| breaks the rule with the id |rule|. */
bool gw_mutant_breaks(const gw_mutant *mutant, const char *rule);

/* gw_carry_find tells what carries |rule|. It runs the cases of |suite| that test the rule against
 * every mutant of |board| that breaks it, in memory; a NULL |board| has none. */
void gw_carry_find(gw_carriers *out, const gw_suite *suite, const gw_board *board,
                   const gw_rule *rule);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Which fields a rule is about. No table says it, so it is found out: fields that quote the same
 * clause, and fields that the cases name when a known fault breaks the rule. */
#ifndef GOLDWIRE_SELFTEST_CARRY_H
#define GOLDWIRE_SELFTEST_CARRY_H

#include "boards/peer.h"
#include "run/case.h"

#define GW_CARRY_MAX 32

/* gw_carry is one such field. */
typedef struct gw_carry {
    const gw_field *field;
    const gw_mutant *shown_by; /* with this fault a case names it; NULL: it quotes the clause */
} gw_carry;

/* gw_mutant_breaks says whether |mutant| breaks the rule with the id |rule|. */
bool gw_mutant_breaks(const gw_mutant *mutant, const char *rule);

/* gw_carry_find writes the fields that carry |rule|, each once, and returns how many. It runs the
 * cases of |suite| that test the rule against every mutant of |board| that breaks it, in memory. */
unsigned gw_carry_find(gw_carry out[GW_CARRY_MAX], const gw_suite *suite, const gw_board *board,
                       const gw_rule *rule);

#endif

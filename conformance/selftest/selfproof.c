/* SPDX-License-Identifier: BSD-2-Clause */
/* Proves this very program on goldwire's own boards: nobody should trust a green result of a tool
 * that has just failed to see a known fault. */
#include "selftest/selfproof.h"

#include <stdio.h>
#include <string.h>

/* Whether a case of |group| tests a rule that |mutant| breaks: only such a mutant is worth a run.
 */
static bool concerns(const gw_case *group, const gw_mutant *mutant)
{
    for (; group->id != NULL; group++)
        for (const char *const *rule = group->rules; *rule != NULL; rule++)
            for (const char *const *broken = mutant->rules; *broken != NULL; broken++)
                if (strcmp(*rule, *broken) == 0)
                    return true;
    return false;
}

static bool prove_good(gw_selfproof *out, const gw_suite *suite, const gw_board *board)
{
    gw_detection d;
    if (!gw_selftest(&d, suite, board, NULL, NULL, out->why, sizeof(out->why)))
        return false;
    out->good_passed = d.counts.of[GW_PASS];
    out->good_na = d.counts.of[GW_NA];
    if (d.reached && d.num_extra == 0 && out->good_passed > 0)
        return true;
    (void)snprintf(out->why, sizeof(out->why), "the good %s does not pass %s: %.300s", board->role,
                   d.num_extra > 0 ? d.extra[0]->id : "any case", d.extra_text);
    return false;
}

/* Runs the group alone against one mutant after the other, until one is found out. */
static bool prove_unit(gw_selfproof *out, gw_proof_unit *unit, const gw_suite *suite,
                       const gw_board *board)
{
    gw_suite alone = *suite;
    alone.groups = &unit->first;
    alone.num_groups = 1;
    for (size_t i = 0; i < board->num_mutants; i++) {
        gw_detection d;
        if (!concerns(unit->first, &board->mutants[i]))
            continue;
        if (!gw_selftest(&d, &alone, board, &board->mutants[i], NULL, out->why, sizeof(out->why)))
            return false;
        out->num_mutants++;
        if (!d.detected)
            continue;
        unit->mutant = d.mutant;
        unit->by = d.by[0];
        unit->over = d.over[0];
        return true;
    }
    (void)snprintf(out->why, sizeof(out->why),
                   "no mutant of %s is found out by the cases from %s on", board->role,
                   unit->first->id);
    return false;
}

void gw_selfproof_make(gw_selfproof *out, const gw_suite *suite)
{
    memset(out, 0, sizeof(*out));
    const gw_board *board = gw_board_by_role(suite->role);
    if (board == NULL) {
        (void)snprintf(out->why, sizeof(out->why), "there is no software board of role %s",
                       suite->role);
        return;
    }
    for (size_t i = 0; i < suite->num_groups && out->num_units < GW_PROOF_UNITS; i++)
        if (suite->groups[i][0].id != NULL)
            out->units[out->num_units++].first = &suite->groups[i][0];
    if (!prove_good(out, suite, board))
        return;
    for (size_t i = 0; i < out->num_units; i++)
        if (!prove_unit(out, &out->units[i], suite, board))
            return;
    out->proven = true;
}

json_t *gw_selfproof_json(const gw_selfproof *proof)
{
    json_t *units = json_array();
    for (size_t i = 0; i < proof->num_units; i++) {
        const gw_proof_unit *unit = &proof->units[i];
        bool found = unit->mutant != NULL;
        json_array_append_new(units, json_pack("{s:s,s:s?,s:s?,s:s?}", "unit", unit->first->id,
                                               "mutant", found ? unit->mutant->id : NULL, "by",
                                               found ? unit->by->id : NULL, "over",
                                               found ? unit->over : NULL));
    }
    return json_pack("{s:b,s:{s:i,s:i},s:i,s:o,s:s}", "proven", proof->proven, "good", "PASS",
                     (int)proof->good_passed, "NA", (int)proof->good_na, "mutants",
                     (int)proof->num_mutants, "units", units, "text", proof->why);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs of the past, as their run.json tells them, and what changed between two of them. */
#ifndef GOLDWIRE_EVIDENCE_PAST_H
#define GOLDWIRE_EVIDENCE_PAST_H

#include <jansson.h>

#include "evidence/verdict.h"

/* gw_past_load reads |dir|/run.json, in which the member "cases" is a list. The caller frees the
 * object with json_decref. NULL with a text in |why|. */
json_t *gw_past_load(const char *dir, char *why, size_t why_cap);

/* ---- what it says: past_verdicts.c ---- */

/* gw_past_text returns the text |name| of |object|, "" when there is none. */
const char *gw_past_text(const json_t *object, const char *name);

/* gw_past_verdict puts the verdict of case |one| into |*out|. False when it has none. */
bool gw_past_verdict(const json_t *one, gw_verdict *out);

/* gw_past_cases returns the cases of |run| by their id, in the run's order; the caller frees it. */
json_t *gw_past_cases(const json_t *run);

/* gw_past_rule returns the id of the rule that case |one| names as broken, or else of the first
 * that it tests. */
const char *gw_past_rule(const json_t *one);

/* gw_past_fails says whether |verdict| tells of a rule that is broken, waived or not. */
bool gw_past_fails(gw_verdict verdict);

/* gw_past_rules returns the gravest verdict on each rule, by its id, of |cases| as gw_past_cases
 * returns them; the caller frees it. A case that fails speaks of the rule it names only; of the
 * others that it tests it says nothing. */
json_t *gw_past_rules(json_t *cases);

/* gw_past_clauses returns what |run| says of each clause, by its text, or by the rule's id where it
 * does not say what clause that is in: objects with the gravest "verdict", and the "rule" it is
 * about. The caller frees it. */
json_t *gw_past_clauses(const json_t *run);

/* ---- two of them: past_compare.c ---- */

typedef enum gw_change {
    GW_SAME = 0,
    GW_WORSE,  /* what was shown to hold is not any more, or a failure is new */
    GW_BETTER, /* a failure is mended, or something holds that was not shown before */
    GW_OTHER,  /* different, and neither */
} gw_change;

/* gw_change_of judges a case, or a rule, whose verdict was |before| and is |after|. */
gw_change gw_change_of(gw_verdict before, gw_verdict after);

/* gw_change_name returns "same", "worse", "better" or "other". */
const char *gw_change_name(gw_change change);

/* gw_past_compare compares two runs, as gw_past_load returns them: an object with the lists
 * "identity", "claims", "cases", "rules", "only_old" and "only_new", which hold what differs, and
 * the counts "worse", "better", "other" and "same" of cases and claims. docs/diff.schema.json
 * describes it. The caller frees it. NULL when memory fails. */
json_t *gw_past_compare(const json_t *before, const json_t *after);

#endif

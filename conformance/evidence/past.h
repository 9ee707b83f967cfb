/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs of the past, as their run.json tells them, and what changed between two of them. */
#ifndef GOLDWIRE_EVIDENCE_PAST_H
#define GOLDWIRE_EVIDENCE_PAST_H

#include <jansson.h>

#include "evidence/verdict.h"

/* gw_past_load reads |dir|/run.json, in which the member "cases" is a list. The caller frees the
 * object with json_decref. NULL with a text in |why|. */
json_t *gw_past_load(const char *dir, char *why, size_t why_cap);

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

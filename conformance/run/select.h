/* SPDX-License-Identifier: BSD-2-Clause */
/* Which cases of a suite a run takes. */
#ifndef GOLDWIRE_RUN_SELECT_H
#define GOLDWIRE_RUN_SELECT_H

#include "run/case.h"

#define GW_SELECT_NONE "none" /* the pattern of a run that only replays traces */

/* gw_case_list is a list of cases in catalogue order. */
typedef struct gw_case_list {
    const gw_case **cases;
    size_t num;
} gw_case_list;

/* gw_select takes the cases whose id matches one of the |num| shell patterns |globs|, in which *
 * crosses slashes; all cases when there is no pattern. False when memory fails. */
GW_MUST_USE bool gw_select(gw_case_list *out, const gw_suite *suite, const char *const *globs,
                           size_t num);

/* gw_select_more adds the cases of |suite| that match to |selection|. False when memory fails. */
GW_MUST_USE bool gw_select_more(gw_case_list *selection, const gw_suite *suite,
                                const char *const *globs, size_t num);

/* gw_select_matches says whether the pattern |glob| means a case of |suite|, or is GW_SELECT_NONE;
 * if not, |why| says so, and which case was meant. */
bool gw_select_matches(const gw_suite *suite, const char *glob, char *why, size_t why_cap);

/* gw_select_failed keeps of |selection| the cases that did not pass in the earlier run whose report
 * is |dir|/run.json, leaving out what did not apply. False with a text in |why| when that is no
 * such report. */
GW_MUST_USE bool gw_select_failed(gw_case_list *selection, const char *dir, char *why,
                                  size_t why_cap);

/* gw_case_list_free frees the list. */
void gw_case_list_free(gw_case_list *selection);

#endif

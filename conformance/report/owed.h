/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules that a report speaks of, and where in the documents they stand. */
#ifndef GOLDWIRE_REPORT_OWED_H
#define GOLDWIRE_REPORT_OWED_H

#include "report/report.h"

/* gw_owed is one of the rules that a report speaks of: those that the suite's role owes, and those
 * of a core's ports that a case of the run tests. Start with all zeros. */
typedef struct gw_owed {
    const gw_format *format;
    const gw_rule *rule;
} gw_owed;

/* gw_owed_next steps to the next of them; false behind the last. */
bool gw_owed_next(const gw_report *report, gw_owed *at);

/* gw_clause_place_name returns what a heading of the documents is called that |place| stands below,
 * or where there is none, the place itself: "spec 5.1.1, Etherbone Header: Magic". It may belong to
 * |place|. */
const char *gw_clause_place_name(const gw_clause_place *place);

/* gw_section_len returns how much of such a name is the section: what is before ": Magic". */
size_t gw_section_len(const char *name);

/* gw_clause_place_fn receives such a name, which is valid during the call. */
typedef void (*gw_clause_place_fn)(void *ctx, const char *name);

/* gw_owed_places tells |tell| each name that a clause of these rules has, once, in the order of the
 * documents: what belongs to one section comes together. Places without a heading come last. */
void gw_owed_places(const gw_report *report, gw_clause_place_fn tell, void *ctx);

/* gw_owed_counts counts in |counts| what the cases of the run say of |rule|. */
void gw_owed_counts(gw_counts *counts, const gw_run *run, const gw_rule *rule);

#endif

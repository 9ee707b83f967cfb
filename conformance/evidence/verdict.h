/* SPDX-License-Identifier: BSD-2-Clause */
/* The verdicts of a conformance run, and the exit code that they add up to. */
#ifndef GOLDWIRE_EVIDENCE_VERDICT_H
#define GOLDWIRE_EVIDENCE_VERDICT_H

#include "goldwire/base.h"

typedef enum gw_verdict {
    GW_PASS = 0,
    GW_FAIL,
    GW_WARN,   /* a SHOULD is broken */
    GW_INCONC, /* nothing can be said: board lost, or a case it depends on did not pass */
    GW_ERROR,  /* goldwire's own fault */
    GW_NA,     /* not claimed, or not meaningful over this carriage */
    GW_WAIVED, /* fails, and the dialect is known to, or a waiver covers that very failure */
    GW_XPASS,  /* passes although waived */
    GW_NUM_VERDICTS,
} gw_verdict;

/* gw_counts counts verdicts, indexed by gw_verdict, and what else decides about the exit code. */
typedef struct gw_counts {
    unsigned of[GW_NUM_VERDICTS];
    unsigned expired_fails; /* of the FAILs, those that an expired waiver covers */
    unsigned expired_warns;
    unsigned over_claims; /* what the board file claims and the board does not show */
    unsigned untried;     /* what it claims and nobody named a path to */
} gw_counts;

/* gw_verdict_name returns "PASS", "FAIL" and so on; "?" for a number that is no verdict. */
const char *gw_verdict_name(gw_verdict verdict);

/* gw_verdict_by_name fills |out| with the verdict called |name|. False when there is none. */
GW_MUST_USE bool gw_verdict_by_name(gw_verdict *out, const char *name);

/* gw_counts_total returns how many cases were counted. */
unsigned gw_counts_total(const gw_counts *counts);

/* gw_counts_exit returns the exit code (gw_exit) for |counts|: 4 > 1 > 5 > 3 > 6 > 0. With |strict|
 * a WARN counts as a FAIL, and so does a claim that was not tried. A claim that the board does not
 * live up to is a failure. */
int gw_counts_exit(const gw_counts *counts, bool strict);

#endif

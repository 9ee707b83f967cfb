/* SPDX-License-Identifier: BSD-2-Clause */
/* Testing the catalogue itself: a good board must pass, every mutant must be found out. */
#ifndef GOLDWIRE_SELFTEST_SELFTEST_H
#define GOLDWIRE_SELFTEST_SELFTEST_H

#include "boards/peer.h"
#include "run/run.h"

#define GW_SELFTEST_CASES 8
#define GW_SELFTEST_MAX 512 /* cases of a suite */

/* gw_detection is how one mutant fared over datagrams and, where the format travels over streams,
 * over a stream. */
typedef struct gw_detection {
    const gw_mutant *mutant; /* NULL: the good board */
    gw_impairment path;      /* it was reached over */
    bool reached;            /* it answered: the cases saw it at all */
    bool detected;           /* a case that tests a rule it breaks failed (a SHOULD: warned) */
    const gw_case *by[GW_SELFTEST_CASES]; /* these, the first ones */
    const char *over[GW_SELFTEST_CASES];  /* gw_carriage_name */
    unsigned num_by;
    const gw_case *extra[GW_SELFTEST_CASES]; /* failed, but test nothing that it breaks */
    const char *extra_over[GW_SELFTEST_CASES];
    uint64_t failed[GW_SELFTEST_MAX / 64]; /* bit i: so did case i of the suite (gw_suite_next) */
    char extra_text[512];                  /* why the first of these failed */
    unsigned num_extra;
    gw_counts counts; /* over datagrams and streams together */
} gw_detection;

/* gw_selftest runs all cases of |suite| against |board| with |mutant| in memory, over a path on
 * which |path| (NULL: nothing) happens; over one that loses or delays, a case that is inconclusive
 * is no fault. False with a text in |why| when goldwire itself failed. */
GW_MUST_USE bool gw_selftest(gw_detection *out, const gw_suite *suite, const gw_board *board,
                             const gw_mutant *mutant, const gw_impairment *path, char *why,
                             size_t why_cap);

#endif

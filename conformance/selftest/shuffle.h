/* SPDX-License-Identifier: BSD-2-Clause */
/* Verdicts must not depend on what was run before: the catalogue in other orders, and each case
 * alone, on goldwire's own boards. */
#ifndef GOLDWIRE_SELFTEST_SHUFFLE_H
#define GOLDWIRE_SELFTEST_SHUFFLE_H

#include "boards/peer.h"
#include "device/dut.h"

#define GW_SHUFFLE_MAX 32

/* gw_disagreement is a case that ended otherwise than in the catalogue's own order. */
typedef struct gw_disagreement {
    const gw_case *which;
    gw_verdict usual;
    gw_verdict other;
    unsigned order;            /* number of the random order, from 1; 0: alone */
    const gw_case *behind;     /* the case before it in that order; NULL: it was the first */
    const gw_dialect *dialect; /* of the board; NULL: strict */
    const char *over;          /* gw_carriage_name */
    char text[160];            /* why, of the verdict that is no pass */
} gw_disagreement;

/* gw_shuffle_report is what came of it. */
typedef struct gw_shuffle_report {
    unsigned runs;                         /* of the catalogue, or of one case */
    unsigned cases;                        /* verdicts compared */
    gw_disagreement found[GW_SHUFFLE_MAX]; /* the first ones */
    unsigned num_found;
} gw_shuffle_report;

/* gw_shuffle runs the cases of |suite| against |board| in memory: in their own order, in |orders|
 * random ones that follow from |seed|, and each alone; over each carriage, and in each dialect that
 * the cases are made for. It adds to |out|. False with a text in |why| when goldwire itself failed.
 */
GW_MUST_USE bool gw_shuffle(gw_shuffle_report *out, const gw_suite *suite, const gw_board *board,
                            unsigned orders, uint64_t seed, char *why, size_t why_cap);

#endif

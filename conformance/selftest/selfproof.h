/* SPDX-License-Identifier: BSD-2-Clause */
/* The self-proof: before a run vouches for somebody's board, the same program shows, in memory,
 * that it passes a good board and that each unit of its cases finds a fault. */
#ifndef GOLDWIRE_SELFTEST_SELFPROOF_H
#define GOLDWIRE_SELFTEST_SELFPROOF_H

#include <jansson.h>

#include "selftest/selftest.h"

#define GW_PROOF_UNITS 24

/* gw_proof_unit is one group of a suite's cases. */
typedef struct gw_proof_unit {
    const gw_case *first;    /* names the group */
    const gw_mutant *mutant; /* that a case of the group failed; NULL: none was found out */
    const gw_case *by;
    const char *over; /* gw_carriage_name */
} gw_proof_unit;

/* gw_selfproof is a proof, or a failed attempt at one. */
typedef struct gw_selfproof {
    bool proven;
    unsigned good_passed; /* cases that the good board passed, and that did not apply to it */
    unsigned good_na;
    gw_proof_unit units[GW_PROOF_UNITS];
    size_t num_units;
    unsigned num_mutants; /* that were run */
    char why[512];        /* what could not be shown; "" */
} gw_selfproof;

/* gw_selfproof_make runs the proof for |suite|. What fails is in |out|. */
void gw_selfproof_make(gw_selfproof *out, const gw_suite *suite);

/* gw_selfproof_json returns the proof as an object for a certificate; the caller frees it with
 * json_decref. NULL when memory fails. */
json_t *gw_selfproof_json(const gw_selfproof *proof);

#endif

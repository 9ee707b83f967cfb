/* SPDX-License-Identifier: BSD-2-Clause */
/* Which board, where, and what is said about it: what a verb that talks to a board has to know
 * before the first packet. */
#ifndef GOLDWIRE_CERTIFICATION_H
#define GOLDWIRE_CERTIFICATION_H

#include "cert/kept.h"
#include "cert/keys.h"
#include "cli/certify.h"
#include "device/dut.h"
#include "harness/board.h"
#include "run/select.h"
#include "running/running.h"
#include "selftest/selfproof.h"

#define GW_CERTIFICATION_PATH 4096

/* gw_certification is a run that is being prepared. All zeros but |verb| and |o|. */
typedef struct gw_certification {
    const char *verb; /* for errors */
    gw_certify_options o;
    gw_certify_hooks hooks;
    gw_board_file board; /* from its file; all zeros when there is none */
    const gw_suite *suite;
    const gw_dialect *dialect;
    gw_dut_place places[GW_TARGET_LINKS]; /* where its links are, the first one first */
    size_t num_places;
    char names[GW_TARGET_LINKS][32];
    gw_dut *dut;
    gw_dut_place ways[GW_RUN_OTHERS + 1]; /* to the same board, where its file names some: "tcp" */
    size_t num_ways;
    gw_dut *others[GW_RUN_OTHERS]; /* what all but the first lead to; a software
                                      board's Ethernet port as well */
    size_t num_others;
    gw_case_list selection;
    gw_replay *replays[GW_CERTIFY_MAX_TRACES];
    size_t num_replays;
    gw_kept_trace kept[GW_CERTIFY_MAX_TRACES]; /* in the folder for evidence, as many as |replays|;
                                                  before they lie there, the digests alone */
    gw_secret_key key;                         /* of --sign */
    gw_selfproof proof;                        /* when there is a folder for evidence */
    gw_running *running;                       /* whom others may look at; NULL: none */
    int64_t started_ns;                        /* CLOCK_MONOTONIC */
    char into[GW_CERTIFICATION_PATH]; /* where the evidence is written until the run is whole */
} gw_certification;

/* gw_certification_describe reads the board file and finds the cases for its role. An exit code;
 * what is wrong has been told. */
int gw_certification_describe(gw_certification *c);

/* gw_certification_reach finds out where the board is and makes ready to reach it. */
int gw_certification_reach(gw_certification *c);

/* gw_certification_first_ns returns how long the first sign of life of a board that calls us is
 * waited for: --wait, or a minute; 0 for any other board. */
int64_t gw_certification_first_ns(const gw_certification *c);

/* gw_certification_complain tells that the call is wrong and how, and returns GW_EXIT_USAGE. */
int gw_certification_complain(const gw_certification *c, const char *fmt, ...) GW_PRINTF(2, 3);

/* gw_certification_publish makes what is about to run known to those who want to look on: set-ups
 * name |running|. gw_certification_close ends it, if nobody did before. */
void gw_certification_publish(gw_certification *c);

/* gw_certification_close gives back what was taken. */
void gw_certification_close(gw_certification *c);

#endif

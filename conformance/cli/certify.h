/* SPDX-License-Identifier: BSD-2-Clause */
/* A conformance run as the verbs that make one call it: certify, replay and record. */
#ifndef GOLDWIRE_CERTIFY_H
#define GOLDWIRE_CERTIFY_H

#include "cli/certify_args.h"
#include "replay/replay.h"
#include "run/run.h"

/* gw_certify_outcome is a run that is over. */
typedef struct gw_certify_outcome {
    const gw_run *run;
    gw_replay *const *replays; /* as many as the options' traces, in their order */
    size_t num_replays;
    const char *where; /* the board is, for people */
    int exit_code;     /* that the counts alone give */
} gw_certify_outcome;

/* gw_certify_hooks make a run another verb's. All may be NULL or 0. */
typedef struct gw_certify_hooks {
    const char *verb; /* for complaints; "certify" */
    bool traces_only; /* no cases of the catalogue but those that a pattern names */
    gw_replay_options replay;
    /* begin is called before the first packet. */
    void (*begin)(void *arg, const gw_suite *suite, const gw_board_file *board,
                  const gw_dialect *dialect, const gw_target *target);
    gw_keep_fn keep; /* of each case's evidence */
    void *arg;       /* of these functions */
    /* show tells of the run instead of certify's table and returns the exit code. */
    int (*show)(void *arg, const gw_certify_outcome *outcome);
} gw_certify_hooks;

/* gw_certify does what |options| say and returns a gw_exit, complaints being on stderr. |hooks| may
 * be NULL. */
int gw_certify(const gw_certify_options *options, const gw_certify_hooks *hooks);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What the steps of a run share: one attempt at a case, its repetitions, what it builds on. */
#ifndef GOLDWIRE_RUN_RUNNER_H
#define GOLDWIRE_RUN_RUNNER_H

#include "run/confirm.h"
#include "run/ctx.h"
#include "run/run.h"

/* gw_runner is a run in progress. */
typedef struct gw_runner {
    const gw_run_setup *setup;
    gw_run *run;
    gw_ctx *ctx;
    int64_t start_ns;     /* of the run, by the clock that durations are told by */
    int64_t confirmed_ns; /* spent on repeating cases */
    size_t num_done;      /* results that stand */
    struct {
        const gw_case *which;
        gw_verdict verdict;
        bool blocks;
    } tried[64]; /* cases that were not run yet, but are built on */
    unsigned num_tried;
    char lost_because[320]; /* why nothing can be said any more; "" while something can */
    gw_verdict lost_as;
} gw_runner;

/* gw_ending is how an attempt at a case ended. */
typedef enum gw_ending {
    GW_ENDING_JUDGED = 0, /* as the result says */
    GW_ENDING_DIED,  /* the board was lost by it, and is back; the result says what it is charged
                        with */
    GW_ENDING_FINAL, /* nothing more can be tried */
} gw_ending;

/* gw_result_set gives |result| its verdict and its text, which is cut to what fits. */
GW_PRINTF(3, 4) void gw_result_set(gw_result *result, gw_verdict verdict, const char *fmt, ...);

/* gw_result_found writes "EB-S04: wrong id", what the attempt |suspect| found. */
void gw_result_found(char *out, size_t cap, const gw_result *suspect);

/* gw_runner_choose_target takes the first path to the board that serves case |one|. Two targets
 * have no connection in common. */
void gw_runner_choose_target(gw_runner *r, const gw_case *one);

/* gw_runner_unmet says whether the case of |result| lacks something that it needs, and then makes
 * it NA. */
bool gw_runner_unmet(gw_runner *r, gw_result *result);

/* gw_runner_applies says whether the board has what case |which| needs, over the path in use. */
bool gw_runner_applies(gw_ctx *ctx, const gw_case *which);

/* gw_runner_lose ends the run: all cases from here on are |as|, for the reason given. */
GW_PRINTF(3, 4) void gw_runner_lose(gw_runner *r, gw_verdict as, const char *fmt, ...);

/* gw_runner_start_anew has a board that nobody has talked to yet; false where we have no say in
 * that. */
bool gw_runner_start_anew(gw_ctx *ctx);

/* gw_runner_attempt runs the case of |result| once; |again|, alone, on a board that is seen alive.
 */
gw_ending gw_runner_attempt(gw_runner *r, gw_result *result, bool again);

/* gw_runner_once runs case |which| in the middle of another one, once and whatever state the board
 * is in, for those who make sense of what comes of it: it is judged into |result|, and its evidence
 * takes the place of the other's. */
void gw_runner_once(gw_ctx *ctx, const gw_case *which, gw_result *result);

/* gw_runner_way returns what the path to the board may do, as far as it was measured and told. */
gw_trial_path gw_runner_way(const gw_ctx *ctx);

/* gw_runner_in_time says whether there is time to find out what is the path's doing
 * (gw_run_setup.repeat_until_ns), or none of it is needed, as the path does nothing. */
bool gw_runner_in_time(const gw_runner *r);

/* gw_runner_repeatable says whether a case may be repeated at all. A board that calls us does when
 * it likes; ours are started anew for it. */
bool gw_runner_repeatable(const gw_ctx *ctx);

/* gw_runner_try runs the case of |result| until its verdict is sure; true when more could be said
 * if more were known of the path. */
bool gw_runner_try(gw_runner *r, gw_result *result);

/* gw_runner_look_at_foundations takes a bad verdict back where what the case builds on did not
 * pass: it may fail for that reason alone. What passes all the same has passed, and nobody asks
 * whether the order of the cases has anything to do with it. */
void gw_runner_look_at_foundations(gw_runner *r, gw_result *result);

/* gw_runner_is_futile makes a case INCONC, and says so, that builds on what the board was seen to
 * leave undone before the first case, once the case that shows it has not passed either: it would
 * wait for nothing, over and over. */
bool gw_runner_is_futile(gw_runner *r, gw_result *result);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A case is repeated until its verdict is sure, or nothing more can be known. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/socket.h"
#include "harness/stop.h"
#include "run/alive.h"
#include "run/runner.h"
#include "run/survey.h"

/* Attempts at a case until its verdict is sure. */
#define ATTEMPTS_VIRTUAL 96
#define ATTEMPTS_MOST 24
#define ATTEMPTS_LEAST 3 /* when time runs short */
#define CASE_BUDGET_NS (30 * GW_SECOND)
#define RUN_BUDGET_NS (300 * GW_SECOND)
#define INCONC_TRIES 6
#define UNSEEN_RISK 1e-3 /* that none of what a case sent has arrived */

/* Whether all that the path does was told, and is nothing but a delay. */
static bool is_told(const gw_impairment *told)
{
    return gw_impairs(told) && told->loss == 0 && told->reorder == 0 && told->duplicate == 0 &&
           told->corrupt == 0 && told->jitter_ns == 0 && told->outage_ns == 0;
}

gw_trial_path gw_runner_way(const gw_ctx *ctx)
{
    const gw_path_stats *seen = &ctx->path;
    const gw_impairment *told = &ctx->target->impairment;
    double share =
        ((double)told->loss + told->reorder + told->duplicate + told->corrupt) / GW_IMPAIR_SCALE;
    double trouble = gw_path_stats_trouble(seen);
    bool near = gw_ctx_near(ctx);
    bool unknown = ctx->suite->calls_us && !near && !gw_case_stream(ctx) && !is_told(told);
    bool quiet = gw_path_stats_clean(seen) && gw_path_stats_is_even(seen) && seen->stumbles == 0 &&
                 seen->asked_again == 0;
    if (share > trouble)
        trouble = share < 1 ? share : 1;
    return (gw_trial_path){.trouble = trouble,
                           .clean = near || (quiet && !unknown && share == 0),
                           .stream = gw_case_stream(ctx),
                           .near = near,
                           .unknown = unknown};
}

static bool is_suspicion(const gw_result *result)
{
    return result->verdict == GW_FAIL || result->verdict == GW_WARN;
}

bool gw_runner_repeatable(const gw_ctx *ctx)
{
    return !ctx->suite->calls_us || gw_case_fresh(ctx);
}

bool gw_runner_in_time(const gw_runner *r)
{
    int64_t until_ns = r->setup->repeat_until_ns;
    return until_ns == 0 || gw_clock_ns(CLOCK_MONOTONIC) < until_ns || gw_runner_way(r->ctx).clean;
}

/* What a single failure amounts to. Of the path to a board that calls us nothing can be measured.
 */
static gw_trial_end judge_once(const gw_ctx *ctx, const gw_trial_path *path)
{
    bool known = path->near || path->stream || !ctx->suite->calls_us;
    return (known && path->clean) || ctx->proven ? GW_TRIAL_BOARD : GW_TRIAL_UNKNOWN;
}

/* How many attempts there may be. Virtual time costs next to nothing. */
static unsigned most_attempts(const gw_runner *r, int64_t began_ns)
{
    const gw_ctx *ctx = r->ctx;
    int64_t now_ns = gw_clock_ns(CLOCK_MONOTONIC);
    if (!gw_runner_repeatable(ctx) || !gw_runner_in_time(r))
        return 1;
    if (ctx->target->virtual_time)
        return ctx->target->sim == NULL ? ATTEMPTS_VIRTUAL : ATTEMPTS_LEAST;
    bool spent = now_ns - began_ns > CASE_BUDGET_NS || r->confirmed_ns > RUN_BUDGET_NS;
    return spent ? ATTEMPTS_LEAST : ATTEMPTS_MOST;
}

/* Whether one more attempt at a case that did not fail tells more: what was lost on its way may
 * have been what it is about. */
static bool wants_more(const gw_trial *trial, const gw_result *result, const gw_trial_path *path)
{
    bool sure = (path->near || path->stream) && path->clean;
    /* Each time the board was lost, and it is not the board that is to blame. */
    if (trial->undecided == trial->attempts && trial->deaths == trial->attempts)
        return trial->attempts < ATTEMPTS_LEAST;
    if (sure || trial->failed > 0)
        return false;
    if (result->verdict == GW_INCONC)
        return trial->passed == 0 && trial->attempts < INCONC_TRIES;
    double missed = 1;
    for (unsigned i = 0; i < trial->passed; i++)
        missed *= path->trouble;
    /* A trace was answered in all that it asks. */
    return result->verdict == GW_PASS && result->which->negative && !result->which->anew &&
           !path->clean && missed > UNSEEN_RISK && trial->attempts < INCONC_TRIES;
}

static void append(char *text, size_t cap, const char *fmt, ...) GW_PRINTF(3, 4);
static void append(char *text, size_t cap, const char *fmt, ...)
{
    size_t len = strlen(text);
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text + len, cap - len, fmt, args);
    va_end(args);
}

/* Takes over what an earlier attempt found; its evidence is gone. */
static void judge_as(gw_result *result, const gw_result *suspect)
{
    result->verdict = suspect->verdict;
    result->rule = suspect->rule;
    result->field = suspect->field;
    result->expected = suspect->expected;
    result->got = suspect->got;
    result->offset = suspect->offset;
    result->packet = 0;
    memcpy(result->text, suspect->text, sizeof(result->text));
}

/* Puts what all attempts together say into |result|, which holds the last one. */
static void conclude(gw_runner *r, gw_result *result, const gw_result *suspect,
                     const gw_trial *trial, gw_trial_end end)
{
    char path[160];
    char found[340];
    unsigned told = trial->passed + trial->failed;
    result->attempts = trial->attempts;
    result->failures = trial->failed;
    if (trial->failed == 0 || end == GW_TRIAL_GO_ON)
        return;
    gw_result_found(found, sizeof(found), suspect);
    gw_path_stats_text(&r->ctx->path, path, sizeof(path));
    if (end == GW_TRIAL_BOARD) {
        if (!is_suspicion(result))
            judge_as(result, suspect);
        if (trial->passed == 0 && trial->deaths > 1)
            append(result->text, sizeof(result->text), ", and again when it was repeated");
        if (trial->passed > 0)
            append(result->text, sizeof(result->text), " (in %u of %u attempts)",
                   gw_trial_same(trial, suspect, false), told);
        return;
    }
    if (end == GW_TRIAL_PATH && result->verdict == GW_PASS && trial->deaths == trial->failed)
        return; /* the recovery is told */
    if (end == GW_TRIAL_PATH && result->verdict == GW_PASS) {
        gw_case_note(r->ctx,
                     "%u of %u attempts failed, as the path to the board may explain (%s): %s",
                     trial->failed, told, path, found);
        return;
    }
    result->rule = NULL;
    result->field = NULL;
    gw_result_set(
        result, GW_INCONC, "%u of %u attempts failed, which %s (%s): %s", trial->failed, told,
        gw_runner_way(r->ctx).clean && trial->passed > 0 ? "happened once on a path without fault"
                                                         : "the path to the board may explain",
        path, found);
}

/* Whether a board that failed cannot even be set up for another attempt, with nothing on the path
 * to explain it: what it does wrong takes something from it each time, such as a channel. */
static bool is_worn_out(const gw_trial *trial, const gw_result *last, const gw_path_stats *path)
{
    return trial->failed > 0 && last->verdict == GW_INCONC && gw_path_stats_clean(path);
}

/* A case that is tried until its verdict can be told. */
typedef struct trying {
    gw_trial trial;
    gw_result suspect;
    gw_trial_end end;
    int64_t began_ns;
    int64_t repeated_ns; /* when the first attempt was over; 0: it is not */
    bool aside;          /* the last attempt did not apply */
} trying;

/* Tries once more; false when that ends the case. */
static bool attempt(gw_runner *r, trying *t, gw_result *result)
{
    gw_ctx *ctx = r->ctx;
    gw_trial *trial = &t->trial;

    if (trial->attempts > 0)
        gw_back_in_step(ctx);
    if (is_worn_out(trial, result, &ctx->path) && gw_runner_start_anew(ctx))
        (void)snprintf(result->recovery, sizeof(result->recovery),
                       "a restart, as nothing could be set up on it any more");
    gw_ending how = gw_runner_attempt(r, result, trial->attempts > 0);
    if (t->repeated_ns == 0)
        t->repeated_ns = gw_clock_ns(CLOCK_MONOTONIC);
    /* What the case found before it was interrupted counts. */
    if (gw_stopped() ? !is_suspicion(result) : how == GW_ENDING_FINAL)
        return false;
    gw_trial_note(trial, result, (unsigned)ctx->evidence.num_packets, ctx->stake);
    trial->deaths += how == GW_ENDING_DIED;
    trial->resets += how == GW_ENDING_DIED && result->recovery[0] != '\0';
    if (!is_suspicion(result))
        return true;
    t->suspect = *result;
    if (trial->failed == 1 && gw_runner_in_time(r))
        gw_survey(ctx, trial->datagrams);
    return true;
}

/* What the path may explain is no verdict because nobody waits for the next attempt. */
static void withhold(gw_result *result)
{
    result->rule = NULL;
    result->field = NULL;
    gw_result_set(result, GW_INCONC, GW_INTERRUPTED);
}

/* What the attempts so far make of the case, in t->end; false when no more can be made of it. */
static bool weigh(gw_runner *r, trying *t, const gw_result *result)
{
    gw_ctx *ctx = r->ctx;
    gw_trial *trial = &t->trial;
    gw_trial_path path = gw_runner_way(ctx);
    /* Whether a case applies is not for a path that loses to say. */
    bool applies = result->verdict != GW_NA || (trial->failed > 0 && !t->aside);

    t->aside = result->verdict == GW_NA;
    if (!applies || result->verdict == GW_ERROR || result->verdict == GW_WAIVED)
        return false;
    unsigned most = most_attempts(r, t->began_ns);
    if (trial->failed == 0 && (trial->attempts >= most || !wants_more(trial, result, &path)))
        return false;
    if (trial->failed > 0 && !gw_runner_repeatable(ctx))
        t->end = judge_once(ctx, &path);
    else if (trial->failed > 0)
        t->end = gw_trial_judge(trial, &t->suspect, &path, most);
    /* Each time one packet shows it, and the path changes no packet of a board that calls us. */
    if (ctx->suite->calls_us && ctx->proven && trial->failed > 1 &&
        gw_trial_same(trial, &t->suspect, false) == trial->attempts)
        t->end = GW_TRIAL_BOARD;
    /* What stands at the end is an attempt that passed. */
    if (t->end == GW_TRIAL_PATH && result->verdict != GW_PASS && trial->attempts < most)
        t->end = GW_TRIAL_GO_ON;
    return true;
}

bool gw_runner_try(gw_runner *r, gw_result *result)
{
    gw_ctx *ctx = r->ctx;
    trying t = {.end = GW_TRIAL_GO_ON, .began_ns = gw_clock_ns(CLOCK_MONOTONIC)};

    do {
        if (!attempt(r, &t, result) || !weigh(r, &t, result))
            break;
    } while (t.end == GW_TRIAL_GO_ON && !gw_stopped());
    if (t.end == GW_TRIAL_GO_ON && gw_stopped() && is_suspicion(result))
        withhold(result);
    r->confirmed_ns += gw_clock_ns(CLOCK_MONOTONIC) - t.repeated_ns;
    if (t.trial.attempts == 1 && t.trial.passed == 1)
        ctx->path.quiet += (unsigned)ctx->evidence.num_packets;
    if (t.trial.passed > 0 && result->verdict == GW_PASS)
        ctx->path.stumbles += t.trial.failed;
    conclude(r, result, &t.suspect, &t.trial, t.end);
    return t.end == GW_TRIAL_UNKNOWN && t.trial.attempts > 1 && !gw_ctx_near(ctx);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* What the board said is judged message by message; then it is asked something that it is known to
 * answer, and now and then tried with a case that it has passed. */
#include "campaign/watch.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/socket.h"
#include "harness/stop.h"
#include "run/alive.h"
#include "run/runner.h"
#include "run/survey.h"
#include "run/waive.h"
#include "suite/regs.h"

#define SLOW_TIMES 16 /* as long as nearly all probes took */
#define SLOW_LEAST_NS (50 * GW_MS)
#define SLOW_PROBES 3  /* in a row, so slow each */
#define USUAL_LEAST 16 /* probes until anything is known of what is usual */
#define FAILS_MOST 24  /* of a case, in a row, by which the board can be blamed */
#define USUAL_PERCENT 99
#define TEDIOUS_NS GW_SECOND /* a hostile case that takes longer is played once only */

static const char *const names[GW_NUM_SYMPTOMS] = {
    [GW_SYMPTOM_NONE] = "well",     [GW_SYMPTOM_GONE] = "gone",     [GW_SYMPTOM_DEAF] = "deaf",
    [GW_SYMPTOM_MUTE] = "mute",     [GW_SYMPTOM_SILENT] = "silent", [GW_SYMPTOM_WRONG] = "wrong",
    [GW_SYMPTOM_BROKEN] = "broken", [GW_SYMPTOM_SLOW] = "slow",     [GW_SYMPTOM_CABLE] = "cable",
};

const char *gw_symptom_name(gw_symptom symptom)
{
    return names[symptom];
}

gw_symptom gw_symptom_by_name(const char *name)
{
    for (unsigned i = 0; i < GW_NUM_SYMPTOMS; i++)
        if (strcmp(names[i], name) == 0)
            return (gw_symptom)i;
    return GW_SYMPTOM_NONE;
}

bool gw_anomaly_equal(const gw_anomaly *a, const gw_anomaly *b)
{
    return a->symptom == b->symptom && a->rule == b->rule && a->by == b->by;
}

/* ---- what it said ---- */

/* What a board that calls us may say depends on how it was answered: the cases judge that. */
static void judge_words(const gw_watch *w, const gw_ctx *ctx, gw_anomaly *anomaly)
{
    if (!ctx->suite->calls_us &&
        gw_words_break(ctx, &w->told, &anomaly->rule, anomaly->text, sizeof(anomaly->text)))
        anomaly->symptom = GW_SYMPTOM_BROKEN;
}

/* ---- whether it answers ---- */

/* Whether the registers answer while the link does not. */
static void ask_registers(gw_ctx *ctx, void *arg)
{
    (void)gw_regs_read(ctx, 0);
    *(bool *)arg = true;
}

static gw_symptom kind_of_silence(gw_ctx *ctx)
{
    const gw_target *target = ctx->target;
    char why[160];
    bool answers = false;
    if (target->broken != NULL && target->broken(ctx->target, why, sizeof(why)))
        return GW_SYMPTOM_CABLE;
    if (ctx->refused)
        return GW_SYMPTOM_GONE;
    if (target->links[0].stream)
        return GW_SYMPTOM_MUTE;
    bool apart = ctx->suite->format->registers != NULL && gw_case_has_link(ctx, GW_REGS_LINK) &&
                 strcmp(target->links[0].name, GW_REGS_LINK) != 0;
    if (apart)
        (void)gw_ctx_aside(ctx, ask_registers, &answers, NULL);
    return answers ? GW_SYMPTOM_DEAF : GW_SYMPTOM_SILENT;
}

static void tell_silence(gw_ctx *ctx, gw_anomaly *anomaly)
{
    static const char *const texts[GW_NUM_SYMPTOMS] = {
        [GW_SYMPTOM_GONE] = "nothing listens at the board's address any more",
        [GW_SYMPTOM_DEAF] = "the board's registers answer, and its link does not any more",
        [GW_SYMPTOM_MUTE] = "the board takes connections, and answers nothing on them",
        [GW_SYMPTOM_SILENT] = "the board does not answer any more",
        [GW_SYMPTOM_CABLE] = "the path to the board is broken on our side",
    };
    char silence[sizeof(ctx->silence)];
    memcpy(silence, ctx->silence, sizeof(silence));
    anomaly->symptom = kind_of_silence(ctx);
    (void)snprintf(anomaly->text, sizeof(anomaly->text), "%s%.200s", texts[anomaly->symptom],
                   silence);
}

/* The round trip of the last sign of life; 0: nobody measured it. */
static int64_t last_trip(const gw_ctx *ctx)
{
    int64_t worst = 0;
    for (unsigned i = 0; i < ctx->num_probe_rtts; i++)
        worst = ctx->probe_rtts[i] > worst ? ctx->probe_rtts[i] : worst;
    return worst;
}

static bool is_slow(const gw_watch *w, gw_ctx *ctx)
{
    if (w->usual.num < USUAL_LEAST || last_trip(ctx) == 0)
        return false;
    int64_t most = SLOW_TIMES * gw_timing_percentile(&w->usual, USUAL_PERCENT);
    int64_t least = gw_case_scaled_ns(ctx, SLOW_LEAST_NS);
    most = most > least ? most : least;
    for (unsigned i = 0; i < SLOW_PROBES; i++) {
        if (i > 0 && !gw_alive_surely(ctx, false))
            return false;
        if (last_trip(ctx) <= most)
            return false;
    }
    return true;
}

/* A board may swallow a probe that comes right behind what it does not understand. That its path
 * loses one is nothing that such a probe shows: it would be blamed for all that the board does not
 * answer from then on. */
static bool is_alive(gw_ctx *ctx)
{
    const gw_path_stats before = ctx->path;
    bool alive = gw_alive_surely(ctx, false);
    if (ctx->path.lost > before.lost)
        ctx->path = before;
    return alive;
}

/* A board that calls us cannot be asked, and may stay away: nothing is known by that. */
static bool answers_in_time(gw_watch *w, gw_ctx *ctx, gw_anomaly *anomaly)
{
    if (ctx->suite->calls_us)
        return true;
    if (!is_alive(ctx)) {
        tell_silence(ctx, anomaly);
        return false;
    }
    if (!is_slow(w, ctx)) {
        if (last_trip(ctx) > 0)
            gw_timing_add(&w->usual, last_trip(ctx));
        return true;
    }
    anomaly->symptom = GW_SYMPTOM_SLOW;
    (void)snprintf(anomaly->text, sizeof(anomaly->text),
                   "the board takes %.1f ms to answer a probe that took it %.1f ms before",
                   (double)last_trip(ctx) / GW_MS,
                   (double)gw_timing_percentile(&w->usual, 50) / GW_MS);
    return false;
}

/* ---- whether it still does what it did ---- */

/* Whether the board is lost by a hostile case: then whatever the case says, it is charged with the
 * rule that the case is for. */
static bool is_lost(gw_watch *w, gw_ctx *ctx, const gw_case *which, gw_anomaly *anomaly)
{
    gw_anomaly silence = {.by = which, .random = anomaly->random};
    if (answers_in_time(w, ctx, &silence))
        return false;
    if (silence.symptom != GW_SYMPTOM_CABLE && which->rules[0] != NULL)
        silence.rule = gw_format_rule(ctx->suite->format, which->rules[0]);
    *anomaly = silence;
    return true;
}

/* Whether the board is dead after a case that fails, which is what is wrong then. */
static bool is_dead(gw_ctx *ctx, const gw_case *which, gw_anomaly *anomaly)
{
    if (ctx->suite->calls_us || gw_alive_surely(ctx, false) || gw_stopped())
        return false;
    anomaly->rule = NULL;
    anomaly->by = which;
    tell_silence(ctx, anomaly);
    return true;
}

static bool is_late(const gw_watch *w)
{
    return w->until_ns != 0 && gw_clock_ns(CLOCK_MONOTONIC) >= w->until_ns;
}

/* What there was no time to repeat is told, and is no finding. */
static void tell_lateness(gw_anomaly *anomaly)
{
    static const char late[] = "; there was no time to try it again";
    size_t len = strlen(anomaly->text);
    size_t most = sizeof(anomaly->text) - sizeof(late);
    memcpy(anomaly->text + (len < most ? len : most), late, sizeof(late));
    anomaly->unsure = true;
}

/* The board is blamed when a case fails alike so often, in a row, that the path does not explain
 * it; at once when it is lost, as a dead board fails whatever it is asked. */
static bool passes(gw_watch *w, gw_ctx *ctx, const gw_case *which, gw_anomaly *anomaly)
{
    gw_trial trial = {0};
    gw_trial_end end = GW_TRIAL_GO_ON;
    anomaly->random = ctx->random;
    while (end == GW_TRIAL_GO_ON) {
        gw_result result;
        gw_runner_once(ctx, which, &result);
        gw_waive(&result, ctx->setup->board, gw_clock_ns(CLOCK_REALTIME));
        if (result.verdict != GW_FAIL || gw_stopped())
            return true;
        gw_trial_note(&trial, &result, (unsigned)ctx->evidence.num_packets, ctx->stake);
        if (gw_watch_is_hostile(which) ? is_lost(w, ctx, which, anomaly)
                                       : is_dead(ctx, which, anomaly))
            return false;
        if (gw_stopped())
            return true;
        if (trial.failed == 1)
            gw_survey(ctx, trial.datagrams);
        gw_trial_path way = gw_runner_way(ctx);
        end = gw_trial_judge(&trial, &result, &way, FAILS_MOST);
        anomaly->rule = result.rule;
        (void)snprintf(anomaly->text, sizeof(anomaly->text), "%s: %s%s%.240s", which->id,
                       result.rule != NULL ? result.rule->id : "", result.rule != NULL ? ": " : "",
                       result.text);
        if (end == GW_TRIAL_GO_ON && is_late(w)) {
            tell_lateness(anomaly);
            break;
        }
    }
    if (end == GW_TRIAL_PATH || end == GW_TRIAL_UNKNOWN)
        return true;
    anomaly->symptom = GW_SYMPTOM_WRONG;
    anomaly->by = which;
    return false;
}

static bool passes_all(gw_watch *w, gw_ctx *ctx, size_t num, gw_anomaly *anomaly)
{
    for (size_t i = 0; i < num && !gw_stopped() && !is_late(w); i++) {
        const gw_case *which = w->cases[w->next];
        w->next = (w->next + 1) % w->num_cases;
        if (!passes(w, ctx, which, anomaly))
            return false;
    }
    return true;
}

/* ---- what it does when something is broken on purpose ---- */

static void take_out(const gw_case **cases, size_t *num, const gw_case *which)
{
    size_t kept = 0;
    for (size_t i = 0; i < *num; i++)
        if (cases[i] != which)
            cases[kept++] = cases[i];
    *num = kept;
}

/* A hostile case is what is sent, and then what is asked: what the board says in it is judged
 * first, as after any packet, and what the case says where nobody told so yet. Its answers may be
 * long in coming, as it asks for what usually does not come at once. */
static bool survives(gw_watch *w, gw_ctx *ctx, const gw_case *which, gw_anomaly *anomaly)
{
    gw_anomaly said = {.by = which};
    int64_t reply_ns = ctx->reply_ns;
    if (w->patience_ns > 0)
        ctx->reply_ns = w->patience_ns;
    bool well = passes(w, ctx, which, anomaly);
    ctx->reply_ns = reply_ns;
    if (gw_stopped())
        return true;
    if (!well && anomaly->symptom != GW_SYMPTOM_WRONG)
        return false;
    said.random = anomaly->random;
    judge_words(w, ctx, &said);
    bool broke = said.symptom != GW_SYMPTOM_NONE;
    if (broke)
        *anomaly = said;
    well = !broke && (well || gw_told_has(&w->told, anomaly->rule));
    return !is_lost(w, ctx, which, anomaly) && well;
}

static int64_t now_ns(const gw_ctx *ctx)
{
    gw_target *target = ctx->target;
    return target->now != NULL ? target->now(target) : gw_clock_ns(CLOCK_MONOTONIC);
}

/* The next one that applies to the board, or NULL. */
static const gw_case *next_hostile(gw_watch *w, gw_ctx *ctx)
{
    while (w->num_hostile > 0) {
        w->next_hostile %= w->num_hostile;
        const gw_case *which = w->hostile[w->next_hostile];
        if (gw_runner_applies(ctx, which))
            return which;
        take_out(w->hostile, &w->num_hostile, which);
    }
    return NULL;
}

static bool survives_next(gw_watch *w, gw_ctx *ctx, gw_anomaly *anomaly)
{
    const gw_case *which = next_hostile(w, ctx);
    if (which == NULL)
        return true;
    int64_t began_ns = now_ns(ctx);
    bool well = survives(w, ctx, which, anomaly);
    if (now_ns(ctx) - began_ns > TEDIOUS_NS && !ctx->suite->calls_us)
        take_out(w->hostile, &w->num_hostile, which);
    else
        w->next_hostile++;
    return well;
}

/* ---- */

void gw_watch_tell(gw_watch *w, const gw_rule *rule)
{
    if (rule != NULL && w->told.num < GW_ARRAY_LEN(w->told.rules))
        w->told.rules[w->told.num++] = rule;
}

static bool builds_on(const gw_case *one, const gw_case *which)
{
    for (const char *const *id = one->after; id != NULL && *id != NULL; id++)
        if (strcmp(*id, which->id) == 0)
            return true;
    return false;
}

/* The first hostile case that builds on |which|, or NULL. */
static const gw_case *first_on(const gw_watch *w, const gw_case *which)
{
    for (size_t i = 0; i < w->num_hostile; i++)
        if (builds_on(w->hostile[i], which))
            return w->hostile[i];
    return NULL;
}

void gw_watch_forget(gw_watch *w, const gw_case *which)
{
    take_out(w->cases, &w->num_cases, which);
    w->next = 0;
    for (size_t i = 0; i < w->num_hostile; i++)
        w->next_hostile -= w->hostile[i] == which && i < w->next_hostile;
    take_out(w->hostile, &w->num_hostile, which);
    for (const gw_case *on = first_on(w, which); on != NULL; on = first_on(w, which))
        gw_watch_forget(w, on);
}

bool gw_watch_look(gw_watch *w, gw_ctx *ctx, gw_watch_how how, gw_anomaly *anomaly,
                   gw_evidence *said)
{
    const gw_case *by = how == GW_WATCH_BY ? anomaly->by : NULL;
    uint64_t random = anomaly->random;
    *anomaly = (gw_anomaly){0};
    judge_words(w, ctx, anomaly);
    if (said != NULL)
        gw_evidence_move(said, &ctx->evidence);
    gw_evidence_clear(&ctx->evidence);
    ctx->before = ctx->until = ctx->last_sent = ctx->last_received = 0;
    if (anomaly->symptom != GW_SYMPTOM_NONE || !answers_in_time(w, ctx, anomaly))
        return false;
    size_t num = how == GW_WATCH_CASES ? w->num_cases : how == GW_WATCH_ONE_CASE ? 1 : 0;
    if (by != NULL && random != 0)
        ctx->random = random;
    bool well = by == NULL || (gw_watch_is_hostile(by)
                                   ? !gw_runner_applies(ctx, by) || survives(w, ctx, by, anomaly)
                                   : passes(w, ctx, by, anomaly));
    if (how == GW_WATCH_HOSTILE)
        well = survives_next(w, ctx, anomaly);
    if (well && w->num_cases > 0)
        well = passes_all(w, ctx, num, anomaly);
    if (well)
        *anomaly = (gw_anomaly){0};
    return well;
}

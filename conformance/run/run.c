/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of a conformance run. What makes a verdict trustworthy is here: a board is seen alive
 * before it is blamed, silence is never success, and a lost board ends the run at once. */
#include "run/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/floor.h"
#include "harness/memory.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "run/alive.h"
#include "run/confirm.h"
#include "run/preflight.h"
#include "run/store.h"
#include "run/survey.h"
#include "run/waive.h"

#define REPLY_NS GW_SECOND
#define SETTLE_NS (20 * GW_MS)
#define CONNECT_NS (3 * GW_SECOND / 2)

/* Attempts at a case until its verdict is sure. */
#define ATTEMPTS_VIRTUAL 96
#define ATTEMPTS_MOST 24
#define ATTEMPTS_LEAST 3 /* when time runs short */
#define CASE_BUDGET_NS (30 * GW_SECOND)
#define RUN_BUDGET_NS (300 * GW_SECOND)
#define INCONC_TRIES 6
#define FOUNDATION_TRIES 3
#define LEAVE_NS (5 * GW_SECOND) /* for leaving the board as it was found, when told to stop */
#define LEAVE_TRIPS 20
#define UNSEEN_RISK 1e-3 /* that none of what a case sent has arrived */

/* A run in progress. */
typedef struct runner {
    const gw_run_setup *setup;
    gw_run *run;
    gw_ctx *ctx;
    int64_t confirmed_ns; /* spent on repeating cases */
    size_t num_done;      /* results that stand */
    struct {
        const gw_case *which;
        gw_verdict verdict;
    } tried[64]; /* cases that were not run yet, but are built on */
    unsigned num_tried;
    char lost_because[320]; /* why nothing can be said any more; "" while something can */
    gw_verdict lost_as;
} runner;

GW_PRINTF(3, 4) static void say(gw_result *result, gw_verdict verdict, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    result->verdict = verdict;
    (void)vsnprintf(result->text, sizeof(result->text), fmt, args);
    va_end(args);
}

/* ---- one case ---- */

/* "EB-S04: wrong id" of an attempt that failed. */
static void tell_suspect(char *out, size_t cap, const gw_result *suspect)
{
    (void)snprintf(out, cap, "%s%s%.300s", suspect->rule != NULL ? suspect->rule->id : "",
                   suspect->rule != NULL ? ": " : "", suspect->text);
}

static const gw_result *result_of(const runner *r, const char *id)
{
    for (size_t i = 0; i < r->run->num_results; i++)
        if (strcmp(r->run->results[i].which->id, id) == 0)
            return &r->run->results[i];
    return NULL;
}

static void leave_untried(gw_run *run, const char *what)
{
    unsigned i = 0;
    while (i < run->counts.untried && strcmp(run->untried[i].what, what) != 0)
        i++;
    if (i == GW_MAX_UNTRIED)
        return;
    if (i == run->counts.untried)
        run->untried[run->counts.untried++].what = what;
    run->untried[i].num_cases++;
}

/* Frames are the same need to every suite. Whoever needs them gets the target that has them. */
static bool has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    if (strcmp(need, GW_NEEDS_RAW) != 0)
        return ctx->suite->has(ctx, need, why, why_cap);
    (void)snprintf(why, why_cap,
                   "sockets do not show what lies below UDP: use raw://INTERFACE?to=IP, or "
                   "peer:ROLE?over=raw");
    return ctx->target->links[0].frames;
}

/* What carries the messages is a need that depends on the way to the board alone. */
static bool carries(const gw_target *target, const char *need)
{
    const gw_target_link *link = &target->links[0];
    if (strcmp(need, GW_NEEDS_RAW) == 0)
        return link->frames;
    if (strcmp(need, GW_NEEDS_TCP) == 0)
        return link->stream;
    return strcmp(need, GW_NEEDS_UDP) != 0 || !link->stream;
}

static bool serves(const gw_target *target, const gw_case *one)
{
    for (const char *const *need = one->needs; need != NULL && *need != NULL; need++)
        if (!carries(target, *need))
            return false;
    return true;
}

/* The first way to the board that serves. Two targets have no line in common. */
static void choose_target(runner *r, const gw_case *one)
{
    const gw_run_setup *setup = r->setup;
    gw_target *target = setup->target;
    for (size_t i = 0; i < setup->num_others && !serves(target, one); i++)
        if (serves(setup->others[i], one))
            target = setup->others[i];
    if (target == r->ctx->target)
        return;
    gw_ctx_hang_up_all(r->ctx, false);
    r->ctx->target = target;
}

static bool unmet(runner *r, gw_result *result)
{
    for (const char *const *need = result->which->needs; need != NULL && *need != NULL; need++) {
        char why[200] = "";
        if (has(r->ctx, *need, why, sizeof(why)))
            continue;
        say(result, GW_NA, "%s", why);
        if (strcmp(*need, GW_NEEDS_TCP) == 0 && r->setup->board->claims.tcp == GW_CLAIM_YES)
            leave_untried(r->run, *need);
        return true;
    }
    return false;
}

static void perform(gw_ctx *ctx, void *arg)
{
    const gw_case *which = arg;
    if (ctx->suite->begin != NULL)
        ctx->suite->begin(ctx);
    if (ctx->target != ctx->setup->target)
        gw_case_note(ctx, ctx->target->links[0].frames
                              ? "the board was reached as a station on an Ethernet"
                          : ctx->target->links[0].stream ? "the board was reached over TCP"
                                                         : "the board was reached over UDP");
    which->run(ctx);
    char why[200] = "";
    if (ctx->suite->took != NULL && !ctx->suite->took(ctx, why, sizeof(why)))
        gw_case_inconc(ctx, "%s", why);
}

static void clear_judgement(gw_result *result)
{
    gw_result cleared = {.which = result->which, .repeated = result->repeated};
    memcpy(cleared.recovery, result->recovery, sizeof(cleared.recovery));
    *result = cleared;
}

GW_PRINTF(3, 4) static void lose(runner *r, gw_verdict as, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    r->lost_as = as;
    (void)vsnprintf(r->lost_because, sizeof(r->lost_because), fmt, args);
    va_end(args);
}

/* What the case itself found stays; a case that found nothing is charged with the death. */
static void blame(runner *r, gw_result *result, const char *text)
{
    gw_case_mark(r->ctx, gw_ctx_said(r->ctx), "no answer after this: %s", text);
    if (result->verdict == GW_FAIL || result->verdict == GW_WARN)
        return;
    /* A recorded trace tests no rule in particular. */
    if (result->rule == NULL && result->which->rules[0] != NULL)
        result->rule = gw_format_rule(r->ctx->suite->format, result->which->rules[0]);
    bool should = result->rule != NULL && result->rule->level == GW_SHOULD;
    say(result, should ? GW_WARN : GW_FAIL, "%s", text);
    gw_waive_known(result, r->setup->dialect);
}

/* The board does not come back, so that nobody can try whether the case does it again: nothing is
 * proven, whatever the case says. */
static void give_up(runner *r, gw_result *result, gw_recovery came, bool was_alive)
{
    const char *id = result->which->id;
    const char *how = result->recovery;
    if (came == GW_OUR_FAULT) {
        say(result, GW_ERROR, "goldwire could not look after the board: %s", how);
        lose(r, GW_ERROR, "goldwire lost the board during %s: %s", id, how);
        return;
    }
    if (came == GW_WAY_GONE) {
        say(result, GW_INCONC, "the way to the board is broken: %s", how);
        lose(r, GW_INCONC, "the way to the board was broken during %s: %s", id, how);
        return;
    }
    result->rule = NULL;
    result->field = NULL;
    if (!was_alive)
        say(result, GW_INCONC, "the board did not answer before this case began");
    else
        say(result, GW_INCONC,
            "the board stopped answering during this case and did not come back, so that nobody "
            "can see whether it does so again: reset it, and run this case alone");
    lose(r, GW_INCONC, "the board was lost during %s", id);
}

/* Nobody waits for a board any more: its silence proves nothing. What the case itself found stays.
 */
static bool interrupted(gw_result *result)
{
    if (!gw_stopped())
        return false;
    if (result->verdict == GW_PASS || result->verdict == GW_INCONC)
        say(result, GW_INCONC, GW_INTERRUPTED);
    return true;
}

/* How an attempt at a case ended. */
typedef enum ending {
    ENDED = 0, /* as the result says */
    DIED,      /* the board was lost by it, and is back; the result says what it is charged with */
    FINAL,     /* nothing more can be tried */
} ending;

/* The board was alive before the case, or answered in it, and is silent now. */
static ending handle_death(runner *r, gw_result *result)
{
    if (interrupted(result))
        return FINAL;
    unsigned sent = r->ctx->last_sent;
    unsigned listened = r->ctx->listened;
    gw_recovery came = gw_recover(r->ctx, result->recovery, sizeof(result->recovery));
    r->ctx->last_sent = sent;
    r->ctx->listened = listened;
    if (interrupted(result))
        return FINAL;
    if (came != GW_RECOVERED) {
        give_up(r, result, came, true);
        return FINAL;
    }
    blame(r, result, "the board stopped answering after this case");
    result->repeated = true;
    return DIED;
}

/* Whether the board is there for a case that could be blamed for its death. */
static bool ready(runner *r, gw_result *result, bool look)
{
    gw_ctx *ctx = r->ctx;
    if (!look || gw_alive_surely(ctx, false))
        return true;
    if (interrupted(result))
        return false;
    gw_recovery came = gw_recover(ctx, result->recovery, sizeof(result->recovery));
    if (interrupted(result))
        return false;
    if (came != GW_RECOVERED)
        give_up(r, result, came, false);
    return came == GW_RECOVERED;
}

/* Has a board that nobody has talked to yet, where we have a say in that. */
static void start_anew(gw_ctx *ctx)
{
    gw_target *target = ctx->target;
    char why[128];
    if (target->restart == NULL)
        return;
    gw_ctx_hang_up_all(ctx, false);
    (void)target->restart(target, why, sizeof(why));
}

/* What is sent and heard from here on is the case's. */
static void begin_case(gw_ctx *ctx)
{
    ctx->before = (unsigned)ctx->evidence.num_packets;
    ctx->until = 0;
    ctx->last_sent = 0;
    ctx->last_received = 0;
    ctx->listened = 0;
}

/* Whether anything came during the case, or was looked at again. */
static bool heard_anything(const gw_ctx *ctx)
{
    for (unsigned n = ctx->before + 1; n <= ctx->until; n++)
        if (gw_evidence_get(&ctx->evidence, n)->dir == GW_DIR_IN)
            return true;
    return false;
}

/* Nothing that nobody said can be right. A board that can be asked was asked behind the case. */
static void doubt_silence(const gw_ctx *ctx, gw_result *result, bool heard)
{
    if (result->verdict == GW_PASS && !heard && ctx->suite->calls_us)
        say(result, GW_INCONC, "nothing came from the board that could be judged");
}

/* Runs the case once. |again| it is run alone, on a board that is seen alive. */
static ending attempt(runner *r, gw_result *result, bool again)
{
    gw_ctx *ctx = r->ctx;
    const gw_case *which = result->which;
    clear_judgement(result);
    gw_evidence_clear(&ctx->evidence);
    begin_case(ctx);
    ctx->lost = false;
    ctx->proven = false;
    if (which->anew) /* a trace begins so */
        start_anew(ctx);
    if (!ready(r, result, which->negative || (again && !ctx->suite->calls_us)))
        return FINAL;
    /* Nothing of what looked after the board is what the case did. */
    begin_case(ctx);
    gw_ctx_guard(ctx, perform, (void *)which);
    /* Whatever was refused, and whenever: what lacks may lack because of it. */
    if (gw_memory_refusals() > 0 && result->verdict != GW_PASS && result->verdict != GW_NA)
        say(result, GW_ERROR, "goldwire ran out of memory");
    ctx->until = (unsigned)ctx->evidence.num_packets;
    /* What a recorded trace left on its lines is no place for a sign of life. */
    if (which->anew)
        gw_ctx_hang_up_all(ctx, false);
    unsigned sent = ctx->last_sent;
    unsigned received = ctx->last_received;
    unsigned listened = ctx->listened;
    bool heard = heard_anything(ctx);
    bool look_again = result->verdict != GW_NA && result->verdict != GW_ERROR &&
                      (which->negative || result->verdict != GW_PASS || !heard);
    bool dead = look_again && !gw_alive_surely(ctx, false);
    /* What the probes sent is not what the case sent. */
    ctx->last_sent = sent;
    ctx->last_received = received;
    ctx->listened = listened;
    if (dead)
        return handle_death(r, result);
    /* It came back by itself: lost all the same. */
    if (ctx->lost)
        blame(r, result, "the board stopped answering for a while after this case");
    doubt_silence(ctx, result, heard);
    return ENDED;
}

static void excerpt(gw_excerpt *out, const gw_ctx *ctx, unsigned number)
{
    const gw_evidence *evidence = &ctx->evidence;
    const gw_evidence_packet *packet = gw_evidence_get(evidence, number);
    if (packet == NULL)
        return;
    out->len = packet->len;
    out->kept = packet->len < GW_RESULT_BYTES ? packet->len : GW_RESULT_BYTES;
    memcpy(out->bytes, evidence->bytes + packet->data, out->kept);
    gw_evidence_says(out->what, sizeof(out->what), evidence, packet, ctx->suite->format,
                     ctx->setup->dialect);
}

/* Whoever opens the evidence sees at which packet the verdict fell. */
static void mark_verdict(gw_ctx *ctx, const gw_result *result)
{
    unsigned number = result->packet != 0 ? result->packet : gw_ctx_heard(ctx);
    if (number == 0)
        number = gw_ctx_said(ctx);
    gw_case_mark(ctx, number, "%s%s%s: %s", gw_verdict_name(result->verdict),
                 result->rule != NULL ? " " : "", result->rule != NULL ? result->rule->id : "",
                 result->text[0] != '\0' ? result->text : result->which->title);
}

static void fill_excerpts(const gw_ctx *ctx, gw_result *result)
{
    const gw_evidence *e = &ctx->evidence;
    const gw_evidence_packet *decided = gw_evidence_get(e, result->packet);
    result->num_packets = (unsigned)e->num_packets;
    excerpt(&result->sent, ctx, gw_ctx_said_before(ctx, result->packet));
    if (decided == NULL)
        excerpt(&result->received, ctx, gw_ctx_heard(ctx));
    else if (decided->dir == GW_DIR_IN)
        excerpt(&result->received, ctx, result->packet);
}

/* A file that is lacking is told; the verdicts are worth having without it. */
static void lack(const runner *r, const char *why)
{
    const gw_run_setup *setup = r->setup;
    r->run->num_unwritten++;
    if (setup->unwritten != NULL)
        setup->unwritten(setup->unwritten_arg, why);
}

/* ---- until the verdict is sure ---- */

/* Whether all that the path does was told, and is nothing but a delay. */
static bool is_told(const gw_impairment *told)
{
    return gw_impairs(told) && told->loss == 0 && told->reorder == 0 && told->duplicate == 0 &&
           told->corrupt == 0 && told->jitter_ns == 0 && told->outage_ns == 0;
}

/* What the path may do, as far as it was measured and told. */
static gw_trial_way way_of(const gw_ctx *ctx)
{
    const gw_way *seen = &ctx->way;
    const gw_impairment *told = &ctx->target->impairment;
    double share =
        ((double)told->loss + told->reorder + told->duplicate + told->corrupt) / GW_IMPAIR_SCALE;
    double trouble = gw_way_trouble(seen);
    bool near = gw_ctx_near(ctx);
    bool unknown = ctx->suite->calls_us && !near && !gw_case_stream(ctx) && !is_told(told);
    bool quiet =
        gw_way_clean(seen) && gw_way_is_even(seen) && seen->stumbles == 0 && seen->asked_again == 0;
    if (share > trouble)
        trouble = share < 1 ? share : 1;
    return (gw_trial_way){.trouble = trouble,
                          .clean = near || (quiet && !unknown && share == 0),
                          .stream = gw_case_stream(ctx),
                          .near = near,
                          .unknown = unknown};
}

static bool is_suspicion(const gw_result *result)
{
    return result->verdict == GW_FAIL || result->verdict == GW_WARN;
}

/* Whether the case may be repeated at all. A board that calls us does when it likes; ours are
 * started anew for it. */
static bool repeatable(const gw_ctx *ctx)
{
    return !ctx->suite->calls_us || gw_case_fresh(ctx);
}

/* What a single failure amounts to. Of the path to a board that calls us nothing can be measured.
 */
static gw_trial_end judge_once(const gw_ctx *ctx, const gw_trial_way *way)
{
    bool known = way->near || way->stream || !ctx->suite->calls_us;
    return (known && way->clean) || ctx->proven ? GW_TRIAL_BOARD : GW_TRIAL_UNKNOWN;
}

/* How many attempts there may be. Virtual time costs next to nothing. */
static unsigned most_attempts(const runner *r, int64_t began_ns)
{
    const gw_ctx *ctx = r->ctx;
    int64_t now_ns = gw_clock_ns(CLOCK_MONOTONIC);
    if (!repeatable(ctx))
        return 1;
    if (ctx->target->virtual_time)
        return ATTEMPTS_VIRTUAL;
    bool spent = now_ns - began_ns > CASE_BUDGET_NS || r->confirmed_ns > RUN_BUDGET_NS;
    return spent ? ATTEMPTS_LEAST : ATTEMPTS_MOST;
}

/* Whether one more attempt at a case that did not fail tells more: what was lost on its way may
 * have been what it is about. */
static bool wants_more(const gw_trial *trial, const gw_result *result, const gw_trial_way *way)
{
    bool sure = (way->near || way->stream) && way->clean;
    if (sure || trial->failed > 0)
        return false;
    if (result->verdict == GW_INCONC)
        return trial->passed == 0 && trial->attempts < INCONC_TRIES;
    double missed = 1;
    for (unsigned i = 0; i < trial->passed; i++)
        missed *= way->trouble;
    /* A trace was answered in all that it asks. */
    return result->verdict == GW_PASS && result->which->negative && !result->which->anew &&
           !way->clean && missed > UNSEEN_RISK && trial->attempts < INCONC_TRIES;
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
static void conclude(runner *r, gw_result *result, const gw_result *suspect, const gw_trial *trial,
                     gw_trial_end end)
{
    char path[160];
    char found[340];
    unsigned told = trial->passed + trial->failed;
    result->attempts = trial->attempts;
    result->failures = trial->failed;
    if (trial->failed == 0 || end == GW_TRIAL_GO_ON)
        return;
    tell_suspect(found, sizeof(found), suspect);
    gw_way_text(&r->ctx->way, path, sizeof(path));
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
    say(result, GW_INCONC, "%u of %u attempts failed, which %s (%s): %s", trial->failed, told,
        gw_way_clean(&r->ctx->way) && trial->passed > 0 ? "happened once on a path without fault"
                                                        : "the path to the board may explain",
        path, found);
}

/* Whether a board that failed cannot even be set up for another attempt, with nothing on the path
 * to explain it: what it does wrong takes something from it each time, such as a channel. */
static bool is_worn_out(const gw_trial *trial, const gw_result *last, const gw_way *way)
{
    return trial->failed > 0 && last->verdict == GW_INCONC && gw_way_clean(way);
}

/* True when more could be said if more were known of the path. */
static bool try_case(runner *r, gw_result *result)
{
    gw_ctx *ctx = r->ctx;
    gw_trial trial = {0};
    gw_result suspect = {0};
    gw_trial_end end = GW_TRIAL_GO_ON;
    int64_t began_ns = gw_clock_ns(CLOCK_MONOTONIC);
    int64_t repeated_ns = 0;
    while (end == GW_TRIAL_GO_ON) {
        if (trial.attempts > 0)
            gw_back_in_step(ctx);
        if (is_worn_out(&trial, result, &ctx->way))
            start_anew(ctx);
        ending how = attempt(r, result, trial.attempts > 0);
        if (repeated_ns == 0)
            repeated_ns = gw_clock_ns(CLOCK_MONOTONIC);
        if (how == FINAL || gw_stopped())
            break;
        gw_trial_note(&trial, result, (unsigned)ctx->evidence.num_packets);
        trial.deaths += how == DIED;
        trial.resets += how == DIED && result->recovery[0] != '\0';
        if (is_suspicion(result)) {
            suspect = *result;
            if (trial.failed == 1)
                gw_survey(ctx, trial.datagrams);
        }
        gw_trial_way way = way_of(ctx);
        if (result->verdict == GW_NA || result->verdict == GW_ERROR || result->verdict == GW_WAIVED)
            break;
        unsigned most = most_attempts(r, began_ns);
        if (trial.failed == 0 && (trial.attempts >= most || !wants_more(&trial, result, &way)))
            break;
        if (trial.failed > 0 && !repeatable(ctx))
            end = judge_once(ctx, &way);
        else if (trial.failed > 0)
            end = gw_trial_judge(&trial, &suspect, &way, most);
        /* Each time one packet shows it, and the path changes no packet of a board that calls us.
         */
        if (ctx->suite->calls_us && ctx->proven && trial.failed > 1 &&
            gw_trial_same(&trial, &suspect, false) == trial.attempts)
            end = GW_TRIAL_BOARD;
        /* What stands at the end is an attempt that passed. */
        if (end == GW_TRIAL_PATH && result->verdict != GW_PASS && trial.attempts < most)
            end = GW_TRIAL_GO_ON;
    }
    r->confirmed_ns += gw_clock_ns(CLOCK_MONOTONIC) - repeated_ns;
    if (trial.attempts == 1 && trial.passed == 1)
        ctx->way.quiet += (unsigned)ctx->evidence.num_packets;
    if (trial.passed > 0 && result->verdict == GW_PASS)
        ctx->way.stumbles += trial.failed;
    conclude(r, result, &suspect, &trial, end);
    return end == GW_TRIAL_UNKNOWN && trial.attempts > 1 && !gw_ctx_near(ctx);
}

/* ---- what a case builds on ---- */

/* Runs |which|, which was not run yet or not selected, to see whether it can be built on. Neither
 * its verdict nor its evidence is kept. */
static gw_verdict try_foundation(runner *r, const gw_case *which)
{
    gw_ctx *ctx = r->ctx;
    gw_result spare = {.which = which};
    gw_result *result = ctx->result;
    const gw_case *self = ctx->self;
    gw_evidence evidence = ctx->evidence;
    for (unsigned i = 0; i < r->num_tried; i++)
        if (r->tried[i].which == which)
            return r->tried[i].verdict;
    memset(&ctx->evidence, 0, sizeof(ctx->evidence));
    ctx->self = which;
    ctx->result = &spare;
    if (!unmet(r, &spare)) {
        gw_back_in_step(ctx);
        (void)attempt(r, &spare, true);
        /* One failure may be the path's. */
        for (unsigned i = 1; i < FOUNDATION_TRIES && spare.verdict != GW_PASS &&
                             spare.verdict != GW_NA && r->lost_because[0] == '\0';
             i++)
            (void)attempt(r, &spare, true);
    }
    gw_evidence_free(&ctx->evidence);
    ctx->evidence = evidence;
    ctx->self = self;
    ctx->result = result;
    if (r->num_tried < GW_ARRAY_LEN(r->tried)) {
        r->tried[r->num_tried].which = which;
        r->tried[r->num_tried++].verdict = spare.verdict;
    }
    return spare.verdict;
}

/* How the case |which| ended, or would. */
static gw_verdict foundation(runner *r, const gw_case *which)
{
    const gw_result *earlier = result_of(r, which->id);
    if (earlier != NULL && earlier < r->run->results + r->num_done)
        return earlier->verdict;
    bool may_try = repeatable(r->ctx) && r->lost_because[0] == '\0' && !gw_stopped();
    return may_try ? try_foundation(r, which) : GW_PASS;
}

/* What |which| builds on, directly or through others, and does not pass; NULL when all of it does.
 */
static const gw_case *bad_foundation(runner *r, const gw_case *which, gw_verdict *verdict)
{
    for (const char *const *id = which->after; id != NULL && *id != NULL; id++) {
        const gw_case *earlier = gw_suite_case(r->ctx->suite, *id);
        if (earlier == NULL || earlier == which)
            continue;
        const gw_case *deeper = bad_foundation(r, earlier, verdict);
        if (deeper != NULL)
            return deeper;
        *verdict = foundation(r, earlier);
        if (*verdict != GW_PASS && *verdict != GW_XPASS && *verdict != GW_WAIVED)
            return earlier;
    }
    return NULL;
}

/* What builds on something that the board cannot do may fail for that reason alone. What passes all
 * the same has passed, and nobody asks whether the order of the cases has anything to do with it.
 */
static void look_at_foundations(runner *r, gw_result *result)
{
    char found[340];
    gw_verdict verdict;
    if (result->verdict != GW_FAIL && result->verdict != GW_WARN && result->verdict != GW_INCONC)
        return;
    const gw_case *earlier = bad_foundation(r, result->which, &verdict);
    if (earlier == NULL)
        return;
    tell_suspect(found, sizeof(found), result);
    result->rule = NULL;
    result->field = NULL;
    if (verdict == GW_NA)
        say(result, GW_NA, "builds on %s, which does not apply", earlier->id);
    else
        say(result, GW_INCONC, "builds on %s, which did not pass (%s): %s", earlier->id,
            gw_verdict_name(verdict), found);
}

static bool run_case(runner *r, gw_result *result, char *why, size_t why_cap)
{
    gw_ctx *ctx = r->ctx;
    ctx->self = result->which;
    ctx->result = result;
    if (gw_stopped() && !r->run->contradicted)
        lose(r, GW_INCONC, GW_INTERRUPTED);
    if (r->lost_because[0] != '\0') {
        say(result, r->lost_as, "%s", r->lost_because);
        return true;
    }
    choose_target(r, result->which);
    if (unmet(r, result))
        return true;
    int64_t start = gw_clock_ns(CLOCK_MONOTONIC);
    gw_rescue_watch(&ctx->rescue);
    result->unsettled = try_case(r, result);
    if (r->setup->keep != NULL && !ctx->suite->calls_us)
        gw_listen_on(ctx);
    look_at_foundations(r, result);
    gw_waive(result, r->setup->board, r->run->started_ns);
    fill_excerpts(ctx, result);
    mark_verdict(ctx, result);
    if (!ctx->suite->calls_us)
        gw_timings_read(&r->run->timings, &ctx->evidence, ctx->suite->format, r->setup->dialect);
    result->duration_ns = gw_clock_ns(CLOCK_MONOTONIC) - start;
    gw_ctx_hang_up_all(ctx, true);
    if (r->setup->keep != NULL &&
        !r->setup->keep(r->setup->keep_arg, result, &ctx->evidence, why, why_cap))
        return false;
    if (ctx->evidence.overflow)
        gw_case_note(ctx,
                     "the evidence holds the first %zu packets only: there were too many to keep",
                     ctx->evidence.num_packets);
    gw_evidence_spend(&ctx->evidence);
    if (!gw_store_evidence(r->setup->out_dir, result, &ctx->evidence, why, why_cap))
        lack(r, why);
    return true;
}

/* ---- the run ---- */

static void count(gw_run *run, const gw_result *result)
{
    gw_counts *counts = &run->counts;
    counts->of[result->verdict]++;
    if (result->waiver_expired && result->verdict == GW_FAIL)
        counts->expired_fails++;
    if (result->waiver_expired && result->verdict == GW_WARN)
        counts->expired_warns++;
    if (result->verdict == GW_INCONC && strcmp(result->text, GW_INTERRUPTED) == 0)
        run->interrupted = true;
}

/* Runs every case, or those that were left |unsettled|. */
static bool run_each(runner *r, bool unsettled, char *why, size_t why_cap)
{
    const gw_run_setup *setup = r->setup;
    for (size_t i = 0; i < r->run->num_results; i++) {
        gw_result *result = &r->run->results[i];
        if (unsettled && (!result->unsettled || r->lost_because[0] != '\0' || gw_stopped()))
            continue;
        if (setup->progress != NULL)
            setup->progress(setup->progress_arg, i, r->run->num_results, result->which);
        if (!run_case(r, result, why, why_cap))
            return false;
        r->num_done = unsettled ? r->num_done : i + 1;
    }
    return true;
}

static bool run_all(runner *r, char *why, size_t why_cap)
{
    const gw_run_setup *setup = r->setup;
    if (setup->progress != NULL)
        setup->progress(setup->progress_arg, 0, r->run->num_results, NULL);
    r->lost_as = gw_preflight(r->ctx, r->run, r->lost_because, sizeof(r->lost_because));
    if (gw_stopped() && !r->run->answered)
        (void)snprintf(r->run->preflight, sizeof(r->run->preflight), "%s", GW_INTERRUPTED);
    if (!gw_store_packets(setup->out_dir, "preflight.pcapng", r->run->preflight, &r->ctx->evidence,
                          why, why_cap))
        lack(r, why);
    if (!run_each(r, false, why, why_cap))
        return false;
    /* More is known of the path now than when the first cases failed. What is handed on by then
     * stays as it is. */
    if (setup->keep == NULL && !run_each(r, true, why, why_cap))
        return false;
    for (size_t i = 0; i < r->run->num_results; i++)
        count(r->run, &r->run->results[i]);
    return true;
}

static void leave(gw_ctx *ctx, void *arg)
{
    (void)arg;
    ctx->suite->leave(ctx);
}

/* Leaves the board as it was found, if it is there. Told to stop, that takes LEAVE_NS at the most,
 * and what a path takes for some requests. */
static void leave_board(runner *r)
{
    gw_ctx *ctx = r->ctx;
    gw_result spare = {0};
    bool lost = r->lost_because[0] != '\0' && strcmp(r->lost_because, GW_INTERRUPTED) != 0;
    if (ctx->suite->leave == NULL || !r->run->answered || r->run->contradicted || lost)
        return;
    gw_stop_grace(LEAVE_NS + LEAVE_TRIPS * gw_case_lag_ns(ctx));
    gw_ctx_hang_up_all(ctx, false);
    gw_evidence_clear(&ctx->evidence);
    ctx->target = r->setup->target;
    ctx->self = NULL;
    ctx->result = &spare;
    if (gw_ctx_guard(ctx, leave, NULL) != GW_OUTCOME_RETURNED)
        (void)snprintf(r->run->not_left, sizeof(r->run->not_left), "%.200s", spare.text);
    gw_stop_grace(0);
}

static gw_ctx *new_ctx(const gw_run_setup *setup)
{
    gw_ctx *ctx = calloc(1, sizeof(*ctx));
    if (ctx == NULL)
        return NULL;
    ctx->setup = setup;
    ctx->target = setup->target;
    ctx->suite = setup->suite;
    ctx->state = calloc(1, setup->suite->state_size + 1);
    ctx->board = *setup->board;
    ctx->rescue.hooks = setup->hooks ? setup->board->hooks : NULL;
    ctx->rescue.out_dir = setup->out_dir;
    ctx->evidence.board =
        (gw_announcement){.format = setup->suite->format, .dialect = setup->dialect};
    (void)snprintf(ctx->evidence.board.role, sizeof(ctx->evidence.board.role), "%s",
                   setup->suite->role);
    ctx->connect_ns = CONNECT_NS;
    ctx->random = setup->seed;
    ctx->reply_ns = setup->reply_ns > 0 ? setup->reply_ns : REPLY_NS;
    ctx->settle_ns = setup->settle_ns > 0 ? setup->settle_ns : SETTLE_NS;
    if (ctx->state != NULL)
        return ctx;
    free(ctx);
    return NULL;
}

/* Without loopback nothing is known of our own part, and nothing is taken off. */
static int64_t measure_floor(void)
{
    gw_floor floor;
    char why[128];
    return gw_floor_measure(&floor, false, why, sizeof(why)) ? floor.own_ns : 0;
}

bool gw_run_cases(gw_run *run, const gw_run_setup *setup, char *why, size_t why_cap)
{
    memset(run, 0, sizeof(*run));
    runner r = {.setup = setup, .run = run, .ctx = new_ctx(setup)};
    run->results = calloc(setup->num_cases + 1, sizeof(*run->results));
    if (r.ctx == NULL || run->results == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        free(r.ctx == NULL ? NULL : r.ctx->state);
        free(r.ctx);
        return false;
    }
    run->num_results = setup->num_cases;
    for (size_t i = 0; i < setup->num_cases; i++)
        run->results[i].which = setup->cases[i];
    run->floor_ns = setup->floor_ns;
    if (run->floor_ns == 0 && !setup->target->virtual_time)
        run->floor_ns = measure_floor();
    r.ctx->floor_ns = run->floor_ns;
    run->started_ns = gw_clock_ns(CLOCK_REALTIME);
    int64_t start = gw_clock_ns(CLOCK_MONOTONIC);
    bool ok = run_all(&r, why, why_cap);
    run->duration_ns = gw_clock_ns(CLOCK_MONOTONIC) - start;
    run->spent = r.ctx->spent;
    leave_board(&r);
    gw_ctx_hang_up_all(r.ctx, false);
    run->way = r.ctx->way;
    if (setup->suite->end != NULL)
        setup->suite->end(r.ctx);
    gw_rescue_end(&r.ctx->rescue);
    if (r.ctx->rescue.trouble[0] != '\0')
        lack(&r, r.ctx->rescue.trouble);
    gw_evidence_free(&r.ctx->evidence);
    free(r.ctx->state);
    free(r.ctx);
    return ok;
}

void gw_run_free(gw_run *run)
{
    free(run->results);
    memset(run, 0, sizeof(*run));
}

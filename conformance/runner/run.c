/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of a conformance run. What makes a verdict trustworthy is here: a board is seen alive
 * before it is blamed, silence is never success, and a lost board ends the run at once. */
#include "runner/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/socket.h"
#include "runner/ctx.h"
#include "runner/store.h"

#define REPLY_NS GW_SECOND
#define SETTLE_NS (20 * GW_MS)
#define FIRST_NS (500 * GW_MS)
#define FIRST_TRIES 3
#define RECOVER_NS (250 * GW_MS) /* one attempt to see a board come back */
#define RECOVER_TRIES 8
#define RESTART_AFTER 1 /* attempts before a board that can be reset is reset */

/* A run in progress. */
typedef struct runner {
    const gw_run_setup *setup;
    gw_run *run;
    gw_ctx *ctx;
    const gw_case *lost_in; /* the board went away during this case */
    bool lost;
} runner;

GW_PRINTF(3, 4) static void say(gw_result *result, gw_verdict verdict, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    result->verdict = verdict;
    (void)vsnprintf(result->text, sizeof(result->text), fmt, args);
    va_end(args);
}

/* ---- is the board alive? ---- */

typedef struct life_sign {
    int64_t timeout_ns;
    bool seen;
} life_sign;

static void look(gw_ctx *ctx, void *arg)
{
    life_sign *sign = arg;
    if (ctx->suite->begin != NULL)
        ctx->suite->begin(ctx);
    sign->seen = ctx->suite->alive(ctx, sign->timeout_ns);
}

/* The probe must not write its own failures into the result of the case it surrounds. */
static bool is_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_result spare = {0};
    gw_result *result = ctx->result;
    life_sign sign = {.timeout_ns = timeout_ns};
    ctx->result = &spare;
    gw_ctx_guard(ctx, look, &sign);
    ctx->result = result;
    ctx->silence[0] = '\0';
    const gw_transport *usual = ctx->lines[0].transport;
    if (usual != NULL && usual->unreachable)
        (void)snprintf(ctx->silence, sizeof(ctx->silence), "; nothing listens there: %s",
                       usual->error);
    else if (spare.text[0] != '\0')
        (void)snprintf(ctx->silence, sizeof(ctx->silence), "; %.200s", spare.text);
    return sign.seen;
}

/* A refused connection comes back in no time: space the attempts out all the same. */
static void pause_between(const gw_run_setup *setup)
{
    if (setup->target->virtual_time)
        return;
    struct timespec time = {.tv_nsec = 50 * GW_MS};
    (void)nanosleep(&time, NULL);
}

static bool recover(gw_ctx *ctx)
{
    gw_target *target = ctx->setup->target;
    for (unsigned i = 0; i < RECOVER_TRIES; i++) {
        char why[128];
        gw_ctx_hang_up_all(ctx, false);
        if (i >= RESTART_AFTER && target->restart != NULL &&
            !target->restart(target, why, sizeof(why)))
            return false;
        pause_between(ctx->setup);
        if (is_alive(ctx, RECOVER_NS))
            return true;
    }
    return false;
}

/* ---- one case ---- */

static const gw_result *result_of(const runner *r, const char *id)
{
    for (size_t i = 0; i < r->run->num_results; i++)
        if (strcmp(r->run->results[i].which->id, id) == 0)
            return &r->run->results[i];
    return NULL;
}

/* A case outside the selection is not asked: whoever selects a single case wants it run. */
static bool blocked(const runner *r, gw_result *result)
{
    for (const char *const *id = result->which->after; id != NULL && *id != NULL; id++) {
        const gw_result *earlier = result_of(r, *id);
        if (earlier == NULL || earlier == result || earlier->verdict == GW_PASS)
            continue;
        if (earlier->verdict == GW_NA)
            say(result, GW_NA, "builds on %s, which does not apply", *id);
        else
            say(result, GW_INCONC, "builds on %s, which did not pass (%s)", *id,
                gw_verdict_name(earlier->verdict));
        return true;
    }
    return false;
}

static bool unmet(const runner *r, gw_result *result)
{
    for (const char *const *need = result->which->needs; need != NULL && *need != NULL; need++) {
        char why[200] = "";
        if (r->ctx->suite->has(r->ctx, *need, why, sizeof(why)))
            continue;
        say(result, GW_NA, "%s", why);
        return true;
    }
    return false;
}

static void perform(gw_ctx *ctx, void *arg)
{
    const gw_case *which = arg;
    if (ctx->suite->begin != NULL)
        ctx->suite->begin(ctx);
    which->run(ctx);
}

static void clear_judgement(gw_result *result)
{
    const gw_case *which = result->which;
    bool repeated = result->repeated;
    memset(result, 0, sizeof(*result));
    result->which = which;
    result->repeated = repeated;
}

static void lose(runner *r, const gw_case *which)
{
    r->lost = true;
    r->lost_in = which;
}

/* What the case itself found stays; a case that found nothing is charged with the death. */
static void blame(runner *r, gw_result *result, const char *text)
{
    gw_case_mark(r->ctx, r->ctx->last_sent, "no answer after this: %s", text);
    if (result->rule != NULL && result->verdict != GW_PASS)
        return;
    result->rule = gw_format_rule(r->ctx->suite->format, result->which->rules[0]);
    bool should = result->rule != NULL && result->rule->level == GW_SHOULD;
    say(result, should ? GW_WARN : GW_FAIL, "%s", text);
}

/* The board was alive before the case, or answered in it, and is silent now. */
static bool handle_death(runner *r, gw_result *result)
{
    bool again = result->repeated;
    unsigned sent = r->ctx->last_sent;
    bool back = recover(r->ctx);
    r->ctx->last_sent = sent;
    if (!back) {
        if (result->which->negative)
            blame(r, result, "the board stopped answering after this case and did not come back");
        else
            say(result, GW_INCONC,
                "the board stopped answering during this case and did not come "
                "back");
        lose(r, result->which);
        return false;
    }
    if (again) {
        blame(r, result,
              "the board stopped answering after this case, and again when it was "
              "repeated");
        return false;
    }
    result->repeated = true;
    return true;
}

/* Runs the case once. True when it has to be run again. */
static bool attempt(runner *r, gw_result *result)
{
    gw_ctx *ctx = r->ctx;
    const gw_case *which = result->which;
    clear_judgement(result);
    gw_evidence_clear(&ctx->evidence);
    ctx->last_sent = 0;
    ctx->last_received = 0;
    if (which->negative && !is_alive(ctx, ctx->reply_ns) && !recover(ctx)) {
        say(result, GW_INCONC, "the board did not answer before this case began");
        lose(r, which);
        return false;
    }
    gw_ctx_guard(ctx, perform, (void *)which);
    unsigned sent = ctx->last_sent;
    unsigned received = ctx->last_received;
    bool look_again = result->verdict != GW_NA && result->verdict != GW_ERROR &&
                      (which->negative || result->verdict != GW_PASS);
    bool dead = look_again && !is_alive(ctx, ctx->reply_ns);
    /* What the probes sent is not what the case sent. */
    ctx->last_sent = sent;
    ctx->last_received = received;
    return dead && handle_death(r, result);
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

/* The last packet of ours before the one that decided. */
static unsigned sent_before(const gw_evidence *evidence, unsigned number, unsigned last_sent)
{
    for (unsigned n = number; n > 0; n--)
        if (gw_evidence_get(evidence, n)->dir == GW_DIR_OUT)
            return n;
    return last_sent;
}

/* Whoever opens the evidence sees at which packet the verdict fell. */
static void mark_verdict(gw_ctx *ctx, const gw_result *result)
{
    unsigned number = result->packet != 0 ? result->packet : ctx->last_received;
    if (number == 0)
        number = ctx->last_sent;
    gw_case_mark(ctx, number, "%s%s%s: %s", gw_verdict_name(result->verdict),
                 result->rule != NULL ? " " : "", result->rule != NULL ? result->rule->id : "",
                 result->text[0] != '\0' ? result->text : result->which->title);
}

static void fill_excerpts(const gw_ctx *ctx, gw_result *result)
{
    const gw_evidence *e = &ctx->evidence;
    const gw_evidence_packet *decided = gw_evidence_get(e, result->packet);
    result->num_packets = (unsigned)e->num_packets;
    excerpt(&result->sent, ctx, sent_before(e, result->packet, ctx->last_sent));
    if (decided == NULL)
        excerpt(&result->received, ctx, ctx->last_received);
    else if (decided->dir == GW_DIR_IN)
        excerpt(&result->received, ctx, result->packet);
}

static bool run_case(runner *r, gw_result *result, char *why, size_t why_cap)
{
    gw_ctx *ctx = r->ctx;
    ctx->self = result->which;
    ctx->result = result;
    if (r->lost) {
        if (r->lost_in == NULL)
            say(result, GW_INCONC, "the board never answered");
        else
            say(result, GW_INCONC, "the board was lost during %s", r->lost_in->id);
        return true;
    }
    if (unmet(r, result) || blocked(r, result))
        return true;
    int64_t start = gw_clock_ns(CLOCK_MONOTONIC);
    if (attempt(r, result))
        (void)attempt(r, result);
    fill_excerpts(ctx, result);
    mark_verdict(ctx, result);
    if (!ctx->suite->calls_us)
        gw_timings_read(&r->run->timings, &ctx->evidence, ctx->suite->format, r->setup->dialect);
    result->duration_ns = gw_clock_ns(CLOCK_MONOTONIC) - start;
    gw_ctx_hang_up_all(ctx, true);
    return gw_store_evidence(r->setup->out_dir, result, &ctx->evidence, why, why_cap);
}

/* ---- the run ---- */

static void preflight(runner *r)
{
    const gw_run_setup *setup = r->setup;
    gw_ctx *ctx = r->ctx;
    int64_t wait = setup->first_ns > 0 ? setup->first_ns : FIRST_NS;
    unsigned tries = setup->first_ns > 0 ? 1 : FIRST_TRIES;
    gw_result spare = {0};
    ctx->result = &spare;
    for (unsigned i = 0; i < tries && !r->run->answered; i++) {
        r->run->answered = is_alive(ctx, wait);
        if (!r->run->answered && i + 1 < tries)
            pause_between(setup);
    }
    if (!r->run->answered) {
        lose(r, NULL);
        (void)snprintf(r->run->preflight, sizeof(r->run->preflight),
                       "no answer to %u attempt%s of %lld ms%s", tries, tries == 1 ? "" : "s",
                       (long long)(wait / GW_MS), ctx->silence);
        return;
    }
    (void)snprintf(r->run->preflight, sizeof(r->run->preflight), "the board answers");
    if (ctx->suite->identify != NULL)
        ctx->suite->identify(ctx, r->run->identity, sizeof(r->run->identity));
    gw_ctx_hang_up_all(ctx, true);
}

static bool run_all(runner *r, char *why, size_t why_cap)
{
    const gw_run_setup *setup = r->setup;
    if (setup->progress != NULL)
        setup->progress(setup->progress_arg, 0, r->run->num_results, NULL);
    preflight(r);
    if (!gw_store_packets(setup->out_dir, "preflight.pcapng", r->run->preflight, &r->ctx->evidence,
                          why, why_cap))
        return false;
    for (size_t i = 0; i < r->run->num_results; i++) {
        gw_result *result = &r->run->results[i];
        if (setup->progress != NULL)
            setup->progress(setup->progress_arg, i, r->run->num_results, result->which);
        if (!run_case(r, result, why, why_cap))
            return false;
        r->run->counts.of[result->verdict]++;
    }
    return true;
}

static gw_ctx *new_ctx(const gw_run_setup *setup)
{
    gw_ctx *ctx = calloc(1, sizeof(*ctx));
    if (ctx == NULL)
        return NULL;
    ctx->setup = setup;
    ctx->suite = setup->suite;
    ctx->state = calloc(1, setup->suite->state_size + 1);
    ctx->random = setup->seed;
    ctx->reply_ns = setup->reply_ns > 0 ? setup->reply_ns : REPLY_NS;
    ctx->settle_ns = setup->settle_ns > 0 ? setup->settle_ns : SETTLE_NS;
    if (ctx->state != NULL)
        return ctx;
    free(ctx);
    return NULL;
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
    run->started_ns = gw_clock_ns(CLOCK_REALTIME);
    int64_t start = gw_clock_ns(CLOCK_MONOTONIC);
    bool ok = run_all(&r, why, why_cap);
    run->duration_ns = gw_clock_ns(CLOCK_MONOTONIC) - start;
    gw_ctx_hang_up_all(r.ctx, false);
    if (setup->suite->end != NULL)
        setup->suite->end(r.ctx);
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

/* SPDX-License-Identifier: BSD-2-Clause */
/* One attempt at a case. A board is seen alive before it is blamed, and silence is never success.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/stop.h"
#include "run/alive.h"
#include "run/runner.h"
#include "run/waive.h"
#include "running/running.h"

void gw_result_set(gw_result *result, gw_verdict verdict, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    result->verdict = verdict;
    (void)vsnprintf(result->text, sizeof(result->text), fmt, args);
    va_end(args);
}

void gw_result_found(char *out, size_t cap, const gw_result *suspect)
{
    (void)snprintf(out, cap, "%s%s%.300s", suspect->rule != NULL ? suspect->rule->id : "",
                   suspect->rule != NULL ? ": " : "", suspect->text);
}

static void perform(gw_ctx *ctx, void *arg)
{
    const gw_case *which = arg;
    if (ctx->target->mark != NULL)
        ctx->target->mark(ctx->target, which->id);
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
    gw_result cleared = {
        .which = result->which, .repeated = result->repeated, .view = result->view};
    memcpy(cleared.recovery, result->recovery, sizeof(cleared.recovery));
    *result = cleared;
}

void gw_runner_lose(gw_runner *r, gw_verdict as, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    r->lost_as = as;
    (void)vsnprintf(r->lost_because, sizeof(r->lost_because), fmt, args);
    va_end(args);
}

/* What the case itself found stays; a case that found nothing is charged with the death. */
static void attribute_death(gw_runner *r, gw_result *result, const char *text)
{
    gw_case_mark(r->ctx, gw_ctx_last_sent(r->ctx), "no answer after this: %s", text);
    if (result->verdict == GW_FAIL || result->verdict == GW_WARN)
        return;
    /* A recorded trace tests no rule in particular. */
    if (result->rule == NULL && result->which->rules[0] != NULL)
        result->rule = gw_format_rule(r->ctx->suite->format, result->which->rules[0]);
    bool should = result->rule != NULL && result->rule->level == GW_SHOULD;
    gw_result_set(result, should ? GW_WARN : GW_FAIL, "%s", text);
    gw_waive_known(result, r->setup->dialect);
}

/* The board does not come back, so that nobody can try whether the case does it again: nothing is
 * proven, whatever the case says. */
static void give_up(gw_runner *r, gw_result *result, gw_recovery came, bool was_alive)
{
    const char *id = result->which->id;
    const char *how = result->recovery;
    if (came == GW_OUR_FAULT) {
        gw_result_set(result, GW_ERROR, "goldwire could not look after the board: %s", how);
        gw_runner_lose(r, GW_ERROR, "goldwire lost the board during %s: %s", id, how);
        return;
    }
    if (came == GW_PATH_BROKEN) {
        gw_result_set(result, GW_INCONC, "the path to the board is broken: %s", how);
        gw_runner_lose(r, GW_INCONC, "the path to the board was broken during %s: %s", id, how);
        return;
    }
    result->rule = NULL;
    result->field = NULL;
    if (!was_alive)
        gw_result_set(result, GW_INCONC, "the board did not answer before this case began");
    else
        gw_result_set(
            result, GW_INCONC,
            "the board stopped answering during this case and did not come back, so that nobody "
            "can see whether it does so again: reset it, and run this case alone");
    gw_runner_lose(r, GW_INCONC, "the board was lost during %s", id);
}

/* Nobody waits for a board any more: its silence proves nothing. What the case itself found stays.
 */
static bool interrupted(gw_result *result)
{
    if (!gw_stopped())
        return false;
    if (result->verdict == GW_PASS || result->verdict == GW_INCONC)
        gw_result_set(result, GW_INCONC, GW_INTERRUPTED);
    return true;
}

/* A simulator that ends, or hangs, is no board that is silent: what a case found missing may be
 * missing because of it. */
static void excuse_by_simulator(gw_result *result, const char *cause)
{
    result->rule = NULL;
    result->field = NULL;
    gw_result_set(result, GW_INCONC, "the simulator was lost during this case: %s", cause);
}

/* The board was alive before the case, or answered in it, and is silent now. */
static gw_ending handle_death(gw_runner *r, gw_result *result)
{
    const gw_sim *sim = r->ctx->target->sim;
    char cause[240] = "";
    bool simulator_lost = sim != NULL && gw_sim_lost(sim, cause, sizeof(cause));
    if (interrupted(result))
        return GW_ENDING_FINAL;
    unsigned sent = r->ctx->last_sent;
    unsigned listened = r->ctx->listened;
    gw_recovery came = gw_recover(r->ctx, result->recovery, sizeof(result->recovery));
    r->ctx->last_sent = sent;
    r->ctx->listened = listened;
    if (interrupted(result))
        return GW_ENDING_FINAL;
    if (came != GW_RECOVERED) {
        give_up(r, result, came, true);
        if (simulator_lost && came == GW_BOARD_GONE)
            excuse_by_simulator(result, cause);
        return GW_ENDING_FINAL;
    }
    if (simulator_lost)
        excuse_by_simulator(result, cause);
    else
        attribute_death(r, result, "the board stopped answering after this case");
    result->repeated = true;
    return GW_ENDING_DIED;
}

/* Whether the board is there for a case that could be blamed for its death. */
static bool ready(gw_runner *r, gw_result *result, bool look)
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

bool gw_runner_start_anew(gw_ctx *ctx)
{
    gw_target *target = ctx->target;
    char why[128];
    if (target->restart == NULL)
        return false;
    gw_ctx_close_all(ctx, false);
    return target->restart(target, why, sizeof(why));
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

/* Whether the board had the last word. A connection that ends may be one that its death ends. */
static bool had_last_word(const gw_ctx *ctx)
{
    const gw_evidence_packet *last = gw_evidence_get(&ctx->evidence, ctx->until);
    return ctx->until > ctx->before && last->dir == GW_DIR_IN &&
           (last->kind == GW_EVIDENCE_BYTES || last->kind == GW_EVIDENCE_FRAME);
}

/* Nothing that nobody said can be right. A board that can be asked was asked behind the case. */
static void doubt_silence(const gw_ctx *ctx, gw_result *result, bool heard)
{
    if (result->verdict == GW_PASS && !heard && ctx->suite->calls_us)
        gw_result_set(result, GW_INCONC, "nothing came from the board that could be judged");
}

void gw_runner_once(gw_ctx *ctx, const gw_case *which, gw_result *result)
{
    const gw_case *self = ctx->self;
    gw_result *outer = ctx->result;
    *result = (gw_result){.which = which};
    gw_evidence_clear(&ctx->evidence);
    gw_running_tell(ctx->setup->running, which->id, which->title);
    begin_case(ctx);
    ctx->lost = false;
    ctx->proven = false;
    ctx->stake = 0;
    ctx->self = which;
    ctx->result = result;
    gw_ctx_guard(ctx, perform, (void *)which);
    gw_ctx_close_all(ctx, true);
    ctx->self = self;
    ctx->result = outer;
    if (self != NULL)
        gw_running_tell(ctx->setup->running, self->id, "goes on");
}

gw_ending gw_runner_attempt(gw_runner *r, gw_result *result, bool again)
{
    gw_ctx *ctx = r->ctx;
    const gw_case *which = result->which;
    clear_judgement(result);
    gw_evidence_clear(&ctx->evidence);
    gw_running_tell(ctx->setup->running, which->id, which->title);
    begin_case(ctx);
    ctx->lost = false;
    ctx->proven = false;
    ctx->stake = 0;
    if (which->anew) /* a trace begins so */
        (void)gw_runner_start_anew(ctx);
    if (!ready(r, result, which->negative || (again && !ctx->suite->calls_us)))
        return GW_ENDING_FINAL;
    /* Nothing of what looked after the board is what the case did. */
    begin_case(ctx);
    gw_ctx_guard(ctx, perform, (void *)which);
    /* Whatever was refused, and whenever: what lacks may lack because of it. */
    if (gw_memory_refusals() > 0 && result->verdict != GW_PASS && result->verdict != GW_NA)
        gw_result_set(result, GW_ERROR, "goldwire ran out of memory");
    ctx->until = (unsigned)ctx->evidence.num_packets;
    /* What a recorded trace left on its connections is no place for a sign of life. */
    if (which->anew)
        gw_ctx_close_all(ctx, false);
    unsigned sent = ctx->last_sent;
    unsigned received = ctx->last_received;
    unsigned listened = ctx->listened;
    bool heard = heard_anything(ctx);
    bool look_again = result->verdict != GW_NA && result->verdict != GW_ERROR &&
                      (which->negative || result->verdict != GW_PASS || !had_last_word(ctx));
    bool dead = look_again && !gw_alive_surely(ctx, false);
    /* What the probes sent is not what the case sent. */
    ctx->last_sent = sent;
    ctx->last_received = received;
    ctx->listened = listened;
    if (dead)
        return handle_death(r, result);
    /* It came back by itself: lost all the same. */
    if (ctx->lost)
        attribute_death(r, result, "the board stopped answering for a while after this case");
    doubt_silence(ctx, result, heard);
    return GW_ENDING_JUDGED;
}

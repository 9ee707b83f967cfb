/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of a conformance run, from the pre-flight to leaving the board as it was found. A lost
 * board ends it at once. */
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/floor.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "run/alive.h"
#include "run/preflight.h"
#include "run/runner.h"
#include "run/store.h"
#include "run/waive.h"
#include "running/running.h"

#define CONNECT_NS (3 * GW_SECOND / 2)
#define LEAVE_NS (5 * GW_SECOND) /* for leaving the board as it was found, when told to stop */
#define END_NS (5 * GW_SECOND)   /* of the wall's clock, for what ends by itself */
#define LEAVE_TRIPS 20

static void excerpt(gw_excerpt *out, const gw_ctx *ctx, unsigned number)
{
    const gw_evidence *evidence = &ctx->evidence;
    const gw_evidence_packet *packet = gw_evidence_get(evidence, number);
    if (packet == NULL || gw_evidence_span_of(evidence, number).doubtful)
        return;
    out->len = packet->len;
    out->kept = packet->len < GW_RESULT_BYTES ? packet->len : GW_RESULT_BYTES;
    memcpy(out->bytes, evidence->bytes + packet->data, out->kept);
    gw_evidence_summary(out->what, sizeof(out->what), evidence, number, ctx->suite->format,
                        ctx->setup->dialect);
}

/* Whoever opens the evidence sees at which packet the verdict fell. */
static void mark_verdict(gw_ctx *ctx, const gw_result *result)
{
    unsigned number = result->packet != 0 ? result->packet : gw_ctx_last_received(ctx);
    if (number == 0)
        number = gw_ctx_last_sent(ctx);
    gw_case_mark(ctx, number, "%s%s%s: %s", gw_verdict_name(result->verdict),
                 result->rule != NULL ? " " : "", result->rule != NULL ? result->rule->id : "",
                 result->text[0] != '\0' ? result->text : result->which->title);
}

/* The last packet kept lends its number to all that came later and were not kept: of these nobody
 * can say any more which one decided. */
static void fill_excerpts(const gw_ctx *ctx, gw_result *result)
{
    const gw_evidence *e = &ctx->evidence;
    result->num_packets = (unsigned)e->num_packets;
    result->decided = gw_evidence_span_of(e, result->packet);
    if (result->decided.doubtful) {
        result->packet = 0;
        return;
    }
    const gw_evidence_packet *decided = gw_evidence_get(e, result->packet);
    if (ctx->target->sim != NULL && decided != NULL)
        result->at_ns = decided->time_ns - GW_VIRTUAL_EPOCH_NS;
    unsigned asked = gw_ctx_sent_before(ctx, result->packet);
    result->asked = gw_evidence_span_of(e, asked);
    excerpt(&result->sent, ctx, asked);
    if (decided == NULL)
        excerpt(&result->received, ctx, gw_ctx_last_received(ctx));
    else if (decided->dir == GW_DIR_IN)
        excerpt(&result->received, ctx, result->packet);
}

/* Of a simulated board, what its port looked like when the deciding packet passed, or, where none
 * did, when the one was sent that should have been answered. */
static void look_at_port(const gw_ctx *ctx, gw_result *result)
{
    gw_target *target = ctx->target;
    const gw_evidence_packet *decided = gw_evidence_get(&ctx->evidence, result->packet);
    const gw_evidence_packet *about = decided;
    if (about == NULL)
        about = gw_evidence_get(&ctx->evidence, gw_ctx_sent_before(ctx, result->packet));
    free(result->view);
    result->view = NULL;
    if (target->look == NULL || about == NULL || result->decided.doubtful ||
        (result->verdict != GW_FAIL && result->verdict != GW_WARN))
        return;
    gw_sim_moment moment = {.at_ns = about->time_ns - GW_VIRTUAL_EPOCH_NS,
                            .from_core = about->dir == GW_DIR_IN};
    /* What lies around the message of a frame is not counted. */
    if (decided != NULL && about->frame_len == 0 && !about->stream && result->offset > 0)
        moment.num_byte = result->offset + 1;
    result->at_ns = moment.at_ns;
    result->view = target->look(target, about->link, &moment);
}

/* Packets that went by keep no room for a verdict: the next one says it. */
static void tell_verdict(const gw_ctx *ctx, const gw_result *result)
{
    char text[sizeof(result->text) + 64];
    (void)snprintf(text, sizeof(text), "%s%s%s%s%s", gw_verdict_name(result->verdict),
                   result->rule != NULL ? " " : "", result->rule != NULL ? result->rule->id : "",
                   result->text[0] != '\0' ? ": " : "", result->text);
    gw_running_tell(ctx->setup->running, result->which->id, text);
}

/* A file that is lacking is told; the verdicts are worth having without it. */
static void lack(const gw_runner *r, const char *why)
{
    const gw_run_setup *setup = r->setup;
    r->run->num_unwritten++;
    if (setup->unwritten != NULL)
        setup->unwritten(setup->unwritten_arg, why);
}

static void conclude(gw_ctx *ctx, void *arg)
{
    (void)arg;
    ctx->suite->conclude(ctx);
}

/* A part of a recording is whole when all that came because of it is there, and when what comes
 * after it does not depend on it. */
static void round_off(gw_ctx *ctx, const gw_result *result)
{
    gw_listen_on(ctx);
    if (ctx->suite->conclude == NULL || (result->verdict != GW_PASS && result->verdict != GW_NA))
        return;
    unsigned received = ctx->last_received;
    unsigned listened = ctx->listened;
    unsigned sent = ctx->last_sent;
    (void)gw_ctx_aside(ctx, conclude, NULL, NULL);
    ctx->last_received = received;
    ctx->listened = listened;
    ctx->last_sent = sent;
}

/* Durations are told in the board's own time where it has one: then two runs tell the same. */
static int64_t now_ns(const gw_run_setup *setup)
{
    gw_target *target = setup->target;
    return target->now != NULL ? target->now(target) : gw_clock_ns(CLOCK_MONOTONIC);
}

static bool run_case(gw_runner *r, gw_result *result, char *why, size_t why_cap)
{
    gw_ctx *ctx = r->ctx;
    ctx->self = result->which;
    ctx->result = result;
    if (result->which->judge != NULL) {
        result->which->judge(r->setup->target, result);
        gw_waive(result, r->setup->board, r->run->started_ns);
        return true;
    }
    if (gw_stopped() && !r->run->contradicted)
        gw_runner_lose(r, GW_INCONC, GW_INTERRUPTED);
    if (r->lost_because[0] != '\0') {
        gw_result_set(result, r->lost_as, "%s", r->lost_because);
        return true;
    }
    gw_runner_choose_target(r, result->which);
    if (gw_runner_unmet(r, result) || gw_runner_is_futile(r, result))
        return true;
    if (!gw_runner_in_time(r))
        gw_ctx_wait_less(ctx);
    int64_t start = now_ns(r->setup);
    gw_rescue_watch(&ctx->rescue);
    result->unsettled = gw_runner_try(r, result);
    /* What a case that failed still has coming is not for the next one. */
    if (result->failures > 0 && !ctx->suite->calls_us)
        gw_back_in_step(ctx);
    if (r->setup->keep != NULL && !ctx->suite->calls_us)
        round_off(ctx, result);
    gw_runner_look_at_foundations(r, result);
    gw_waive(result, r->setup->board, r->run->started_ns);
    fill_excerpts(ctx, result);
    look_at_port(ctx, result);
    mark_verdict(ctx, result);
    tell_verdict(ctx, result);
    if (!ctx->suite->calls_us)
        gw_timings_read(&r->run->timings, &ctx->evidence, ctx->suite->format, r->setup->dialect);
    result->start_ns = start - r->start_ns;
    result->duration_ns = now_ns(r->setup) - start;
    gw_ctx_close_all(ctx, true);
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
static bool run_each(gw_runner *r, bool unsettled, char *why, size_t why_cap)
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

static bool run_all(gw_runner *r, char *why, size_t why_cap)
{
    const gw_run_setup *setup = r->setup;
    if (setup->progress != NULL)
        setup->progress(setup->progress_arg, 0, r->run->num_results, NULL);
    gw_running_tell(setup->running, "before the first case", "");
    r->lost_as = gw_preflight(r->ctx, r->run, r->lost_because, sizeof(r->lost_because));
    if (gw_stopped() && !r->run->answered)
        (void)snprintf(r->run->preflight, sizeof(r->run->preflight), "%s", GW_INTERRUPTED);
    if (!gw_store_packets(setup->out_dir, "preflight.pcapng", r->run->preflight, &r->ctx->evidence,
                          why, why_cap))
        lack(r, why);
    gw_evidence_spend(&r->ctx->evidence);
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
static void leave_board(gw_runner *r)
{
    gw_ctx *ctx = r->ctx;
    gw_result spare = {0};
    bool lost = r->lost_because[0] != '\0' && strcmp(r->lost_because, GW_INTERRUPTED) != 0;
    if (ctx->suite->leave == NULL || !r->run->answered || r->run->contradicted || lost)
        return;
    gw_stop_grace(LEAVE_NS + LEAVE_TRIPS * gw_case_lag_ns(ctx));
    gw_ctx_close_all(ctx, false);
    gw_evidence_clear(&ctx->evidence);
    ctx->target = r->setup->target;
    ctx->self = NULL;
    gw_running_tell(r->setup->running, "the board is left as it was found", "");
    if (gw_ctx_aside(ctx, leave, NULL, &spare) != GW_OUTCOME_RETURNED)
        (void)snprintf(r->run->not_left, sizeof(r->run->not_left), "%.200s", spare.text);
    gw_stop_grace(0);
}

/* The cases have told all that they had to: what is asked now changes nothing of it. */
static void do_after(gw_runner *r)
{
    gw_ctx *ctx = r->ctx;
    gw_path_stats path = ctx->path;
    const char *lost = !r->run->answered ? r->run->preflight : r->lost_because;
    if (r->setup->after == NULL)
        return;
    gw_ctx_close_all(ctx, false);
    gw_evidence_clear(&ctx->evidence);
    ctx->target = r->setup->target;
    ctx->self = NULL;
    gw_running_tell(r->setup->running, "after the last case", "");
    r->setup->after(ctx, gw_stopped() ? GW_INTERRUPTED : lost, r->setup->after_arg);
    ctx->path = path;
}

/* The first of them that is said. */
static int64_t said(int64_t one, int64_t other, int64_t usual_ns)
{
    return one > 0 ? one : other > 0 ? other : usual_ns;
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
        (gw_announcement){.format = setup->suite->format,
                          .dialect = setup->dialect,
                          .caller = setup->suite->calls_us ? GW_DIR_IN : GW_DIR_OUT,
                          .tunnel = setup->suite->tunnels};
    (void)snprintf(ctx->evidence.board.role, sizeof(ctx->evidence.board.role), "%s",
                   setup->suite->role);
    gw_running_of(setup->running, &ctx->evidence.board);
    ctx->connect_ns = CONNECT_NS;
    ctx->random = setup->seed;
    ctx->ahead = setup->ahead;
    ctx->ahead_arg = setup->ahead_arg;
    ctx->path.exact = setup->target->sim != NULL;
    ctx->reply_ns = said(setup->reply_ns, setup->target->reply_ns, GW_RUN_REPLY_NS);
    ctx->settle_ns = said(setup->settle_ns, setup->target->settle_ns, GW_RUN_SETTLE_NS);
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
    gw_runner r = {.setup = setup, .run = run, .ctx = new_ctx(setup)};
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
    r.start_ns = now_ns(setup);
    bool ok = run_all(&r, why, why_cap);
    run->duration_ns = now_ns(setup) - r.start_ns;
    run->spent = r.ctx->spent;
    do_after(&r);
    leave_board(&r);
    gw_ctx_close_all(r.ctx, false);
    run->path = r.ctx->path;
    if (!setup->target->virtual_time)
        gw_host_describe(&run->host, &r.ctx->local);
    if (setup->suite->end != NULL)
        setup->suite->end(r.ctx);
    if (setup->target->end != NULL && setup->target->end(setup->target))
        gw_rescue_await(&r.ctx->rescue, END_NS);
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
    for (size_t i = 0; i < run->num_results; i++)
        free(run->results[i].view);
    free(run->results);
    memset(run, 0, sizeof(*run));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* One conversation, and the look behind it. */
#include "campaign/altered/talk.h"

#include <stdio.h>
#include <string.h>

#include "harness/stop.h"
#include "run/alive.h"
#include "run/runner.h"

#define CALLS_TRIES 8            /* of a board of ours, or one with a start hook, to call again */
#define CALLS_NS (5 * GW_SECOND) /* for it, if nobody says how long */
/* As long as the cases wait for a board that may have stopped for good, and behind their own wait.
 */
#define HANGS_NS (10 * GW_SECOND)
/* Packets that came before the end. A board that babbles on does not hang. */
#define TAKE_MAX 4096

/* A conversation, which is a case of its own. */
typedef struct talk {
    gw_case one; /* the first member */
    const gw_case *story;
    gw_talk_end end;
} talk;

static int64_t first_ns(const gw_ctx *ctx)
{
    return ctx->setup->first_ns > 0 ? ctx->setup->first_ns : CALLS_NS;
}

/* What the suite knows of the board it knows of good conversations only. */
static void forget(gw_ctx *ctx)
{
    gw_ctx_close_all(ctx, false);
    if (ctx->suite->end != NULL)
        ctx->suite->end(ctx);
    memset(ctx->state, 0, ctx->suite->state_size);
}

bool gw_talk_calls(gw_ctx *ctx)
{
    unsigned tries = gw_case_fresh(ctx) ? CALLS_TRIES : 1;
    forget(ctx);
    for (unsigned i = 0; i < tries && !gw_stopped(); i++)
        if (gw_alive(ctx, first_ns(ctx)))
            return true;
    return false;
}

static void tell(gw_ctx *ctx, void *arg)
{
    talk *t = arg;
    if (t->story != NULL)
        t->story->run(ctx);
    else if (!ctx->suite->alive(ctx, first_ns(ctx)))
        gw_case_inconc(ctx, "nobody calls");
}

static bool has_heard(const gw_ctx *ctx)
{
    for (unsigned n = 1; n <= ctx->evidence.num_packets; n++) {
        const gw_evidence_packet *p = gw_evidence_get(&ctx->evidence, n);
        if (p->dir == GW_DIR_IN && p->kind == GW_EVIDENCE_BYTES)
            return true;
    }
    return false;
}

/* What came while nobody listened says nothing of how the board is now. */
static void take_all(gw_ctx *ctx, gw_connection *conn)
{
    gw_packet packet;
    for (unsigned i = 0; i < TAKE_MAX; i++)
        if (gw_case_recv(ctx, conn, 0, &packet) != GW_RECV_DATA)
            return;
}

/* Nobody answers it now. A board that has to be called again is seen then. */
static gw_talk_end wait_for_end(gw_ctx *ctx)
{
    gw_packet packet;
    gw_connection *conn = &ctx->conns[0];
    if (!gw_case_fresh(ctx) || conn->transport == NULL)
        return GW_TALK_GOES_ON;
    take_all(ctx, conn);
    int64_t deadline = gw_case_now(conn) + gw_case_scaled_ns(ctx, HANGS_NS);
    while (gw_case_now(conn) < deadline) {
        if (gw_case_over(ctx))
            return GW_TALK_ENDS;
        if (gw_case_recv(ctx, conn, gw_case_slice_ns(ctx), &packet) != GW_RECV_TIMEOUT)
            return GW_TALK_GOES_ON;
    }
    return gw_case_over(ctx) ? GW_TALK_ENDS : GW_TALK_HANGS;
}

static void perform(gw_ctx *ctx)
{
    /* The case is the first member. */
    talk *t = (talk *)(uintptr_t)gw_case_self(ctx);
    (void)gw_ctx_aside(ctx, tell, t, NULL);
    t->end = has_heard(ctx) ? wait_for_end(ctx) : GW_TALK_NOBODY;
}

gw_talk_end gw_talk_play(gw_ctx *ctx, gw_alterer *a)
{
    static const char *const no_rules[] = {NULL};
    talk t = {.one = {.id = "fuzz/answers",
                      .title = "The board takes altered answers",
                      .rules = no_rules},
              .story = a->how->story};
    gw_result result;
    if (t.story != NULL)
        t.one = *t.story;
    t.one.run = perform;
    /* What a case compares with, it has from good conversations. */
    if (t.story != NULL && !gw_talk_calls(ctx))
        return GW_TALK_NOBODY;
    if (t.story == NULL)
        forget(ctx);
    gw_ctx_close_all(ctx, false);
    if (!gw_alterer_begin(a, ctx)) {
        a->short_of_memory = true;
        return GW_TALK_NOBODY;
    }
    ctx->random = a->how->random;
    gw_runner_once(ctx, &t.one, &result);
    gw_alterer_end(a, ctx);
    forget(ctx);
    return t.end;
}

static void tell_silence(gw_anomaly *anomaly, const char *text)
{
    anomaly->symptom = GW_SYMPTOM_SILENT;
    (void)snprintf(anomaly->text, sizeof(anomaly->text), "%s", text);
}

bool gw_talk_look(gw_watch *watch, gw_ctx *ctx, gw_alterer *a, bool ends, gw_anomaly *anomaly,
                  gw_evidence *said)
{
    const gw_case *story = a->how->story;
    *anomaly = (gw_anomaly){0};
    gw_talk_end end = gw_talk_play(ctx, a);
    bool breaks = gw_words_break_always(ctx, &watch->told, &anomaly->rule, anomaly->text,
                                        sizeof(anomaly->text));
    if (said != NULL)
        gw_evidence_move(said, &ctx->evidence);
    if (gw_stopped() || a->short_of_memory || end == GW_TALK_NOBODY)
        return true;
    if (breaks) {
        anomaly->symptom = GW_SYMPTOM_BROKEN;
        return false;
    }
    anomaly->rule = NULL;
    if (end == GW_TALK_HANGS && ends) {
        tell_silence(anomaly, "the board neither goes on nor ends any more after what it was "
                              "answered");
        return false;
    }
    /* One of ours is started anew for each conversation. */
    if (gw_case_ours(ctx))
        return true;
    if (!gw_talk_calls(ctx)) {
        if (gw_stopped())
            return true;
        tell_silence(anomaly, "the board does not call any more after what it was answered");
        return false;
    }
    anomaly->by = story;
    return story == NULL || gw_watch_look(watch, ctx, GW_WATCH_BY, anomaly, NULL);
}

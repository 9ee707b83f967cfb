/* SPDX-License-Identifier: BSD-2-Clause */
/* Our own board is started for each question: what was asked before has no part in the answer. */
#include "campaign/reference.h"

#include <stdio.h>
#include <string.h>

#include "campaign/altered/hunt.h"
#include "campaign/search.h"
#include "device/dut.h"
#include "formats/builtin.h"
#include "run/runner.h"

/* A question, which is a case of a run of its own. */
typedef struct question {
    gw_case one; /* the first member */
    const gw_watch *watch;
    const gw_shots *shots;
    size_t first;
    size_t num;
    const gw_anomaly *anomaly;
    const gw_altered *how; /* answers are altered; NULL: packets are sent */
    const gw_board_file *areas;
    bool begun;
    gw_likeness likeness;
} question;

static bool is_as_described(gw_ctx *ctx, const gw_watch *watch)
{
    for (size_t i = 0; i < watch->num_cases; i++) {
        gw_result result;
        gw_runner_once(ctx, watch->cases[i], &result);
        if (result.verdict != GW_PASS)
            return false;
    }
    return true;
}

static void ask_by_answers(gw_ctx *ctx, question *q)
{
    gw_watch watch = {.told = q->watch->told};
    gw_anomaly like = {0};
    gw_search search = {.ctx = ctx, .watch = &watch, .like = &like};
    gw_hunt hunt = {.search = &search, .board = q->areas, .how = *q->how};
    bool shows = gw_hunt_try(&hunt, q->how);
    if (search.tries > 0 && !gw_hunt_is_excused(&hunt) && search.lost[0] == '\0')
        q->likeness = shows ? GW_LIKENESS_ALIKE : GW_LIKENESS_APART;
    gw_hunt_free(&hunt);
}

static void ask(gw_ctx *ctx)
{
    /* The case is the first member. */
    question *q = (question *)(uintptr_t)gw_case_self(ctx);
    gw_watch watch = {.told = q->watch->told};
    /* A run tries a case again that it doubts: here that has been looked after. */
    if (q->begun)
        return;
    q->begun = true;
    if (!is_as_described(ctx, q->watch))
        return;
    if (q->how != NULL) {
        ask_by_answers(ctx, q);
        return;
    }
    gw_anomaly like = {.by = q->anomaly->by};
    if (q->anomaly->by == NULL)
        like = *q->anomaly;
    gw_search search = {.ctx = ctx, .watch = &watch, .like = &like, .random = q->anomaly->random};
    if (!ctx->suite->calls_us)
        watch.patience_ns = gw_ctx_wait_less(ctx);
    bool shows = gw_search_try(&search, q->shots, q->first, q->num);
    if (search.lost[0] == '\0' && search.tries > 0)
        q->likeness = shows ? GW_LIKENESS_ALIKE : GW_LIKENESS_APART;
}

static gw_dut *start(const gw_ctx *ctx)
{
    char url[256];
    char why[256];
    const gw_target_link *link = &ctx->target->links[0];
    const gw_dialect *dialect = ctx->setup->dialect;
    const char *over = link->frames   ? (link->stream ? "raw-tcp" : "raw")
                       : link->stream ? "tcp"
                                      : "udp";
    (void)snprintf(url, sizeof(url), "peer:%s?via=mem&over=%s%s%.64s", ctx->suite->role, over,
                   dialect != NULL ? "&dialect=" : "", dialect != NULL ? dialect->name : "");
    const gw_dut_place place = {.link = "", .url = url};
    return gw_dut_open(&place, 1, gw_board_by_role(ctx->suite->role), ctx->suite->calls_us, why,
                       sizeof(why));
}

static void ask_as(const gw_ctx *ctx, const gw_board_file *board, question *q)
{
    gw_run run;
    char why[256] = "";
    const gw_case *cases[] = {&q->one};
    gw_dut *dut = start(ctx);
    if (dut == NULL)
        return;
    q->begun = false;
    const gw_run_setup setup = {.suite = ctx->suite,
                                .board = board,
                                .dialect = gw_dut_dialect(dut),
                                .target = gw_dut_target(dut),
                                .cases = cases,
                                .num_cases = 1,
                                .seed = ctx->setup->seed};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)))
        q->likeness = GW_LIKENESS_UNKNOWN;
    gw_run_free(&run);
    gw_dut_close(dut);
}

static gw_likeness compare(const gw_ctx *ctx, question *q)
{
    static const char *const no_rules[] = {NULL};
    const gw_board_file *own = gw_builtin_board(ctx->suite->role);
    q->one = (gw_case){.id = "fuzz/reference",
                       .title = "Our own board stays well whatever it is sent",
                       .rules = no_rules,
                       .endless = true,
                       .run = ask};
    ask_as(ctx, ctx->setup->board, q);
    if (q->likeness == GW_LIKENESS_UNKNOWN && own != NULL)
        ask_as(ctx, own, q);
    return q->likeness;
}

gw_likeness gw_reference_compare(const gw_ctx *ctx, const gw_watch *watch, const gw_shots *shots,
                                 size_t first, size_t num, const gw_anomaly *anomaly)
{
    question q = {.watch = watch, .shots = shots, .first = first, .num = num, .anomaly = anomaly};
    return compare(ctx, &q);
}

gw_likeness gw_reference_alters(const gw_ctx *ctx, const gw_watch *watch,
                                const gw_board_file *areas, const gw_altered *how)
{
    question q = {.watch = watch, .how = how, .areas = areas};
    return compare(ctx, &q);
}

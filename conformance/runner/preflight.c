/* SPDX-License-Identifier: BSD-2-Clause */
/* Before the first case: is the board there, and is it the one that its file describes? */
#include "runner/preflight.h"

#include <stdio.h>
#include <string.h>

#include "harness/stop.h"
#include "runner/alive.h"

#define FIRST_NS (500 * GW_MS)
#define FIRST_TRIES 3

/* What the board shows of itself, whatever becomes of the question. */
static void look_at_claims(gw_ctx *ctx, void *arg)
{
    if (ctx->suite->show != NULL)
        ctx->suite->show(ctx, arg);
}

/* Compares what is claimed with what is shown; from here on the cases go by both. */
static void compare_claims(gw_ctx *ctx, gw_run *run, char *why, size_t why_cap)
{
    gw_claims shown = {0};
    gw_ctx_guard(ctx, look_at_claims, &shown);
    for (size_t i = 0; i < gw_num_claim_fields; i++) {
        const gw_claim_field *field = &gw_claim_fields[i];
        if (!gw_claim_of_role(field, ctx->suite->role))
            continue;
        gw_claim_check check = gw_claim_compare(field, &ctx->setup->board->claims, &shown);
        /* What an impaired way brought is no proof that the board lacks something. */
        if (gw_impairs(&ctx->target->impairment) &&
            (check.verdict == GW_CLAIM_OVER || check.verdict == GW_CLAIM_CONTRADICTS)) {
            gw_claim_set(&shown, field, 0);
            check = gw_claim_compare(field, &ctx->setup->board->claims, &shown);
        }
        run->claims[run->num_claims++] = check;
        if (check.verdict == GW_CLAIM_OVER)
            run->counts.over_claims++;
        if (check.verdict == GW_CLAIM_CONTRADICTS && !run->contradicted) {
            char said[48];
            char seen[48];
            run->contradicted = true;
            (void)snprintf(why, why_cap,
                           "the board is not the one described: %s is claimed to be %s and is %s",
                           field->name, gw_claim_text(field, check.claimed, said, sizeof(said)),
                           gw_claim_text(field, check.shown, seen, sizeof(seen)));
        }
        gw_claim_set(&ctx->board.claims, field, check.used);
    }
}

static void start_board(gw_ctx *ctx)
{
    char how[160];
    if (!ctx->suite->calls_us && gw_rescue_has(&ctx->rescue, GW_HOOK_START))
        (void)gw_rescue_run(&ctx->rescue, GW_HOOK_START, how, sizeof(how));
}

/* A board that has just been started is given its time to come up. */
static unsigned num_tries(const gw_ctx *ctx, int64_t wait_ns)
{
    const gw_hook *hooks = ctx->rescue.hooks;
    unsigned tries = ctx->setup->first_ns > 0 ? 1 : FIRST_TRIES;
    if (ctx->suite->calls_us || hooks == NULL || hooks[GW_HOOK_START].num_args == 0)
        return tries;
    return tries + (unsigned)(hooks[GW_HOOK_START].settle_s * GW_SECOND / wait_ns);
}

gw_verdict gw_preflight(gw_ctx *ctx, gw_run *run, char *why, size_t why_cap)
{
    const gw_run_setup *setup = ctx->setup;
    char broken[160] = "";
    int64_t wait = setup->first_ns > 0 ? setup->first_ns : FIRST_NS;
    unsigned tries = num_tries(ctx, wait);
    gw_result spare = {0};
    ctx->result = &spare;
    start_board(ctx);
    for (unsigned i = 0; i < tries && !run->answered && !gw_stopped(); i++) {
        run->answered = gw_alive(ctx, wait);
        if (!run->answered && i + 1 < tries)
            gw_alive_pause(ctx);
    }
    if (!run->answered && ctx->fault[0] != '\0') {
        (void)snprintf(run->preflight, sizeof(run->preflight), "goldwire failed: %s", ctx->fault);
        (void)snprintf(why, why_cap, "goldwire cannot reach the board: %s", ctx->fault);
        return GW_ERROR;
    }
    if (!run->answered) {
        bool way = setup->target->broken != NULL &&
                   setup->target->broken(setup->target, broken, sizeof(broken));
        (void)snprintf(why, why_cap, "the board never answered%s%s", way ? ": " : "",
                       way ? broken : "");
        (void)snprintf(run->preflight, sizeof(run->preflight),
                       "no answer to %u attempt%s of %lld ms%s%s%s", tries, tries == 1 ? "" : "s",
                       (long long)(wait / GW_MS), ctx->silence, way ? "; " : "", way ? broken : "");
        return GW_INCONC;
    }
    (void)snprintf(run->preflight, sizeof(run->preflight), "the board answers");
    compare_claims(ctx, run, why, why_cap);
    if (ctx->suite->identify != NULL)
        ctx->suite->identify(ctx, run->identity, sizeof(run->identity));
    gw_ctx_hang_up_all(ctx, true);
    return run->contradicted ? GW_INCONC : GW_PASS;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* What a case is told, and how it is called. */
#include "run/ctx.h"

#include <string.h>

gw_outcome gw_ctx_guard(gw_ctx *ctx, gw_guarded_fn fn, void *arg)
{
    /* A case may look for a sign of life, which is a guarded call of its own. */
    jmp_buf outer;
    memcpy(outer, ctx->out, sizeof(outer));
    volatile gw_outcome outcome = GW_OUTCOME_ENDED;
    if (setjmp(ctx->out) == 0) {
        fn(ctx, arg);
        outcome = GW_OUTCOME_RETURNED;
    }
    memcpy(ctx->out, outer, sizeof(outer));
    return outcome;
}

gw_outcome gw_ctx_aside(gw_ctx *ctx, gw_guarded_fn fn, void *arg, gw_result *spare)
{
    gw_result nobodys = {0};
    gw_result *result = ctx->result;
    ctx->result = spare != NULL ? spare : &nobodys;
    gw_outcome outcome = gw_ctx_guard(ctx, fn, arg);
    ctx->result = result;
    return outcome;
}

bool gw_ctx_near(const gw_ctx *ctx)
{
    const gw_target *target = ctx->target;
    return (target->near || target->virtual_time) && !target->far &&
           !gw_impairs(&target->impairment);
}

/* ---- what a case is told ---- */

const gw_case *gw_case_self(const gw_ctx *ctx)
{
    return ctx->self;
}

const gw_suite *gw_case_suite(const gw_ctx *ctx)
{
    return ctx->suite;
}

void *gw_case_state(gw_ctx *ctx)
{
    return ctx->state;
}

const gw_board_file *gw_case_board(const gw_ctx *ctx)
{
    return &ctx->board;
}

const gw_claims *gw_case_claimed(const gw_ctx *ctx)
{
    return &ctx->setup->board->claims;
}

const gw_dialect *gw_case_dialect(const gw_ctx *ctx)
{
    return ctx->setup->dialect;
}

/* SplitMix64: one multiplication-heavy step a number, good from any seed. */
uint64_t gw_case_random(gw_ctx *ctx)
{
    uint64_t z = (ctx->random += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The path is far when it takes more than the margins leave room for. */
#define FAR_NS (50 * GW_MS)
#define REPLY_LEAST_NS (100 * GW_MS)
#define REPLY_TRIPS 8

int64_t gw_case_scaled_ns(const gw_ctx *ctx, int64_t usual_ns)
{
    int64_t settle_ns = ctx->target->settle_ns;
    if (settle_ns == 0)
        return usual_ns;
    return (int64_t)((double)usual_ns * (double)settle_ns / GW_RUN_SETTLE_NS);
}

int64_t gw_ctx_wait_less(gw_ctx *ctx)
{
    int64_t reply_ns = REPLY_TRIPS * gw_case_lag_ns(ctx) + gw_case_scaled_ns(ctx, REPLY_LEAST_NS);
    int64_t before_ns = ctx->reply_ns;
    if (reply_ns < ctx->reply_ns)
        ctx->reply_ns = reply_ns;
    return before_ns;
}

int64_t gw_case_reply_ns(const gw_ctx *ctx)
{
    int64_t lag_ns = gw_path_stats_lag_ns(&ctx->path);
    int64_t reply_ns = ctx->reply_ns + (lag_ns > gw_case_scaled_ns(ctx, FAR_NS) ? 2 * lag_ns : 0);
    return ctx->reply_cap_ns > 0 && reply_ns > ctx->reply_cap_ns ? ctx->reply_cap_ns : reply_ns;
}

int64_t gw_case_first_ns(const gw_ctx *ctx)
{
    return ctx->setup->first_ns;
}

/* What the settle time has room for by itself. */
#define NEAR_NS (2 * GW_MS)

int64_t gw_case_settle_ns(const gw_ctx *ctx)
{
    int64_t lag_ns = gw_path_stats_lag_ns(&ctx->path);
    int64_t near_ns = gw_case_scaled_ns(ctx, NEAR_NS);
    return ctx->settle_ns + (lag_ns > near_ns ? lag_ns - near_ns : 0);
}

int64_t gw_case_lag_ns(const gw_ctx *ctx)
{
    return gw_path_stats_lag_ns(&ctx->path);
}

int64_t gw_case_spread_ns(const gw_ctx *ctx)
{
    return gw_ctx_near(ctx) ? 0 : gw_path_stats_spread_ns(&ctx->path);
}

int64_t gw_case_told_trip_ns(const gw_ctx *ctx)
{
    return 2 * (ctx->target->impairment.delay_ns + ctx->target->impairment.jitter_ns);
}

bool gw_case_repeats(const gw_ctx *ctx)
{
    return !gw_ctx_near(ctx) && (ctx->path.repeated > 0 || ctx->target->impairment.duplicate > 0);
}

bool gw_case_near(const gw_ctx *ctx)
{
    return gw_ctx_near(ctx);
}

int64_t gw_case_slice_ns(const gw_ctx *ctx)
{
    return gw_case_ours(ctx) && gw_case_near(ctx) ? 2 * GW_MS : 20 * GW_MS;
}

int64_t gw_case_floor_ns(const gw_ctx *ctx)
{
    /* A board that is far cannot be told from its path, as far as good probes take that long too.
     */
    bool far = !gw_ctx_near(ctx) && ctx->path.rtt.num > 0;
    return ctx->floor_ns + (far ? gw_timing_percentile(&ctx->path.rtt, 50) : 0);
}

bool gw_case_fresh(const gw_ctx *ctx)
{
    /* A start hook makes the board call anew as well. */
    return ctx->target->fresh ||
           (ctx->suite->calls_us && gw_rescue_has(&ctx->rescue, GW_HOOK_START));
}

bool gw_case_over(gw_ctx *ctx)
{
    gw_target *target = ctx->target;
    if (target->over != NULL)
        return target->over(target);
    return ctx->suite->calls_us && gw_rescue_over(&ctx->rescue);
}

bool gw_case_ours(const gw_ctx *ctx)
{
    return ctx->target->fresh;
}

bool gw_case_hook_runs(gw_ctx *ctx)
{
    return ctx->suite->calls_us && gw_rescue_runs(&ctx->rescue);
}

bool gw_case_whole(gw_ctx *ctx)
{
    return ctx->target->fresh || (gw_case_fresh(ctx) && gw_case_over(ctx));
}

const char *gw_case_no_start(gw_ctx *ctx)
{
    return gw_rescue_start_failed(&ctx->rescue) ? ctx->rescue.start_how : NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Rounds, which take the place of batches where the board calls us. */
#include <stdio.h>
#include <string.h>

#include "campaign/loop.h"
#include "harness/stop.h"
#include "run/alive.h"

#define CALLS_TRIES 8            /* of a board of ours, or one with a start hook, to call again */
#define CALLS_NS (5 * GW_SECOND) /* for it, if nobody says how long */

/* A suite that its board did not call a few times in a row, as a path loses its packets, waits for
 * it no more: here it begins anew, as a run does. */
static bool calls_again(const gw_loop *l)
{
    gw_ctx *ctx = l->ctx;
    unsigned tries = gw_case_fresh(ctx) ? CALLS_TRIES : 1;
    int64_t first_ns = ctx->setup->first_ns > 0 ? ctx->setup->first_ns : CALLS_NS;
    gw_ctx_close_all(ctx, false);
    if (ctx->suite->end != NULL)
        ctx->suite->end(ctx);
    memset(ctx->state, 0, ctx->suite->state_size);
    for (unsigned i = 0; i < tries && !gw_stopped(); i++)
        if (gw_alive(ctx, first_ns))
            return true;
    return false;
}

/* What one answer left behind may show after another: each round has an order of its own. */
static void shuffle(const gw_case **cases, size_t num, gw_random *random)
{
    for (size_t i = num; i > 1; i--) {
        size_t other = gw_random_below(random, (uint32_t)i);
        const gw_case *one = cases[i - 1];
        cases[i - 1] = cases[other];
        cases[other] = one;
    }
}

/* A board that calls us is told nothing unasked: the cases answer it, the hostile ones each time
 * with other random numbers, then one that it has passed. It may stop calling at any time, and
 * nobody can tell why. */
void gw_loop_round(gw_loop *l)
{
    gw_campaign_report *r = &l->campaign->report;
    gw_watch *watch = l->campaign->setup.watch;
    l->heard = false;
    if (r->batches > 0)
        shuffle(watch->hostile, watch->num_hostile, &l->composer.random);
    for (size_t i = watch->num_hostile; i > 0 && gw_loop_goes_on(l); i--) {
        gw_evidence_clear(&l->ctx->evidence);
        gw_loop_look(l, GW_WATCH_HOSTILE);
    }
    if (!gw_loop_goes_on(l))
        return;
    if (!l->heard && !calls_again(l)) {
        (void)snprintf(r->lost, sizeof(r->lost), "the board does not call any more");
        return;
    }
    gw_evidence_clear(&l->ctx->evidence);
    gw_loop_look(l, GW_WATCH_ONE_CASE);
    r->batches++;
}

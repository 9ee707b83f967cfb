/* SPDX-License-Identifier: BSD-2-Clause */
/* Rounds, which take the place of batches where the board calls us. */
#include <stdio.h>

#include "campaign/altered/talk.h"
#include "campaign/loop.h"

#define ALTERED_MOST 16 /* conversations behind one case */

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

/* Cases that wait for what does not come take seconds: answers are altered for as long. In virtual
 * time the same is played each time. */
static void alter_as_long(gw_loop *l, int64_t time_ns)
{
    int64_t began_ns = gw_loop_elapsed_ns(l);
    for (unsigned i = 0; i < ALTERED_MOST && gw_loop_goes_on(l); i++) {
        gw_loop_alter(l);
        if (l->ctx->target->virtual_time || gw_loop_elapsed_ns(l) - began_ns >= time_ns)
            return;
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
    size_t hostile = watch->num_hostile;
    for (size_t i = hostile > 0 ? hostile : 1; i > 0 && gw_loop_goes_on(l); i--) {
        gw_evidence_clear(&l->ctx->evidence);
        int64_t began_ns = gw_loop_elapsed_ns(l);
        if (hostile > 0)
            gw_loop_look(l, GW_WATCH_HOSTILE);
        alter_as_long(l, gw_loop_elapsed_ns(l) - began_ns);
    }
    if (!gw_loop_goes_on(l))
        return;
    if (!l->heard && !gw_talk_calls(l->ctx)) {
        (void)snprintf(r->lost, sizeof(r->lost), "the board does not call any more");
        return;
    }
    gw_evidence_clear(&l->ctx->evidence);
    gw_loop_look(l, GW_WATCH_ONE_CASE);
    r->batches++;
}

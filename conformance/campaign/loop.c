/* SPDX-License-Identifier: BSD-2-Clause */
/* How far a campaign is. */
#include "campaign/loop.h"

#include <time.h>

#include "harness/socket.h"
#include "harness/stop.h"

bool gw_loop_goes_on(const gw_loop *l)
{
    const gw_campaign_setup *s = &l->campaign->setup;
    const gw_campaign_report *r = &l->campaign->report;
    return !gw_stopped() && r->lost[0] == '\0' && !r->ended &&
           (s->packets == 0 || r->packets < s->packets) &&
           (s->time_ns == 0 || gw_clock_ns(CLOCK_MONOTONIC) - l->began_ns < s->time_ns);
}

int64_t gw_loop_elapsed_ns(const gw_loop *l)
{
    return gw_clock_ns(CLOCK_MONOTONIC) - l->began_ns;
}

void gw_loop_note(const gw_loop *l, gw_event_kind kind, const gw_anomaly *anomaly, const char *text)
{
    gw_history_note(l->campaign->setup.history, gw_loop_elapsed_ns(l), l->campaign->report.packets,
                    kind, anomaly, text);
}

void gw_loop_tell(gw_loop *l)
{
    gw_campaign_report *r = &l->campaign->report;
    const gw_campaign_setup *s = &l->campaign->setup;
    r->mutated = l->composer.mutated;
    r->fenced = l->composer.fenced;
    r->elapsed_ns = gw_loop_elapsed_ns(l);
    r->covered = s->coverage != NULL ? gw_coverage_percent(s->coverage) : 0;
    if (s->history != NULL)
        gw_history_sample(s->history, r->elapsed_ns, r->packets);
    if (s->progress != NULL)
        s->progress(s->arg, r);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The board is looked at; what a hostile case sends is remembered like any packet. */
#include <stdio.h>

#include "campaign/loop.h"
#include "harness/stop.h"

static void cover_told(void *arg, const gw_message *m, bool anew)
{
    const gw_loop *l = arg;
    gw_coverage_note(l->campaign->setup.coverage, m, anew,
                     gw_answers_has(l->answers, (unsigned)m->frame));
}

/* What a hostile case sent is remembered, and counted, like any packet. */
static void remember(gw_loop *l, const char *name)
{
    gw_campaign_report *r = &l->campaign->report;
    bool counts = l->campaign->setup.coverage != NULL;
    const gw_stock_source source = {.target = l->ctx->target,
                                    .format = l->ctx->suite->format,
                                    .dialect = l->ctx->setup->dialect,
                                    .told = counts ? cover_told : NULL,
                                    .arg = l};
    if (counts)
        gw_answers_read(l->answers, &l->ctx->evidence, gw_case_lag_ns(l->ctx));
    gw_stock told = {0};
    size_t before = l->past.num;
    bool ok = gw_stock_take(&told, name, &l->ctx->evidence, &source) &&
              gw_shots_take(&l->past, &told.shots, 0, told.shots.num);
    gw_stock_free(&told);
    r->packets += l->past.num - before;
    if (!ok)
        (void)snprintf(r->lost, sizeof(r->lost), "out of memory");
}

/* A caller does not answer what it is answered: it goes on, or does not. */
static void cover_answer(void *arg, const gw_message *m, bool anew)
{
    const gw_loop *l = arg;
    gw_coverage *coverage = l->campaign->setup.coverage;
    gw_coverage_meet(coverage, m);
    gw_coverage_note(coverage, m, anew, m->frame < l->said);
}

/* What answers a board that calls us means nothing to it but there: nothing of it is sent again. */
void gw_loop_count_answers(gw_loop *l, const gw_evidence *said)
{
    l->said = 0;
    for (unsigned n = 1; n <= said->num_packets; n++) {
        const gw_evidence_packet *p = gw_evidence_get(said, n);
        bool bytes = p->kind == GW_EVIDENCE_BYTES;
        l->campaign->report.packets += bytes && p->dir == GW_DIR_OUT;
        if (bytes && p->dir == GW_DIR_IN)
            l->said = n;
    }
    l->heard = l->heard || l->said > 0;
    if (l->campaign->setup.coverage == NULL)
        return;
    const gw_stock_source source = {.target = l->ctx->target,
                                    .format = l->ctx->suite->format,
                                    .dialect = l->ctx->setup->dialect,
                                    .told = cover_answer,
                                    .arg = l};
    gw_stock told = {0};
    if (!gw_stock_take(&told, "answers", said, &source))
        (void)snprintf(l->campaign->report.lost, sizeof(l->campaign->report.lost), "out of memory");
    gw_stock_free(&told);
}

/* Looks at the board after what was sent, and at what it makes of a case if |how| says so. */
void gw_loop_look(gw_loop *l, gw_watch_how how)
{
    gw_watch *watch = l->campaign->setup.watch;
    gw_campaign_report *r = &l->campaign->report;
    gw_anomaly anomaly = {0};
    gw_ahead *ahead = l->campaign->setup.ahead;
    /* What breaks something on purpose may be the last that is heard of this machine as well. */
    if (ahead != NULL)
        ahead->at_once = how == GW_WATCH_HOSTILE;
    bool well = gw_watch_look(watch, l->ctx, how, &anomaly, NULL);
    if (ahead != NULL)
        ahead->at_once = false;
    if (ahead != NULL && ahead->why[0] != '\0')
        (void)snprintf(r->lost, sizeof(r->lost), "%s", ahead->why);
    if (gw_stopped() || r->lost[0] != '\0')
        return;
    if (l->ctx->suite->calls_us)
        gw_loop_count_answers(l, &l->ctx->evidence);
    else if (how == GW_WATCH_HOSTILE)
        remember(l, "hostile");
    gw_loop_tell(l);
    if (!well) {
        const gw_case *by = anomaly.by;
        unsigned catches = r->catches;
        gw_loop_follow_up(l, &anomaly);
        /* It would show each time, and nothing that builds on it could be told. */
        bool case_only = by != NULL && (gw_watch_is_hostile(by) || l->ctx->suite->calls_us);
        if (case_only && r->catches > catches)
            gw_watch_forget(watch, by);
        gw_loop_tell(l);
    } else {
        gw_ahead_settle(ahead);
    }
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of a campaign. */
#include "campaign/campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "campaign/fire.h"
#include "campaign/loop.h"
#include "harness/socket.h"
#include "harness/stop.h"

#define BATCH 32          /* shots after which the board is looked at */
#define CASE_EVERY 8      /* batches after which it is tried with a case */
#define CASES_EVERY 256   /* batches after which it is tried with all of them */
#define HOSTILE_EVERY 32  /* batches after which it is tried with a hostile one */
#define HOSTILE_PART 4    /* of the time, or the packets, goes into these before, at the most */
#define REMEMBERED 16384u /* shots that may have brought about what is seen */
#define OVERTIME_PART 2   /* of the time, for what is found at its end, ... */
#define OVERTIME_LEAST_NS (5 * GW_SECOND) /* ... but so long at the least, ... */
#define OVERTIME_MOST_NS (30 * GW_SECOND) /* ... and at the most */

/* Every packet is on the disk before it goes out. */
static bool prepare(gw_loop *l)
{
    gw_ahead *ahead = l->campaign->setup.ahead;
    gw_shots_keep_last(&l->past, REMEMBERED);
    size_t before = l->past.num;
    while (l->past.num < before + BATCH) {
        if (!gw_compose(&l->composer, &l->past)) {
            (void)snprintf(l->why, sizeof(l->why), "out of memory");
            return false;
        }
    }
    l->batch = l->past.num - before;
    if (gw_ahead_write_shots(ahead, &l->past, before, l->batch))
        return true;
    (void)snprintf(l->why, sizeof(l->why), "%s", ahead->why);
    return false;
}

static gw_watch_how how_closely(uint64_t batches)
{
    return batches % CASES_EVERY == 0                         ? GW_WATCH_CASES
           : batches % CASE_EVERY == 0                        ? GW_WATCH_ONE_CASE
           : batches % HOSTILE_EVERY == HOSTILE_EVERY / 2 + 1 ? GW_WATCH_HOSTILE
                                                              : GW_WATCH_LIFE;
}

/* Counts the last batch: what went out, and what of it was answered. */
static void cover(gw_loop *l, const unsigned sent[])
{
    gw_coverage *coverage = l->campaign->setup.coverage;
    if (coverage == NULL)
        return;
    gw_answers_read(l->answers, &l->ctx->evidence, gw_case_lag_ns(l->ctx));
    for (size_t i = 0; i < l->batch; i++) {
        const gw_shot *shot = &l->past.list[l->past.num - l->batch + i];
        if (sent[i] == 0)
            continue;
        gw_message m = gw_shots_message(shot, gw_shots_data(&l->past, shot), shot->len);
        gw_coverage_note(coverage, &m, shot->anew, gw_answers_has(l->answers, sent[i]));
    }
}

/* Nobody knows yet what becomes of hostile cases: each is played once on a board that nothing else
 * was done to. */
static void meet_hostile_ones(gw_loop *l)
{
    const gw_campaign_setup *s = &l->campaign->setup;
    const gw_watch *watch = s->watch;
    const gw_campaign_report *r = &l->campaign->report;
    while (watch->next_hostile < watch->num_hostile && gw_loop_goes_on(l) &&
           (s->time_ns == 0 || gw_loop_elapsed_ns(l) < s->time_ns / HOSTILE_PART) &&
           (s->packets == 0 || r->packets < s->packets / HOSTILE_PART)) {
        gw_evidence_clear(&l->ctx->evidence);
        gw_loop_look(l, GW_WATCH_HOSTILE);
    }
}

static void one_batch(gw_loop *l)
{
    gw_campaign_report *r = &l->campaign->report;
    unsigned sent[BATCH + GW_COMPOSE_MOST];
    if (!prepare(l)) {
        (void)snprintf(r->lost, sizeof(r->lost), "%s", l->why);
        return;
    }
    gw_evidence_clear(&l->ctx->evidence);
    l->ctx->before = l->ctx->until = 0;
    if (!gw_fire(l->ctx, &l->past, l->past.num - l->batch, l->batch, sent, l->why, sizeof(l->why)))
        (void)snprintf(r->lost, sizeof(r->lost), "%s", l->why);
    cover(l, sent);
    r->packets += l->batch;
    r->batches++;
    gw_loop_look(l, how_closely(r->batches));
}

/* What is not tried at all counts as well: the fields of what is known to be good. */
static bool begin_to_count(gw_loop *l)
{
    const gw_campaign_setup *s = &l->campaign->setup;
    const gw_shots *shots = &s->stock->shots;
    if (s->coverage == NULL)
        return true;
    l->answers = gw_answers_new(s->coverage->format, s->coverage->dialect);
    l->composer.told = calloc(s->stock->num + 1, sizeof(*l->composer.told));
    for (size_t i = 0; i < shots->num; i++) {
        gw_message m = gw_shots_message(&shots->list[i], gw_shots_data(shots, &shots->list[i]),
                                        shots->list[i].len);
        gw_coverage_meet(s->coverage, &m);
    }
    return l->answers != NULL && l->composer.told != NULL;
}

static int64_t overtime_ns(int64_t time_ns)
{
    int64_t part_ns = time_ns / OVERTIME_PART;
    return part_ns < OVERTIME_LEAST_NS  ? OVERTIME_LEAST_NS
           : part_ns > OVERTIME_MOST_NS ? OVERTIME_MOST_NS
                                        : part_ns;
}

/* A board that calls us is answered by hostile cases, and as in good conversations. */
static bool has_nothing_to_say(const gw_loop *l)
{
    return l->ctx->suite->calls_us && l->campaign->setup.watch->num_hostile == 0 &&
           l->tales.listed && l->tales.num == 0;
}

static void run(gw_ctx *ctx)
{
    /* The case is the first member. */
    gw_campaign *campaign = (gw_campaign *)(uintptr_t)gw_case_self(ctx);
    const gw_campaign_setup *s = &campaign->setup;
    /* A run tries a case again when the board was lost by it: here that has been looked after. */
    if (campaign->begun)
        return;
    campaign->begun = true;
    gw_loop l = {.ctx = ctx,
                 .campaign = campaign,
                 .composer = {.stock = s->stock,
                              .target = ctx->target,
                              .format = ctx->suite->format,
                              .dialect = ctx->setup->dialect,
                              .board = s->any_address ? NULL : gw_case_board(ctx),
                              .coverage = s->coverage,
                              .random = {s->seed}},
                 .began_ns = gw_clock_ns(CLOCK_MONOTONIC)};
    if (!begin_to_count(&l))
        (void)snprintf(campaign->report.lost, sizeof(campaign->report.lost), "out of memory");
    if (s->time_ns > 0)
        s->watch->until_ns = l.began_ns + s->time_ns + overtime_ns(s->time_ns);
    /* Boards are lost often here, and what they take to answer is known. */
    if (!ctx->suite->calls_us) {
        s->watch->patience_ns = gw_ctx_wait_less(ctx);
        meet_hostile_ones(&l);
    }
    while (gw_loop_goes_on(&l) && !has_nothing_to_say(&l))
        (ctx->suite->calls_us ? gw_loop_round : one_batch)(&l);
    if (campaign->report.lost[0] == '\0' && !campaign->report.ended &&
        campaign->report.batches > 0 && !ctx->suite->calls_us) {
        gw_anomaly anomaly = {0};
        if (!gw_watch_look(s->watch, ctx, GW_WATCH_CASES, &anomaly, NULL) && !gw_stopped() &&
            l.past.num > 0)
            gw_loop_follow_up(&l, &anomaly);
    }
    gw_loop_tell(&l);
    gw_shots_free(&l.past);
    gw_answers_free(l.answers);
    free(l.composer.told);
}

void gw_campaign_init(gw_campaign *campaign, const gw_campaign_setup *setup)
{
    static const char *const no_rules[] = {NULL};
    memset(campaign, 0, sizeof(*campaign));
    campaign->setup = *setup;
    campaign->one = (gw_case){.id = "fuzz/campaign",
                              .title = "The board stays well whatever it is sent",
                              .rules = no_rules,
                              .endless = true,
                              .run = run};
}

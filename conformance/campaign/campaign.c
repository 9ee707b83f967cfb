/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of a campaign. What was sent lately is remembered, as a board may be brought down by
 * what came long before its last packet. */
#include "campaign/campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "campaign/answers.h"
#include "campaign/reference.h"
#include "campaign/search.h"
#include "campaign/shrink.h"
#include "goldwire/ib.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "replay/format.h"
#include "run/alive.h"

#define BATCH 32          /* shots after which the board is looked at */
#define CASE_EVERY 8      /* batches after which it is tried with a case */
#define CASES_EVERY 256   /* batches after which it is tried with all of them */
#define HOSTILE_EVERY 32  /* batches after which it is tried with a hostile one */
#define HOSTILE_PART 4    /* of the time, or the packets, goes into these before, at the most */
#define REMEMBERED 16384u /* shots that may have brought about what is seen */
#define OVERTIME_NS (30 * GW_SECOND) /* for what is found at the end */
#define CALLS_TRIES 8            /* of a board of ours, or one with a start hook, to call again */
#define CALLS_NS (5 * GW_SECOND) /* for it, if nobody says how long */
#define SHRINK_TRIES 128         /* of a finding: what it is called should not depend on chance */

typedef struct loop {
    gw_shots ahead; /* what a hostile case sends, on its way into the ring */
    gw_ctx *ctx;
    gw_campaign *campaign;
    gw_composer composer;
    gw_answers *answers; /* NULL: nobody counts */
    gw_shots past;       /* all that was sent and is remembered */
    size_t batch;        /* shots of the last one */
    bool heard;          /* a board that calls us did, since somebody last asked */
    int64_t began_ns;
    char why[200];
} loop;

static bool goes_on(const loop *l)
{
    const gw_campaign_setup *s = &l->campaign->setup;
    const gw_campaign_report *r = &l->campaign->report;
    return !gw_stopped() && r->lost[0] == '\0' && !r->ended &&
           (s->packets == 0 || r->packets < s->packets) &&
           (s->time_ns == 0 || gw_clock_ns(CLOCK_MONOTONIC) - l->began_ns < s->time_ns);
}

/* Every packet is on the disk before it goes out. */
static bool prepare(loop *l)
{
    gw_journal *journal = l->campaign->setup.journal;
    gw_shots_keep_last(&l->past, REMEMBERED);
    size_t before = l->past.num;
    while (l->past.num < before + BATCH) {
        if (!gw_compose(&l->composer, &l->past)) {
            (void)snprintf(l->why, sizeof(l->why), "out of memory");
            return false;
        }
    }
    l->batch = l->past.num - before;
    return journal == NULL ||
           gw_journal_write(journal, &l->past, before, l->batch, l->why, sizeof(l->why));
}

static gw_watch_how how_closely(uint64_t batches)
{
    return batches % CASES_EVERY == 0                         ? GW_WATCH_CASES
           : batches % CASE_EVERY == 0                        ? GW_WATCH_ONE_CASE
           : batches % HOSTILE_EVERY == HOSTILE_EVERY / 2 + 1 ? GW_WATCH_HOSTILE
                                                              : GW_WATCH_LIFE;
}

static int64_t elapsed_ns(const loop *l)
{
    return gw_clock_ns(CLOCK_MONOTONIC) - l->began_ns;
}

static void note(const loop *l, gw_event_kind kind, const gw_anomaly *anomaly, const char *text)
{
    gw_history_note(l->campaign->setup.history, elapsed_ns(l), l->campaign->report.packets, kind,
                    anomaly, text);
}

static void tell_progress(loop *l)
{
    gw_campaign_report *r = &l->campaign->report;
    const gw_campaign_setup *s = &l->campaign->setup;
    r->mutated = l->composer.mutated;
    r->fenced = l->composer.fenced;
    r->elapsed_ns = elapsed_ns(l);
    r->covered = s->coverage != NULL ? gw_coverage_percent(s->coverage) : 0;
    if (s->history != NULL)
        gw_history_sample(s->history, r->elapsed_ns, r->packets);
    if (s->progress != NULL)
        s->progress(s->arg, r);
}

/* Counts the last batch: what went out, and what of it was answered. */
static void cover(loop *l, const unsigned sent[])
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

/* A cable that is out says nothing about the board, and nothing is sent meanwhile. */
static void wait_for_path(loop *l)
{
    char why[200];
    gw_target *target = l->ctx->target;
    l->campaign->report.outages++;
    while (goes_on(l) && target->broken != NULL && target->broken(target, why, sizeof(why)))
        gw_alive_pause(l->ctx);
}

/* What does not show again is told, and is no finding. */
static void dismiss(const loop *l, const gw_anomaly *anomaly)
{
    gw_campaign_report *r = &l->campaign->report;
    note(l, GW_EVENT_DISMISSED, anomaly, anomaly->text);
    r->unconfirmed++;
    (void)snprintf(r->last, sizeof(r->last), "%s", anomaly->text);
}

/* How often the packets of |found| show it. */
static void count(gw_search *search, gw_catch *found)
{
    found->shown = gw_search_count(search, &found->shots, GW_CATCH_TRIES, &found->tries);
}

/* With fewer packets it may show less often: then it keeps those that it had. */
static bool shrink(const loop *l, gw_search *search, gw_catch *found)
{
    gw_catch small = {0};
    unsigned patience = (found->tries + found->shown - 1) / found->shown;
    bool ok = gw_shots_take(&small.shots, &found->shots, 0, found->shots.num);
    search->most = search->tries + SHRINK_TRIES * patience;
    ok = ok && gw_shrink(search, l->campaign->setup.context, &small.shots, patience);
    search->most = 0;
    if (ok)
        count(search, &small);
    if (small.shown > 0) {
        gw_shots_free(&found->shots);
        found->shots = small.shots;
        found->tries = small.tries;
        found->shown = small.shown;
    } else {
        gw_shots_free(&small.shots);
    }
    return ok;
}

/* Which of the cases met the board then is chance: it is called by the first that shows it. */
static void find_first_case(const loop *l, gw_search *search, gw_catch *found)
{
    const gw_watch *w = l->campaign->setup.watch;
    gw_anomaly *like = search->like;
    bool shows = false;
    for (size_t i = 0; i < w->num_cases && w->cases[i] != like->by && !shows; i++) {
        gw_anomaly first = {.by = w->cases[i]};
        search->like = &first;
        shows = gw_search_try(search, &found->shots, 0, found->shots.num) &&
                first.symptom == GW_SYMPTOM_WRONG &&
                gw_search_try(search, &found->shots, 0, found->shots.num);
        search->like = like;
        if (shows)
            *like = first;
    }
}

/* What a case finds, or kills, may be its own doing: it does so without any packet before it as
 * well. What it finds may be the board's good right, when it follows what was said to it, and all
 * of that was allowed. */
static bool is_excused(const loop *l, gw_search *search, const gw_catch *found)
{
    const gw_found_context *context = l->campaign->setup.context;
    if (found->anomaly.by == NULL || found->shots.num == 0)
        return false;
    if (!gw_watch_is_hostile(found->anomaly.by) && gw_search_try(search, &found->shots, 0, 0))
        return true;
    if (found->anomaly.symptom != GW_SYMPTOM_WRONG)
        return false;
    if (gw_replay_format_of(context->suite->format)->one_side_asks)
        return false;
    for (size_t i = 0; i < found->shots.num; i++)
        if (gw_found_breaks(context, &found->shots, &found->shots.list[i]) != NULL)
            return false;
    return true;
}

static void note_found(const loop *l, const gw_catch *found)
{
    char name[GW_FOUND_NAME];
    gw_found_name(name, l->campaign->setup.context, found);
    note(l, GW_EVENT_FOUND, &found->anomaly, name);
}

/* What our own board does as well is none of the board's faults; nor is what a case says that goes
 * beyond what is known to pass, where nobody can tell what ours does. */
static bool is_common(const loop *l, const gw_anomaly *anomaly, const gw_shots *shots, size_t num)
{
    const gw_watch *watch = l->campaign->setup.watch;
    gw_likeness likeness =
        gw_reference_compare(l->ctx, watch, shots, shots->num - num, num, anomaly);
    bool hostile = anomaly->by != NULL && gw_watch_is_hostile(anomaly->by);
    bool case_only = hostile || l->ctx->suite->calls_us;
    return likeness == GW_LIKENESS_ALIKE || (likeness == GW_LIKENESS_UNKNOWN && case_only);
}

/* The case is not asked any more. */
static void excuse(const loop *l, const gw_anomaly *anomaly)
{
    gw_campaign_report *r = &l->campaign->report;
    note(l, GW_EVENT_EXCUSED, anomaly, anomaly->text);
    r->excused++;
    if (anomaly->by != NULL)
        gw_watch_forget(l->campaign->setup.watch, anomaly->by);
}

static void keep(loop *l, gw_search *search, size_t num)
{
    gw_campaign_report *r = &l->campaign->report;
    gw_catch found = {.packets = r->packets};
    search->said = &found.said;
    search->seen = &found.seen;
    bool ok = gw_shots_take(&found.shots, &l->past, l->past.num - num, num);
    if (ok)
        count(search, &found);
    if (ok && found.shown > 0 && num > 0)
        ok = shrink(l, search, &found);
    if (ok && found.shown > 0 && num > 0 && search->like->symptom == GW_SYMPTOM_WRONG)
        find_first_case(l, search, &found);
    found.anomaly = *search->like; /* with the text of the last try that showed it */
    if (!ok) {
        (void)snprintf(r->lost, sizeof(r->lost), "out of memory");
    } else if (found.shown == 0) {
        dismiss(l, &found.anomaly);
    } else if (is_excused(l, search, &found) ||
               is_common(l, &found.anomaly, &found.shots, found.shots.num)) {
        excuse(l, &found.anomaly);
    } else {
        r->catches++;
        note_found(l, &found);
        /* Such a finding is called by its rule: it would be found with every other packet or case,
         * and what else is wrong would not be seen behind it. */
        if (found.anomaly.symptom == GW_SYMPTOM_BROKEN || found.shots.num == 0)
            gw_watch_tell(l->campaign->setup.watch, found.anomaly.rule);
        r->ended = !l->campaign->setup.catches(l->campaign->setup.arg, &found);
    }
    search->said = search->seen = NULL;
    gw_catch_free(&found);
}

/* What a hostile case brings about is perhaps the doing of its packets, whoever sends them: then
 * the anomaly is theirs, and names no case. Returns how many of the last shots it takes, or 0. */
static size_t find_packets(const loop *l, gw_search *search, gw_anomaly *anomaly)
{
    if (anomaly->by == NULL || !gw_watch_is_hostile(anomaly->by) ||
        anomaly->symptom == GW_SYMPTOM_WRONG)
        return 0;
    gw_anomaly bare = *anomaly;
    bare.by = NULL;
    if (bare.symptom != GW_SYMPTOM_BROKEN)
        bare.rule = NULL;
    search->like = &bare;
    size_t num = gw_search_last(search, &l->past);
    search->like = anomaly;
    if (num > 0)
        *anomaly = bare;
    return num;
}

/* The board is not well. What is seen once is an anomaly, what comes again is a finding. */
static void follow_up(loop *l, gw_anomaly *anomaly)
{
    gw_campaign_report *r = &l->campaign->report;
    const gw_campaign_setup *s = &l->campaign->setup;
    gw_search search = {
        .ctx = l->ctx, .watch = s->watch, .like = anomaly, .until_ns = s->watch->until_ns};
    note(l, anomaly->symptom == GW_SYMPTOM_CABLE ? GW_EVENT_OUTAGE : GW_EVENT_ILL, anomaly,
         anomaly->text);
    if (anomaly->symptom == GW_SYMPTOM_CABLE) {
        wait_for_path(l);
        note(l, GW_EVENT_WELL, NULL, "");
        return;
    }
    size_t num = find_packets(l, &search, anomaly);
    bool alone = num == 0 && gw_search_alone(&search);
    if (num == 0 && !alone)
        num = gw_search_last(&search, &l->past);
    if ((alone || num > 0) && is_common(l, anomaly, &l->past, num)) {
        excuse(l, anomaly);
    } else if (alone || num > 0) {
        keep(l, &search, num);
    } else if (!gw_stopped() && search.lost[0] == '\0') {
        dismiss(l, anomaly);
    }
    if (search.lost[0] == '\0')
        (void)gw_search_ready(&search);
    r->recoveries += search.recoveries;
    if (search.recoveries > 0)
        note(l, GW_EVENT_RECOVERED, NULL, "");
    note(l, search.lost[0] != '\0' ? GW_EVENT_LOST : GW_EVENT_WELL, NULL, search.lost);
    if (search.lost[0] != '\0')
        (void)snprintf(r->lost, sizeof(r->lost), "%s; %s", anomaly->text, search.lost);
    else if (s->journal != NULL)
        gw_journal_settle(s->journal);
    /* What was before is over: it is not to blame for what comes. */
    gw_shots_clear(&l->past);
}

/* Puts what a hostile case is about to send into the ring, as it goes out: a stream is not cut. */
static bool write_ahead(void *arg, const gw_connection *conn, const void *data, size_t len,
                        char *why, size_t why_cap)
{
    loop *l = arg;
    const gw_ctx *ctx = l->ctx;
    size_t behind = ctx->suite->format->infiniband ? GW_IB_ICRC : 0;
    size_t usual = (size_t)(conn - ctx->conns);
    const gw_shot like = {
        .link = conn->link,
        .line =
            (uint8_t)(usual < ctx->target->num_links ? 0 : 1 + conn->number % (GW_SHOT_LINES - 1)),
        .anew = l->ahead.num == 0};
    if (strcmp(ctx->target->links[conn->link].name, GW_REGS_LINK) == 0 || len <= behind)
        return true;
    /* Nobody sends one that is longer to a board: what has no room is told where it is remembered.
     */
    size_t some = len - behind < GW_SHOT_MAX ? len - behind : GW_SHOT_MAX;
    gw_shots_keep_last(&l->ahead, 1);
    if (!gw_shots_add(&l->ahead, &like, data, (uint32_t)some, NULL, 0)) {
        (void)snprintf(why, why_cap, "out of memory");
        return false;
    }
    if (gw_journal_write(l->campaign->setup.journal, &l->ahead, l->ahead.num - 1, 1, why, why_cap))
        return true;
    (void)snprintf(l->why, sizeof(l->why), "%s", why);
    return false;
}

static void cover_told(void *arg, const gw_message *m, bool anew)
{
    const loop *l = arg;
    gw_coverage_note(l->campaign->setup.coverage, m, anew,
                     gw_answers_has(l->answers, (unsigned)m->frame));
}

/* What a hostile case sent is remembered, and counted, like any packet. */
static void remember(loop *l, const char *name)
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
    if (!ok || l->why[0] != '\0')
        (void)snprintf(r->lost, sizeof(r->lost), "%s", ok ? l->why : "out of memory");
}

/* What answers a board that calls us means nothing to it but there: nothing of it is sent again. */
static void count_answers(loop *l)
{
    const gw_evidence *said = &l->ctx->evidence;
    for (unsigned n = 1; n <= said->num_packets; n++) {
        const gw_evidence_packet *p = gw_evidence_get(said, n);
        bool bytes = p->kind == GW_EVIDENCE_BYTES;
        l->campaign->report.packets += bytes && p->dir == GW_DIR_OUT;
        l->heard = l->heard || (bytes && p->dir == GW_DIR_IN);
    }
}

/* Looks at the board after what was sent, and at what it makes of a case if |how| says so. */
static void look(loop *l, gw_watch_how how)
{
    gw_watch *watch = l->campaign->setup.watch;
    const gw_campaign_report *r = &l->campaign->report;
    gw_anomaly anomaly = {0};
    if (how == GW_WATCH_HOSTILE && l->campaign->setup.journal != NULL) {
        gw_shots_clear(&l->ahead);
        l->ctx->ahead = write_ahead;
        l->ctx->ahead_arg = l;
    }
    bool well = gw_watch_look(watch, l->ctx, how, &anomaly, NULL);
    l->ctx->ahead = NULL;
    if (gw_stopped())
        return;
    if (how == GW_WATCH_HOSTILE && l->ctx->suite->calls_us)
        count_answers(l);
    else if (how == GW_WATCH_HOSTILE)
        remember(l, "hostile");
    tell_progress(l);
    if (!well) {
        const gw_case *by = anomaly.by;
        unsigned catches = r->catches;
        follow_up(l, &anomaly);
        /* It would show each time, and nothing that builds on it could be told. */
        bool case_only = by != NULL && (gw_watch_is_hostile(by) || l->ctx->suite->calls_us);
        if (case_only && r->catches > catches)
            gw_watch_forget(watch, by);
        tell_progress(l);
    } else if (l->campaign->setup.journal != NULL) {
        gw_journal_settle(l->campaign->setup.journal);
    }
}

/* Nobody knows yet what becomes of hostile cases: each is played once on a board that nothing else
 * was done to. */
static void meet_hostile_ones(loop *l)
{
    const gw_campaign_setup *s = &l->campaign->setup;
    const gw_watch *watch = s->watch;
    const gw_campaign_report *r = &l->campaign->report;
    while (watch->next_hostile < watch->num_hostile && goes_on(l) &&
           (s->time_ns == 0 || elapsed_ns(l) < s->time_ns / HOSTILE_PART) &&
           (s->packets == 0 || r->packets < s->packets / HOSTILE_PART)) {
        gw_evidence_clear(&l->ctx->evidence);
        look(l, GW_WATCH_HOSTILE);
    }
}

/* A suite that its board did not call a few times in a row, as a path loses its packets, waits for
 * it no more: here it begins anew, as a run does. */
static bool calls_again(const loop *l)
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

/* A board that calls us is told nothing unasked: the cases answer it, the hostile ones each time
 * with other random numbers, then one that it has passed. It may stop calling at any time, and
 * nobody can tell why. */
static void one_round(loop *l)
{
    gw_campaign_report *r = &l->campaign->report;
    const gw_watch *watch = l->campaign->setup.watch;
    l->heard = false;
    for (size_t i = watch->num_hostile; i > 0 && goes_on(l); i--) {
        gw_evidence_clear(&l->ctx->evidence);
        look(l, GW_WATCH_HOSTILE);
    }
    if (!goes_on(l))
        return;
    if (!l->heard && !calls_again(l)) {
        (void)snprintf(r->lost, sizeof(r->lost), "the board does not call any more");
        return;
    }
    gw_evidence_clear(&l->ctx->evidence);
    look(l, GW_WATCH_ONE_CASE);
    r->batches++;
}

static void one_batch(loop *l)
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
    look(l, how_closely(r->batches));
}

/* What is not tried at all counts as well: the fields of what is known to be good. */
static bool begin_to_count(loop *l)
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

static void run(gw_ctx *ctx)
{
    /* The case is the first member. */
    gw_campaign *campaign = (gw_campaign *)(uintptr_t)gw_case_self(ctx);
    const gw_campaign_setup *s = &campaign->setup;
    /* A run tries a case again when the board was lost by it: here that has been looked after. */
    if (campaign->begun)
        return;
    campaign->begun = true;
    loop l = {.ctx = ctx,
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
        s->watch->until_ns = l.began_ns + s->time_ns + OVERTIME_NS;
    /* Boards are lost often here, and what they take to answer is known. */
    if (!ctx->suite->calls_us) {
        s->watch->patience_ns = gw_ctx_wait_less(ctx);
        meet_hostile_ones(&l);
    }
    while (goes_on(&l) && !(ctx->suite->calls_us && s->watch->num_hostile == 0))
        (ctx->suite->calls_us ? one_round : one_batch)(&l);
    if (campaign->report.lost[0] == '\0' && !campaign->report.ended &&
        campaign->report.batches > 0 && !ctx->suite->calls_us) {
        gw_anomaly anomaly = {0};
        if (!gw_watch_look(s->watch, ctx, GW_WATCH_CASES, &anomaly, NULL) && !gw_stopped() &&
            l.past.num > 0)
            follow_up(&l, &anomaly);
    }
    tell_progress(&l);
    gw_shots_free(&l.past);
    gw_shots_free(&l.ahead);
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

/* SPDX-License-Identifier: BSD-2-Clause */
/* What looks wrong is brought about again, made small, and held against what goldwire's own board
 * does. */
#include <stdio.h>

#include "campaign/loop.h"
#include "campaign/reference.h"
#include "campaign/search.h"
#include "campaign/shrink.h"
#include "harness/stop.h"
#include "replay/format.h"
#include "run/alive.h"

#define SHRINK_TRIES 128 /* of a finding: what it is called should not depend on chance */

/* A cable that is out says nothing about the board, and nothing is sent meanwhile. */
static void wait_for_path(gw_loop *l)
{
    char why[200];
    gw_target *target = l->ctx->target;
    l->campaign->report.outages++;
    while (gw_loop_goes_on(l) && target->broken != NULL && target->broken(target, why, sizeof(why)))
        gw_alive_pause(l->ctx);
}

/* What does not show again is told, and is no finding. */
static void dismiss(const gw_loop *l, const gw_anomaly *anomaly)
{
    gw_campaign_report *r = &l->campaign->report;
    gw_loop_note(l, GW_EVENT_DISMISSED, anomaly, anomaly->text);
    r->unconfirmed++;
    (void)snprintf(r->last, sizeof(r->last), "%s", anomaly->text);
}

/* How often the packets of |found| show it. */
static void count(gw_search *search, gw_catch *found)
{
    found->shown = gw_search_count(search, &found->shots, GW_CATCH_TRIES, &found->tries);
}

/* With fewer packets it may show less often: then it keeps those that it had. */
static bool shrink(const gw_loop *l, gw_search *search, gw_catch *found)
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
static void find_first_case(const gw_loop *l, gw_search *search, gw_catch *found)
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
static bool is_excused(const gw_loop *l, gw_search *search, const gw_catch *found)
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

static void note_found(const gw_loop *l, const gw_catch *found)
{
    char name[GW_FOUND_NAME];
    gw_found_name(name, l->campaign->setup.context, found);
    gw_loop_note(l, GW_EVENT_FOUND, &found->anomaly, name);
}

/* What our own board does as well is none of the board's faults; nor is what a case says that goes
 * beyond what is known to pass, where nobody can tell what ours does. */
static bool is_common(const gw_loop *l, const gw_anomaly *anomaly, const gw_shots *shots,
                      size_t num)
{
    const gw_watch *watch = l->campaign->setup.watch;
    gw_likeness likeness =
        gw_reference_compare(l->ctx, watch, shots, shots->num - num, num, anomaly);
    bool hostile = anomaly->by != NULL && gw_watch_is_hostile(anomaly->by);
    bool case_only = hostile || l->ctx->suite->calls_us;
    return likeness == GW_LIKENESS_ALIKE || (likeness == GW_LIKENESS_UNKNOWN && case_only);
}

/* The case is not asked any more. */
static void excuse(const gw_loop *l, const gw_anomaly *anomaly)
{
    gw_campaign_report *r = &l->campaign->report;
    gw_loop_note(l, GW_EVENT_EXCUSED, anomaly, anomaly->text);
    r->excused++;
    if (anomaly->by != NULL)
        gw_watch_forget(l->campaign->setup.watch, anomaly->by);
}

static void keep(gw_loop *l, gw_search *search, size_t num)
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
static size_t find_packets(const gw_loop *l, gw_search *search, gw_anomaly *anomaly)
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
void gw_loop_follow_up(gw_loop *l, gw_anomaly *anomaly)
{
    gw_campaign_report *r = &l->campaign->report;
    const gw_campaign_setup *s = &l->campaign->setup;
    gw_search search = {.ctx = l->ctx,
                        .watch = s->watch,
                        .ahead = s->ahead,
                        .like = anomaly,
                        .until_ns = s->watch->until_ns};
    gw_loop_note(l, anomaly->symptom == GW_SYMPTOM_CABLE ? GW_EVENT_OUTAGE : GW_EVENT_ILL, anomaly,
                 anomaly->text);
    if (anomaly->symptom == GW_SYMPTOM_CABLE) {
        wait_for_path(l);
        gw_loop_note(l, GW_EVENT_WELL, NULL, "");
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
        gw_loop_note(l, GW_EVENT_RECOVERED, NULL, "");
    gw_loop_note(l, search.lost[0] != '\0' ? GW_EVENT_LOST : GW_EVENT_WELL, NULL, search.lost);
    if (search.lost[0] != '\0')
        (void)snprintf(r->lost, sizeof(r->lost), "%s; %s", anomaly->text, search.lost);
    else
        gw_ahead_settle(s->ahead);
    /* What was before is over: it is not to blame for what comes. */
    gw_shots_clear(&l->past);
}

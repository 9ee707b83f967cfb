/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations of a campaign with answers altered, and what comes of what looks wrong behind them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "campaign/altered/hunt.h"
#include "campaign/loop.h"
#include "campaign/name.h"
#include "campaign/reference.h"
#include "harness/stop.h"

#define SHRINK_TRIES 128 /* of a finding: what it is called should not depend on chance */
#define AGAIN_TRIES 2    /* until it does not show again */

/* ---- which conversations there are ---- */

static void list_tales(gw_tales *tales, const gw_watch *watch)
{
    tales->list[tales->num++] = (gw_tale){.which = NULL};
    for (size_t i = 0; i < watch->num_cases && tales->num < GW_TALES; i++)
        tales->list[tales->num++] = (gw_tale){.which = watch->cases[i]};
    tales->listed = true;
}

static void drop(gw_tales *tales, gw_tale *tale)
{
    *tale = tales->list[--tales->num];
}

static const gw_board_file *areas(const gw_loop *l)
{
    return l->campaign->setup.any_address ? NULL : gw_case_board(l->ctx);
}

/* How many answers there are, and how the board takes the true ones. */
static void listen_to(gw_loop *l, gw_tale *tale)
{
    gw_shots none = {0};
    gw_alterer *a = calloc(1, sizeof(*a));
    const gw_altered plain = {.story = tale->which, .random = l->ctx->random};
    if (a == NULL)
        return;
    *a = (gw_alterer){.how = &plain, .done = &none};
    tale->ends = gw_talk_play(l->ctx, a) == GW_TALK_ENDS;
    tale->answers = a->num < GW_ALTERED_MOST ? a->num : GW_ALTERED_MOST;
    gw_loop_count_answers(l, &l->ctx->evidence);
    free(a);
}

/* One that has answers; NULL: there is none. A case that goes by what was said before has none. */
static gw_tale *choose_tale(gw_loop *l)
{
    gw_tales *tales = &l->tales;
    if (!tales->listed)
        list_tales(tales, l->campaign->setup.watch);
    while (tales->num > 0 && gw_loop_goes_on(l)) {
        gw_tale *tale = &tales->list[gw_random_below(&l->composer.random, (uint32_t)tales->num)];
        if (tale->answers == 0)
            listen_to(l, tale);
        if (tale->answers > 0)
            return tale;
        drop(tales, tale);
    }
    return NULL;
}

/* One answer surely, and half of the time others with it. */
static uint64_t choose_mask(gw_random *random, unsigned answers)
{
    uint64_t all = UINT64_MAX >> (GW_ALTERED_MOST - answers);
    uint64_t sure = UINT64_C(1) << gw_random_below(random, answers);
    uint64_t others = all;
    for (unsigned i = 0; i < 3; i++) /* one in eight */
        others &= gw_random_next(random);
    return gw_random_one_in(random, 2) ? sure : sure | others;
}

/* ---- what looks wrong ---- */

static bool shows_again(gw_hunt *hunt)
{
    const gw_altered how = hunt->how;
    for (unsigned i = 0; i < AGAIN_TRIES; i++)
        if (gw_hunt_try(hunt, &how))
            return true;
    return false;
}

/* What our own board does as well is none of the board's faults, nor what nobody can compare. */
static bool is_common(const gw_loop *l, const gw_hunt *hunt)
{
    return gw_reference_alters(l->ctx, l->campaign->setup.watch, hunt->board, &hunt->how) !=
           GW_LIKENESS_APART;
}

static void dismiss(const gw_loop *l, const gw_anomaly *anomaly)
{
    gw_campaign_report *r = &l->campaign->report;
    gw_loop_note(l, GW_EVENT_DISMISSED, anomaly, anomaly->text);
    r->unconfirmed++;
    (void)snprintf(r->last, sizeof(r->last), "%s", anomaly->text);
}

static void excuse(const gw_loop *l, const gw_anomaly *anomaly)
{
    gw_loop_note(l, GW_EVENT_EXCUSED, anomaly, anomaly->text);
    l->campaign->report.left_open++;
    /* What it says anyway would be looked into each time. */
    if (anomaly->symptom == GW_SYMPTOM_BROKEN)
        gw_watch_tell(l->campaign->setup.watch, anomaly->rule);
}

/* Fewer answers are another anomaly's where true ones, or our own board, show it as well; and they
 * may show it less often. False: those that there were are kept. */
static bool shrink(const gw_loop *l, gw_hunt *hunt, gw_catch *found)
{
    gw_search *s = hunt->search;
    unsigned tries;
    unsigned patience = (found->tries + found->shown - 1) / found->shown;
    s->most = s->tries + SHRINK_TRIES * patience;
    gw_hunt_shrink(hunt, patience);
    s->most = 0;
    unsigned shown = gw_hunt_count(hunt, GW_CATCH_TRIES, &tries);
    if (shown == 0 || gw_search_over(s) || gw_hunt_is_excused(hunt) || is_common(l, hunt))
        return false;
    found->shown = shown;
    found->tries = tries;
    return true;
}

/* Has it as small as it gets; it has been looked at from all sides before. */
static bool make_small(const gw_loop *l, gw_hunt *hunt, gw_catch *found)
{
    const gw_altered how = hunt->how;
    gw_shots done = {0};
    if (!gw_shots_take(&done, &hunt->done, 0, hunt->done.num)) {
        gw_shots_free(&done);
        return false;
    }
    if (shrink(l, hunt, found)) {
        gw_shots_free(&done);
        return true;
    }
    gw_shots_free(&hunt->done);
    hunt->done = done;
    hunt->how = how;
    return true;
}

static void tell_found(gw_loop *l, gw_hunt *hunt, gw_catch *found)
{
    gw_campaign_report *r = &l->campaign->report;
    char name[GW_FOUND_NAME];
    found->anomaly = *hunt->search->like;
    found->how = hunt->how;
    found->shots = hunt->done;
    hunt->done = (gw_shots){0};
    r->catches++;
    gw_found_name(name, l->campaign->setup.context, found);
    gw_loop_note(l, GW_EVENT_FOUND, &found->anomaly, name);
    /* It would show again and again, and nothing else behind it. */
    if (found->anomaly.symptom == GW_SYMPTOM_BROKEN)
        gw_watch_tell(l->campaign->setup.watch, found->anomaly.rule);
    r->ended = !l->campaign->setup.catches(l->campaign->setup.arg, found);
}

static void keep(gw_loop *l, gw_hunt *hunt)
{
    gw_campaign_report *r = &l->campaign->report;
    gw_search *s = hunt->search;
    gw_catch found = {.packets = r->packets, .answers = true};
    s->said = &found.said;
    found.shown = gw_hunt_count(hunt, GW_CATCH_TRIES, &found.tries);
    if (found.shown == 0)
        dismiss(l, s->like);
    else if (make_small(l, hunt, &found))
        tell_found(l, hunt, &found);
    else
        (void)snprintf(r->lost, sizeof(r->lost), "out of memory");
    s->said = NULL;
    gw_catch_free(&found);
}

static void follow_up(gw_loop *l, gw_anomaly *anomaly, const gw_altered *how)
{
    gw_campaign_report *r = &l->campaign->report;
    const gw_campaign_setup *setup = &l->campaign->setup;
    gw_search search = {.ctx = l->ctx,
                        .watch = setup->watch,
                        .ahead = setup->ahead,
                        .like = anomaly,
                        .until_ns = setup->watch->until_ns};
    gw_hunt hunt = {.search = &search, .board = areas(l), .how = *how};
    gw_loop_note(l, GW_EVENT_ILL, anomaly, anomaly->text);
    bool shows = shows_again(&hunt);
    /* Without time to look at it from all sides it is no finding. */
    if (shows && gw_search_over(&search))
        shows = false;
    if (shows && (gw_hunt_is_excused(&hunt) || is_common(l, &hunt)))
        excuse(l, anomaly);
    else if (shows)
        keep(l, &hunt);
    else if (!gw_stopped() && search.lost[0] == '\0')
        dismiss(l, anomaly);
    bool well = search.lost[0] == '\0' && gw_hunt_ready(&search);
    r->recoveries += search.recoveries;
    if (search.recoveries > 0)
        gw_loop_note(l, GW_EVENT_RECOVERED, NULL, "");
    gw_loop_note(l, well ? GW_EVENT_WELL : GW_EVENT_LOST, NULL, search.lost);
    if (well)
        gw_ahead_settle(setup->ahead);
    else
        (void)snprintf(r->lost, sizeof(r->lost), "%s; %s", anomaly->text, search.lost);
    gw_hunt_free(&hunt);
}

/* ---- one conversation ---- */

static void converse(gw_loop *l, const gw_tale *tale, gw_alterer *a)
{
    gw_campaign_report *r = &l->campaign->report;
    gw_ahead *ahead = l->campaign->setup.ahead;
    gw_evidence said = {0};
    gw_anomaly anomaly;
    if (ahead != NULL)
        ahead->at_once = true;
    bool well = gw_talk_look(l->campaign->setup.watch, l->ctx, a, tale->ends, &anomaly, &said);
    if (ahead != NULL)
        ahead->at_once = false;
    if (ahead != NULL && ahead->why[0] != '\0')
        (void)snprintf(r->lost, sizeof(r->lost), "%s", ahead->why);
    else if (a->short_of_memory)
        (void)snprintf(r->lost, sizeof(r->lost), "out of memory");
    gw_loop_count_answers(l, &said);
    gw_evidence_free(&said);
    l->composer.mutated += a->done->num;
    l->composer.fenced += a->fenced;
    r->altered++;
    gw_loop_tell(l);
    if (gw_stopped() || r->lost[0] != '\0')
        return;
    if (well)
        gw_ahead_settle(ahead);
    else
        follow_up(l, &anomaly, a->how);
    gw_loop_tell(l);
}

void gw_loop_alter(gw_loop *l)
{
    const gw_tale *tale = choose_tale(l);
    gw_alterer *a = calloc(1, sizeof(*a));
    gw_shots done = {0};
    if (tale != NULL && a != NULL && gw_loop_goes_on(l)) {
        gw_random *random = &l->composer.random;
        const gw_altered how = {.story = tale->which,
                                .random = gw_case_random(l->ctx),
                                .seed = gw_random_next(random),
                                .mask = choose_mask(random, tale->answers)};
        *a = (gw_alterer){.how = &how, .board = areas(l), .done = &done};
        converse(l, tale, a);
    }
    gw_shots_free(&done);
    free(a);
}

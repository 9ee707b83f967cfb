/* SPDX-License-Identifier: BSD-2-Clause */
/* A change stays when the board still shows the anomaly. */
#include "campaign/altered/hunt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/name.h"
#include "run/alive.h"
#include "run/runner.h"

#define LOST_TRIES 2 /* with answers that are lost, as a path may lose some that are not */

bool gw_hunt_ready(gw_search *s)
{
    gw_ctx *ctx = s->ctx;
    char how[200] = "";
    gw_ctx_close_all(ctx, false);
    (void)gw_runner_start_anew(ctx);
    if (gw_talk_calls(ctx))
        return true;
    gw_recovery came = gw_recover(ctx, how, sizeof(how));
    s->recoveries += came == GW_RECOVERED;
    if (came == GW_RECOVERED)
        return true;
    (void)snprintf(s->lost, sizeof(s->lost), "the board does not call any more%s%.160s",
                   how[0] != '\0' ? ": " : "", how);
    return false;
}

/* What one try said and was answered. */
typedef struct trying {
    gw_alterer alterer;
    gw_shots done;
    unsigned sent[GW_ALTERED_MOST];
} trying;

static void keep(gw_hunt *hunt, trying *t, gw_evidence *said, const gw_anomaly *anomaly)
{
    gw_search *s = hunt->search;
    const gw_ctx *ctx = s->ctx;
    const gw_found_context context = {
        .suite = ctx->suite, .target = ctx->target, .dialect = ctx->setup->dialect};
    memcpy(s->like->text, anomaly->text, sizeof(anomaly->text));
    if (s->said != NULL) {
        gw_found_comment(said, &context, &t->done, 0, t->done.num, t->sent, anomaly);
        gw_evidence_move(s->said, said);
    }
    gw_shots_free(&hunt->done);
    hunt->done = t->done;
    t->done = (gw_shots){0};
}

/* How the board is behind |how|, and whether it shows the anomaly. */
static bool play(gw_hunt *hunt, const gw_altered *how, bool ends, bool *shows)
{
    gw_search *s = hunt->search;
    gw_evidence said = {0};
    gw_anomaly anomaly = {0};
    trying *t = calloc(1, sizeof(*t));
    *shows = false;
    if (t == NULL)
        return false;
    t->alterer = (gw_alterer){.how = how, .board = hunt->board, .done = &t->done, .sent = t->sent};
    bool well = gw_talk_look(s->watch, s->ctx, &t->alterer, ends, &anomaly, &said);
    bool ok = !t->alterer.short_of_memory;
    if (!well && !anomaly.unsure && s->like->symptom == GW_SYMPTOM_NONE)
        *s->like = anomaly;
    *shows = ok && !well && !anomaly.unsure && gw_anomaly_equal(&anomaly, s->like);
    if (*shows)
        keep(hunt, t, &said, &anomaly);
    gw_shots_free(&t->done);
    gw_evidence_free(&said);
    free(t);
    return ok;
}

bool gw_hunt_try(gw_hunt *hunt, const gw_altered *how)
{
    gw_search *s = hunt->search;
    bool shows = false;
    if (gw_search_over(s) || !gw_hunt_ready(s))
        return false;
    s->tries++;
    if (!play(hunt, how, true, &shows))
        (void)snprintf(s->lost, sizeof(s->lost), "out of memory");
    return shows;
}

/* Whether true answers show anything, or it cannot be seen what they do. */
static bool is_ill_anyway(gw_hunt *hunt)
{
    gw_search *s = hunt->search;
    gw_altered plain = hunt->how;
    gw_anomaly anomaly = {0};
    gw_shots none = {0};
    gw_alterer *a = calloc(1, sizeof(*a));
    bool ill = true;
    plain.mask = 0;
    if (a != NULL && !gw_search_over(s) && gw_hunt_ready(s)) {
        *a = (gw_alterer){.how = &plain, .board = hunt->board, .done = &none};
        ill = !gw_talk_look(s->watch, s->ctx, a, true, &anomaly, NULL) || a->num == 0;
    }
    free(a);
    return ill;
}

bool gw_hunt_is_excused(gw_hunt *hunt)
{
    gw_altered lost = hunt->how;
    gw_search quiet = *hunt->search;
    gw_hunt other = {.search = &quiet, .board = hunt->board, .how = lost};
    bool excused = is_ill_anyway(hunt);
    bool may_wait = hunt->search->like->symptom != GW_SYMPTOM_BROKEN;
    lost.lost = lost.mask;
    quiet.said = NULL;
    for (unsigned i = 0; i < LOST_TRIES && !excused && may_wait; i++)
        excused = gw_hunt_try(&other, &lost);
    hunt->search->tries = quiet.tries;
    hunt->search->recoveries = quiet.recoveries;
    memcpy(hunt->search->lost, quiet.lost, sizeof(quiet.lost));
    gw_hunt_free(&other);
    return excused;
}

/* Whether |how| does it as well, which takes its place then. */
static bool takes(gw_hunt *hunt, const gw_altered *how, unsigned patience)
{
    for (unsigned i = 0; i < patience && !gw_search_over(hunt->search); i++) {
        if (!gw_hunt_try(hunt, how))
            continue;
        hunt->how = *how;
        return true;
    }
    return false;
}

static unsigned num_bits(uint64_t mask)
{
    unsigned num = 0;
    for (; mask != 0; mask &= mask - 1)
        num++;
    return num;
}

/* The |num| lowest bits of |mask| behind its first |skip|. */
static uint64_t some_bits(uint64_t mask, unsigned skip, unsigned num)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < GW_ALTERED_MOST; i++) {
        if ((mask >> i & 1) == 0)
            continue;
        if (skip > 0)
            skip--;
        else if (num-- > 0)
            out |= UINT64_C(1) << i;
        else
            break;
    }
    return out;
}

/* Leaves out the first of several answers: without it those behind it come one sooner, as it was
 * asked for again. */
static bool bring_forward(gw_hunt *hunt, unsigned patience)
{
    gw_altered sooner = hunt->how;
    sooner.mask &= sooner.mask - 1;
    if (sooner.mask == 0 || (sooner.mask & 1) != 0)
        return false;
    sooner.mask >>= 1;
    sooner.lost >>= 1;
    memmove(sooner.back, sooner.back + 1, sizeof(sooner.back) - sizeof(sooner.back[0]));
    sooner.back[GW_ALTERED_MOST - 1] = 0;
    sooner.shift++;
    return takes(hunt, &sooner, patience);
}

static void leave_out(gw_hunt *hunt, unsigned patience)
{
    for (unsigned num = num_bits(hunt->how.mask) / 2; num > 0; num = num > 1 ? num / 2 : 0) {
        unsigned at = 0;
        while (at < num_bits(hunt->how.mask) && num_bits(hunt->how.mask) > 1 &&
               !gw_search_over(hunt->search)) {
            gw_altered fewer = hunt->how;
            fewer.mask &= ~some_bits(fewer.mask, at, num);
            if (fewer.mask == 0 || !takes(hunt, &fewer, patience))
                at += num;
        }
    }
}

/* Of what was mutated in answer |index|, which is the |at|th that is altered, takes back one part
 * after the other. */
static void take_back(gw_hunt *hunt, unsigned index, unsigned at, unsigned patience)
{
    if (at >= hunt->done.num || hunt->how.back[index] != 0)
        return;
    const gw_shot *shot = &hunt->done.list[at];
    uint64_t parts = shot->mutated
                         ? gw_altered_parts(gw_shots_data(&hunt->done, shot), shot->len,
                                            gw_shots_was(&hunt->done, shot), shot->was_len)
                         : 0;
    for (unsigned part = 0; part < 64 && !gw_search_over(hunt->search); part++) {
        gw_altered fewer = hunt->how;
        uint64_t bit = UINT64_C(1) << part;
        fewer.back[index] |= bit;
        if ((parts & bit) != 0 && (parts & ~fewer.back[index]) != 0)
            (void)takes(hunt, &fewer, patience);
    }
}

/* An answer that is lost is simpler than one that is false. */
static void simplify(gw_hunt *hunt, unsigned patience)
{
    unsigned at = 0;
    for (unsigned i = 0; i < GW_ALTERED_MOST && !gw_search_over(hunt->search); i++) {
        uint64_t bit = UINT64_C(1) << i;
        gw_altered lost = hunt->how;
        if ((lost.mask & bit) == 0)
            continue;
        lost.lost |= bit;
        if ((hunt->how.lost & bit) == 0 && !takes(hunt, &lost, patience))
            take_back(hunt, i, at, patience);
        at++;
    }
}

void gw_hunt_shrink(gw_hunt *hunt, unsigned patience)
{
    leave_out(hunt, patience);
    while (num_bits(hunt->how.mask) > 1 && bring_forward(hunt, patience))
        leave_out(hunt, patience);
    simplify(hunt, patience);
}

unsigned gw_hunt_count(gw_hunt *hunt, unsigned most, unsigned *tries)
{
    const gw_altered how = hunt->how;
    unsigned shown = 0;
    for (*tries = 0; *tries < most && !gw_search_over(hunt->search); ++*tries)
        shown += gw_hunt_try(hunt, &how);
    return shown;
}

void gw_hunt_free(gw_hunt *hunt)
{
    gw_shots_free(&hunt->done);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* One run of the catalogue, looked at with a campaign in mind. */
#include "campaign/learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/watch.h"

/* A case that takes longer, in the time of the board's connections, is not run again and again. */
#define QUICK_NS (50 * GW_MS)
/* In memory, where time is nobody's, what counts is how much is said: a seed does the same on any
 * machine. */
#define QUICK_PACKETS 512

/* A run that is listened to. */
typedef struct listener {
    gw_lesson *learnt;
    gw_stock_source source;
} listener;

static bool is_quick(const gw_target *target, const gw_result *result, const gw_evidence *evidence)
{
    if (target->virtual_time && target->now == NULL)
        return evidence->num_packets <= QUICK_PACKETS;
    return result->duration_ns <= QUICK_NS;
}

static bool keep(void *arg, const gw_result *result, const gw_evidence *evidence, char *why,
                 size_t why_cap)
{
    const listener *ear = arg;
    gw_lesson *l = ear->learnt;
    if (!gw_ahead_flush(l->ahead)) {
        (void)snprintf(why, why_cap, "%s", l->ahead->why);
        return false;
    }
    if (result->verdict == GW_FAIL && l->told != NULL)
        l->told(l->told_arg, result);
    if (result->verdict != GW_PASS)
        return true;
    gw_ahead_settle(l->ahead);
    if (result->attempts <= 1 && is_quick(ear->source.target, result, evidence))
        l->cases[l->num_cases++] = result->which;
    if (!l->keep_stories || gw_stock_take(&l->stock, result->which->id, evidence, &ear->source))
        return true;
    (void)snprintf(why, why_cap, "out of memory");
    return false;
}

/* The cases that ask for something legal: what must be dropped is what a campaign makes itself, and
 * boards that die of it are not to do so before it begins. */
static size_t legal_ones(const gw_case **out, const gw_case *const *cases, size_t num)
{
    size_t kept = 0;
    for (size_t i = 0; i < num; i++)
        if (!gw_watch_is_hostile(cases[i]) && cases[i]->judge == NULL)
            out[kept++] = cases[i];
    return kept;
}

static bool has_failed(const gw_run *run, const char *id)
{
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *result = &run->results[i];
        if (strcmp(result->which->id, id) == 0)
            return result->verdict != GW_PASS && result->verdict != GW_XPASS &&
                   result->verdict != GW_WAIVED;
    }
    return false;
}

/* Whether what |one| builds on is not there: it would fail for that reason alone. */
static bool hangs_in_the_air(const gw_run *run, const gw_suite *suite, const gw_case *one)
{
    for (const char *const *id = one->after; id != NULL && *id != NULL; id++) {
        const gw_case *earlier = gw_suite_case(suite, *id);
        if (has_failed(run, *id) || (earlier != NULL && hangs_in_the_air(run, suite, earlier)))
            return true;
    }
    return false;
}

static void list_hostile_ones(gw_lesson *l, const gw_run_setup *setup, const gw_run *run)
{
    for (size_t i = 0; i < setup->num_cases; i++) {
        const gw_case *one = setup->cases[i];
        if (gw_watch_is_hostile(one) && !one->anew && one->judge == NULL &&
            !hangs_in_the_air(run, setup->suite, one))
            l->hostile[l->num_hostile++] = one;
    }
}

bool gw_learn(gw_lesson *learnt, const gw_run_setup *setup, char *why, size_t why_cap)
{
    gw_run run;
    gw_run_setup mine = *setup;
    listener ear = {.learnt = learnt,
                    .source = {.target = setup->target,
                               .format = setup->suite->format,
                               .dialect = setup->dialect}};
    learnt->cases = calloc(setup->num_cases + 1, sizeof(void *));
    learnt->hostile = calloc(setup->num_cases + 1, sizeof(void *));
    const gw_case **legal = calloc(setup->num_cases + 1, sizeof(void *));
    if (learnt->cases == NULL || learnt->hostile == NULL || legal == NULL) {
        free(legal);
        (void)snprintf(why, why_cap, "out of memory");
        return false;
    }
    mine.num_cases = legal_ones(legal, setup->cases, setup->num_cases);
    mine.cases = legal;
    mine.keep = keep;
    mine.keep_arg = &ear;
    if (learnt->ahead != NULL) {
        mine.ahead = gw_ahead_write;
        mine.ahead_arg = learnt->ahead;
    }
    bool ok = gw_run_cases(&run, &mine, why, why_cap);
    if (ok) {
        learnt->counts = run.counts;
        learnt->answered = run.answered;
        learnt->contradicted = run.contradicted;
        list_hostile_ones(learnt, setup, &run);
        (void)snprintf(learnt->preflight, sizeof(learnt->preflight), "%s", run.preflight);
        (void)snprintf(learnt->unserved, sizeof(learnt->unserved), "%s", run.unserved);
    }
    gw_run_free(&run);
    free(legal);
    return ok;
}

void gw_lesson_free(gw_lesson *learnt)
{
    gw_stock_free(&learnt->stock);
    free(learnt->cases);
    free(learnt->hostile);
    memset(learnt, 0, sizeof(*learnt));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* What a board does when it is well: the catalogue is run once, and what was said becomes the stock
 * that a campaign starts from. */
#ifndef GOLDWIRE_CAMPAIGN_LEARN_H
#define GOLDWIRE_CAMPAIGN_LEARN_H

#include "campaign/ring/ahead.h"
#include "campaign/stock.h"
#include "run/run.h"

/* gw_lesson is what was learnt. All zeros: nothing. */
typedef struct gw_lesson {
    gw_stock stock;
    const gw_case **cases; /* that the board passes, quickly, and whoever runs them may run again */
    size_t num_cases;
    const gw_case **hostile; /* (gw_watch_is_hostile) not run yet, and nothing they build on is
                                known to fail */
    size_t num_hostile;
    gw_counts counts;    /* of the run */
    bool answered;       /* the board did */
    bool contradicted;   /* it is not the one that its file describes */
    char preflight[640]; /* how it began */
    gw_ahead *ahead;     /* to be said beforehand: has what is sent on disk; settled after each case
                            that passes; NULL: nothing is kept */
    char unserved[200];  /* what the board leaves undone although it is there; or "" */
    bool keep_stories;   /* to be said beforehand: what cases say goes into the stock */
    /* told, said beforehand, is told of each case that fails; NULL: nobody is. */
    void (*told)(void *arg, const gw_result *result);
    void *told_arg;
} gw_lesson;

/* gw_learn runs those cases of |setup| that ask for something legal into |learnt|. What did not
 * pass is no example. False when memory fails, with a text in |why|. */
GW_MUST_USE bool gw_learn(gw_lesson *learnt, const gw_run_setup *setup, char *why, size_t why_cap);

/* gw_lesson_free gives the memory back. */
void gw_lesson_free(gw_lesson *learnt);

#endif

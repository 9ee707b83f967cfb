/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of the packets that were sent does it? Each try begins with a board that is well. */
#ifndef GOLDWIRE_CAMPAIGN_SEARCH_H
#define GOLDWIRE_CAMPAIGN_SEARCH_H

#include "campaign/fire.h"
#include "campaign/ring/ahead.h"
#include "campaign/watch.h"

/* gw_search is a search for packets that bring an anomaly about. */
typedef struct gw_search {
    gw_ctx *ctx;
    gw_watch *watch;
    gw_ahead *ahead;  /* has what is fired on disk before; NULL: nothing is kept */
    gw_anomaly *like; /* that is looked for; of none, any is taken, and is looked for then; its text
                         is that of the last try that showed it */
    uint64_t random;  /* numbers that the case which is looked for begins with; 0: any */
    unsigned tries;   /* so far */
    unsigned most;    /* of them; 0: no matter */
    int64_t until_ns; /* no try begins after that (CLOCK_MONOTONIC); 0: no matter */
    unsigned recoveries; /* of the board, so far */
    gw_evidence *said;   /* get what was said in the last try that showed it, and ... */
    gw_evidence *seen;   /* ... how it was seen; NULL both: nobody wants them */
    char lost[320];      /* why no more tries can be made; or "" */
} gw_search;

/* gw_search_ready has the board well: started anew where we have a say in that, else brought back
 * if need be. False when it does not come back; |lost| says why. */
bool gw_search_ready(gw_search *s);

/* gw_search_over says whether no more tries are made: all were, it is too late, the board is lost,
 * or we are told to stop. */
bool gw_search_over(const gw_search *s);

/* gw_search_try sends |num| shots from |first| on to a board that is well, and says whether it
 * shows the anomaly afterwards. */
bool gw_search_try(gw_search *s, const gw_shots *shots, size_t first, size_t num);

/* gw_search_alone says whether it takes no shots at all: the hostile case that the anomaly names,
 * or any case of a board that calls us, shows it by itself. */
bool gw_search_alone(gw_search *s);

/* gw_search_count tries all of |shots| up to |most| times and returns how often they show the
 * anomaly; |*tries| is how often they were tried: fewer times when no more tries are made. */
unsigned gw_search_count(gw_search *s, const gw_shots *shots, unsigned most, unsigned *tries);

/* gw_search_last returns how many of the last shots it takes, by doubling: 1, 2, 4 ... up to all of
 * them; 0 when they do not do it again. */
size_t gw_search_last(gw_search *s, const gw_shots *shots);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of the answers that were altered does it? Each try begins with a board that is well. */
#ifndef GOLDWIRE_CAMPAIGN_ALTERED_HUNT_H
#define GOLDWIRE_CAMPAIGN_ALTERED_HUNT_H

#include "campaign/altered/talk.h"
#include "campaign/search.h"

/* gw_hunt is a search for the answers that bring an anomaly about. */
typedef struct gw_hunt {
    gw_search *search;          /* which anomaly, how long it is looked for, and what is kept */
    const gw_board_file *board; /* whose areas may be written; NULL: anything may */
    gw_altered how;             /* what is altered, as little as is known to do it */
    gw_shots done;              /* the answers that were altered in the last try that showed it */
} gw_hunt;

/* gw_hunt_ready has the board call, started anew where we have a say in that, else brought back if
 * need be. False when it does not; |search|->lost says why. */
bool gw_hunt_ready(gw_search *search);

/* gw_hunt_try plays |how| with a board that is well, and says whether it shows the anomaly then;
 * of none, any is taken. */
bool gw_hunt_try(gw_hunt *hunt, const gw_altered *how);

/* gw_hunt_is_excused says whether the board shows it as well when it is answered as it should be,
 * or when those answers are lost: for what does not come a board may wait as long as it likes. True
 * where that cannot be seen. */
bool gw_hunt_is_excused(gw_hunt *hunt);

/* gw_hunt_shrink has fewer answers altered, lost where that does, and those that are mutated in
 * fewer places, as long as it shows in one of |patience| tries. */
void gw_hunt_shrink(gw_hunt *hunt, unsigned patience);

/* gw_hunt_count tries up to |most| times and returns how often it shows; |*tries| is how often it
 * was tried. */
unsigned gw_hunt_count(gw_hunt *hunt, unsigned most, unsigned *tries);

/* gw_hunt_free gives the memory back. */
void gw_hunt_free(gw_hunt *hunt);

#endif

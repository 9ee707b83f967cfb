/* SPDX-License-Identifier: BSD-2-Clause */
/* A finding of a campaign, and what one has to know to make sense of it. */
#ifndef GOLDWIRE_CAMPAIGN_CATCH_H
#define GOLDWIRE_CAMPAIGN_CATCH_H

#include "campaign/altered/altered.h"
#include "campaign/shots.h"
#include "campaign/watch.h"

#define GW_CATCH_TRIES 4u /* of a finding, to say how often it shows */

/* gw_catch is a finding of a campaign. */
typedef struct gw_catch {
    gw_anomaly anomaly;
    gw_shots shots;   /* that bring it about, the last one last */
    bool answers;     /* these are answers to a board that calls us, which ... */
    gw_altered how;   /* ... brings about again */
    unsigned tries;   /* of these shots on a board that was well before, and ... */
    unsigned shown;   /* ... those that showed it */
    uint64_t packets; /* that had been sent when it was first seen */
    gw_evidence said; /* in the last try that showed it, and ... */
    gw_evidence seen; /* ... how it showed */
} gw_catch;

/* gw_catch_free gives the memory back. */
void gw_catch_free(gw_catch *found);

/* gw_found_context is what the packets of a finding are, and where they went. */
typedef struct gw_found_context {
    const gw_suite *suite;
    const gw_target *target;
    const gw_dialect *dialect;
    const char *call; /* arguments that reach the board again, quoted for a shell */
} gw_found_context;

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A fuzzing campaign against a board that is alive: batches go out, and after each the board is
 * looked at. What looks wrong is reproduced on a board that was seen well before it is a finding.
 */
#ifndef GOLDWIRE_CAMPAIGN_CAMPAIGN_H
#define GOLDWIRE_CAMPAIGN_CAMPAIGN_H

#include "campaign/catch.h"
#include "campaign/compose.h"
#include "campaign/history.h"
#include "campaign/ring/ahead.h"
#include "campaign/watch.h"

/* gw_campaign_report is how far a campaign is, and what came of it. */
typedef struct gw_campaign_report {
    uint64_t packets;
    uint64_t mutated; /* of them */
    uint64_t fenced;  /* mutations that were not sent, as they would have written elsewhere */
    uint64_t batches;
    unsigned catches;     /* reproduced */
    unsigned unconfirmed; /* anomalies that did not show again */
    unsigned excused;     /* cases that are not run any more, as their failures blame no board: they
                             fail without the packets, on a good board of ours as well, or after
                             allowed packets only */
    uint64_t altered;     /* conversations in which answers were */
    unsigned left_open;   /* anomalies that goldwire's own board shows as well, upon such answers */
    unsigned recoveries;  /* of the board */
    unsigned outages;     /* of the path on our side */
    int64_t elapsed_ns;
    double covered; /* percent of the model; 0 when nobody counts */
    bool ended;     /* by who took a finding */
    char last[320]; /* anomaly that did not show again; or "" */
    char lost[700]; /* why the campaign ended early; or "" */
} gw_campaign_report;

/* gw_campaign_setup is what a campaign needs. Everything outlives it. */
typedef struct gw_campaign_setup {
    const gw_stock *stock;
    gw_watch *watch;
    const gw_found_context *context;
    gw_ahead *ahead;       /* has what is sent on disk, and is what the run tells beforehand; NULL:
                              nothing is kept */
    gw_coverage *coverage; /* gets what is sent, and guides what is; NULL: nobody counts */
    gw_history *history;   /* gets what happens; NULL: nobody wants to know */
    bool any_address;      /* anything may be written */
    uint64_t seed;
    int64_t time_ns;  /* at most, of this machine's clock; 0: no matter */
    uint64_t packets; /* at most; 0: no matter */
    /* progress is told after each batch; NULL: nobody is. */
    void (*progress)(void *arg, const gw_campaign_report *report);
    /* catches takes a finding. False ends the campaign, as it has what it is for. */
    bool (*catches)(void *arg, const gw_catch *found);
    void *arg;
} gw_campaign_setup;

/* gw_campaign is a campaign; it runs as a case of a run. */
typedef struct gw_campaign {
    gw_case one;
    gw_campaign_setup setup;
    gw_campaign_report report;
    bool begun;
} gw_campaign;

/* gw_campaign_init prepares |campaign|, whose case is |campaign|->one. */
void gw_campaign_init(gw_campaign *campaign, const gw_campaign_setup *setup);

#endif

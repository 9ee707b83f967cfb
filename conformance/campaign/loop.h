/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of a campaign's loop share: it sends, looks, and follows up what it sees. */
#ifndef GOLDWIRE_CAMPAIGN_LOOP_H
#define GOLDWIRE_CAMPAIGN_LOOP_H

#include "campaign/answers.h"
#include "campaign/campaign.h"

#define GW_TALES 64u

/* gw_tale is a conversation with a board that calls us. */
typedef struct gw_tale {
    const gw_case *which; /* NULL: that by which the suite sees that the board is there */
    unsigned answers;     /* of ours; 0: nobody knows yet */
    bool ends;            /* the board comes to its end when all of them are true */
} gw_tale;

typedef struct gw_tales {
    gw_tale list[GW_TALES];
    size_t num;
    bool listed;
} gw_tales;

/* gw_loop is a campaign that runs. What was sent lately is remembered, as a board may be brought
 * down by what came long before its last packet. */
typedef struct gw_loop {
    gw_ctx *ctx;
    gw_campaign *campaign;
    gw_composer composer;
    gw_answers *answers; /* NULL: nobody counts */
    gw_tales tales;      /* whose answers are altered */
    gw_shots past;       /* all that was sent and is remembered */
    size_t batch;        /* shots of the last one */
    bool heard;          /* a board that calls us did, since somebody last asked, ... */
    unsigned said;       /* ... and the last packet that it said, in the evidence that is counted */
    int64_t began_ns;
    char why[200];
} gw_loop;

/* gw_loop_goes_on says whether there is time left, and packets, and a board. */
bool gw_loop_goes_on(const gw_loop *l);

/* gw_loop_elapsed_ns returns how long it has run, on this machine's clock. */
int64_t gw_loop_elapsed_ns(const gw_loop *l);

/* gw_loop_note notes that something happened, for the history. */
void gw_loop_note(const gw_loop *l, gw_event_kind kind, const gw_anomaly *anomaly,
                  const char *text);

/* gw_loop_tell tells how far it is. */
void gw_loop_tell(gw_loop *l);

/* gw_loop_follow_up looks into |anomaly|, after what is remembered. What is seen once is an
 * anomaly, what comes again is a finding. The board is brought back. */
void gw_loop_follow_up(gw_loop *l, gw_anomaly *anomaly);

/* gw_loop_look looks at the board after what was sent, and at what it makes of a case if |how| says
 * so; and follows up what is wrong. */
void gw_loop_look(gw_loop *l, gw_watch_how how);

/* gw_loop_count_answers counts what answers a board that calls us in |said|, and what it said. */
void gw_loop_count_answers(gw_loop *l, const gw_evidence *said);

/* gw_loop_alter answers a board that calls us as a conversation goes that is known to be good, with
 * some of the answers altered; looks at the board, and follows up what is wrong. */
void gw_loop_alter(gw_loop *l);

/* gw_loop_round answers a board that calls us with each of the hostile cases, behind each of which
 * answers are altered, and then with one that it has passed. */
void gw_loop_round(gw_loop *l);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations with a board that calls us, played again with answers altered, and what can be
 * known of the board behind them. What the case itself says of such a conversation means nothing:
 * it was written for other answers. */
#ifndef GOLDWIRE_CAMPAIGN_ALTERED_TALK_H
#define GOLDWIRE_CAMPAIGN_ALTERED_TALK_H

#include "campaign/altered/altered.h"
#include "campaign/watch.h"

/* How a board is at the end of a conversation, as far as that is seen. */
typedef enum gw_talk_end {
    GW_TALK_NOBODY = 0, /* it did not call for it */
    GW_TALK_GOES_ON,    /* it says something more, hangs up, or nobody can see how it is */
    GW_TALK_ENDS,       /* it has finished what it came for */
    GW_TALK_HANGS,      /* it has not, and says nothing any more */
} gw_talk_end;

/* gw_talk_calls begins the suite anew, and says whether the board calls for it. */
bool gw_talk_calls(gw_ctx *ctx);

/* gw_talk_play plays the conversation of |a|->how, altered by |a|, and waits for its end. What was
 * said is in the evidence of |ctx| then; what the suite remembers of it is forgotten. |a| is
 * ended. */
gw_talk_end gw_talk_play(gw_ctx *ctx, gw_alterer *a);

/* gw_talk_look plays it, and looks at the board: whether what it says breaks a rule that holds
 * whatever it is answered; whether it hangs, where |ends| says that
 * it comes to an end when it is answered well; whether it calls again, and passes the case whose
 * conversation it was. |said|, if not NULL, gets what was said. False with *|anomaly| when it is
 * not well. */
bool gw_talk_look(gw_watch *watch, gw_ctx *ctx, gw_alterer *a, bool ends, gw_anomaly *anomaly,
                  gw_evidence *said);

#endif

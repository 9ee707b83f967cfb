/* SPDX-License-Identifier: BSD-2-Clause */
/* One session a format over a whole capture: what only the conversation shows. */
#ifndef INSPECT_JUDGE_H
#define INSPECT_JUDGE_H

#include "goldwire/rule.h"
#include "inspect/pipeline.h"

/* How long a request may stay unanswered, in nanoseconds of capture time: libetherbone's own
 * timeout. */
#define GW_JUDGE_GIVE_UP_NS 5000000000

/* What the tables of one session may take: some thousand open requests, and little enough to stay
 * in a processor's own cache. */
#define GW_JUDGE_BYTES ((size_t)2 << 20)

typedef struct gw_judge gw_judge;

/* gw_judge_new starts a judge for one capture; NULL when memory is short. */
gw_judge *gw_judge_new(void);

/* gw_judge_feed lets the session of the message's format judge it. Findings and relations go to
 * |sink|, also those of earlier messages that this one reveals. */
void gw_judge_feed(gw_judge *j, const gw_found *found, gw_verdict_sink *sink);

/* gw_judge_neighbour lets every session that looks beneath IP judge an ARP packet. */
void gw_judge_neighbour(gw_judge *j, const gw_message *message, gw_verdict_sink *sink);

/* gw_judge_end reports what is still open at the end of the capture. */
void gw_judge_end(gw_judge *j, gw_verdict_sink *sink);

/* gw_judge_free frees everything; NULL is allowed. */
void gw_judge_free(gw_judge *j);

#endif

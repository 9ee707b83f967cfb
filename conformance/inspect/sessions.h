/* SPDX-License-Identifier: BSD-2-Clause */
/* One session a format over a whole capture: what only the conversation shows. */
#ifndef INSPECT_SESSIONS_H
#define INSPECT_SESSIONS_H

#include "goldwire/rule.h"
#include "inspect/pipeline.h"

/* How long a request may stay unanswered, in nanoseconds of capture time: libetherbone's own
 * timeout. */
#define GW_SESSIONS_GIVE_UP_NS 5000000000

/* What the tables of one session may take: some thousand open requests, and little enough to stay
 * in a processor's own cache. */
#define GW_SESSIONS_BYTES ((size_t)2 << 20)

typedef struct gw_sessions gw_sessions;

/* gw_sessions_new starts the sessions of one capture; NULL when memory is short. */
gw_sessions *gw_sessions_new(void);

/* gw_sessions_lossless says, before anything is fed, that the path lost, repeated and reordered
 * nothing (gw_session_ops). */
void gw_sessions_lossless(gw_sessions *s);

/* gw_sessions_feed lets the session of the message's format judge it. Findings and relations go to
 * |sink|, also those of earlier messages that this one reveals. */
void gw_sessions_feed(gw_sessions *s, const gw_found *found, gw_verdict_sink *sink);

/* gw_sessions_check judges the message alone, once its session was fed: |origin| is the frame that
 * it passes on, as the session related it (GW_FORWARDED), or 0. */
void gw_sessions_check(const gw_found *found, uint64_t origin, gw_verdict_sink *sink);

/* gw_sessions_arp lets every session that looks beneath IP judge an ARP packet. */
void gw_sessions_arp(gw_sessions *s, const gw_message *message, gw_verdict_sink *sink);

/* gw_sessions_end reports what is still open at the end of the capture. */
void gw_sessions_end(gw_sessions *s, gw_verdict_sink *sink);

/* gw_sessions_free frees everything; NULL is allowed. */
void gw_sessions_free(gw_sessions *s);

#endif

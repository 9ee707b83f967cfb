/* SPDX-License-Identifier: BSD-2-Clause */
/* What a capture comes to: kinds and values, response times, findings, answers, who talks to whom.
 * The same is counted as in the Wireshark plugin's statistics. Memory is taken once a format. */
#ifndef INSPECT_STATS_STATS_H
#define INSPECT_STATS_STATS_H

#include "inspect/pipeline.h"
#include "inspect/stats/rows.h"
#include "names/map.h"

#define GW_STATS_KEPT                                                                              \
    65536 /* messages that are remembered: what later ones say of them counts once */

typedef struct gw_stats gw_stats;

/* gw_stats_new begins the statistics of one capture. |registers|, which may be NULL, names
 * addresses of EtherBone, before what a board's SDB table calls them, and is used until the end.
 * NULL when memory is short. */
gw_stats *gw_stats_new(gw_name_map *registers);

/* gw_stats_lossless does what gw_sessions_lossless does. */
void gw_stats_lossless(gw_stats *s);

/* gw_stats_found counts a message. Sessions judge it, which are the statistics' own. */
void gw_stats_found(gw_stats *s, const gw_found *found);

/* gw_stats_arp lets the sessions judge an ARP packet. */
void gw_stats_arp(gw_stats *s, const gw_message *message);

/* gw_stats_end counts what is still open at the end of the capture. False when memory was short on
 * the way: then messages are missing. */
GW_MUST_USE bool gw_stats_end(gw_stats *s);

/* gw_stats_of returns the rows of |format|, one of gw_formats, NULL when it had no message. */
const gw_stats_rows *gw_stats_of(const gw_stats *s, const gw_format *format);

/* gw_stats_free frees everything; NULL is allowed. */
void gw_stats_free(gw_stats *s);

#endif

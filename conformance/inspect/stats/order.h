/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows as people want to read them. */
#ifndef INSPECT_STATS_ORDER_H
#define INSPECT_STATS_ORDER_H

#include "inspect/stats/rows.h"

#define GW_STATS_NAME 128 /* bytes that hold the name of a row */

/* gw_stats_order lists the rows of |table| in |out|, which holds GW_STATS_ROWS + 1: heading by
 * heading as they first came, below each the most frequent first; of response times the slowest on
 * average; of histograms the shortest; what did not fit last. Returns how many. */
size_t gw_stats_order(const gw_stats_rows *rows, gw_stats_table table, const gw_stats_row **out);

/* gw_stats_name writes what |row| is called, without its heading: a name, a number in its field's
 * way, an address, or the ends. Returns |out|. */
const char *gw_stats_name(char out[GW_STATS_NAME], const gw_stats_row *row);

#endif

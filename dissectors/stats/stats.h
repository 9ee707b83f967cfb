/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All statistics of one format: its tap, and what listens to it. */
#ifndef DISSECTORS_STATS_STATS_H
#define DISSECTORS_STATS_STATS_H

#include "stats/account.h"

/* gw_ws_stats_register registers |format|'s tap and every table, tree and menu that it feeds.
 * Returns the tap. Once a format, after its protocol |proto|. */
gw_ws_tap *gw_ws_stats_register(const gw_format *format, int proto);

#endif

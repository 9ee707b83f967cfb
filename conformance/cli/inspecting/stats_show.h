/* SPDX-License-Identifier: BSD-2-Clause */
/* Statistics for people and for scripts. */
#ifndef CLI_INSPECTING_STATS_SHOW_H
#define CLI_INSPECTING_STATS_SHOW_H

#include "inspect/stats/stats.h"
#include "json/json.h"

/* gw_stats_text prints what |rows| of |format| count. */
void gw_stats_text(const gw_format *format, const gw_stats_rows *rows);

/* gw_stats_json writes the same as members of an object that is open. */
void gw_stats_json(gw_json *json, const gw_format *format, const gw_stats_rows *rows);

#endif

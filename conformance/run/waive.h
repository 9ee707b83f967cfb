/* SPDX-License-Identifier: BSD-2-Clause */
/* Waivers: failures that somebody knows of and answers for. */
#ifndef GOLDWIRE_RUN_WAIVE_H
#define GOLDWIRE_RUN_WAIVE_H

#include "goldwire/format.h"
#include "run/run.h"

/* gw_waive_known makes a failure WAIVED that the device of |dialect| (NULL: none) is known for, and
 * says why. Such waivers do not expire. */
void gw_waive_known(gw_result *result, const gw_dialect *dialect);

/* gw_waive applies the waivers of |board| to |result| as of |now_ns|, since 1970. The failure that
 * is waived becomes WAIVED; any other failure stays one and says so; a pass becomes XPASS. After
 * its last day a waiver changes nothing, and the result says that it has expired. */
void gw_waive(gw_result *result, const gw_board_file *board, int64_t now_ns);

#endif

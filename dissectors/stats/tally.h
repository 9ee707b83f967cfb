/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of one message's fields, in a tree of counts. */
#ifndef DISSECTORS_STATS_TALLY_H
#define DISSECTORS_STATS_TALLY_H

#include "compat.h"

#include <epan/stats_tree.h>

#include "goldwire/format.h"

/* gw_ws_tally counts in |tree| what the tables of |format| tally of |message|'s fields. */
void gw_ws_tally(stats_tree *tree, const gw_format *format, const gw_message *message,
                 const gw_dialect *dialect);

#endif

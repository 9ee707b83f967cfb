/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree of counts in Wireshark's Statistics menu. */
#ifndef DISSECTORS_STATS_TREE_H
#define DISSECTORS_STATS_TREE_H

#include "compat.h"

#include <epan/stats_tree.h>

#include "goldwire/format.h"

/* gw_ws_tree_register registers a tree of |format|'s accounts as *Statistics > FORMAT > |title|*
 * and `-z NAME.|key|,tree`, or `-z NAME,tree` when |key| is NULL. */
void gw_ws_tree_register(const gw_format *format, const char *key, const char *title,
                         stat_tree_packet_cb on_account, stat_tree_init_cb init);

#endif

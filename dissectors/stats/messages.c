/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of messages: how many of each kind, and which values their fields had. */
#include "stats/trees.h"

#include "stats/account.h"
#include "stats/tally.h"
#include "stats/tree.h"

static tap_packet_status on_account(stats_tree *tree, packet_info *pinfo, epan_dissect_t *edt,
                                    const void *data, tap_flags_t flags)
{
    const gw_ws_account *account = (const gw_ws_account *)data;
    (void)pinfo;
    (void)edt;
    (void)flags;

    int kinds = tick_stat_node(tree, "Messages", 0, TRUE);
    tick_stat_node(tree, account->transaction.kind, kinds, FALSE);
    gw_ws_tally(tree, account->format, account->message, account->dialect);
    return TAP_PACKET_REDRAW;
}

static void init(stats_tree *tree)
{
    stats_tree_create_node(tree, "Messages", 0, STAT_DT_INT, TRUE);
}

void gw_ws_messages_register(const gw_format *format)
{
    gw_ws_tree_register(format, NULL, "Messages", on_account, init);
}

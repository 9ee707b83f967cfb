/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of messages: how many of each kind, and which values their fields had. */
#include "stats/trees.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "stats/account.h"
#include "stats/tree.h"

#define NAME_LEN 64

typedef struct tally_sink {
    gw_sink base;
    stats_tree *tree;
} tally_sink;

static void count_value(stats_tree *tree, int branch, const gw_item *item)
{
    const char *known = gw_field_value_name(item->field, item->value);
    char name[NAME_LEN];

    if (known == NULL) {
        (void)snprintf(name, sizeof name, item->field->base == GW_HEX ? "0x%" PRIx64 : "%" PRIu64,
                       item->value);
        known = name;
    }
    tick_stat_node(tree, known, branch, FALSE);
}

/* The tree adds up what an int holds. */
static int at_most_int(uint64_t value)
{
    return value < INT_MAX ? (int)value : INT_MAX;
}

static void tally(gw_sink *sink, const gw_item *item)
{
    const tally_sink *s = (const tally_sink *)sink;
    const gw_field *field = item->field;

    if (field->tallies == GW_TALLIES_NOTHING || (field->type == GW_BOOL && item->value == 0))
        return;
    int branch = tick_stat_node(s->tree, field->tally, 0, TRUE);
    if (field->tallies == GW_TALLIES_MEAN)
        avg_stat_node_add_value_int(s->tree, field->label, branch, FALSE, at_most_int(item->value));
    else if (field->type == GW_BOOL)
        tick_stat_node(s->tree, field->label, branch, FALSE);
    else
        count_value(s->tree, branch, item);
}

static tap_packet_status on_account(stats_tree *tree, packet_info *pinfo, epan_dissect_t *edt,
                                    const void *data, tap_flags_t flags)
{
    const gw_ws_account *account = (const gw_ws_account *)data;
    tally_sink sink = {.base = {.item = tally}, .tree = tree};
    (void)pinfo;
    (void)edt;
    (void)flags;

    int kinds = tick_stat_node(tree, "Messages", 0, TRUE);
    tick_stat_node(tree, account->transaction.kind, kinds, FALSE);
    (void)account->format->walk(account->message, account->dialect, &sink.base);
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

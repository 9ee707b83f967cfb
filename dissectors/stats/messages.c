/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of messages: how many of each kind, and which values their fields had. */
#include "stats/trees.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "stats/account.h"
#include "stats/tree.h"

#define NAME_LEN 64

/* Nodes of the tree are found by name, which costs more than to decode what is counted, and a
 * message of many records names the same few again and again. So a node is ticked at once when the
 * message first comes upon it, and what follows is added up and told at the message's end. */
#define MAX_NODES 24

typedef struct node {
    const gw_field *field; /* of a leaf; NULL: a branch, which is called |name| */
    const char *name;
    uint64_t value; /* of a leaf */
    int id;         /* of a branch itself; of a leaf, its branch's */
    int more;       /* times that it came again */
} node;

typedef struct tally_sink {
    gw_sink base;
    stats_tree *tree;
    node nodes[MAX_NODES];
    unsigned num;
} tally_sink;

static void count_leaf(stats_tree *tree, int branch, const gw_field *field, uint64_t value,
                       int times)
{
    const char *known = field->type == GW_BOOL ? field->label : gw_field_value_name(field, value);
    char name[NAME_LEN];

    if (known == NULL) {
        (void)snprintf(name, sizeof name, field->base == GW_HEX ? "0x%" PRIx64 : "%" PRIu64, value);
        known = name;
    }
    increase_stat_node(tree, known, branch, FALSE, times);
}

/* The node that the message has come upon before, which it does once more now; or NULL. */
static node *again(tally_sink *s, const gw_field *field, const char *name, uint64_t value)
{
    for (unsigned i = 0; i < s->num; i++) {
        node *n = &s->nodes[i];
        if (n->field == field && n->name == name && n->value == value) {
            n->more++;
            return n;
        }
    }
    return NULL;
}

/* One more node, while there is room. */
static void note(tally_sink *s, const gw_field *field, const char *name, uint64_t value, int id)
{
    if (s->num < MAX_NODES)
        s->nodes[s->num++] = (node){.field = field, .name = name, .value = value, .id = id};
}

/* Counts in the branch called |name|, and returns its id. */
static int count_branch(tally_sink *s, const char *name)
{
    const node *n = again(s, NULL, name, 0);

    if (n != NULL)
        return n->id;
    int id = tick_stat_node(s->tree, name, 0, TRUE);
    note(s, NULL, name, 0, id);
    return id;
}

static void count_value(tally_sink *s, int branch, const gw_item *item)
{
    if (again(s, item->field, NULL, item->value) != NULL)
        return;
    count_leaf(s->tree, branch, item->field, item->value, 1);
    note(s, item->field, NULL, item->value, branch);
}

static void count_rest(const tally_sink *s)
{
    for (unsigned i = 0; i < s->num; i++) {
        const node *n = &s->nodes[i];
        if (n->more > 0 && n->field == NULL)
            increase_stat_node(s->tree, n->name, 0, TRUE, n->more);
        else if (n->more > 0)
            count_leaf(s->tree, n->id, n->field, n->value, n->more);
    }
}

/* The tree adds up what an int holds. */
static int at_most_int(uint64_t value)
{
    return value < INT_MAX ? (int)value : INT_MAX;
}

static void tally(gw_sink *sink, const gw_item *item)
{
    tally_sink *s = (tally_sink *)sink;
    const gw_field *field = item->field;

    if (field->tallies == GW_TALLIES_NOTHING || (field->type == GW_BOOL && item->value == 0))
        return;
    int branch = count_branch(s, field->tally);
    if (field->tallies == GW_TALLIES_MEAN)
        avg_stat_node_add_value_int(s->tree, field->label, branch, FALSE, at_most_int(item->value));
    else
        count_value(s, branch, item);
}

static tap_packet_status on_account(stats_tree *tree, packet_info *pinfo, epan_dissect_t *edt,
                                    const void *data, tap_flags_t flags)
{
    const gw_ws_account *account = (const gw_ws_account *)data;
    tally_sink sink;
    (void)pinfo;
    (void)edt;
    (void)flags;

    sink.base = (gw_sink){.item = tally};
    sink.tree = tree;
    sink.num = 0;
    int kinds = tick_stat_node(tree, "Messages", 0, TRUE);
    tick_stat_node(tree, account->transaction.kind, kinds, FALSE);
    (void)account->format->walk(account->message, account->dialect, &sink.base);
    count_rest(&sink);
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

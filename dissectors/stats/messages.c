/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of messages: how many of each kind, and which values their fields had. */
#include "stats/trees.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "stats/account.h"
#include "stats/tree.h"

#define NAME_LEN 64

/* Nodes of the tree are found by name, and each count is put into a burst of its time, which costs
 * more than to decode what is counted; and a message of many records names the same few nodes again
 * and again. So a node is ticked at once when the message first comes upon it, and what follows is
 * added up and told at the message's end. */
#define MAX_NODES 24

typedef struct node {
    const gw_field *field; /* of a leaf; NULL: a branch, which is called |name| */
    const char *name;
    uint64_t value;  /* of a leaf that counts one value */
    unsigned branch; /* of a leaf: the place of its branch's node */
    int id;          /* of a branch itself; of a leaf, its branch's */
    int more;        /* times that it came again */
    int least, most; /* of a mean: values so far */
    int rest;        /* of a mean: values added up that it was not told, at most |most| */
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

/* The node that the message has come upon before, or NULL. */
static node *known(tally_sink *s, const gw_field *field, const char *name, uint64_t value)
{
    for (unsigned i = 0; i < s->num; i++) {
        node *n = &s->nodes[i];
        if (n->field == field && n->name == name && n->value == value)
            return n;
    }
    return NULL;
}

/* One more node, while there is room; or NULL. */
static node *note(tally_sink *s, const node *n)
{
    if (s->num == MAX_NODES)
        return NULL;
    s->nodes[s->num] = *n;
    return &s->nodes[s->num++];
}

/* Counts in the branch called |name|. */
static void count_branch(tally_sink *s, node *leaf, const char *name)
{
    const node *n = known(s, NULL, name, 0);

    if (n != NULL) {
        leaf->branch = (unsigned)(n - s->nodes);
        leaf->id = n->id;
        s->nodes[leaf->branch].more++;
        return;
    }
    leaf->branch = s->num;
    leaf->id = tick_stat_node(s->tree, name, 0, TRUE);
    note(s, &(node){.name = name, .id = leaf->id});
}

/* The tree adds up what an int holds. */
static int at_most_int(uint64_t value)
{
    return value < INT_MAX ? (int)value : INT_MAX;
}

static void first_time(tally_sink *s, const gw_field *field, uint64_t value)
{
    bool mean = field->tallies == GW_TALLIES_MEAN;
    node n = {.field = field, .value = mean ? 0 : value};

    count_branch(s, &n, field->tally);
    if (mean) {
        n.least = n.most = at_most_int(value);
        avg_stat_node_add_value_int(s->tree, field->label, n.id, FALSE, n.most);
    } else {
        count_leaf(s->tree, n.id, field, value, 1);
    }
    note(s, &n);
}

/* Adds |value| to a mean's sum without a tick. */
static void add(const tally_sink *s, const node *n, int value)
{
    avg_stat_node_add_value_notick(s->tree, n->field->label, n->id, FALSE, value);
}

/* The tree takes what it is told for one value of the mean, whose least and most it shows. So
 * values are told together as long as they come to no more than the most. */
static void again(const tally_sink *s, node *n, int value)
{
    n->more++;
    if (value < n->least || value > n->most) {
        add(s, n, value);
        n->least = value < n->least ? value : n->least;
        n->most = value > n->most ? value : n->most;
        return;
    }
    if (n->rest > n->most - value) {
        add(s, n, n->rest);
        n->rest = 0;
    }
    n->rest += value;
}

static void count_rest(const tally_sink *s)
{
    for (unsigned i = 0; i < s->num; i++) {
        const node *n = &s->nodes[i];
        if (n->more == 0)
            continue;
        if (n->field == NULL)
            increase_stat_node(s->tree, n->name, 0, TRUE, n->more);
        else if (n->field->tallies == GW_TALLIES_MEAN)
            increase_stat_node(s->tree, n->field->label, n->id, FALSE, n->more);
        else
            count_leaf(s->tree, n->id, n->field, n->value, n->more);
        if (n->rest > 0)
            add(s, n, n->rest);
    }
}

/* Apart from what most items need, which is to be passed over. */
G_GNUC_NO_INLINE static void count_item(tally_sink *s, const gw_item *item)
{
    const gw_field *field = item->field;
    bool mean = field->tallies == GW_TALLIES_MEAN;
    node *n = known(s, field, NULL, mean ? 0 : item->value);

    if (n == NULL) {
        first_time(s, field, item->value);
        return;
    }
    s->nodes[n->branch].more++;
    if (mean)
        again(s, n, at_most_int(item->value));
    else
        n->more++;
}

static void tally(gw_sink *sink, const gw_item *item)
{
    const gw_field *field = item->field;

    if (field->tallies == GW_TALLIES_NOTHING || (field->type == GW_BOOL && item->value == 0))
        return;
    count_item((tally_sink *)sink, item);
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

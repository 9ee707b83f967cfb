/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adding up what a message's fields count, before the tree is told. */
#include "stats/tally.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define NAME_LEN 64

/* Nodes of the tree are found by name, and each count is put into a burst of its time, which costs
 * more than to decode what is counted; and a message of many records names the same few nodes again
 * and again. So what a message counts is added up, and told at its end, or when there is no room
 * for more. */
#define MAX_NODES 32
#define PLACES 64 /* more, so that few are tried */

/* The records of a message are mostly alike, so what a group's bytes came to is remembered. */
#define RUNS 4
#define RUN_BYTES 8
#define RUN_ITEMS 8

typedef struct node {
    const gw_field *field; /* of a leaf; NULL: a branch, which is called |name| */
    const char *name;
    uint64_t value;  /* of a leaf that counts one value */
    unsigned branch; /* of a leaf: the place of its branch's node, which stands before it */
    int id;          /* of a branch, once it was told */
    int times;
    int least, most; /* of a mean ... */
    int64_t sum;     /* ... and of its values */
} node;

typedef struct run {
    const gw_group *group; /* NULL: none */
    uint8_t bytes[RUN_BYTES];
    int again; /* times that they came since the items were counted */
    unsigned num;
    struct {
        unsigned leaf;
        int value; /* of a mean */
    } items[RUN_ITEMS];
} run;

typedef struct tally_sink {
    gw_sink base;
    stats_tree *tree;
    run *run; /* that is being noted; NULL: none */
    run runs[RUNS];
    uint8_t places[PLACES]; /* of nodes, by hash: index plus one */
    unsigned num;
    node nodes[MAX_NODES];
} tally_sink;

/* ---- what the tree is told ---- */

static void tell_times(stats_tree *tree, const node *n, int branch)
{
    const gw_field *field = n->field;
    const char *known =
        field->type == GW_BOOL ? field->label : gw_field_value_name(field, n->value);
    char name[NAME_LEN];

    if (known == NULL) {
        (void)snprintf(name, sizeof name, field->base == GW_HEX ? "0x%" PRIx64 : "%" PRIu64,
                       n->value);
        known = name;
    }
    increase_stat_node(tree, known, branch, FALSE, n->times);
}

/* The tree takes what it is told for one value of the mean, whose least and most it shows. So
 * least and most are told as such, and the other values as a few that lie between these and have
 * their sum: no more than there were, so that each can be as much as the least. */
static void tell_mean(stats_tree *tree, const node *n, int branch)
{
    const char *name = n->field->label;
    int64_t rest = n->sum - n->least;

    avg_stat_node_add_value_int(tree, name, branch, FALSE, n->least);
    if (n->times > 1)
        increase_stat_node(tree, name, branch, FALSE, n->times - 1);
    if (n->most > n->least) {
        avg_stat_node_add_value_notick(tree, name, branch, FALSE, n->most);
        rest -= n->most;
    }
    for (int64_t left = n->most > 0 ? (rest + n->most - 1) / n->most : 0; left > 0; left--) {
        int value = (int)(rest / left);
        avg_stat_node_add_value_notick(tree, name, branch, FALSE, value);
        rest -= value;
    }
}

static void forget(tally_sink *s)
{
    s->num = 0;
    memset(s->places, 0, sizeof s->places);
    s->run = NULL;
    for (unsigned i = 0; i < RUNS; i++) {
        s->runs[i].group = NULL;
        s->runs[i].again = 0;
    }
}

static void count(tally_sink *s, node *n, int value, int times)
{
    if (n->field->tallies == GW_TALLIES_MEAN) {
        n->least = n->times == 0 || value < n->least ? value : n->least;
        n->most = value > n->most ? value : n->most;
        n->sum += (int64_t)value * times;
    }
    n->times += times;
    s->nodes[n->branch].times += times;
}

static void count_again(tally_sink *s, run *r)
{
    for (unsigned i = 0; r->group != NULL && r->again > 0 && i < r->num; i++)
        count(s, &s->nodes[r->items[i].leaf], r->items[i].value, r->again);
    r->again = 0;
}

static void tell(tally_sink *s)
{
    for (unsigned i = 0; i < RUNS; i++)
        count_again(s, &s->runs[i]);
    for (node *n = s->nodes; n != s->nodes + s->num; n++) {
        if (n->field == NULL)
            n->id = increase_stat_node(s->tree, n->name, 0, TRUE, n->times);
        else if (n->field->tallies == GW_TALLIES_MEAN)
            tell_mean(s->tree, n, s->nodes[n->branch].id);
        else
            tell_times(s->tree, n, s->nodes[n->branch].id);
    }
    forget(s);
}

/* ---- what a message counts ---- */

/* The node of |field| and |value|, or of the branch |name|; a new one, for which there is room,
 * when there is none. */
static node *node_of(tally_sink *s, const gw_field *field, const char *name, uint64_t value)
{
    const void *what = field != NULL ? (const void *)field : name;
    size_t at = ((uintptr_t)what / sizeof *field + value) % PLACES;

    for (; s->places[at] != 0; at = (at + 1) % PLACES) {
        node *n = &s->nodes[s->places[at] - 1];
        if (n->field == field && n->name == name && n->value == value)
            return n;
    }
    s->nodes[s->num] = (node){.field = field, .name = name, .value = value};
    s->places[at] = (uint8_t)++s->num;
    return &s->nodes[s->num - 1];
}

/* The leaf of |field|, and of its |value| unless that is part of a mean. */
static node *leaf_of(tally_sink *s, const gw_field *field, uint64_t value)
{
    if (s->num + 2 > MAX_NODES)
        tell(s);
    unsigned num = s->num;
    node *branch = node_of(s, NULL, field->tally, 0);
    node *n = node_of(s, field, NULL, value);
    if (s->num > num)
        n->branch = (unsigned)(branch - s->nodes);
    return n;
}

/* The tree adds up what an int holds. */
static int at_most_int(uint64_t value)
{
    return value < INT_MAX ? (int)value : INT_MAX;
}

/* Forgets a run that has more items than are remembered. */
static void note(tally_sink *s, unsigned leaf, int value)
{
    run *r = s->run;

    if (r->num == RUN_ITEMS) {
        r->group = NULL;
        s->run = NULL;
        return;
    }
    r->items[r->num].leaf = leaf;
    r->items[r->num++].value = value;
}

static void tally(gw_sink *sink, const gw_item *item)
{
    tally_sink *s = (tally_sink *)sink;
    const gw_field *field = item->field;

    if (field->tallies == GW_TALLIES_NOTHING || (field->type == GW_BOOL && item->value == 0))
        return;
    bool mean = field->tallies == GW_TALLIES_MEAN;
    int value = mean ? at_most_int(item->value) : 0;
    node *n = leaf_of(s, field, mean ? 0 : item->value);
    count(s, n, value, 1);
    if (s->run != NULL && s->run->group == field->group)
        note(s, (unsigned)(n - s->nodes), value);
}

/* A group whose bytes came before counts the same again. */
static bool flat(gw_sink *sink, const gw_group *group, const uint8_t *bytes)
{
    tally_sink *s = (tally_sink *)sink;
    run *r = &s->runs[(uintptr_t)group / sizeof *group % RUNS];

    s->run = NULL;
    if (group->bytes > RUN_BYTES)
        return true;
    if (r->group == group && memcmp(r->bytes, bytes, group->bytes) == 0) {
        r->again++;
        return false;
    }
    count_again(s, r);
    r->group = group;
    memcpy(r->bytes, bytes, group->bytes);
    r->num = 0;
    s->run = r;
    return true;
}

void gw_ws_tally(stats_tree *tree, const gw_format *format, const gw_message *message,
                 const gw_dialect *dialect)
{
    tally_sink sink;

    sink.base = (gw_sink){.item = tally, .tallied = true, .flat = flat};
    sink.tree = tree;
    forget(&sink);
    (void)format->walk(message, dialect, &sink.base);
    tell(&sink);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of answers: what became of requests, and what answers answered. */
#include "stats/trees.h"

#include "stats/account.h"
#include "stats/tree.h"

typedef struct branch {
    const char *title;
    const char *(*leaf)(gw_relation_kind kind);
} branch;

static const branch requests = {"Requests", gw_relation_of_request};
static const branch answers = {"Answers", gw_relation_of_answer};

/* A message counts once, however many others it has that to do with. */
static bool count(stats_tree *tree, const branch *b, const gw_ws_meeting *meetings,
                  bool of_requests)
{
    bool seen[GW_NUM_RELATIONS] = {false};
    bool any = false, ambiguous = false;

    for (const gw_ws_meeting *m = meetings; m != NULL; m = m->next) {
        if (m->of_request != of_requests || b->leaf((gw_relation_kind)m->kind) == NULL)
            continue;
        seen[m->kind] = any = true;
        ambiguous = ambiguous || m->ambiguous;
    }
    if (!any)
        return false;
    int id = tick_stat_node(tree, b->title, 0, TRUE);
    for (unsigned kind = 0; kind < GW_NUM_RELATIONS; kind++) {
        if (seen[kind])
            tick_stat_node(tree, b->leaf((gw_relation_kind)kind), id, FALSE);
    }
    if (ambiguous)
        tick_stat_node(tree, "Ambiguous", id, FALSE);
    return true;
}

static tap_packet_status on_account(stats_tree *tree, packet_info *pinfo, epan_dissect_t *edt,
                                    const void *data, tap_flags_t flags)
{
    const gw_ws_account *account = (const gw_ws_account *)data;
    (void)pinfo;
    (void)edt;
    (void)flags;

    bool asked = count(tree, &requests, account->meetings, true);
    bool answered = count(tree, &answers, account->meetings, false);
    return asked || answered ? TAP_PACKET_REDRAW : TAP_PACKET_DONT_REDRAW;
}

static void init(stats_tree *tree)
{
    stats_tree_create_node(tree, requests.title, 0, STAT_DT_INT, TRUE);
    stats_tree_create_node(tree, answers.title, 0, STAT_DT_INT, TRUE);
}

void gw_ws_answers_register(const gw_format *format)
{
    gw_ws_tree_register(format, "answers", "Requests and answers", on_account, init);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of findings: which rules were broken how often, and where decoding stopped. */
#include "stats/trees.h"

#include <stdio.h>
#include <string.h>

#include "stats/account.h"
#include "stats/tree.h"

#define NAME_LEN 64 /* with a zero: longer rows push the counts out of Wireshark's window */
#define AND_SO_ON " ..."
#define NAMES 64 /* that are remembered: writing one takes as long as counting it twice */

/* "EB-M04: A packet names one address and one port width, both ..." */
static void name_row(char out[NAME_LEN], const gw_rule *rule)
{
    char *end = out + NAME_LEN - sizeof AND_SO_ON;

    if (snprintf(out, NAME_LEN, "%s: %s", rule->id, rule->text) < NAME_LEN)
        return;
    while (*end != ' ') /* one stands behind the id */
        end--;
    memcpy(end, AND_SO_ON, sizeof AND_SO_ON);
}

/* What the row of |rule| is called; valid until the next call. */
static const char *name_of(const gw_rule *rule)
{
    static struct {
        const gw_rule *rule;
        char name[NAME_LEN];
    } names[NAMES];
    const size_t i = (uintptr_t)rule / sizeof *rule % NAMES;

    if (names[i].rule != rule)
        name_row(names[i].name, rule);
    names[i].rule = rule;
    return names[i].name;
}

static void count_fault(stats_tree *tree, const gw_ws_fault *fault)
{
    const char *level =
        fault->waived ? "Known of the dialect" : gw_level_name((gw_level)fault->rule->level);
    int branch = tick_stat_node(tree, level, 0, TRUE);

    tick_stat_node(tree, name_of(fault->rule), branch, FALSE);
}

static void count_stop(stats_tree *tree, const gw_error *stopped)
{
    int branch = tick_stat_node(tree, "Decoding stopped", 0, TRUE);

    tick_stat_node(tree, gw_error_stopped(stopped), branch, FALSE);
}

static tap_packet_status on_account(stats_tree *tree, packet_info *pinfo, epan_dissect_t *edt,
                                    const void *data, tap_flags_t flags)
{
    const gw_ws_account *account = (const gw_ws_account *)data;
    (void)pinfo;
    (void)edt;
    (void)flags;

    if (account->faults == NULL && account->stopped.kind == GW_OK)
        return TAP_PACKET_DONT_REDRAW;
    for (const gw_ws_fault *f = account->faults; f != NULL; f = f->next)
        count_fault(tree, f);
    if (account->stopped.kind != GW_OK)
        count_stop(tree, &account->stopped);
    return TAP_PACKET_REDRAW;
}

static void init(stats_tree *tree)
{
    for (int level = GW_MUST; level <= GW_MAY; level++)
        stats_tree_create_node(tree, gw_level_name((gw_level)level), 0, STAT_DT_INT, TRUE);
}

void gw_ws_findings_register(const gw_format *format)
{
    gw_ws_tree_register(format, "findings", "Findings", on_account, init);
}

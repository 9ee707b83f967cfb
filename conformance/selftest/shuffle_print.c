/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire selftest --shuffle: the catalogue in random orders, and each case alone. */
#include "selftest/shuffle_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "evidence/exit.h"
#include "selftest/shuffle.h"

typedef struct sum {
    unsigned boards;
    unsigned runs;
    unsigned cases;
    unsigned disagree;
    bool broken;
    json_t *list; /* for --json */
} sum;

static void print_disagreement(const gw_disagreement *d)
{
    printf("  %s over %s%s%s: %s in the catalogue's order, %s ", d->which->id, d->over,
           d->dialect != NULL ? ", dialect " : "", d->dialect != NULL ? d->dialect->name : "",
           gw_verdict_name(d->usual), gw_verdict_name(d->other));
    if (d->order == 0)
        printf("alone");
    else if (d->behind == NULL)
        printf("first in order %u", d->order);
    else
        printf("behind %s in order %u", d->behind->id, d->order);
    printf("%s%s%s\n", d->text[0] != '\0' ? " (" : "", d->text, d->text[0] != '\0' ? ")" : "");
}

static void print_report(const gw_board *board, const gw_shuffle_report *report)
{
    printf("%s: %u runs, %u verdicts compared, %u disagree\n", board->role, report->runs,
           report->cases, report->num_found);
    for (unsigned i = 0; i < report->num_found && i < GW_SHUFFLE_MAX; i++)
        print_disagreement(&report->found[i]);
    if (report->num_found > GW_SHUFFLE_MAX)
        printf("  and %u more\n", report->num_found - GW_SHUFFLE_MAX);
}

static json_t *disagreement_json(const gw_disagreement *d)
{
    return json_pack("{s:s,s:s,s:s?,s:s,s:s,s:i,s:s?,s:s}", "case", d->which->id, "over", d->over,
                     "dialect", d->dialect != NULL ? d->dialect->name : NULL, "usual",
                     gw_verdict_name(d->usual), "other", gw_verdict_name(d->other), "order",
                     (int)d->order, "behind", d->behind != NULL ? d->behind->id : NULL, "text",
                     d->text);
}

static void add_json(json_t *list, const gw_board *board, const gw_shuffle_report *report)
{
    json_t *found = json_array();
    for (unsigned i = 0; i < report->num_found && i < GW_SHUFFLE_MAX; i++)
        json_array_append_new(found, disagreement_json(&report->found[i]));
    json_array_append_new(list, json_pack("{s:s,s:i,s:i,s:i,s:o}", "role", board->role, "runs",
                                          (int)report->runs, "verdicts", (int)report->cases,
                                          "disagree", (int)report->num_found, "found", found));
}

static void shuffle_board(sum *t, const gw_suite *suite, const gw_board *board, unsigned orders,
                          uint64_t seed)
{
    gw_shuffle_report report = {0};
    char why[256] = "";
    t->boards++;
    if (!gw_shuffle(&report, suite, board, orders, seed, why, sizeof(why))) {
        fprintf(stderr, "goldwire: selftest of %s: %s\n", board->role, why);
        t->broken = true;
        return;
    }
    if (t->list != NULL)
        add_json(t->list, board, &report);
    else
        print_report(board, &report);
    t->runs += report.runs;
    t->cases += report.cases;
    t->disagree += report.num_found;
}

int gw_selftest_shuffle(const char *role, unsigned orders, uint64_t seed, bool json)
{
    sum t = {.list = json ? json_array() : NULL};
    for (size_t i = 0; i < gw_num_suites; i++) {
        const gw_board *board = gw_board_by_role(gw_suites[i]->role);
        bool wanted = role == NULL || gw_suite_by_role(role) == gw_suites[i];
        if (wanted && board != NULL)
            shuffle_board(&t, gw_suites[i], board, orders, seed);
    }
    if (json) {
        json_dumpf(t.list, stdout, JSON_INDENT(1));
        printf("\n");
        json_decref(t.list);
    } else {
        printf("%u board%s, %u random order%s, seed %" PRIu64 ": %u of %u verdicts disagree\n",
               t.boards, t.boards == 1 ? "" : "s", orders, orders == 1 ? "" : "s", seed, t.disagree,
               t.cases);
    }
    if (t.broken)
        return GW_EXIT_TOOL;
    return t.disagree > 0 ? GW_EXIT_FAIL : GW_EXIT_OK;
}

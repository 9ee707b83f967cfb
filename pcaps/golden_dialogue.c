/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations with one software board each, as `goldwire record' makes them: the cases that are
 * named here, run in memory, packet by packet. They are sent to the board again by a test. */
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "peers/builtin.h"
#include "runner/dut.h"
#include "runner/select.h"
#include "runner/timing.h"

#define FRAME_MAX 2048
#define PACKETS_MAX 512

typedef struct dialogue {
    golden g;
    const gw_suite *suite;
    uint64_t told; /* lines whose link has been named, a bit each */
} dialogue;

/* The first packet of a case names it, the first of a line the board's link; each says what it is.
 */
static void comment_on(dialogue *d, char *out, size_t cap, const gw_result *result,
                       const gw_evidence *evidence, unsigned number, bool first)
{
    const gw_evidence_packet *p = gw_evidence_get(evidence, number);
    uint64_t bit = UINT64_C(1) << p->line % 64;
    char what[96] = "";
    int at = 0;

    gw_evidence_says(what, sizeof(what), evidence, p, d->suite->format, NULL);
    if (first)
        at = snprintf(out, cap, "case %s\n%s\nrole %s\n", result->which->id, result->which->title,
                      d->suite->role);
    if ((d->told & bit) == 0)
        at += snprintf(out + at, cap - (size_t)at, "link %s\n", p->link);
    d->told |= bit;
    (void)snprintf(out + at, cap - (size_t)at, "%s: %s", p->dir == GW_DIR_OUT ? "we" : "the board",
                   what);
}

/* Packets of several links come in the order in which they were read. */
static void in_order(unsigned order[PACKETS_MAX], const gw_evidence *evidence)
{
    if (evidence->num_packets > PACKETS_MAX)
        golden_die("too many packets");
    for (unsigned n = 1; n <= evidence->num_packets; n++) {
        unsigned at = n - 1;
        int64_t time = gw_evidence_get(evidence, n)->time_ns;
        for (; at > 0 && gw_evidence_get(evidence, order[at - 1])->time_ns > time; at--)
            order[at] = order[at - 1];
        order[at] = n;
    }
}

static bool keep(void *arg, const gw_result *result, const gw_evidence *evidence, char *why,
                 size_t why_cap)
{
    dialogue *d = arg;
    uint8_t frame[FRAME_MAX];
    char comment[512];
    unsigned order[PACKETS_MAX] = {0};

    (void)why;
    (void)why_cap;
    if (result->verdict != GW_PASS)
        golden_die(result->text);
    in_order(order, evidence);
    for (unsigned i = 0; i < evidence->num_packets; i++) {
        unsigned n = order[i];
        const gw_evidence_packet *p = gw_evidence_get(evidence, n);
        bool out = p->dir == GW_DIR_OUT;
        size_t len = gw_frame_udp_styled(frame, sizeof(frame), out ? &p->local : &p->remote,
                                         out ? &p->remote : &p->local, evidence->bytes + p->data,
                                         p->len, p->style);
        if (len == 0)
            golden_die(result->which->id);
        comment_on(d, comment, sizeof(comment), result, evidence, n, i == 0);
        golden_frame(&d->g, frame, len, len, p->time_ns, (gw_direction)p->dir, comment);
    }
    return true;
}

static void converse(const char *folder, const char *name, const char *role,
                     const char *const *cases)
{
    char why[256] = "";
    gw_run run;
    gw_selection selection;
    dialogue d = {.suite = gw_suite_by_role(role)};
    size_t num = 0;
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(role), NULL, false, why, sizeof(why));

    while (cases[num] != NULL)
        num++;
    if (dut == NULL || !gw_select(&selection, d.suite, cases, num))
        golden_die(why);
    golden_open(&d.g, folder, name);
    gw_run_setup setup = {.suite = d.suite,
                          .board = gw_builtin_board(role),
                          .target = gw_dut_target(dut),
                          .cases = selection.cases,
                          .num_cases = selection.num,
                          .seed = 1,
                          .keep = keep,
                          .keep_arg = &d};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)) || run.counts.of[GW_PASS] != num)
        golden_die(why);
    gw_run_free(&run);
    gw_selection_free(&selection);
    golden_close(&d.g);
    gw_dut_close(dut);
}

void golden_textarossa_dialogue(const char *folder)
{
    converse(folder, "textarossa-node", "textarossa-node",
             GW_LIST("tx-e/well-made", "tx-e/byte-order", "tx-e/sizes", "tx-r/reset-values"));
}

void golden_l1farm_dialogues(const char *folder)
{
    converse(folder, "l1farm-ru", "l1-ru", GW_LIST("l1-d/some-transfers"));
    converse(folder, "l1farm-cn", "l1-cn", GW_LIST("l1-e/newer"));
    converse(folder, "l1farm-du", "l1-du", GW_LIST("l1-u/order", "l1-u/late"));
}

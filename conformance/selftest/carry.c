/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding the fields that carry a rule. */
#include "selftest/carry.h"

#include <stdlib.h>
#include <string.h>

#include "device/dut.h"
#include "evidence/packet_message.h"
#include "formats/builtin.h"
#include "run/run.h"
#include "run/select.h"

bool gw_mutant_breaks(const gw_mutant *mutant, const char *rule)
{
    for (const char *const *id = mutant->rules; *id != NULL; id++)
        if (strcmp(*id, rule) == 0)
            return true;
    return false;
}

static void add(gw_carriers *c, const gw_field *field, const gw_mutant *shown_by)
{
    for (unsigned i = 0; i < c->num_fields; i++)
        if (strcmp(c->fields[i].field->name, field->name) == 0)
            return;
    if (c->num_fields < GW_CARRY_MAX)
        c->fields[c->num_fields++] = (gw_carry){field, shown_by};
}

static void add_kind(gw_carriers *c, const char *kind)
{
    for (unsigned i = 0; i < c->num_kinds; i++)
        if (strcmp(c->kinds[i], kind) == 0)
            return;
    if (c->num_kinds < GW_CARRY_KINDS)
        c->kinds[c->num_kinds++] = kind;
}

/* What looks at the evidence of a run. */
typedef struct witness {
    gw_carriers *carriers;
    const gw_format *format;
    const gw_rule *rule;
} witness;

/* What the board sent, and the case judged by. Pieces of a stream are no messages. */
static bool look(void *arg, const gw_result *result, const gw_evidence *evidence, char *why,
                 size_t why_cap)
{
    const witness *w = arg;
    const gw_evidence_packet *packet = gw_evidence_get(evidence, result->packet);
    gw_message message;
    (void)why;
    (void)why_cap;
    if (result->rule != w->rule || packet == NULL || packet->dir == GW_DIR_OUT || packet->stream ||
        packet->regs || !gw_evidence_message(&message, evidence, result->packet, w->format))
        return true;
    add_kind(w->carriers, gw_format_transaction(w->format, NULL, &message, NULL, NULL).kind);
    return true;
}

/* Some documents are quoted as a whole, which tells nothing about a field. */
static bool is_place(const char *clause)
{
    return clause[strcspn(clause, "0123456789")] != '\0';
}

static void add_quoting(gw_carriers *c, const gw_format *format, const char *clause)
{
    for (size_t g = 0; g < format->num_groups; g++)
        for (size_t i = 0; i < format->groups[g]->num_fields; i++) {
            const gw_field *field = &format->groups[g]->fields[i];
            if (field->clause != NULL && strcmp(field->clause, clause) == 0)
                add(c, field, NULL);
        }
}

static void add_named(gw_carriers *c, const gw_run *run, const gw_rule *rule,
                      const gw_mutant *mutant)
{
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *result = &run->results[i];
        if (result->rule == rule && result->field != NULL)
            add(c, result->field, mutant);
    }
}

/* A mutant that cannot be run shows nothing; the self-test is there to tell. */
static void run_mutant(gw_carriers *c, const gw_suite *suite, const gw_board *board,
                       const gw_mutant *mutant, const gw_rule *rule, gw_carriage carriage)
{
    char why[256];
    gw_run run;
    gw_case_list selection;
    static const gw_board_file nothing;
    const gw_board_file *description = gw_builtin_board(board->role);
    gw_dut *dut = gw_dut_in_memory(board, mutant, carriage, why, sizeof(why));
    if (dut == NULL || !gw_select(&selection, suite, NULL, 0)) {
        gw_dut_close(dut);
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < selection.num; i++)
        if (gw_case_tests(selection.cases[i], rule->id))
            selection.cases[kept++] = selection.cases[i];
    witness w = {c, suite->format, rule};
    gw_run_setup setup = {.suite = suite,
                          .board = description != NULL ? description : &nothing,
                          .target = gw_dut_target(dut),
                          .cases = selection.cases,
                          .num_cases = kept,
                          .seed = 1,
                          .keep = look,
                          .keep_arg = &w};
    if (gw_run_cases(&run, &setup, why, sizeof(why)))
        add_named(c, &run, rule, mutant);
    gw_run_free(&run);
    gw_case_list_free(&selection);
    gw_dut_close(dut);
}

void gw_carry_find(gw_carriers *out, const gw_suite *suite, const gw_board *board,
                   const gw_rule *rule)
{
    memset(out, 0, sizeof(*out));
    for (size_t i = 0; board != NULL && i < board->num_mutants; i++) {
        if (!gw_mutant_breaks(&board->mutants[i], rule->id))
            continue;
        if (board->mutants[i].wire != 0) {
            run_mutant(out, suite, board, &board->mutants[i], rule, GW_CARRY_RAW);
            continue;
        }
        run_mutant(out, suite, board, &board->mutants[i], rule, GW_CARRY_UDP);
        if (gw_carriage_fits(board, GW_CARRY_TCP))
            run_mutant(out, suite, board, &board->mutants[i], rule, GW_CARRY_TCP);
    }
    if (is_place(rule->clause))
        add_quoting(out, suite->format, rule->clause);
}

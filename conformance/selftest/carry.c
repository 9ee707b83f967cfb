/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding the fields that carry a rule. */
#include "selftest/carry.h"

#include <stdlib.h>
#include <string.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "run/run.h"
#include "run/select.h"

typedef struct carriers {
    gw_carry *out;
    unsigned num;
} carriers;

bool gw_mutant_breaks(const gw_mutant *mutant, const char *rule)
{
    for (const char *const *id = mutant->rules; *id != NULL; id++)
        if (strcmp(*id, rule) == 0)
            return true;
    return false;
}

static void add(carriers *c, const gw_field *field, const gw_mutant *shown_by)
{
    for (unsigned i = 0; i < c->num; i++)
        if (strcmp(c->out[i].field->name, field->name) == 0)
            return;
    if (c->num < GW_CARRY_MAX)
        c->out[c->num++] = (gw_carry){field, shown_by};
}

/* Some documents are quoted as a whole, which tells nothing about a field. */
static bool is_place(const char *clause)
{
    return clause[strcspn(clause, "0123456789")] != '\0';
}

static void add_quoting(carriers *c, const gw_format *format, const char *clause)
{
    for (size_t g = 0; g < format->num_groups; g++)
        for (size_t i = 0; i < format->groups[g]->num_fields; i++) {
            const gw_field *field = &format->groups[g]->fields[i];
            if (field->clause != NULL && strcmp(field->clause, clause) == 0)
                add(c, field, NULL);
        }
}

static void add_named(carriers *c, const gw_run *run, const gw_rule *rule, const gw_mutant *mutant)
{
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *result = &run->results[i];
        if (result->rule == rule && result->field != NULL)
            add(c, result->field, mutant);
    }
}

/* A mutant that cannot be run shows nothing; the self-test is there to tell. */
static void run_mutant(carriers *c, const gw_suite *suite, const gw_board *board,
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
    gw_run_setup setup = {.suite = suite,
                          .board = description != NULL ? description : &nothing,
                          .target = gw_dut_target(dut),
                          .cases = selection.cases,
                          .num_cases = kept,
                          .seed = 1};
    if (gw_run_cases(&run, &setup, why, sizeof(why)))
        add_named(c, &run, rule, mutant);
    gw_run_free(&run);
    gw_case_list_free(&selection);
    gw_dut_close(dut);
}

unsigned gw_carry_find(gw_carry out[GW_CARRY_MAX], const gw_suite *suite, const gw_board *board,
                       const gw_rule *rule)
{
    carriers c = {.out = out};
    for (size_t i = 0; board != NULL && i < board->num_mutants; i++) {
        if (!gw_mutant_breaks(&board->mutants[i], rule->id))
            continue;
        if (board->mutants[i].wire != 0) {
            run_mutant(&c, suite, board, &board->mutants[i], rule, GW_CARRY_RAW);
            continue;
        }
        run_mutant(&c, suite, board, &board->mutants[i], rule, GW_CARRY_UDP);
        if (gw_carriage_fits(board, GW_CARRY_TCP))
            run_mutant(&c, suite, board, &board->mutants[i], rule, GW_CARRY_TCP);
    }
    if (is_place(rule->clause))
        add_quoting(&c, suite->format, rule->clause);
    return c.num;
}

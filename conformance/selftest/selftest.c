/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the catalogue against software boards in memory and looks who was found out, and by what. */
#include "selftest/selftest.h"

#include <stdio.h>
#include <string.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "run/select.h"

static bool breaks(const gw_mutant *mutant, const char *rule)
{
    for (const char *const *r = mutant->rules; *r != NULL; r++)
        if (strcmp(*r, rule) == 0)
            return true;
    return false;
}

/* The rule that the verdict names counts; without one, any that the case tests. */
static bool is_about(const gw_result *result, const gw_mutant *mutant)
{
    if (result->rule != NULL)
        return breaks(mutant, result->rule->id);
    for (const char *const *r = result->which->rules; *r != NULL; r++)
        if (breaks(mutant, *r))
            return true;
    return false;
}

static void note_result(gw_detection *out, const gw_result *result, size_t place, const char *over)
{
    bool judged = result->verdict == GW_FAIL || result->verdict == GW_WARN;
    if (judged && out->mutant != NULL && is_about(result, out->mutant)) {
        out->detected = true;
        out->failed[place / 64] |= UINT64_C(1) << place % 64;
        if (out->num_by < GW_SELFTEST_CASES) {
            out->by[out->num_by] = result->which;
            out->over[out->num_by++] = over;
        }
        return;
    }
    bool undecided = result->verdict == GW_INCONC && gw_impairs(&out->path);
    if (!judged && (out->mutant != NULL || result->verdict == GW_PASS || result->verdict == GW_NA ||
                    undecided))
        return;
    if (out->num_extra == 0)
        (void)snprintf(out->extra_text, sizeof(out->extra_text), "%s", result->text);
    if (out->num_extra < GW_SELFTEST_CASES) {
        out->extra[out->num_extra] = result->which;
        out->extra_over[out->num_extra++] = over;
    }
}

static bool run_over(gw_detection *out, const gw_suite *suite, const gw_board *board,
                     gw_carriage carriage, char *why, size_t why_cap)
{
    gw_case_list all;
    gw_run run;
    static const gw_board_file nothing;
    const gw_board_file *description = gw_builtin_board(board->role);
    gw_dut *dut = gw_dut_behind(board, out->mutant, carriage, &out->path, why, why_cap);
    if (dut == NULL)
        return false;
    if (!gw_select(&all, suite, NULL, 0)) {
        (void)snprintf(why, why_cap, "out of memory");
        gw_dut_close(dut);
        return false;
    }
    if (all.num > GW_SELFTEST_MAX) {
        (void)snprintf(why, why_cap, "more than %d cases", GW_SELFTEST_MAX);
        gw_case_list_free(&all);
        gw_dut_close(dut);
        return false;
    }
    gw_run_setup setup = {.suite = suite,
                          .board = description != NULL ? description : &nothing,
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = 1};
    bool ok = gw_run_cases(&run, &setup, why, why_cap);
    for (size_t i = 0; ok && i < run.num_results; i++) {
        note_result(out, &run.results[i], i, gw_carriage_name(carriage));
        out->counts.of[run.results[i].verdict]++;
    }
    out->reached = out->reached || (ok && run.answered);
    gw_run_free(&run);
    gw_case_list_free(&all);
    gw_dut_close(dut);
    return ok;
}

bool gw_selftest(gw_detection *out, const gw_suite *suite, const gw_board *board,
                 const gw_mutant *mutant, const gw_impairment *path, char *why, size_t why_cap)
{
    memset(out, 0, sizeof(*out));
    out->mutant = mutant;
    if (path != NULL)
        out->path = *path;
    /* What is wrong below UDP shows in frames only, and nothing else shows better there. */
    bool wire = mutant == NULL || mutant->wire != 0;
    bool above = mutant == NULL || mutant->wire == 0;
    if (above && !run_over(out, suite, board, GW_CARRY_UDP, why, why_cap))
        return false;
    if (above && gw_carriage_fits(board, GW_CARRY_TCP) &&
        !run_over(out, suite, board, GW_CARRY_TCP, why, why_cap))
        return false;
    return !wire || !gw_carriage_fits(board, GW_CARRY_RAW) ||
           run_over(out, suite, board, GW_CARRY_RAW, why, why_cap);
}

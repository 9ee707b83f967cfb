/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of replays share: recording a board in memory, and playing what it said to another
 * one. */
#ifndef REPLAY_TESTING_H
#define REPLAY_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/temporary_testing.h"
#include "peers/builtin.h"
#include "replay/replay.h"
#include "runner/dut.h"
#include "runner/select.h"

/* Seconds of real time that nothing here may take. */
#define FOREVER 120

/* Where a test keeps its trace. */
static char path[64];

static inline int set_up(void **state)
{
    (void)state;
    gw_temporary place;
    assert_true(gw_temporary_file(&place, ""));
    (void)snprintf(path, sizeof(path), "%s", place.path);
    alarm(FOREVER);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    alarm(0);
    return unlink(path);
}

/* ---- recording ---- */

static inline bool keep(void *arg, const gw_result *result, const gw_evidence *evidence, char *why,
                        size_t why_cap)
{
    char title[256];
    (void)why;
    (void)why_cap;
    (void)snprintf(title, sizeof(title), "case %s", result->which->id);
    bool good = result->verdict == GW_PASS || result->verdict == GW_NA;
    return !good || result->which->endless || gw_evidence_append(arg, evidence, title);
}

static inline void record_cases(const char *role, bool stream, const char *const *globs,
                                size_t num_globs)
{
    char why[256];
    gw_run run;
    gw_selection cases;
    const gw_suite *suite = gw_suite_by_role(role);
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(role), NULL, stream, why, sizeof(why));
    FILE *file = fopen(path, "wb");
    assert_non_null(dut);
    assert_non_null(file);
    gw_evidence_file *out = gw_evidence_create(file);
    assert_non_null(out);
    assert_true(gw_select(&cases, suite, globs, num_globs));
    gw_run_setup setup = {.suite = suite,
                          .board = gw_builtin_board(role),
                          .target = gw_dut_target(dut),
                          .cases = cases.cases,
                          .num_cases = cases.num,
                          .seed = 1,
                          .keep = keep,
                          .keep_arg = out};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    assert_true(run.counts.of[GW_PASS] + run.counts.of[GW_NA] > 0);
    gw_run_free(&run);
    gw_selection_free(&cases);
    assert_true(gw_evidence_close(out));
    assert_int_equal(fclose(file), 0);
    gw_dut_close(dut);
}

static inline void record(const char *role, bool stream, const char *glob)
{
    record_cases(role, stream, &glob, 1);
}

/* ---- replaying ---- */

typedef struct played {
    gw_result result;
    gw_replay_report report;
} played;

static inline gw_trace *load(const char *role, char *why, size_t why_cap)
{
    gw_trace_wish wish = {.role = gw_board_by_role(role)};
    return gw_trace_load(path, &wish, why, why_cap);
}

static inline played play_against(gw_target *target, const char *role, gw_replay_mode mode)
{
    char why[256] = "";
    gw_run run;
    played p;
    gw_trace *trace = load(role, why, sizeof(why));
    assert_non_null(trace);
    gw_replay_options options = {.mode = mode};
    gw_replay *replay = gw_replay_new(trace, &options);
    const gw_case *one = gw_replay_case(replay);
    gw_run_setup setup = {.suite = gw_suite_by_role(role),
                          .board = gw_builtin_board(role),
                          .target = target,
                          .cases = &one,
                          .num_cases = 1,
                          .seed = 7};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    p.result = run.results[0];
    p.report = *gw_replay_outcome(replay);
    gw_run_free(&run);
    gw_replay_free(replay);
    return p;
}

/* The software board of |role| with |mutant| (NULL: none), in memory. */
static inline gw_dut *start(const char *role, const char *mutant, bool stream)
{
    char why[256];
    const gw_board *board = gw_board_by_role(role);
    const gw_mutant *m = mutant != NULL ? gw_mutant_by_id(board, mutant) : NULL;
    assert_true(mutant == NULL || m != NULL);
    gw_dut *dut = gw_dut_in_memory(board, m, stream, why, sizeof(why));
    assert_non_null(dut);
    return dut;
}

static inline played play(const char *role, const char *mutant, bool stream, gw_replay_mode mode)
{
    gw_dut *dut = start(role, mutant, stream);
    played p = play_against(gw_dut_target(dut), role, mode);
    gw_dut_close(dut);
    return p;
}

#endif

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

#include "device/dut.h"
#include "formats/builtin.h"
#include "harness/temporary_testing.h"
#include "replay/recording.h"
#include "replay/replay.h"
#include "run/select.h"

/* Seconds of real time that nothing here may take. */
#define FOREVER 600

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

/* A trace that is being made. */
typedef struct recorder {
    gw_evidence_file *out;
    const gw_suite *suite;
    const gw_board_file *board;
    const gw_dialect *dialect;
    bool golden; /* as `goldwire record' makes it: what a replay would refuse is left out */
    bool told;
} recorder;

static inline bool keep(void *arg, const gw_result *result, const gw_evidence *evidence, char *why,
                        size_t why_cap)
{
    recorder *r = arg;
    char title[GW_RECORDING_TITLE];
    bool good = result->verdict == GW_PASS || result->verdict == GW_NA;
    if (!good || result->which->endless || evidence->num_packets == 0)
        return true;
    if (r->golden && !gw_recording_may(result->which, evidence, r->suite, r->dialect, r->board,
                                       "/tmp", why, why_cap))
        return true;
    gw_recording_title(title, sizeof(title), result->which, r->suite, r->told ? NULL : r->board);
    r->told = true;
    return gw_evidence_append(r->out, evidence, title);
}

/* Whether anything was kept. */
static inline bool record_board(gw_dut *dut, const char *role, const char *const *globs,
                                size_t num_globs, bool golden)
{
    char why[256];
    gw_run run;
    gw_case_list cases;
    const gw_suite *suite = gw_suite_by_role(role);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    recorder r = {.out = gw_evidence_create(file),
                  .suite = suite,
                  .board = gw_builtin_board(role),
                  .dialect = gw_dut_dialect(dut),
                  .golden = golden};
    assert_non_null(r.out);
    assert_true(gw_select(&cases, suite, globs, num_globs));
    gw_run_setup setup = {.suite = suite,
                          .board = r.board,
                          .target = gw_dut_target(dut),
                          .dialect = r.dialect,
                          .cases = cases.cases,
                          .num_cases = cases.num,
                          .seed = 1,
                          .keep = keep,
                          .keep_arg = &r};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    assert_true(run.counts.of[GW_PASS] + run.counts.of[GW_NA] > 0);
    gw_run_free(&run);
    gw_case_list_free(&cases);
    assert_true(gw_evidence_close(r.out));
    assert_int_equal(fclose(file), 0);
    return r.told;
}

static inline void record_from(const char *role, bool stream, const char *const *globs,
                               size_t num_globs, bool golden)
{
    char why[256];
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(role), NULL, stream, why, sizeof(why));
    assert_non_null(dut);
    assert_true(record_board(dut, role, globs, num_globs, golden));
    gw_dut_close(dut);
}

static inline void record_cases(const char *role, bool stream, const char *const *globs,
                                size_t num_globs)
{
    record_from(role, stream, globs, num_globs, false);
}

static inline void record(const char *role, bool stream, const char *glob)
{
    record_cases(role, stream, &glob, 1);
}

/* ---- replaying ---- */

typedef struct played {
    gw_result result;
    gw_replay_report report;
    unsigned left_out; /* parts of the trace */
} played;

static inline gw_trace *load_in(const char *role, const gw_dialect *dialect, char *why,
                                size_t why_cap)
{
    gw_trace_wish wish = {.role = gw_board_by_role(role), .dialect = dialect};
    return gw_trace_load(path, &wish, why, why_cap);
}

static inline gw_trace *load(const char *role, char *why, size_t why_cap)
{
    return load_in(role, NULL, why, why_cap);
}

/* Plays the trace to the board that |board| describes, in |dialect|. */
static inline played play_in(gw_target *target, const char *role, const gw_board_file *board,
                             const gw_dialect *dialect, gw_replay_mode mode)
{
    char why[512] = "";
    gw_run run;
    played p;
    gw_trace *trace = load_in(role, dialect, why, sizeof(why));
    assert_non_null(trace);
    if (!gw_trace_fit(trace, gw_board_by_role(role), board, false, why, sizeof(why)))
        fail_msg("%s: %s", role, why);
    p.left_out = trace->num_left_out;
    gw_replay_options options = {.mode = mode};
    gw_replay *replay = gw_replay_new(trace, &options);
    const gw_case *one = gw_replay_case(replay);
    gw_run_setup setup = {.suite = gw_suite_by_role(role),
                          .board = board,
                          .target = target,
                          .dialect = dialect,
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

static inline played play_described(gw_target *target, const char *role, const gw_board_file *board,
                                    gw_replay_mode mode)
{
    return play_in(target, role, board, NULL, mode);
}

static inline played play_against(gw_target *target, const char *role, gw_replay_mode mode)
{
    return play_described(target, role, gw_builtin_board(role), mode);
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

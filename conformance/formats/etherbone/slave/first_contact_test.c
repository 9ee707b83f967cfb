/* SPDX-License-Identifier: BSD-2-Clause */
/* Slaves that are met for the first time and are not as they should be: what is said of them before
 * the first case tells what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "formats/etherbone/slave/board.h"
#include "formats/etherbone/slave/suite.h"
#include "run/run.h"
#include "run/select.h"

/* Certifies |dut|, which it closes. */
static void certify(gw_run *run, gw_dut *dut)
{
    char why[256] = "";
    gw_case_list all;
    assert_non_null(dut);
    assert_true(gw_select(&all, &gw_eb_s_suite, NULL, 0));
    gw_run_setup setup = {.suite = &gw_eb_s_suite,
                          .board = gw_builtin_board("etherbone-slave"),
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = 1};
    if (!gw_run_cases(run, &setup, why, sizeof(why)))
        fail_msg("%s", why);
    gw_case_list_free(&all);
    gw_dut_close(dut);
}

static const gw_result *result_of(const gw_run *run, const char *id)
{
    for (size_t i = 0; i < run->num_results; i++)
        if (strcmp(run->results[i].which->id, id) == 0)
            return &run->results[i];
    fail_msg("no case %s", id);
    return NULL;
}

/* ---- far away ---- */

static void certify_at(gw_run *run, unsigned trip_ms)
{
    char why[256] = "";
    const gw_impairment path = {.delay_ns = trip_ms * GW_MS / 2};
    certify(run, gw_dut_behind(&gw_eb_slave_board, NULL, GW_CARRY_UDP, &path, why, sizeof(why)));
}

/* Answers come, all of them too late: that is no silence, and there is an option for it. */
static void who_answers_too_late_is_told_how_to_wait(void **state)
{
    static const struct {
        unsigned trip_ms;
        const char *option;
    } ways[] = {{520, "--patience 2 "}, {700, "--patience 3 "}, {2900, "--patience 9 "}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(ways); i++) {
        gw_run run;
        certify_at(&run, ways[i].trip_ms);
        assert_false(run.answered);
        assert_true(run.late);
        assert_int_equal(run.counts.of[GW_INCONC], run.num_results);
        assert_int_equal(run.path.rtt.num, 0); /* which answer was to which attempt nobody knows */
        if (strstr(run.preflight, ways[i].option) == NULL ||
            strstr(run.preflight, "no answer to 16 attempts of 500 ms") == NULL ||
            strstr(run.results[0].text, ways[i].option) == NULL)
            fail_msg("%u ms: %s / %s", ways[i].trip_ms, run.preflight, run.results[0].text);
        gw_run_free(&run);
    }
}

static void who_answers_in_time_is_told_nothing(void **state)
{
    gw_run run;
    (void)state;
    certify_at(&run, 450);
    assert_true(run.answered);
    assert_false(run.late);
    assert_int_equal(run.counts.of[GW_FAIL], 0);
    gw_run_free(&run);
}

/* ---- there, and no use ---- */

static uint32_t to_drop; /* reads and writes, before the first is let through; UINT32_MAX: all */

static bool answers_probes_only(gw_eb_incoming *in)
{
    if (in->len < 4 || (in->data[2] & GW_EB_PF) != 0)
        return true;
    if (to_drop == 0)
        return true;
    to_drop -= to_drop != UINT32_MAX;
    return false;
}

static const gw_eb_mutation mute = {.in = answers_probes_only};
static const gw_mutant useless = {
    .id = "useless", .what = "answers probes and nothing else", .mutation = &mute};

static void certify_useless(gw_run *run, uint32_t drops)
{
    char why[256] = "";
    const gw_impairment path = {.delay_ns = GW_MS};
    to_drop = drops;
    certify(run,
            gw_dut_behind(&gw_eb_slave_board, &useless, GW_CARRY_UDP, &path, why, sizeof(why)));
}

/* It is seen at once, it is the board's fault, and nobody waits for the rest of the catalogue. */
static void who_answers_probes_only_is_told_apart(void **state)
{
    gw_run run;
    (void)state;
    certify_useless(&run, UINT32_MAX);
    assert_true(run.answered);
    assert_non_null(strstr(run.preflight, "it answers probes, but none of 4 reads at address 0x0"));
    assert_string_equal(run.unserved_by, "eb-s/read-answered");
    assert_int_equal(result_of(&run, "eb-s/probe-answered")->verdict, GW_PASS);
    assert_int_equal(result_of(&run, "eb-s/read-answered")->verdict, GW_FAIL);
    const gw_result *untried = result_of(&run, "eb-s/write-read");
    assert_int_equal(untried->verdict, GW_INCONC);
    assert_non_null(strstr(untried->text,
                           "builds on eb-s/read-answered, which did not pass (FAIL), "
                           "and was not tried: it answers probes"));
    assert_int_equal(untried->num_packets, 0);
    gw_run_free(&run);
}

/* What is lost at the beginning leaves no case out. */
static void who_answers_reads_later_is_tried(void **state)
{
    gw_run run;
    (void)state;
    certify_useless(&run, 4);
    assert_string_equal(run.unserved_by, "eb-s/read-answered");
    assert_int_equal(result_of(&run, "eb-s/read-answered")->verdict, GW_PASS);
    assert_int_equal(result_of(&run, "eb-s/write-read")->verdict, GW_PASS);
    assert_int_equal(run.counts.of[GW_FAIL], 0);
    gw_run_free(&run);
    certify_useless(&run, 0);
    assert_null(run.unserved_by);
    assert_string_equal(run.unserved, "");
    gw_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_answers_too_late_is_told_how_to_wait),
        cmocka_unit_test(who_answers_in_time_is_told_nothing),
        cmocka_unit_test(who_answers_probes_only_is_told_apart),
        cmocka_unit_test(who_answers_reads_later_is_tried),
    };
    return cmocka_run_group_tests_name("eb_first_contact", tests, NULL, NULL);
}

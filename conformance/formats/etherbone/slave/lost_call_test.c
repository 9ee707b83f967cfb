/* SPDX-License-Identifier: BSD-2-Clause */
/* A call over TCP that the path loses is made once more; one that nobody takes leaves the case
 * open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "formats/etherbone/slave/board.h"
#include "formats/etherbone/slave/suite.h"
#include "run/run.h"

static gw_transport *(*open_)(gw_target *, unsigned, int64_t, bool *, char *, size_t);
static unsigned calls;   /* since the last that got through */
static unsigned lost;    /* of those, at the most */
static bool cases_begin; /* the second of two does: before, nothing is lost */

static gw_transport *lose(gw_target *target, unsigned link, int64_t timeout_ns, bool *unreachable,
                          char *why, size_t why_cap)
{
    if (cases_begin && calls++ < lost) {
        *unreachable = true;
        (void)snprintf(why, why_cap, "it was lost");
        return NULL;
    }
    calls = 0;
    return open_(target, link, timeout_ns, unreachable, why, why_cap);
}

static void look_on(void *arg, size_t done, size_t total, const gw_case *next)
{
    (void)arg;
    (void)total;
    cases_begin = done > 0 && next != NULL;
}

/* The second of two cases, whose calls are lost |times| times. */
static gw_verdict second_of_two(unsigned times)
{
    static const char *const ids[] = {"eb-s/probe-answered", "eb-s/read-answered"};
    const gw_case *cases[GW_ARRAY_LEN(ids)];
    const gw_impairment path = {.delay_ns = GW_MS};
    gw_run run;
    char why[256] = "";
    for (size_t i = 0; i < GW_ARRAY_LEN(ids); i++)
        cases[i] = gw_suite_case(&gw_eb_s_suite, ids[i]);
    gw_dut *dut = gw_dut_behind(&gw_eb_slave_board, NULL, GW_CARRY_TCP, &path, why, sizeof(why));
    assert_non_null(dut);
    gw_target *target = gw_dut_target(dut);
    open_ = target->open;
    target->open = lose;
    calls = 0;
    lost = times;
    cases_begin = false;
    gw_run_setup setup = {.suite = &gw_eb_s_suite,
                          .board = gw_builtin_board("etherbone-slave"),
                          .target = target,
                          .cases = cases,
                          .num_cases = GW_ARRAY_LEN(cases),
                          .progress = look_on,
                          .seed = 1};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)))
        fail_msg("%s", why);
    gw_verdict verdict = run.results[1].verdict;
    gw_run_free(&run);
    gw_dut_close(dut);
    return verdict;
}

static void a_lost_call_is_made_once_more(void **state)
{
    (void)state;
    assert_int_equal(second_of_two(0), GW_PASS);
    assert_int_equal(second_of_two(1), GW_PASS);
}

static void a_call_that_nobody_takes_leaves_the_case_open(void **state)
{
    (void)state;
    assert_int_equal(second_of_two(UINT32_MAX), GW_INCONC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_call_is_made_once_more),
        cmocka_unit_test(a_call_that_nobody_takes_leaves_the_case_open),
    };
    return cmocka_run_group_tests_name("eb_lost_call", tests, NULL, NULL);
}

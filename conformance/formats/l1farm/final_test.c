/* SPDX-License-Identifier: BSD-2-Clause */
/* Readout unit of the planned farm, whose rows have two units: the good board passes its cases, and
 * mutants fail those that the prototype has no use for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "run/run.h"
#include "run/select.h"

/* A run of all cases against one unit. */
typedef struct trial {
    const gw_suite *suite;
    gw_dut *dut;
    gw_case_list all;
    gw_run run;
} trial;

static void try_unit(trial *t, const char *mutant)
{
    char why[256] = "";
    char url[128];
    const gw_dut_place place = {.link = "", .url = url};

    *t = (trial){.suite = gw_suite_by_role("l1-ru")};
    (void)snprintf(url, sizeof(url), "peer:l1-ru?dialect=final&via=mem%s", mutant);
    t->dut = gw_dut_open(&place, 1, gw_board_by_role("l1-ru"), false, why, sizeof(why));
    if (t->dut == NULL)
        fail_msg("%s: %s", url, why);
    assert_true(gw_select(&t->all, t->suite, NULL, 0));
    gw_run_setup setup = {.suite = t->suite,
                          .board = gw_builtin_board("l1-ru"),
                          .target = gw_dut_target(t->dut),
                          .cases = t->all.cases,
                          .num_cases = t->all.num,
                          .dialect = gw_dut_dialect(t->dut),
                          .seed = 1};
    if (!gw_run_cases(&t->run, &setup, why, sizeof(why)))
        fail_msg("%s: %s", url, why);
}

static void end_trial(trial *t)
{
    gw_run_free(&t->run);
    gw_case_list_free(&t->all);
    gw_dut_close(t->dut);
}

static const gw_result *result_of(const trial *t, const char *id)
{
    for (size_t i = 0; i < t->run.num_results; i++) {
        if (strcmp(t->run.results[i].which->id, id) == 0)
            return &t->run.results[i];
    }
    fail_msg("no case '%s'", id);
    return NULL;
}

static void assert_fails(const char *mutant, const char *id, const char *rule)
{
    trial t;

    try_unit(&t, mutant);
    const gw_result *result = result_of(&t, id);
    assert_int_equal(result->verdict, GW_FAIL);
    assert_string_equal(result->rule->id, rule);
    end_trial(&t);
}

static void the_good_unit_passes(void **state)
{
    trial t;

    (void)state;
    try_unit(&t, "");
    for (size_t i = 0; i < t.run.num_results; i++) {
        gw_verdict verdict = t.run.results[i].verdict;
        if (verdict != GW_PASS && verdict != GW_NA)
            fail_msg("%s: %s", t.run.results[i].which->id, t.run.results[i].text);
    }
    assert_int_equal(result_of(&t, "l1-x/row")->verdict, GW_PASS);
    assert_int_equal(result_of(&t, "l1-x/row-disturbed")->verdict, GW_PASS);
    end_trial(&t);
}

static void its_row_is_judged(void **state)
{
    (void)state;
    assert_fails("&mutant=m-small-table", "l1-x/row", "L1-X02");
    assert_fails("&mutant=m-forwards-twice", "l1-x/row", "L1-G07");
}

/* Nothing is corrected where nothing is disturbed. */
static void its_row_is_judged_when_disturbed(void **state)
{
    trial t;

    (void)state;
    try_unit(&t, "&mutant=m-corrected-twice");
    assert_int_equal(result_of(&t, "l1-x/row")->verdict, GW_PASS);
    end_trial(&t);
    assert_fails("&mutant=m-corrected-twice", "l1-x/row-disturbed", "L1-G07");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_good_unit_passes),
        cmocka_unit_test(its_row_is_judged),
        cmocka_unit_test(its_row_is_judged_when_disturbed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

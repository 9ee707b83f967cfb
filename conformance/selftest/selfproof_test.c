/* SPDX-License-Identifier: BSD-2-Clause */
/* The self-proof proves every suite, and refuses one that finds nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "selftest/selfproof.h"

static void every_suite_is_proven(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_suites; i++) {
        gw_selfproof proof;
        gw_selfproof_make(&proof, gw_suites[i]);
        if (!proof.proven)
            fail_msg("%s: %s", gw_suites[i]->role, proof.why);
        assert_int_equal(proof.num_units, gw_suites[i]->num_groups);
        assert_true(proof.good_passed > 0);
        assert_true(proof.num_mutants > 0);
        for (size_t u = 0; u < proof.num_units; u++)
            assert_non_null(proof.units[u].mutant);
    }
}

/* ---- suites that must not pass for good ones ---- */

static void passes(gw_ctx *ctx)
{
    (void)ctx;
}

static void fails(gw_ctx *ctx)
{
    gw_case_fail(ctx, &(gw_miss){.rule = "EB-S04"}, "found something that is not there");
}

static void expect_no_proof(const gw_case *cases, const char *text)
{
    const gw_case *const groups[] = {cases};
    gw_suite blind = *gw_suite_by_role("etherbone-slave");
    gw_selfproof proof;
    blind.groups = groups;
    blind.num_groups = 1;
    gw_selfproof_make(&proof, &blind);
    assert_false(proof.proven);
    if (strstr(proof.why, text) == NULL)
        fail_msg("'%s' should contain '%s'", proof.why, text);
    json_t *object = gw_selfproof_json(&proof);
    assert_non_null(object);
    assert_true(json_is_false(json_object_get(object, "proven")));
    json_decref(object);
}

static void blind_cases_prove_nothing(void **state)
{
    (void)state;
    const gw_case blind[] = {
        {.id = "t/blind", .title = "Sees nothing", .rules = GW_LIST("EB-S04"), .run = passes}, {0}};
    expect_no_proof(blind, "no mutant of etherbone-slave is found out by the cases from t/blind");
}

static void cases_that_fail_a_good_board_prove_nothing(void **state)
{
    (void)state;
    const gw_case wild[] = {
        {.id = "t/wild", .title = "Sees ghosts", .rules = GW_LIST("EB-S04"), .run = fails}, {0}};
    expect_no_proof(wild, "does not pass t/wild: found something");
}

static void a_role_without_a_board_is_not_proven(void **state)
{
    (void)state;
    gw_suite lonely = *gw_suite_by_role("etherbone-slave");
    gw_selfproof proof;
    lonely.role = "toaster";
    gw_selfproof_make(&proof, &lonely);
    assert_false(proof.proven);
    assert_non_null(strstr(proof.why, "no software board of role toaster"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_suite_is_proven),
        cmocka_unit_test(blind_cases_prove_nothing),
        cmocka_unit_test(cases_that_fail_a_good_board_prove_nothing),
        cmocka_unit_test(a_role_without_a_board_is_not_proven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

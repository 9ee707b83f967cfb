/* SPDX-License-Identifier: BSD-2-Clause */
/* What a set of verdicts adds up to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "evidence/exit.h"
#include "evidence/verdict.h"

static int code(unsigned pass, unsigned fail, unsigned warn, unsigned inconc, unsigned error,
                unsigned xpass, bool strict)
{
    gw_counts counts = {.of = {0}};
    counts.of[GW_PASS] = pass;
    counts.of[GW_FAIL] = fail;
    counts.of[GW_WARN] = warn;
    counts.of[GW_INCONC] = inconc;
    counts.of[GW_ERROR] = error;
    counts.of[GW_XPASS] = xpass;
    counts.of[GW_NA] = 3;
    return gw_counts_exit(&counts, strict);
}

static void exit_codes_have_an_order(void **state)
{
    (void)state;
    assert_int_equal(code(9, 0, 0, 0, 0, 0, false), GW_EXIT_OK);
    assert_int_equal(code(9, 0, 1, 0, 0, 0, false), GW_EXIT_OK);
    assert_int_equal(code(9, 0, 1, 0, 0, 0, true), GW_EXIT_FAIL);
    assert_int_equal(code(9, 0, 0, 1, 0, 0, false), GW_EXIT_INCONC);
    assert_int_equal(code(9, 0, 0, 1, 0, 1, false), GW_EXIT_XPASS);
    assert_int_equal(code(9, 1, 0, 1, 0, 1, false), GW_EXIT_FAIL);
    assert_int_equal(code(9, 1, 0, 1, 1, 1, false), GW_EXIT_TOOL);
}

static void expired_waivers_have_a_code_of_their_own(void **state)
{
    (void)state;
    gw_counts counts = {.of = {[GW_PASS] = 9, [GW_FAIL] = 2}, .expired_fails = 2};
    assert_int_equal(gw_counts_exit(&counts, false), GW_EXIT_XPASS);
    counts.of[GW_INCONC] = 1;
    assert_int_equal(gw_counts_exit(&counts, false), GW_EXIT_XPASS);
    counts.of[GW_FAIL] = 3;
    assert_int_equal(gw_counts_exit(&counts, false), GW_EXIT_FAIL);
    counts = (gw_counts){.of = {[GW_PASS] = 9, [GW_WARN] = 1}, .expired_warns = 1};
    assert_int_equal(gw_counts_exit(&counts, false), GW_EXIT_OK);
    assert_int_equal(gw_counts_exit(&counts, true), GW_EXIT_XPASS);
    counts.of[GW_WARN] = 2;
    assert_int_equal(gw_counts_exit(&counts, true), GW_EXIT_FAIL);
}

static void an_over_claim_fails_the_run(void **state)
{
    (void)state;
    gw_counts part = {.of = {[GW_PASS] = 9}, .untried = 1};
    assert_int_equal(gw_counts_exit(&part, false), GW_EXIT_OK);
    assert_int_equal(gw_counts_exit(&part, true), GW_EXIT_FAIL);
    gw_counts counts = {.of = {[GW_PASS] = 9}, .over_claims = 1};
    assert_int_equal(gw_counts_exit(&counts, false), GW_EXIT_FAIL);
    counts.of[GW_ERROR] = 1;
    assert_int_equal(gw_counts_exit(&counts, false), GW_EXIT_TOOL);
}

static void nothing_judged_is_not_green(void **state)
{
    (void)state;
    assert_int_equal(code(0, 0, 0, 0, 0, 0, false), GW_EXIT_NOTHING);
    assert_int_equal(code(0, 0, 1, 0, 0, 0, false), GW_EXIT_NOTHING);
    assert_int_equal(code(0, 0, 0, 1, 0, 0, false), GW_EXIT_INCONC);
}

static void names_go_both_ways(void **state)
{
    (void)state;
    for (unsigned i = 0; i < GW_NUM_VERDICTS; i++) {
        gw_verdict verdict = GW_NUM_VERDICTS;
        assert_true(gw_verdict_by_name(&verdict, gw_verdict_name((gw_verdict)i)));
        assert_int_equal(verdict, i);
    }
    gw_verdict verdict;
    assert_false(gw_verdict_by_name(&verdict, "pass"));
    assert_false(gw_verdict_by_name(&verdict, ""));
    assert_string_equal(gw_verdict_name(GW_NUM_VERDICTS), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_codes_have_an_order),
        cmocka_unit_test(expired_waivers_have_a_code_of_their_own),
        cmocka_unit_test(an_over_claim_fails_the_run),
        cmocka_unit_test(nothing_judged_is_not_green),
        cmocka_unit_test(names_go_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Percentiles, and what a budget allows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/budget.h"

#define US INT64_C(1000)

static void percentiles(void **state)
{
    int64_t values[200];
    (void)state;
    for (int i = 0; i < 200; i++)
        values[i] = i + 1;
    assert_int_equal(gw_permille(values, 200, 990), 198);
    assert_int_equal(gw_permille(values, 200, 500), 100);
    assert_int_equal(gw_permille(values, 200, 1000), 200);
    assert_int_equal(gw_permille(values, 1, 990), 1);
    assert_int_equal(gw_permille(values, 0, 990), 0);
}

static void budgets(void **state)
{
    (void)state;
    assert_int_equal(gw_budget(50 * US), 70 * US);     /* 20 us are more than a tenth */
    assert_int_equal(gw_budget(1000 * US), 1100 * US); /* a tenth is more */
    assert_int_equal(gw_budget_judge(70 * US, 70 * US, 0), GW_BUDGET_KEPT);
    assert_int_equal(gw_budget_judge(71 * US, 70 * US, 0), GW_BUDGET_BROKEN);
    /* Whatever may have been ourselves is nobody's fault. */
    assert_int_equal(gw_budget_judge(71 * US, 70 * US, 2 * US), GW_BUDGET_UNKNOWN);
    assert_int_equal(gw_budget_judge(500 * US, 70 * US, 80 * US), GW_BUDGET_UNKNOWN);
    assert_int_equal(gw_budget_judge(60 * US, 70 * US, 80 * US), GW_BUDGET_KEPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(percentiles), cmocka_unit_test(budgets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

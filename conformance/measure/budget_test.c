/* SPDX-License-Identifier: BSD-2-Clause */
/* What a budget allows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/budget.h"

#define US INT64_C(1000)

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
    assert_true(gw_budget_measurable(70 * US, 70 * US));
    assert_false(gw_budget_measurable(70 * US, 71 * US));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(budgets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

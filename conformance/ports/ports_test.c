/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases that ports judge: what nobody saw is no pass. What a port does see is tried with simulators
 * (fpga_harness/cores/testing/core.sh). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "ports/ports.h"
#include "run/select.h"

static void each_rule_has_its_case(void **state)
{
    size_t num = 0;
    (void)state;
    for (const gw_case *c = gw_port_cases; c->id != NULL; c++, num++) {
        assert_string_equal(c->rules[0], gw_port_format.rules[num].id);
    }
    assert_int_equal(num, gw_port_format.num_rules);
}

static void without_a_simulation_they_do_not_apply(void **state)
{
    gw_target target = {.num_links = 1};
    gw_result result = {.which = gw_port_cases};
    (void)state;
    gw_port_judge(&target, &result);
    assert_int_equal(result.verdict, GW_NA);
}

static void a_simulator_that_never_came_proves_nothing(void **state)
{
    char name[48];
    char why[256];
    (void)state;
    (void)snprintf(name, sizeof(name), "ports-%ld", (long)getpid());
    gw_target target = {.num_links = 1, .sim = gw_sim_listen(name, why, sizeof(why))};
    assert_non_null(target.sim);
    for (const gw_case *c = gw_port_cases; c->id != NULL; c++) {
        gw_result result = {.which = c};
        gw_port_judge(&target, &result);
        assert_int_equal(result.verdict, GW_INCONC);
        assert_string_not_equal(result.text, "");
    }
    gw_sim_free(target.sim);
}

static void cycles_are_those_of_its_clock(void **state)
{
    gw_target target = {.clock_hz = 125000000};
    (void)state;
    assert_int_equal(gw_target_cycle(&target, 0), 0);
    assert_int_equal(gw_target_cycle(&target, 8), 1);
    assert_int_equal(gw_target_cycle(&target, 1000000007), 125000000);
}

static void they_are_selected_by_their_ids(void **state)
{
    gw_case_list list = {0};
    (void)state;
    assert_true(gw_select_more(&list, &gw_port_suite, GW_LIST("axis/*", "wb/one-answer"), 2));
    assert_int_equal(list.num, 7);
    assert_string_equal(list.cases[6]->id, "wb/one-answer");
    gw_case_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_has_its_case),
        cmocka_unit_test(without_a_simulation_they_do_not_apply),
        cmocka_unit_test(a_simulator_that_never_came_proves_nothing),
        cmocka_unit_test(cycles_are_those_of_its_clock),
        cmocka_unit_test(they_are_selected_by_their_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

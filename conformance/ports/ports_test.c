/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases that ports judge: what nobody saw is no pass. What a port does see is tried with simulators
 * (fpga_harness/cores/testing/core.sh). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gw_hdl.h"
#include "gw_hdl_in_process.h"
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

/* A testbench with an AXI4-Lite port, which at its next edge sees |sees|. */
typedef struct testbench {
    uint64_t ps;
    int sees;
} testbench;

static bool pass_edge(void *context)
{
    testbench *bench = context;
    int us = (int)(bench->ps / 1000000), ps = (int)(bench->ps % 1000000);
    bool goes_on = bench->ps > 0 || gw_hdl_port(14, GW_SIM_AXIL, 4) == 14;
    goes_on = goes_on && gw_hdl_bus(14, us, ps, 0, 0) >= 0;
    if (bench->sees >= 0)
        gw_hdl_breach(14, us, ps, bench->sees);
    bench->sees = -1;
    bench->ps += 8000;
    return goes_on;
}

/* The verdict of the case |id| when the testbench has seen |sees| next; -1: nothing more. */
static gw_verdict judge_after(gw_target *target, testbench *bench, int sees, const char *id,
                              char text[512])
{
    gw_result result = {0};
    char why[256];
    bench->sees = sees;
    gw_transport *t = gw_sim_open(target->sim, 14, &(gw_endpoint){0}, &(gw_endpoint){0}, why, 256);
    assert_non_null(t);
    t->ops->wait(t, gw_sim_now(target->sim) + 100);
    gw_transport_close(t);
    for (result.which = gw_port_cases; strcmp(result.which->id, id) != 0; result.which++)
        ;
    gw_port_judge(target, &result);
    (void)snprintf(text, 512, "%s", result.text);
    return result.verdict;
}

static void what_an_axi_lite_port_sees_is_judged(void **state)
{
    testbench bench = {.sees = -1};
    char text[512];
    (void)state;
    gw_target target = {.num_links = 1, .clock_hz = 125000000};
    target.sim = gw_sim_attach(gw_hdl_in_this_process(), pass_edge, &bench, text, sizeof(text));
    assert_non_null(target.sim);
    assert_int_equal(judge_after(&target, &bench, -1, "axil/answer-held", text), GW_INCONC);
    assert_non_null(strstr(text, "no access"));
    assert_int_equal(judge_after(&target, &bench, -1, "axis/data-held", text), GW_NA);
    assert_int_equal(judge_after(&target, &bench, -1, "wb/one-answer", text), GW_NA);
    assert_int_equal(judge_after(&target, &bench, GW_SIM_BUS_USED, "axil/answer-held", text),
                     GW_PASS);
    assert_int_equal(
        judge_after(&target, &bench, GW_SIM_RESPONSE_CHANGED, "axil/answer-held", text), GW_FAIL);
    assert_non_null(strstr(text, "first on port 14"));
    assert_int_equal(judge_after(&target, &bench, -1, "axil/valid-held", text), GW_PASS);
    assert_int_equal(judge_after(&target, &bench, -1, "wb/one-answer", text), GW_NA);
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
        cmocka_unit_test(what_an_axi_lite_port_sees_is_judged),
        cmocka_unit_test(cycles_are_those_of_its_clock),
        cmocka_unit_test(they_are_selected_by_their_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

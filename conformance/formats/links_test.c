/* SPDX-License-Identifier: BSD-2-Clause */
/* Good boards pass whichever of their links is the longer way: what goes over one may overtake what
 * went over another, and no case may blame the board for that. What takes time cannot be judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "run/run.h"
#include "run/select.h"
#include "run/testing/long_way_testing.h"

static void pass_with_slow(const char *role, unsigned slow)
{
    static long_way way;
    static const char *const all[] = {"*"};
    char why[256];
    gw_run run;
    gw_case_list cases;
    const gw_suite *suite = gw_suite_by_role(role);
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(role), NULL, GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(dut);
    assert_true(gw_select(&cases, suite, all, 1));
    long_way_lay(&way, gw_dut_target(dut), slow);
    gw_run_setup setup = {.suite = suite,
                          .board = gw_builtin_board(role),
                          .target = &way.way.target,
                          .cases = cases.cases,
                          .num_cases = cases.num,
                          .seed = 1};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    for (size_t i = 0; i < run.num_results; i++) {
        const gw_result *r = &run.results[i];
        bool timed = strstr(r->which->id, "/response-time") != NULL ||
                     strcmp(r->which->id, "l1-u/a-third") == 0;
        if (r->verdict != GW_PASS && r->verdict != GW_NA && !(timed && r->verdict == GW_INCONC))
            fail_msg("%s, slow links 0x%x: %s: %s", role, slow, r->which->id, r->text);
    }
    gw_run_free(&run);
    gw_case_list_free(&cases);
    gw_dut_close(dut);
}

static void good_boards_pass(void **state)
{
    static const char *const roles[] = {
        "textarossa-node", "textarossa-switch", "op2p-node", "l1-ru", "l1-cn", "l1-du"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(roles); i++) {
        unsigned last = gw_board_num_links(gw_board_by_role(roles[i])) - 1;
        pass_with_slow(roles[i], 1u << last);
        pass_with_slow(roles[i], (1u << last) - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_boards_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

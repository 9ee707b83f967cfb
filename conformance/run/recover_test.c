/* SPDX-License-Identifier: BSD-2-Clause */
/* What the start hook of a board that calls us tells about the board's end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "run/recover.h"

#define SHELL(script)                                                                              \
    {                                                                                              \
        .args = {"sh", "-c", script}, .num_args = 3, .timeout_s = 60                               \
    }

static void begin(gw_rescue *rescue)
{
    char how[160];
    assert_true(gw_rescue_run(rescue, GW_HOOK_START, how, sizeof(how)));
}

static void pause_ms(unsigned ms)
{
    struct timespec time = {.tv_nsec = ms * 1000000L};
    (void)nanosleep(&time, NULL);
}

static void wait_for_end(gw_rescue *rescue)
{
    while (rescue->ended_ns == 0) {
        (void)gw_rescue_over(rescue);
        pause_ms(1);
    }
}

/* The board calls while the hook runs, and is silent once that has ended. */
static void a_hook_that_is_the_board(void **state)
{
    (void)state;
    static const gw_hook hooks[GW_NUM_HOOKS] = {[GW_HOOK_START] = SHELL("sleep 0.3; exit 1")};
    gw_rescue rescue = {.hooks = hooks};
    begin(&rescue);
    gw_rescue_heard(&rescue);
    wait_for_end(&rescue);
    assert_false(rescue.is_board);
    while (!gw_rescue_over(&rescue))
        pause_ms(10);
    assert_true(rescue.is_board);
    /* From now on its end is known when it comes. */
    begin(&rescue);
    gw_rescue_heard(&rescue);
    wait_for_end(&rescue);
    assert_true(gw_rescue_over(&rescue));
    gw_rescue_end(&rescue);
}

/* The board calls on after the hook's end: nobody knows when it has finished. */
static void a_hook_that_sets_the_board_off(void **state)
{
    (void)state;
    static const gw_hook hooks[GW_NUM_HOOKS] = {[GW_HOOK_START] = SHELL("sleep 0.3")};
    gw_rescue rescue = {.hooks = hooks};
    begin(&rescue);
    gw_rescue_heard(&rescue);
    wait_for_end(&rescue);
    pause_ms(100);
    gw_rescue_heard(&rescue);
    pause_ms(600);
    assert_false(gw_rescue_over(&rescue));
    begin(&rescue);
    gw_rescue_heard(&rescue);
    wait_for_end(&rescue);
    assert_false(gw_rescue_over(&rescue));
    gw_rescue_end(&rescue);
}

/* It calls only when the hook has ended well, and may do so late. */
static void a_hook_that_is_quick(void **state)
{
    (void)state;
    static const gw_hook hooks[GW_NUM_HOOKS] = {[GW_HOOK_START] = SHELL("true")};
    gw_rescue rescue = {.hooks = hooks};
    begin(&rescue);
    wait_for_end(&rescue);
    pause_ms(600);
    assert_false(gw_rescue_over(&rescue));
    gw_rescue_heard(&rescue);
    assert_false(gw_rescue_over(&rescue));
    gw_rescue_end(&rescue);
}

static void a_hook_that_fails(void **state)
{
    (void)state;
    static const gw_hook hooks[GW_NUM_HOOKS] = {
        [GW_HOOK_START] = SHELL("echo busy; echo 'no \x1b[1mport' >&2; exit 7")};
    static const gw_hook nothing[GW_NUM_HOOKS] = {
        [GW_HOOK_START] = {.args = {"/nonexistent/start"}, .num_args = 1, .timeout_s = 60}};
    char how[160];
    gw_rescue rescue = {.hooks = hooks};
    begin(&rescue);
    wait_for_end(&rescue);
    assert_true(gw_rescue_over(&rescue));
    assert_string_equal(rescue.start_how, "hook start: exit 7 (no \xef\xbf\xbd[1mport)");
    gw_rescue_end(&rescue);
    rescue = (gw_rescue){.hooks = nothing};
    assert_false(gw_rescue_run(&rescue, GW_HOOK_START, how, sizeof(how)));
    assert_true(gw_rescue_over(&rescue));
    assert_non_null(strstr(rescue.start_how, "cannot start /nonexistent/start"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hook_that_is_the_board),
        cmocka_unit_test(a_hook_that_sets_the_board_off),
        cmocka_unit_test(a_hook_that_is_quick),
        cmocka_unit_test(a_hook_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

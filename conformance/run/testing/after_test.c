/* SPDX-License-Identifier: BSD-2-Clause */
/* What is asked of a board when all cases are decided: it changes nothing of what they came to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "run/ctx.h"
#include "run/testing/fake_testing.h"

static void good(gw_ctx *ctx)
{
    if (!fake_exchange(ctx, 'a', GW_SECOND))
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S03"}, "no echo");
}

static const gw_case cases[] = {
    {.id = "t/good", .title = "Toy case", .rules = GW_LIST("EB-S42"), .run = good},
    {0},
};
static const gw_case *const groups[] = {cases};
static const gw_suite suite = FAKE_SUITE(groups, .excused = NULL);
static const gw_board_file no_board;

/* What was seen afterwards. */
typedef struct seen {
    unsigned calls;
    char lost[512];
    gw_outcome outcome;
    char text[512];
} seen;

/* Kills the board, and asks whether it lives. */
static void kill_it(gw_ctx *ctx, void *arg)
{
    (void)arg;
    gw_case_send(ctx, gw_case_connection(ctx), "k", 1);
    gw_case_expect_alive(ctx, NULL, "a shot");
}

static void look(gw_ctx *ctx, const char *lost, void *arg)
{
    seen *s = arg;
    gw_result spare = {0};
    s->calls++;
    (void)snprintf(s->lost, sizeof(s->lost), "%s", lost);
    if (lost[0] != '\0')
        return;
    s->outcome = gw_ctx_aside(ctx, kill_it, NULL, &spare);
    (void)snprintf(s->text, sizeof(s->text), "%s", spare.text);
}

static void run(gw_run *out, fake_board *board, gw_after_fn after, seen *s)
{
    const gw_case *chosen[] = {&cases[0]};
    char why[256] = "";
    const gw_run_setup setup = {.suite = &suite,
                                .board = &no_board,
                                .target = &board->target,
                                .cases = chosen,
                                .num_cases = 1,
                                .seed = 1,
                                .after = after,
                                .after_arg = s};
    if (!gw_run_cases(out, &setup, why, sizeof(why)))
        fail_msg("%s", why);
}

static void what_is_lost_afterwards_is_no_verdict(void **state)
{
    gw_run with;
    gw_run without;
    seen s = {0};
    (void)state;
    fake_board board = new_fake_board();
    run(&without, &board, NULL, NULL);
    board = new_fake_board();
    board.lives = 9;
    run(&with, &board, look, &s);
    assert_int_equal(s.calls, 1);
    assert_string_equal(s.lost, "");
    assert_int_not_equal(s.outcome, GW_OUTCOME_RETURNED);
    assert_non_null(strstr(s.text, "stopped answering after a shot"));
    assert_true(board.dead);
    assert_int_equal(with.results[0].verdict, GW_PASS);
    assert_int_equal(with.counts.of[GW_PASS], 1);
    assert_int_equal(with.path.num_samples, without.path.num_samples);
    gw_run_free(&with);
    gw_run_free(&without);
}

static void a_board_that_never_answered_is_not_asked(void **state)
{
    gw_run r;
    seen s = {0};
    (void)state;
    fake_board board = new_fake_board();
    board.deaf = true;
    run(&r, &board, look, &s);
    assert_int_equal(s.calls, 1);
    assert_true(s.lost[0] != '\0');
    gw_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_lost_afterwards_is_no_verdict),
        cmocka_unit_test(a_board_that_never_answered_is_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

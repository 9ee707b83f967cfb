/* SPDX-License-Identifier: BSD-2-Clause */
/* What a path may do to a good board, and what a bad board does on a good path, against a toy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "evidence/exit.h"
#include "harness/temporary_testing.h"
#include "report/report.h"
#include "run/testing/fake_testing.h"

static unsigned performed; /* how often a case function ran */

/* ---- toy cases ---- */

static void echo(gw_ctx *ctx)
{
    performed++;
    if (!fake_exchange(ctx, 'a', gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S03"}, "no echo within a second");
}

static bool ask(gw_ctx *ctx, char c)
{
    unsigned tries = 0;
    bool came;
    do
        came = fake_exchange(ctx, c, gw_case_reply_ns(ctx));
    while (!came && gw_case_again(ctx, &tries));
    return came;
}

/* Needs 'a' to set something up, and is about 'd'. */
static void needs_help(gw_ctx *ctx)
{
    performed++;
    if (!ask(ctx, 'a'))
        gw_case_inconc(ctx, "nothing could be set up");
    if (!fake_exchange(ctx, 'd', gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S03"}, "no echo");
}

/* What is sent last must come first after a drain. */
static void drains(gw_ctx *ctx)
{
    gw_packet packet;
    gw_connection *conn = gw_case_connection(ctx);
    performed++;
    gw_case_send(ctx, conn, "a", 1);
    gw_case_drain(ctx, conn);
    gw_case_send(ctx, conn, "d", 1);
    if (gw_case_recv(ctx, conn, gw_case_reply_ns(ctx), &packet) != GW_RECV_DATA)
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S03"}, "no echo");
    if (packet.data[0] != 'd')
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S04"}, "an old answer came first");
}

/* What comes next must be the answer to |letter|, within |timeout_ns|. */
static void answered_next(gw_ctx *ctx, char letter, int64_t timeout_ns)
{
    gw_packet packet;
    gw_connection *conn = gw_case_connection(ctx);
    performed++;
    gw_case_send(ctx, conn, &letter, 1);
    if (gw_case_recv(ctx, conn, timeout_ns, &packet) != GW_RECV_DATA)
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S03"}, "no echo");
    if (packet.data[0] != (uint8_t)letter)
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S04"}, "an old answer came first");
}

static void leaves_an_answer(gw_ctx *ctx)
{
    answered_next(ctx, 'o', 10 * GW_MS);
}

static void takes_the_next_answer(gw_ctx *ctx)
{
    gw_case_wait(gw_case_connection(ctx), 50 * GW_MS);
    answered_next(ctx, 'd', gw_case_reply_ns(ctx));
}

static void send_and_hear_nothing(gw_ctx *ctx, const char *letter)
{
    performed++;
    gw_case_send(ctx, gw_case_connection(ctx), letter, 1);
    gw_case_expect_silence(ctx, &(gw_silence){.rule = "EB-S01", .what = "a wrong magic"});
}

static void dropped(gw_ctx *ctx)
{
    send_and_hear_nothing(ctx, "x");
}

static void echoed(gw_ctx *ctx)
{
    send_and_hear_nothing(ctx, "a");
}

static void excused_echo(gw_ctx *ctx)
{
    send_and_hear_nothing(ctx, "e");
}

static void deadly(gw_ctx *ctx)
{
    send_and_hear_nothing(ctx, "k");
}

/* Asks for nothing, and hears nothing. */
static void says_only(gw_ctx *ctx)
{
    performed++;
    gw_case_send(ctx, gw_case_connection(ctx), "k", 1);
}

static bool excuse(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet)
{
    (void)ctx;
    (void)conn;
    return packet->data[0] == 'e';
}

#define CASE(name, function)                                                                       \
    {                                                                                              \
        .id = name, .title = "Toy case", .rules = GW_LIST("EB-S42"), .run = function               \
    }

static const gw_case cases[] = {CASE("t/echo", echo),
                                CASE("t/needs-help", needs_help),
                                CASE("t/drains", drains),
                                CASE("t/dropped", dropped),
                                CASE("t/echoed", echoed),
                                CASE("t/excused", excused_echo),
                                CASE("t/deadly", deadly),
                                CASE("t/says-only", says_only),
                                CASE("t/leaves", leaves_an_answer),
                                CASE("t/next", takes_the_next_answer),
                                {0}};
static const gw_case *const groups[] = {cases};
static const gw_suite suite = FAKE_SUITE(groups, .excused = excuse);
static const gw_board_file no_board;

static const gw_result *run(gw_run *out, fake_board *board, bool far, const char *const *ids)
{
    static const gw_case *chosen[8];
    char why[256] = "";
    size_t num = 0;
    for (; ids[num] != NULL; num++)
        chosen[num] = gw_suite_case(&suite, ids[num]);
    gw_run_setup setup = {.suite = &suite,
                          .board = &no_board,
                          .target = &board->target,
                          .cases = chosen,
                          .num_cases = num,
                          .seed = 1};
    board->target.far = far;
    performed = 0;
    if (!gw_run_cases(out, &setup, why, sizeof(why)))
        fail_msg("%s", why);
    return &out->results[0];
}

static void expect(const gw_result *r, gw_verdict verdict, const char *text)
{
    if (r->verdict != verdict || strstr(r->text, text) == NULL)
        fail_msg("%s: %s '%s', expected %s with '%s'", r->which->id, gw_verdict_name(r->verdict),
                 r->text, gw_verdict_name(verdict), text);
}

/* ---- tests ---- */

static void what_gets_lost_once_is_the_paths(void **state)
{
    (void)state;
    gw_run out;
    fake_board board = new_fake_board();
    board.loses = 'a';
    board.loses_times = 1;
    const gw_result *r = run(&out, &board, true, GW_LIST("t/echo"));
    expect(r, GW_PASS, "");
    assert_int_equal(r->failures, 1);
    assert_int_equal(r->attempts, performed);
    assert_non_null(strstr(r->notes, "as the path to the board may explain"));
    assert_non_null(strstr(r->notes, "EB-S03: no echo within a second"));
    gw_run_free(&out);
}

static void what_gets_lost_once_where_nothing_can_is_unknown(void **state)
{
    (void)state;
    gw_run out;
    fake_board board = new_fake_board();
    board.loses = 'a';
    board.loses_times = 1;
    const gw_result *r = run(&out, &board, false, GW_LIST("t/echo"));
    expect(r, GW_INCONC, "1 of 8 attempts failed");
    assert_null(r->rule);
    gw_run_free(&out);
}

static void a_board_that_never_answers_it_fails_it(void **state)
{
    (void)state;
    gw_run near;
    gw_run far;
    fake_board board = new_fake_board();
    board.loses = 'a';
    board.loses_each = 1;
    const gw_result *r = run(&near, &board, false, GW_LIST("t/echo"));
    expect(r, GW_FAIL, "no echo");
    assert_string_equal(r->rule->id, "EB-S03");
    assert_int_equal(r->attempts, 2);
    board = new_fake_board();
    board.loses = 'a';
    board.loses_each = 1;
    r = run(&far, &board, true, GW_LIST("t/echo"));
    expect(r, GW_FAIL, "no echo");
    assert_true(r->attempts > 2);
    assert_true(far.path.probes > near.path.probes + 20); /* the path was looked at first */
    assert_int_equal(far.path.lost, 0);
    gw_run_free(&near);
    gw_run_free(&far);
}

static void a_board_that_answers_now_and_then_fails_it(void **state)
{
    (void)state;
    gw_run out;
    fake_board board = new_fake_board();
    board.loses = 'a';
    board.loses_each = 2;
    board.lost_seen = 1;
    const gw_result *r = run(&out, &board, false, GW_LIST("t/echo"));
    expect(r, GW_FAIL, " attempts)");
    assert_true(r->failures > 1 && r->failures < r->attempts);
    gw_run_free(&out);
}

static void what_a_case_only_needs_is_asked_again(void **state)
{
    (void)state;
    gw_run out;
    fake_board board = new_fake_board();
    board.loses = 'a';
    board.loses_times = 1;
    const gw_result *r = run(&out, &board, true, GW_LIST("t/needs-help"));
    expect(r, GW_PASS, "");
    assert_int_equal(performed, 1);
    assert_int_equal(r->attempts, 1);
    assert_int_equal(out.path.asked_again, 1);
    gw_run_free(&out);
}

static void a_drain_waits_for_what_is_under_way(void **state)
{
    (void)state;
    gw_run out;
    fake_board board = new_fake_board();
    board.late_ns = 60 * GW_MS;
    const gw_result *r = run(&out, &board, true, GW_LIST("t/drains"));
    expect(r, GW_PASS, "");
    assert_int_equal(r->attempts, 1);
    assert_true(gw_path_stats_lag_ns(&out.path) >= 60 * GW_MS);
    gw_run_free(&out);
}

/* An answer that takes longer than the usual settle time is heard all the same. */
static void silence_lasts_as_long_as_the_path(void **state)
{
    (void)state;
    gw_run out;
    fake_board board = new_fake_board();
    board.late_ns = 200 * GW_MS;
    run(&out, &board, true, GW_LIST("t/echoed", "t/dropped", "t/excused"));
    expect(&out.results[0], GW_FAIL, "a wrong magic was answered with 1 bytes");
    assert_string_equal(out.results[0].rule->id, "EB-S01");
    expect(&out.results[1], GW_PASS, "");
    expect(&out.results[2], GW_PASS, "");
    gw_run_free(&out);
}

static void silence_of_a_board_that_died_is_no_pass(void **state)
{
    (void)state;
    static const char *const ids[] = {"t/deadly", "t/says-only"};
    for (size_t i = 0; i < GW_ARRAY_LEN(ids); i++) {
        gw_run out;
        fake_board board = new_fake_board();
        board.lives = 9;
        board.target.restart = fake_restart;
        const gw_result *r = run(&out, &board, false, GW_LIST(ids[i], "t/echo"));
        expect(r, GW_FAIL, "stopped answering after");
        assert_string_equal(r->rule->id, i == 0 ? "EB-S01" : "EB-S42");
        expect(&out.results[1], GW_PASS, "");
        gw_run_free(&out);
        /* Where nobody can bring it back, nobody can try again. */
        board = new_fake_board();
        board.lives = 9;
        r = run(&out, &board, false, GW_LIST(ids[i], "t/echo"));
        expect(r, GW_INCONC, "did not come back");
        gw_run_free(&out);
    }
}

/* Answers that a failing case waited for in vain come later: held back until something else is
 * answered, or simply late. Whoever comes next is not blamed, and what comes then is in step. */
static void an_old_answer_is_not_the_next_cases(void **state)
{
    (void)state;
    for (unsigned far = 0; far < 2; far++) {
        gw_run out;
        fake_board board = new_fake_board();
        board.keeps = 'o';
        run(&out, &board, far != 0, GW_LIST("t/echo", "t/leaves", "t/next", "t/next"));
        expect(&out.results[1], GW_FAIL, "no echo");
        if (far != 0)
            expect(&out.results[2], GW_PASS, "");
        else
            expect(&out.results[2], GW_INCONC, "happened once on a path without fault");
        assert_int_equal(out.results[2].failures, 1);
        expect(&out.results[3], GW_PASS, "");
        assert_int_equal(out.results[3].attempts, 1);
        gw_run_free(&out);
    }
}

/* Neither the next case nor the next attempt at it takes such an answer for its own. */
static void a_late_answer_stays_with_the_attempt_that_failed(void **state)
{
    static const int64_t late_ns[] = {15 * GW_MS, 30 * GW_MS};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(late_ns); i++) {
        gw_run out;
        fake_board board = new_fake_board();
        board.late_ns = late_ns[i];
        board.late_letter = 'o';
        run(&out, &board, false, GW_LIST("t/leaves", "t/next"));
        expect(&out.results[0], GW_FAIL, "no echo");
        assert_int_equal(out.results[0].attempts, 2);
        expect(&out.results[1], GW_PASS, "");
        assert_int_equal(out.results[1].attempts, 1);
        gw_run_free(&out);
    }
}

/* A link that is down for a while, or a board that is stopped and goes on. */
static void an_outage_is_waited_for(void **state)
{
    (void)state;
    for (int64_t at = 0; at < 100 * GW_MS; at += 7 * GW_MS) {
        gw_run out;
        fake_board board = new_fake_board();
        board.late_ns = GW_MS;
        board.stops_at = at;
        board.stops_ns = 3 * GW_SECOND;
        run(&out, &board, true, GW_LIST("t/echo", "t/dropped", "t/drains", "t/echo"));
        for (size_t i = 0; i < 4; i++)
            expect(&out.results[i], GW_PASS, "");
        gw_run_free(&out);
    }
}

static void a_board_that_is_stopped_for_good_is_blamed_for_nothing(void **state)
{
    (void)state;
    for (int64_t at = GW_MS; at < 60 * GW_MS; at += 3 * GW_MS) {
        gw_run out;
        fake_board board = new_fake_board();
        board.late_ns = GW_MS;
        board.stops_at = at;
        board.stops_ns = INT64_MAX / 4;
        run(&out, &board, at % 2 == 0,
            GW_LIST("t/echo", "t/dropped", "t/drains", "t/dropped", "t/dropped", "t/echo"));
        assert_int_equal(out.counts.of[GW_PASS] + out.counts.of[GW_INCONC], 6);
        assert_int_equal(gw_counts_exit(&out.counts, false), GW_EXIT_INCONC);
        gw_run_free(&out);
    }
}

static void a_lost_board_is_told_once(void **state)
{
    (void)state;
    gw_run out;
    char text[4096] = "";
    fake_board board = new_fake_board();
    board.lives = 9;
    run(&out, &board, false,
        GW_LIST("t/deadly", "t/echo", "t/dropped", "t/drains", "t/echoed", "t/excused"));
    gw_run_setup setup = {.suite = &suite, .board = &no_board, .target = &board.target};
    gw_report report = {.run = &out, .setup = &setup, .where = "toy"};
    FILE *file = fmemopen(text, sizeof(text), "w");
    assert_non_null(file);
    gw_report_table(file, &report, false);
    fclose(file);
    const char *first = strstr(text, "the board was lost during t/deadly");
    assert_non_null(first);
    assert_null(strstr(first + 1, "the board was lost during t/deadly"));
    assert_non_null(strstr(text, "INCONC  5 cases, from t/echo to t/excused"));
    assert_non_null(strstr(text, "6 cases: 6 INCONC"));
    gw_run_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_gets_lost_once_is_the_paths),
        cmocka_unit_test(what_gets_lost_once_where_nothing_can_is_unknown),
        cmocka_unit_test(a_board_that_never_answers_it_fails_it),
        cmocka_unit_test(a_board_that_answers_now_and_then_fails_it),
        cmocka_unit_test(what_a_case_only_needs_is_asked_again),
        cmocka_unit_test(a_drain_waits_for_what_is_under_way),
        cmocka_unit_test(silence_lasts_as_long_as_the_path),
        cmocka_unit_test(silence_of_a_board_that_died_is_no_pass),
        cmocka_unit_test(an_old_answer_is_not_the_next_cases),
        cmocka_unit_test(a_late_answer_stays_with_the_attempt_that_failed),
        cmocka_unit_test(an_outage_is_waited_for),
        cmocka_unit_test(a_board_that_is_stopped_for_good_is_blamed_for_nothing),
        cmocka_unit_test(a_lost_board_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

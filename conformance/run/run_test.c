/* SPDX-License-Identifier: BSD-2-Clause */
/* The logic of verdicts, against a toy board. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "evidence/exit.h"
#include "harness/capture.h"
#include "harness/stop.h"
#include "harness/temporary_testing.h"
#include "run/testing/fake_testing.h"

static unsigned performed; /* how often a case function ran */

/* ---- toy cases ---- */

static void good(gw_ctx *ctx)
{
    performed++;
    if (!fake_exchange(ctx, 'a', GW_SECOND))
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S03"}, "no echo");
}

static void breaks_must(gw_ctx *ctx)
{
    performed++;
    gw_case_fail(ctx, &(gw_miss){.rule = "EB-S04", .offset = 4, .expected = 1, .got = 2},
                 "wrong %s", "id");
}

/* What it fails of leaves no way to ask the board anything. */
static void finds_no_way(gw_ctx *ctx)
{
    performed++;
    gw_case_fail(ctx, &(gw_miss){.rule = "EB-S42", .blocks = true}, "no way");
}

static void breaks_should(gw_ctx *ctx)
{
    gw_case_fail(ctx, &(gw_miss){.rule = "EB-S09"}, "executed");
}

static void breaks_may(gw_ctx *ctx)
{
    gw_case_fail(ctx, &(gw_miss){.rule = "EB-S37"}, "cleared");
}

static void breaks_tool(gw_ctx *ctx)
{
    gw_case_error(ctx, "our fault");
}

static void does_not_apply(gw_ctx *ctx)
{
    gw_case_na(ctx, "no such thing");
}

/* Fails, but for attempts from the second on, |arg| of them, which do not apply. */
static void is_set_aside(gw_ctx *ctx)
{
    if (performed++ >= 1 && performed <= 1 + gw_case_self(ctx)->arg)
        does_not_apply(ctx);
    gw_case_fail(ctx, &(gw_miss){.rule = "EB-S04"}, "wrong id");
}

/* A datagram of as many bytes as the case has arg, and life behind it. */
static void sends_long(gw_ctx *ctx)
{
    static const char bytes[1500] = "x";
    gw_case_send(ctx, gw_case_connection(ctx), bytes, gw_case_self(ctx)->arg);
    good(ctx);
}

static void drop(gw_ctx *ctx)
{
    performed++;
    gw_case_send(ctx, gw_case_connection(ctx), "x", 1);
}

static void killer(gw_ctx *ctx)
{
    performed++;
    unsigned number = gw_case_send(ctx, gw_case_connection(ctx), "k", 1);
    gw_case_mark(ctx, number, "this kills");
    gw_case_note(ctx, "shot number %u", performed);
}

static void waits(gw_ctx *ctx)
{
    gw_packet packet;
    gw_case_wait(gw_case_connection(ctx), 3 * GW_SECOND);
    if (gw_case_recv(ctx, gw_case_connection(ctx), 5 * GW_SECOND, &packet) != GW_RECV_TIMEOUT)
        gw_case_error(ctx, "the toy speaks unasked");
}

/* A positive case that notices. */
static void killed(gw_ctx *ctx)
{
    performed++;
    gw_case_send(ctx, gw_case_connection(ctx), "k", 1);
    if (!fake_exchange(ctx, 'a', GW_SECOND))
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S30"}, "no echo any more");
}

/* A good exchange on one connection, then something on a second: 'x' is not answered, 'c' closes.
 */
static void beside(gw_ctx *ctx)
{
    char letter = gw_case_self(ctx)->arg == 0 ? 'x' : 'c';
    gw_packet packet;
    if (!fake_exchange(ctx, 'a', GW_SECOND))
        gw_case_error(ctx, "no echo");
    gw_connection *conn = gw_case_connect(ctx);
    gw_case_send(ctx, conn, &letter, 1);
    bool closed = gw_case_recv(ctx, conn, GW_SECOND, &packet) == GW_RECV_CLOSED;
    gw_case_fail(ctx, &(gw_miss){.rule = "EB-S47"}, closed ? "it was closed" : "it stays open");
}

#define CASE(name, function, ...)                                                                  \
    {                                                                                              \
        .id = name, .title = "Toy case", .rules = GW_LIST("EB-S42"), .run = function, __VA_ARGS__  \
    }

static const gw_case cases[] = {
    CASE("t/good", good, .arg = 0),
    CASE("t/must", breaks_must, .arg = 0),
    CASE("t/should", breaks_should, .arg = 0),
    CASE("t/may", breaks_may, .arg = 0),
    CASE("t/tool", breaks_tool, .arg = 0),
    CASE("t/na", does_not_apply, .arg = 0),
    CASE("t/fits", sends_long, .arg = 1472),
    CASE("t/long", sends_long, .arg = 1473),
    CASE("t/aside-once", is_set_aside, .arg = 1),
    CASE("t/aside", is_set_aside, .arg = 9),
    CASE("t/needs", good, .needs = GW_LIST("wings")),
    CASE("t/after-must", good, .after = GW_LIST("t/good", "t/must")),
    CASE("t/also-must", breaks_must, .after = GW_LIST("t/must")),
    CASE("t/no-way", finds_no_way, .arg = 0),
    CASE("t/behind-no-way", breaks_must, .after = GW_LIST("t/no-way")),
    CASE("t/after-na", breaks_must, .after = GW_LIST("t/na")),
    CASE("t/good-after-na", good, .after = GW_LIST("t/na")),
    CASE("t/drop", drop, .negative = true),
    CASE("t/killer", killer, .negative = true),
    CASE("t/killed", killed, .arg = 0),
    CASE("t/waits", waits, .arg = 0),
    CASE("t/stays-open", beside, .arg = 0),
    CASE("t/is-closed", beside, .arg = 1),
    CASE("t/last", good, .arg = 0),
    {0},
};

static const gw_case *const groups[] = {cases};
static const gw_suite suite = FAKE_SUITE(groups, .excused = NULL);
static const gw_board_file no_board;

typedef struct outcome {
    gw_run run;
    const gw_case *chosen[16];
} outcome;

static void run_setup(outcome *o, fake_board *board, gw_run_setup setup, const char *const *ids)
{
    char why[256] = "";
    size_t num = 0;
    for (; *ids != NULL; ids++) {
        o->chosen[num] = gw_suite_case(&suite, *ids);
        assert_non_null(o->chosen[num]);
        num++;
    }
    setup.suite = &suite;
    setup.board = &no_board;
    setup.target = &board->target;
    setup.cases = o->chosen;
    setup.num_cases = num;
    performed = 0;
    if (!gw_run_cases(&o->run, &setup, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(o->run.num_results, num);
    assert_int_equal(gw_counts_total(&o->run.counts), num);
}

static void run(outcome *o, fake_board *board, const char *const *ids)
{
    run_setup(o, board, (gw_run_setup){.seed = 1}, ids);
}

static void expect(const outcome *o, size_t i, gw_verdict verdict, const char *text)
{
    const gw_result *r = &o->run.results[i];
    assert_string_equal(gw_verdict_name(r->verdict), gw_verdict_name(verdict));
    if (strstr(r->text, text) == NULL)
        fail_msg("%s: '%s' should contain '%s'", r->which->id, r->text, text);
}

/* ---- tests ---- */

static void verdicts_follow_the_level(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    run(&o, &board, GW_LIST("t/good", "t/must", "t/should", "t/may", "t/na", "t/needs"));
    expect(&o, 0, GW_PASS, "");
    expect(&o, 1, GW_FAIL, "wrong id");
    assert_string_equal(o.run.results[1].rule->id, "EB-S04");
    assert_int_equal(o.run.results[1].offset, 4);
    expect(&o, 2, GW_WARN, "executed");
    expect(&o, 3, GW_PASS, "cleared");
    expect(&o, 4, GW_NA, "no such thing");
    expect(&o, 5, GW_NA, "the board has no wings");
    assert_int_equal(gw_counts_exit(&o.run.counts, false), GW_EXIT_FAIL);
    gw_run_free(&o.run);
}

/* That it does not apply says nothing of an earlier failure, unless it is so again. */
static void a_failure_is_not_forgotten_because_of_one_attempt(void **state)
{
    outcome o;
    fake_board board = new_fake_board();
    (void)state;
    run(&o, &board, GW_LIST("t/aside-once"));
    expect(&o, 0, GW_FAIL, "wrong id");
    assert_int_equal(performed, 3);
    gw_run_free(&o.run);
    run(&o, &board, GW_LIST("t/aside"));
    expect(&o, 0, GW_NA, "no such thing");
    assert_int_equal(performed, 3);
    gw_run_free(&o.run);
}

/* What the path does not carry is nobody's fault. */
static void a_datagram_that_the_path_does_not_carry_is_not_applicable(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    board.carries = 1472;
    run(&o, &board, GW_LIST("t/fits", "t/long", "t/good"));
    expect(&o, 0, GW_PASS, "");
    expect(&o, 1, GW_NA, "needs a datagram of 1473 bytes, and the path carries 1472");
    expect(&o, 2, GW_PASS, "");
    assert_int_equal(gw_counts_exit(&o.run.counts, false), GW_EXIT_OK);
    gw_run_free(&o.run);
    board = new_fake_board();
    board.carries = 1472;
    board.target.links[0].stream = true; /* which has no datagrams */
    run(&o, &board, GW_LIST("t/long"));
    expect(&o, 0, GW_PASS, "");
    gw_run_free(&o.run);
}

/* Nobody can tell a board that breaks rules from a way that does. */
static void an_impaired_way_blames_nobody(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    board.target.impairment =
        (gw_impairment){.loss = GW_IMPAIR_SCALE / 100, .corrupt = GW_IMPAIR_SCALE / 2};
    run(&o, &board, GW_LIST("t/good", "t/must", "t/should", "t/killer"));
    expect(&o, 0, GW_PASS, "");
    expect(&o, 1, GW_INCONC, "the path to the board may explain");
    expect(&o, 1, GW_INCONC, "EB-S04: wrong id");
    expect(&o, 2, GW_INCONC, "EB-S09: executed");
    expect(&o, 3, GW_PASS, "");
    assert_null(o.run.results[1].rule);
    assert_int_equal(gw_counts_exit(&o.run.counts, false), 3);
    gw_run_free(&o.run);
    board = new_fake_board();
    board.lives = 9;
    board.target.restart = fake_restart;
    /* What next to never happens explains nothing. */
    board.target.impairment = (gw_impairment){.duplicate = 1};
    run(&o, &board, GW_LIST("t/killer"));
    expect(&o, 0, GW_FAIL, "again when it was repeated");
    gw_run_free(&o.run);
}

/* Where time is short, what the path may explain stays open at the first attempt; on a path without
 * fault a failure is told as ever. */
static void in_haste_nothing_is_repeated_for_the_path(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    const gw_run_setup haste = {.repeat_until_ns = 1};
    board.target.impairment = (gw_impairment){.loss = GW_IMPAIR_SCALE / 100};
    run_setup(&o, &board, haste, GW_LIST("t/must"));
    expect(&o, 0, GW_INCONC, "the path to the board may explain");
    assert_int_equal(performed, 1);
    assert_int_equal(o.run.path.surveys, 0);
    gw_run_free(&o.run);
    run(&o, &board, GW_LIST("t/must"));
    assert_true(performed > 1);
    assert_true(o.run.path.surveys > 0);
    gw_run_free(&o.run);
    board = new_fake_board();
    run_setup(&o, &board, haste, GW_LIST("t/must"));
    expect(&o, 0, GW_FAIL, "wrong id");
    gw_run_free(&o.run);
}

static void our_own_fault_comes_first(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    run(&o, &board, GW_LIST("t/must", "t/tool"));
    expect(&o, 1, GW_ERROR, "our fault");
    assert_int_equal(gw_counts_exit(&o.run.counts, false), GW_EXIT_TOOL);
    gw_run_free(&o.run);
}

static void a_dialect_waives(void **state)
{
    (void)state;
    static const gw_known_fault known[] = {{.rule = "EB-S04", .why = "it miscounts"}, {0}};
    static const gw_dialect dialect = {.name = "toy", .known = known};
    outcome o;
    fake_board board = new_fake_board();
    run_setup(&o, &board, (gw_run_setup){.dialect = &dialect}, GW_LIST("t/good", "t/must"));
    expect(&o, 1, GW_WAIVED, "wrong id");
    assert_string_equal(o.run.results[1].notes, "known of dialect toy: it miscounts");
    assert_int_equal(gw_counts_exit(&o.run.counts, false), GW_EXIT_OK);
    gw_run_free(&o.run);
}

/* Runs t/must, which says "wrong id", in a dialect that knows |fault|. */
static void run_knowing(outcome *o, const gw_known_fault *fault)
{
    const gw_known_fault known[] = {*fault, {0}};
    const gw_dialect dialect = {.name = "toy", .known = known};
    fake_board board = new_fake_board();
    run_setup(o, &board, (gw_run_setup){.dialect = &dialect}, GW_LIST("t/good", "t/must"));
}

static void a_dialect_waives_what_it_names(void **state)
{
    (void)state;
    static const struct {
        gw_known_fault known;
        gw_verdict verdict;
    } rows[] = {
        {{"EB-S04", NULL, "wrong id", NULL}, GW_WAIVED},
        {{"EB-S04", NULL, "no reply", NULL}, GW_FAIL},
        {{"EB-S04", "t/must", NULL, NULL}, GW_WAIVED},
        {{"EB-S04", "t/should", NULL, NULL}, GW_FAIL},
        {{"EB-S05", NULL, NULL, NULL}, GW_FAIL},
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(rows); i++) {
        outcome o;
        run_knowing(&o, &rows[i].known);
        expect(&o, 1, rows[i].verdict, "wrong id");
        gw_run_free(&o.run);
    }
}

/* A foundation that fails takes nothing from what passes all the same. */
static void dependents_are_tried(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    run(&o, &board,
        GW_LIST("t/good", "t/must", "t/na", "t/after-must", "t/also-must", "t/after-na",
                "t/good-after-na"));
    expect(&o, 1, GW_FAIL, "wrong id");
    expect(&o, 3, GW_PASS, "");
    expect(&o, 4, GW_INCONC, "builds on t/must, which did not pass (FAIL): EB-S04: wrong id");
    assert_null(o.run.results[4].rule);
    expect(&o, 5, GW_NA, "t/na");
    expect(&o, 6, GW_PASS, "");
    gw_run_free(&o.run);
}

/* What is waived holds what builds on it, unless it leaves no way to ask: whoever builds on that
 * has asked nothing, and blames nobody. */
static void a_waived_foundation_holds_unless_it_blocks(void **state)
{
    static const gw_known_fault known[] = {
        {.rule = "EB-S42", .which = "t/no-way"}, {.rule = "EB-S04", .which = "t/must"}, {0}};
    static const gw_dialect dialect = {.name = "toy", .known = known};
    const gw_run_setup setup = {.dialect = &dialect};
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    run_setup(&o, &board, setup, GW_LIST("t/no-way", "t/behind-no-way", "t/must", "t/also-must"));
    expect(&o, 0, GW_WAIVED, "no way");
    expect(&o, 1, GW_INCONC, "builds on t/no-way, which did not pass (WAIVED): EB-S04: wrong id");
    expect(&o, 2, GW_WAIVED, "wrong id");
    expect(&o, 3, GW_FAIL, "wrong id");
    gw_run_free(&o.run);
    board = new_fake_board();
    run_setup(&o, &board, setup, GW_LIST("t/behind-no-way"));
    expect(&o, 0, GW_INCONC, "builds on t/no-way, which did not pass (WAIVED): EB-S04: wrong id");
    gw_run_free(&o.run);
}

/* Neither the order of the cases nor the selection decides about a verdict. */
static void foundations_are_looked_at_in_any_order(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    run(&o, &board, GW_LIST("t/also-must", "t/after-na", "t/must", "t/na"));
    expect(&o, 0, GW_INCONC, "builds on t/must, which did not pass (FAIL)");
    expect(&o, 1, GW_NA, "builds on t/na");
    gw_run_free(&o.run);
    board = new_fake_board();
    run(&o, &board, GW_LIST("t/also-must"));
    expect(&o, 0, GW_INCONC, "builds on t/must, which did not pass (FAIL)");
    assert_true(o.run.results[0].num_packets < 5); /* not those of t/must */
    gw_run_free(&o.run);
}

static void a_case_selected_alone_is_run(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    run(&o, &board, GW_LIST("t/after-must"));
    expect(&o, 0, GW_PASS, "");
    gw_run_free(&o.run);
}

static void a_board_that_never_answers_ends_the_run(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    board.deaf = true;
    run(&o, &board, GW_LIST("t/good", "t/drop", "t/needs"));
    assert_false(o.run.answered);
    for (unsigned i = 0; i < 3; i++)
        expect(&o, i, GW_INCONC, "the board never answered");
    assert_int_equal(performed, 0);
    assert_int_equal(gw_counts_exit(&o.run.counts, false), GW_EXIT_INCONC);
    assert_true(board.now < 3 * GW_SECOND); /* virtual time: three attempts and no more */
    gw_run_free(&o.run);
}

static void a_refused_connection_is_no_answer(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    board.refuses = true;
    run(&o, &board, GW_LIST("t/good"));
    expect(&o, 0, GW_INCONC, "the board never answered");
    assert_non_null(strstr(o.run.preflight, "refused"));
    gw_run_free(&o.run);
}

static void a_legal_drop_passes(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    run(&o, &board, GW_LIST("t/drop"));
    expect(&o, 0, GW_PASS, "");
    assert_true(o.run.results[0].num_packets >= 5); /* probe, answer, drop, probe, answer */
    gw_run_free(&o.run);
}

static void what_kills_twice_fails(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    board.lives = 9;
    board.target.restart = fake_restart;
    run(&o, &board, GW_LIST("t/good", "t/killer", "t/last"));
    expect(&o, 1, GW_FAIL, "again when it was repeated");
    assert_string_equal(o.run.results[1].rule->id, "EB-S42");
    assert_true(o.run.results[1].repeated);
    expect(&o, 2, GW_PASS, "");
    assert_int_equal(performed, 4);
    gw_run_free(&o.run);
}

static void what_kills_once_is_given_another_chance(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    board.lives = 1;
    board.target.restart = fake_restart;
    run(&o, &board, GW_LIST("t/killer", "t/last"));
    expect(&o, 0, GW_PASS, "");
    assert_true(o.run.results[0].repeated);
    assert_int_equal(board.restarts, 1);
    assert_string_equal(o.run.results[0].notes, "shot number 2"); /* of the second go only */
    expect(&o, 1, GW_PASS, "");
    gw_run_free(&o.run);
}

/* Nobody can try whether it happens again. */
static void a_board_killed_for_good_ends_the_run(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    board.lives = 9;
    run(&o, &board, GW_LIST("t/killer", "t/drop", "t/last"));
    expect(&o, 0, GW_INCONC, "did not come back");
    assert_null(o.run.results[0].rule);
    expect(&o, 1, GW_INCONC, "lost during t/killer");
    expect(&o, 2, GW_INCONC, "lost during t/killer");
    assert_int_equal(performed, 1);
    assert_int_equal(gw_counts_exit(&o.run.counts, false), GW_EXIT_INCONC);
    gw_run_free(&o.run);
}

/* Nobody looked whether the board was alive before, so nobody can say who did it. */
static void a_positive_case_is_not_blamed_for_a_lost_board(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    board.lives = 9;
    run(&o, &board, GW_LIST("t/killed", "t/last"));
    expect(&o, 0, GW_INCONC, "did not come back");
    expect(&o, 1, GW_INCONC, "lost during t/killed");
    gw_run_free(&o.run);

    board = new_fake_board();
    board.lives = 9;
    board.target.restart = fake_restart;
    run(&o, &board, GW_LIST("t/killed", "t/last"));
    expect(&o, 0, GW_FAIL, "no echo any more");
    assert_string_equal(o.run.results[0].rule->id, "EB-S30");
    expect(&o, 1, GW_PASS, "");
    gw_run_free(&o.run);
}

/* All that is asked for is answered; what is sent behind it kills. */
static void kills_in_the_end(gw_ctx *ctx)
{
    good(ctx);
    gw_case_send(ctx, gw_case_connection(ctx), "k", 1);
}

static void what_is_sent_last_is_looked_at_as_well(void **state)
{
    (void)state;
    const gw_case in_the_end = CASE("t/in-the-end", kills_in_the_end, .arg = 0);
    const gw_case *chosen[] = {&in_the_end, gw_suite_case(&suite, "t/last")};
    for (unsigned can_restart = 0; can_restart < 2; can_restart++) {
        outcome o;
        char why[256];
        fake_board board = new_fake_board();
        board.lives = 9;
        board.target.restart = can_restart != 0 ? fake_restart : NULL;
        gw_run_setup setup = {.suite = &suite,
                              .board = &no_board,
                              .target = &board.target,
                              .cases = chosen,
                              .num_cases = 2};
        assert_true(gw_run_cases(&o.run, &setup, why, sizeof(why)));
        if (can_restart == 0)
            expect(&o, 0, GW_INCONC, "did not come back");
        else
            expect(&o, 0, GW_FAIL, "stopped answering after this case, and again");
        expect(&o, 1, can_restart == 0 ? GW_INCONC : GW_PASS, "");
        gw_run_free(&o.run);
    }
}

static void evidence_carries_the_comments(void **state)
{
    (void)state;
    outcome o;
    gw_temporary folder;
    char path[256];
    char why[256] = "";
    assert_true(gw_temporary_folder(&folder));
    const char *dir = folder.path;
    fake_board board = new_fake_board();
    run_setup(&o, &board, (gw_run_setup){.out_dir = dir}, GW_LIST("t/killer"));
    assert_string_equal(o.run.results[0].evidence, "cases/t/killer.pcapng");
    (void)snprintf(path, sizeof(path), "%s/%s", dir, o.run.results[0].evidence);
    gw_capture *capture = gw_capture_open(path, why, sizeof(why));
    assert_non_null(capture);
    gw_frame frame;
    unsigned frames = 0;
    unsigned marked = 0;
    while (gw_capture_next(capture, &frame) == GW_CAPTURE_FRAME) {
        frames++;
        if (frame.comment != NULL && strstr(frame.comment, "this kills") != NULL) {
            marked++;
            assert_int_equal(frame.dir, GW_DIR_OUT);
            assert_int_equal(frame.data[14 + 20 + 8], 'k'); /* Ethernet, IPv4, UDP; then padding */
        }
    }
    assert_int_equal(frames, o.run.results[0].num_packets);
    assert_int_equal(marked, 1);
    gw_capture_close(capture);
    gw_run_free(&o.run);
    (void)snprintf(path, sizeof(path), "rm -r %s", dir);
    assert_int_equal(system(path), 0);
}

static bool look_at_ports(void *arg, const gw_result *result, const gw_evidence *evidence,
                          char *why, size_t why_cap)
{
    unsigned *received = arg;
    (void)why;
    (void)why_cap;
    for (unsigned number = 1; number <= result->num_packets; number++) {
        const gw_evidence_packet *packet = gw_evidence_get(evidence, number);
        assert_int_equal(packet->remote.port, packet->dir == GW_DIR_IN ? 49999 : 60368);
        *received += packet->dir == GW_DIR_IN;
    }
    return true;
}

/* RoCEv2 adapters do, and the ICRC covers it. */
static void evidence_says_which_port_an_answer_came_from(void **state)
{
    (void)state;
    outcome o;
    unsigned received = 0;
    fake_board board = new_fake_board();
    board.sends_from = 49999;
    run_setup(&o, &board, (gw_run_setup){.keep = look_at_ports, .keep_arg = &received},
              GW_LIST("t/good"));
    assert_true(received > 0);
    gw_run_free(&o.run);
}

static bool look_at_lines(void *arg, const gw_result *result, const gw_evidence *evidence,
                          char *why, size_t why_cap)
{
    (void)arg;
    (void)why;
    (void)why_cap;
    bool closed = result->which->arg != 0;
    const gw_evidence_packet *said = NULL;
    for (unsigned n = 1; n <= evidence->num_packets; n++) {
        const gw_evidence_packet *packet = gw_evidence_get(evidence, n);
        if (packet->len == 1 && evidence->bytes[packet->data] == (closed ? 'c' : 'x'))
            said = packet;
    }
    if (said == NULL) {
        fail_msg("the evidence does not hold what was said");
        return false;
    }
    assert_int_equal(evidence->num_comments, 1);
    const gw_evidence_packet *marked = gw_evidence_get(evidence, evidence->comments[0].number);
    assert_int_equal(marked->line, said->line);
    assert_int_equal(marked->kind, closed ? GW_EVIDENCE_CLOSE : GW_EVIDENCE_BYTES);
    return true;
}

/* The exchange on the other connection was good, and so is a sign of life behind it. */
static void a_verdict_shows_the_connection_that_it_is_about(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    board.target.links[0].stream = true;
    run_setup(&o, &board, (gw_run_setup){.keep = look_at_lines},
              GW_LIST("t/stays-open", "t/is-closed"));
    expect(&o, 0, GW_FAIL, "it stays open");
    expect(&o, 1, GW_FAIL, "it was closed");
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(o.run.results[i].sent.bytes[0], i == 0 ? 'x' : 'c');
        assert_int_equal(o.run.results[i].received.len, 0);
    }
    gw_run_free(&o.run);
}

static void one_line_serves_all_datagrams(void **state)
{
    (void)state;
    outcome o;
    fake_board board = new_fake_board();
    run(&o, &board, GW_LIST("t/good", "t/drop", "t/last"));
    assert_int_equal(board.opened, 1);
    gw_run_free(&o.run);
}

/* The second board takes a while for each answer. */
static void what_was_waited_for_is_told_apart(void **state)
{
    (void)state;
    outcome quick;
    outcome slow;
    fake_board board = new_fake_board();
    run(&quick, &board, GW_LIST("t/waits", "t/last"));
    assert_int_equal(quick.run.spent.pauses_ns, 3 * GW_SECOND);
    assert_true(quick.run.spent.silence_ns >= 5 * GW_SECOND);
    assert_int_equal(quick.run.spent.answers_ns, 0);
    board = new_fake_board();
    board.late_ns = 100 * GW_MS;
    run(&slow, &board, GW_LIST("t/waits", "t/last"));
    assert_int_equal(slow.run.spent.pauses_ns, 3 * GW_SECOND);
    assert_int_equal(slow.run.spent.silence_ns, quick.run.spent.silence_ns);
    assert_true(slow.run.spent.answers_ns >= 200 * GW_MS); /* a sign of life, and the last case */
    gw_run_free(&quick.run);
    gw_run_free(&slow.run);
}

/* The verdict on a board that is good, and loses one datagram, in a run that is interrupted. The
 * wish to stop cannot be taken back: it has a process of its own. */
static gw_verdict interrupted_at(unsigned number)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        outcome o;
        fake_board board = new_fake_board();
        board.loses = 'a';
        board.loses_times = 1;
        board.interrupts_at = number;
        gw_stop_watch();
        run(&o, &board, GW_LIST("t/good"));
        _exit((int)o.run.results[0].verdict);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return (gw_verdict)WEXITSTATUS(status);
}

static void who_interrupts_a_run_blames_no_board(void **state)
{
    (void)state;
    /* More than such a run sends. */
    for (unsigned number = 1; number <= 32; number++)
        assert_int_equal(interrupted_at(number), GW_INCONC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_follow_the_level),
        cmocka_unit_test(a_datagram_that_the_path_does_not_carry_is_not_applicable),
        cmocka_unit_test(an_impaired_way_blames_nobody),
        cmocka_unit_test(in_haste_nothing_is_repeated_for_the_path),
        cmocka_unit_test(our_own_fault_comes_first),
        cmocka_unit_test(a_dialect_waives),
        cmocka_unit_test(a_dialect_waives_what_it_names),
        cmocka_unit_test(dependents_are_tried),
        cmocka_unit_test(a_waived_foundation_holds_unless_it_blocks),
        cmocka_unit_test(foundations_are_looked_at_in_any_order),
        cmocka_unit_test(a_case_selected_alone_is_run),
        cmocka_unit_test(a_board_that_never_answers_ends_the_run),
        cmocka_unit_test(a_refused_connection_is_no_answer),
        cmocka_unit_test(a_failure_is_not_forgotten_because_of_one_attempt),
        cmocka_unit_test(a_legal_drop_passes),
        cmocka_unit_test(what_kills_twice_fails),
        cmocka_unit_test(what_kills_once_is_given_another_chance),
        cmocka_unit_test(a_board_killed_for_good_ends_the_run),
        cmocka_unit_test(a_positive_case_is_not_blamed_for_a_lost_board),
        cmocka_unit_test(what_is_sent_last_is_looked_at_as_well),
        cmocka_unit_test(evidence_carries_the_comments),
        cmocka_unit_test(evidence_says_which_port_an_answer_came_from),
        cmocka_unit_test(a_verdict_shows_the_connection_that_it_is_about),
        cmocka_unit_test(one_line_serves_all_datagrams),
        cmocka_unit_test(what_was_waited_for_is_told_apart),
        cmocka_unit_test(who_interrupts_a_run_blames_no_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The arithmetic of repeated attempts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "run/confirm.h"

#define MOST 48

static const gw_trial_path near = {.trouble = 0, .clean = true, .near = true};
static const gw_trial_path far_and_clean = {.trouble = 0.001, .clean = true};
static const gw_trial_path loses_a_little = {.trouble = 0.01};
static const gw_trial_path loses_some = {.trouble = 0.03};
static const gw_trial_path loses_much = {.trouble = 0.2};

static gw_result failure(const char *rule, const char *text)
{
    gw_result result = {.verdict = GW_FAIL, .rule = gw_format_rule(&gw_etherbone, rule)};
    (void)snprintf(result.text, sizeof(result.text), "%s", text);
    return result;
}

/* Plays |attempts|, a letter each: f fails, o fails by another rule, t fails with another text, p
 * passes, i is inconclusive; the last one is repeated. Returns how it ends, and after how many. */
static gw_trial_end play(const char *attempts, const gw_trial_path *path, unsigned *num)
{
    gw_trial trial = {0};
    gw_trial_end end = GW_TRIAL_GO_ON;
    gw_result suspect = {0};
    while (end == GW_TRIAL_GO_ON && trial.attempts < MOST) {
        gw_result result = failure("EB-S04", "no reply within 1000 ms");
        if (*attempts == 'o')
            result = failure("EB-S16", "no reply within 1000 ms");
        if (*attempts == 't')
            result = failure("EB-S04", "the reply has another id");
        if (*attempts == 'p' || *attempts == 'i')
            result = (gw_result){.verdict = *attempts == 'p' ? GW_PASS : GW_INCONC};
        gw_trial_note(&trial, &result, 20, 0);
        if (result.verdict == GW_FAIL)
            suspect = result;
        if (trial.failed > 0)
            end = gw_trial_judge(&trial, &suspect, path, MOST);
        attempts += attempts[1] != '\0';
    }
    if (num != NULL)
        *num = trial.attempts;
    return end;
}

static void the_same_failure_twice_settles_it_where_nothing_is_between(void **state)
{
    (void)state;
    unsigned num;
    assert_int_equal(play("f", &near, &num), GW_TRIAL_BOARD);
    assert_int_equal(num, 2);
}

static void the_worse_the_path_the_more_it_takes(void **state)
{
    (void)state;
    unsigned clean;
    unsigned little;
    assert_int_equal(play("f", &far_and_clean, &clean), GW_TRIAL_BOARD);
    assert_int_equal(play("f", &loses_a_little, &little), GW_TRIAL_BOARD);
    assert_true(clean > 2);
    assert_true(little > clean);
    assert_int_equal(play("f", &loses_much, NULL), GW_TRIAL_UNKNOWN);
}

static void numbers_in_a_text_make_no_other_failure(void **state)
{
    (void)state;
    gw_trial trial = {0};
    gw_result one = failure("EB-S16", "0x12 expected at address 0x100, read 0x34");
    gw_result two = failure("EB-S16", "0xff expected at address 0x2f0, read 0x0");
    gw_result other = failure("EB-S16", "the reply has 12 bytes");
    gw_trial_note(&trial, &one, 4, 0);
    gw_trial_note(&trial, &two, 4, 0);
    gw_trial_note(&trial, &other, 4, 0);
    assert_int_equal(gw_trial_same(&trial, &one, true), 2);
    assert_int_equal(gw_trial_same(&trial, &one, false), 3);
}

static void what_goes_wrong_now_so_now_so_is_the_paths(void **state)
{
    (void)state;
    assert_int_equal(
        play("ftftftftftftftftftftftftftftftftftftftftftftftftftftft", &loses_some, NULL),
        GW_TRIAL_UNKNOWN);
    assert_int_equal(play("fofofofofofofofofofofofofofofofofofofofofofofofo", &loses_some, NULL),
                     GW_TRIAL_UNKNOWN);
    /* Where there is no path it is the board's. */
    assert_int_equal(play("fofo", &near, NULL), GW_TRIAL_BOARD);
}

static void a_pass_clears_the_board_where_the_path_loses(void **state)
{
    (void)state;
    assert_int_equal(play("fp", &loses_a_little, NULL), GW_TRIAL_PATH);
    assert_int_equal(play("ffpp", &loses_a_little, NULL), GW_TRIAL_PATH);
    assert_int_equal(play("fiip", &loses_much, NULL), GW_TRIAL_PATH);
}

static void two_passes_do_not_outweigh_many_failures(void **state)
{
    (void)state;
    assert_int_equal(play("ffffffpp", &loses_much, NULL), GW_TRIAL_PATH);
    assert_int_equal(play("ffffffffffffffffffpffffffffffffffffffffpf", &loses_much, NULL),
                     GW_TRIAL_UNKNOWN);
}

static void a_pass_clears_nobody_where_nothing_was_lost(void **state)
{
    (void)state;
    assert_int_equal(play("fp", &near, NULL), GW_TRIAL_UNKNOWN);
    assert_int_equal(play("fpfp", &near, NULL), GW_TRIAL_BOARD);
}

/* That nothing was seen to be lost is no proof that nothing gets lost. */
static void a_path_may_lose_what_nobody_has_seen_it_lose(void **state)
{
    (void)state;
    unsigned num;
    assert_int_equal(play("fp", &far_and_clean, &num), GW_TRIAL_PATH);
    assert_true(num > 2);
    assert_int_equal(play("fpfpfpfp", &far_and_clean, NULL), GW_TRIAL_UNKNOWN);
}

static void what_says_nothing_counts_for_nothing(void **state)
{
    (void)state;
    unsigned num;
    assert_int_equal(play("fif", &near, &num), GW_TRIAL_BOARD);
    assert_int_equal(num, 3);
    assert_int_equal(play("fi", &near, NULL), GW_TRIAL_UNKNOWN);
}

static void no_path_makes_a_board_need_a_reset(void **state)
{
    (void)state;
    gw_result result = failure("EB-S42", "the board stopped answering after this case");
    gw_trial trial = {0};
    for (unsigned i = 0; i < 3; i++)
        gw_trial_note(&trial, &result, 20, 0);
    trial.deaths = 3;
    assert_int_equal(gw_trial_judge(&trial, &result, &loses_much, MOST), GW_TRIAL_GO_ON);
    trial.resets = 3;
    assert_int_equal(gw_trial_judge(&trial, &result, &loses_much, MOST), GW_TRIAL_BOARD);
    gw_result nothing = {.verdict = GW_INCONC};
    for (unsigned i = 0; i < 30; i++)
        gw_trial_note(&trial, &nothing, 20, 0);
    assert_int_equal(gw_trial_judge(&trial, &result, &loses_much, MOST), GW_TRIAL_GO_ON);
}

/* Of hundreds of datagrams some get lost at each attempt; of the few that matter they do not. */
static void what_does_not_matter_to_a_failure_explains_none(void **state)
{
    (void)state;
    gw_result result = failure("EB-S16", "a write came after the end");
    gw_result other = failure("EB-S16", "nothing came");
    gw_trial all = {0};
    gw_trial few = {0};
    gw_trial mixed = {0};
    for (unsigned i = 0; i < 12; i++) {
        gw_trial_note(&all, &result, 300, 0);
        gw_trial_note(&few, i % 2 == 0 ? &result : &other, 300, i % 2 == 0 ? 4 : 0);
        gw_trial_note(&mixed, &result, 300, i == 5 ? 0 : 4);
    }
    assert_int_equal(gw_trial_judge(&all, &result, &loses_some, MOST), GW_TRIAL_GO_ON);
    assert_int_equal(gw_trial_judge(&few, &other, &loses_some, MOST), GW_TRIAL_GO_ON);
    assert_int_equal(gw_trial_judge(&mixed, &result, &loses_some, MOST), GW_TRIAL_GO_ON);
    gw_trial same = {0};
    for (unsigned i = 0; i < 12; i++)
        gw_trial_note(&same, &result, 300, 4);
    assert_int_equal(gw_trial_judge(&same, &result, &loses_some, MOST), GW_TRIAL_BOARD);
    assert_int_equal(gw_trial_judge(&same, &result, &loses_much, MOST), GW_TRIAL_GO_ON);
}

/* A board that calls us: what gets lost makes conversations longer or shorter. */
static void a_path_that_nobody_can_measure_shows_in_conversations(void **state)
{
    (void)state;
    static const gw_trial_path unknown = {.trouble = 0.01, .unknown = true};
    gw_result result = failure("EB-M27", "the master repeats request 7");
    gw_trial even = {0};
    gw_trial uneven = {0};
    for (unsigned i = 0; i < 7; i++) {
        gw_trial_note(&even, &result, 100, 0);
        gw_trial_note(&uneven, &result, 100 + i % 2, 0);
    }
    assert_int_equal(gw_trial_judge(&even, &result, &unknown, MOST), GW_TRIAL_BOARD);
    assert_int_equal(gw_trial_judge(&uneven, &result, &unknown, MOST), GW_TRIAL_GO_ON);
    assert_int_equal(gw_trial_judge(&uneven, &result, &unknown, 7), GW_TRIAL_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_failure_twice_settles_it_where_nothing_is_between),
        cmocka_unit_test(the_worse_the_path_the_more_it_takes),
        cmocka_unit_test(numbers_in_a_text_make_no_other_failure),
        cmocka_unit_test(what_goes_wrong_now_so_now_so_is_the_paths),
        cmocka_unit_test(a_pass_clears_the_board_where_the_path_loses),
        cmocka_unit_test(two_passes_do_not_outweigh_many_failures),
        cmocka_unit_test(a_pass_clears_nobody_where_nothing_was_lost),
        cmocka_unit_test(a_path_may_lose_what_nobody_has_seen_it_lose),
        cmocka_unit_test(what_says_nothing_counts_for_nothing),
        cmocka_unit_test(what_does_not_matter_to_a_failure_explains_none),
        cmocka_unit_test(no_path_makes_a_board_need_a_reset),
        cmocka_unit_test(a_path_that_nobody_can_measure_shows_in_conversations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* What is made of what the path to a board did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/path.h"

#define MS INT64_C(1000000)

static void probe(gw_path_stats *path, unsigned num, int64_t rtt_ns)
{
    for (unsigned i = 0; i < num; i++)
        gw_path_stats_answered(path, path->last_ns + 2 * rtt_ns, rtt_ns);
}

static void the_lag_rises_at_once_and_falls_slowly(void **state)
{
    (void)state;
    gw_path_stats path = {0};
    assert_int_equal(gw_path_stats_lag_ns(&path), 0);
    probe(&path, 4, 10 * MS);
    int64_t usual = gw_path_stats_lag_ns(&path);
    assert_true(usual >= 10 * MS && usual < 15 * MS);
    probe(&path, 1, 40 * MS);
    int64_t risen = gw_path_stats_lag_ns(&path);
    assert_true(risen > 65 * MS); /* what swings up may swing as far again */
    probe(&path, 1, 10 * MS);
    assert_true(gw_path_stats_lag_ns(&path) > risen * 9 / 10);
    probe(&path, 1000, 10 * MS);
    assert_true(gw_path_stats_lag_ns(&path) < 2 * usual);
}

static void on_the_boards_own_clock_nothing_is_added(void **state)
{
    (void)state;
    gw_path_stats path = {.exact = true};
    probe(&path, 4, 10000);
    assert_int_equal(gw_path_stats_lag_ns(&path), 10000);
    probe(&path, 1, 15000);
    assert_int_equal(gw_path_stats_lag_ns(&path), 20000);
}

static void trouble_grows_with_what_was_seen(void **state)
{
    (void)state;
    gw_path_stats little = {0};
    gw_path_stats much = {0};
    gw_path_stats lossy = {0};
    gw_path_stats crooked = {0};
    probe(&little, 4, MS);
    probe(&much, 200, MS);
    probe(&lossy, 190, MS);
    probe(&crooked, 200, MS);
    for (unsigned i = 0; i < 10; i++)
        gw_path_stats_lost(&lossy, lossy.last_ns);
    crooked.pairs = 20;
    crooked.overtaken = 2;
    assert_true(gw_path_stats_clean(&little) && gw_path_stats_clean(&much));
    assert_false(gw_path_stats_clean(&lossy) || gw_path_stats_clean(&crooked));
    assert_true(gw_path_stats_trouble(&little) > gw_path_stats_trouble(&much));
    assert_true(gw_path_stats_trouble(&lossy) >= 0.025); /* half of a probe's 5 % */
    assert_true(gw_path_stats_trouble(&lossy) < 0.06);
    assert_true(gw_path_stats_trouble(&crooked) > 0.06);
}

/* Hundreds of probes, each waiting for the one before, show no packet overtaking another. */
static void few_pairs_leave_the_order_doubtful(void **state)
{
    (void)state;
    gw_path_stats few = {.pairs = 12, .quiet = 600};
    gw_path_stats many = {.pairs = 600, .quiet = 600};
    probe(&few, 400, MS);
    probe(&many, 400, MS);
    assert_true(gw_path_stats_trouble(&few) > 0.01);
    assert_true(gw_path_stats_trouble(&many) < 0.001);
}

static void a_late_answer_is_remarkable_only_where_others_are_quick(void **state)
{
    (void)state;
    gw_path_stats path = {0};
    probe(&path, 20, 20 * MS);
    probe(&path, 1, 30 * MS);
    assert_int_equal(path.irregular, 0);
    probe(&path, 1, 90 * MS);
    assert_int_equal(path.irregular, 1);
}

/* However long the run, the picture has its beginning, its end and all that was lost. */
static void the_picture_is_of_the_whole_run(void **state)
{
    (void)state;
    gw_path_stats path = {0};
    for (unsigned i = 0; i < 5000; i++) {
        probe(&path, 1, MS);
        if (i % 500 == 0)
            gw_path_stats_lost(&path, path.last_ns);
    }
    unsigned lost = 0;
    assert_true(path.num_samples > GW_PATH_SAMPLES / 4 && path.num_samples <= GW_PATH_SAMPLES);
    for (unsigned i = 0; i < path.num_samples; i++) {
        lost += path.samples[i].rtt_ns == GW_PATH_LOST;
        assert_true(i == 0 || path.samples[i].at_ns >= path.samples[i - 1].at_ns);
    }
    assert_int_equal(lost, 10);
    assert_int_equal(path.samples[0].at_ns, 0);
    assert_true(path.samples[path.num_samples - 1].at_ns > 9000 * MS);
    assert_int_equal(path.rtt.num, 5000);
}

static void nothing_but_losses_fits_too(void **state)
{
    (void)state;
    gw_path_stats path = {0};
    for (int64_t i = 0; i < 3000; i++)
        gw_path_stats_lost(&path, i * MS);
    assert_true(path.num_samples <= GW_PATH_SAMPLES);
    assert_int_equal(path.lost, 3000);
    assert_true(gw_path_stats_trouble(&path) <= 1);
}

/* A board in memory that is started anew begins at 0 again. */
static void time_does_not_run_backwards(void **state)
{
    (void)state;
    gw_path_stats path = {0};
    gw_path_stats_answered(&path, 50 * MS, MS);
    gw_path_stats_answered(&path, 90 * MS, MS);
    gw_path_stats_answered(&path, 1 * MS, MS);
    gw_path_stats_answered(&path, 11 * MS, MS);
    assert_int_equal(path.samples[1].at_ns, 40 * MS);
    assert_int_equal(path.samples[2].at_ns, 40 * MS);
    assert_int_equal(path.samples[3].at_ns, 50 * MS);
}

static void it_says_what_the_path_did(void **state)
{
    (void)state;
    char text[200];
    gw_path_stats path = {0};
    probe(&path, 3, 20 * MS);
    gw_path_stats_text(&path, text, sizeof(text));
    assert_non_null(strstr(text, "3 probes, round trip 20.00 ms, at most 20.00 ms, none lost"));
    gw_path_stats_lost(&path, path.last_ns);
    gw_path_stats_text(&path, text, sizeof(text));
    assert_non_null(strstr(text, "4 probes"));
    assert_non_null(strstr(text, ", 1 lost"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lag_rises_at_once_and_falls_slowly),
        cmocka_unit_test(on_the_boards_own_clock_nothing_is_added),
        cmocka_unit_test(trouble_grows_with_what_was_seen),
        cmocka_unit_test(few_pairs_leave_the_order_doubtful),
        cmocka_unit_test(a_late_answer_is_remarkable_only_where_others_are_quick),
        cmocka_unit_test(the_picture_is_of_the_whole_run),
        cmocka_unit_test(nothing_but_losses_fits_too),
        cmocka_unit_test(time_does_not_run_backwards),
        cmocka_unit_test(it_says_what_the_path_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Workers behind a path that nobody can probe: the good one is not blamed for what got lost,
 * and those with a fault are caught all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "formats/ims/worker/suite.h"
#include "goldwire/format.h"
#include "run/run.h"
#include "run/select.h"
#include "selftest/selftest.h"

static gw_impairment path_of(const char *text)
{
    char url[128];
    char why[256] = "";
    gw_url parsed;
    (void)snprintf(url, sizeof(url), "roce://127.0.0.1?%s", text);
    if (!gw_url_parse(&parsed, url, why, sizeof(why)))
        fail_msg("%s", why);
    return parsed.impairment;
}

static const gw_mutant *mutant_of(const gw_board *board, const char *id)
{
    for (size_t i = 0; i < board->num_mutants; i++)
        if (strcmp(board->mutants[i].id, id) == 0)
            return &board->mutants[i];
    fail_msg("no mutant '%s'", id);
    return NULL;
}

/* What the catalogue makes of |mutant| (NULL: the good Worker) behind |path|. */
static gw_detection detect(const char *mutant, const char *path)
{
    const gw_board *board = gw_board_by_role("ims-worker");
    gw_impairment way = path_of(path);
    char why[256] = "";
    gw_detection d;
    if (!gw_selftest(&d, gw_suite_by_role("ims-worker"), board,
                     mutant != NULL ? mutant_of(board, mutant) : NULL, &way, why, sizeof(why)))
        fail_msg("%s: %s", path, why);
    return d;
}

static void assert_caught(const char *mutant, const char *path)
{
    gw_detection d = detect(mutant, path);
    if (!d.detected)
        fail_msg("%s is not caught behind %s", mutant, path);
    if (d.num_extra > 0)
        fail_msg("%s behind %s: %s fails: %s", mutant, path, d.extra[0]->id, d.extra_text);
}

/* The ACK of the good conversation is what gets lost here. */
static void a_lost_ack_is_the_paths(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 12; seed++) {
        char path[64];
        (void)snprintf(path, sizeof(path), "loss=0.01&seed=%u", seed);
        gw_detection d = detect(NULL, path);
        if (d.num_extra > 0)
            fail_msg("%s: %s: %s", path, d.extra[0]->id, d.extra_text);
        /* What got lost in one conversation is seen in the next. */
        assert_int_equal(d.counts.of[GW_INCONC], 0);
    }
}

static void faults_show_where_packets_get_lost(void **state)
{
    static const char *const mutants[] = {"m-wrong-rkey",  "m-deaf",        "m-ignores-nack",
                                          "m-cut-frames",  "m-frame-sizes", "m-slows-down",
                                          "m-takes-second"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(mutants); i++)
        assert_caught(mutants[i], "loss=0.01&seed=1");
}

/* Jitter brings frames behind the leave that were sent before it; these seeds do so every time. */
static void what_comes_late_was_not_sent_late(void **state)
{
    static const char *const paths[] = {"rtt=20ms&jitter=5ms&seed=65",
                                        "rtt=40ms&jitter=10ms&seed=89"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(paths); i++) {
        gw_detection d = detect(NULL, paths[i]);
        if (d.num_extra > 0)
            fail_msg("%s: %s: %s", paths[i], d.extra[0]->id, d.extra_text);
    }
}

/* It waits for a response that got lost, and so never comes to its leave. */
static void who_waits_is_not_blamed_for_its_leave(void **state)
{
    (void)state;
    assert_caught("m-trusts", "loss=0.01&seed=1");
}

/* More frames than usual come where some are sent again elsewhere. */
static void who_moves_frames_is_not_blamed_for_their_number(void **state)
{
    (void)state;
    assert_caught("m-moves", "loss=0.01&seed=1");
}

static void faults_show_behind_a_long_path(void **state)
{
    static const char *const mutants[] = {"m-no-wait", "m-waits-once", "m-breaks-off",
                                          "m-confirms"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(mutants); i++)
        assert_caught(mutants[i], "rtt=20ms");
}

/* It is nearly as long as the Worker waits for a response, and longer than it waits before it asks
 * again: only whose the time is that a refused frame takes to come again is not known. */
static void hardly_anything_is_undecided_behind_a_very_long_path(void **state)
{
    (void)state;
    gw_detection d = detect(NULL, "rtt=400ms");
    if (d.num_extra > 0)
        fail_msg("%s: %s", d.extra[0]->id, d.extra_text);
    assert_int_equal(d.counts.of[GW_INCONC], 1);
    assert_caught("m-no-wait", "rtt=400ms");
    assert_caught("m-waits-once", "rtt=400ms");
}

/* What a Worker sends again before it can have heard anything proves nothing. */
static void who_cannot_have_heard_is_not_blamed(void **state)
{
    static const char *const paths[] = {"rtt=501ms", "rtt=600ms", "rtt=1s", "rtt=2s", "rtt=3s"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(paths); i++) {
        gw_detection d = detect(NULL, paths[i]);
        if (d.num_extra > 0)
            fail_msg("%s: %s: %s", paths[i], d.extra[0]->id, d.extra_text);
    }
}

/* An adapter's packets are as long as the path carries. */
static void a_narrow_path_leaves_nothing_undecided(void **state)
{
    static const char *const paths[] = {"mtu=1500", "mtu=576"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(paths); i++) {
        gw_detection d = detect(NULL, paths[i]);
        if (d.num_extra > 0)
            fail_msg("%s: %s: %s", paths[i], d.extra[0]->id, d.extra_text);
        assert_int_equal(d.counts.of[GW_INCONC] + d.counts.of[GW_NA], 0);
    }
}

static void what_gets_lost_asks_for_repetition(void **state)
{
    const gw_imsw_loss none = {.data = 1000, .requests = 40};
    const gw_imsw_loss few = {.data = 1000, .missing = 50, .requests = 40};
    const gw_imsw_loss unheard = {.data = 1000, .requests = 50, .repeated = 10};
    const gw_imsw_loss most = {.data = 1000, .missing = 800, .requests = 40};
    (void)state;
    assert_uint_in_range(gw_imsw_repeats_due(&none), 2, 8);
    assert_true(gw_imsw_repeats_due(&few) > gw_imsw_repeats_due(&none));
    assert_true(gw_imsw_repeats_due(&unheard) > gw_imsw_repeats_due(&none));
    assert_true(gw_imsw_repeats_due(&most) > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_ack_is_the_paths),
        cmocka_unit_test(faults_show_where_packets_get_lost),
        cmocka_unit_test(what_comes_late_was_not_sent_late),
        cmocka_unit_test(who_waits_is_not_blamed_for_its_leave),
        cmocka_unit_test(who_moves_frames_is_not_blamed_for_their_number),
        cmocka_unit_test(faults_show_behind_a_long_path),
        cmocka_unit_test(hardly_anything_is_undecided_behind_a_very_long_path),
        cmocka_unit_test(who_cannot_have_heard_is_not_blamed),
        cmocka_unit_test(a_narrow_path_leaves_nothing_undecided),
        cmocka_unit_test(what_gets_lost_asks_for_repetition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

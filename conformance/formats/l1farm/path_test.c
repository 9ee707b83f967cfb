/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards of the Level-1 farm, and others, behind paths that lose or take long: their cases
 * are decided there, and a board with a fault is not blamed for what it does right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "run/run.h"
#include "selftest/selftest.h"

/* What the catalogue makes of |role|'s board with the fault |mutant| (NULL: none) behind |path|. */
static gw_detection detect(const char *role, const char *mutant, const char *path)
{
    const gw_board *board = gw_board_by_role(role);
    const gw_mutant *found = NULL;
    char why[256] = "";
    char url[128];
    gw_url parsed;
    gw_detection d;

    (void)snprintf(url, sizeof(url), "udp://127.0.0.1:1?%s", path);
    if (!gw_url_parse(&parsed, url, why, sizeof(why)))
        fail_msg("%s", why);
    for (size_t i = 0; mutant != NULL && i < board->num_mutants; i++)
        if (strcmp(board->mutants[i].id, mutant) == 0)
            found = &board->mutants[i];
    assert_true((mutant == NULL) == (found == NULL));
    if (!gw_selftest(&d, gw_suite_by_role(role), board, found, &parsed.impairment, why,
                     sizeof(why)))
        fail_msg("%s: %s", path, why);
    return d;
}

static void assert_decided(const char *role, const char *path, unsigned undecided)
{
    gw_detection d = detect(role, NULL, path);

    if (d.num_extra > 0)
        fail_msg("%s behind %s: %s: %s", role, path, d.extra[0]->id, d.extra_text);
    assert_uint_in_range(d.counts.of[GW_INCONC], 0, undecided);
}

/* The board waits for less time than the path takes there and back. */
static void a_late_slot_is_tried_behind_a_long_path(void **state)
{
    (void)state;
    assert_decided("l1-du", "rtt=100ms", 0);
    assert_decided("l1-du", "rtt=200ms", 0);
}

/* A hundred datagrams are not needed all at once. */
static void long_cases_survive_losses(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 4; seed++) {
        char path[64];
        (void)snprintf(path, sizeof(path), "loss=0.01&seed=%u", seed);
        assert_decided("l1-ru", path, 2);
    }
}

static void a_worker_that_could_not_leave_blames_nobody(void **state)
{
    static const char *const mutants[] = {"m-no-repeated-res", "m-stat-term-keeps-channel"};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(mutants); i++) {
        gw_detection d = detect("ims-buf", mutants[i], "loss=0.01&seed=1");
        if (d.num_extra > 0)
            fail_msg("%s: %s: %s", mutants[i], d.extra[0]->id, d.extra_text);
    }
    assert_int_equal(detect("ims-buf", "m-stat-term-keeps-channel", "rtt=20ms").num_extra, 0);
}

static void assert_blameless(const char *role, const char *path, unsigned seeds)
{
    for (unsigned seed = 1; seed <= seeds; seed++) {
        char seeded[64];
        (void)snprintf(seeded, sizeof(seeded), "%s&seed=%u", path, seed);
        gw_detection d = detect(role, NULL, seeded);
        if (d.num_extra > 0)
            fail_msg("%s behind %s: %s: %s", role, seeded, d.extra[0]->id, d.extra_text);
    }
}

static void repeated_datagrams_are_the_paths(void **state)
{
    (void)state;
    assert_blameless("l1-du", "duplicate=0.05", 8);
    assert_blameless("ims-buf", "duplicate=0.1", 1);
}

/* A node may say nothing of a mismatch; one result that got lost does not show that it does not. */
static void a_lost_result_is_no_choice_of_the_nodes(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 12; seed++) {
        char path[64];
        (void)snprintf(path, sizeof(path), "loss=0.01&seed=%u", seed);
        assert_int_equal(detect("l1-cn", NULL, path).counts.of[GW_NA], 0);
    }
}

/* A Worker that we start is started again when the path kept it away. */
static void an_outage_ends_no_run(void **state)
{
    (void)state;
    assert_decided("ims-worker", "rtt=1ms&outage=200ms+3s", 0);
}

static void assert_caught(const char *role, const char *mutant)
{
    gw_detection d = detect(role, mutant, "loss=0.01&seed=1");

    if (!d.detected)
        fail_msg("%s of %s is not caught", mutant, role);
}

static void faults_show_where_datagrams_get_lost(void **state)
{
    (void)state;
    assert_caught("l1-du", "m-gives-nodes-up");
    assert_caught("l1-du", "m-decides-twice");
    assert_caught("l1-cn", "m-late");
    assert_caught("l1-ru", "m-small-table");
}

/* Cases of hundreds of datagrams, of which each attempt loses some: few of them matter. */
static void faults_show_in_long_cases(void **state)
{
    (void)state;
    assert_caught("l1-ru", "m-pure-clear");
    assert_caught("l1-ru", "m-clear-lets-run");
    assert_caught("l1-ru", "m-short-pointer");
    assert_caught("l1-du", "m-slot-next-lap");
    assert_caught("textarossa-switch", "m-overtakes");
    assert_caught("etherbone-slave", "m-replies-to-first-client");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_slot_is_tried_behind_a_long_path),
        cmocka_unit_test(long_cases_survive_losses),
        cmocka_unit_test(a_worker_that_could_not_leave_blames_nobody),
        cmocka_unit_test(repeated_datagrams_are_the_paths),
        cmocka_unit_test(a_lost_result_is_no_choice_of_the_nodes),
        cmocka_unit_test(an_outage_ends_no_run),
        cmocka_unit_test(faults_show_where_datagrams_get_lost),
        cmocka_unit_test(faults_show_in_long_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

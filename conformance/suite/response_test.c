/* SPDX-License-Identifier: BSD-2-Clause */
/* Response-time cases under virtual time: boards as slow as the test wants them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "run/run.h"
#include "run/testing/between_testing.h"

#define US INT64_C(1000)

/* A way on which each message of the board's takes longer. */
typedef struct slow_way {
    int64_t delay_ns;
    unsigned every; /* message takes |rare_ns| more; 0: none does */
    int64_t rare_ns;
    unsigned seen;
    bool far;         /* the run takes the board for one behind a network */
    unsigned heard;   /* messages so far */
    unsigned deaf_to; /* from |deaf_from| to this one none comes; 0: all do */
    unsigned deaf_from;
} slow_way;

static gw_recv_status recv_late(between_connection *conn, uint8_t *buf, size_t cap, size_t *len,
                                int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    slow_way *way = conn->way->arg;
    gw_transport *inner = conn->inner;
    gw_recv_status status;
    do {
        status = inner->ops->recv(inner, buf, cap, len, deadline, stamp_ns, from);
        if (status != GW_RECV_DATA)
            return status;
        way->heard++;
    } while (way->heard > way->deaf_from && way->heard <= way->deaf_to);
    int64_t delay = way->delay_ns;
    if (way->every > 0 && ++way->seen % way->every == 0)
        delay += way->rare_ns;
    inner->ops->wait(inner, inner->ops->now(inner) + delay);
    *stamp_ns += delay;
    return status;
}

/* The case that measures boards of |role|. */
static const gw_case *case_for(const gw_suite *suite)
{
    static const char *const ids[] = {"eb-s/response-time", "op-e/response-time",
                                      "tx-e/response-time", "tx-s/response-time",
                                      "l1-r/response-time", "l1-u/response-time"};
    const gw_case *one = NULL;
    for (size_t i = 0; i < GW_ARRAY_LEN(ids) && one == NULL; i++)
        one = gw_suite_case(suite, ids[i]);
    assert_non_null(one);
    return one;
}

static char noted[768]; /* of the last one that was measured */

/* Runs the case |id| (NULL: the role's one) on the board of |role| with the fault |mutant| (NULL:
 * none) that claims |claim_us|, on |way|, with a tool whose own part is |floor_ns|. */
static gw_verdict measure_case(const char *role, const char *id, const char *mutant, bool stream,
                               slow_way way, uint32_t claim_us, int64_t floor_ns)
{
    char why[256];
    gw_run run;
    gw_board_file board = *gw_builtin_board(role);
    const gw_suite *suite = gw_suite_by_role(role);
    const gw_case *one = id != NULL ? gw_suite_case(suite, id) : case_for(suite);
    const gw_board *kind = gw_board_by_role(role);
    gw_dut *dut = gw_dut_in_memory(kind, mutant != NULL ? gw_mutant_by_id(kind, mutant) : NULL,
                                   stream, why, sizeof(why));
    assert_non_null(dut);
    board.claims.response_us = claim_us;
    between late = {.recv = recv_late, .arg = &way};
    between_lay(&late, gw_dut_target(dut));
    late.target.far = way.far;
    gw_run_setup setup = {.suite = suite,
                          .board = &board,
                          .target = &late.target,
                          .cases = &one,
                          .num_cases = 1,
                          .floor_ns = floor_ns};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    gw_verdict verdict = run.results[0].verdict;
    (void)snprintf(noted, sizeof(noted), "%s", run.results[0].notes);
    if (verdict != GW_NA) {
        assert_true(run.timings.num > 0 || suite->calls_us);
        assert_int_equal(run.floor_ns, floor_ns);
    }
    gw_run_free(&run);
    gw_dut_close(dut);
    return verdict;
}

static gw_verdict measure(const char *role, bool stream, slow_way way, uint32_t claim_us,
                          int64_t floor_ns)
{
    return measure_case(role, NULL, NULL, stream, way, claim_us, floor_ns);
}

static void a_quick_board_keeps_its_claim(void **state)
{
    (void)state;
    assert_int_equal(measure("etherbone-slave", false, (slow_way){.delay_ns = 0}, 10, 0), GW_PASS);
    assert_int_equal(measure("etherbone-slave", true, (slow_way){.delay_ns = 0}, 10, 0), GW_PASS);
    assert_int_equal(measure("op2p-node", false, (slow_way){.delay_ns = 0}, 10, 0), GW_PASS);
    assert_int_equal(measure("textarossa-node", false, (slow_way){.delay_ns = 0}, 10, 0), GW_PASS);
    assert_int_equal(measure("textarossa-node", true, (slow_way){.delay_ns = 0}, 10, 0), GW_PASS);
    assert_int_equal(measure("textarossa-switch", true, (slow_way){.delay_ns = 0}, 10, 0), GW_PASS);
    assert_int_equal(measure("l1-du", false, (slow_way){.delay_ns = 0}, 20, 0), GW_PASS);
    /* A node takes 2 ms to look at a buffer. */
    assert_int_equal(measure("l1-cn", false, (slow_way){.delay_ns = 0}, 2000, 0), GW_PASS);
    /* 10 us of the way, 400 of the board: within 390 and a tenth. */
    assert_int_equal(measure("etherbone-slave", false, (slow_way){.delay_ns = 400 * US}, 390, 0),
                     GW_PASS);
}

static void a_slow_board_does_not(void **state)
{
    (void)state;
    assert_int_equal(measure("etherbone-slave", false, (slow_way){.delay_ns = 400 * US}, 300, 0),
                     GW_FAIL);
    assert_int_equal(measure("etherbone-slave", true, (slow_way){.delay_ns = 400 * US}, 300, 0),
                     GW_FAIL);
    assert_int_equal(measure("op2p-node", false, (slow_way){.delay_ns = 400 * US}, 300, 0),
                     GW_FAIL);
    assert_int_equal(measure("textarossa-node", false, (slow_way){.delay_ns = 400 * US}, 300, 0),
                     GW_FAIL);
    assert_int_equal(measure("textarossa-node", true, (slow_way){.delay_ns = 400 * US}, 300, 0),
                     GW_FAIL);
    assert_int_equal(measure("textarossa-switch", true, (slow_way){.delay_ns = 400 * US}, 300, 0),
                     GW_FAIL);
    assert_int_equal(measure("l1-du", false, (slow_way){.delay_ns = 400 * US}, 300, 0), GW_FAIL);
    assert_int_equal(measure("l1-cn", false, (slow_way){.delay_ns = 400 * US}, 2000, 0), GW_FAIL);
}

/* It is quick for as long as its ring of 128 packets lasts, and needs 150 ms for each one after. */
static void a_board_that_slows_down_does_not(void **state)
{
    static const char *const roles[] = {"textarossa-node", "textarossa-switch"};
    const slow_way way = {.delay_ns = 0};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(roles); i++) {
        assert_int_equal(measure_case(roles[i], NULL, "m-slows-down", true, way, 100000, 0),
                         GW_FAIL);
        assert_int_equal(measure_case(roles[i], NULL, "m-slows-down", true, way, 140000, 0),
                         GW_PASS);
        assert_int_equal(
            measure_case(roles[i], NULL, "m-slows-down", true, way, 100000, 200000 * US),
            GW_INCONC);
    }
}

/* A buffer answers requests and frames, a Worker sends again what was refused: so many frames as it
 * has, so one late one counts. */
static void ims_boards_are_measured(void **state)
{
    static const struct {
        const char *role;
        const char *id;
    } cases[] = {
        {"ims-buf", "ims-b/answer-time"},
        {"ims-buf", "ims-b/response-time"},
        {"ims-worker", "ims-w/resend-time"},
    };
    slow_way quick = {.delay_ns = 0};
    slow_way slow = {.delay_ns = 400 * US};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(cases); i++) {
        const char *role = cases[i].role, *id = cases[i].id;
        assert_int_equal(measure_case(role, id, NULL, false, quick, 1000, 0), GW_PASS);
        assert_int_equal(measure_case(role, id, NULL, false, slow, 300, 0), GW_FAIL);
        assert_int_equal(measure_case(role, id, NULL, false, slow, 300, 350 * US), GW_INCONC);
        assert_int_equal(measure_case(role, id, NULL, false, quick, 0, 0), GW_NA);
        assert_int_equal(measure_case(role, id, "m-slows-down", false, quick, 100000, 0), GW_FAIL);
        assert_int_equal(measure_case(role, id, "m-slows-down", false, quick, 300000, 0), GW_PASS);
    }
}

/* What comes 400 ms late is too late for who claims 300. */
static void a_late_farm_does_not(void **state)
{
    const slow_way way = {.delay_ns = 0};
    (void)state;
    assert_int_equal(measure_case("l1-cn", NULL, "m-late", false, way, 300000, 0), GW_FAIL);
    assert_int_equal(measure_case("l1-du", NULL, "m-late", false, way, 300000, 0), GW_FAIL);
    assert_int_equal(measure_case("l1-cn", NULL, "m-late", false, way, 400000, 0), GW_PASS);
    assert_int_equal(measure_case("l1-du", NULL, "m-late", false, way, 400000, 0), GW_PASS);
}

/* A long path is no slow board where something before the board shows how long it is: a farm's
 * tunnel does, and no slow board hides behind it. Of others nobody knows whose the time is. */
static void a_long_path_is_told_from_the_farm_behind_it(void **state)
{
    slow_way far = {.delay_ns = 400000 * US, .far = true};
    (void)state;
    assert_int_equal(measure("l1-du", false, far, 300000, 0), GW_PASS);
    assert_int_equal(measure("l1-cn", false, far, 300000, 0), GW_PASS);
    assert_int_not_equal(measure_case("l1-du", NULL, "m-late", false, far, 300000, 0), GW_PASS);
    assert_int_not_equal(measure_case("l1-cn", NULL, "m-late", false, far, 300000, 0), GW_PASS);
    assert_int_equal(measure("etherbone-slave", false, far, 300000, 0), GW_INCONC);
    far.far = false;
    assert_int_equal(measure("l1-du", false, far, 300000, 0), GW_FAIL);
    assert_int_equal(measure("l1-cn", false, far, 300000, 0), GW_FAIL);
}

/* One late answer in two hundred is no rule; one in twenty is. */
static void percentiles_count(void **state)
{
    slow_way rare = {.every = 150, .rare_ns = 1000 * US};
    slow_way often = {.every = 20, .rare_ns = 1000 * US};
    (void)state;
    assert_int_equal(measure("etherbone-slave", false, rare, 100, 0), GW_PASS);
    assert_int_equal(measure("etherbone-slave", false, often, 100, 0), GW_FAIL);
}

/* What gets lost of a stream is sent again, and is late: nobody knows whose lateness that is. */
static void a_far_stream_is_late_now_and_then(void **state)
{
    slow_way far = {.every = 60, .rare_ns = 200000 * US, .far = true};
    slow_way slow = {.delay_ns = 400 * US, .far = true};
    (void)state;
    assert_int_equal(measure("textarossa-node", true, far, 100000, 0), GW_INCONC);
    assert_int_equal(measure("etherbone-slave", true, far, 100000, 0), GW_INCONC);
    assert_int_not_equal(measure("textarossa-node", true, slow, 300, 0), GW_PASS);
    far.far = false;
    assert_int_equal(measure("textarossa-node", true, far, 100000, 0), GW_FAIL);
}

static void a_coarse_tool_blames_nobody(void **state)
{
    slow_way slow = {.delay_ns = 400 * US};
    (void)state;
    assert_int_equal(measure("etherbone-slave", false, slow, 300, 350 * US), GW_INCONC);
    assert_int_equal(measure("etherbone-slave", false, slow, 300, 100 * US), GW_INCONC);
    assert_int_equal(measure("etherbone-slave", false, slow, 300, 50 * US), GW_FAIL);
    assert_int_equal(measure("l1-du", false, slow, 300, 350 * US), GW_INCONC);
    assert_int_equal(measure("l1-cn", false, slow, 2000, 350 * US), GW_INCONC);
}

/* One answer that does not come decides nothing; twelve in a row say as much as a hundred. */
static void a_silent_board_is_given_up(void **state)
{
    static const char *const roles[] = {"etherbone-slave", "op2p-node", "textarossa-node",
                                        "ims-buf",         "l1-cn",     "l1-du"};
    static const char *const ids[] = {NULL, NULL, NULL, "ims-b/answer-time", NULL, NULL};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(roles); i++) {
        slow_way one = {.deaf_from = 60, .deaf_to = 61}, few = {.deaf_from = 60, .deaf_to = 66};
        slow_way all = {.deaf_from = 60, .deaf_to = 120};
        assert_int_equal(measure_case(roles[i], ids[i], NULL, false, one, 100000, 0), GW_PASS);
        assert_int_equal(measure_case(roles[i], ids[i], NULL, false, few, 100000, 0), GW_PASS);
        assert_int_equal(measure_case(roles[i], ids[i], NULL, false, all, 100000, 0), GW_INCONC);
    }
}

static void no_claim_no_case(void **state)
{
    (void)state;
    assert_int_equal(measure("etherbone-slave", false, (slow_way){.delay_ns = 0}, 0, 0), GW_NA);
    assert_int_equal(measure("op2p-node", false, (slow_way){.delay_ns = 0}, 0, 0), GW_NA);
    assert_int_equal(measure("textarossa-node", false, (slow_way){.delay_ns = 0}, 0, 0), GW_NA);
    assert_int_equal(measure("textarossa-switch", true, (slow_way){.delay_ns = 0}, 0, 0), GW_NA);
    assert_int_equal(measure("l1-cn", false, (slow_way){.delay_ns = 0}, 0, 0), GW_NA);
    assert_int_equal(measure("l1-du", false, (slow_way){.delay_ns = 0}, 0, 0), GW_NA);
}

/* A core answers within a few cycles: that is no "0 us". */
static void what_was_measured_is_told_in_a_unit_that_fits(void **state)
{
    (void)state;
    /* The way takes 10 us. */
    assert_int_equal(
        measure("etherbone-slave", false, (slow_way){.delay_ns = 48 - 10 * US}, 100, 0), GW_PASS);
    assert_non_null(strstr(noted, "half within 48 ns, 99 of 100 within 48 ns; 120 us are allowed"));
    assert_int_equal(measure("etherbone-slave", false, (slow_way){.delay_ns = 400 * US}, 390, 0),
                     GW_PASS);
    assert_non_null(strstr(noted, "99 of 100 within 410 us"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quick_board_keeps_its_claim),
        cmocka_unit_test(a_slow_board_does_not),
        cmocka_unit_test(a_late_farm_does_not),
        cmocka_unit_test(a_board_that_slows_down_does_not),
        cmocka_unit_test(ims_boards_are_measured),
        cmocka_unit_test(a_long_path_is_told_from_the_farm_behind_it),
        cmocka_unit_test(percentiles_count),
        cmocka_unit_test(a_far_stream_is_late_now_and_then),
        cmocka_unit_test(a_coarse_tool_blames_nobody),
        cmocka_unit_test(a_silent_board_is_given_up),
        cmocka_unit_test(no_claim_no_case),
        cmocka_unit_test(what_was_measured_is_told_in_a_unit_that_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA boards behind paths that lose or are long: what is decided of a good one, and whether
 * faults are found all the same. The runs are not told what the path does. */
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
#include "run/select.h"

static gw_impairment path_of(const char *text)
{
    char url[128];
    char why[256] = "";
    gw_url parsed;
    (void)snprintf(url, sizeof(url), "roce://127.0.0.1?%s", text);
    if (!gw_url_parse(&parsed, url, why, sizeof(why)))
        fail_msg("%s: %s", text, why);
    return parsed.impairment;
}

typedef struct where {
    const char *role;
    gw_carriage carriage;
    const char *path; /* NULL: nothing lies between */
} where;

/* Runs the cases that match |glob| on the board with the fault |mutant| (NULL: none). */
static gw_counts run_on(const where *w, const char *mutant, const char *glob, unsigned seed)
{
    char why[256] = "";
    gw_run run;
    gw_case_list cases;
    const gw_suite *suite = gw_suite_by_role(w->role);
    const gw_board *board = gw_board_by_role(w->role);
    const gw_mutant *fault = mutant != NULL ? gw_mutant_by_id(board, mutant) : NULL;
    gw_impairment path = path_of(w->path != NULL ? w->path : "seed=1");
    gw_dut *dut = w->path != NULL
                      ? gw_dut_behind(board, fault, w->carriage, &path, why, sizeof(why))
                      : gw_dut_in_memory(board, fault, w->carriage, why, sizeof(why));
    assert_non_null(dut);
    assert_true(mutant == NULL || fault != NULL);
    assert_true(gw_select(&cases, suite, &glob, 1));
    gw_run_setup setup = {.suite = suite,
                          .board = gw_builtin_board(w->role),
                          .target = gw_dut_target(dut),
                          .cases = cases.cases,
                          .num_cases = cases.num,
                          .seed = seed};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)))
        fail_msg("%s: %s", w->role, why);
    gw_counts counts = run.counts;
    gw_run_free(&run);
    gw_case_list_free(&cases);
    gw_dut_close(dut);
    return counts;
}

static unsigned wrong(const gw_counts *c)
{
    return c->of[GW_FAIL] + c->of[GW_WARN] + c->of[GW_ERROR];
}

static void expect_caught(const where *w, const char *mutant, const char *id)
{
    gw_counts c = run_on(w, mutant, id, 1);
    if (c.of[GW_FAIL] + c.of[GW_WARN] != 1)
        fail_msg("%s over %s: %s is not caught by %s", w->role, w->path, mutant, id);
}

/* Registers beside an APElink are reached in datagrams, which get lost though a stream does not. */
static void registers_beside_a_stream_are_asked_again(void **state)
{
    static const where lossy[] = {{"textarossa-switch", GW_CARRY_UDP, "loss=0.1&seed=1"},
                                  {"textarossa-node", GW_CARRY_TCP, "loss=0.1&seed=1"},
                                  {"textarossa-node", GW_CARRY_TCP, "loss=0.2&seed=2"}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(lossy); i++) {
        gw_counts c = run_on(&lossy[i], NULL, "tx-r/*", 1);
        assert_int_equal(wrong(&c), 0);
        assert_true(c.of[GW_PASS] > c.of[GW_INCONC]);
    }
}

static void faults_of_a_switch_show_on_a_path_that_loses(void **state)
{
    static const where lossy = {"textarossa-switch", GW_CARRY_UDP, "loss=0.01&seed=1"};
    (void)state;
    expect_caught(&lossy, "m-no-hole-pattern", "tx-r/holes");
    expect_caught(&lossy, "m-wrong-reset-value", "tx-r/reset-values");
    expect_caught(&lossy, "m-tie-to-minus", "tx-s/ring");
    expect_caught(&lossy, "m-misses-doubles", "tx-l/double-flips");
}

static void faults_of_arp_show_on_a_long_path(void **state)
{
    static const where far = {"textarossa-node", GW_CARRY_RAW, "rtt=20ms&seed=1"};
    static const where lossy = {"textarossa-node", GW_CARRY_RAW, "loss=0.01&seed=1"};
    (void)state;
    expect_caught(&far, "m-arp-loses-waiting", "tx-n/arp-kept");
    expect_caught(&far, "m-arp-answers-not", "tx-n/arp-answer");
    expect_caught(&lossy, "m-arp-loses-waiting", "tx-n/arp-kept");
    expect_caught(&lossy, "m-runt-mirrored", "tx-n/runt");
}

/* The frame of an ARP reply is judged though the first request, or its answer, got lost. */
static void a_lost_arp_reply_is_asked_for_again(void **state)
{
    char path[32];
    (void)state;
    for (unsigned seed = 1; seed <= 8; seed++) {
        (void)snprintf(path, sizeof(path), "loss=0.1&seed=%u", seed);
        where lossy = {"textarossa-node", GW_CARRY_RAW, path};
        gw_counts c = run_on(&lossy, "m-runt-frames", "tx-n/frame-size", seed);
        assert_int_equal(c.of[GW_PASS], 0);
    }
}

/* A header whose check byte is 0 is found every time, not every other time. */
static void a_check_byte_of_zero_is_always_tried(void **state)
{
    static const where near = {"textarossa-switch", GW_CARRY_UDP, NULL};
    (void)state;
    for (unsigned seed = 1; seed <= 24; seed++) {
        gw_counts c = run_on(&near, "m-zero-check-fatal", "tx-l/clean-headers", seed);
        assert_int_equal(c.of[GW_FAIL], 1);
    }
}

/* A good board is asked for its order over a path that changes it, and one that changes it is found
 * over a path that only loses. */
static void order_is_the_boards_where_the_path_keeps_it(void **state)
{
    static const where uneven = {"textarossa-switch", GW_CARRY_UDP, "rtt=20ms&jitter=5ms&seed=1"};
    static const where mixed = {"textarossa-switch", GW_CARRY_UDP, "reorder=0.1&seed=1"};
    gw_counts c = run_on(&uneven, NULL, "tx-s/order*", 1);
    (void)state;
    assert_int_equal(wrong(&c), 0);
    c = run_on(&mixed, NULL, "tx-s/order*", 1);
    assert_int_equal(wrong(&c), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_beside_a_stream_are_asked_again),
        cmocka_unit_test(faults_of_a_switch_show_on_a_path_that_loses),
        cmocka_unit_test(faults_of_arp_show_on_a_long_path),
        cmocka_unit_test(a_lost_arp_reply_is_asked_for_again),
        cmocka_unit_test(a_check_byte_of_zero_is_always_tried),
        cmocka_unit_test(order_is_the_boards_where_the_path_keeps_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

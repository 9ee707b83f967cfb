/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P nodes over paths of all sorts: nobody is blamed for what the path does, and on one that only
 * takes time, or seldom loses something, nearly all is decided. The reference core is never failed
 * in its own dialect, and never passed where it breaks a rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "goldwire/op2p.h"
#include "run/run.h"
#include "run/select.h"
#include "selftest/selftest.h"

typedef struct tally {
    unsigned decided, undecided, known;
    unsigned illegal_failures; /* of the attempts at op-e/after-illegal */
    gw_verdict told_once, error_completion, odd_header, id_0, after_illegal, pad, odd_length;
    gw_verdict type_15, not_executed_odd, refused_silent, pool_full, full, sixteen;
    bool id_0_hung; /* as its text says */
} tally;

static void note(tally *t, const gw_result *r, const char *where)
{
    if (r->verdict == GW_FAIL || r->verdict == GW_WARN || r->verdict == GW_ERROR)
        fail_msg("%s: %s %s: %s", where, gw_verdict_name(r->verdict), r->which->id, r->text);
    t->undecided += r->verdict == GW_INCONC;
    t->known += r->verdict == GW_WAIVED;
    t->decided += r->verdict == GW_PASS || r->verdict == GW_WAIVED;
    if (strcmp(r->which->id, "op-e/after-illegal") == 0) {
        t->illegal_failures = r->failures;
        t->after_illegal = r->verdict;
    }
    if (strcmp(r->which->id, "op-l/pad") == 0)
        t->pad = r->verdict;
    if (strcmp(r->which->id, "op-l/odd-length") == 0)
        t->odd_length = r->verdict;
    if (strcmp(r->which->id, "op-e/type-15") == 0)
        t->type_15 = r->verdict;
    if (strcmp(r->which->id, "op-e/refused-silent") == 0)
        t->refused_silent = r->verdict;
    if (strcmp(r->which->id, "op-f/pool-full") == 0)
        t->pool_full = r->verdict;
    if (strcmp(r->which->id, "op-h/full") == 0)
        t->full = r->verdict;
    if (strcmp(r->which->id, "op-h/sixteen") == 0)
        t->sixteen = r->verdict;
    if (strcmp(r->which->id, "op-f/not-executed-odd") == 0)
        t->not_executed_odd = r->verdict;
    if (strcmp(r->which->id, "op-f/header-odd") == 0)
        t->odd_header = r->verdict;
    if (strcmp(r->which->id, "op-e/told-once") == 0)
        t->told_once = r->verdict;
    if (strcmp(r->which->id, "op-e/error-completion") == 0)
        t->error_completion = r->verdict;
    if (strcmp(r->which->id, "op-f/id-0-illegal") == 0) {
        t->id_0 = r->verdict;
        t->id_0_hung = strstr(r->text, "the board stopped answering") != NULL;
    }
}

static tally run_on(const char *dialect, const char *path)
{
    char text[160], why[256] = "";
    gw_run run;
    gw_case_list all;
    tally t = {0};
    const gw_suite *suite = gw_suite_by_role("op2p-node");
    const gw_dut_place place = {"", text};

    (void)snprintf(text, sizeof(text), "peer:op2p-node?via=mem&dialect=%s%s", dialect, path);
    gw_dut *dut = gw_dut_open(&place, 1, gw_board_by_role("op2p-node"), false, why, sizeof(why));
    if (dut == NULL)
        fail_msg("%s: %s", text, why);
    assert_true(gw_select(&all, suite, NULL, 0));
    gw_run_setup setup = {.suite = suite,
                          .board = gw_builtin_board("op2p-node"),
                          .dialect = gw_dialect_by_name(&gw_op2p, dialect),
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = 1};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)))
        fail_msg("%s: %s", text, why);
    for (size_t i = 0; i < run.num_results; i++)
        note(&t, &run.results[i], text);
    gw_run_free(&run);
    gw_case_list_free(&all);
    gw_dut_close(dut);
    return t;
}

static const char *const dialects[] = {"strict", "vhdl"};

static void a_path_that_takes_time_decides_all(void **state)
{
    static const char *const paths[] = {"", "&rtt=20ms", "&rtt=100ms", "&rtt=400ms"};
    (void)state;
    for (size_t d = 0; d < GW_ARRAY_LEN(dialects); d++)
        for (size_t i = 0; i < GW_ARRAY_LEN(paths); i++) {
            tally t = run_on(dialects[d], paths[i]);
            if (t.undecided > 0)
                fail_msg("%s%s: %u are open", dialects[d], paths[i], t.undecided);
        }
}

static void seldom_losses_leave_little_open(void **state)
{
    (void)state;
    for (size_t d = 0; d < GW_ARRAY_LEN(dialects); d++) {
        unsigned decided = 0, undecided = 0;
        for (unsigned seed = 1; seed <= 10; seed++) {
            char path[40];
            (void)snprintf(path, sizeof(path), "&loss=0.01&seed=%u", seed);
            tally t = run_on(dialects[d], path);
            decided += t.decided;
            undecided += t.undecided;
        }
        print_message("%s: %u decided, %u open\n", dialects[d], decided, undecided);
        if (decided < 19 * undecided)
            fail_msg("%s: %u decided, %u open", dialects[d], decided, undecided);
    }
}

static void a_bad_path_is_nobodys_fault(void **state)
{
    static const char *const paths[] = {
        "&loss=0.05",    "&loss=0.2",
        "&reorder=0.1",  "&duplicate=0.1",
        "&corrupt=0.1",  "&rtt=40ms&jitter=10ms",
        "&outage=1s+3s", "&rtt=20ms&jitter=2ms&loss=0.02&reorder=0.02&duplicate=0.02&corrupt=0.02"};
    (void)state;
    for (size_t d = 0; d < GW_ARRAY_LEN(dialects); d++)
        for (size_t i = 0; i < GW_ARRAY_LEN(paths); i++)
            for (unsigned seed = 1; seed <= 3; seed++) {
                char path[120];
                (void)snprintf(path, sizeof(path), "%s&seed=%u", paths[i], seed);
                (void)run_on(dialects[d], path);
            }
}

/* A copy of the write that begins a reset may come behind the one that ends it: the node is not
 * dead for that. */
static void a_reset_that_came_twice_is_ended_twice(void **state)
{
    (void)state;
    (void)run_on("strict", "&rtt=20ms&jitter=30ms&duplicate=0.2&seed=19");
    (void)run_on("strict", "&rtt=20ms&jitter=30ms&duplicate=0.2&seed=23");
    (void)run_on("strict", "&rtt=20ms&jitter=30ms&duplicate=0.2&seed=35");
}

/* Pointers that the host did not take in time halt the partner as well, of the reference core for
 * good: that is no full pool. */
static void who_is_halted_for_pointers_has_seen_no_full_pool(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 12; seed++) {
        char path[40];
        (void)snprintf(path, sizeof(path), "&loss=0.05&seed=%u", seed);
        if (run_on("vhdl", path).pool_full == GW_PASS)
            fail_msg("%s: op-f/pool-full passes", path);
    }
}

/* A write that its own read-back overtakes is not taken: that is no news about illegal frames, and
 * the same frame, write and read are tried once more before anything is said. */
static void what_the_path_undid_is_done_again(void **state)
{
    static const char *const paths[] = {"&reorder=0.1", "&loss=0.05"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(paths); i++) {
        unsigned failures = 0;
        for (unsigned seed = 1; seed <= 5; seed++) {
            char path[40];
            (void)snprintf(path, sizeof(path), "%s&seed=%u", paths[i], seed);
            failures += run_on("strict", path).illegal_failures;
        }
        if (failures > 5)
            fail_msg("%s: %u attempts failed in 5 runs", paths[i], failures);
    }
}

/* A node may refuse to store such packets, and then the case does not apply to it. */
static void a_packet_that_got_lost_was_not_refused(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        char path[40];
        (void)snprintf(path, sizeof(path), "&loss=0.2&seed=%u", seed);
        if (run_on("strict", path).odd_header == GW_NA)
            fail_msg("%s: op-f/header-odd is NA", path);
    }
}

/* The rules that it breaks are known, and it does not pass the cases that are about them. */
static void the_reference_core_is_known_and_not_passed(void **state)
{
    (void)state;
    tally t = run_on("vhdl", "");
    assert_int_equal(t.undecided, 0);
    assert_int_equal(t.told_once, GW_WAIVED);
    assert_int_equal(t.error_completion, GW_WAIVED);
    assert_int_equal(t.after_illegal, GW_WAIVED);
    assert_int_equal(t.pad, GW_WAIVED);
    assert_int_equal(t.odd_length, GW_WAIVED);
    assert_int_equal(t.type_15, GW_WAIVED);
    assert_int_equal(t.not_executed_odd, GW_WAIVED);
    assert_int_equal(t.refused_silent, GW_WAIVED);
    assert_int_equal(t.pool_full, GW_WAIVED);
    assert_int_equal(t.full, GW_WAIVED);
    assert_int_equal(t.sixteen, GW_WAIVED);
    /* It is reset after that, and all cases behind are decided. */
    assert_int_equal(t.id_0, GW_WAIVED);
    assert_true(t.id_0_hung);
    assert_true(t.known > 20);
}

/* ---- faults, seen from afar ---- */

static gw_detection look_for(const char *id, const char *path)
{
    char text[160], why[256] = "";
    gw_url url;
    gw_detection d = {0};
    const gw_board *board = gw_board_by_role("op2p-node");
    const gw_mutant *mutant = NULL;

    (void)snprintf(text, sizeof(text), "roce://127.0.0.1?%s", path);
    if (!gw_url_parse(&url, text, why, sizeof(why)))
        fail_msg("%s: %s", text, why);
    for (size_t i = 0; i < board->num_mutants; i++)
        if (strcmp(board->mutants[i].id, id) == 0)
            mutant = &board->mutants[i];
    assert_non_null(mutant);
    if (!gw_selftest(&d, gw_suite_by_role(board->role), board, mutant, &url.impairment, why,
                     sizeof(why)))
        fail_msg("%s over %s: %s", id, path, why);
    return d;
}

/* Over a long path nothing is silent for longer than the case wants it: what a board dies of in
 * silence, it does not die of in cases about something else. */
static void a_long_path_adds_no_silence(void **state)
{
    static const char *const mutants[] = {"m-dies-after-write", "m-dies-after-foreign"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(mutants); i++) {
        gw_detection d = look_for(mutants[i], "rtt=20ms");
        if (!d.detected)
            fail_msg("%s is not caught", mutants[i]);
        if (d.num_extra > 0)
            fail_msg("%s: %s: %s", mutants[i], d.extra[0]->id, d.extra_text);
    }
}

/* Each of these shows in a few datagrams: an attempt in which some get lost is an exception. */
static void a_fault_in_a_few_datagrams_shows_although_some_get_lost(void **state)
{
    static const char *const mutants[] = {
        "m-stale-read-request", "m-count-wraps",   "m-own-source",       "m-never-full",
        "m-wants-id-0",         "m-tells-refused", "m-sends-while-down", "m-stores-mangled",
        "m-starts-early",       "m-mixes-sets"};
    unsigned missed = 0;
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(mutants); i++)
        for (unsigned seed = 1; seed <= 3; seed++) {
            char path[40];
            (void)snprintf(path, sizeof(path), "loss=0.01&seed=%u", seed);
            gw_detection d = look_for(mutants[i], path);
            if (!d.detected)
                print_message("%s is not caught over %s\n", mutants[i], path);
            if (d.num_extra > 0)
                fail_msg("%s, %s: %s: %s", mutants[i], path, d.extra[0]->id, d.extra_text);
            missed += !d.detected;
        }
    if (missed > 2)
        fail_msg("%u of %zu are missed", missed, 3 * GW_ARRAY_LEN(mutants));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_that_takes_time_decides_all),
        cmocka_unit_test(seldom_losses_leave_little_open),
        cmocka_unit_test(a_bad_path_is_nobodys_fault),
        cmocka_unit_test(a_reset_that_came_twice_is_ended_twice),
        cmocka_unit_test(who_is_halted_for_pointers_has_seen_no_full_pool),
        cmocka_unit_test(what_the_path_undid_is_done_again),
        cmocka_unit_test(a_packet_that_got_lost_was_not_refused),
        cmocka_unit_test(the_reference_core_is_known_and_not_passed),
        cmocka_unit_test(a_long_path_adds_no_silence),
        cmocka_unit_test(a_fault_in_a_few_datagrams_shows_although_some_get_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* A board file that claims less than its board shows: what is not claimed is not tested, and a good
 * board is never failed for it. Every claim of every role is left out and lowered in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "evidence/exit.h"
#include "formats/builtin.h"
#include "run/select.h"

static unsigned misjudged; /* cases that did not pass a good board */

/* Runs all cases against the good board of |suite|, described by |board|. */
static void run_over(const gw_suite *suite, const gw_board_file *board, gw_carriage carriage,
                     const char *what)
{
    char why[256] = "";
    gw_run run;
    gw_case_list all;
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(suite->role), NULL, carriage, why, sizeof(why));
    if (dut == NULL)
        fail_msg("%s: %s", suite->role, why);
    assert_true(gw_select(&all, suite, NULL, 0));
    gw_run_setup setup = {.suite = suite,
                          .board = board,
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = 1};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)))
        fail_msg("%s: %s", suite->role, why);
    if (!run.answered || run.contradicted || run.counts.over_claims > 0)
        fail_msg("%s over %s, %s: %s", suite->role, gw_carriage_name(carriage), what,
                 run.preflight);
    for (size_t i = 0; i < run.num_results; i++) {
        const gw_result *result = &run.results[i];
        if (result->verdict == GW_PASS || result->verdict == GW_NA)
            continue;
        print_error("%s over %s, %s: %s %s: %s\n", suite->role, gw_carriage_name(carriage), what,
                    gw_verdict_name(result->verdict), result->which->id, result->text);
        misjudged++;
    }
    assert_true(run.counts.of[GW_PASS] > 0);
    gw_run_free(&run);
    gw_case_list_free(&all);
    gw_dut_close(dut);
}

static void run_with(const gw_suite *suite, const gw_claim_field *field, uint32_t value)
{
    const gw_board *board = gw_board_by_role(suite->role);
    gw_board_file file = *gw_builtin_board(suite->role);
    char said[48];
    char what[96];
    gw_claim_set(&file.claims, field, value);
    (void)snprintf(what, sizeof(what), "%s: %s", field->name,
                   gw_claim_text(field, value, said, sizeof(said)));
    for (gw_carriage c = GW_CARRY_UDP; c <= GW_CARRY_RAW; c++)
        if (gw_carriage_fits(board, c))
            run_over(suite, &file, c, what);
}

/* A shorter response time is a higher claim, and a Worker's time-out is not for others to say. */
static bool is_time(const gw_claim_field *field)
{
    return strncmp(field->name, "response_", 9) == 0;
}

static unsigned lower(const gw_suite *suite, const gw_claim_field *field)
{
    static const uint32_t limits[] = {64, 1};
    unsigned num = 0;
    if (field->kind == GW_CLAIM_WIDTHS) {
        uint32_t all = gw_claim_get(&gw_builtin_board(suite->role)->claims, field);
        for (uint32_t one = 1; one <= 8; one *= 2)
            if ((all & one) != 0 && ++num > 0)
                run_with(suite, field, one);
    } else if (field->kind == GW_CLAIM_FLAG) {
        run_with(suite, field, GW_CLAIM_NO);
        num = 1;
    } else if (field->kind == GW_CLAIM_LIMIT && !is_time(field)) {
        for (; num < GW_ARRAY_LEN(limits); num++)
            run_with(suite, field, limits[num]);
    }
    return num;
}

/* A file without what it must say is refused. One that leaves out what is settled says another
 * value, which these boards do not have. */
static bool may_be_missing(const gw_suite *suite, const gw_claim_field *field)
{
    return !gw_claim_must(field, suite->role) && !field->settled;
}

static void less_than_shown(void **state)
{
    unsigned runs = 0;
    (void)state;
    misjudged = 0;
    for (size_t s = 0; s < gw_num_suites; s++) {
        const gw_suite *suite = gw_suites[s];
        for (size_t i = 0; i < gw_num_claim_fields; i++) {
            const gw_claim_field *field = &gw_claim_fields[i];
            if (!gw_claim_of_role(field, suite->role))
                continue;
            runs += lower(suite, field);
            if (!may_be_missing(suite, field))
                continue;
            run_with(suite, field, 0);
            runs++;
        }
    }
    assert_true(runs > gw_num_suites);
    assert_int_equal(misjudged, 0);
}

/* Both lists of widths at once, each pair alone. */
static void one_pair_of_widths(void **state)
{
    (void)state;
    misjudged = 0;
    for (size_t s = 0; s < gw_num_suites; s++) {
        const gw_board_file *builtin = gw_builtin_board(gw_suites[s]->role);
        for (unsigned pair = 0; builtin->claims.address_widths != 0 && pair < 16; pair++) {
            const gw_board *board = gw_board_by_role(gw_suites[s]->role);
            gw_board_file file = *builtin;
            char what[48];
            file.claims.address_widths = (uint8_t)(1 << pair / 4);
            file.claims.port_widths = (uint8_t)(1 << pair % 4);
            (void)snprintf(what, sizeof(what), "address %u, port %u", 8u << pair / 4,
                           8u << pair % 4);
            run_over(gw_suites[s], &file, GW_CARRY_UDP, what);
            if (gw_carriage_fits(board, GW_CARRY_TCP))
                run_over(gw_suites[s], &file, GW_CARRY_TCP, what);
        }
    }
    assert_int_equal(misjudged, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_than_shown),
        cmocka_unit_test(one_pair_of_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

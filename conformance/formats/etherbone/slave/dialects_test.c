/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slaves that are known to go their own ways: what they are known for is waived, and
 * nothing else is disturbed by it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"
#include "run/run.h"
#include "run/select.h"

/* Certifies the board of dialect |name|, reached by |way|. */
static void certify(gw_run *run, const char *name, const char *way)
{
    char why[256] = "";
    char url[96];
    gw_case_list all;
    const gw_board *board = gw_board_by_role("etherbone-slave");
    const gw_dialect *dialect = gw_dialect_by_name(&gw_etherbone, name);
    const gw_dut_place place = {.link = "", .url = url};
    (void)snprintf(url, sizeof(url), "peer:etherbone-slave?via=mem&dialect=%s%s", name, way);
    gw_dut *dut = gw_dut_open(&place, 1, board, false, why, sizeof(why));
    if (dut == NULL)
        fail_msg("%s: %s", url, why);
    assert_true(gw_select(&all, &gw_eb_s_suite, NULL, 0));
    gw_board_file file = *gw_builtin_board("etherbone-slave");
    /* It has that hardware's widths and style. */
    file.claims = (gw_claims){0};
    gw_run_setup setup = {.suite = &gw_eb_s_suite,
                          .board = &file,
                          .dialect = dialect,
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = 1};
    if (!gw_run_cases(run, &setup, why, sizeof(why)))
        fail_msg("%s: %s", url, why);
    gw_case_list_free(&all);
    gw_dut_close(dut);
}

static const gw_result *result_of(const gw_run *run, const char *id)
{
    for (size_t i = 0; i < run->num_results; i++)
        if (strcmp(run->results[i].which->id, id) == 0)
            return &run->results[i];
    fail_msg("no case %s", id);
    return NULL;
}

static void expect_no_blame(const gw_run *run)
{
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *r = &run->results[i];
        if (r->verdict != GW_PASS && r->verdict != GW_NA && r->verdict != GW_WAIVED)
            fail_msg("%s %s: %s", gw_verdict_name(r->verdict), r->which->id, r->text);
    }
}

/* The core executes what pads the frame of a packet that has a header only. */
static void gsi_executes_padding(void **state)
{
    gw_run run;
    (void)state;
    certify(&run, "gsi", "&over=raw");
    expect_no_blame(&run);
    const gw_result *r = result_of(&run, "eb-s/padding-record");
    assert_int_equal(r->verdict, GW_WAIVED);
    assert_string_equal(r->rule->id, "EB-S53");
    assert_int_equal(result_of(&run, "eb-s/end-in-padding")->verdict, GW_PASS);
    assert_int_equal(result_of(&run, "eb-s/header-only")->verdict, GW_PASS);
    gw_run_free(&run);
}

/* Where nobody sees frames, nobody sees their padding. */
static void gsi_over_sockets_shows_no_padding(void **state)
{
    gw_run run;
    (void)state;
    certify(&run, "gsi", "");
    expect_no_blame(&run);
    assert_int_equal(result_of(&run, "eb-s/padding-record")->verdict, GW_NA);
    gw_run_free(&run);
}

/* What the library is known for shows over TCP, and in the header of its replies. */
static void libetherbone_takes_whole_messages(void **state)
{
    static const char *const streams[] = {"eb-s/tcp-header-once", "eb-s/tcp-dribble",
                                          "eb-s/tcp-straddle", "eb-s/tcp-coalesced",
                                          "eb-s/tcp-stalled"};
    gw_run run;
    (void)state;
    certify(&run, "libetherbone", "&over=tcp");
    expect_no_blame(&run);
    for (size_t i = 0; i < GW_ARRAY_LEN(streams); i++)
        assert_int_equal(result_of(&run, streams[i])->verdict, GW_WAIVED);
    assert_int_equal(run.counts.of[GW_WAIVED], GW_ARRAY_LEN(streams));
    gw_run_free(&run);
    certify(&run, "libetherbone", "");
    expect_no_blame(&run);
    assert_int_equal(result_of(&run, "eb-s/reply-padding")->verdict, GW_WAIVED);
    assert_int_equal(run.counts.of[GW_WAIVED], 1);
    gw_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gsi_executes_padding),
        cmocka_unit_test(gsi_over_sockets_shows_no_padding),
        cmocka_unit_test(libetherbone_takes_whole_messages),
    };
    return cmocka_run_group_tests_name("eb_dialects", tests, NULL, NULL);
}

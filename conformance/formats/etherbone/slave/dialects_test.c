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
#include "evidence/exit.h"
#include "formats/builtin.h"
#include "formats/etherbone/slave/board.h"
#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"
#include "run/run.h"
#include "run/select.h"

/* Certifies |dut|, which it closes, in dialect |name|. */
static void certify_dut(gw_run *run, gw_dut *dut, const char *name)
{
    char why[256] = "";
    gw_case_list all;
    const gw_dialect *dialect = gw_dialect_by_name(&gw_etherbone, name);
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
        fail_msg("%s: %s", name, why);
    gw_case_list_free(&all);
    gw_dut_close(dut);
}

/* Certifies the board of dialect |name|, reached by |way|. */
static void certify(gw_run *run, const char *name, const char *way)
{
    char why[256] = "";
    char url[96];
    const gw_board *board = gw_board_by_role("etherbone-slave");
    const gw_dut_place place = {.link = "", .url = url};
    (void)snprintf(url, sizeof(url), "peer:etherbone-slave?via=mem&dialect=%s%s", name, way);
    gw_dut *dut = gw_dut_open(&place, 1, board, false, why, sizeof(why));
    if (dut == NULL)
        fail_msg("%s: %s", url, why);
    certify_dut(run, dut, name);
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

enum { HEADER_LEN = 4 }; /* bytes, of 32/32 */

/* Takes a message behind the first one for what its header says, and hangs up on one without. */
static bool wants_headers(gw_eb_incoming *in)
{
    if (!in->stream || !in->s->clients[in->conn].started)
        return true;
    if (in->len < HEADER_LEN || gw_load_be16(in->data) != GW_EB_MAGIC) {
        gw_eb_slave_close(in->s, in->conn);
        return false;
    }
    in->data += HEADER_LEN;
    in->len -= HEADER_LEN;
    return true;
}

/* The versions of it that put a header before each message of a stream, and want one. */
static gw_eb_policy headed = {GW_EB_POLICY};
static const gw_eb_mutation of_2014 = {.in = wants_headers, .policy = &headed};
static const gw_mutant library_of_2014 = {
    .id = "2014", .what = "wants a header before each message", .mutation = &of_2014};

/* Nothing can be asked there in the way of the specification, so there is no blame, and no pass
 * that rests on nothing: probes alone are answered. */
static void libetherbone_of_2014_cannot_be_judged_over_tcp(void **state)
{
    gw_run run;
    char why[256] = "";
    (void)state;
    headed.header_each_reply = true;
    gw_dut *dut =
        gw_dut_in_memory(&gw_eb_slave_board, &library_of_2014, GW_CARRY_TCP, why, sizeof(why));
    assert_non_null(dut);
    certify_dut(&run, dut, "libetherbone");
    assert_int_equal(result_of(&run, "eb-s/read-answered")->verdict, GW_WAIVED);
    assert_int_equal(result_of(&run, "eb-s/write-read")->verdict, GW_INCONC);
    assert_int_equal(result_of(&run, "eb-s/tcp-common-width")->verdict, GW_INCONC);
    assert_int_equal(run.counts.of[GW_FAIL], 0);
    assert_int_equal(run.counts.of[GW_WARN], 0);
    assert_int_equal(gw_counts_exit(&run.counts, false), GW_EXIT_INCONC);
    gw_run_free(&run);
    /* The document knows of no such thing. */
    dut = gw_dut_in_memory(&gw_eb_slave_board, &library_of_2014, GW_CARRY_TCP, why, sizeof(why));
    assert_non_null(dut);
    certify_dut(&run, dut, "strict");
    assert_int_equal(result_of(&run, "eb-s/read-answered")->verdict, GW_FAIL);
    gw_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gsi_executes_padding),
        cmocka_unit_test(gsi_over_sockets_shows_no_padding),
        cmocka_unit_test(libetherbone_takes_whole_messages),
        cmocka_unit_test(libetherbone_of_2014_cannot_be_judged_over_tcp),
    };
    return cmocka_run_group_tests_name("eb_dialects", tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone masters that are known to go their own ways: what they are known for is waived, and
 * hides nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "formats/etherbone/master/suite.h"
#include "run/run.h"
#include "run/select.h"

/* Certifies the board that is reached by |url|. */
static void certify(gw_run *run, const char *dialect, const char *way)
{
    char why[256] = "";
    char url[128];
    gw_case_list all;
    const gw_board *board = gw_board_by_role("etherbone-master");
    const gw_dut_place place = {.link = "", .url = url};
    (void)snprintf(url, sizeof(url), "peer:etherbone-master?via=mem&dialect=%s%s", dialect, way);
    gw_dut *dut = gw_dut_open(&place, 1, board, true, why, sizeof(why));
    if (dut == NULL)
        fail_msg("%s: %s", url, why);
    assert_true(gw_select(&all, &gw_eb_m_suite, NULL, 0));
    gw_run_setup setup = {.suite = &gw_eb_m_suite,
                          .board = gw_builtin_board("etherbone-master"),
                          .dialect = gw_dialect_by_name(&gw_etherbone, dialect),
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

/* All is decided, and nobody is blamed. */
static void expect_no_blame(const gw_run *run)
{
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *r = &run->results[i];
        if (r->verdict != GW_PASS && r->verdict != GW_NA && r->verdict != GW_WAIVED)
            fail_msg("%s %s: %s", gw_verdict_name(r->verdict), r->which->id, r->text);
    }
}

static void every_dialect_is_decided(void **state)
{
    static const char *const ways[] = {"", "&over=tcp"};
    (void)state;
    for (size_t d = 0; d < gw_etherbone.num_dialects; d++) {
        for (size_t k = 0; k < GW_ARRAY_LEN(ways); k++) {
            gw_run run;
            certify(&run, gw_etherbone.dialects[d].name, ways[k]);
            expect_no_blame(&run);
            assert_int_equal(result_of(&run, "eb-m/widths")->verdict, GW_PASS);
            gw_run_free(&run);
        }
    }
}

/* Long probes, no CYC, any id, any sender: as LiteX's own client is judged. */
static void litex_is_waived_what_it_is_known_for(void **state)
{
    static const struct {
        const char *id;
        const char *rule;
    } waived[] = {{"eb-m/probe-form", "EB-M02"},     {"eb-m/cycle-end", "EB-M11"},
                  {"eb-m/open-cycles", "EB-M23"},    {"eb-m/probe-id", "EB-M03"},
                  {"eb-m/upset-requests", "EB-M11"}, {"eb-m/upset-probe", "EB-M02"},
                  {"eb-m/other-address", "EB-M25"}};
    gw_run run;
    (void)state;
    certify(&run, "litex", "");
    assert_int_equal(run.counts.of[GW_WAIVED], GW_ARRAY_LEN(waived));
    for (size_t i = 0; i < GW_ARRAY_LEN(waived); i++) {
        const gw_result *r = result_of(&run, waived[i].id);
        assert_int_equal(r->verdict, GW_WAIVED);
        assert_string_equal(r->rule->id, waived[i].rule);
    }
    gw_run_free(&run);
}

/* What else is wrong is found beside it, by the same cases. */
static void what_is_known_hides_nothing(void **state)
{
    static const struct {
        const char *mutant;
        const char *rule;
        const char *passive;
    } all[] = {{"m-nr-with-reads", "EB-M07", "eb-m/nr-clear"},
               {"m-reserved-set", "EB-M01", "eb-m/packet-begin"},
               {"m-wrong-byte-enables", "EB-M12", "eb-m/byte-enables"},
               {"m-long-packets", "EB-M20", "eb-m/packet-size"}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(all); i++) {
        const char *const ids[] = {all[i].passive, "eb-m/upset-requests"};
        char way[64];
        gw_run run;
        (void)snprintf(way, sizeof(way), "&mutant=%s", all[i].mutant);
        certify(&run, "litex", way);
        for (size_t k = 0; k < GW_ARRAY_LEN(ids); k++) {
            const gw_result *r = result_of(&run, ids[k]);
            assert_int_equal(r->verdict, GW_FAIL);
            assert_string_equal(r->rule->id, all[i].rule);
        }
        gw_run_free(&run);
    }
}

/* A path may take as long as a master waits, or longer: then less is decided, and nobody blamed. */
static void a_slow_path_blames_nobody(void **state)
{
    static const unsigned trips_ms[] = {400, 500, 700, 900, 950, 990, 1005, 1100, 2000, 4000};
    (void)state;
    for (size_t d = 0; d < gw_etherbone.num_dialects; d++) {
        for (size_t i = 0; i < GW_ARRAY_LEN(trips_ms); i++) {
            char way[64];
            gw_run run;
            (void)snprintf(way, sizeof(way), "&rtt=%ums", trips_ms[i]);
            certify(&run, gw_etherbone.dialects[d].name, way);
            for (size_t k = 0; k < run.num_results; k++) {
                const gw_result *r = &run.results[k];
                if (r->verdict == GW_FAIL || r->verdict == GW_WARN || r->verdict == GW_ERROR)
                    fail_msg("%s%s: %s %s: %s", gw_etherbone.dialects[d].name, way,
                             gw_verdict_name(r->verdict), r->which->id, r->text);
            }
            if (trips_ms[i] <= 400)
                assert_int_equal(run.counts.of[GW_INCONC], 0);
            else if (trips_ms[i] < 1000) /* but for probes, the master waits as the path asks */
                assert_true(run.counts.of[GW_INCONC] <= 1);
            else
                assert_true(run.counts.of[GW_INCONC] > 0);
            gw_run_free(&run);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dialect_is_decided),
        cmocka_unit_test(litex_is_waived_what_it_is_known_for),
        cmocka_unit_test(what_is_known_hides_nothing),
        cmocka_unit_test(a_slow_path_blames_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The reports: valid, complete, and harmless when the text in them is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "evidence/exit.h"
#include "goldwire/etherbone.h"
#include "report/markup_testing.h"
#include "report/report.h"
#include "report/schema_testing.h"
#include "report/toy_testing.h"

#define NASTY "</td><script>alert('1')</script>&amp;\x1b[31m\xff\"]]>"

typedef struct fixture {
    gw_board_file board;
    gw_result results[TOY_NUM];
    gw_run run;
    gw_run_setup setup;
    gw_report report;
} fixture;

static void set(gw_result *r, unsigned i, gw_verdict verdict, const char *text)
{
    r->which = &toy_cases[i];
    r->verdict = verdict;
    r->duration_ns = 1500000;
    r->num_packets = 4;
    (void)snprintf(r->text, sizeof(r->text), "%s", text);
    (void)snprintf(r->evidence, sizeof(r->evidence), "cases/%s.pcapng", toy_cases[i].id);
}

static void prepare(fixture *f)
{
    memset(f, 0, sizeof(*f));
    set(&f->results[TOY_GOOD], TOY_GOOD, GW_PASS, "");
    set(&f->results[TOY_BAD], TOY_BAD, GW_FAIL, NASTY);
    set(&f->results[TOY_SOFT], TOY_SOFT, GW_WARN, "answered");
    set(&f->results[TOY_LOST], TOY_LOST, GW_INCONC, "lost");
    set(&f->results[TOY_NONE], TOY_NONE, GW_NA, "no TCP");
    gw_result *bad = &f->results[1];
    bad->rule = gw_format_rule(&gw_etherbone, "EB-S04");
    bad->field = gw_format_field(&gw_etherbone, "etherbone.probe_id");
    bad->expected = UINT64_MAX;
    bad->got = 7;
    bad->offset = 4;
    bad->packet = 3;
    bad->sent = (gw_excerpt){.bytes = {0x4e, 0x6f}, .kept = 2, .len = 2};
    bad->received = (gw_excerpt){.bytes = {0xab}, .kept = 64, .len = 1472};
    f->results[2].rule = gw_format_rule(&gw_etherbone, "EB-S28");
    (void)snprintf(f->results[0].notes, sizeof(f->results[0].notes), "first\n%s", NASTY);
    (void)snprintf(f->board.make, sizeof(f->board.make), "%s", NASTY);
    f->run = (gw_run){.results = f->results,
                      .num_results = TOY_NUM,
                      .answered = true,
                      .identity = "32 bit",
                      .preflight = "the board answers",
                      .started_ns = 1700000000 * GW_SECOND,
                      .duration_ns = 2345 * GW_MS};
    for (unsigned i = 0; i < TOY_NUM; i++)
        f->run.counts.of[f->results[i].verdict]++;
    f->setup = (gw_run_setup){.suite = &toy_suite, .board = &f->board, .seed = 42};
    f->report = (gw_report){.run = &f->run,
                            .setup = &f->setup,
                            .where = "udp://" NASTY,
                            .call = "--dut " NASTY,
                            .exit_code = GW_EXIT_FAIL};
}

/* A path of 20 ms that lost one, gave one twice and was down for a while. */
static void measure_path(gw_path_stats *path)
{
    for (int64_t i = 0; i < 40; i++)
        gw_path_stats_answered(path, i * 100 * GW_MS, 20 * GW_MS + i * 1000);
    gw_path_stats_lost(path, 4000 * GW_MS);
    gw_path_stats_outage(path, 3000 * GW_MS);
    path->pairs = 5;
    path->overtaken = 2;
    path->repeated = 1;
}

static void json_follows_its_schema(void **state)
{
    (void)state;
    fixture f;
    json_error_t error;
    prepare(&f);
    json_t *schema = json_load_file(GW_SOURCE_DIR "/docs/run.schema.json", 0, &error);
    if (schema == NULL)
        fail_msg("%s:%d: %s", error.source, error.line, error.text);
    measure_path(&f.run.path);
    json_t *object = gw_report_json(&f.report);
    assert_non_null(object);
    /* Through text and back: what is written is what is read. */
    char *text = json_dumps(object, 0);
    json_t *again = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    assert_true(json_equal(object, again));
    schema_check(schema, again, "run.json");
    json_t *bad = json_array_get(json_object_get(again, "cases"), 1);
    json_t *difference = json_object_get(bad, "difference");
    assert_string_equal(json_string_value(json_object_get(difference, "expected")),
                        "0xffffffffffffffff");
    assert_string_equal(json_string_value(json_object_get(difference, "field")),
                        "etherbone.probe_id");
    json_t *received = json_object_get(bad, "received");
    assert_int_equal(json_integer_value(json_object_get(received, "len")), 1472);
    assert_int_equal(strlen(json_string_value(json_object_get(received, "bytes"))), 128);
    json_t *notes = json_object_get(json_array_get(json_object_get(again, "cases"), 0), "notes");
    assert_int_equal(json_array_size(notes), 2);
    assert_int_equal(json_integer_value(json_object_get(again, "seed")), 42);
    assert_string_equal(json_string_value(json_object_get(again, "started")),
                        "2023-11-14T22:13:20Z");
    free(text);
    json_decref(again);
    json_decref(object);
    json_decref(schema);
}

static void junit_is_well_formed(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    fixture f;
    prepare(&f);
    char *text = toy_written(gw_report_junit, &f.report);
    check_markup(text, none);
    assert_null(strstr(text, "<script"));
    assert_null(strchr(text, '\x1b'));
    assert_non_null(strstr(text, "tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"1\""));
    assert_non_null(strstr(text, "<failure type=\"FAIL\" message=\"EB-S04: &lt;/td&gt;&lt;script"));
    assert_non_null(strstr(text, "<error type=\"INCONC\" message=\"lost\"/>"));
    assert_non_null(strstr(text, "<skipped type=\"NA\""));
    assert_non_null(strstr(text, "WARN EB-S28: answered"));
    free(text);
    f.report.strict = true;
    text = toy_written(gw_report_junit, &f.report);
    assert_non_null(strstr(text, "failures=\"2\""));
    free(text);
}

static void html_is_well_formed_and_alone(void **state)
{
    (void)state;
    static const char *const voids[] = {"meta", "br", "input", NULL};
    fixture f;
    prepare(&f);
    measure_path(&f.run.path);
    char *text = toy_written(gw_report_html, &f.report);
    check_markup(text, voids);
    /* One script, ours, and no other may run. */
    const char *script = strstr(text, "<script");
    assert_non_null(script);
    assert_null(strstr(script + 1, "<script"));
    assert_non_null(strstr(text, "script-src 'sha256-"));
    assert_null(strchr(text, '\x1b'));
    assert_null(strstr(text, "http:"));
    assert_null(strstr(text, "https:"));
    assert_null(strstr(text, "@import"));
    assert_null(strstr(text, " src="));
    assert_null(strstr(text, "url("));
    assert_non_null(strstr(text, "prefers-color-scheme:dark"));
    assert_non_null(strstr(text, "href=\"cases/t/bad.pcapng\""));
    assert_non_null(strstr(text, "0xffffffffffffffff"));
    assert_non_null(strstr(text, "spec 5.4.1, Header processing"));
    free(text);
}

static void holds_in_order(const char *text, const char *const *parts)
{
    for (; *parts != NULL; parts++) {
        const char *found = strstr(text, *parts);
        if (found == NULL)
            fail_msg("'%s' is missing, or stands too early", *parts);
        else
            text = found;
    }
}

static void html_shows_every_section(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.setup.suite = gw_suite_by_role("etherbone-slave");
    f.results[1].received = (gw_excerpt){
        .bytes = {0xab, 1, 2, 3, 4, 5, 6, 7}, .kept = 8, .len = 8, .what = "Probe response"};
    gw_timings_note(&f.run.timings, "Probe", 12345);
    f.run.spent = (gw_spent){.answers_ns = 1000, .silence_ns = 2000000, .pauses_ns = 30000000};
    char *text = toy_written(gw_report_html, &f.report);
    holds_in_order(
        text, GW_LIST("class=\"banner FAIL\"", "Unsigned", "id=\"board\"", "id=\"failures\"",
                      "id=\"inconclusive\"", "<code>t/lost</code>", "id=\"claims\"",
                      "id=\"waivers\"", "id=\"cases\"", "id=\"timing\"", "12.3&nbsp;&micro;s",
                      "<rect", "1.00&nbsp;&micro;s until answers came",
                      "2.00&nbsp;ms until it was sure", "30.0&nbsp;ms of pauses", "id=\"matrix\"",
                      "id=\"rules\"", "id=\"uncovered\"", "no TCP", "not selected for this run"));
    /* The failure: rule, field with both values, packets with the bytes that differ, known faults,
     * how to see it again, and where it lies. */
    holds_in_order(text,
                   GW_LIST("<div class=\"card FAIL\" data-v=\"FAIL\"", "EB-S04",
                           "etherbone.probe_id", "byte 4 of packet 3", "0xffffffffffffffff",
                           "<code>0x7</code>", "4e 6f", "Probe response", "03 <mark>04</mark>",
                           "<mark>07</mark></pre>", "m-wrong-probe-id", "goldwire certify --dut",
                           "--seed 42 --case t/bad", "href=\"cases/t/bad.pcapng\""));
    assert_null(strstr(text, "class=\"card PASS\""));
    free(text);
    f.report.signer = "0123456789ABCDEF";
    text = toy_written(gw_report_html, &f.report);
    assert_non_null(strstr(text, "Signed with key 0123456789ABCDEF"));
    assert_null(strstr(text, "nsigned"));
    free(text);
}

static const gw_case of_a_port = {
    .id = "t/port", .title = "Its port", .rules = GW_LIST("AXIS-01"), .needs = GW_LIST("sdb")};

static const gw_claim_field *claim_called(const char *name)
{
    size_t i = 0;
    while (strcmp(gw_claim_fields[i].name, name) != 0)
        i++;
    return &gw_claim_fields[i];
}

/* Sections in the order of the document, their parts below them, each number a link to the first
 * rule that was judged so, or never. */
static void coverage_goes_by_section(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.results[2].which = &of_a_port;
    f.results[2].rule = gw_format_rule(&gw_etherbone, "AXIS-01");
    f.board.areas[f.board.num_areas++] = (gw_area){.type = GW_AREA_RAM, .size = 64};
    f.run.claims[f.run.num_claims++] =
        (gw_claim_check){.field = claim_called("sdb"), .claimed = GW_CLAIM_YES};
    char *text = toy_written(gw_report_html, &f.report);
    check_anchors(text);
    holds_in_order(
        text, GW_LIST("id=\"matrix\"", "all clauses", "spec 5.1.1, Etherbone Header</th>",
                      "part\">Magic</th><td class=\"num\">1</td><td class=\"num\">1</td><td></td>",
                      "<td class=\"c never m2\"><a href=\"#EB-S01\">2</a></td></tr>",
                      "part\">NR</th>", "<td class=\"c PASS m1\"><a href=\"#EB-S08\">1</a></td>",
                      "spec 5.4.1, Header processing</th>",
                      "<td class=\"c PASS m1\"><a href=\"#EB-S03\">1</a></td>",
                      "<td class=\"c FAIL m1\"><a href=\"#EB-S04\">1</a></td>",
                      "<td class=\"c never m", "sdb</th><td class=\"c\"></td><td class=\"c\"></td>",
                      "<td class=\"c WARN m1\"><a href=\"#t/port\">1</a></td>", "area ram</th>",
                      "<tr id=\"EB-S04\">", "<tr id=\"AXIS-01\">", "<a href=\"#t/port\">"));
    /* What a filter for a clause goes by. */
    assert_non_null(strstr(text, "<option>spec 5.1.1, Etherbone Header: NR</option>"));
    assert_non_null(strstr(text, "id=\"t/good\" data-v=\"PASS\" data-k=\"spec 5.4.1, Header "
                                 "processing|spec 5.1.1, Etherbone Header: NR\""));
    free(text);
}

/* Two clock edges, behind 90 that are left out; the second one takes a byte that is unknown. */
static const gw_sim_view signals = {
    .port = 3,
    .interface = GW_SIM_INTERFACE_AXIS,
    .focus = 1,
    .num = 2,
    .columns = {{.time_ps = 8000, .lanes = {{.known = true, .wires = 0x14, .len = 2}}},
                {.time_ps = 736500,
                 .skipped = 90,
                 .lanes = {{.known = true,
                            .wires = 0x15,
                            .len = 2,
                            .keep = 3,
                            .unknown = 2,
                            .data = {0x4e, 0x6f}},
                           {.known = true, .wires = 0x08, .len = 2}}}}};

static void signals_are_drawn(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    gw_sim_view view = signals;
    gw_target target = {.clock_hz = 125000000};
    f.setup.target = &target;
    f.results[1].view = &view;
    f.results[1].at_ns = 736;
    char *text = toy_written(gw_report_html, &f.report);
    holds_in_order(text, GW_LIST("736 ns, cycle 92 of the core", "port 3, AXI4-Stream", "<svg",
                                 "around cycle 92\"", "736.500", "to the core", "tvalid", "tkeep",
                                 ">3</text>", "tdata", ">xx4e</text>", "from the core", "tready",
                                 ">X</text>", "cycles</text>", "</svg>"));
    free(text);
    json_t *run = gw_report_json(&f.report);
    json_t *one = json_object_get(json_array_get(json_object_get(run, "cases"), 1), "signals");
    json_t *second = json_array_get(json_object_get(one, "edges"), 1);
    json_t *lane = json_object_get(second, "to_core");
    assert_int_equal(json_integer_value(json_object_get(second, "left_out_before")), 90);
    assert_int_equal(json_integer_value(json_object_get(second, "cycle")), 92);
    assert_string_equal(json_string_value(json_object_get(lane, "tdata")), "xx4e");
    assert_string_equal(json_string_value(json_object_get(lane, "tlast")), "1");
    lane = json_object_get(second, "from_core");
    assert_string_equal(json_string_value(json_object_get(lane, "tready")), "x");
    assert_null(json_object_get(lane, "tdata"));
    json_t *schema = json_load_file(GW_SOURCE_DIR "/docs/run.schema.json", 0, NULL);
    schema_check(schema, run, "run.json");
    json_decref(schema);
    json_decref(run);
}

/* A read over AXI4-Lite: the address is taken at the first edge, SLVERR comes at the second one. */
static void accesses_to_registers_are_drawn(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    gw_sim_view view = {
        .port = 14,
        .interface = GW_SIM_INTERFACE_AXIL,
        .focus = 1,
        .num = 2,
        .columns = {{.time_ps = 8000,
                     .lanes = {{.known = true,
                                .wires = 0x5005, /* arvalid, arready */
                                .len = 8,
                                .data = {0x04, 0x01, 0, 0x40, 0x99, 0x99, 0x99, 0x99}},
                               {.known = true, .len = 4}}},
                    {.time_ps = 16000,
                     .lanes = {{.known = true, .wires = 0x4000, .len = 8},
                               {.known = true,
                                .wires = 0x505, /* rvalid, rready */
                                .len = 4,
                                .keep = 2,
                                .data = {0xef, 0xbe, 0xad, 0xde}}}}}};
    gw_target target = {.clock_hz = 125000000};
    f.setup.target = &target;
    f.results[1].view = &view;
    char *text = toy_written(gw_report_html, &f.report);
    holds_in_order(text, GW_LIST("port 14, AXI4-Lite", "<svg", "to the core", "awaddr", "araddr",
                                 ">40000104</text>", "from the core", "rresp", ">2</text>", "rdata",
                                 ">deadbeef</text>", "</svg>"));
    assert_null(strstr(text, "99999999"));
    free(text);
    json_t *run = gw_report_json(&f.report);
    json_t *schema = json_load_file(GW_SOURCE_DIR "/docs/run.schema.json", 0, NULL);
    schema_check(schema, run, "run.json");
    view.interface = GW_SIM_INTERFACE_WISHBONE;
    json_decref(run);
    run = gw_report_json(&f.report);
    schema_check(schema, run, "run.json");
    json_decref(schema);
    json_decref(run);
}

static void claims_and_waivers_are_told(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.run.num_claims = 1;
    f.run.counts.over_claims = 1;
    f.run.claims[0] = (gw_claim_check){.field = &gw_claim_fields[0],
                                       .claimed = 15,
                                       .shown = 4,
                                       .used = 4,
                                       .verdict = GW_CLAIM_OVER};
    f.board.num_waivers = 3;
    for (size_t i = 0; i < 3; i++) {
        gw_waiver *w = &f.board.waivers[i];
        (void)snprintf(w->which, sizeof(w->which), "%s", toy_cases[i].id);
        (void)snprintf(w->owner, sizeof(w->owner), "%s", NASTY);
        (void)snprintf(w->ticket, sizeof(w->ticket), "FW-%zu", i);
        (void)snprintf(w->expires, sizeof(w->expires), "2023-11-1%zu", i + 4);
        w->ends_ns = (int64_t)(1700000000 + i) * GW_SECOND;
    }
    f.results[1].verdict = GW_WAIVED;
    f.results[1].waiver = &f.board.waivers[1];
    char *text = toy_written(gw_report_html, &f.report);
    holds_in_order(text, GW_LIST("does not live up to 1 of its claims", "id=\"failures\"", "claim/",
                                 "id=\"claims\"", "over-claim", "id=\"waivers\"", "FW-0",
                                 "2023-11-14", "expired", "FW-1", "covers a failure", "FW-2",
                                 "covers nothing that happened"));
    assert_null(strstr(text, "<script>alert"));
    free(text);
    text = toy_written(gw_report_tap, &f.report);
    holds_in_order(text, GW_LIST("1..6\n", "\nnot ok 6 - claim/"));
    free(text);
    json_t *sarif = gw_report_sarif(&f.report);
    text = json_dumps(sarif, JSON_COMPACT);
    assert_non_null(strstr(text, "\"ruleId\":\"claim/"));
    free(text);
    json_decref(sarif);
}

/* A case that fails naming one rule says nothing of the others it tests. */
static void a_failure_speaks_of_the_rule_it_names(void **state)
{
    (void)state;
    gw_verdict verdict;
    gw_result r = {.which = &toy_cases[0], .verdict = GW_FAIL};
    r.rule = gw_format_rule(&gw_etherbone, "EB-S08");
    assert_true(gw_report_verdict(&r, "EB-S08", &verdict));
    assert_int_equal(verdict, GW_FAIL);
    assert_true(gw_report_verdict(&r, "EB-S03", &verdict));
    assert_int_equal(verdict, GW_INCONC);
    assert_false(gw_report_verdict(&r, "EB-S04", &verdict));
    r.rule = gw_format_rule(&gw_etherbone, "EB-S04");
    assert_true(gw_report_verdict(&r, "EB-S04", &verdict));
    assert_int_equal(verdict, GW_FAIL);
}

static void tap_counts_and_explains(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.results[0].verdict = GW_XPASS;
    char *text = toy_written(gw_report_tap, &f.report);
    holds_in_order(text, GW_LIST("TAP version 14\n1..5\n", "ok 1 - t/good: All is well # TODO ",
                                 "\nnot ok 2 - t/bad: Something is wrong\n  ---\n",
                                 "  verdict: \"FAIL\"\n", "rule: \"EB-S04\"",
                                 "expected: \"0xffffffffffffffff\"", "\n  ...\n", "\nok 3 - ",
                                 "verdict: \"WARN\"", "\nnot ok 4 - ",
                                 "\nok 5 - t/none: Not for this board # SKIP no TCP\n"));
    assert_null(strchr(text, '\x1b'));
    free(text);
    f.report.strict = true;
    f.results[4].verdict = GW_WAIVED;
    (void)snprintf(f.results[4].text, sizeof(f.results[4].text), "odd # SKIP \\");
    text = toy_written(gw_report_tap, &f.report);
    holds_in_order(text, GW_LIST("\nnot ok 3 - ", "\nnot ok 5 - t/none: Not for this board # TODO "
                                                  "odd \\# SKIP \\\\\n"));
    free(text);
}

static void sarif_names_what_is_broken(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.results[4].verdict = GW_WAIVED;
    json_t *sarif = gw_report_sarif(&f.report);
    assert_non_null(sarif);
    char *text = json_dumps(sarif, 0);
    assert_non_null(text);
    free(text);
    json_t *run = json_array_get(json_object_get(sarif, "runs"), 0);
    json_t *results = json_object_get(run, "results");
    json_t *rules =
        json_object_get(json_object_get(json_object_get(run, "tool"), "driver"), "rules");
    static const struct {
        const char *rule;
        const char *kind;
        const char *level;
        bool suppressed;
    } wants[] = {{"EB-S04", "fail", "error", false},
                 {"EB-S28", "fail", "warning", false},
                 {"EB-S42", "open", "none", false},
                 {"EB-S46", "fail", "error", true}};
    assert_int_equal(json_array_size(results), GW_ARRAY_LEN(wants));
    for (size_t i = 0; i < GW_ARRAY_LEN(wants); i++) {
        json_t *one = json_array_get(results, i);
        json_t *rule =
            json_array_get(rules, (size_t)json_integer_value(json_object_get(one, "ruleIndex")));
        assert_string_equal(json_string_value(json_object_get(one, "ruleId")), wants[i].rule);
        assert_string_equal(json_string_value(json_object_get(rule, "id")), wants[i].rule);
        assert_string_equal(json_string_value(json_object_get(one, "kind")), wants[i].kind);
        assert_string_equal(json_string_value(json_object_get(one, "level")), wants[i].level);
        assert_int_equal(json_object_get(one, "suppressions") != NULL, wants[i].suppressed);
    }
    json_decref(sarif);
}

static void table(FILE *file, const gw_report *report)
{
    gw_report_table(file, report, false);
    gw_report_conclude(file, report, report->exit_code);
}

static void coloured_table(FILE *file, const gw_report *report)
{
    gw_report_table(file, report, true);
}

static void the_table_cannot_steer_the_terminal(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    char *text = toy_written(table, &f.report);
    assert_null(strchr(text, '\x1b'));
    assert_non_null(strstr(text, "  FAIL    t/bad   Something is wrong\n"));
    assert_non_null(strstr(text, "5 cases: 1 PASS, 1 FAIL, 1 WARN, 1 INCONC, 1 NA; 2.34 s"));
    assert_non_null(strstr(text, "FAIL (exit code 1)"));
    free(text);
    text = toy_written(coloured_table, &f.report);
    assert_non_null(strstr(text, "\x1b[1;31mFAIL"));
    assert_null(strstr(text, "\x1b[31m\xff"));
    free(text);
}

static void what_the_path_did_is_told_and_drawn(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.setup.suite = gw_suite_by_role("etherbone-slave");
    char *text = toy_written(gw_report_html, &f.report);
    holds_in_order(text, GW_LIST("href=\"#path\"", "id=\"path\"", "Nothing was measured"));
    free(text);
    text = toy_written(table, &f.report);
    assert_null(strstr(text, "path: "));
    free(text);

    measure_path(&f.run.path);
    text = toy_written(gw_report_html, &f.report);
    holds_in_order(text,
                   GW_LIST("id=\"path\"", "41 probes", "round trip 20.", "1 lost",
                           "of 5 pairs sent back to back 2 came in the other order",
                           "3.00&nbsp;s nothing came back at all", "<svg", "10.0&nbsp;ms",
                           "<circle cx=\"56\"", "class=\"lost\"", "4.00&nbsp;s</text></svg>"));
    free(text);
    text = toy_written(table, &f.report);
    assert_non_null(strstr(text, "\npath: 41 probes, round trip 20."));
    free(text);
    json_t *object = gw_report_json(&f.report);
    json_t *path = json_object_get(object, "path");
    assert_int_equal(json_integer_value(json_object_get(path, "lost")), 1);
    assert_int_equal(json_integer_value(json_object_get(path, "longest_outage_ns")), 3000 * GW_MS);
    json_t *samples = json_object_get(path, "samples");
    assert_int_equal(json_array_size(samples), 41);
    assert_true(json_is_null(json_object_get(json_array_get(samples, 40), "rtt_ns")));
    assert_int_equal(json_integer_value(json_object_get(json_array_get(samples, 1), "at_ns")),
                     100 * GW_MS);
    json_decref(object);
}

/* The whole of it, to the letter. */
/* Who made the run, on what, and when each case was tried. */
static void the_machine_and_the_time_are_told(void **state)
{
    (void)state;
    static const char *const voids[] = {"meta", "br", "input", NULL};
    fixture f;
    prepare(&f);
    f.report.operator_name = NASTY;
    f.run.host = (gw_host){.system = "lab7: Linux 6.1", .interface = "eth1, igb, MTU 1500"};
    f.run.floor_ns = 2000;
    f.board.claims.response_us = 500;
    gw_timings_note(&f.run.timings, "Read", 40000);
    f.results[1].start_ns = f.run.duration_ns / 2;
    f.results[4].num_packets = 0;
    (void)snprintf(f.results[1].recovery, sizeof(f.results[1].recovery), "power");
    char *text = toy_written(gw_report_html, &f.report);
    check_markup(text, voids);
    assert_non_null(strstr(text, "<dt>Machine</dt><dd>lab7: Linux 6.1</dd>"));
    assert_non_null(strstr(text, "<dt>Its interface</dt><dd>eth1, igb, MTU 1500</dd>"));
    assert_null(strstr(text, "<dt>Its clock</dt>"));
    assert_non_null(strstr(text, "<dt>Operator</dt>"));
    assert_non_null(strstr(text, "<rect class=\"FAIL\" x=\"480.0\" y=\"0\" width=\"0.6\""));
    assert_non_null(strstr(text, "<path class=\"lost\" d=\"M480."));
    assert_null(strstr(text, "<rect class=\"NA\""));
    assert_non_null(strstr(text, "<title>goldwire itself: 2.00&nbsp;&micro;s</title>"));
    assert_non_null(strstr(text, "<title>claimed, with its margin: 550&nbsp;&micro;s</title>"));
    free(text);
    f.report.virtual_time = true;
    f.board.claims.response_us = 0;
    text = toy_written(gw_report_html, &f.report);
    assert_null(strstr(text, "goldwire itself"));
    assert_null(strstr(text, "claimed, with its margin"));
    free(text);
}

static void waits_of_no_time_are_not_told(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.run.spent = (gw_spent){.answers_ns = 1000, .pauses_ns = 30000000};
    char *text = toy_written(gw_report_html, &f.report);
    assert_non_null(strstr(text, "goldwire waited 1.00&nbsp;&micro;s until answers came, "
                                 "30.0&nbsp;ms of pauses that cases ask for.</p>"));
    free(text);
    f.run.spent = (gw_spent){0};
    text = toy_written(gw_report_html, &f.report);
    assert_non_null(strstr(text, "goldwire waited no time.</p>"));
    free(text);
}

static void the_table_tells_all_there_is(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.report.where = "udp://127.0.0.1:60368";
    (void)snprintf(f.results[0].notes, sizeof(f.results[0].notes), "first\nsecond");
    (void)snprintf(f.results[1].text, sizeof(f.results[1].text), "another id");
    (void)snprintf(f.results[3].recovery, sizeof(f.results[3].recovery), "came back by itself");
    f.results[3].repeated = true;
    f.results[1].received.kept = 3;
    char *text = toy_written(table, &f.report);
    assert_string_equal(text,
                        "toy at udp://127.0.0.1:60368\n"
                        "pre-flight: the board answers; 32 bit\n"
                        "\n"
                        "  PASS    t/good  All is well\n"
                        "          note: first\n"
                        "          note: second\n"
                        "  FAIL    t/bad   Something is wrong\n"
                        "          EB-S04: another id\n"
                        "          see  spec 5.4.1, Header processing\n"
                        "          sent 4e6f\n"
                        "          got  ab0000... (1472 bytes)\n"
                        "  WARN    t/soft  Not as it should be\n"
                        "          EB-S28: answered\n"
                        "          see  spec 5.1.1, Etherbone Header: NR\n"
                        "  INCONC  t/lost  Nobody knows\n"
                        "          lost\n"
                        "          the board had to be recovered, and the case was run again\n"
                        "          recovery: came back by itself\n"
                        "  NA      t/none  Not for this board\n"
                        "          no TCP\n"
                        "\n"
                        "5 cases: 1 PASS, 1 FAIL, 1 WARN, 1 INCONC, 1 NA; 2.34 s\n"
                        "FAIL (exit code 1)\n");
    free(text);
}

static void long_packets_are_cut(void **state)
{
    (void)state;
    char hex[64];
    gw_excerpt e = {.bytes = {1, 2, 3}, .kept = 3, .len = 9};
    assert_string_equal(gw_report_hex(&e, hex, sizeof(hex)), "010203... (9 bytes)");
    e.len = 3;
    assert_string_equal(gw_report_hex(&e, hex, sizeof(hex)), "010203");
    assert_string_equal(gw_report_hex(&e, hex, 4), "010");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_follows_its_schema),
        cmocka_unit_test(junit_is_well_formed),
        cmocka_unit_test(html_is_well_formed_and_alone),
        cmocka_unit_test(html_shows_every_section),
        cmocka_unit_test(the_machine_and_the_time_are_told),
        cmocka_unit_test(waits_of_no_time_are_not_told),
        cmocka_unit_test(coverage_goes_by_section),
        cmocka_unit_test(signals_are_drawn),
        cmocka_unit_test(accesses_to_registers_are_drawn),
        cmocka_unit_test(claims_and_waivers_are_told),
        cmocka_unit_test(a_failure_speaks_of_the_rule_it_names),
        cmocka_unit_test(tap_counts_and_explains),
        cmocka_unit_test(sarif_names_what_is_broken),
        cmocka_unit_test(the_table_cannot_steer_the_terminal),
        cmocka_unit_test(what_the_path_did_is_told_and_drawn),
        cmocka_unit_test(the_table_tells_all_there_is),
        cmocka_unit_test(long_packets_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

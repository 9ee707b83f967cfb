/* SPDX-License-Identifier: BSD-2-Clause */
/* What a campaign leaves: every form well formed, whatever a board or a file says, and the same in
 * all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/found.h"
#include "device/dut.h"
#include "evidence/exit.h"
#include "harness/temporary_testing.h"
#include "harvest/harvest.h"
#include "report/markup_testing.h"
#include "report/schema_testing.h"

#define NASTY "</td><script>alert(1)</script>\"'&\x1b[2J\xff"

typedef struct fixture {
    gw_temporary dir;
    gw_dut *dut;
    gw_found_context context;
    gw_history history;
    gw_campaign_report report;
    json_t *marks;
    json_t *campaign;
    gw_harvest harvest;
} fixture;

static void find(const fixture *f, const char *name, const char *text)
{
    char why[256] = "";
    gw_catch found = {.anomaly = {.symptom = GW_SYMPTOM_BROKEN,
                                  .rule = gw_format_rule(f->context.suite->format, "EB-S13")},
                      .tries = 4,
                      .shown = 3,
                      .packets = 77};
    (void)snprintf(found.anomaly.text, sizeof(found.anomaly.text), "%s", text);
    assert_true(gw_shots_add(&found.shots, &(gw_shot){.anew = true}, (const uint8_t *)"NoDx", 4,
                             (const uint8_t *)"Nodx", 4));
    assert_true(gw_shots_add(&found.shots, &(gw_shot){.joined = true}, NULL, 0, NULL, 0));
    assert_true(gw_found_store(f->dir.path, name, &f->context, &found, why, sizeof(why)));
    gw_catch_free(&found);
}

static void prepare(fixture *f)
{
    char why[256] = "";
    const gw_anomaly anomaly = {.symptom = GW_SYMPTOM_SILENT};
    memset(f, 0, sizeof(*f));
    assert_true(gw_temporary_folder(&f->dir));
    f->dut =
        gw_dut_in_memory(gw_board_by_role("etherbone-slave"), NULL, GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(f->dut);
    f->context = (gw_found_context){.suite = gw_suite_by_role("etherbone-slave"),
                                    .target = gw_dut_target(f->dut),
                                    .call = "--dut " NASTY};
    find(f, "a-new-one", NASTY);
    find(f, "known-one", "known");
    find(f, "left-over", "nobody saw it");
    f->marks = json_pack("{s:s,s:s}", "a-new-one", GW_HARVEST_NEW, "known-one", GW_HARVEST_KNOWN);
    for (int64_t i = 0; i < 20; i++)
        gw_history_sample(&f->history, i * GW_SECOND, (uint64_t)(i * 100));
    gw_history_note(&f->history, 3 * GW_SECOND, 300, GW_EVENT_ILL, &anomaly, NASTY);
    gw_history_note(&f->history, 5 * GW_SECOND, 300, GW_EVENT_FOUND, &anomaly, NASTY);
    gw_history_note(&f->history, 6 * GW_SECOND, 300, GW_EVENT_WELL, NULL, "");
    f->report = (gw_campaign_report){.packets = 2000, .elapsed_ns = 20 * GW_SECOND, .covered = 50};
    f->campaign = gw_harvest_campaign(&f->report, &f->history, 42);
    assert_non_null(f->campaign);
    f->harvest = (gw_harvest){.dir = f->dir.path,
                              .by = "fuzz",
                              .context = &f->context,
                              .mode = "pr",
                              .marks = f->marks,
                              .campaign = f->campaign,
                              .started_ns = 1700000000 * GW_SECOND,
                              .duration_ns = 20 * GW_SECOND,
                              .exit_code = GW_EXIT_FAIL,
                              .lost = ""};
}

static void finish(fixture *f)
{
    char command[512];
    json_decref(f->campaign);
    json_decref(f->marks);
    gw_dut_close(f->dut);
    (void)snprintf(command, sizeof(command), "rm -r %s", f->dir.path);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a name of our own making */
}

static const json_t *finding(const json_t *root, const char *name)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(root, "findings"), i, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0)
            return one;
    }
    fail_msg("no finding %s", name);
    return NULL;
}

static const char *status(const json_t *root, const char *name)
{
    return json_string_value(json_object_get(finding(root, name), "status"));
}

static void findings_follow_their_schema(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    json_t *schema = json_load_file(GW_SOURCE_DIR "/docs/findings.schema.json", 0, NULL);
    assert_non_null(schema);
    json_t *root = gw_harvest_json(&f.harvest);
    assert_non_null(root);
    schema_check(schema, root, "findings.json");
    assert_string_equal(status(root, "a-new-one"), GW_HARVEST_NEW);
    assert_string_equal(status(root, "known-one"), GW_HARVEST_KNOWN);
    assert_string_equal(status(root, "left-over"), GW_HARVEST_NOT_SEEN);
    char line[600];
    (void)snprintf(line, sizeof(line), "goldwire triage %s --finding a-new-one", f.dir.path);
    assert_string_equal(json_string_value(json_object_get(finding(root, "a-new-one"), "rerun")),
                        line);
    json_decref(root);
    json_decref(schema);
    finish(&f);
}

static void a_baseline_tells_what_is_known(void **state)
{
    (void)state;
    fixture f;
    char why[256] = "";
    char path[512];
    prepare(&f);
    json_object_set_new(f.marks, "left-over", json_string(GW_HARVEST_GONE));
    assert_true(gw_harvest_store(&f.harvest, why, sizeof(why)));
    (void)snprintf(path, sizeof(path), "%s/" GW_HARVEST_FILE, f.dir.path);
    json_t *baseline = gw_baseline_load(path, "etherbone-slave", why, sizeof(why));
    assert_non_null(baseline);
    assert_non_null(gw_baseline_find(baseline, "a-new-one"));
    assert_null(gw_baseline_find(baseline, "left-over"));
    assert_null(gw_baseline_find(baseline, "another"));
    assert_null(gw_baseline_find(NULL, "a-new-one"));
    assert_null(gw_baseline_load(path, "op2p-node", why, sizeof(why)));
    assert_non_null(strstr(why, "another role"));
    assert_null(gw_baseline_load("/nonexistent", "op2p-node", why, sizeof(why)));

    /* What only the baseline has is told, without evidence; what was gone already is not. */
    gw_temporary empty;
    assert_true(gw_temporary_folder(&empty));
    json_t *marks = json_pack("{s:s}", "known-one", GW_HARVEST_GONE);
    gw_harvest later = f.harvest;
    later.dir = empty.path;
    later.marks = marks;
    later.baseline = baseline;
    json_t *root = gw_harvest_json(&later);
    assert_int_equal(json_array_size(json_object_get(root, "findings")), 2);
    assert_string_equal(status(root, "a-new-one"), GW_HARVEST_NOT_SEEN);
    assert_string_equal(status(root, "known-one"), GW_HARVEST_GONE);
    assert_true(json_is_null(json_object_get(finding(root, "known-one"), "rerun")));
    json_decref(root);
    json_decref(marks);
    (void)remove(empty.path);

    /* Who comes later knows what the campaign did. */
    json_t *known = json_object();
    json_t *campaign = gw_harvest_earlier(f.dir.path, known);
    assert_true(json_equal(campaign, f.campaign));
    assert_string_equal(json_string_value(json_object_get(known, "a-new-one")), GW_HARVEST_NEW);
    json_decref(campaign);
    json_decref(known);
    json_decref(baseline);
    finish(&f);
}

static char *page_of(const json_t *root, const json_t *model)
{
    char *text = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);
    assert_non_null(file);
    if (model != NULL)
        gw_harvest_page(file, root, model);
    else
        gw_harvest_junit(file, root);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void the_page_is_well_formed_and_runs_nothing(void **state)
{
    (void)state;
    static const char *const voids[] = {"meta", "br", NULL};
    fixture f;
    prepare(&f);
    json_t *model = json_pack(
        "{s:i,s:i,s:i,s:[{s:s,s:s,s:b,s:[{s:s,s:i,s:i}]}],s:[{s:s,s:i,s:[s],s:[]}]}", "possible", 2,
        "hit", 1, "answered", 0, "fields", "field", "</td><script>", "clause", "a clause", "met", 1,
        "cells", "class", "all ones", "hit", 12345, "answered", 3, "flags", "group", "a group",
        "possible", 4, "flags", "a.flag", "combinations");
    assert_non_null(model);
    json_t *root = gw_harvest_json(&f.harvest);
    char *text = page_of(root, model);
    check_markup(text, voids);
    assert_null(strstr(text, "<script"));
    assert_null(strchr(text, '\x1b'));
    assert_null(strstr(text, "http:"));
    assert_null(strstr(text, "https:"));
    assert_null(strstr(text, "url("));
    assert_non_null(strstr(text, "default-src 'none'"));
    assert_null(strstr(text, "script-src"));
    assert_non_null(strstr(text, "NEW FINDINGS"));
    assert_non_null(strstr(text, "&lt;script&gt;"));
    assert_non_null(strstr(text, "--finding a-new-one"));
    assert_non_null(strstr(text, "<mark>44</mark>")); /* the byte that was changed */
    assert_non_null(strstr(text, "class=\"ill\""));
    assert_non_null(strstr(text, "<td class=\"c a m5\" title=\"all ones: sent 12345 times, 3"));
    assert_non_null(strstr(text, "&lt;/td&gt;&lt;script&gt;</code>"));
    free(text);
    json_decref(root);
    json_decref(model);
    finish(&f);
}

static void junit_and_sarif_say_the_same(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    fixture f;
    size_t i;
    const json_t *one;
    unsigned fresh = 0;
    prepare(&f);
    json_object_set_new(f.marks, "left-over", json_string(GW_HARVEST_GONE));
    json_t *root = gw_harvest_json(&f.harvest);
    char *text = page_of(root, NULL);
    check_markup(text, none);
    assert_null(strchr(text, '\x1b'));
    assert_non_null(strstr(text, "tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"1\""));
    assert_non_null(strstr(text, "<failure type=\"new\""));
    assert_non_null(strstr(text, "(1 packet, 3 of 4 times)"));
    free(text);
    json_t *sarif = gw_harvest_sarif(f.context.suite, root);
    const json_t *run = json_array_get(json_object_get(sarif, "runs"), 0);
    const json_t *rules =
        json_object_get(json_object_get(json_object_get(run, "tool"), "driver"), "rules");
    const json_t *results = json_object_get(run, "results");
    assert_int_equal(json_array_size(results), 3);
    json_array_foreach(results, i, one)
    {
        const json_t *rule =
            json_array_get(rules, (size_t)json_integer_value(json_object_get(one, "ruleIndex")));
        assert_string_equal(json_string_value(json_object_get(rule, "id")), "EB-S13");
        fresh += strcmp(json_string_value(json_object_get(one, "baselineState")), "new") == 0;
    }
    assert_int_equal(fresh, 1);
    json_decref(sarif);
    json_decref(root);
    finish(&f);
}

static void a_campaign_that_was_lost_is_an_error(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.harvest.lost = "the board does not come back";
    json_t *root = gw_harvest_json(&f.harvest);
    char *text = page_of(root, NULL);
    assert_non_null(strstr(text, "errors=\"1\""));
    assert_non_null(strstr(text, "message=\"the board does not come back\""));
    free(text);
    json_decref(root);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_follow_their_schema),
        cmocka_unit_test(a_baseline_tells_what_is_known),
        cmocka_unit_test(the_page_is_well_formed_and_runs_nothing),
        cmocka_unit_test(junit_and_sarif_say_the_same),
        cmocka_unit_test(a_campaign_that_was_lost_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings as JUnit's XML and as SARIF 2.1.0. */
#include <inttypes.h>
#include <string.h>

#include "harvest/harvest.h"
#include "harvest/words.h"
#include "report/forms.h"

static size_t packets_of(const json_t *one)
{
    size_t i;
    size_t num = 0;
    const json_t *packet;
    json_array_foreach(json_object_get(one, "sent"), i, packet)
    {
        num += i == 0 || !json_is_true(json_object_get(packet, "joined"));
    }
    return num;
}

/* What is said of a finding in one line. */
static const char *line_of(char *out, size_t cap, const json_t *one)
{
    size_t packets = packets_of(one);
    char extent[32] = "the case alone";
    if (packets > 0)
        (void)snprintf(extent, sizeof(extent), "%zu packet%s", packets, packets == 1 ? "" : "s");
    (void)snprintf(out, cap, "%s (%s, %" PRIu64 " of %" PRIu64 " times)", gw_word(one, "text"),
                   extent, gw_whole(one, "shown"), gw_whole(one, "tries"));
    return out;
}

/* ---- JUnit ---- */

/* How a test for the finding came out; NULL: it passed, as what was wrong is no longer. */
static const char *outcome_of(const json_t *one)
{
    if (gw_word_is(one, "status", GW_HARVEST_GONE))
        return NULL;
    return gw_word_is(one, "status", GW_HARVEST_NEW) ? "failure" : "skipped";
}

static void put_finding(FILE *file, const char *role, const json_t *one)
{
    char line[512];
    const char *how = outcome_of(one);
    gw_junit_case(file, role, gw_word(one, "name"), 0);
    if (how != NULL)
        gw_junit_outcome(file, how, gw_word(one, "status"), NULL, line_of(line, sizeof(line), one));
    gw_junit_end(file);
}

void gw_harvest_junit(FILE *file, const json_t *findings)
{
    size_t i;
    const json_t *one;
    const json_t *list = json_object_get(findings, "findings");
    const char *role = gw_word(findings, "role");
    const char *lost = gw_word(findings, "lost");
    double seconds = gw_number(findings, "duration_s");
    gw_junit suite = {.name = role,
                      .tests = json_array_size(list) + 1,
                      .errors = lost[0] != '\0',
                      .started = gw_word(findings, "started"),
                      .duration_ns = (int64_t)(seconds * (double)GW_SECOND)};
    json_array_foreach(list, i, one)
    {
        const char *how = outcome_of(one);
        suite.failures += how != NULL && how[0] == 'f';
        suite.skipped += how != NULL && how[0] == 's';
    }
    gw_junit_open(file, &suite);
    gw_junit_case(file, role, gw_word(findings, "by"), suite.duration_ns);
    if (lost[0] != '\0')
        gw_junit_outcome(file, "error", "INCONC", NULL, lost);
    gw_junit_end(file);
    json_array_foreach(list, i, one) put_finding(file, role, one);
    gw_junit_close(file);
}

/* ---- SARIF ---- */

/* A finding that breaks no numbered rule is named by its symptom. */
static const char *rule_of(char *out, size_t cap, const json_t *one)
{
    const char *rule = gw_word(one, "rule");
    (void)snprintf(out, cap, "%s%s", rule[0] != '\0' ? "" : "fuzz/",
                   rule[0] != '\0' ? rule : gw_word(one, "symptom"));
    return out;
}

static json_t *rules_array(const gw_suite *suite)
{
    static const char *const texts[GW_NUM_SYMPTOMS] = {
        [GW_SYMPTOM_GONE] = "Nothing listens at the board's address any more",
        [GW_SYMPTOM_DEAF] = "The board's registers answer, and its link does not any more",
        [GW_SYMPTOM_MUTE] = "The board takes connections, and answers nothing on them",
        [GW_SYMPTOM_SILENT] = "The board does not answer any more",
        [GW_SYMPTOM_WRONG] = "The board no longer does what it did before",
        [GW_SYMPTOM_BROKEN] = "The board says what breaks a rule by itself",
        [GW_SYMPTOM_SLOW] = "The board takes far longer to answer than before",
    };
    json_t *list = gw_sarif_rules(suite);
    for (unsigned i = 0; i < GW_NUM_SYMPTOMS; i++)
        if (texts[i] != NULL)
            json_array_append_new(list,
                                  json_pack("{s:o,s:{s:s},s:{s:s}}", "id",
                                            json_sprintf("fuzz/%s", gw_symptom_name((gw_symptom)i)),
                                            "shortDescription", "text", texts[i],
                                            "defaultConfiguration", "level", "error"));
    return list;
}

static json_t *result_object(const gw_suite *suite, const json_t *one)
{
    char id[64];
    char line[512];
    char message[640];
    const char *evidence = json_string_value(json_object_get(one, "evidence"));
    const gw_rule *rule = gw_format_rule(suite->format, gw_word(one, "rule"));
    bool gone = gw_word_is(one, "status", GW_HARVEST_GONE);
    int index = rule != NULL ? gw_sarif_index(suite, rule) : -1;
    (void)snprintf(message, sizeof(message), "%.100s: %s", gw_word(one, "name"),
                   line_of(line, sizeof(line), one));
    json_t *object =
        json_pack("{s:o,s:s,s:s,s:s,s:{s:o},s:[{s:{s:{s:s}}}],s:{s:s}}", "ruleId",
                  gw_form_text(rule_of(id, sizeof(id), one)), "kind", gone ? "pass" : "fail",
                  "level", gone ? "none" : "error", "baselineState",
                  gone                                        ? "absent"
                  : gw_word_is(one, "status", GW_HARVEST_NEW) ? "new"
                                                              : "unchanged",
                  "message", "text", gw_form_text(message), "locations", "physicalLocation",
                  "artifactLocation", "uri", evidence != NULL ? evidence : GW_HARVEST_FILE,
                  "partialFingerprints", "finding/v1", gw_word(one, "name"));
    if (index >= 0)
        json_object_set_new(object, "ruleIndex", json_integer(index));
    return object;
}

/* What was not seen is no result: nobody knows. */
static json_t *results_array(const gw_suite *suite, const json_t *findings)
{
    size_t i;
    const json_t *one;
    json_t *list = json_array();
    json_array_foreach(json_object_get(findings, "findings"), i, one)
    {
        if (!gw_word_is(one, "status", GW_HARVEST_NOT_SEEN))
            json_array_append_new(list, result_object(suite, one));
    }
    return list;
}

json_t *gw_harvest_sarif(const gw_suite *suite, const json_t *findings)
{
    char id[96];
    (void)snprintf(id, sizeof(id), "goldwire/%s/%s/", gw_word(findings, "by"), suite->role);
    return gw_sarif_log(&(gw_sarif){.id = id,
                                    .rules = rules_array(suite),
                                    .results = results_array(suite, findings),
                                    .successful = gw_word(findings, "lost")[0] == '\0',
                                    .exit_code = (int)gw_whole(findings, "exit_code"),
                                    .started = gw_word(findings, "started")});
}

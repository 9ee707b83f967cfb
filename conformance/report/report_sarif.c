/* SPDX-License-Identifier: BSD-2-Clause */
/* SARIF 2.1.0, as code scanning services read it: what was broken, what was waived, and what stayed
 * open. A pass is no result there. */
#include <string.h>

#include "report/forms.h"
#include "report/report.h"

/* ---- the results ---- */

static bool is_result(gw_verdict verdict)
{
    return verdict != GW_PASS && verdict != GW_NA;
}

static bool is_open(gw_verdict verdict)
{
    return verdict == GW_INCONC || verdict == GW_ERROR;
}

static json_t *location_object(const gw_result *r)
{
    return json_pack("{s:{s:{s:s}},s:[{s:s,s:s}]}", "physicalLocation", "artifactLocation", "uri",
                     r->evidence[0] != '\0' ? r->evidence : "run.json", "logicalLocations", "name",
                     r->which->id, "kind", "test");
}

static json_t *message_of(const gw_result *r)
{
    char message[sizeof(r->text) + 128];
    (void)snprintf(message, sizeof(message), "%s %s: %s", gw_verdict_name(r->verdict), r->which->id,
                   r->text[0] != '\0' ? r->text : r->which->title);
    return gw_form_text(message);
}

static const char *result_level(const gw_result *r)
{
    if (is_open(r->verdict))
        return "none";
    return r->verdict == GW_FAIL || r->verdict == GW_WAIVED ? "error" : "warning";
}

static json_t *result_object(const gw_report *report, const gw_result *r)
{
    const gw_suite *suite = report->setup->suite;
    /* A recorded trace tests no rule in particular: it is its own. */
    const char *first = r->which->rules[0] != NULL ? r->which->rules[0] : r->which->id;
    const gw_rule *rule = r->rule != NULL ? r->rule : gw_format_rule(suite->format, first);
    char print[192];
    (void)snprintf(print, sizeof(print), "%s %s", r->which->id, rule != NULL ? rule->id : "");
    json_t *object =
        json_pack("{s:s,s:s,s:s,s:{s:o},s:[o],s:{s:s}}", "ruleId", rule != NULL ? rule->id : first,
                  "kind", is_open(r->verdict) ? "open" : "fail", "level", result_level(r),
                  "message", "text", message_of(r), "locations", location_object(r),
                  "partialFingerprints", "caseAndRule/v1", print);
    int index = rule != NULL ? gw_sarif_index(suite, rule) : -1;
    if (index >= 0)
        json_object_set_new(object, "ruleIndex", json_integer(index));
    if (r->verdict == GW_WAIVED)
        json_object_set_new(
            object, "suppressions",
            json_pack("[{s:s,s:s,s:o}]", "kind", "external", "status", "accepted", "justification",
                      gw_form_text(r->waiver != NULL ? r->waiver->reason : r->text)));
    return object;
}

/* A claim that the board does not live up to breaks no numbered rule. */
static json_t *over_claim_object(const gw_claim_check *check)
{
    char claimed[64];
    char shown[64];
    char id[96];
    (void)snprintf(id, sizeof(id), "claim/%s", check->field->name);
    return json_pack(
        "{s:s,s:s,s:s,s:{s:o},s:[{s:{s:{s:s}}}],s:{s:s}}", "ruleId", id, "kind", "fail", "level",
        "error", "message", "text",
        json_sprintf("claimed %s, shown %s",
                     gw_claim_text(check->field, check->claimed, claimed, sizeof(claimed)),
                     gw_claim_text(check->field, check->shown, shown, sizeof(shown))),
        "locations", "physicalLocation", "artifactLocation", "uri", "run.json",
        "partialFingerprints", "caseAndRule/v1", id);
}

static json_t *results_array(const gw_report *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->run->num_claims; i++)
        if (report->run->claims[i].verdict == GW_CLAIM_OVER)
            json_array_append_new(list, over_claim_object(&report->run->claims[i]));
    for (size_t i = 0; i < report->run->num_results; i++)
        if (is_result(report->run->results[i].verdict))
            json_array_append_new(list, result_object(report, &report->run->results[i]));
    return list;
}

json_t *gw_report_sarif(const gw_report *report)
{
    const gw_run *run = report->run;
    const gw_suite *suite = report->setup->suite;
    char started[32];
    char ended[32];
    char id[96];
    (void)snprintf(id, sizeof(id), "goldwire/%s/", suite->role);
    return gw_sarif_log(&(gw_sarif){
        .id = id,
        .rules = gw_sarif_rules(suite),
        .results = results_array(report),
        .successful = run->counts.of[GW_ERROR] == 0,
        .exit_code = report->exit_code,
        .started = gw_report_time(run->started_ns, started, sizeof(started)),
        .ended = gw_report_time(run->started_ns + run->duration_ns, ended, sizeof(ended))});
}

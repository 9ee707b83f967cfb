/* SPDX-License-Identifier: BSD-2-Clause */
/* JUnit's XML, as CI servers read it. */
#include "evidence/clean.h"
#include "report/forms.h"
#include "report/report.h"

/* |how| may be failure, error or skipped. */
static void put_outcome(FILE *file, const char *how, const gw_result *result)
{
    gw_junit_outcome(file, how, gw_verdict_name(result->verdict),
                     result->rule != NULL ? result->rule->id : NULL, result->text);
}

static const char *outcome_of(gw_verdict verdict, bool strict)
{
    switch (verdict) {
    case GW_FAIL:
    case GW_XPASS:
        return "failure";
    case GW_WARN:
        return strict ? "failure" : NULL;
    case GW_INCONC:
    case GW_ERROR:
        return "error";
    case GW_NA:
    case GW_WAIVED:
        return "skipped";
    default:
        return NULL;
    }
}

static void put_output(FILE *file, const gw_result *result)
{
    if (result->notes[0] == '\0' && result->verdict != GW_WARN)
        return;
    fputs("   <system-out>", file);
    if (result->verdict == GW_WARN) {
        fprintf(file, "WARN %s: ", result->rule != NULL ? result->rule->id : "");
        gw_put_markup(file, result->text);
        fputc('\n', file);
    }
    gw_put_markup(file, result->notes);
    fputs("</system-out>\n", file);
}

/* A claim that the board does not live up to is a test of its own. */
static void put_over_claims(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    for (size_t i = 0; i < run->num_claims; i++) {
        const gw_claim_check *check = &run->claims[i];
        char said[48];
        char seen[48];
        if (check->verdict != GW_CLAIM_OVER)
            continue;
        fprintf(file,
                "  <testcase classname=\"%s\" name=\"claim/%s\" time=\"0\">\n"
                "   <failure type=\"FAIL\" message=\"claimed %s, shown %s\"/>\n  </testcase>\n",
                report->setup->suite->role, check->field->name,
                gw_claim_text(check->field, check->claimed, said, sizeof(said)),
                gw_claim_text(check->field, check->shown, seen, sizeof(seen)));
    }
}

/* What was claimed and not tried is a test that was skipped, or failed where a WARN is one. */
static void put_untried(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    for (unsigned i = 0; i < run->counts.untried; i++)
        fprintf(file,
                "  <testcase classname=\"%s\" name=\"untried/%s\" time=\"0\">\n"
                "   <%s message=\"claimed and not tried: %u cases\"/>\n  </testcase>\n",
                report->setup->suite->role, run->untried[i].what,
                report->strict ? "failure type=\"WARN\"" : "skipped", run->untried[i].num_cases);
}

static unsigned count_as(const gw_report *report, const char *outcome)
{
    unsigned num = 0;
    for (size_t i = 0; i < report->run->num_results; i++) {
        const char *one = outcome_of(report->run->results[i].verdict, report->strict);
        num += one != NULL && one[0] == outcome[0];
    }
    return num;
}

void gw_report_junit(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    unsigned untried_failed = report->strict ? run->counts.untried : 0;
    unsigned untried_skipped = run->counts.untried - untried_failed;
    char started[32];
    const gw_junit suite = {
        .name = report->setup->suite->role,
        .tests = run->num_results + run->counts.over_claims + run->counts.untried,
        .failures = count_as(report, "failure") + run->counts.over_claims + untried_failed,
        .errors = count_as(report, "error"),
        .skipped = count_as(report, "skipped") + untried_skipped,
        .started = gw_report_time(run->started_ns, started, sizeof(started)),
        .duration_ns = run->duration_ns};
    gw_junit_open(file, &suite);
    put_over_claims(file, report);
    put_untried(file, report);
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *result = &run->results[i];
        const char *outcome = outcome_of(result->verdict, report->strict);
        gw_junit_case(file, suite.name, result->which->id, result->duration_ns);
        if (outcome != NULL)
            put_outcome(file, outcome, result);
        put_output(file, result);
        gw_junit_end(file);
    }
    gw_junit_close(file);
}

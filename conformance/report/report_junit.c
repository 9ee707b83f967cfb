/* SPDX-License-Identifier: BSD-2-Clause */
/* JUnit's XML, as CI servers read it. */
#include <inttypes.h>

#include "evidence/clean.h"
#include "report/report.h"

static void put_seconds(FILE *file, int64_t ns)
{
    fprintf(file, "%" PRId64 ".%06" PRId64, ns / GW_SECOND, ns % GW_SECOND / 1000);
}

/* |name| may be failure, error or skipped. */
static void put_outcome(FILE *file, const char *name, const gw_result *result)
{
    fprintf(file, "   <%s type=\"%s\" message=\"", name, gw_verdict_name(result->verdict));
    if (result->rule != NULL)
        fprintf(file, "%s: ", result->rule->id);
    gw_put_markup(file, result->text);
    fputs("\"/>\n", file);
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
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", file);
    fprintf(file,
            " <testsuite name=\"%s\" tests=\"%zu\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" "
            "timestamp=\"%s\" time=\"",
            report->setup->suite->role,
            run->num_results + run->counts.over_claims + run->counts.untried,
            count_as(report, "failure") + run->counts.over_claims + untried_failed,
            count_as(report, "error"), count_as(report, "skipped") + untried_skipped,
            gw_report_time(run->started_ns, started, sizeof(started)));
    put_seconds(file, run->duration_ns);
    fputs("\">\n", file);
    put_over_claims(file, report);
    put_untried(file, report);
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *result = &run->results[i];
        const char *outcome = outcome_of(result->verdict, report->strict);
        fprintf(file, "  <testcase classname=\"%s\" name=\"", report->setup->suite->role);
        gw_put_markup(file, result->which->id);
        fputs("\" time=\"", file);
        put_seconds(file, result->duration_ns);
        fputs("\">\n", file);
        if (outcome != NULL)
            put_outcome(file, outcome, result);
        put_output(file, result);
        fputs("  </testcase>\n", file);
    }
    fputs(" </testsuite>\n</testsuites>\n", file);
}

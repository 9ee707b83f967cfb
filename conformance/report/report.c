/* SPDX-License-Identifier: BSD-2-Clause */
/* What all reports share. */
#include "report/report.h"

#include <string.h>
#include <time.h>

#include "evidence/exit.h"
#include "goldwire/text.h"

static const char *headline(const gw_run *run, int exit_code)
{
    switch (exit_code) {
    case GW_EXIT_OK:
        return "PASS";
    case GW_EXIT_FAIL:
        return "FAIL";
    case GW_EXIT_INCONC:
        return "INCONCLUSIVE";
    case GW_EXIT_XPASS:
        return run->counts.of[GW_XPASS] > 0 ? "UNEXPECTED PASS" : "WAIVER EXPIRED";
    case GW_EXIT_NOTHING:
        return "NOTHING PASSED";
    default:
        return "TOOL ERROR";
    }
}

bool gw_report_simulated(const gw_report *report)
{
    return report->setup->target != NULL && report->setup->target->sim != NULL;
}

const char *gw_report_headline(const gw_report *report)
{
    return headline(report->run, report->exit_code);
}

const char *gw_report_untried(const gw_run *run, char *out, size_t cap)
{
    gw_text text = gw_text_over(out, cap);
    for (unsigned i = 0; i < run->counts.untried; i++) {
        gw_text_str(&text, i > 0 ? ", " : "");
        gw_text_str(&text, run->untried[i].what);
        gw_text_str(&text, " (");
        gw_text_dec(&text, run->untried[i].num_cases);
        gw_text_str(&text, run->untried[i].num_cases == 1 ? " case)" : " cases)");
    }
    return out;
}

void gw_report_conclude(FILE *file, const gw_report *report, int exit_code)
{
    int judged = gw_counts_exit(&report->run->counts, report->strict);
    bool lost = exit_code == GW_EXIT_TOOL && judged != GW_EXIT_TOOL;
    char untried[160];
    const char *what = gw_report_untried(report->run, untried, sizeof(untried));
    fprintf(file, "%s%s%s%s (exit code %d)\n", headline(report->run, judged),
            what[0] != '\0' ? "; claimed and not tried: " : "", what,
            lost ? ", but goldwire could not do all of its work" : "", exit_code);
}

bool gw_report_ran(const gw_run *run, const gw_case *which)
{
    for (size_t i = 0; i < run->num_results; i++)
        if (run->results[i].which == which)
            return true;
    return false;
}

bool gw_report_verdict(const gw_result *result, const char *rule, gw_verdict *out)
{
    bool names = result->rule != NULL && strcmp(result->rule->id, rule) == 0;
    if (!names && !gw_case_tests(result->which, rule))
        return false;
    *out = result->verdict;
    bool fails =
        result->verdict == GW_FAIL || result->verdict == GW_WARN || result->verdict == GW_WAIVED;
    if (fails && !names && result->rule != NULL)
        *out = GW_INCONC;
    return true;
}

const char *gw_report_time(int64_t time_ns, char *out, size_t cap)
{
    time_t seconds = (time_t)(time_ns / GW_SECOND);
    struct tm tm;
    if (gmtime_r(&seconds, &tm) == NULL || strftime(out, cap, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
        (void)snprintf(out, cap, "?");
    return out;
}

const char *gw_report_hex(const gw_excerpt *excerpt, char *out, size_t cap)
{
    gw_text text = gw_text_over(out, cap);
    gw_text_bytes(&text, excerpt->bytes, excerpt->kept);
    if (excerpt->kept < excerpt->len) {
        gw_text_str(&text, "... (");
        gw_text_dec(&text, excerpt->len);
        gw_text_str(&text, " bytes)");
    }
    return out;
}

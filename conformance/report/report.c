/* SPDX-License-Identifier: BSD-2-Clause */
/* What all reports share, and putting them into the output folder. */
#include "report/report.h"

#include <string.h>
#include <time.h>

#include "evidence/exit.h"
#include "goldwire/text.h"
#include "run/store.h"

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

/* What is half written goes: nobody shall take it for the whole. */
static bool close_or_remove(const char *dir, const char *name, FILE *file, char *why,
                            size_t why_cap)
{
    if (gw_store_close(file, name, why, why_cap))
        return true;
    gw_store_remove(dir, name);
    return false;
}

static bool store_json(const gw_report *report, const char *name,
                       json_t *(*make)(const gw_report *report), char *why, size_t why_cap)
{
    const char *dir = report->setup->out_dir;
    json_t *object = make(report);
    if (object == NULL) {
        (void)snprintf(why, why_cap, "out of memory for %s", name);
        return false;
    }
    FILE *file = gw_store_open(dir, name, why, why_cap);
    if (file != NULL) {
        json_dumpf(object, file, JSON_INDENT(1));
        fputc('\n', file);
    }
    json_decref(object);
    return file != NULL && close_or_remove(dir, name, file, why, why_cap);
}

static bool store_with(const gw_report *report, const char *name,
                       void (*write)(FILE *file, const gw_report *report), char *why,
                       size_t why_cap)
{
    const char *dir = report->setup->out_dir;
    FILE *file = gw_store_open(dir, name, why, why_cap);
    if (file == NULL)
        return false;
    write(file, report);
    return close_or_remove(dir, name, file, why, why_cap);
}

bool gw_report_store(const gw_report *report, char *why, size_t why_cap)
{
    static const struct {
        const char *name;
        json_t *(*make)(const gw_report *report); /* one of the two */
        void (*write)(FILE *file, const gw_report *report);
    } files[] = {
        {"run.json", gw_report_json, NULL},    {"report.sarif", gw_report_sarif, NULL},
        {"report.tap", NULL, gw_report_tap},   {"junit.xml", NULL, gw_report_junit},
        {"report.html", NULL, gw_report_html},
    };
    const gw_run_setup *setup = report->setup;
    bool all = true;
    for (size_t i = 0; i < GW_ARRAY_LEN(files); i++) {
        bool ok = files[i].make != NULL
                      ? store_json(report, files[i].name, files[i].make, why, why_cap)
                      : store_with(report, files[i].name, files[i].write, why, why_cap);
        if (!ok && setup->unwritten != NULL)
            setup->unwritten(setup->unwritten_arg, why);
        all = all && ok;
    }
    return all;
}

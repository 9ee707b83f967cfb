/* SPDX-License-Identifier: BSD-2-Clause */
/* What JUnit and SARIF want around what is reported. */
#include "report/forms.h"

#include <inttypes.h>

#include "evidence/clean.h"

json_t *gw_form_text(const char *s)
{
    char clean[1024];
    return json_string(gw_clean(clean, sizeof(clean), s));
}

json_t *gw_form_text_or_null(const char *s)
{
    return s == NULL || s[0] == '\0' ? json_null() : gw_form_text(s);
}

/* ---- JUnit ---- */

static void put_seconds(FILE *file, int64_t ns)
{
    fprintf(file, "%" PRId64 ".%06" PRId64, ns / GW_SECOND, ns % GW_SECOND / 1000);
}

void gw_junit_open(FILE *file, const gw_junit *suite)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", file);
    fprintf(file,
            " <testsuite name=\"%s\" tests=\"%zu\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" "
            "timestamp=\"%s\" time=\"",
            suite->name, suite->tests, suite->failures, suite->errors, suite->skipped,
            suite->started);
    put_seconds(file, suite->duration_ns);
    fputs("\">\n", file);
}

void gw_junit_close(FILE *file)
{
    fputs(" </testsuite>\n</testsuites>\n", file);
}

void gw_junit_case(FILE *file, const char *of, const char *name, int64_t duration_ns)
{
    fprintf(file, "  <testcase classname=\"%s\" name=\"", of);
    gw_put_markup(file, name);
    fputs("\" time=\"", file);
    put_seconds(file, duration_ns);
    fputs("\">\n", file);
}

void gw_junit_end(FILE *file)
{
    fputs("  </testcase>\n", file);
}

void gw_junit_outcome(FILE *file, const char *how, const char *type, const char *rule,
                      const char *text)
{
    fprintf(file, "   <%s type=\"%s\" message=\"", how, type);
    if (rule != NULL)
        fprintf(file, "%s: ", rule);
    gw_put_markup(file, text);
    fputs("\"/>\n", file);
}

/* ---- SARIF ---- */

static const char *level_of(gw_level level)
{
    return level == GW_MUST ? "error" : level == GW_SHOULD ? "warning" : "note";
}

/* ---- the rules ---- */

static json_t *rule_object(const gw_format *format, const gw_rule *rule)
{
    gw_clause clause = gw_clause_of(format, rule->clause);

    return json_pack("{s:s,s:{s:s},s:{s:s},s:{s:s},s:{s:s,s:s}}", "id", rule->id,
                     "shortDescription", "text", rule->text, "help", "text", clause.text,
                     "defaultConfiguration", "level", level_of((gw_level)rule->level), "properties",
                     "clause", clause.text, "level", gw_level_name((gw_level)rule->level));
}

json_t *gw_sarif_rules(const gw_suite *suite)
{
    json_t *list = json_array();
    for (size_t i = 0; i < suite->format->num_rules; i++)
        if (gw_suite_owes(suite, &suite->format->rules[i]))
            json_array_append_new(list, rule_object(suite->format, &suite->format->rules[i]));
    return list;
}

int gw_sarif_index(const gw_suite *suite, const gw_rule *rule)
{
    int index = 0;
    for (size_t i = 0; i < suite->format->num_rules; i++) {
        if (&suite->format->rules[i] == rule)
            return gw_suite_owes(suite, rule) ? index : -1;
        index += gw_suite_owes(suite, &suite->format->rules[i]);
    }
    return -1;
}

json_t *gw_sarif_log(const gw_sarif *run)
{
    return json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:{s:s},s:[{s:b,s:i,s:s,s:s*}],s:o}]}",
                     "$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                     "runs", "tool", "driver", "name", "goldwire", "version", GW_VERSION, "rules",
                     run->rules, "automationDetails", "id", run->id, "invocations",
                     "executionSuccessful", run->successful, "exitCode", run->exit_code,
                     "startTimeUtc", run->started, "endTimeUtc", run->ended, "results",
                     run->results);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules of the HTML report: which case speaks of which rule, and what nobody spoke of. */
#include "evidence/clean.h"
#include "report/owed.h"
#include "report/report_html.h"

/* ---- rule by rule ---- */

static void put_speakers(FILE *file, const gw_run *run, const gw_rule *rule)
{
    bool any = false;
    for (size_t i = 0; i < run->num_results; i++) {
        gw_verdict verdict;
        if (!gw_report_verdict(&run->results[i], rule->id, &verdict))
            continue;
        const char *id = run->results[i].which->id;
        fprintf(file, "%s<a href=\"#%s\"><code>%s</code></a>&nbsp;", any ? "<br>" : "", id, id);
        gw_html_verdict(file, verdict);
        any = true;
    }
    if (!any)
        fputs("<span class=\"dim\">not judged</span>", file);
}

void gw_html_traceability(FILE *file, const gw_report *report)
{
    gw_html_heading(file, "rules", "Rules and their cases");
    fputs("<table class=\"rules\"><thead><tr><th>Rule</th><th>Level</th><th>Clause</th>"
          "<th>Requirement</th><th>Cases</th></tr></thead><tbody>\n",
          file);
    for (gw_owed at = {0}; gw_owed_next(report, &at);) {
        const gw_rule *rule = at.rule;
        fprintf(file,
                "<tr id=\"%s\"><td class=\"id\"><b>%s</b></td><td class=\"level\">%s</td><td>",
                rule->id, rule->id, gw_level_name((gw_level)rule->level));
        gw_put_markup(file, gw_clause_of(at.format, rule->clause).text);
        fputs("</td><td class=\"wide\">", file);
        gw_put_markup(file, rule->text);
        fputs("</td><td class=\"wide\">", file);
        put_speakers(file, report->run, rule);
        fputs("</td></tr>\n", file);
    }
    fputs("</tbody></table>\n", file);
}

/* ---- what was not covered ---- */

/* |linked|: |id| is told of above; else here is where links to it lead. */
static void put_rest(FILE *file, const char *id, bool linked, const char *why, unsigned *num)
{
    if ((*num)++ == 0)
        fputs("<div class=\"scroll\"><table class=\"reasons\"><thead><tr><th>Rule or case</th>"
              "<th>Why not</th></tr></thead><tbody>\n",
              file);
    if (linked)
        fprintf(file,
                "<tr><td class=\"id\"><a href=\"#%s\"><code>%s</code></a></td><td class=\"what\">",
                id, id);
    else
        fprintf(file, "<tr id=\"%s\"><td class=\"id\"><code>%s</code></td><td class=\"what\">", id,
                id);
    gw_put_markup(file, why);
    fputs("</td></tr>\n", file);
}

/* Why nothing is known of |rule|, or NULL when something is. */
static const char *why_unknown(const gw_report *report, const gw_rule *rule)
{
    const char *exception = gw_suite_exception(report->setup->suite, rule->id, GW_BOTH_WAYS);
    gw_counts counts = {0};
    if (exception != NULL)
        return exception;
    gw_owed_counts(&counts, report->run, rule);
    unsigned total = gw_counts_total(&counts);
    if (total == 0)
        return "no case of this run tests it";
    if (counts.of[GW_NA] == total)
        return "no case that tests it applies to this board";
    if (counts.of[GW_NA] + counts.of[GW_INCONC] + counts.of[GW_ERROR] == total)
        return "every case that tests it stayed inconclusive, or does not apply";
    return NULL;
}

void gw_html_uncovered(FILE *file, const gw_report *report)
{
    const gw_suite *suite = report->setup->suite;
    const gw_run *run = report->run;
    unsigned num = 0;
    gw_html_heading(file, "uncovered", "What was not covered");
    for (gw_owed at = {0}; gw_owed_next(report, &at);) {
        const char *why = why_unknown(report, at.rule);
        if (why != NULL)
            put_rest(file, at.rule->id, true, why, &num);
    }
    for (size_t i = 0; i < run->num_results; i++)
        if (run->results[i].verdict == GW_NA)
            put_rest(file, run->results[i].which->id, true, run->results[i].text, &num);
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        if (!gw_report_ran(run, c))
            put_rest(file, c->id, false, "not selected for this run", &num);
    fputs(num > 0 ? "</tbody></table></div>\n" : "<p>Every rule was judged.</p>\n", file);
}

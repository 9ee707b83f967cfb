/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules of the HTML report: counts by clause and level, which case speaks of which rule, and
 * what nobody spoke of. */
#include <string.h>

#include "evidence/clean.h"
#include "report/report_html.h"

#define NUM_LEVELS 3

/* ---- clause by level ---- */

static void count_rule(gw_counts *counts, const gw_run *run, const gw_rule *rule)
{
    for (size_t i = 0; i < run->num_results; i++) {
        gw_verdict verdict;
        if (gw_report_verdict(&run->results[i], rule->id, &verdict))
            counts->of[verdict]++;
    }
}

/* Counts what is said of the rules of |clause| (NULL: of all) with |level|, and returns how many
 * rules nobody speaks of. */
static unsigned count_clause(gw_counts *counts, const gw_report *report, const char *clause,
                             unsigned level)
{
    const gw_suite *suite = report->setup->suite;
    unsigned silent = 0;
    memset(counts, 0, sizeof(*counts));
    for (size_t i = 0; i < suite->format->num_rules; i++) {
        const gw_rule *rule = &suite->format->rules[i];
        gw_counts one = {0};
        if (rule->level != level || !gw_suite_owes(suite, rule) ||
            (clause != NULL && strcmp(gw_clause_of(suite->format, rule->clause).text, clause) != 0))
            continue;
        count_rule(&one, report->run, rule);
        silent += gw_counts_total(&one) == 0;
        for (unsigned v = 0; v < GW_NUM_VERDICTS; v++)
            counts->of[v] += one.of[v];
    }
    return silent;
}

static void put_clause(FILE *file, const gw_report *report, const char *clause)
{
    fputs(clause != NULL ? "<tr><td class=\"id\">" : "<tr><td class=\"id\"><b>all clauses</b>",
          file);
    if (clause != NULL)
        gw_put_markup(file, clause);
    fputs("</td>", file);
    for (unsigned level = 0; level < NUM_LEVELS; level++) {
        gw_counts counts;
        unsigned silent = count_clause(&counts, report, clause, level);
        fputs("<td>", file);
        gw_html_counts(file, &counts);
        if (silent > 0)
            fprintf(file, "<span class=\"n dim\">%u not judged</span>", silent);
        fputs("</td>", file);
    }
    fputs("</tr>\n", file);
}

bool gw_html_new_clause(const gw_suite *suite, size_t i, gw_clause *clause)
{
    const gw_format *format = suite->format;
    *clause = gw_clause_of(format, format->rules[i].clause);
    for (size_t k = 0; k < i; k++)
        if (gw_suite_owes(suite, &format->rules[k]) &&
            strcmp(gw_clause_of(format, format->rules[k].clause).text, clause->text) == 0)
            return false;
    return gw_suite_owes(suite, &format->rules[i]);
}

void gw_html_matrix(FILE *file, const gw_report *report)
{
    static const char head[] =
        "<div class=\"scroll\"><table "
        "class=\"dense\"><thead><tr><th>Clause</th><th>MUST</th><th>SHOULD</th>"
        "<th>MAY</th></tr></thead><tbody>\n";
    const gw_suite *suite = report->setup->suite;
    gw_html_heading(file, "matrix", "Clauses and levels");
    fputs("<p class=\"dim\">How often a case spoke of a rule, and how: a case that fails speaks of "
          "the rule it names, and leaves its other rules open.</p>\n",
          file);
    fputs(head, file);
    put_clause(file, report, NULL);
    for (size_t i = 0; i < suite->format->num_rules; i++) {
        gw_clause clause;
        if (gw_html_new_clause(suite, i, &clause))
            put_clause(file, report, clause.text);
    }
    fputs("</tbody></table></div>\n", file);
}

/* ---- rule by rule ---- */

static void put_speakers(FILE *file, const gw_run *run, const gw_rule *rule)
{
    bool any = false;
    for (size_t i = 0; i < run->num_results; i++) {
        gw_verdict verdict;
        if (!gw_report_verdict(&run->results[i], rule->id, &verdict))
            continue;
        fprintf(file, "%s<code>%s</code>&nbsp;", any ? "<br>" : "", run->results[i].which->id);
        gw_html_verdict(file, verdict);
        any = true;
    }
    if (!any)
        fputs("<span class=\"dim\">not judged</span>", file);
}

void gw_html_traceability(FILE *file, const gw_report *report)
{
    const gw_suite *suite = report->setup->suite;
    gw_html_heading(file, "rules", "Rules and their cases");
    fputs("<table class=\"rules\"><thead><tr><th>Rule</th><th>Level</th><th>Clause</th>"
          "<th>Requirement</th><th>Cases</th></tr></thead><tbody>\n",
          file);
    for (size_t i = 0; i < suite->format->num_rules; i++) {
        const gw_rule *rule = &suite->format->rules[i];
        if (!gw_suite_owes(suite, rule))
            continue;
        fprintf(file, "<tr id=\"%s\"><td class=\"id\"><b>%s</b></td><td>%s</td><td>", rule->id,
                rule->id, gw_level_name((gw_level)rule->level));
        gw_put_markup(file, gw_clause_of(suite->format, rule->clause).text);
        fputs("</td><td class=\"wide\">", file);
        gw_put_markup(file, rule->text);
        fputs("</td><td class=\"wide\">", file);
        put_speakers(file, report->run, rule);
        fputs("</td></tr>\n", file);
    }
    fputs("</tbody></table>\n", file);
}

/* ---- what was not covered ---- */

static bool was_run(const gw_run *run, const gw_case *which)
{
    for (size_t i = 0; i < run->num_results; i++)
        if (run->results[i].which == which)
            return true;
    return false;
}

static void put_rest(FILE *file, const char *id, const char *why, unsigned *num)
{
    if ((*num)++ == 0)
        fputs("<div class=\"scroll\"><table><thead><tr><th>Rule or case</th><th>Why not</th></tr>"
              "</thead><tbody>\n",
              file);
    fprintf(file, "<tr><td class=\"id\"><code>%s</code></td><td>", id);
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
    count_rule(&counts, report->run, rule);
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
    for (size_t i = 0; i < suite->format->num_rules; i++) {
        const gw_rule *rule = &suite->format->rules[i];
        const char *why = gw_suite_owes(suite, rule) ? why_unknown(report, rule) : NULL;
        if (why != NULL)
            put_rest(file, rule->id, why, &num);
    }
    for (size_t i = 0; i < run->num_results; i++)
        if (run->results[i].verdict == GW_NA)
            put_rest(file, run->results[i].which->id, run->results[i].text, &num);
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        if (!was_run(run, c))
            put_rest(file, c->id, "not selected for this run", &num);
    fputs(num > 0 ? "</tbody></table></div>\n" : "<p>Every rule was judged.</p>\n", file);
}

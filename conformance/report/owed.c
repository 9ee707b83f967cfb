/* SPDX-License-Identifier: BSD-2-Clause */
/* Which rules a report speaks of, in the order of their tables and in that of the documents. */
#include "report/owed.h"

#include <string.h>

/* ---- rules ---- */

static bool is_tested(const gw_run *run, const gw_rule *rule)
{
    for (size_t i = 0; i < run->num_results; i++)
        if (gw_case_tests(run->results[i].which, rule->id))
            return true;
    return false;
}

static bool counts_in(const gw_report *report, const gw_format *format, const gw_rule *rule)
{
    const gw_suite *suite = report->setup->suite;
    return format == suite->format ? gw_suite_owes(suite, rule) : is_tested(report->run, rule);
}

bool gw_owed_next(const gw_report *report, gw_owed *at)
{
    const gw_format *formats[] = {report->setup->suite->format, &gw_port_format};
    for (size_t f = at->format == &gw_port_format; f < GW_ARRAY_LEN(formats); f++) {
        size_t from = at->format == formats[f] ? (size_t)(at->rule - formats[f]->rules) + 1 : 0;
        for (size_t i = from; i < formats[f]->num_rules; i++) {
            if (!counts_in(report, formats[f], &formats[f]->rules[i]))
                continue;
            *at = (gw_owed){formats[f], &formats[f]->rules[i]};
            return true;
        }
    }
    return false;
}

void gw_owed_counts(gw_counts *counts, const gw_run *run, const gw_rule *rule)
{
    for (size_t i = 0; i < run->num_results; i++) {
        gw_verdict verdict;
        if (gw_report_verdict(&run->results[i], rule->id, &verdict))
            counts->of[verdict]++;
    }
}

/* ---- places ---- */

const char *gw_clause_place_name(const gw_clause_place *place)
{
    return place->heading != NULL ? place->heading->text : place->clause.text;
}

size_t gw_section_len(const char *name)
{
    const char *part = strstr(name, ": ");
    return part != NULL ? (size_t)(part - name) : strlen(name);
}

/* Whether a rule before |end|, or any when that is of no rule, has a place of that name. */
static bool is_named(const gw_report *report, const char *name, const gw_owed *end)
{
    for (gw_owed at = {0}; gw_owed_next(report, &at) && at.rule != end->rule;) {
        const char *rest = at.rule->clause;
        for (gw_clause_place place; gw_clause_next(at.format, &rest, &place);)
            if (strcmp(gw_clause_place_name(&place), name) == 0)
                return true;
    }
    return false;
}

static void tell_bare(const gw_report *report, const gw_owed *of, gw_clause_place_fn tell,
                      void *ctx)
{
    const char *rest = of->rule->clause;
    for (gw_clause_place place; gw_clause_next(of->format, &rest, &place);)
        if (place.heading == NULL && !is_named(report, place.clause.text, of))
            tell(ctx, place.clause.text);
}

void gw_owed_places(const gw_report *report, gw_clause_place_fn tell, void *ctx)
{
    const gw_heading *h = report->setup->suite->format->headings;
    for (; h != NULL && h->source != NULL; h++)
        if (is_named(report, h->text, &(gw_owed){0}))
            tell(ctx, h->text);
    for (gw_owed at = {0}; gw_owed_next(report, &at);)
        tell_bare(report, &at, tell, ctx);
}

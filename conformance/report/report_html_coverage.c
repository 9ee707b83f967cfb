/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run judged, in the HTML report, as a heat map: sections of the documents and what the
 * board claims, by the verdicts on them. */
#include <inttypes.h>
#include <string.h>

#include "evidence/clean.h"
#include "report/owed.h"
#include "report/report_html.h"

#define NEVER GW_NUM_VERDICTS
#define NUM_COLUMNS (GW_NUM_VERDICTS + 1)

/* One row: how often each verdict was given, and an element that shows the first of them. */
typedef struct row {
    unsigned counts[NUM_COLUMNS];
    const char *first[NUM_COLUMNS]; /* its id */
    unsigned levels[GW_NUM_LEVELS]; /* rules of each */
} row;

/* ---- cells ---- */

/* Verdicts that a run usually comes to are always there, so that pages look alike. */
static bool is_shown(const gw_run *run, unsigned column)
{
    return column == GW_PASS || column == GW_FAIL || column == GW_INCONC || column == GW_NA ||
           column == NEVER || run->counts.of[column] > 0;
}

static const char *column_name(unsigned column)
{
    return column == NEVER ? "never" : gw_verdict_name((gw_verdict)column);
}

static void add(row *r, unsigned column, unsigned count, const char *id)
{
    if (count > 0 && r->counts[column] == 0)
        r->first[column] = id;
    r->counts[column] += count;
}

static void put_cells(FILE *file, const gw_run *run, const row *r)
{
    for (unsigned column = 0; column < NUM_COLUMNS; column++) {
        if (!is_shown(run, column))
            continue;
        if (r->counts[column] > 0)
            fprintf(file, "<td class=\"c %s m%u\"><a href=\"#%s\">%u</a></td>", column_name(column),
                    gw_html_heat(r->counts[column], 2), r->first[column], r->counts[column]);
        else
            fputs("<td class=\"c\"></td>", file);
    }
    fputs("</tr>\n", file);
}

static void put_head(FILE *file, const gw_run *run, const char *what, bool levels)
{
    fprintf(file, "<div class=\"scroll\"><table class=\"heat\"><thead><tr><th>%s</th>", what);
    for (unsigned level = 0; levels && level < GW_NUM_LEVELS; level++)
        fprintf(file, "<th class=\"num\">%s</th>", gw_level_name((gw_level)level));
    for (unsigned column = 0; column < NUM_COLUMNS; column++)
        if (is_shown(run, column))
            fprintf(file, "<th class=\"num\">%s</th>", column_name(column));
    fputs("</tr></thead><tbody>\n", file);
}

/* ---- sections of the documents ---- */

typedef struct sections {
    FILE *file;
    const gw_report *report;
    char last[sizeof(((gw_clause *)0)->text)]; /* section that was told */
    bool nested;                               /* it has more than one row */
} sections;

/* Whether a clause of |owed| has a place that is called |name|, or with |parts| a part of what is.
 * NULL: all have. */
static bool stands_in(const gw_owed *owed, const char *name, size_t len, bool parts)
{
    const char *rest = owed->rule->clause;
    if (name == NULL)
        return true;
    for (gw_clause_place place; gw_clause_next(owed->format, &rest, &place);) {
        const char *its = gw_clause_place_name(&place);
        if (strncmp(its, name, len) == 0 &&
            (its[len] == '\0' || (parts && gw_section_len(its) == len)))
            return true;
    }
    return false;
}

static void count(row *r, const gw_report *report, const gw_owed *owed)
{
    gw_counts counts = {0};
    gw_owed_counts(&counts, report->run, owed->rule);
    for (unsigned v = 0; v < GW_NUM_VERDICTS; v++)
        add(r, v, counts.of[v], owed->rule->id);
    add(r, NEVER, gw_counts_total(&counts) == 0, owed->rule->id);
    r->levels[owed->rule->level]++;
}

static void put_section(FILE *file, const gw_report *report, const char *name, size_t len,
                        bool parts)
{
    row r = {0};
    for (gw_owed at = {0}; gw_owed_next(report, &at);)
        if (stands_in(&at, name, len, parts))
            count(&r, report, &at);
    for (unsigned level = 0; level < GW_NUM_LEVELS; level++)
        if (r.levels[level] > 0)
            fprintf(file, "<td class=\"num\">%u</td>", r.levels[level]);
        else
            fputs("<td></td>", file);
    put_cells(file, report->run, &r);
}

static void put_name(FILE *file, const char *looks, const char *name, size_t len)
{
    char text[sizeof(((gw_clause *)0)->text)];
    (void)snprintf(text, sizeof(text), "%.*s", (int)len, name);
    fprintf(file, "<tr><th class=\"field %s\">", looks);
    gw_put_markup(file, text);
    fputs("</th>", file);
}

typedef struct siblings {
    const char *section;
    size_t len;
    unsigned num;
} siblings;

static void count_sibling(void *ctx, const char *name)
{
    siblings *s = ctx;
    s->num += gw_section_len(name) == s->len && strncmp(name, s->section, s->len) == 0;
}

/* A section of which several parts are named has a row of its own above them. */
static void put_place(void *ctx, const char *name)
{
    sections *s = ctx;
    size_t len = gw_section_len(name);
    if (strlen(s->last) != len || strncmp(s->last, name, len) != 0) {
        siblings all = {.section = name, .len = len};
        gw_owed_places(s->report, count_sibling, &all);
        s->nested = all.num > 1;
        (void)snprintf(s->last, sizeof(s->last), "%.*s", (int)len, name);
        put_name(s->file, "", name, s->nested ? len : strlen(name));
        put_section(s->file, s->report, name, s->nested ? len : strlen(name), s->nested);
    }
    if (!s->nested)
        return;
    const char *part = name[len] != '\0' ? name + len + 2 : "itself";
    put_name(s->file, "part", part, strlen(part));
    put_section(s->file, s->report, name, strlen(name), false);
}

static void put_sections(FILE *file, const gw_report *report)
{
    sections s = {.file = file, .report = report};
    put_head(file, report->run, "Clause", true);
    fputs("<tr><th class=\"field\"><b>all clauses</b></th>", file);
    put_section(file, report, NULL, 0, false);
    gw_owed_places(report, put_place, &s);
    fputs("</tbody></table></div>\n", file);
}

/* ---- claims ---- */

/* What a case says it needs is called as the claim is, but for the strokes. */
static bool is_about(const char *need, const char *claim)
{
    for (; *need != '\0' && *claim != '\0'; need++, claim++)
        if (*need != *claim && !(*need == '-' && *claim == '_'))
            return false;
    return *need == *claim;
}

static bool needs(const gw_case *one, const char *claim)
{
    for (const char *const *n = one->needs; n != NULL && *n != NULL; n++)
        if (is_about(*n, claim))
            return true;
    return false;
}

static void put_claim(FILE *file, const gw_report *report, const char *before, const char *claim)
{
    const gw_run *run = report->run;
    const gw_suite *suite = report->setup->suite;
    row r = {0};
    for (size_t i = 0; i < run->num_results; i++)
        if (needs(run->results[i].which, claim))
            add(&r, run->results[i].verdict, 1, run->results[i].which->id);
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        if (!gw_report_ran(run, c) && needs(c, claim))
            add(&r, NEVER, 1, c->id);
    fprintf(file, "<tr><th class=\"field\">%s%s</th>", before, claim);
    put_cells(file, run, &r);
}

static void put_claims(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    const gw_board_file *board = report->setup->board;
    if (run->num_claims == 0 && board->num_areas == 0)
        return;
    put_head(file, run, "Claim", false);
    for (size_t i = 0; i < run->num_claims; i++)
        put_claim(file, report, "", run->claims[i].field->name);
    bool told[GW_NUM_AREA_TYPES] = {false};
    for (size_t i = 0; i < board->num_areas; i++) {
        unsigned type = board->areas[i].type;
        if (told[type])
            continue;
        told[type] = true;
        put_claim(file, report, "area ", gw_area_type_name((gw_area_type)type));
    }
    fputs("</tbody></table></div>\n", file);
}

void gw_html_coverage(FILE *file, const gw_report *report)
{
    gw_html_heading(file, "matrix", "What was judged");
    fputs(
        "<p class=\"dim\">How often a case spoke of a rule, by the sections of the documents that "
        "the rule comes from, and how: a case that fails speaks of the rule it names, and leaves "
        "its other rules open. MUST, SHOULD and MAY count the rules, never those that no case "
        "spoke of; a rule that comes from two sections counts in both. Each number leads to the "
        "first of them.</p>\n",
        file);
    put_sections(file, report);
    if (report->run->num_claims > 0 || report->setup->board->num_areas > 0)
        fputs("<p class=\"dim\">The cases that need what the board claims; never are those that "
              "this run left out.</p>\n",
              file);
    put_claims(file, report);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The Test Anything Protocol, version 14. What is waived is TODO there: a failure that is expected,
 * and noticed when it passes. */
#include <inttypes.h>
#include <string.h>

#include "evidence/clean.h"
#include "report/report.h"

/* A description ends where a directive begins, so that a # of its own is escaped. */
static void put_description(FILE *file, const char *text)
{
    char clean[1024];
    for (const char *p = gw_clean(clean, sizeof(clean), text); *p != '\0'; p++) {
        if (*p == '#' || *p == '\\')
            fputc('\\', file);
        fputc(*p == '\n' ? ' ' : *p, file);
    }
}

/* A JSON string is a YAML string. */
static void put_yaml(FILE *file, const char *name, const char *text)
{
    char clean[1024];
    if (text == NULL || text[0] == '\0')
        return;
    json_t *string = json_string(gw_clean(clean, sizeof(clean), text));
    fprintf(file, "  %s: ", name);
    json_dumpf(string, file, JSON_ENCODE_ANY);
    fputc('\n', file);
    json_decref(string);
}

static bool is_ok(gw_verdict verdict, bool strict)
{
    return verdict == GW_PASS || verdict == GW_NA || verdict == GW_XPASS ||
           (verdict == GW_WARN && !strict);
}

static void put_directive(FILE *file, const gw_result *r)
{
    const char *why = r->text[0] != '\0' ? r->text : "waived";
    if (r->verdict == GW_NA)
        fputs(" # SKIP ", file);
    else if (r->verdict == GW_WAIVED || r->verdict == GW_XPASS)
        fputs(" # TODO ", file);
    else
        return;
    put_description(file, why);
}

static void put_details(FILE *file, const gw_format *format, const gw_result *r)
{
    if (r->verdict == GW_PASS || r->verdict == GW_NA)
        return;
    fputs("  ---\n", file);
    put_yaml(file, "verdict", gw_verdict_name(r->verdict));
    put_yaml(file, "message", r->text);
    put_yaml(file, "rule", r->rule != NULL ? r->rule->id : NULL);
    put_yaml(file, "clause", r->rule != NULL ? gw_clause_of(format, r->rule->clause).text : NULL);
    put_yaml(file, "field", r->field != NULL ? r->field->name : NULL);
    if (r->field != NULL)
        fprintf(file, "  expected: \"0x%" PRIx64 "\"\n  got: \"0x%" PRIx64 "\"\n", r->expected,
                r->got);
    put_yaml(file, "evidence", r->evidence);
    fputs("  ...\n", file);
}

/* A claim that the board does not live up to is a test of its own, and so is one that was not
 * tried.
 */
static void put_claims(FILE *file, const gw_run *run, bool strict)
{
    size_t number = run->num_results;
    for (size_t i = 0; i < run->num_claims; i++) {
        const gw_claim_check *check = &run->claims[i];
        char claimed[64];
        char shown[64];
        if (check->verdict != GW_CLAIM_OVER)
            continue;
        fprintf(file, "not ok %zu - claim/%s: claimed %s, shown %s\n", ++number, check->field->name,
                gw_claim_text(check->field, check->claimed, claimed, sizeof(claimed)),
                gw_claim_text(check->field, check->shown, shown, sizeof(shown)));
    }
    for (unsigned i = 0; i < run->counts.untried; i++)
        fprintf(file, "%sok %zu - untried/%s: claimed and not tried%s\n", strict ? "not " : "",
                ++number, run->untried[i].what, strict ? "" : " # SKIP nobody named a path to it");
}

void gw_report_tap(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    fprintf(file, "TAP version 14\n1..%zu\n",
            run->num_results + run->counts.over_claims + run->counts.untried);
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *r = &run->results[i];
        fprintf(file, "%sok %zu - ", is_ok(r->verdict, report->strict) ? "" : "not ", i + 1);
        put_description(file, r->which->id);
        fputs(": ", file);
        put_description(file, r->which->title);
        put_directive(file, r);
        fputc('\n', file);
        put_details(file, report->setup->suite->format, r);
    }
    put_claims(file, run, report->strict);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The verdict table on the terminal. */
#include <inttypes.h>
#include <string.h>

#include "evidence/clean.h"
#include "report/report.h"

#define ALIKE 3 /* cases that were left out alike are told in one line */

static const char *const colours[GW_NUM_VERDICTS] = {
    [GW_PASS] = "\033[32m",   [GW_FAIL] = "\033[1;31m",  [GW_WARN] = "\033[33m",
    [GW_INCONC] = "\033[35m", [GW_ERROR] = "\033[1;31m", [GW_NA] = "\033[2m",
    [GW_WAIVED] = "\033[2m",  [GW_XPASS] = "\033[1;33m",
};

static void put_verdict(FILE *file, gw_verdict verdict, bool colour)
{
    fprintf(file, "%s%-6s%s", colour ? colours[verdict] : "", gw_verdict_name(verdict),
            colour ? "\033[0m" : "");
}

static int id_width(const gw_run *run)
{
    size_t width = 0;
    for (size_t i = 0; i < run->num_results; i++) {
        size_t len = strlen(run->results[i].which->id);
        if (len > width)
            width = len;
    }
    return (int)width;
}

static void put_note(FILE *file, const char *what, const char *text)
{
    fprintf(file, "          %s", what);
    gw_put_plain(file, text);
    fputc('\n', file);
}

static void put_waiver(FILE *file, const gw_waiver *waiver)
{
    fputs("          waived until ", file);
    gw_put_plain(file, waiver->expires);
    fputs(" by ", file);
    gw_put_plain(file, waiver->owner);
    fputs(", ", file);
    gw_put_plain(file, waiver->ticket);
    fputs(": ", file);
    gw_put_plain(file, waiver->reason);
    fputc('\n', file);
}

/* Only what the two do not agree on: the rest is in run.json. */
static void put_claims(FILE *file, const gw_run *run, bool colour)
{
    bool any = false;
    for (size_t i = 0; i < run->num_claims; i++) {
        const gw_claim_check *check = &run->claims[i];
        char said[48];
        char seen[48];
        if (check->verdict != GW_CLAIM_OVER && check->verdict != GW_CLAIM_UNDER)
            continue;
        bool over = check->verdict == GW_CLAIM_OVER;
        fputs("  ", file);
        put_verdict(file, over ? GW_FAIL : GW_PASS, colour);
        fprintf(file, "  claim %s: %s claimed, %s shown%s\n", check->field->name,
                gw_claim_text(check->field, check->claimed, said, sizeof(said)),
                gw_claim_text(check->field, check->shown, seen, sizeof(seen)),
                over ? "" : "; what is not claimed is not tested");
        any = true;
    }
    if (any)
        fputc('\n', file);
}

/* Notes are lines. */
static void put_notes(FILE *file, const char *notes)
{
    char line[sizeof(((gw_result *)NULL)->notes)];
    while (*notes != '\0') {
        size_t len = strcspn(notes, "\n");
        (void)snprintf(line, sizeof(line), "%.*s", (int)len, notes);
        put_note(file, "note: ", line);
        notes += len + (notes[len] != '\0');
    }
}

/* When it was, of a simulated board, and where its waves show it. */
static void put_moment(FILE *file, const gw_target *target, int64_t at_ns)
{
    gw_sim_wave wave;
    char text[sizeof(wave.path) + 64];
    if (at_ns <= 0)
        return;
    (void)snprintf(text, sizeof(text), "%" PRId64 " ns, cycle %" PRIu64, at_ns,
                   gw_target_cycle(target, at_ns));
    put_note(file, "when ", text);
    if (target->sim == NULL || !gw_sim_wave_at(target->sim, at_ns, &wave))
        return;
    (void)snprintf(text, sizeof(text), "%s, at %" PRId64 " ns", wave.path, wave.at_ns);
    put_note(file, "waves ", text);
}

static void put_result(FILE *file, const gw_report *report, const gw_result *result, int width,
                       bool colour)
{
    const gw_format *format = report->setup->suite->format;
    char rule[64] = "";
    char hex[2 * GW_RESULT_BYTES + 32];
    fputs("  ", file);
    put_verdict(file, result->verdict, colour);
    fprintf(file, "  %-*s  ", width, result->which->id);
    gw_put_plain(file, result->which->title);
    fputs("\n", file);
    if (result->rule != NULL)
        (void)snprintf(rule, sizeof(rule), "%s: ", result->rule->id);
    if (result->text[0] != '\0')
        put_note(file, rule, result->text);
    if (result->verdict == GW_FAIL || result->verdict == GW_WARN) {
        if (result->rule != NULL)
            put_note(file, "see  ", gw_clause_of(format, result->rule->clause).text);
        if (result->sent.len > 0)
            put_note(file, "sent ", gw_report_hex(&result->sent, hex, sizeof(hex)));
        if (result->received.len > 0)
            put_note(file, "got  ", gw_report_hex(&result->received, hex, sizeof(hex)));
        put_moment(file, report->setup->target, result->at_ns);
    }
    if (result->repeated)
        put_note(file, "", "the board had to be recovered, and the case was run again");
    if (result->recovery[0] != '\0')
        put_note(file, "recovery: ", result->recovery);
    if (result->verdict == GW_WAIVED && result->waiver != NULL)
        put_waiver(file, result->waiver);
    put_notes(file, result->notes);
}

/* How many cases from |i| on were left out for one and the same reason, which is told once. */
static size_t left_out(const gw_run *run, size_t i)
{
    const gw_result *first = &run->results[i];
    size_t num = 0;
    while (i + num < run->num_results) {
        const gw_result *r = &run->results[i + num];
        bool untried = r->attempts == 0 && r->num_packets == 0 && r->text[0] != '\0' &&
                       (r->verdict == GW_INCONC || r->verdict == GW_ERROR);
        if (!untried || r->verdict != first->verdict || strcmp(r->text, first->text) != 0)
            break;
        num++;
    }
    return num;
}

static void put_left_out(FILE *file, const gw_run *run, size_t i, size_t num, bool colour)
{
    fputs("  ", file);
    put_verdict(file, run->results[i].verdict, colour);
    fprintf(file, "  %zu cases, from %s to %s\n", num, run->results[i].which->id,
            run->results[i + num - 1].which->id);
    put_note(file, "", run->results[i].text);
}

static void put_counts(FILE *file, const gw_run *run, bool colour)
{
    fprintf(file, "%u case%s:", gw_counts_total(&run->counts),
            gw_counts_total(&run->counts) == 1 ? "" : "s");
    const char *separator = " ";
    for (unsigned v = 0; v < GW_NUM_VERDICTS; v++) {
        if (run->counts.of[v] == 0)
            continue;
        fprintf(file, "%s%s%u %s%s", separator, colour ? colours[v] : "", run->counts.of[v],
                gw_verdict_name((gw_verdict)v), colour ? "\033[0m" : "");
        separator = ", ";
    }
    fprintf(file, "; %" PRId64 ".%02" PRId64 " s\n", run->duration_ns / GW_SECOND,
            run->duration_ns % GW_SECOND / (10 * GW_MS));
}

/* What the path did, where it did anything that a network does. */
static void put_path(FILE *file, const gw_path_stats *path)
{
    char text[256];
    bool slow = path->rtt.num > 0 && gw_timing_percentile(&path->rtt, 50) >= GW_MS;
    if (path->probes > 0 && (slow || !gw_path_stats_clean(path)))
        fprintf(file, "path: %s\n", gw_path_stats_text(path, text, sizeof(text)));
}

void gw_report_table(FILE *file, const gw_report *report, bool colour)
{
    const gw_run *run = report->run;
    int width = id_width(run);
    fprintf(file, "%s at ", report->setup->suite->role);
    gw_put_plain(file, report->where);
    fputs("\n", file);
    fputs("pre-flight: ", file);
    gw_put_plain(file, run->preflight);
    fputs(run->identity[0] != '\0' ? "; " : "", file);
    gw_put_plain(file, run->identity);
    fputs("\n\n", file);
    put_claims(file, run, colour);
    for (size_t i = 0; i < run->num_results; i++) {
        size_t alike = left_out(run, i);
        if (alike < ALIKE) {
            put_result(file, report, &run->results[i], width, colour);
            continue;
        }
        put_left_out(file, run, i, alike, colour);
        i += alike - 1;
    }
    fputs("\n", file);
    put_path(file, &run->path);
    put_counts(file, run, colour);
}

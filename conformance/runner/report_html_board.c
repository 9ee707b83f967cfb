/* SPDX-License-Identifier: BSD-2-Clause */
/* The board in the HTML report: who it is, what it claims, what somebody answers for, and how long
 * it takes. */
#include <inttypes.h>
#include <string.h>

#include "runner/clean.h"
#include "runner/report_html.h"

void gw_html_identity(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    const gw_board_file *board = report->setup->board;
    const gw_dialect *dialect = report->setup->dialect;
    char text[160];
    char started[32];
    gw_html_heading(file, "board", "Board and run");
    fputs("<dl>\n", file);
    gw_html_term(file, "Board at", report->where);
    gw_html_term(file, "Make", board->make);
    gw_html_term(file, "Serial", board->serial);
    gw_html_term(file, "Firmware", board->firmware);
    gw_html_term(file, "Board file", report->board_path);
    gw_html_term(file, "Format", report->setup->suite->format->title);
    gw_html_term(file, "Dialect", dialect != NULL ? dialect->name : "strict");
    gw_html_term(file, "Pre-flight", run->preflight);
    gw_html_term(file, "Found", run->identity);
    (void)snprintf(text, sizeof(text), "%s, %" PRId64 ".%02" PRId64 " s%s",
                   gw_report_time(run->started_ns, started, sizeof(started)),
                   run->duration_ns / GW_SECOND, run->duration_ns % GW_SECOND / (10 * GW_MS),
                   report->virtual_time ? ", in memory under virtual time" : "");
    gw_html_term(file, "Run", text);
    (void)snprintf(text, sizeof(text), "goldwire " GW_VERSION ", seed %" PRIu64,
                   report->setup->seed);
    gw_html_term(file, "Tool", text);
    (void)snprintf(text, sizeof(text), "%s%s",
                   report->signer != NULL ? "signed with key " : "unsigned",
                   report->signer != NULL ? report->signer : "");
    gw_html_term(file, "Certificate", text);
    fputs("</dl>\n", file);
}

/* ---- claims ---- */

static const char *flag(uint8_t claim)
{
    return claim == GW_CLAIM_YES ? "yes" : claim == GW_CLAIM_NO ? "no" : NULL;
}

static const char *widths(char *out, size_t cap, uint8_t codes)
{
    gw_text text = gw_text_over(out, cap);
    for (unsigned bits = 8; bits <= 64; bits *= 2) {
        if ((codes & bits / 8) == 0)
            continue;
        gw_text_str(&text, text.len > 0 ? ", " : "");
        gw_text_dec(&text, bits);
    }
    gw_text_str(&text, text.len > 0 ? " bit" : "");
    return out;
}

static const char *number(char *out, size_t cap, uint32_t value, const char *unit)
{
    out[0] = '\0';
    if (value > 0)
        (void)snprintf(out, cap, "%" PRIu32 "%s", value, unit);
    return out;
}

/* What became of the cases that need what is claimed. */
static void put_claim(FILE *file, const gw_report *report, const char *name, const char *claimed,
                      const char *need)
{
    gw_counts counts = {0};
    const gw_run *run = report->run;
    if (claimed == NULL || claimed[0] == '\0')
        return;
    for (size_t i = 0; i < run->num_results; i++)
        for (const char *const *n = run->results[i].which->needs; n != NULL && *n != NULL; n++)
            counts.of[run->results[i].verdict] += strcmp(*n, need) == 0;
    fprintf(file, "<tr><td>%s</td><td>%s</td><td>", name, claimed);
    if (gw_counts_total(&counts) > 0)
        gw_html_counts(file, &counts);
    else
        fputs("<span class=\"dim\">no case needs it</span>", file);
    fputs("</td></tr>\n", file);
}

static void put_areas(FILE *file, const gw_report *report)
{
    const gw_board_file *board = report->setup->board;
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *area = &board->areas[i];
        char claimed[96];
        char name[GW_BOARD_TEXT + 16];
        (void)snprintf(name, sizeof(name), "area %s", gw_area_type_name((gw_area_type)area->type));
        (void)snprintf(claimed, sizeof(claimed), "%" PRIu64 " bytes at 0x%" PRIx64, area->size,
                       area->address);
        put_claim(file, report, name, claimed, gw_area_type_name((gw_area_type)area->type));
    }
}

void gw_html_claims(FILE *file, const gw_report *report)
{
    const gw_claims *c = &report->setup->board->claims;
    char text[64];
    gw_html_heading(file, "claims", "Claims and what was observed");
    fputs("<p>The board shows: ", file);
    gw_put_markup(file,
                  report->run->identity[0] != '\0' ? report->run->identity : "nothing of itself");
    fputs("</p>\n<div class=\"scroll\"><table><thead><tr><th>Claim</th><th>Claimed</th><th>Cases "
          "that "
          "need it</th></tr></thead><tbody>\n",
          file);
    put_claim(file, report, "address widths", widths(text, sizeof(text), c->address_widths), "");
    put_claim(file, report, "port widths", widths(text, sizeof(text), c->port_widths), "");
    put_claim(file, report, "TCP", flag(c->tcp), "tcp");
    put_claim(file, report, "config space", flag(c->config_space), "config-space");
    put_claim(file, report, "SDB", flag(c->sdb), "sdb");
    put_claim(file, report, "zero-filled reply", flag(c->zero_filled_reply), "zero-filled-reply");
    put_claim(file, report, "long cycles", flag(c->long_cycles), "long-cycles");
    put_claim(file, report, "largest payload", number(text, sizeof(text), c->max_payload, " bytes"),
              "");
    put_claim(file, report, "pipeline", number(text, sizeof(text), c->pipeline, " requests"), "");
    put_areas(file, report);
    fputs("</tbody></table></div>\n", file);
}

/* ---- waivers ---- */

void gw_html_waivers(FILE *file, const gw_report *report)
{
    const gw_dialect *dialect = report->setup->dialect;
    unsigned num = 0;
    gw_html_heading(file, "waivers", "Waivers");
    for (const char *const *id = dialect != NULL ? dialect->waives : NULL;
         id != NULL && *id != NULL; id++) {
        const gw_rule *rule = gw_format_rule(report->setup->suite->format, *id);
        if (rule == NULL || !gw_suite_owes(report->setup->suite, rule))
            continue;
        fputs(num++ == 0 ? "<dl>\n" : "", file);
        gw_html_term(file, rule->id, rule->text);
    }
    if (num > 0)
        fprintf(file,
                "</dl>\n<p class=\"dim\">The dialect %s is known to break these; such waivers do "
                "not expire.</p>\n",
                dialect->name);
    else
        fputs("<p>None.</p>\n", file);
}

/* ---- timing ---- */

#define CHART_WIDTH 440u
#define CHART_HEIGHT 40u
#define BUCKETS_A_DECADE 13u /* and a little more */

/* The buckets that any answer fell into, so that all charts share one axis. */
static void find_axis(const gw_timings *timings, unsigned *from, unsigned *to)
{
    *from = GW_TIMING_BUCKETS - 1;
    *to = 0;
    for (unsigned k = 0; k < timings->num; k++) {
        unsigned low = gw_timing_bucket(timings->kinds[k].min_ns);
        unsigned high = gw_timing_bucket(timings->kinds[k].max_ns);
        *from = low < *from ? low : *from;
        *to = high > *to ? high : *to;
    }
    /* A single bar is no chart. */
    while (*to - *from < BUCKETS_A_DECADE && *to < GW_TIMING_BUCKETS - 1)
        (*to)++;
}

static void put_axis(FILE *file, unsigned from, unsigned to)
{
    static const char *const names[] = {
        "1 ns",          "10 ns", "100 ns", "1 \xc2\xb5s", "10 \xc2\xb5s",
        "100 \xc2\xb5s", "1 ms",  "10 ms",  "100 ms",      "1 s"};
    unsigned width = CHART_WIDTH / (to - from + 1);
    int64_t ns = 1;
    for (size_t i = 0; i < GW_ARRAY_LEN(names); i++, ns *= 10) {
        unsigned bucket = gw_timing_bucket(ns);
        if (bucket < from || bucket > to)
            continue;
        unsigned x = (bucket - from) * width;
        fprintf(file,
                "<line x1=\"%u\" x2=\"%u\" y1=\"0\" y2=\"%u\"/><text x=\"%u\" y=\"%u\">%s</text>",
                x, x, CHART_HEIGHT + 14, x + 3, CHART_HEIGHT + 12, names[i]);
    }
}

static void put_chart(FILE *file, const gw_timing *t, unsigned from, unsigned to)
{
    unsigned width = CHART_WIDTH / (to - from + 1);
    unsigned most = 1;
    for (unsigned i = from; i <= to; i++)
        most = t->buckets[i] > most ? t->buckets[i] : most;
    fprintf(file, "<svg viewBox=\"0 0 %u %u\" role=\"img\" aria-label=\"histogram\">", CHART_WIDTH,
            CHART_HEIGHT + 16);
    put_axis(file, from, to);
    for (unsigned i = from; i <= to; i++) {
        if (t->buckets[i] == 0)
            continue;
        /* One answer among thousands still shows. */
        unsigned height = 2 + (unsigned)((uint64_t)t->buckets[i] * (CHART_HEIGHT - 2) / most);
        fprintf(file, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>", (i - from) * width,
                CHART_HEIGHT - height, width > 2 ? width - 1 : width, height);
    }
    fputs("</svg>", file);
}

static void put_timing(FILE *file, const gw_timing *t, unsigned from, unsigned to)
{
    fputs("<tr><td>", file);
    gw_put_markup(file, t->kind);
    fprintf(file, "</td><td class=\"num\">%u</td><td class=\"num\">", t->num);
    gw_html_time(file, t->min_ns);
    static const unsigned percents[] = {50, 99};
    for (size_t i = 0; i < GW_ARRAY_LEN(percents); i++) {
        fputs("</td><td class=\"num\">", file);
        gw_html_time(file, gw_timing_percentile(t, percents[i]));
    }
    fputs("</td><td class=\"num\">", file);
    gw_html_time(file, t->max_ns);
    fputs("</td><td class=\"chart\">", file);
    put_chart(file, t, from, to);
    fputs("</td></tr>\n", file);
}

void gw_html_timing(FILE *file, const gw_report *report)
{
    const gw_timings *timings = &report->run->timings;
    unsigned from;
    unsigned to;
    gw_html_heading(file, "timing", "Response times");
    if (timings->num == 0) {
        fputs("<p>Nothing was answered one by one, so nothing was measured.</p>\n", file);
        return;
    }
    find_axis(timings, &from, &to);
    fputs("<div class=\"scroll\"><table><thead><tr><th>Request</th><th class=\"num\">Answers</th>"
          "<th class=\"num\">Least</th><th class=\"num\">50 %</th><th class=\"num\">99 %</th>"
          "<th class=\"num\">Most</th><th>Histogram</th></tr></thead><tbody>\n",
          file);
    for (unsigned i = 0; i < timings->num; i++)
        put_timing(file, &timings->kinds[i], from, to);
    fprintf(file,
            "</tbody></table></div>\n<p class=\"dim\">From the evidence's time stamps, of requests "
            "that were answered before the next one was sent%s. Percentiles are rounded up by less "
            "than a fifth.</p>\n",
            report->virtual_time ? "; this board lives in virtual time, which tells nothing about "
                                   "speed"
                                 : ", this machine's own delays included");
}

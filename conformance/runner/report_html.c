/* SPDX-License-Identifier: BSD-2-Clause */
/* The HTML report: one file, no scripts, no network, readable by day and by night. */
#include <inttypes.h>
#include <string.h>

#include "runner/clean.h"
#include "runner/report.h"

static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#667;--line:#d8dde3;--card:#f5f7f9;"
    "--pass:#1a7f37;--fail:#cf222e;--warn:#9a6700;--odd:#8250df}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#0f1216;--fg:#dfe5ec;--dim:#8b95a1;--line:#"
    "2b323b;"
    "--card:#171c22;--pass:#3fb950;--fail:#ff6b62;--warn:#d9a520;--odd:#b392f0}}\n"
    "body{background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;margin:0 auto;"
    "max-width:75rem;padding:1.5rem}\n"
    "h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}\n"
    "code,pre{font:13px/1.45 ui-monospace,monospace}pre{margin:.2rem 0;white-space:pre-wrap;"
    "word-break:break-all}\n"
    ".banner{border:1px solid var(--line);border-left:.5rem solid var(--dim);border-radius:.4rem;"
    "background:var(--card);padding:1rem 1.2rem}\n"
    ".banner.PASS{border-left-color:var(--pass)}.banner.FAIL,.banner.TOOL{border-left-color:"
    "var(--fail)}.banner.INCONCLUSIVE{border-left-color:var(--odd)}\n"
    ".counts span{display:inline-block;margin:.6rem 1.2rem 0 0}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.2rem;margin:0}"
    "dt{color:var(--dim)}dd{margin:0}\n"
    "table{border-collapse:collapse;width:100%}th{text-align:left;color:var(--dim);font-weight:600}"
    "\nth,td{border-bottom:1px solid var(--line);padding:.4rem .8rem .4rem 0;vertical-align:top}\n"
    "summary{cursor:pointer}details dl{margin:.5rem 0 .3rem}\n"
    ".v{font-weight:700}.v.PASS{color:var(--pass)}.v.FAIL,.v.ERROR{color:var(--fail)}"
    ".v.WARN,.v.XPASS{color:var(--warn)}.v.INCONC{color:var(--odd)}.v.NA,.v.WAIVED{color:var(--dim)"
    "}\n.dim{color:var(--dim)}\n"
    "@media print{details:not([open])>*{display:block}body{max-width:none}}\n";

static void put_term(FILE *file, const char *term, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return;
    fprintf(file, "<dt>%s</dt><dd>", term);
    gw_put_markup(file, text);
    fputs("</dd>\n", file);
}

static void put_code(FILE *file, const char *term, const char *text)
{
    fprintf(file, "<dt>%s</dt><dd><pre>", term);
    gw_put_markup(file, text);
    fputs("</pre></dd>\n", file);
}

static void put_verdict(FILE *file, gw_verdict verdict)
{
    const char *name = gw_verdict_name(verdict);
    fprintf(file, "<span class=\"v %s\">%s</span>", name, name);
}

static void put_banner(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    const char *headline = gw_report_headline(report);
    fprintf(file, "<div class=\"banner %.*s\"><h1>%s &ndash; %s</h1>\n<div class=\"counts\">",
            (int)strcspn(headline, " "), headline, headline, report->setup->suite->role);
    for (unsigned v = 0; v < GW_NUM_VERDICTS; v++) {
        if (run->counts.of[v] == 0)
            continue;
        fprintf(file, "<span>%u ", run->counts.of[v]);
        put_verdict(file, (gw_verdict)v);
        fputs("</span>", file);
    }
    fputs("</div></div>\n", file);
}

static void put_identity(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    const gw_board_file *board = report->setup->board;
    const gw_dialect *dialect = report->setup->dialect;
    char text[160];
    char started[32];
    fputs("<h2>Board and run</h2>\n<dl>\n", file);
    put_term(file, "Board at", report->where);
    put_term(file, "Make", board->make);
    put_term(file, "Serial", board->serial);
    put_term(file, "Firmware", board->firmware);
    put_term(file, "Board file", report->board_path);
    put_term(file, "Format", report->setup->suite->format->title);
    put_term(file, "Dialect", dialect != NULL ? dialect->name : "strict");
    put_term(file, "Pre-flight", run->preflight);
    put_term(file, "Found", run->identity);
    (void)snprintf(text, sizeof(text), "%s, %" PRId64 ".%02" PRId64 " s",
                   gw_report_time(run->started_ns, started, sizeof(started)),
                   run->duration_ns / GW_SECOND, run->duration_ns % GW_SECOND / (10 * GW_MS));
    put_term(file, "Run", text);
    (void)snprintf(text, sizeof(text), "goldwire " GW_VERSION ", seed %" PRIu64,
                   report->setup->seed);
    put_term(file, "Tool", text);
    (void)snprintf(text, sizeof(text), "%s%s",
                   report->signer != NULL ? "signed with key " : "unsigned",
                   report->signer != NULL ? report->signer : "");
    put_term(file, "Certificate", text);
    fputs("</dl>\n", file);
}

static void put_rules(FILE *file, const gw_format *format, const gw_case *which)
{
    for (const char *const *id = which->rules; *id != NULL; id++) {
        const gw_rule *rule = gw_format_rule(format, *id);
        char text[512];
        if (rule == NULL)
            continue;
        (void)snprintf(text, sizeof(text), "%s (%s): %s", gw_level_name((gw_level)rule->level),
                       rule->clause, rule->text);
        put_term(file, rule->id, text);
    }
}

static void put_difference(FILE *file, const gw_result *result)
{
    char text[256];
    char hex[2 * GW_RESULT_BYTES + 32];
    if (result->field != NULL) {
        (void)snprintf(text, sizeof(text), "%s, byte %" PRIu32 " of packet %u", result->field->name,
                       result->offset, result->packet);
        put_term(file, "Field", text);
        (void)snprintf(text, sizeof(text), "0x%" PRIx64, result->expected);
        put_code(file, "Expected", text);
        (void)snprintf(text, sizeof(text), "0x%" PRIx64, result->got);
        put_code(file, "Got", text);
    }
    if (result->sent.len > 0)
        put_code(file, "Sent", gw_report_hex(&result->sent, hex, sizeof(hex)));
    if (result->received.len > 0)
        put_code(file, "Received", gw_report_hex(&result->received, hex, sizeof(hex)));
}

static bool is_interesting(const gw_result *result)
{
    return result->verdict != GW_PASS && result->verdict != GW_NA;
}

static void put_case(FILE *file, const gw_report *report, const gw_result *result)
{
    fputs("<tr><td>", file);
    put_verdict(file, result->verdict);
    fputs("</td><td><code>", file);
    gw_put_markup(file, result->which->id);
    fprintf(file, "</code></td><td><details%s><summary>", is_interesting(result) ? " open" : "");
    gw_put_markup(file, result->which->title);
    fputs("</summary>\n<dl>\n", file);
    put_term(file, "Because", result->text);
    put_term(file, "Seen", result->notes);
    if (result->repeated)
        put_term(file, "Repeated", "the board had to be recovered, and the case was run again");
    put_rules(file, report->setup->suite->format, result->which);
    put_difference(file, result);
    fputs("</dl></details></td><td>", file);
    for (const char *const *id = result->which->rules; *id != NULL; id++)
        fprintf(file, "%s%s", id == result->which->rules ? "" : "<br>", *id);
    fputs("</td><td>", file);
    if (result->evidence[0] != '\0') {
        fputs("<a href=\"", file);
        gw_put_markup(file, result->evidence);
        fprintf(file, "\">%u packets</a>", result->num_packets);
    }
    fputs("</td></tr>\n", file);
}

void gw_report_html(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>", file);
    fprintf(file, "%s: %s</title>\n", gw_report_headline(report), report->setup->suite->role);
    fputs("<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n", file);
    fputs(style, file);
    fputs("</style></head><body>\n", file);
    put_banner(file, report);
    put_identity(file, report);
    fputs("<h2>Cases</h2>\n<table><thead><tr><th>Verdict</th><th>Case</th><th>What the board "
          "should do</th><th>Rules</th><th>Evidence</th></tr></thead><tbody>\n",
          file);
    for (size_t i = 0; i < run->num_results; i++)
        put_case(file, report, &run->results[i]);
    fputs(
        "</tbody></table>\n<p class=\"dim\">Evidence files hold what the sockets saw; the headers "
        "below the payload are synthesised. Open them with Wireshark; the comments say which "
        "packets decided.</p>\n</body></html>\n",
        file);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The board in the HTML report: who it is, what it claims, and what somebody answers for. */
#include <inttypes.h>
#include <string.h>

#include "evidence/clean.h"
#include "report/report_html.h"

static void put_proof(FILE *file, const gw_selfproof *proof)
{
    if (proof == NULL)
        return;
    fprintf(
        file,
        "<dt>Self-proof</dt><dd>before the run this program passed the good software board in %u "
        "cases, and found a fault with each unit of its cases: ",
        proof->good_passed);
    for (size_t i = 0; i < proof->num_units; i++)
        if (proof->units[i].mutant != NULL)
            fprintf(file, "%s<code>%s</code> by <code>%s</code>", i > 0 ? ", " : "",
                    proof->units[i].mutant->id, proof->units[i].by->id);
    fputs("</dd>\n", file);
}

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
    gw_html_term(file, "Its SHA-256", board->firmware_sha256);
    gw_html_term(file, "Bitstream's SHA-256", board->bitstream_sha256);
    gw_html_term(file, "Board file", report->board_path);
    gw_html_term(file, "Format", report->setup->suite->format->title);
    gw_html_term(file, "Dialect", dialect != NULL ? dialect->name : "strict");
    gw_html_term(file, "Pre-flight", run->preflight);
    gw_html_term(file, "Found", run->identity);
    (void)snprintf(text, sizeof(text), "%s, %" PRId64 ".%02" PRId64 " s%s",
                   gw_report_time(run->started_ns, started, sizeof(started)),
                   run->duration_ns / GW_SECOND, run->duration_ns % GW_SECOND / (10 * GW_MS),
                   gw_report_simulated(report) ? ", of the simulation's own time"
                   : report->virtual_time      ? ", in memory under virtual time"
                                               : "");
    gw_html_term(file, "Run", text);
    (void)snprintf(text, sizeof(text), "goldwire " GW_VERSION ", seed %" PRIu64,
                   report->setup->seed);
    gw_html_term(file, "Tool", text);
    gw_html_term(file, "Operator", report->operator_name);
    gw_html_term(file, "Machine", run->host.system);
    gw_html_term(file, "Its interface", run->host.interface);
    gw_html_term(file, "Its clock", run->host.clock);
    put_proof(file, report->proof);
    (void)snprintf(text, sizeof(text), "%s%s",
                   report->signer != NULL ? "signed with key " : "unsigned",
                   report->signer != NULL ? report->signer : "");
    gw_html_term(file, "Certificate", text);
    fputs("</dl>\n", file);
}

/* ---- claims ---- */

static void put_claim(FILE *file, const gw_claim_check *check)
{
    static const char *const colours[] = {[GW_CLAIM_UNSEEN] = "NA",
                                          [GW_CLAIM_AGREES] = "PASS",
                                          [GW_CLAIM_OVER] = "FAIL",
                                          [GW_CLAIM_UNDER] = "WARN",
                                          [GW_CLAIM_CONTRADICTS] = "FAIL"};
    const uint32_t values[] = {check->claimed, check->shown, check->used};
    fprintf(file, "<tr><td>%s</td>", check->field->name);
    for (size_t i = 0; i < GW_ARRAY_LEN(values); i++) {
        char text[64];
        fputs(values[i] != 0 ? "<td>" : "<td class=\"dim\">", file);
        gw_put_markup(file, values[i] != 0
                                ? gw_claim_text(check->field, values[i], text, sizeof(text))
                                : "not told");
        fputs("</td>", file);
    }
    fprintf(file, "<td><span class=\"v %s\">%s</span></td></tr>\n", colours[check->verdict],
            gw_claim_verdict_name((gw_claim_verdict)check->verdict));
}

static void put_area(FILE *file, const gw_area *area)
{
    fprintf(file,
            "<tr><td>area %s</td><td colspan=\"4\">%" PRIu64 " bytes at 0x%" PRIx64 "</td></tr>\n",
            gw_area_type_name((gw_area_type)area->type), area->size, area->address);
}

void gw_html_claims(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    const gw_board_file *board = report->setup->board;
    gw_html_heading(file, "claims", "Claims and what was observed");
    if (run->num_claims == 0 && board->num_areas == 0) {
        fputs("<p>Nothing is claimed for this board, and no area may be written.</p>\n", file);
        return;
    }
    fputs("<div class=\"scroll\"><table><thead><tr><th>Claim</th><th>Claimed</th><th>Shown</th>"
          "<th>Gone by</th><th></th></tr></thead><tbody>\n",
          file);
    for (size_t i = 0; i < run->num_claims; i++)
        put_claim(file, &run->claims[i]);
    for (size_t i = 0; i < board->num_areas; i++)
        put_area(file, &board->areas[i]);
    fputs("</tbody></table></div>\n<p class=\"dim\">An over-claim, claimed and not shown, is a "
          "failure; what is shown and not claimed is not tested. Which cases need them is told <a "
          "href=\"#matrix\">below</a>.</p>\n",
          file);
}

/* ---- waivers ---- */

/* What became of |waiver| in this run. */
static const char *use_of(const gw_report *report, const gw_waiver *waiver)
{
    const gw_run *run = report->run;
    if (run->started_ns >= waiver->ends_ns)
        return "expired";
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *r = &run->results[i];
        if (r->waiver == waiver && r->verdict == GW_WAIVED)
            return "covers a failure";
        if (r->waiver == waiver && r->verdict == GW_XPASS)
            return "not needed: the case passes";
    }
    return "covers nothing that happened";
}

static void put_waiver(FILE *file, const gw_report *report, const gw_waiver *waiver)
{
    const char *cells[] = {waiver->owner,    waiver->ticket,  waiver->reason,        waiver->text,
                           waiver->firmware, waiver->expires, use_of(report, waiver)};
    fputs("<tr><td class=\"id\"><code>", file);
    gw_put_markup(file, waiver->which);
    fputs("</code></td>", file);
    for (size_t i = 0; i < GW_ARRAY_LEN(cells); i++) {
        fputs("<td>", file);
        gw_put_markup(file, cells[i]);
        fputs("</td>", file);
    }
    fputs("</tr>\n", file);
}

static unsigned put_board_waivers(FILE *file, const gw_report *report)
{
    const gw_board_file *board = report->setup->board;
    if (board->num_waivers == 0)
        return 0;
    fputs("<div class=\"scroll\"><table><thead><tr><th>Case</th><th>Owner</th><th>Ticket</th>"
          "<th>Reason</th><th>Failure that holds</th><th>Firmware</th><th>Until</th><th>Here</th>"
          "</tr></thead><tbody>\n",
          file);
    for (size_t i = 0; i < board->num_waivers; i++)
        put_waiver(file, report, &board->waivers[i]);
    fputs("</tbody></table></div>\n", file);
    return 1;
}

static unsigned put_dialect_waivers(FILE *file, const gw_report *report)
{
    const gw_dialect *dialect = report->setup->dialect;
    unsigned num = 0;
    for (const gw_known_fault *known = dialect != NULL ? dialect->known : NULL;
         known != NULL && known->rule != NULL; known++) {
        const gw_rule *rule = gw_format_rule(report->setup->suite->format, known->rule);
        if (rule == NULL || !gw_suite_owes(report->setup->suite, rule))
            continue;
        fputs(num++ == 0 ? "<dl>\n" : "", file);
        gw_html_term(file, rule->id, known->why != NULL ? known->why : rule->text);
    }
    if (num > 0)
        fprintf(file,
                "</dl>\n<p class=\"dim\">The dialect %s is known to break these; such waivers do "
                "not expire.</p>\n",
                dialect->name);
    return num;
}

void gw_html_waivers(FILE *file, const gw_report *report)
{
    gw_html_heading(file, "waivers", "Waivers");
    unsigned num = put_board_waivers(file, report);
    num += put_dialect_waivers(file, report);
    if (num == 0)
        fputs("<p>None.</p>\n", file);
}

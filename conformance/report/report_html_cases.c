/* SPDX-License-Identifier: BSD-2-Clause */
/* The cases of the HTML report: what failed and how to see it again, what stayed open, and all. */
#include <inttypes.h>
#include <string.h>

#include "evidence/clean.h"
#include "report/owed.h"
#include "report/report_html.h"
#include "report/signals.h"
#include "selftest/carry.h"

#define MAX_LOOK_ALIKES 6

static bool is_failure(const gw_result *r)
{
    return r->verdict == GW_FAIL || r->verdict == GW_ERROR || r->verdict == GW_WARN ||
           r->verdict == GW_XPASS;
}

/* The format whose |rule| is: that of the board's ports, or that of the board. */
static const gw_format *format_of(const gw_report *report, const gw_rule *rule)
{
    for (size_t i = 0; i < gw_port_format.num_rules; i++)
        if (rule == &gw_port_format.rules[i])
            return &gw_port_format;
    return report->setup->suite->format;
}

static void put_places(FILE *file, const gw_format *format, const gw_rule *rule, bool first)
{
    const char *rest = rule->clause;
    for (gw_clause_place place; gw_clause_next(format, &rest, &place); first = false) {
        if (!first)
            fputc('|', file);
        gw_put_markup(file, gw_clause_place_name(&place));
    }
}

/* What the filter goes by: verdict, and where the rules come from. */
static void put_data(FILE *file, const gw_report *report, const gw_result *r)
{
    fprintf(file, " data-v=\"%s\" data-k=\"", gw_verdict_name(r->verdict));
    for (const char *const *id = r->which->rules; *id != NULL; id++) {
        const gw_rule *rule = gw_format_rule(report->setup->suite->format, *id);
        if (rule == NULL)
            continue;
        put_places(file, format_of(report, rule), rule, id == r->which->rules);
    }
    fputs("\"", file);
}

static void put_rule(FILE *file, const char *term, const gw_report *report, const gw_rule *rule)
{
    const gw_format *format = format_of(report, rule);
    fprintf(file, "<dt>%s</dt><dd><a href=\"#%s\">%s</a> %s, ", term, rule->id, rule->id,
            gw_level_name((gw_level)rule->level));
    gw_put_markup(file, gw_clause_of(format, rule->clause).text);
    fputs(": ", file);
    gw_put_markup(file, rule->text);
    fputs("</dd>\n", file);
}

static void put_value(FILE *file, const char *term, const gw_field *field, uint64_t value)
{
    const char *name = gw_field_value_name(field, value);
    fprintf(file, "<dt>%s</dt><dd><code>0x%" PRIx64 "</code>", term, value);
    if (name != NULL) {
        fputs(" (", file);
        gw_put_markup(file, name);
        fputs(")", file);
    }
    fputs("</dd>\n", file);
}

/* Cases that compare many words, or judge by several packets, cannot tell a place: they leave byte
 * 0, which only the first field of a message can mean. */
static bool is_located(const gw_report *report, const gw_result *r)
{
    const gw_format *format = report->setup->suite->format;
    bool first = r->field != NULL && r->field->byte == 0 && r->field->group == format->groups[0];
    return r->packet > 0 && (r->offset > 0 || first);
}

static void put_difference(FILE *file, const gw_report *report, const gw_result *r)
{
    bool located = is_located(report, r);
    if (r->field != NULL) {
        fputs("<dt>Field</dt><dd><code>", file);
        gw_put_markup(file, r->field->name);
        fputs("</code>, ", file);
        if (located)
            fprintf(file, "byte %" PRIu32 " of ", r->offset);
        fprintf(file, "packet %u (", r->packet);
        gw_put_markup(file, gw_clause_of(report->setup->suite->format, r->field->clause).text);
        fputs(")</dd>\n", file);
        put_value(file, "Expected", r->field, r->expected);
        put_value(file, "Got", r->field, r->got);
    } else if (r->rule != NULL && r->packet > 0) {
        fputs("<dt>Where</dt><dd>", file);
        if (located)
            fprintf(file, "byte %" PRIu32 " of ", r->offset);
        fprintf(file, "packet %u</dd>\n", r->packet);
    }
    /* The packet that decided is the one received, unless it is one of ours. */
    uint32_t num = r->field != NULL && r->field->num_bytes > 0 ? r->field->num_bytes : 1;
    bool marked = located && r->rule != NULL && is_failure(r);
    bool ours = r->received.len == 0;
    gw_html_packet(file, "Sent", &r->sent, r->offset, marked && ours ? num : 0);
    gw_html_packet(file, "Received", &r->received, r->offset, marked ? num : 0);
    if (ours && r->sent.len > 0 && is_failure(r))
        fputs("<dt>Received</dt><dd class=\"dim\">nothing that decided</dd>\n", file);
}

/* Faults that the catalogue was tried against and that break the same rule: where to begin to look.
 */
static void put_look_alikes(FILE *file, const gw_report *report, const gw_rule *rule)
{
    const gw_board *board = gw_board_by_role(report->setup->suite->role);
    unsigned num = 0;
    for (size_t i = 0; board != NULL && i < board->num_mutants && num < MAX_LOOK_ALIKES; i++) {
        const gw_mutant *mutant = &board->mutants[i];
        if (!gw_mutant_breaks(mutant, rule->id))
            continue;
        fputs(num++ == 0 ? "<dt>Known faults</dt><dd>" : "<br>", file);
        fprintf(file, "<code>%s</code> ", mutant->id);
        gw_put_markup(file, mutant->what);
    }
    if (num > 0)
        fputs("</dd>\n", file);
}

static void put_rerun(FILE *file, const gw_report *report, const gw_result *r)
{
    fputs("<dt>Run again</dt><dd><code>goldwire certify ", file);
    gw_put_markup(file, report->call);
    fprintf(file, " --seed %" PRIu64 " --case %s</code></dd>\n", report->setup->seed, r->which->id);
}

static void put_evidence(FILE *file, const gw_result *r, const char *text)
{
    if (r->evidence[0] == '\0')
        return;
    fputs("<a href=\"", file);
    gw_put_markup(file, r->evidence);
    fprintf(file, "\">%s</a>", text);
}

/* When it was, of a simulated board, and where its waves show it. */
static void put_moment(FILE *file, const gw_target *target, int64_t at_ns)
{
    gw_sim_wave wave;
    if (at_ns <= 0)
        return;
    fprintf(file, "<dt>When</dt><dd>%" PRId64 " ns, cycle %" PRIu64 " of the core</dd>\n", at_ns,
            gw_target_cycle(target, at_ns));
    if (target->sim == NULL || !gw_sim_wave_at(target->sim, at_ns, &wave))
        return;
    fputs("<dt>Waves</dt><dd><code>", file);
    gw_put_markup(file, wave.path);
    fprintf(file, "</code>, at %" PRId64 " ns</dd>\n", wave.at_ns);
}

static void put_signals(FILE *file, const gw_report *report, const gw_result *r)
{
    if (r->view == NULL)
        return;
    fprintf(file,
            "<dt>Signals</dt><dd>port %u, %s: what each clock edge found<div class=\"scroll\">",
            r->view->port, gw_signals_title(r->view->interface));
    gw_signals_svg(file, r->view, report->setup->target);
    fputs("</div></dd>\n", file);
}

static void put_card(FILE *file, const gw_report *report, const gw_result *r, uint32_t *room)
{
    fprintf(file, "<div class=\"card %s\"", gw_verdict_name(r->verdict));
    put_data(file, report, r);
    fputs("><h3>", file);
    gw_html_verdict(file, r->verdict);
    fprintf(file, " <code>%s</code> ", r->which->id);
    gw_put_markup(file, r->which->title);
    fputs("</h3>\n<dl>\n", file);
    gw_html_term(file, "Because", r->text);
    if (r->rule != NULL)
        put_rule(file, "Rule", report, r->rule);
    if (r->rule != NULL)
        gw_html_term(file, "Why it matters", r->rule->why);
    put_difference(file, report, r);
    gw_html_messages(file, report, r, room);
    put_moment(file, report->setup->target, r->at_ns);
    put_signals(file, report, r);
    gw_html_term(file, "Seen", r->notes);
    gw_html_term(file, "Recovery", r->recovery);
    if (r->waiver_expired)
        gw_html_term(file, "Waiver", "expired, see below");
    if (r->repeated)
        gw_html_term(file, "Repeated", "the board had to be recovered, and the case was run again");
    if (r->rule != NULL)
        put_look_alikes(file, report, r->rule);
    put_rerun(file, report, r);
    if (r->evidence[0] != '\0') {
        fputs("<dt>Evidence</dt><dd>", file);
        put_evidence(file, r, r->evidence);
        fprintf(file, ", %u packets", r->num_packets);
        if (r->packet > 0)
            fprintf(file, "; packet %u decided", r->packet);
        fputs("</dd>\n", file);
    }
    fputs("</dl></div>\n", file);
}

/* A claim that the board does not live up to is a failure of its own. */
static void put_over_claim(FILE *file, const gw_report *report, const gw_claim_check *check)
{
    char claimed[64];
    char shown[64];
    fprintf(file,
            "<div class=\"card FAIL\"><h3><span class=\"v FAIL\">FAIL</span> <code>claim/%s</code> "
            "The board shows what it claims</h3>\n<dl>\n",
            check->field->name);
    gw_html_term(file, "Claimed",
                 gw_claim_text(check->field, check->claimed, claimed, sizeof(claimed)));
    gw_html_term(file, "Shown", gw_claim_text(check->field, check->shown, shown, sizeof(shown)));
    gw_html_term(file, "Board file", report->board_path);
    fputs("</dl></div>\n", file);
}

void gw_html_failures(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    uint32_t room = GW_HTML_DECODED;
    unsigned num = 0;
    gw_html_heading(file, "failures", "Failures and warnings");
    for (size_t i = 0; i < run->num_claims; i++) {
        if (run->claims[i].verdict != GW_CLAIM_OVER)
            continue;
        put_over_claim(file, report, &run->claims[i]);
        num++;
    }
    for (size_t i = 0; i < run->num_results; i++) {
        if (!is_failure(&run->results[i]))
            continue;
        put_card(file, report, &run->results[i], &room);
        num++;
    }
    if (num == 0)
        fputs("<p>None.</p>\n", file);
}

void gw_html_inconclusive(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    gw_html_heading(file, "inconclusive", "Inconclusive");
    if (run->counts.of[GW_INCONC] == 0) {
        fputs("<p>None: of every case that ran something is known.</p>\n", file);
        return;
    }
    fputs("<p class=\"dim\">Nothing can be said about these: the board was lost, or a case they "
          "build on did not pass. They are no failures of the board.</p>\n<div class=\"scroll\">"
          "<table class=\"reasons\"><thead><tr><th>Case</th><th>Why</th></tr></thead><tbody>\n",
          file);
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *r = &run->results[i];
        if (r->verdict != GW_INCONC)
            continue;
        fprintf(file,
                "<tr><td class=\"id\"><a href=\"#%s\"><code>%s</code></a></td><td "
                "class=\"what\">",
                r->which->id, r->which->id);
        gw_put_markup(file, r->text);
        fputs("</td></tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
}

/* ---- all cases ---- */

static void put_option(void *ctx, const char *name)
{
    FILE *file = ctx;
    fputs("<option>", file);
    gw_put_markup(file, name);
    fputs("</option>", file);
}

static void put_filter(FILE *file, const gw_report *report)
{
    fputs("<form id=\"filter\" hidden>\n", file);
    for (unsigned v = 0; v < GW_NUM_VERDICTS; v++) {
        if (report->run->counts.of[v] == 0)
            continue;
        fprintf(file, "<label><input type=\"checkbox\" value=\"%s\" checked> ",
                gw_verdict_name((gw_verdict)v));
        gw_html_verdict(file, (gw_verdict)v);
        fputs("</label>\n", file);
    }
    fputs("<select aria-label=\"clause\"><option value=\"\">every clause</option>", file);
    gw_owed_places(report, put_option, file);
    fputs("</select>\n<input type=\"search\" placeholder=\"text\" aria-label=\"text\">"
          "<output class=\"dim\"></output></form>\n",
          file);
}

static void put_row(FILE *file, const gw_report *report, const gw_result *r)
{
    const gw_format *format = report->setup->suite->format;
    fprintf(file, "<tr id=\"%s\"", r->which->id);
    put_data(file, report, r);
    fputs("><td>", file);
    gw_html_verdict(file, r->verdict);
    fprintf(file, "</td><td class=\"id\"><code>%s</code></td><td class=\"wide\"><details><summary>",
            r->which->id);
    gw_put_markup(file, r->which->title);
    fputs("</summary>\n<dl>\n", file);
    gw_html_term(file, "Because", r->text);
    gw_html_term(file, "Seen", r->notes);
    for (const char *const *id = r->which->rules; *id != NULL; id++) {
        const gw_rule *rule = gw_format_rule(format, *id);
        if (rule != NULL)
            put_rule(file, "Rule", report, rule);
    }
    if (!is_failure(r))
        put_difference(file, report, r);
    fputs("</dl></details></td><td>", file);
    for (const char *const *id = r->which->rules; *id != NULL; id++)
        fprintf(file, "%s<a href=\"#%s\">%s</a>", id == r->which->rules ? "" : " ", *id, *id);
    fputs("</td><td class=\"num\">", file);
    if (r->num_packets > 0)
        gw_html_time(file, r->duration_ns);
    fputs("</td><td class=\"num\">", file);
    if (r->evidence[0] != '\0') {
        char text[32];
        (void)snprintf(text, sizeof(text), "%u packets", r->num_packets);
        put_evidence(file, r, text);
    }
    fputs("</td></tr>\n", file);
}

void gw_html_cases(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    gw_html_heading(file, "cases", "Cases");
    put_filter(file, report);
    fputs(
        "<table class=\"cases\"><thead><tr><th>Verdict</th><th>Case</th><th>What the board should "
        "do</th><th>Rules</th><th class=\"num\">Time</th><th class=\"num\">Evidence</th></tr>"
        "</thead><tbody>\n",
        file);
    for (size_t i = 0; i < run->num_results; i++)
        put_row(file, report, &run->results[i]);
    fputs("</tbody></table>\n<p class=\"dim\">Evidence files hold what the sockets saw, with "
          "synthesised headers below the payload, or the frames themselves of a board reached over "
          "raw:// (the interface says which). Open them with Wireshark; the comments say which "
          "packets decided.</p>\n",
          file);
}

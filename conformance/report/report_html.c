/* SPDX-License-Identifier: BSD-2-Clause */
/* The HTML report: one file that loads nothing, says everything without its script, and reads by
 * day, by night, on a phone and on paper. */
#include <string.h>

#include "evidence/clean.h"
#include "report/report_html.h"

/* Trees of fields keep their columns and scroll; on paper they wrap. What is folded stays so there:
 * who prints it has read it. */
static const char looks[] =
    "table.heat th.part{padding-left:1.4rem;color:var(--dim)}\n"
    ".decoded{white-space:normal}.decoded h4{font-size:.9rem;margin:.6rem 0 .1rem;"
    "color:var(--dim)}.decoded h4.decided{color:inherit}.decoded pre{white-space:pre;"
    "overflow-wrap:normal}\n"
    "@media print{.decoded pre{white-space:pre-wrap;overflow-wrap:anywhere}}\n";

static void put_banner(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    const char *headline = gw_report_headline(report);
    char untried[160];
    fprintf(file, "<div class=\"banner %.*s\"><h1>%s</h1>\n<p>%s at ", (int)strcspn(headline, " "),
            headline, headline, report->setup->suite->role);
    gw_put_markup(file, report->where);
    fputs("</p>\n<p class=\"counts\">", file);
    gw_html_counts(file, &run->counts);
    fputs("</p>\n<p class=\"dim\">", file);
    if (!run->answered)
        fputs("The board never answered: nothing is known about it. ", file);
    if (run->counts.over_claims > 0)
        fprintf(file, "The board does not live up to %u of its claims. ", run->counts.over_claims);
    if (run->counts.untried > 0)
        fprintf(file, "Claimed and not tried: %s. ",
                gw_report_untried(run, untried, sizeof(untried)));
    if (report->strict)
        fputs("Strict: a WARN counts as a FAIL, and so does what was not tried. ", file);
    if (report->signer != NULL)
        fprintf(file, "Signed with key %s.", report->signer);
    else
        fputs("Unsigned: only the digest that certify printed vouches for this.", file);
    fputs("</p></div>\n<nav><a href=\"#board\">Board</a><a href=\"#failures\">Failures</a>"
          "<a href=\"#inconclusive\">Inconclusive</a><a href=\"#claims\">Claims</a>"
          "<a href=\"#waivers\">Waivers</a><a href=\"#cases\">Cases</a>"
          "<a href=\"#timeline\">Run</a><a href=\"#timing\">Timing</a><a href=\"#path\">Path</a><a "
          "href=\"#matrix\">Coverage</a>"
          "<a href=\"#rules\">Rules</a><a href=\"#uncovered\">Not covered</a>",
          file);
    fputs(report->speed != NULL ? "<a href=\"measure.html\">Measured</a></nav>\n" : "</nav>\n",
          file);
}

void gw_report_html(FILE *file, const gw_report *report)
{
    static void (*const sections[])(FILE * file, const gw_report *report) = {
        gw_html_identity, gw_html_failures, gw_html_inconclusive, gw_html_claims,
        gw_html_waivers,  gw_html_cases,    gw_html_timeline,     gw_html_timing,
        gw_html_path,     gw_html_coverage, gw_html_traceability, gw_html_uncovered,
    };
    gw_html_open(file, gw_report_headline(report), report->setup->suite->role, looks,
                 gw_html_script);
    put_banner(file, report);
    for (size_t i = 0; i < GW_ARRAY_LEN(sections); i++)
        sections[i](file, report);
    gw_html_close(file, gw_html_script);
}

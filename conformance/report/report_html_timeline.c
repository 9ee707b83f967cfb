/* SPDX-License-Identifier: BSD-2-Clause */
/* The run from its beginning to its end, in the HTML report: a bar a case, as long as it took. */
#include <inttypes.h>

#include "evidence/clean.h"
#include "report/report_html.h"

#define WIDTH 960.0
#define BAR 26
#define HEIGHT 62
#define LEAST 0.6 /* of a bar that nobody would see */
#define ASIDE 6   /* on either side, for triangles at the ends */

static double x_of(const gw_run *run, int64_t at_ns)
{
    return run->duration_ns > 0 ? (double)at_ns / (double)run->duration_ns * WIDTH : 0;
}

static void put_title(FILE *file, const gw_result *r)
{
    fprintf(file, "<title>%s: %s, ", r->which->id, gw_verdict_name(r->verdict));
    gw_html_time(file, r->duration_ns);
    if (r->attempts > 1)
        fprintf(file, ", tried %u times", r->attempts);
    if (r->recovery[0] != '\0') {
        fputs("; ", file);
        gw_put_markup(file, r->recovery);
    }
    fputs("</title>", file);
}

static void put_case(FILE *file, const gw_run *run, const gw_result *r)
{
    double x = x_of(run, r->start_ns);
    double width = x_of(run, r->duration_ns);
    fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%d\">",
            gw_verdict_name(r->verdict), x, width > LEAST ? width : LEAST, BAR);
    put_title(file, r);
    fputs("</rect>", file);
    if (r->recovery[0] == '\0')
        return;
    fprintf(file, "<path class=\"lost\" d=\"M%.1f %dl5 8h-10z\">", x + width, BAR + 4);
    put_title(file, r);
    fputs("</path>", file);
}

void gw_html_timeline(FILE *file, const gw_report *report)
{
    const gw_run *run = report->run;
    unsigned recovered = 0;
    gw_html_heading(file, "timeline", "The run");
    fprintf(file,
            "<div class=\"scroll\"><svg class=\"wide\" viewBox=\"%d 0 %.0f %d\" role=\"img\" "
            "aria-label=\"cases over the run\">",
            -ASIDE, WIDTH + 2 * ASIDE, HEIGHT);
    for (size_t i = 0; i < run->num_results; i++) {
        if (run->results[i].num_packets == 0)
            continue;
        put_case(file, run, &run->results[i]);
        recovered += run->results[i].recovery[0] != '\0';
    }
    fprintf(file, "<text x=\"0\" y=\"%d\">0</text><text x=\"%.0f\" y=\"%d\" text-anchor=\"end\">",
            HEIGHT - 4, WIDTH, HEIGHT - 4);
    gw_html_time(file, run->duration_ns);
    fputs("</text></svg></div>\n<p class=\"dim\">A bar for each case that spoke with the board, in "
          "the "
          "colour of its verdict; ",
          file);
    if (recovered > 0)
        fprintf(file,
                "a triangle behind %u of them, where the board was brought back, or tried "
                "to be; ",
                recovered);
    fputs("what lies between is the pre-flight, waiting for a board that is not there, and looking "
          "whether it is.</p>\n",
          file);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* What the path to the board did, in the HTML report: in words, and drawn over the time of the run.
 */
#include <string.h>

#include "evidence/clean.h"
#include "report/report_html.h"

#define WIDTH 960u
#define HEIGHT 150u
#define LEFT 56u /* for the names of times */
#define LOST_Y 6u

/* The decade of |ns|, and how far into it in thousandths: a logarithm that needs no library. */
static unsigned log_milli(int64_t ns)
{
    unsigned decades = 0;
    int64_t whole = 1;
    while (ns / 10 >= whole) {
        whole *= 10;
        decades++;
    }
    return decades * 1000 + (unsigned)((ns - whole) * 1000 / (whole * 9));
}

typedef struct axis {
    unsigned from; /* decades */
    unsigned to;
    int64_t last_ns; /* of the run */
} axis;

static axis axis_of(const gw_path_stats *path)
{
    axis a = {.from = UINT32_MAX};
    for (unsigned i = 0; i < path->num_samples; i++) {
        const gw_path_sample *s = &path->samples[i];
        a.last_ns = s->at_ns > a.last_ns ? s->at_ns : a.last_ns;
        if (s->rtt_ns == GW_PATH_LOST)
            continue;
        unsigned decade = log_milli(s->rtt_ns) / 1000;
        a.from = decade < a.from ? decade : a.from;
        a.to = decade + 1 > a.to ? decade + 1 : a.to;
    }
    if (a.to <= a.from)
        a = (axis){.from = 6, .to = 7, .last_ns = a.last_ns};
    return a;
}

static unsigned y_of(const axis *a, int64_t ns)
{
    unsigned above = log_milli(ns) - a->from * 1000;
    return HEIGHT - above * (HEIGHT - 2 * LOST_Y) / ((a->to - a->from) * 1000);
}

static unsigned x_of(const axis *a, int64_t at_ns)
{
    if (a->last_ns <= 0)
        return LEFT;
    return LEFT + (unsigned)((double)at_ns / (double)a->last_ns * (WIDTH - LEFT - 4));
}

/* A line for each decade of time. */
static void put_axis(FILE *file, const axis *a)
{
    int64_t ns = 1;
    for (unsigned decade = 0; decade <= a->to && decade < 18; decade++, ns *= 10) {
        if (decade < a->from)
            continue;
        unsigned y = y_of(a, ns);
        fprintf(file, "<line x1=\"%u\" x2=\"%u\" y1=\"%u\" y2=\"%u\"/><text x=\"0\" y=\"%u\">",
                LEFT, WIDTH, y, y, y + 4);
        gw_html_time(file, ns);
        fputs("</text>", file);
    }
}

static void put_plot(FILE *file, const gw_path_stats *path)
{
    axis a = axis_of(path);
    fprintf(file,
            "<div class=\"scroll\"><svg class=\"wide\" viewBox=\"0 0 %u %u\" role=\"img\" "
            "aria-label=\"round trips over the run\">",
            WIDTH, HEIGHT + 16);
    put_axis(file, &a);
    for (unsigned i = 0; i < path->num_samples; i++) {
        const gw_path_sample *s = &path->samples[i];
        bool lost = s->rtt_ns == GW_PATH_LOST;
        unsigned x = x_of(&a, s->at_ns);
        if (lost)
            fprintf(file, "<path class=\"lost\" d=\"M%u %ul6 6m0 -6l-6 6\"/>", x - 3, LOST_Y - 3);
        else
            fprintf(file, "<circle cx=\"%u\" cy=\"%u\" r=\"2\"/>", x, y_of(&a, s->rtt_ns));
    }
    fprintf(file, "<text x=\"%u\" y=\"%u\">the run&#8217;s time: ", LEFT, HEIGHT + 14);
    gw_html_time(file, a.last_ns);
    fputs("</text></svg></div>", file);
}

void gw_html_path(FILE *file, const gw_report *report)
{
    const gw_path_stats *path = &report->run->path;
    char text[256];
    gw_html_heading(file, "path", "The path");
    if (path->probes == 0) {
        fputs("<p>Nothing was measured of the path to a board that calls us.</p>\n", file);
        return;
    }
    fputs("<p>", file);
    gw_put_markup(file, gw_path_stats_text(path, text, sizeof(text)));
    if (path->pairs > 0)
        fprintf(file, "; of %u pairs sent back to back %u came in the other order", path->pairs,
                path->overtaken);
    if (path->longest_outage_ns > 0) {
        fputs("; for ", file);
        gw_html_time(file, path->longest_outage_ns);
        fputs(" nothing came back at all", file);
    }
    fputs(".</p>\n", file);
    if (path->num_samples > 0)
        put_plot(file, path);
    fputs(
        "<p class=\"dim\">Round trips of requests that a good board answers, over the time of the "
        "run; a cross at the top is one that got no answer although the board was there, and when "
        "there are many only some of the others are drawn. "
        "Delay, loss, order and repetition are the path&#8217;s until shown otherwise: what they "
        "may explain is nobody&#8217;s failure.</p>\n",
        file);
}

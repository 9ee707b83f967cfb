/* SPDX-License-Identifier: BSD-2-Clause */
/* Response times in the HTML report: a table, and a histogram for each kind of request. */
#include <inttypes.h>

#include "evidence/clean.h"
#include "measure/budget.h"
#include "report/report_html.h"

#define CHART_WIDTH 440u
#define CHART_HEIGHT 40u
#define NAME_WIDTH 48u       /* of a time below the chart, at most */
#define BUCKETS_A_DECADE 13u /* and a little more */

/* What answers are held against. */
typedef struct limits {
    int64_t own_ns;    /* the tool's own part; 0: none is known */
    int64_t budget_ns; /* what the board claims, and a verdict's margin; 0: it claims nothing */
} limits;

static limits limits_of(const gw_report *report)
{
    int64_t claimed = (int64_t)report->setup->board->claims.response_us * 1000;
    return (limits){.own_ns = report->virtual_time ? 0 : report->run->floor_ns,
                    .budget_ns = claimed > 0 ? gw_budget(claimed) : 0};
}

static void widen(unsigned *from, unsigned *to, int64_t low_ns, int64_t high_ns)
{
    unsigned low = gw_timing_bucket(low_ns);
    unsigned high = gw_timing_bucket(high_ns);
    *from = low < *from ? low : *from;
    *to = high > *to ? high : *to;
}

/* The buckets that any answer fell into, and its limits, so that all charts share one axis. */
static void find_axis(const gw_timings *timings, const limits *l, unsigned *from, unsigned *to)
{
    *from = GW_TIMING_BUCKETS - 1;
    *to = 0;
    for (unsigned k = 0; k < timings->num; k++)
        widen(from, to, timings->kinds[k].min_ns, timings->kinds[k].max_ns);
    if (l->own_ns > 0)
        widen(from, to, l->own_ns, l->own_ns);
    if (l->budget_ns > 0)
        widen(from, to, l->budget_ns, l->budget_ns);
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
        bool last = x + NAME_WIDTH > CHART_WIDTH;
        fprintf(file,
                "<line x1=\"%u\" x2=\"%u\" y1=\"0\" y2=\"%u\"/><text x=\"%u\" y=\"%u\"%s>%s</text>",
                x, x, CHART_HEIGHT + 14, last ? x - 3 : x + 3, CHART_HEIGHT + 12,
                last ? " text-anchor=\"end\"" : "", names[i]);
    }
}

/* A line at the end of the bucket of |ns|, which tells its name when it is pointed at. */
static void put_limit(FILE *file, int64_t ns, unsigned from, unsigned to, const char *kind,
                      const char *name)
{
    if (ns <= 0)
        return;
    unsigned x = (gw_timing_bucket(ns) - from + 1) * (CHART_WIDTH / (to - from + 1));
    fprintf(file, "<path class=\"%s\" d=\"M%u 0v%u\"><title>%s: ", kind, x, CHART_HEIGHT, name);
    gw_html_time(file, ns);
    fputs("</title></path>", file);
}

static void put_chart(FILE *file, const gw_timing *t, const limits *l, unsigned from, unsigned to)
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
    put_limit(file, l->own_ns, from, to, "own", "goldwire itself");
    put_limit(file, l->budget_ns, from, to, "budget", "claimed, with its margin");
    fputs("</svg>", file);
}

/* A time, and of a simulated core the cycles that it takes. */
static void put_duration(FILE *file, const gw_report *report, int64_t time_ns)
{
    const gw_target *target = report->setup->target;
    gw_html_time(file, time_ns);
    if (gw_report_simulated(report))
        fprintf(file, "<br>%" PRIu64 "&nbsp;cycles", gw_target_cycle(target, time_ns));
}

static void put_timing(FILE *file, const gw_report *report, const gw_timing *t, const limits *l,
                       unsigned from, unsigned to)
{
    fputs("<tr><td>", file);
    gw_put_markup(file, t->kind);
    fprintf(file, "</td><td class=\"num\">%u</td><td class=\"num\">", t->num);
    put_duration(file, report, t->min_ns);
    static const unsigned percents[] = {50, 99};
    for (size_t i = 0; i < GW_ARRAY_LEN(percents); i++) {
        fputs("</td><td class=\"num\">", file);
        put_duration(file, report, gw_timing_percentile(t, percents[i]));
    }
    fputs("</td><td class=\"num\">", file);
    put_duration(file, report, t->max_ns);
    fputs("</td><td class=\"chart\">", file);
    put_chart(file, t, l, from, to);
    fputs("</td></tr>\n", file);
}

/* What the lines in the charts are. */
static void put_limits(FILE *file, const limits *l)
{
    if (l->own_ns > 0) {
        fputs("<p class=\"dim\">Dashed line: goldwire&#8217;s own part in what it measures, ",
              file);
        gw_html_time(file, l->own_ns);
        fputs(".</p>\n", file);
    }
    if (l->budget_ns > 0) {
        fputs("<p class=\"dim\">Solid line: the response time that the board claims, with the "
              "margin that a verdict leaves, ",
              file);
        gw_html_time(file, l->budget_ns);
        fputs(".</p>\n", file);
    }
}

/* Where the run's time went; what took none is left out. */
static void put_spent(FILE *file, const gw_report *report)
{
    const gw_spent *s = &report->run->spent;
    const struct {
        int64_t time_ns;
        const char *what;
    } parts[] = {{s->answers_ns, " until answers came"},
                 {s->silence_ns, " until it was sure that none would"},
                 {s->pauses_ns, " of pauses that cases ask for"}};
    unsigned told = 0;
    fputs("<p class=\"dim\">Of this run&#8217;s ", file);
    gw_html_time(file, report->run->duration_ns);
    fputs(report->virtual_time && !gw_report_simulated(report)
              ? ", and as much virtual time as it took, goldwire waited"
              : ", goldwire waited",
          file);
    for (size_t i = 0; i < GW_ARRAY_LEN(parts); i++) {
        if (parts[i].time_ns == 0)
            continue;
        fputs(told++ == 0 ? " " : ", ", file);
        gw_html_time(file, parts[i].time_ns);
        fputs(parts[i].what, file);
    }
    fputs(told > 0 ? ".</p>\n" : " no time.</p>\n", file);
}

void gw_html_timing(FILE *file, const gw_report *report)
{
    const gw_timings *timings = &report->run->timings;
    unsigned from;
    unsigned to;
    gw_html_heading(file, "timing", "Response times");
    if (timings->num == 0) {
        fputs("<p>Nothing was answered one by one, so nothing was measured.</p>\n", file);
        put_spent(file, report);
        return;
    }
    limits l = limits_of(report);
    find_axis(timings, &l, &from, &to);
    fputs("<div class=\"scroll\"><table><thead><tr><th>Request</th><th class=\"num\">Answers</th>"
          "<th class=\"num\">Least</th><th class=\"num\">50 %</th><th class=\"num\">99 %</th>"
          "<th class=\"num\">Most</th><th>Histogram</th></tr></thead><tbody>\n",
          file);
    for (unsigned i = 0; i < timings->num; i++)
        put_timing(file, report, &timings->kinds[i], &l, from, to);
    fprintf(file,
            "</tbody></table></div>\n<p class=\"dim\">From the evidence's time stamps, of requests "
            "that were answered before the next one was sent%s. Percentiles are rounded up by less "
            "than a fifth.</p>\n",
            gw_report_simulated(report) ? ", in the simulation's own time"
            : report->virtual_time
                ? "; this board lives in virtual time, which tells nothing about "
                  "speed"
                : ", this machine's own delays included");
    put_limits(file, &l);
    put_spent(file, report);
}

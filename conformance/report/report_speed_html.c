/* SPDX-License-Identifier: BSD-2-Clause */
/* The page measure.html: how fast a board was seen to be, beside what its format's document prints
 * and what this program itself takes. */
#include <inttypes.h>
#include <string.h>

#include "evidence/clean.h"
#include "report/report_html.h"
#include "report/report_speed.h"

static const char looks[] =
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));"
    "gap:.5rem 1.5rem;margin:.6rem 0}figure{margin:0;min-width:0}figcaption{color:var(--dim);"
    "font-size:.9rem}svg polyline{fill:none;stroke:var(--pass);stroke-width:1.5}"
    "svg polyline.p99,svg polyline.several{stroke:var(--warn)}svg circle.p99,svg circle.several{"
    "fill:var(--warn)}svg polyline.floor{stroke:var(--odd);stroke-dasharray:4 3}svg circle.floor{"
    "fill:var(--odd)}svg .printed{fill:var(--fail)}svg .across{stroke:var(--fail);fill:none;"
    "stroke-dasharray:7 3}svg{min-width:0}.key{display:inline-block;width:1.1em;height:.25em;"
    "vertical-align:middle;margin:0 .3em 0 0;background:var(--pass)}.key.p99,.key.several{"
    "background:var(--warn)}.key.floor{background:var(--odd)}.key.printed{background:var(--fail)}"
    "td.why{color:var(--dim)}@media "
    "print{td,th{font-size:.64rem;padding:.2rem;overflow-wrap:normal}"
    "th.num{white-space:normal}.plots{grid-template-columns:repeat(3,1fr);break-inside:avoid}"
    ".key{print-color-adjust:exact}}\n";

const char *gw_speed_unit(double *value)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    size_t i = 0;
    for (; *value >= 999.5 && i + 1 < GW_ARRAY_LEN(prefixes); i++)
        *value /= 1000;
    return prefixes[i];
}

static void put_scaled(FILE *file, uint64_t number, const char *unit)
{
    double value = (double)number;
    const char *prefix = gw_speed_unit(&value);
    bool whole = prefix[0] == '\0' || value >= 100;
    fprintf(file, "%.*f&nbsp;%s%s", whole ? 0 : value < 10 ? 2 : 1, value, prefix, unit);
}

static void put_time(FILE *file, uint64_t ns)
{
    gw_html_time(file, (int64_t)ns);
}

static void put_bytes_s(FILE *file, uint64_t value)
{
    put_scaled(file, value, "B/s");
}

static void put_a_second(FILE *file, uint64_t value)
{
    put_scaled(file, value, "/s");
}

/* A power of ten needs no decimals. */
static void put_tick(FILE *file, uint64_t number, const char *unit)
{
    double value = (double)number;
    const char *prefix = gw_speed_unit(&value);
    fprintf(file, "%.0f&nbsp;%s%s", value, prefix, unit);
}

static void put_bytes_tick(FILE *file, uint64_t value)
{
    put_tick(file, value, "B/s");
}

static void put_a_second_tick(FILE *file, uint64_t value)
{
    put_tick(file, value, "/s");
}

static void put_time_tick(FILE *file, uint64_t ns)
{
    static const char *const units[] = {"ns", "&micro;s", "ms", "s"};
    size_t i = 0;
    for (; ns >= 1000 && i + 1 < GW_ARRAY_LEN(units); i++)
        ns /= 1000;
    fprintf(file, "%" PRIu64 "&nbsp;%s", ns, units[i]);
}

/* ---- plots ---- */

static void add(gw_speed_curve *curve, uint32_t size, uint64_t value)
{
    if (value == 0 || size == 0)
        return;
    curve->sizes[curve->num] = size;
    curve->values[curve->num++] = value;
}

static void put_key(FILE *file, const char *kind, const char *text)
{
    fprintf(file, " <span class=\"n\"><span class=\"key %s\"></span>%s</span>", kind, text);
}

/* The last key, when there is something to it, and the plot. */
static void end_figure(FILE *file, const gw_speed_plot *plot)
{
    for (size_t i = 0; i < plot->loads->num_printed; i++)
        if (gw_speed_drawn(plot, &plot->loads->printed[i]) > 0) {
            put_key(file, "printed", "printed");
            break;
        }
    fputs("</figcaption>\n", file);
    gw_speed_svg(file, plot);
    fputs("</figure>\n", file);
}

static void plot_times(FILE *file, const gw_speed *speed, const gw_load *load)
{
    enum { P50, P99, FLOOR, NUM };
    gw_speed_curve curves[NUM] = {{.kind = "p50"}, {.kind = "p99"}, {.kind = "floor"}};
    for (unsigned i = 0; i < speed->num; i++) {
        const gw_speed_point *p = &speed->points[i];
        if (p->load != load)
            continue;
        add(&curves[P50], p->size, (uint64_t)p->response.p50_ns);
        add(&curves[P99], p->size, (uint64_t)p->response.p99_ns);
        add(&curves[FLOOR], p->size, (uint64_t)p->floor.p50_ns);
    }
    const gw_speed_plot plot = {.label = "response time by size",
                                .put_value = put_time,
                                .put_tick = put_time_tick,
                                .curves = curves,
                                .num_curves = NUM,
                                .loads = speed->loads,
                                .load = load,
                                .quantity = GW_QUANTITY_NS};
    fputs("<figure><figcaption>Response time, one at a time:", file);
    put_key(file, "p50", "50&nbsp;%");
    put_key(file, "p99", "99&nbsp;%");
    if (curves[FLOOR].num > 0)
        put_key(file, "floor", "goldwire itself");
    end_figure(file, &plot);
}

/* How much gets through: in bytes, or in requests. */
static void plot_rates(FILE *file, const gw_speed *speed, const gw_load *load, bool bytes)
{
    enum { ONE, SEVERAL, FLOOR, NUM };
    gw_speed_curve curves[NUM] = {{.kind = "one"}, {.kind = "several"}, {.kind = "floor"}};
    char several[48];
    for (unsigned i = 0; i < speed->num; i++) {
        const gw_speed_point *p = &speed->points[i];
        const gw_rate *const rates[NUM] = {&p->one, &p->several, &p->floor_rate};
        for (unsigned k = 0; k < NUM && p->load == load; k++)
            add(&curves[k], p->size,
                bytes ? gw_rate_bytes(rates[k], p->size) : gw_rate_requests(rates[k]));
    }
    const gw_speed_plot plot = {.label = bytes ? "bandwidth by size" : "requests a second by size",
                                .put_value = bytes ? put_bytes_s : put_a_second,
                                .put_tick = bytes ? put_bytes_tick : put_a_second_tick,
                                .curves = curves,
                                .num_curves = NUM,
                                .loads = speed->loads,
                                .load = load,
                                .quantity = bytes ? GW_QUANTITY_BYTES_S : GW_QUANTITY_REQUESTS_S};
    (void)snprintf(several, sizeof(several), "%u at a time", load->depth);
    if (bytes)
        fprintf(file, "<figure><figcaption>Bytes %s a second:", load->item);
    else
        fprintf(file, "<figure><figcaption>%c%s a second:", load->per[0] - 'a' + 'A',
                load->per + 1);
    put_key(file, "one", "one at a time");
    if (load->depth > 1)
        put_key(file, "several", several);
    if (curves[FLOOR].num > 0)
        put_key(file, "floor", "goldwire&#8217;s own echo");
    end_figure(file, &plot);
}

/* ---- the table ---- */

static void put_duration(FILE *file, const gw_report *report, int64_t ns)
{
    fputs("<td class=\"num\">", file);
    gw_html_time(file, ns);
    if (report->speed->simulated)
        fprintf(file, "<br>%" PRIu64 "&nbsp;cycles", gw_target_cycle(report->setup->target, ns));
    fputs("</td>", file);
}

static void put_lost(FILE *file, const gw_rate *rate)
{
    if (rate->lost > 0)
        fprintf(file, "<br>%u&nbsp;lost", rate->lost);
}

/* |depth|: so many at a time, as the head of the table has it. */
static void put_rate(FILE *file, const gw_rate *rate, uint32_t size, unsigned depth)
{
    fputs("<td class=\"num\">", file);
    put_a_second(file, gw_rate_requests(rate));
    if (rate->depth != depth)
        fprintf(file, "<br>%u&nbsp;at a time", rate->depth);
    put_lost(file, rate);
    fputs("</td><td class=\"num\">", file);
    put_bytes_s(file, gw_rate_bytes(rate, size));
    fputs("</td>", file);
}

static void put_several(FILE *file, const gw_speed_point *p)
{
    if (p->several.num > 0) {
        put_rate(file, &p->several, p->size, p->load->depth);
        return;
    }
    fputs("<td class=\"why\" colspan=\"2\">", file);
    gw_put_markup(file, p->several_why);
    fputs("</td>", file);
}

static bool tells_payload(const gw_speed *speed)
{
    return speed->loads->beneath == NULL || speed->loads->beneath->what != NULL;
}

static void put_point(FILE *file, const gw_report *report, const gw_speed_point *p)
{
    bool several = p->load->depth > 1;
    bool floor = report->speed->floor_why[0] == '\0';
    bool payload = tells_payload(report->speed);
    fprintf(file, "<tr><td class=\"num\">%" PRIu32 "</td>", p->size);
    if (p->why[0] != '\0') {
        fprintf(file, "<td class=\"why\" colspan=\"%d\">no number: ",
                7 + (several ? 2 : 0) + (floor ? 1 : 0) + (payload ? 1 : 0));
        gw_put_markup(file, p->why);
        fputs("</td></tr>\n", file);
        return;
    }
    fprintf(file, "<td class=\"num\">%u</td>", p->response.num);
    put_duration(file, report, p->response.p50_ns);
    put_duration(file, report, p->response.p90_ns);
    put_duration(file, report, p->response.p99_ns);
    put_duration(file, report, p->response.max_ns);
    put_rate(file, &p->one, p->size, 1);
    if (several)
        put_several(file, p);
    if (floor)
        put_duration(file, report, p->floor.p50_ns);
    unsigned permille =
        gw_speed_efficiency(p, report->speed->loads->beneath, report->speed->stream);
    if (payload && permille == 0)
        fputs("<td></td>", file);
    else if (payload)
        fprintf(file, "<td class=\"num\">%u.%u&nbsp;%%</td>", permille / 10, permille % 10);
    fputs("</tr>\n", file);
}

static void put_load(FILE *file, const gw_report *report, const gw_load *load)
{
    const gw_speed *speed = report->speed;
    gw_html_heading(file, load->id, load->title);
    fputs("<div class=\"plots\">\n", file);
    plot_times(file, speed, load);
    plot_rates(file, speed, load, false);
    plot_rates(file, speed, load, true);
    fprintf(file,
            "</div>\n<div class=\"scroll\"><table><thead><tr><th class=\"num\">Bytes %s</th>"
            "<th class=\"num\">Samples</th><th class=\"num\">50 %%</th><th class=\"num\">90 %%</th>"
            "<th class=\"num\">99 %%</th><th class=\"num\">Most</th><th class=\"num\" "
            "colspan=\"2\">One at a time</th>",
            load->item);
    if (load->depth > 1)
        fprintf(file, "<th class=\"num\" colspan=\"2\">%u at a time</th>", load->depth);
    if (speed->floor_why[0] == '\0')
        fputs("<th class=\"num\">goldwire itself, 50 %</th>", file);
    if (tells_payload(speed))
        fputs("<th class=\"num\">Payload</th>", file);
    fputs("</tr></thead><tbody>\n", file);
    for (unsigned i = 0; i < speed->num; i++)
        if (speed->points[i].load == load)
            put_point(file, report, &speed->points[i]);
    fputs("</tbody></table></div>\n", file);
}

/* ---- beside it ---- */

static void put_value(FILE *file, const gw_printed *p)
{
    if (p->quantity == GW_QUANTITY_NS)
        put_time(file, p->value);
    else if (p->quantity == GW_QUANTITY_BYTES_S)
        put_bytes_s(file, p->value);
    else if (p->quantity == GW_QUANTITY_REQUESTS_S)
        put_a_second(file, p->value);
    else if (p->quantity == GW_QUANTITY_BITS_S)
        put_scaled(file, p->value, "bit/s");
    else if (p->quantity == GW_QUANTITY_BYTES)
        fprintf(file, "%" PRIu64 "&nbsp;B", p->value);
    else
        fprintf(file, "%" PRIu64 ".%" PRIu64 "&nbsp;%%", p->value / 10, p->value % 10);
}

static void put_document(FILE *file, const gw_loads *loads)
{
    gw_html_heading(file, "printed", "What the document prints");
    fputs("<p>", file);
    gw_put_markup(file, loads->document);
    fputs("</p>\n", file);
    if (loads->num_printed > 0)
        fputs("<div class=\"scroll\"><table><thead><tr><th class=\"num\">Number</th>"
              "<th class=\"num\">Bytes</th><th>Of what</th><th>Where</th></tr></thead><tbody>\n",
              file);
    for (size_t i = 0; i < loads->num_printed; i++) {
        const gw_printed *p = &loads->printed[i];
        fputs("<tr><td class=\"num\">", file);
        put_value(file, p);
        fputs("</td><td class=\"num\">", file);
        if (p->size > 0)
            fprintf(file, "%" PRIu32, p->size);
        fputs("</td><td class=\"what\">", file);
        gw_put_markup(file, p->what);
        if (p->times > 1)
            fprintf(file, "; drawn %u times as high", p->times);
        fputs("</td><td>", file);
        gw_put_markup(file, p->where);
        fputs("</td></tr>\n", file);
    }
    if (loads->num_printed > 0)
        fputs("</tbody></table></div>\n", file);
    if (loads->silent != NULL) {
        fputs("<p class=\"dim\">", file);
        gw_put_markup(file, loads->silent);
        fputs("</p>\n", file);
    }
}

static void put_shares(FILE *file, const gw_speed *speed)
{
    if (tells_payload(speed))
        fprintf(file, "Payload is its share of the %s that carry it. ",
                speed->loads->beneath != NULL ? speed->loads->beneath->what
                                              : "Ethernet frames, their check sequence included,");
    fputs("A size without a number says why. ", file);
    if (speed->patience_ns == 0)
        return;
    fputs("What got no answer within ", file);
    gw_html_time(file, speed->patience_ns);
    fputs(" is lost: it is counted, and it and the time that was waited for it are in no number.",
          file);
}

static void put_method(FILE *file, const gw_report *report)
{
    const gw_speed *speed = report->speed;
    gw_html_heading(file, "method", "How it was measured");
    fputs("<p class=\"dim\">After all cases, and for information only: no verdict and no exit code "
          "depends on it. A response time is from the first packet of a request, or from its last "
          "one where the heading says so, to the last one of its answer, by the stamps of <a "
          "href=\"" GW_SPEED_FILE "\">" GW_SPEED_FILE "</a>, which "
          "holds the first exchange of each size. Percentiles are times that were measured. "
          "Requests and bytes a second count whole exchanges and all that goldwire itself did in "
          "between. ",
          file);
    if (speed->simulated)
        fputs(
            "All times are the simulation&#8217;s, and so many requests of each size that two runs "
            "are alike. ",
            file);
    else
        fputs("What lies between goldwire and the board is in all of it. ", file);
    if (speed->floor_why[0] == '\0')
        fputs(
            "What goldwire itself takes is an echo of the same bytes over the same kind of socket "
            "on this machine&#8217;s loopback, in the same run, by one thread: what sockets and "
            "kernel "
            "take. ",
            file);
    else {
        fputs("There is no floor to compare with: ", file);
        gw_put_markup(file, speed->floor_why);
        fputs(". ", file);
    }
    put_shares(file, speed);
    fputs("</p>\n<p class=\"dim\">It took ", file);
    gw_html_time(file, speed->took_ns);
    fputs(". The numbers for programs are in <a href=\"measure.json\">measure.json</a>.</p>\n",
          file);
}

void gw_report_speed_html(FILE *file, const gw_report *report)
{
    const gw_speed *speed = report->speed;
    const gw_suite *suite = report->setup->suite;
    gw_html_open(file, "Measured", suite->role, looks, NULL);
    fprintf(file, "<div class=\"banner\"><h1>How fast it is</h1>\n<p>%s at ", suite->role);
    gw_put_markup(file, report->where);
    fputs("</p>\n<p class=\"dim\">Information, no verdict.</p></div>\n<nav>"
          "<a href=\"report.html\">The report</a>",
          file);
    bool any = speed->why[0] == '\0' && speed->loads != NULL;
    for (size_t i = 0; any && i < speed->loads->num_loads; i++)
        fprintf(file, "<a href=\"#%s\">%s</a>", speed->loads->loads[i].id,
                speed->loads->loads[i].id);
    fputs("<a href=\"#printed\">The document</a></nav>\n", file);
    if (!any) {
        fputs("<p>Nothing was measured: ", file);
        gw_put_markup(file, speed->why);
        fputs(".</p>\n", file);
    }
    for (size_t i = 0; any && i < speed->loads->num_loads; i++)
        put_load(file, report, &speed->loads->loads[i]);
    if (speed->loads != NULL)
        put_document(file, speed->loads);
    if (any)
        put_method(file, report);
    gw_html_close(file, NULL);
}

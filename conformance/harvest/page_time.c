/* SPDX-License-Identifier: BSD-2-Clause */
/* The rate and the board's state over the time of a campaign, drawn. */
#include <inttypes.h>
#include <stdio.h>

#include "evidence/clean.h"
#include "harvest/page.h"
#include "harvest/words.h"
#include "report/html.h"

#define WIDTH 900.0
#define LEFT 70.0
#define RATE_HEIGHT 110.0
#define BAR_Y 128.0
#define BAR_HEIGHT 16.0
#define HEIGHT 176
#define EVENTS_SHOWN 100u
#define LEAST_WIDTH 1.5 /* of what takes no time to be seen */

typedef struct axis {
    double seconds;
    double rate; /* the highest */
} axis;

static double x_of(const axis *a, double at_s)
{
    double part = a->seconds > 0 ? at_s / a->seconds : 0;
    return LEFT + (part < 0 ? 0 : part > 1 ? 1 : part) * (WIDTH - LEFT - 4);
}

/* How fast packets went out between sample |i| and the one before. */
static double rate_at(const json_t *samples, size_t i, double *from_s, double *to_s)
{
    const json_t *sample = json_array_get(samples, i);
    const json_t *before = i > 0 ? json_array_get(samples, i - 1) : NULL;
    *from_s = gw_number(before, "at_s");
    *to_s = gw_number(sample, "at_s");
    double packets = gw_number(sample, "packets") - gw_number(before, "packets");
    return *to_s > *from_s && packets > 0 ? packets / (*to_s - *from_s) : 0;
}

static axis axis_of(const json_t *campaign)
{
    axis a = {.seconds = gw_number(campaign, "elapsed_s")};
    const json_t *samples = json_object_get(campaign, "samples");
    for (size_t i = 0; i < json_array_size(samples); i++) {
        double from;
        double to;
        double rate = rate_at(samples, i, &from, &to);
        a.rate = rate > a.rate ? rate : a.rate;
    }
    return a;
}

static void put_rate(FILE *file, const axis *a, const json_t *samples)
{
    const char *sep = "M";
    fprintf(file,
            "<line x1=\"%g\" x2=\"%g\" y1=\"%g\" y2=\"%g\"/><line x1=\"%g\" x2=\"%g\" y1=\"10\" "
            "y2=\"10\"/><text x=\"0\" y=\"14\">%.0f/s</text><text x=\"0\" y=\"%g\">0</text>",
            LEFT, WIDTH, RATE_HEIGHT, RATE_HEIGHT, LEFT, WIDTH, a->rate, RATE_HEIGHT + 4);
    if (a->rate <= 0)
        return;
    fputs("<path class=\"rate\" d=\"", file);
    for (size_t i = 0; i < json_array_size(samples); i++) {
        double from;
        double to;
        double rate = rate_at(samples, i, &from, &to);
        double y = RATE_HEIGHT - rate / a->rate * (RATE_HEIGHT - 10);
        fprintf(file, "%s%.1f %.1fL%.1f %.1f", sep, x_of(a, from), y, x_of(a, to), y);
        sep = "L";
    }
    fputs("\"/>", file);
}

static void put_span(FILE *file, const axis *a, const char *looks_like, double from_s, double to_s)
{
    double x = x_of(a, from_s);
    double width = x_of(a, to_s) - x;
    fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%g\" width=\"%.1f\" height=\"%g\"/>",
            looks_like, x, BAR_Y, width < LEAST_WIDTH ? LEAST_WIDTH : width, BAR_HEIGHT);
}

/* Until when it is known how the board was: not all may have been kept. */
static double known_until(const axis *a, const json_t *campaign)
{
    const json_t *events = json_object_get(campaign, "events");
    if (gw_whole(campaign, "events_left_out") == 0)
        return a->seconds;
    return gw_number(json_array_get(events, json_array_size(events) - 1), "at_s");
}

/* Green while the board is well, red from an anomaly until it is well again. */
static void put_states(FILE *file, const axis *a, const json_t *campaign)
{
    size_t i;
    const json_t *e;
    const char *ill = NULL;
    double since = 0;
    double until = known_until(a, campaign);
    fprintf(file, "<text x=\"0\" y=\"%g\">board</text>", BAR_Y + 12);
    put_span(file, a, "well", 0, until);
    json_array_foreach(json_object_get(campaign, "events"), i, e)
    {
        bool outage = gw_word_is(e, "kind", "outage");
        if (ill == NULL && (outage || gw_word_is(e, "kind", "ill"))) {
            ill = outage ? "outage" : "ill";
            since = gw_number(e, "at_s");
        } else if (ill != NULL && gw_word_is(e, "kind", "well")) {
            put_span(file, a, ill, since, gw_number(e, "at_s"));
            ill = NULL;
        }
    }
    if (ill != NULL)
        put_span(file, a, ill, since, until);
}

static void put_marks(FILE *file, const axis *a, const json_t *events)
{
    size_t i;
    const json_t *e;
    json_array_foreach(events, i, e)
    {
        double x = x_of(a, gw_number(e, "at_s"));
        if (gw_word_is(e, "kind", "found"))
            fprintf(file, "<path class=\"found\" d=\"M%.1f %gl6 8h-12z\"/>", x,
                    BAR_Y + BAR_HEIGHT + 3);
        else if (gw_word_is(e, "kind", "not again"))
            fprintf(file, "<path class=\"odd\" d=\"M%.1f %gv8\"/>", x, BAR_Y + BAR_HEIGHT + 3);
    }
}

static void put_drawing(FILE *file, const json_t *campaign)
{
    axis a = axis_of(campaign);
    const json_t *events = json_object_get(campaign, "events");
    fprintf(file,
            "<div class=\"scroll\"><svg class=\"wide\" viewBox=\"0 0 %g %d\" role=\"img\" "
            "aria-label=\"packets a second, and how the "
            "board was, over the time of the campaign\">",
            WIDTH, HEIGHT);
    put_rate(file, &a, json_object_get(campaign, "samples"));
    put_states(file, &a, campaign);
    put_marks(file, &a, events);
    fprintf(file, "<text x=\"%g\" y=\"%d\">the campaign&#8217;s time: ", LEFT, HEIGHT - 4);
    gw_html_time(file, (int64_t)(a.seconds * (double)GW_SECOND));
    fputs("</text></svg></div>\n<p class=\"dim\">Above, packets a second: none go out while "
          "something is "
          "brought about again. The bar is green while the board is well and red from an anomaly "
          "until it is well again; grey, the path was broken on our side; it ends early where more "
          "happened than is kept. A triangle is a finding, "
          "a stroke something that did not show again.</p>\n",
          file);
}

static void put_events(FILE *file, const json_t *campaign)
{
    size_t i;
    const json_t *e;
    const json_t *events = json_object_get(campaign, "events");
    if (json_array_size(events) == 0)
        return;
    fprintf(file,
            "<details%s><summary>All of it, in words</summary><div class=\"scroll\">"
            "<table class=\"dense\"><thead><tr><th class=\"num\">After</th>"
            "<th class=\"num\">Packets</th><th>What</th><th></th></tr></thead><tbody>\n",
            json_array_size(events) <= 24 ? " open" : "");
    json_array_foreach(events, i, e)
    {
        if (i >= EVENTS_SHOWN)
            break;
        fprintf(file, "<tr><td class=\"num\">%.3f s</td><td class=\"num\">%" PRIu64 "</td><td>",
                gw_number(e, "at_s"), gw_whole(e, "packets"));
        gw_put_markup(file, gw_word(e, "kind"));
        fputs("</td><td>", file);
        gw_put_markup(file, gw_word(e, "text"));
        fputs("</td></tr>\n", file);
    }
    fputs("</tbody></table></div></details>\n", file);
    if (i < json_array_size(events) || gw_whole(campaign, "events_left_out") > 0)
        fprintf(file, "<p class=\"dim\">%" PRIu64 " more happened.</p>\n",
                (uint64_t)(json_array_size(events) - i) + gw_whole(campaign, "events_left_out"));
}

void gw_page_time(FILE *file, const json_t *findings)
{
    const json_t *campaign = json_object_get(findings, "campaign");
    gw_html_heading(file, "time", "What happened when");
    if (!json_is_object(campaign)) {
        fputs(
            "<p>Nothing is known of when the campaign did what: it did not come to its end.</p>\n",
            file);
        return;
    }
    put_drawing(file, campaign);
    put_events(file, campaign);
}

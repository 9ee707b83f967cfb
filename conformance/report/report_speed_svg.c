/* SPDX-License-Identifier: BSD-2-Clause */
/* Values over message sizes, both axes logarithmic, with what a document prints drawn in. */
#include <inttypes.h>
#include <string.h>

#include "report/html.h"
#include "report/report_speed.h"

#define WIDTH 520
#define HEIGHT 260
#define LEFT 72
#define RIGHT 14
#define TOP 8
#define BOTTOM 34
#define LABELS_MAX 8u /* of sizes */

#define LOG_BITS 16 /* behind the point */

/* By squaring, so that no library is needed; |x| is 1 at least. */
static double log_2(double x)
{
    unsigned whole = 0;
    unsigned part = 0;
    while (x >= 2) {
        x /= 2;
        whole++;
    }
    for (unsigned bit = LOG_BITS; bit-- > 0;) {
        x *= x;
        if (x < 2)
            continue;
        x /= 2;
        part |= 1u << bit;
    }
    return whole + (double)part / (1u << LOG_BITS);
}

typedef struct axes {
    double x0, x1; /* logarithms */
    double y0, y1;
} axes;

static double x_of(const axes *a, uint32_t size)
{
    return LEFT + (log_2(size) - a->x0) / (a->x1 - a->x0) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const axes *a, uint64_t value)
{
    double share = (log_2((double)value) - a->y0) / (a->y1 - a->y0);
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

/* What is printed in bits, or as requests of a size, are bytes as well. */
uint64_t gw_speed_drawn(const gw_speed_plot *plot, const gw_printed *p)
{
    if (p->aside || (p->load != NULL && strcmp(p->load, plot->load->id) != 0))
        return 0;
    uint64_t value = p->value * (p->times > 0 ? p->times : 1);
    if (p->quantity == plot->quantity)
        return value;
    if (plot->quantity != GW_QUANTITY_BYTES_S)
        return 0;
    if (p->quantity == GW_QUANTITY_BITS_S)
        return value / 8;
    return p->quantity == GW_QUANTITY_REQUESTS_S ? value * p->size : 0;
}

typedef struct range {
    uint32_t least_size, most_size;
    uint64_t least, most;
} range;

static void take_in(range *r, uint32_t size, uint64_t value)
{
    if (size > 0) {
        r->least_size = size < r->least_size ? size : r->least_size;
        r->most_size = size > r->most_size ? size : r->most_size;
    }
    r->least = value < r->least ? value : r->least;
    r->most = value > r->most ? value : r->most;
}

/* Whole decades upwards. False when there is no point. */
static bool find_axes(const gw_speed_plot *plot, axes *out, uint64_t *first_decade)
{
    range r = {UINT32_MAX, 0, UINT64_MAX, 0};
    uint64_t low = 1;
    uint64_t high = 1;
    for (size_t c = 0; c < plot->num_curves; c++)
        for (unsigned i = 0; i < plot->curves[c].num; i++)
            take_in(&r, plot->curves[c].sizes[i], plot->curves[c].values[i]);
    if (r.most_size == 0 || r.most == 0)
        return false;
    for (size_t i = 0; i < plot->loads->num_printed; i++) {
        uint64_t value = gw_speed_drawn(plot, &plot->loads->printed[i]);
        if (value > 0)
            take_in(&r, plot->loads->printed[i].size, value);
    }
    while (low <= r.least / 10)
        low *= 10;
    while (high < r.most && high < UINT64_MAX / 10)
        high *= 10;
    high = high > low ? high : low * 10;
    *first_decade = low;
    *out = (axes){log_2(r.least_size), log_2(r.most_size), log_2((double)low), log_2((double)high)};
    if (out->x1 - out->x0 < 1) { /* one size stands in the middle */
        out->x0 -= 1;
        out->x1 += 1;
    }
    return true;
}

static void put_values(FILE *file, const gw_speed_plot *plot, const axes *a, uint64_t decade)
{
    for (; log_2((double)decade) <= a->y1 + 0.01; decade *= 10) {
        double y = y_of(a, decade);
        fprintf(file, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y,
                y);
        fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6, y + 4);
        plot->put_tick(file, decade);
        fputs("</text>", file);
        if (decade > UINT64_MAX / 10)
            return;
    }
}

static void put_sizes(FILE *file, const axes *a)
{
    unsigned span = (unsigned)(a->x1 - a->x0) + 1;
    unsigned step = (span + LABELS_MAX - 1) / LABELS_MAX;
    for (unsigned bit = a->x0 > 0 ? (unsigned)(a->x0 + 0.99) : 0; bit < 32 && bit <= a->x1 + 0.01;
         bit += step) {
        uint32_t size = UINT32_C(1) << bit;
        double x = x_of(a, size);
        fprintf(file, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x, HEIGHT - BOTTOM,
                HEIGHT - BOTTOM + 4);
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x, HEIGHT - BOTTOM + 17);
        if (bit >= 20)
            fprintf(file, "%" PRIu32 "&#8239;Mi", size >> 20);
        else if (bit >= 10)
            fprintf(file, "%" PRIu32 "&#8239;Ki", size >> 10);
        else
            fprintf(file, "%" PRIu32, size);
        fputs("</text>", file);
    }
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">bytes</text>", WIDTH - RIGHT,
            HEIGHT - 2);
}

static void put_title(FILE *file, const gw_speed_plot *plot, const char *name, uint32_t size,
                      uint64_t value)
{
    fprintf(file, "<title>%s", name);
    if (size > 0)
        fprintf(file, ", %" PRIu32 " bytes", size);
    fputs(": ", file);
    plot->put_value(file, value);
    fputs("</title>", file);
}

static void put_curve(FILE *file, const gw_speed_plot *plot, const axes *a, const gw_speed_curve *c)
{
    if (c->num == 0)
        return;
    fprintf(file, "<polyline class=\"%s\" points=\"", c->kind);
    for (unsigned i = 0; i < c->num; i++)
        fprintf(file, "%s%.1f,%.1f", i > 0 ? " " : "", x_of(a, c->sizes[i]), y_of(a, c->values[i]));
    fputs("\"/>", file);
    for (unsigned i = 0; i < c->num; i++) {
        fprintf(file, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\">", c->kind,
                x_of(a, c->sizes[i]), y_of(a, c->values[i]));
        put_title(file, plot, c->kind, c->sizes[i], c->values[i]);
        fputs("</circle>", file);
    }
}

/* A number for a size is a diamond, one for none a line across. */
static void put_printed(FILE *file, const gw_speed_plot *plot, const axes *a)
{
    for (size_t i = 0; i < plot->loads->num_printed; i++) {
        const gw_printed *p = &plot->loads->printed[i];
        uint64_t value = gw_speed_drawn(plot, p);
        if (value == 0)
            continue;
        double y = y_of(a, value);
        if (p->size > 0)
            fprintf(file, "<path class=\"printed\" d=\"M%.1f %.1fl5 5l-5 5l-5 -5z\">",
                    x_of(a, p->size), y - 5);
        else
            fprintf(file, "<path class=\"printed across\" d=\"M%d %.1fH%d\">", LEFT, y,
                    WIDTH - RIGHT);
        put_title(file, plot, p->where, p->size, value);
        fputs("</path>", file);
    }
}

void gw_speed_svg(FILE *file, const gw_speed_plot *plot)
{
    axes a;
    uint64_t decade;
    if (!find_axes(plot, &a, &decade))
        return;
    fprintf(file, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT,
            plot->label);
    put_values(file, plot, &a, decade);
    put_sizes(file, &a);
    put_printed(file, plot, &a);
    for (size_t i = 0; i < plot->num_curves; i++)
        put_curve(file, plot, &a, &plot->curves[i]);
    fputs("</svg>\n", file);
}

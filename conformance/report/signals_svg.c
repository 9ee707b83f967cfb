/* SPDX-License-Identifier: BSD-2-Clause */
/* The timing diagram: a column a clock edge, which is at its right side. What is drawn in a column
 * is what the edge found. */
#include <inttypes.h>
#include <string.h>

#include "report/signals.h"

#define LABEL 104u /* width of the names */
#define TOP 30u    /* height above the clock, for what is marked */
#define ROW 24u    /* of a signal ... */
#define WAVE 16u   /* ... of which this is the wave */
#define GROUP 20u  /* of a lane's heading */
#define BREAK 34u  /* width of what is left out */
#define DIGIT 7u   /* width of a hexadecimal digit */
#define COLUMN_MIN 26u
#define COLUMN_MAX 108u
#define SLOPE 3u
#define AXIS 36u        /* height of the two lines of the time axis */
#define LABEL_LEAST 62u /* between two labels of the axis */

static const char style[] =
    "<style>.gwd{--i:#1b1f24;--d:#5b6672;--g:#d8dde3;--w:#1f6feb;--c:#8a94a0;--t:#dbe9ff;--b:#"
    "f1f3f6;"
    "--f:#cf222e;--k:#ffe3e0;--p:#fff;font:11px "
    "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}"
    "@media screen and (prefers-color-scheme:dark){.gwd{--i:#dfe5ec;--d:#94a0ad;--g:#2b323b;"
    "--w:#79b8ff;--c:#6b7682;--t:#16365f;--b:#20262e;--f:#ff7b72;--k:#43201f;--p:#12161b}}"
    ".gwd text{fill:var(--i);font:inherit}.gwd .d{fill:var(--d)}.gwd .h{font-weight:700}"
    ".gwd .m{text-anchor:middle}.gwd .e{text-anchor:end}.gwd .f{fill:var(--f);font-weight:700}"
    ".gwd path{fill:none;stroke:var(--w);stroke-width:1.5;stroke-linejoin:round}"
    ".gwd .c{stroke:var(--c);stroke-width:1.2}.gwd .n{stroke:var(--c);stroke-width:1;"
    "stroke-dasharray:2 3}.gwd .t{fill:var(--t)}.gwd .v{fill:var(--b)}"
    ".gwd .x{fill:var(--k);stroke:var(--f)}.gwd .z{stroke:var(--d);stroke-width:1}"
    ".gwd line{stroke:var(--g);stroke-width:1}.gwd .at{stroke:var(--f);stroke-width:1.5}"
    ".gwd rect{fill:var(--p)}.gwd .fb{fill:var(--k)}.gwd "
    ".fr{fill:var(--p);stroke:var(--g)}</style>";

/* Where everything is. */
typedef struct drawing {
    FILE *file;
    const gw_sim_view *view;
    const gw_target *target;
    unsigned column; /* width */
    unsigned width;
    unsigned bottom; /* of the last signal */
} drawing;

static const gw_sim_signals *at(const drawing *d, unsigned lane, size_t i)
{
    return &d->view->columns[i].lanes[lane];
}

/* The left side of column |i|. */
static unsigned left_of(const drawing *d, size_t i)
{
    unsigned x = LABEL;
    for (size_t k = 0; k < i; k++)
        x += d->column + (k > 0 && d->view->columns[k].skipped > 0 ? BREAK : 0);
    return x + (i > 0 && d->view->columns[i].skipped > 0 ? BREAK : 0);
}

static bool is_broken(const drawing *d, size_t i)
{
    return i == 0 || d->view->columns[i].skipped > 0;
}

static uint64_t cycle(const drawing *d, size_t i)
{
    return gw_target_cycle(d->target, d->view->columns[i].time_ps / 1000);
}

/* ---- rows ---- */

static void put_name(const drawing *d, unsigned y, const char *name)
{
    fprintf(d->file, "<text class=\"e\" x=\"%u\" y=\"%u\">%s</text>", LABEL - 10, y + 12, name);
}

static void put_clock(const drawing *d, unsigned y)
{
    put_name(d, y, "clk");
    fputs("<path class=\"c\" d=\"", d->file);
    for (size_t i = 0; i < d->view->num; i++) {
        unsigned x = left_of(d, i);
        fprintf(d->file, "%c%u %uV%uH%uV%uH%u", is_broken(d, i) ? 'M' : 'L', x, y + WAVE, y,
                x + d->column / 2, y + WAVE, x + d->column);
    }
    /* The edge that ends the last column. */
    fprintf(d->file, "V%u\"/>", y);
}

static bool is_wire(const gw_signal *s)
{
    return s->kind == GW_SIGNAL_WIRE || s->kind == GW_SIGNAL_BESIDE;
}

/* Whether what |s| is means anything. */
static bool is_told(const gw_signal *s, const gw_sim_signals *one)
{
    return s->kind == GW_SIGNAL_WIRE ? one->known : gw_signal_counts(s, one);
}

/* A stretch of columns in which a signal is one and the same, without what is left out. */
static size_t stretch(const drawing *d, const gw_signal *s, unsigned lane, size_t from)
{
    size_t i = from + 1;
    char first[GW_SIGNAL_HEX];
    char next[GW_SIGNAL_HEX];
    const gw_sim_signals *one = at(d, lane, from);
    for (; i < d->view->num && d->view->columns[i].skipped == 0; i++) {
        const gw_sim_signals *other = at(d, lane, i);
        bool same = one->known == other->known;
        if (is_wire(s))
            same = same && is_told(s, one) == is_told(s, other) &&
                   gw_signal_wire(one, s->nth) == gw_signal_wire(other, s->nth);
        else
            same = same && gw_signal_counts(s, one) == gw_signal_counts(s, other) &&
                   gw_signal_taken(s, one) == gw_signal_taken(s, other) &&
                   !gw_signal_taken(s, one) &&
                   strcmp(gw_signal_hex(s, one, first), gw_signal_hex(s, other, next)) == 0;
        if (!same)
            break;
    }
    return i;
}

static void put_unknown(const drawing *d, unsigned x, unsigned to, unsigned y)
{
    fprintf(d->file,
            "<path class=\"x\" d=\"M%u %uH%uV%uH%uZ\"/><text class=\"m f\" x=\"%u\" "
            "y=\"%u\">X</text>",
            x, y, to, y + WAVE, x, (x + to) / 2, y + 12);
}

static void put_wire(const drawing *d, const gw_signal *s, unsigned lane, unsigned y)
{
    bool drawn = false; /* a path is begun, at this level: */
    unsigned level = 0;
    for (size_t i = 0; i < d->view->num;) {
        size_t end = stretch(d, s, lane, i);
        unsigned x = left_of(d, i);
        unsigned to = left_of(d, end - 1) + d->column;
        const gw_sim_signals *one = at(d, lane, i);
        char value = gw_signal_wire(one, s->nth);
        unsigned height = value == '1' ? y : y + WAVE;
        bool goes_on = drawn && !is_broken(d, i);
        bool told = is_told(s, one);
        if (drawn && (!goes_on || !told || value == 'x')) {
            fputs("\"/>", d->file);
            goes_on = false;
        }
        if (!told)
            fprintf(d->file, "<path class=\"n\" d=\"M%u %uH%u\"/>", x, y + WAVE / 2, to);
        else if (value == 'x')
            put_unknown(d, x, to, y);
        else if (goes_on && level != height)
            fprintf(d->file, "L%u %uH%u", x + SLOPE, height, to);
        else if (goes_on)
            fprintf(d->file, "H%u", to);
        else
            fprintf(d->file, "<path d=\"M%u %uH%u", x, height, to);
        drawn = told && value != 'x';
        level = height;
        i = end;
    }
    fputs(drawn ? "\"/>" : "", d->file);
}

/* Digits that fit into |width|, the lowest ones. */
static void put_digits(const drawing *d, const char *hex, unsigned x, unsigned width, unsigned y)
{
    size_t len = strlen(hex);
    size_t fit = (width - 2 * SLOPE) / DIGIT;
    fprintf(d->file, "<text class=\"m\" x=\"%u\" y=\"%u\">", x + width / 2, y + 12);
    if (len <= fit)
        fprintf(d->file, "%s", hex);
    else
        fprintf(d->file, "&#8230;%s<title>%s</title>", hex + (len - (fit > 2 ? fit - 1 : 1)), hex);
    fputs("</text>", d->file);
}

static void put_bus(const drawing *d, const gw_signal *s, unsigned lane, unsigned y)
{
    char hex[GW_SIGNAL_HEX];
    for (size_t i = 0; i < d->view->num;) {
        size_t end = stretch(d, s, lane, i);
        unsigned x = left_of(d, i);
        unsigned to = left_of(d, end - 1) + d->column;
        const gw_sim_signals *one = at(d, lane, i);
        i = end;
        if (!gw_signal_counts(s, one)) {
            fprintf(d->file, "<path class=\"n\" d=\"M%u %uH%u\"/>", x, y + WAVE / 2, to);
            continue;
        }
        gw_signal_hex(s, one, hex);
        bool unknown = s->kind == GW_SIGNAL_DATA && strchr(hex, 'x') != NULL;
        fprintf(d->file, "<path class=\"%s\" d=\"M%u %uL%u %uH%uL%u %uL%u %uH%uZ\"/>",
                unknown                   ? "x"
                : gw_signal_taken(s, one) ? "t"
                                          : "v",
                x, y + WAVE / 2, x + SLOPE, y, to - SLOPE, to, y + WAVE / 2, to - SLOPE, y + WAVE,
                x + SLOPE);
        put_digits(d, hex, x, to - x, y);
    }
}

/* ---- around them ---- */

static void put_break(const drawing *d, size_t i)
{
    unsigned x = left_of(d, i) - BREAK / 2;
    fprintf(d->file, "<text class=\"m d\" x=\"%u\" y=\"12\">%" PRIu64 "</text>", x,
            d->view->columns[i].skipped);
    fprintf(d->file, "<text class=\"m d\" x=\"%u\" y=\"24\">cycles</text>", x);
    for (unsigned k = 0; k < 2; k++) {
        unsigned at_x = x - 4 + 8 * k;
        fprintf(d->file, "<path class=\"z\" d=\"M%u %u", at_x, TOP);
        for (unsigned y = TOP; y + 12 <= d->bottom; y += 12)
            fprintf(d->file, "q3 3 0 6q-3 3 0 6");
        fputs("\"/>", d->file);
    }
}

static void put_grid(const drawing *d)
{
    unsigned last = 0;
    for (size_t i = 0; i < d->view->num; i++) {
        unsigned x = left_of(d, i) + d->column;
        unsigned focus = left_of(d, d->view->focus) + d->column;
        bool is_focus = i == d->view->focus;
        bool fits = x >= last + LABEL_LEAST && (x + LABEL_LEAST <= focus || x >= focus);
        fprintf(d->file, "<line x1=\"%u\" x2=\"%u\" y1=\"%u\" y2=\"%u\"/>", x, x, TOP,
                d->bottom + (is_focus || fits ? 6 : 0));
        if (!is_focus && !fits)
            continue;
        last = x;
        int64_t ps = d->view->columns[i].time_ps;
        fprintf(d->file, "<text class=\"m%s\" x=\"%u\" y=\"%u\">%" PRIu64 "</text>",
                is_focus ? " f" : "", x, d->bottom + 18, cycle(d, i));
        fprintf(d->file, "<text class=\"m%s\" x=\"%u\" y=\"%u\">%" PRId64, is_focus ? " f" : " d",
                x, d->bottom + 31, ps / 1000);
        if (ps % 1000 != 0)
            fprintf(d->file, ".%03d", (int)(ps % 1000));
        fputs("</text>", d->file);
    }
    fprintf(d->file, "<text class=\"e d\" x=\"%u\" y=\"%u\">cycle</text>", LABEL - 10,
            d->bottom + 18);
    fprintf(d->file, "<text class=\"e d\" x=\"%u\" y=\"%u\">ns</text>", LABEL - 10, d->bottom + 31);
}

static void put_focus(const drawing *d)
{
    unsigned x = left_of(d, d->view->focus);
    fprintf(d->file, "<rect class=\"fb\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>", x,
            TOP - 4, d->column, d->bottom - TOP + 4);
}

static void put_focus_line(const drawing *d)
{
    unsigned x = left_of(d, d->view->focus) + d->column;
    fprintf(d->file,
            "<line class=\"at\" x1=\"%u\" x2=\"%u\" y1=\"%u\" y2=\"%u\"/>"
            "<text class=\"m f\" x=\"%u\" y=\"%u\">&#9660;</text>",
            x, x, TOP - 4, d->bottom + 6, x, TOP - 6);
}

/* A row of byte enables says nothing where a beat has one byte. */
static bool is_shown(const drawing *d, const gw_signal *s)
{
    for (size_t i = 0; i < d->view->num; i++)
        for (unsigned lane = 0; lane < GW_SIM_VIEW_LANES; lane++)
            if (d->view->interface != GW_SIM_INTERFACE_AXIS || at(d, lane, i)->len > 1)
                return true;
    return s->kind != GW_SIGNAL_KEEP;
}

static unsigned lane_height(const drawing *d, unsigned lane)
{
    unsigned height = GROUP;
    if (gw_signals_lane(d->view->interface, lane) == NULL)
        return 0;
    for (const gw_signal *s = gw_signals_of(d->view->interface, lane); s->name != NULL; s++)
        height += is_shown(d, s) ? ROW : 0;
    return height;
}

static void put_lane(const drawing *d, unsigned lane, unsigned y)
{
    const char *name = gw_signals_lane(d->view->interface, lane);
    if (name == NULL)
        return;
    fprintf(d->file, "<text class=\"d h\" x=\"4\" y=\"%u\">%s</text>", y + 13, name);
    y += GROUP;
    for (const gw_signal *s = gw_signals_of(d->view->interface, lane); s->name != NULL; s++) {
        if (!is_shown(d, s))
            continue;
        put_name(d, y, s->name);
        if (is_wire(s))
            put_wire(d, s, lane, y);
        else
            put_bus(d, s, lane, y);
        y += ROW;
    }
}

/* Digits of the longest data that a column may have to show. */
static size_t most_digits(const drawing *d)
{
    size_t most = 0;
    char hex[GW_SIGNAL_HEX];
    for (unsigned lane = 0; lane < GW_SIM_VIEW_LANES; lane++) {
        const gw_signal *s = gw_signals_of(d->view->interface, lane);
        for (; s != NULL && s->name != NULL; s++) {
            for (size_t i = 0; s->kind == GW_SIGNAL_DATA && i < d->view->num; i++) {
                size_t digits = strlen(gw_signal_hex(s, at(d, lane, i), hex));
                most = digits > most ? digits : most;
            }
        }
    }
    return most;
}

static unsigned column_width(const drawing *d)
{
    unsigned width = (unsigned)most_digits(d) * DIGIT + 4 * SLOPE + 2;
    return width < COLUMN_MIN ? COLUMN_MIN : width > COLUMN_MAX ? COLUMN_MAX : width;
}

void gw_signals_svg(FILE *file, const gw_sim_view *view, const gw_target *target)
{
    drawing d = {.file = file, .view = view, .target = target};
    if (view->num == 0)
        return;
    d.column = column_width(&d);
    d.bottom = TOP + ROW + lane_height(&d, 0) + lane_height(&d, 1);
    d.width = left_of(&d, view->num - 1) + d.column + 40;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gwd\" viewBox=\"0 0 %u %u\" "
            "width=\"%u\" height=\"%u\" style=\"width:%upx;height:auto;max-width:none\" "
            "role=\"img\" aria-label=\"timing diagram of port %u, %s, around cycle %" PRIu64 "\">",
            d.width, d.bottom + AXIS, d.width, d.bottom + AXIS, d.width, view->port,
            gw_signals_title(view->interface), cycle(&d, view->focus));
    fputs(style, file);
    fprintf(file, "<rect width=\"%u\" height=\"%u\" rx=\"6\"/>", d.width, d.bottom + AXIS);
    put_focus(&d);
    put_grid(&d);
    put_clock(&d, TOP);
    put_lane(&d, 0, TOP + ROW);
    put_lane(&d, 1, TOP + ROW + lane_height(&d, 0));
    for (size_t i = 1; i < view->num; i++)
        if (view->columns[i].skipped > 0)
            put_break(&d, i);
    put_focus_line(&d);
    fputs("</svg>", file);
}

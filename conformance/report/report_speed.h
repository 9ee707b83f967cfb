/* SPDX-License-Identifier: BSD-2-Clause */
/* How fast a board was seen to be, for people and for programs. For report*.c and the command. */
#ifndef GOLDWIRE_REPORT_REPORT_SPEED_H
#define GOLDWIRE_REPORT_REPORT_SPEED_H

#include <stdio.h>

#include <jansson.h>

#include "report/report.h"
#include "speed/speed.h"

#define GW_REPORT_SPEED_SCHEMA "goldwire/measure/1"

/* gw_report_speed_json returns what measure.json holds, described in docs/measure.schema.json; the
 * caller frees it with json_decref. NULL when memory fails. */
json_t *gw_report_speed_json(const gw_report *report);

/* gw_report_speed_html writes the page measure.html. */
void gw_report_speed_html(FILE *file, const gw_report *report);

/* gw_report_speed_table writes a line for each size. */
void gw_report_speed_table(FILE *file, const gw_report *report);

/* gw_speed_curve is one line of a plot. */
typedef struct gw_speed_curve {
    const char *kind; /* class of it: "p50" */
    uint32_t sizes[GW_SPEED_POINTS];
    uint64_t values[GW_SPEED_POINTS];
    unsigned num;
} gw_speed_curve;

/* gw_speed_plot is values over sizes, both axes logarithmic. */
typedef struct gw_speed_plot {
    const char *label; /* for who cannot see it */
    void (*put_value)(FILE *file, uint64_t value);
    void (*put_tick)(FILE *file, uint64_t value); /* a power of ten */
    const gw_speed_curve *curves;
    size_t num_curves;
    const gw_loads *loads; /* whose printed numbers are drawn in, as far as they ... */
    const gw_load *load;   /* ... are of this one, ... */
    gw_quantity quantity;  /* ... and of this kind, or can be turned into it */
} gw_speed_plot;

/* gw_speed_drawn returns what |p| stands at in |plot|; 0: it is not drawn in there. */
uint64_t gw_speed_drawn(const gw_speed_plot *plot, const gw_printed *p);

/* gw_speed_svg draws |plot|. Nothing, when there is nothing to be drawn. */
void gw_speed_svg(FILE *file, const gw_speed_plot *plot);

/* gw_speed_unit divides |value| by thousands until it reads well and returns the prefix: "", "k",
 * "M", "G" or "T". */
const char *gw_speed_unit(double *value);

/* gw_speed_quantity returns the unit of |quantity| as programs have it: "ns". */
const char *gw_speed_quantity(gw_quantity quantity);

#endif

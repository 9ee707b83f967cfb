/* SPDX-License-Identifier: BSD-2-Clause */
/* The signals of a simulated board's port around a failure: their names, a drawing, and JSON. */
#ifndef GOLDWIRE_REPORT_SIGNALS_H
#define GOLDWIRE_REPORT_SIGNALS_H

#include <stdio.h>

#include <jansson.h>

#include "run/run.h"

#define GW_SIGNAL_HEX (2 * GW_SIM_VIEW_BYTES + 1)

typedef enum gw_signal_kind {
    GW_SIGNAL_WIRE,
    GW_SIGNAL_BESIDE, /* a wire that means something where data do */
    GW_SIGNAL_DATA,   /* bytes |first| to the end, or of a bus a half of them */
    GW_SIGNAL_KEEP,
} gw_signal_kind;

/* gw_signal is one row of a drawing. */
typedef struct gw_signal {
    const char *name; /* NULL behind the last one */
    gw_signal_kind kind;
    unsigned nth;  /* of a wire; of data, which half: 0 first, 1 second, 2 all */
    unsigned with; /* of what is no wire: the one that says that it counts, before the one that says
                      that it is taken then */
} gw_signal;

/* gw_signals_of returns the signals of lane |lane| of |interface|, the last one without a name. */
const gw_signal *gw_signals_of(gw_sim_interface interface, unsigned lane);

/* gw_signals_title returns what |interface| is called. */
const char *gw_signals_title(gw_sim_interface interface);

/* gw_signals_lane returns what lane |lane| of |interface| is called; NULL when it has none. */
const char *gw_signals_lane(gw_sim_interface interface, unsigned lane);

/* gw_signal_wire returns what wire |nth| of |at| is: '0', '1', or 'x' when it is unknown. */
char gw_signal_wire(const gw_sim_signals *at, unsigned nth);

/* gw_signal_counts says whether |signal|, no wire by itself, means anything in |at|,
 * gw_signal_taken whether it was taken at that edge. */
bool gw_signal_counts(const gw_signal *signal, const gw_sim_signals *at);
bool gw_signal_taken(const gw_signal *signal, const gw_sim_signals *at);

/* gw_signal_hex writes what |signal|, data or byte enables, is in |at|, highest digit first as
 * waves show it, an unknown byte as "xx", and returns |out|. */
const char *gw_signal_hex(const gw_signal *signal, const gw_sim_signals *at,
                          char out[GW_SIGNAL_HEX]);

/* gw_signals_svg draws |view|. The drawing needs nothing around it; cycles are those of |target|.
 */
void gw_signals_svg(FILE *file, const gw_sim_view *view, const gw_target *target);

/* gw_signals_json returns |view| as docs/run.schema.json has it; the caller frees it. */
json_t *gw_signals_json(const gw_sim_view *view, const gw_target *target);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A core with its testbench as a shared library, which cores/model.sh makes by Verilator: its one
 * symbol GW_MODEL_SYMBOL is a gw_model. Steps and calls are for gw_sim_attach. */
#ifndef GW_MODEL_H
#define GW_MODEL_H

#include <stdbool.h>

#include "gw_hdl_in_process.h"

#define GW_MODEL_SYMBOL "gw_model_here"

/* gw_model is what such a library offers. It has one set of ports, so one model of it can be
 * attached at a time. */
typedef struct gw_model {
    const gw_hdl_in_process *(*calls)(void);
    /* Makes a model at time 0; NULL when it cannot. */
    void *(*make)(void);
    /* Goes on to the next time at which anything happens. False when nothing will, or at $finish.
     */
    bool (*step)(void *model);
    void (*destroy)(void *model);
} gw_model;

#endif

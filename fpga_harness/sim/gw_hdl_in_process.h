/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulator's side in one process with goldwire: gw_hdl.c compiled with -DGW_HDL_IN_PROCESS and
 * linked into a model, a core with its testbench as a simulator such as Verilator compiles it. The
 * model's ports call gw_hdl.h as ever; goldwire calls what is here, between two steps of the model
 * (gw_sim_attach of harness/sim.h). One thread does both. */
#ifndef GW_HDL_IN_PROCESS_H
#define GW_HDL_IN_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#include "gw_hdl_wire.h"

#ifdef __cplusplus
extern "C" {
#endif

/* gw_hdl_in_process is what goldwire calls. */
typedef struct gw_hdl_in_process {
    /* Forgets all that was before: a model whose first step opens its ports comes next. */
    void (*begin)(void);
    /* Does as goldwire says: |head->len| bytes at |body|, which are not kept. */
    void (*hear)(const gw_wire_head *head, const uint8_t *body);
    /* Takes up to |cap| bytes of what the ports have said in the steps until now. */
    size_t (*said)(uint8_t *out, size_t cap);
    /* The model's time at the last call of a port, in picoseconds. */
    uint64_t (*now_ps)(void);
} gw_hdl_in_process;

/* gw_hdl_in_this_process returns the calls of the gw_hdl.c that is linked here; they stay. */
const gw_hdl_in_process *gw_hdl_in_this_process(void);

#ifdef __cplusplus
}
#endif

#endif

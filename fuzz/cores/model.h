/* SPDX-License-Identifier: BSD-2-Clause */
/* A core that Verilator has compiled (fpga_harness/cores/model.sh), in the fuzzer's own process:
 * each input gets one that has just been switched on. */
#ifndef FUZZ_CORES_MODEL_H
#define FUZZ_CORES_MODEL_H

#include "harness/sim.h"

/* gw_fuzz_core is a core that runs. */
typedef struct gw_fuzz_core {
    gw_sim *sim;
    void *model;
} gw_fuzz_core;

/* gw_fuzz_core_begin switches the core on. The first time it loads the library that the environment
 * variable GOLDWIRE_FUZZ_MODEL names, or else the one that was built with the target. Ends the
 * process when that cannot be. */
gw_fuzz_core gw_fuzz_core_begin(void);

/* gw_fuzz_core_open opens port |port| of its testbench; gw_transport_close closes it. */
gw_transport *gw_fuzz_core_open(const gw_fuzz_core *core, unsigned port);

/* gw_fuzz_core_judge ends the process, as gw_fuzz_check does, when the simulation is over, or when
 * a port saw the core break a rule of ports. */
void gw_fuzz_core_judge(const gw_fuzz_core *core);

/* gw_fuzz_core_end switches it off, behind the last transport. */
void gw_fuzz_core_end(gw_fuzz_core *core);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards under test that are cores in a simulator. */
#ifndef GOLDWIRE_DEVICE_DUT_SIM_H
#define GOLDWIRE_DEVICE_DUT_SIM_H

#include "harness/board.h"
#include "harness/raw.h"
#include "harness/sim.h"
#include "run/run.h"

/* gw_dut_sim_connect opens a connection between |ends| to the port of |sim| that |url| names. The
 * first one waits a moment for the simulator. |link| learns what the port carries. NULL with a text
 * in |why|; *unreachable: there is no simulator, or it has no such port. */
gw_transport *gw_dut_sim_connect(gw_sim *sim, const gw_url *url, const gw_raw_setup *ends,
                                 gw_target_link *link, bool *unreachable, char *why,
                                 size_t why_cap);

/* gw_dut_sim_pace tells |target| how long its core may take by what |pace| says, in cycles of its
 * clock; what that does not say is as for a small core at 125 MHz. */
void gw_dut_sim_pace(gw_target *target, const gw_board_pace *pace);

#endif

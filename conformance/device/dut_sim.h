/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards under test that are cores in a simulator. */
#ifndef GOLDWIRE_DEVICE_DUT_SIM_H
#define GOLDWIRE_DEVICE_DUT_SIM_H

#include "boards/peer.h"
#include "harness/board.h"
#include "harness/raw.h"
#include "harness/sim.h"
#include "run/run.h"

/* gw_dut_sim_may says whether link |link| of a board of |role|, NULL when nobody knows it, can be a
 * port of a testbench; |serve|: the board calls us. Otherwise |why| tells why the place |url| is
 * none. */
GW_MUST_USE bool gw_dut_sim_may(const gw_board *role, unsigned link, bool serve, const char *url,
                                char *why, size_t why_cap);

/* gw_dut_sim_await waits a moment for the simulator of |url|, unless it is there. False with a text
 * in |why|. */
GW_MUST_USE bool gw_dut_sim_await(gw_sim *sim, const gw_url *url, char *why, size_t why_cap);

/* gw_dut_sim_fits says whether the testbench that |sim| runs has the port that |url| names, of a
 * kind that goldwire talks to as it says. Otherwise |why| tells what to mend. */
GW_MUST_USE bool gw_dut_sim_fits(const gw_sim *sim, const gw_url *url, char *why, size_t why_cap);

/* gw_dut_sim_connect opens a connection between |ends| to the port that |url| names, which fits.
 * |link| learns what the port carries. NULL with a text in |why|. */
gw_transport *gw_dut_sim_connect(gw_sim *sim, const gw_url *url, const gw_raw_setup *ends,
                                 gw_target_link *link, char *why, size_t why_cap);

/* gw_dut_sim_pace tells |target| how long its core may take by what |pace| says, in cycles of its
 * clock; what that does not say is as for a small core at 125 MHz. */
void gw_dut_sim_pace(gw_target *target, const gw_board_pace *pace);

#endif

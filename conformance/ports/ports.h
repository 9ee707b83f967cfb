/* SPDX-License-Identifier: BSD-2-Clause */
/* What the ports of a simulated board saw at every clock edge of a run, as cases of their own. */
#ifndef GOLDWIRE_PORTS_PORTS_H
#define GOLDWIRE_PORTS_PORTS_H

#include "run/run.h"

/* gw_port_suite is those cases, and the rules that they test (gw_port_format), as a catalogue lists
 * them; no board has its role. */
extern const gw_suite gw_port_suite;

/* gw_port_cases are the cases that say nothing to the board, one for each rule, ended by one
 * without an id: a run of a simulated board has them behind all others. */
extern const gw_case gw_port_cases[];

/* gw_port_judge judges the case of |result|, one of gw_port_cases, by what the ports of |target|
 * have seen until now: NA where nothing watches for it, or where nothing is simulated. */
void gw_port_judge(const gw_target *target, gw_result *result);

#endif

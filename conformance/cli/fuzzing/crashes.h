/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire triage --target: crashes of fuzz targets. */
#ifndef GOLDWIRE_CLI_FUZZING_CRASHES_H
#define GOLDWIRE_CLI_FUZZING_CRASHES_H

#include "goldwire/base.h"

/* gw_triage_crashes runs |program|, a fuzz target, on the crash inputs in |dir|, and leaves in
 * |dir|/findings one folder for each crash that is another: the smallest input, made smaller in
 * |seconds| at the most (0: as it is), what the program said, and the packets that it is. Returns
 * an exit code. */
int gw_triage_crashes(const char *dir, const char *program, uint32_t seconds);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The pre-flight of a run. */
#ifndef GOLDWIRE_RUN_PREFLIGHT_H
#define GOLDWIRE_RUN_PREFLIGHT_H

#include "run/ctx.h"

/* gw_preflight starts the board if a hook does that, waits for its first sign of life, compares its
 * claims with what it shows, and fills in what |run| says about all that. GW_PASS when the cases
 * can begin; otherwise |why| says what every case then is, and why. */
gw_verdict gw_preflight(gw_ctx *ctx, gw_run *run, char *why, size_t why_cap);

#endif

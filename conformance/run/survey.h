/* SPDX-License-Identifier: BSD-2-Clause */
/* A look at the path to the board before anybody is blamed. */
#ifndef GOLDWIRE_RUN_SURVEY_H
#define GOLDWIRE_RUN_SURVEY_H

#include "run/ctx.h"

/* gw_survey sends known-good probes, one after the other, and pairs of them where the suite knows
 * how, until enough is known of the path for a case of |datagrams|, or that has taken too long.
 * Where no network is between, on a stream, and for a board that calls us it does nothing. */
void gw_survey(gw_ctx *ctx, unsigned datagrams);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Sending shots to a board, and taking in whatever it says. */
#ifndef GOLDWIRE_CAMPAIGN_FIRE_H
#define GOLDWIRE_CAMPAIGN_FIRE_H

#include "campaign/shots.h"
#include "run/ctx.h"

/* gw_fire sends |num| shots from |first| on, in their order, on connections of the case that runs,
 * and waits for what is due; all of it is in the case's evidence. What the board says is not
 * judged. Nobody is told of them beforehand (gw_ctx.ahead): whoever fires knows them. What the path
 * does not carry is left out; where the board takes no connection, it ends. No connection stays
 * open but usual ones that carry datagrams. |sent|, NULL or one for each shot, gets the number of
 * the packet of the evidence that it went out in, 0 where it did not. False when goldwire itself
 * failed, with a text in |why|. */
GW_MUST_USE bool gw_fire(gw_ctx *ctx, const gw_shots *shots, size_t first, size_t num,
                         unsigned *sent, char *why, size_t why_cap);

#endif

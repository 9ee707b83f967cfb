/* SPDX-License-Identifier: BSD-2-Clause */
/* Is the board alive, and if not, can it be brought back? */
#ifndef GOLDWIRE_RUN_ALIVE_H
#define GOLDWIRE_RUN_ALIVE_H

#include "run/ctx.h"

/* gw_alive brings the state to where a case starts and looks for a sign of life, within
 * |timeout_ns| for each step of it. False leaves the reason in |ctx|->silence; when goldwire itself
 * failed, in |ctx|->fault. */
bool gw_alive(gw_ctx *ctx, int64_t timeout_ns);

/* gw_alive_surely does the same as often as it takes to be sure that the path is not to blame for
 * silence. With |mid_case| its state is left as it is. */
bool gw_alive_surely(gw_ctx *ctx, bool mid_case);

/* gw_back_in_step waits for what is still under way and closes the connections, so that nothing of
 * an earlier attempt comes into the next. A station on an Ethernet and an adapter stay what they
 * are: setting them up is a conversation of its own. */
void gw_back_in_step(gw_ctx *ctx);

/* gw_alive_pause spaces attempts out: a refused connection comes back in no time. */
void gw_alive_pause(const gw_ctx *ctx);

typedef enum gw_recovery {
    GW_RECOVERED = 0,
    GW_BOARD_GONE,  /* it does not come back */
    GW_PATH_BROKEN, /* the path to it is broken: nothing can be said about the board */
    GW_OUR_FAULT,   /* goldwire failed */
} gw_recovery;

/* gw_recover waits for the board to come back by itself, then resets it, or runs the lab's hooks.
 * |how| gets what was done, or what is wrong; "" when it came back by itself. */
gw_recovery gw_recover(gw_ctx *ctx, char *how, size_t how_cap);

/* gw_revive has the suite bring the board back by itself (gw_suite.revive), and looks for it. */
gw_recovery gw_revive(gw_ctx *ctx, char *how, size_t how_cap);

/* gw_listen_on takes what the board still has to send on the connections that carry datagrams and
 * are open, for the evidence. */
void gw_listen_on(gw_ctx *ctx);

/* gw_recover_with_hooks runs the lab's hooks soft, power and start in this order, up to |last| and
 * each once, and looks for the board after each; it ends with the first that helps. What was done
 * goes to |how|. */
gw_recovery gw_recover_with_hooks(gw_ctx *ctx, gw_hook_kind last, char *how, size_t how_cap);

#endif

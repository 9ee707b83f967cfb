/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that are passed on: what a node was sent and sends on is not its own, and what is wrong
 * with it is the fault of whoever put it in. */
#ifndef CORE_PASSING_H
#define CORE_PASSING_H

#include "goldwire/message.h"

#define GW_PASSING_PLACES 256
#define GW_PASSING_ALIKE 4 /* places for one content: another one may have the same */

/* No node keeps a packet for longer: an equal one after it is somebody's own. In ns. */
#define GW_PASSING_NS INT64_C(10000000000)

/* gw_passed is a packet that may be passed on. */
typedef struct gw_passed {
    uint64_t content;
    uint64_t frame; /* 0: none */
    int64_t time_ns;
    gw_endpoint dst;
    uint8_t dir; /* gw_direction */
} gw_passed;

/* gw_passing remembers the last packets of a capture; zeros are a fresh one. */
typedef struct gw_passing {
    gw_passed places[GW_PASSING_PLACES]; /* by content */
} gw_passing;

/* gw_passing_take returns the frame of the packet of the same |content|, a hash of all that a node
 * leaves as it is, which was sent to |message|'s sender: in the other direction, as the capture
 * tells it, else to the address that this one comes from, at most GW_PASSING_NS ago. 0 when there
 * is none; then |message| is remembered. */
uint64_t gw_passing_take(gw_passing *p, const gw_message *message, uint64_t content);

#endif

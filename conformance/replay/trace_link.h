/* SPDX-License-Identifier: BSD-2-Clause */
/* Units captured on a link, without a network beneath: what they are over the transports that reach
 * a board's links. */
#ifndef REPLAY_TRACE_LINK_H
#define REPLAY_TRACE_LINK_H

#include "goldwire/op2p.h"
#include "inspect/pipeline.h"
#include "replay/trace.h"

/* gw_carried is a unit of a link as a transport carries it. */
typedef struct gw_carried {
    gw_message message; /* its data may lie in |bytes| */
    gw_direction dir;   /* GW_DIR_OUT: the captured port sent it */
    uint8_t bytes[GW_OP2P_SHIM + GW_OP2P_PDU_MAX + 4096];
} gw_carried;

/* gw_trace_carry turns |found|, captured without a network, into what goes over the board's link:
 * an OP2P frame or link event into a datagram of the tunnel with number |sequence|, a run of
 * APElink's beats into bytes of a stream. Its two ends stand for the captured port and its partner.
 * NULL when that went well; else a constant text says why it cannot be sent, and what to do. */
const char *gw_trace_carry(gw_carried *out, const gw_found *found, uint16_t sequence);

#endif

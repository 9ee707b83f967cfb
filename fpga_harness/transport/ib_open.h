/* SPDX-License-Identifier: BSD-2-Clause */
/* The ib:// transport: a real InfiniBand or RoCE adapter through libibverbs, one datagram queue
 * pair (UD) and one connected queue pair (UC).
 *
 * It carries what the roce:// transport carries: InfiniBand packets from BTH to ICRC, one a
 * message. An adapter does not take packets but work requests, so packets are turned into these and
 * back:
 *
 *   sent      UD SEND ONLY, UC SEND ONLY, each also with immediate data; UC RDMA WRITE, whose
 *             packets FIRST, MIDDLE ... LAST are gathered and leave together, as one request
 *   received  UD SEND ONLY and UC SEND, each also with immediate data
 *
 * What an adapter does not let us choose is checked instead, and send fails, with a text, for a
 * packet that would not go out as it is: a wrong ICRC, a source queue pair that is not ours, a PSN
 * that does not go on inside of a message, packets that are not cut at the path MTU (256, 512 ...
 * 4096 bytes), messages without beginning or end, one whose length is not as its RETH says. A first
 * PSN, another MTU or another destination at the start of a message are set by setting the
 * connection up anew; answers that are on their way meanwhile may get lost. Not carried at all: M,
 * FECN, BECN, reserved bits, P_Key and transport version of the BTH, and the PSN of UD packets.
 *
 * What an adapter does not show is made up in what is received: PSNs count from 0 for each queue
 * pair, the P_Key is the default one, the ICRC is right (others are dropped by the adapter, as are
 * other Q_Keys), and a SEND of several packets is one ONLY.
 *
 * An RDMA WRITE that comes in is not told of by verbs, so this transport plays a Worker, not a
 * buffer. A case that needs what is checked or made up here is not applicable over ib://:
 * gw_transport.adapter tells it. */
#ifndef TRANSPORT_IB_OPEN_H
#define TRANSPORT_IB_OPEN_H

#include "harness/transport.h"

/* gw_ib_open opens the adapter of an ib:// URL. NULL with a text in |why|; *unreachable tells that
 * the other side, not the call, is at fault. Exists where GW_HAVE_IB is defined. */
gw_transport *gw_ib_open(const gw_url *url, bool *unreachable, char *why, size_t why_cap);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A board stepped in this process under virtual time: no sockets, no waiting. A twenty-second
 * timeout costs microseconds, and the same calls give the same bytes and the same stamps. */
#ifndef GOLDWIRE_BOARDS_MEM_H
#define GOLDWIRE_BOARDS_MEM_H

#include "boards/peer.h"
#include "harness/transport.h"

/* A message takes this long in each direction. */
#define GW_MEM_LATENCY_NS INT64_C(5000)

/* What waits for one client at most; more is lost from datagrams and breaks a stream. */
#define GW_MEM_QUEUE_MAX (4u << 20)

/* gw_mem is a board in memory with its clock. */
typedef struct gw_mem gw_mem;

/* gw_mem_start sets |board| up and starts it. |config| must outlive it. NULL with a text in |why|.
 * The gw_mem lives until gw_mem_stop and the closing of all its transports. */
gw_mem *gw_mem_start(const gw_board *board, const gw_peer_config *config, char *why,
                     size_t why_cap);

/* gw_mem_impair lets |what| happen to all that clients connected from now on send and get. Bit i of
 * |frame_links|: what goes over link i are Ethernet frames. |before|, not NULL, is the board that
 * was at the end of the same path until now: its fates go on, and an outage is not over again. */
void gw_mem_impair(gw_mem *mem, const gw_impairment *what, uint32_t frame_links,
                   const gw_mem *before);

/* gw_mem_await waits until a connection to link |link| stands, and opens its client as
 * gw_mem_connect does. *unreachable says that the path did not let it stand within |timeout_ns|. */
gw_transport *gw_mem_await(gw_mem *mem, unsigned link, int64_t timeout_ns, bool *unreachable,
                           char *why, size_t why_cap);

/* gw_mem_connect opens a client of link |link|: a sender of datagrams, or (|stream|) a connection.
 * For a board that calls us it is the party that the board calls, and there is one only. NULL with
 * a text in |why| when there are too many. */
gw_transport *gw_mem_connect(gw_mem *mem, unsigned link, bool stream, char *why, size_t why_cap);

/* gw_mem_stop lets go of the board; its transports go on working until they are closed. NULL is
 * allowed. */
void gw_mem_stop(gw_mem *mem);

/* gw_mem_done says whether the board of |mem| has finished what it came for. */
bool gw_mem_done(const gw_mem *mem);

/* gw_mem_state returns the board's state, for the tests of a board. */
void *gw_mem_state(gw_mem *mem);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Room for what an adapter is still to send: messages lie in one piece, and go in the order in
 * which they came. */
#ifndef TRANSPORT_IB_RING_H
#define TRANSPORT_IB_RING_H

#include "goldwire/base.h"

#define GW_IB_RING_DEPTH 256 /* messages under way, at most */

/* gw_ib_ring places messages in |size| bytes. It does not know the bytes themselves. */
typedef struct gw_ib_ring {
    size_t size;
    size_t head; /* where the next message may begin */
    size_t tail; /* where the oldest one begins */
    size_t num;  /* messages under way */
    size_t oldest;
    size_t ends[GW_IB_RING_DEPTH]; /* of messages, from |oldest| on */
} gw_ib_ring;

/* gw_ib_ring_find says where |len| bytes fit now; nothing is taken by that. False when something
 * has to go first, or when |len| is more than the whole. */
GW_MUST_USE bool gw_ib_ring_find(const gw_ib_ring *ring, size_t len, size_t *at);

/* gw_ib_ring_take takes the |len| bytes that gw_ib_ring_find found |at|. */
void gw_ib_ring_take(gw_ib_ring *ring, size_t at, size_t len);

/* gw_ib_ring_release gives the oldest message's room back. */
void gw_ib_ring_release(gw_ib_ring *ring);

#endif

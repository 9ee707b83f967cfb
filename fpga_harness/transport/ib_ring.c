/* SPDX-License-Identifier: BSD-2-Clause */
/* Room for what an adapter is still to send. */
#include "ib_ring.h"

bool gw_ib_ring_find(const gw_ib_ring *ring, size_t len, size_t *at)
{
    *at = 0;
    if (ring->num == 0)
        return len <= ring->size;
    if (ring->num == GW_IB_RING_DEPTH)
        return false;
    if (ring->head > ring->tail && len <= ring->size - ring->head) {
        *at = ring->head;
        return true;
    }
    if (ring->head > ring->tail)
        return len <= ring->tail;
    *at = ring->head; /* behind the end of the oldest, or full when they meet */
    return len <= ring->tail - ring->head;
}

void gw_ib_ring_take(gw_ib_ring *ring, size_t at, size_t len)
{
    if (ring->num == 0)
        ring->tail = at;
    ring->head = at + len;
    ring->ends[(ring->oldest + ring->num) % GW_IB_RING_DEPTH] = ring->head;
    ring->num++;
}

void gw_ib_ring_release(gw_ib_ring *ring)
{
    if (ring->num == 0)
        return;
    ring->tail = ring->ends[ring->oldest];
    ring->oldest = (ring->oldest + 1) % GW_IB_RING_DEPTH;
    ring->num--;
}

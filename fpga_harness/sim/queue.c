/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that wait, one behind the other in one piece of memory. */
#include <string.h>

#include "link.h"

typedef struct waiting {
    int64_t time_ps;
    size_t len;
} waiting;

void gw_sim_queue_put(gw_sim_queue *queue, int64_t time_ps, const uint8_t *data, size_t len)
{
    waiting head = {time_ps, len};
    size_t need = sizeof(head) + len;
    if (queue->first > 0 && queue->end + need > GW_SIM_QUEUE) {
        memmove(queue->bytes, queue->bytes + queue->first, queue->end - queue->first);
        queue->end -= queue->first;
        queue->first = 0;
    }
    if (queue->end + need > GW_SIM_QUEUE) {
        queue->dropped = true;
        return;
    }
    memcpy(queue->bytes + queue->end, &head, sizeof(head));
    memcpy(queue->bytes + queue->end + sizeof(head), data, len);
    queue->end += need;
}

bool gw_sim_queue_peek(const gw_sim_queue *queue, int64_t *time_ps)
{
    waiting head;
    if (queue->first == queue->end)
        return false;
    memcpy(&head, queue->bytes + queue->first, sizeof(head));
    *time_ps = head.time_ps;
    return true;
}

bool gw_sim_queue_get(gw_sim_queue *queue, int64_t *time_ps, uint8_t *out, size_t cap, size_t *len)
{
    waiting head;
    if (queue->first == queue->end)
        return false;
    memcpy(&head, queue->bytes + queue->first, sizeof(head));
    *time_ps = head.time_ps;
    *len = head.len < cap ? head.len : cap;
    memcpy(out, queue->bytes + queue->first + sizeof(head), *len);
    queue->first += sizeof(head) + head.len;
    if (queue->first == queue->end)
        queue->first = queue->end = 0;
    return true;
}

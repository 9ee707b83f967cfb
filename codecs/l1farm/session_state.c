/* SPDX-License-Identifier: BSD-2-Clause */
/* What all parts of the session use: the table of buffers, nodes and tags. */
#include "l1farm/session.h"

l1_place *gw_l1_find_place(l1_session *s, l1_topic topic, uint16_t id, uint16_t sub,
                           uint32_t interface)
{
    uint32_t hash = ((uint32_t)id * 2654435761u) ^ ((uint32_t)sub * 40503u) ^
                    (interface * 97u + (uint32_t)topic * 1009u);
    l1_place *oldest = NULL;

    hash ^= hash >> 15;
    for (uint32_t i = 0; i < L1_PROBES; i++) {
        l1_place *p = &s->places[(hash + i) % L1_PLACES];
        if (p->topic == topic && p->id == id && p->sub == sub && p->interface == interface) {
            p->touched = s->clock;
            return p;
        }
        if (oldest == NULL || p->touched < oldest->touched)
            oldest = p;
    }
    s->tags = s->tags || topic == L1_TAGGED;
    *oldest = (l1_place){
        .topic = (uint8_t)topic, .id = id, .sub = sub, .interface = interface, .touched = s->clock};
    return oldest;
}

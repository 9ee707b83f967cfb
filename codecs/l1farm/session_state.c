/* SPDX-License-Identifier: BSD-2-Clause */
/* What all parts of the session use: relations, and the table of buffers, nodes and tags. */
#include "l1farm/session.h"

void gw_l1_tell(gw_verdict_sink *sink, gw_relation_kind kind, uint64_t request, uint64_t response,
                int64_t delta_ns, uint64_t earlier)
{
    gw_relation r = {.request = request,
                     .response = response,
                     .earlier = earlier,
                     .delta_ns = delta_ns,
                     .kind = (uint8_t)kind};
    if (sink->relation != NULL)
        sink->relation(sink, &r);
}

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
    *oldest = (l1_place){
        .topic = (uint8_t)topic, .id = id, .sub = sub, .interface = interface, .touched = s->clock};
    return oldest;
}

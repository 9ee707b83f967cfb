/* SPDX-License-Identifier: BSD-2-Clause */
/* What all parts of the session use: the table of buffers, nodes and tags. */
#include "l1farm/session.h"

#include "core/hash.h"
#include "goldwire/checksum.h"

/* What a datagram is known again by: all that was captured of it. */
static uint64_t content_of(const gw_message *m)
{
    //@ slevel 3000;
    gw_cursor c = gw_cursor_over(m->data, m->cap_len);
    size_t len = gw_cursor_left(&c);
    const uint8_t *p;

    //@ split len;
    if (!gw_cursor_bytes(&c, &p, len))
        return 0;
    return (uint64_t)gw_crc32(NULL, 0, p, len) << 32 | gw_crc32c(NULL, 0, p, len);
}

bool gw_l1_is_copy(l1_session *s, const gw_message *m)
{
    uint64_t content = content_of(m);

    content = (content ^ gw_hash_endpoint(&m->src) ^ gw_hash_endpoint(&m->dst) * GW_HASH_4) | 1;
    for (size_t i = 0; i < L1_COPIES; i++) {
        const l1_datagram *d = &s->datagrams[i];
        if (d->content == content && gw_span_ns(d->time_ns, m->time_ns) <= s->give_up_ns)
            return true;
    }
    s->datagrams[s->next_datagram++ % L1_COPIES] =
        (l1_datagram){.content = content, .time_ns = m->time_ns};
    return false;
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
    s->tags = s->tags || topic == L1_TAGGED;
    *oldest = (l1_place){
        .topic = (uint8_t)topic, .id = id, .sub = sub, .interface = interface, .touched = s->clock};
    return oldest;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Who talks to whom. */
#include "inspect/conversations.h"

#include <string.h>

gw_conversation gw_conversation_of(const gw_found *found, bool *forward)
{
    const gw_message *m = found->message;
    gw_conversation c = {.format = found->format};

    if (m->src.family == GW_FAMILY_NONE && m->dst.family == GW_FAMILY_NONE) {
        c.interface = m->interface;
        *forward = m->dir != GW_DIR_IN;
        return c;
    }
    *forward = memcmp(&m->src, &m->dst, sizeof m->src) <= 0;
    c.a = *forward ? m->src : m->dst;
    c.b = *forward ? m->dst : m->src;
    return c;
}

static bool same(const gw_conversation *a, const gw_conversation *b)
{
    return a->format == b->format && a->interface == b->interface &&
           gw_endpoint_equal(&a->a, &b->a) && gw_endpoint_equal(&a->b, &b->b);
}

static uint32_t add(uint32_t hash, const void *data, size_t len)
{
    const uint8_t *p = data;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ p[i]) * 16777619u;
    return hash;
}

uint32_t gw_conversations_number(gw_conversations *c, const gw_found *found)
{
    bool forward;
    const gw_conversation wanted = gw_conversation_of(found, &forward);
    uint32_t hash = add(2166136261u, &wanted.a, sizeof wanted.a);

    hash = add(hash, &wanted.b, sizeof wanted.b);
    hash = add(hash, &wanted.interface, sizeof wanted.interface);
    size_t place = hash % GW_ARRAY_LEN(c->places);
    for (; c->places[place] != 0; place = (place + 1) % GW_ARRAY_LEN(c->places)) {
        if (same(&c->all[c->places[place] - 1], &wanted))
            return c->places[place];
    }
    if (c->num == GW_CONVERSATIONS)
        return 0;
    c->all[c->num++] = wanted;
    c->places[place] = (uint16_t)c->num;
    return c->num;
}

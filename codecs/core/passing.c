/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that are passed on. */
#include "core/passing.h"

static bool same_host(const gw_endpoint *a, const gw_endpoint *b)
{
    return a->family == b->family && memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

static bool was_sent_to_sender(const gw_passed *before, const gw_message *m)
{
    if (before->dir != GW_DIR_UNKNOWN || m->dir != GW_DIR_UNKNOWN)
        return before->dir != GW_DIR_UNKNOWN && m->dir != GW_DIR_UNKNOWN && before->dir != m->dir;
    return m->src.family != GW_FAMILY_NONE && same_host(&before->dst, &m->src) &&
           !same_host(&m->src, &m->dst);
}

/* Times may be any. */
static bool is_over(const gw_passed *before, const gw_message *m)
{
    return m->time_ns > before->time_ns &&
           (uint64_t)m->time_ns - (uint64_t)before->time_ns > (uint64_t)GW_PASSING_NS;
}

/* Where |content| lies, or else what came first of those that may lie there. */
static gw_passed *find_place(gw_passing *p, uint64_t content)
{
    gw_passed *places =
        &p->places[content % (GW_PASSING_PLACES / GW_PASSING_ALIKE) * GW_PASSING_ALIKE];
    gw_passed *oldest = places;

    for (size_t i = 0; i < GW_PASSING_ALIKE; i++) {
        if (places[i].frame != 0 && places[i].content == content)
            return &places[i];
        if (places[i].frame < oldest->frame)
            oldest = &places[i];
    }
    return oldest;
}

uint64_t gw_passing_take(gw_passing *p, const gw_message *message, uint64_t content)
{
    gw_passed *place = find_place(p, content);

    gw_passed now = {.content = content,
                     .frame = message->frame,
                     .time_ns = message->time_ns,
                     .dst = message->dst,
                     .dir = message->dir};

    if (place->frame == 0 || place->content != content || is_over(place, message) ||
        !was_sent_to_sender(place, message)) {
        *place = now;
        return 0;
    }
    uint64_t origin = place->frame;
    if (message->dir == GW_DIR_UNKNOWN) {
        *place = now; /* the next node may pass it on as well */
        place->frame = origin;
    }
    return origin;
}

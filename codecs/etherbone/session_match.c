/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding the request that a reply answers. */
#include "etherbone/session.h"

enum {
    MAX_OLDEST = 64, /* waiting requests that are looked at for one that nearly fits */
};

uint32_t gw_eb_stream_of(const gw_message *m)
{
    return m->transport == GW_OVER_TCP ? m->stream + 1 : 0;
}

/* Odd constants with bits all over; the products are independent, so they cost one multiplication's
 * time. */
static const uint64_t spread[] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9,
                                  0xd6e8feb86659fd93, 0xa0761d6478bd642f};

static uint32_t fold(uint64_t h)
{
    h ^= h >> 32;
    h *= spread[0];
    return (uint32_t)(h >> 32);
}

static uint64_t mix_ip(const gw_endpoint *end, uint64_t high, uint64_t low)
{
    return gw_load_be64(end->ip) * high + gw_load_be64(end->ip + 8) * low;
}

uint32_t gw_eb_talk_hash(const gw_endpoint *requester, const gw_endpoint *responder,
                         uint32_t stream)
{
    return fold(mix_ip(requester, spread[0], spread[1]) + mix_ip(responder, spread[2], spread[3]) +
                stream * spread[4]);
}

uint32_t gw_eb_hash_in(uint32_t talk, const gw_eb_key *key)
{
    return fold(talk * spread[1] + key->base * spread[2] +
                ((uint64_t)key->kind << 8 | key->count) * spread[3]);
}

uint32_t gw_eb_hash(const gw_endpoint *requester, const gw_endpoint *responder, uint32_t stream,
                    const gw_eb_key *key)
{
    static const gw_endpoint anybody;

    if (key->kind == GW_EB_WAIT_PROBE)
        responder = &anybody;
    return gw_eb_hash_in(gw_eb_talk_hash(requester, responder, stream), key);
}

gw_eb_key gw_eb_key_of_request(const gw_eb_record *record)
{
    return (gw_eb_key){
        .base = record->return_base,
        .kind = (record->flags & GW_EB_BCA) != 0 ? GW_EB_WAIT_CONFIG : GW_EB_WAIT_BUS,
        .count = record->rcount,
    };
}

gw_eb_key gw_eb_key_of_reply(const gw_eb_record *record)
{
    return (gw_eb_key){
        .base = record->write_base,
        .kind = (record->flags & GW_EB_WCA) != 0 ? GW_EB_WAIT_CONFIG : GW_EB_WAIT_BUS,
        .count = record->wcount,
    };
}

static bool same_ip(const gw_endpoint *a, const gw_endpoint *b)
{
    return a->family == b->family && memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

/* How well the ends of the reply |m| fit those of |wait|. */
static enum gw_eb_score score(const gw_eb_wait *wait, const gw_message *m)
{
    if (!same_ip(&wait->requester, &m->dst) || wait->stream != gw_eb_stream_of(m))
        return GW_EB_NO_MATCH;
    bool from_asked = same_ip(&wait->responder, &m->src);
    if (!from_asked && wait->kind != GW_EB_WAIT_PROBE)
        return GW_EB_NO_MATCH;
    bool from_port = from_asked && wait->responder.port == m->src.port;
    if (wait->requester.port == m->dst.port)
        return from_port ? GW_EB_EXACT : GW_EB_OTHER_SOURCE;
    return from_port ? GW_EB_OTHER_PORT : GW_EB_NO_MATCH;
}

static void consider(gw_eb_found *found, gw_eb_wait *wait, enum gw_eb_score how_well)
{
    if (wait->state != GW_EB_WAIT_OPEN) {
        if (how_well >= found->done_score) {
            found->done = wait;
            found->done_score = (uint8_t)how_well;
        }
        return;
    }
    if (how_well > found->open_score) {
        found->open = wait;
        found->open_score = (uint8_t)how_well;
        found->ambiguous = false;
    } else if (how_well == found->open_score && wait->frame != found->open->frame) {
        found->ambiguous = true;
    }
}

gw_eb_found gw_eb_find(const gw_eb_table *t, const gw_message *m, const gw_eb_key *key,
                       uint32_t hash)
{
    gw_eb_found found = {0};
    unsigned seen = 0;

    for (gw_eb_wait *w = gw_eb_table_chain(t, hash); w != NULL; w = gw_eb_table_chain_next(t, w)) {
        if (++seen > GW_EB_MAX_CHAIN) {
            found.gave_up = found.open == NULL;
            break;
        }
        if (w->hash != hash || w->base != key->base || w->kind != key->kind ||
            w->count != key->count)
            continue;
        enum gw_eb_score how_well = score(w, m);
        if (how_well == GW_EB_NO_MATCH)
            continue;
        consider(&found, w, how_well);
        if (found.ambiguous && found.open_score == GW_EB_EXACT)
            break; /* nothing better can come */
    }
    /* A late answer to the request that was given up would look the same. */
    if (found.open != NULL && found.done != NULL && found.done->state == GW_EB_WAIT_GIVEN_UP &&
        found.done_score == found.open_score)
        found.ambiguous = true;
    return found;
}

gw_eb_wait *gw_eb_oldest_open(const gw_eb_table *t, const gw_message *m, gw_eb_fits_fn fits,
                              const void *arg)
{
    unsigned seen = 0;

    for (gw_eb_wait *w = gw_eb_table_oldest(t, GW_EB_WAITING); w != NULL && seen < MAX_OLDEST;
         w = gw_eb_table_younger(t, w), seen++) {
        if (!w->suspect.noted && score(w, m) == GW_EB_EXACT && fits(w, arg))
            return w;
    }
    return NULL;
}

bool gw_eb_same_request(const gw_eb_wait *a, const gw_eb_wait *b)
{
    return a->base == b->base && a->kind == b->kind && a->count == b->count &&
           a->stream == b->stream && gw_endpoint_equal(&a->requester, &b->requester) &&
           gw_endpoint_equal(&a->responder, &b->responder);
}

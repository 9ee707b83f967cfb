/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that may come back. */
#include "textarossa/session/echoes.h"

#include <string.h>

#include "core/hash.h"

enum { MOST = 1 << 20 };

void gw_tx_echoes_init(gw_tx_echoes *e, void *memory, size_t cap)
{
    size_t room = cap / GW_TX_ECHO_BYTES;
    size_t buckets = 1;

    if (room > MOST)
        room = MOST;
    while (buckets < room)
        buckets *= 2; /* at most twice the room */
    *e = (gw_tx_echoes){
        .sent = memory,
        .buckets = (gw_tx_bucket *)((gw_tx_sent *)memory + room),
        .room = (uint32_t)room,
        .mask = (uint32_t)buckets - 1,
    };
    memset(e->buckets, 0, buckets * sizeof e->buckets[0]);
}

/* ---- what gives back what ---- */

static bool has_ends(const gw_tx_sent *s)
{
    return s->src.family != GW_FAMILY_NONE || s->dst.family != GW_FAMILY_NONE;
}

/* A packet from |src| to |dst|, or, on a link without addresses, in direction |dir|. */
static uint32_t hash_of(const gw_tx_sent *s, const gw_endpoint *src, const gw_endpoint *dst,
                        uint8_t dir)
{
    uint64_t ends = gw_hash_endpoint(src) + gw_hash_endpoint(dst) * GW_HASH_4;
    uint64_t what = (uint64_t)s->crc << 32 | (uint32_t)s->size << 16 | s->proc_id;
    uint64_t where = (uint64_t)s->interface << 8 | (has_ends(s) ? 0 : dir);

    return gw_hash_fold(ends + gw_hash_fold(what) * GW_HASH_2 + where * GW_HASH_3);
}

static uint32_t hash_of_echo(const gw_tx_sent *s)
{
    uint8_t back = s->dir == GW_DIR_IN ? GW_DIR_OUT : GW_DIR_IN;

    return hash_of(s, &s->dst, &s->src, back);
}

static bool may_come_back(const gw_tx_sent *s)
{
    return has_ends(s) ? !gw_endpoint_equal(&s->src, &s->dst) : s->dir != GW_DIR_UNKNOWN;
}

/* The same way back: addresses swapped, or, on a link without any, the other direction. */
static bool is_way_back(const gw_tx_sent *q, const gw_tx_sent *a)
{
    if (q->interface != a->interface || has_ends(q) != has_ends(a))
        return false;
    if (!has_ends(q))
        return q->dir != a->dir && a->dir != GW_DIR_UNKNOWN;
    return gw_endpoint_equal(&q->src, &a->dst) && gw_endpoint_equal(&q->dst, &a->src);
}

static bool is_echo(const gw_tx_sent *q, const gw_tx_sent *a)
{
    return q->proc_id == a->proc_id && q->size == a->size && q->crc == a->crc && is_way_back(q, a);
}

/* ---- the table ---- */

static gw_tx_sent *at(gw_tx_echoes *e, uint32_t number)
{
    return &e->sent[number - 1];
}

/* Takes |number| out of its chain, where it follows |before| (0: it is the first). */
static void unlink_from(gw_tx_echoes *e, uint32_t number, uint32_t before)
{
    gw_tx_sent *s = at(e, number);
    gw_tx_bucket *b = &e->buckets[s->bucket];

    if (before == 0)
        b->first = s->next;
    else
        at(e, before)->next = s->next;
    if (b->last == number)
        b->last = before;
}

/* The oldest of all is the first of its chain. */
static void forget_oldest(gw_tx_echoes *e)
{
    if (e->sent[e->first].frame != 0)
        unlink_from(e, e->first + 1, 0);
    e->first = e->first + 1 < e->room ? e->first + 1 : 0;
    e->count--;
}

void gw_tx_echoes_add(gw_tx_echoes *e, const gw_tx_sent *sent)
{
    if (!may_come_back(sent))
        return;
    if (e->count == e->room)
        forget_oldest(e);
    uint64_t place = (uint64_t)e->first + e->count++;
    uint32_t number = (uint32_t)(place < e->room ? place : place - e->room) + 1;
    gw_tx_sent *s = at(e, number);
    *s = *sent;
    s->next = 0;
    s->bucket = hash_of_echo(s) & e->mask;
    gw_tx_bucket *b = &e->buckets[s->bucket];
    uint32_t last = b->last;
    if (last == 0)
        b->first = number;
    else
        at(e, last)->next = number;
    b->last = number;
}

bool gw_tx_echoes_take(gw_tx_echoes *e, const gw_tx_sent *back, gw_tx_sent *out, bool *ambiguous)
{
    uint32_t bucket = hash_of(back, &back->src, &back->dst, back->dir) & e->mask;
    uint32_t found = 0, before_found = 0, before = 0;

    *ambiguous = false;
    for (uint32_t i = e->buckets[bucket].first; i != 0; before = i, i = at(e, i)->next) {
        e->steps++;
        if (!is_echo(at(e, i), back))
            continue;
        if (found != 0) {
            *ambiguous = true;
            break;
        }
        found = i;
        before_found = before;
    }
    if (found == 0)
        return false;
    *out = *at(e, found);
    unlink_from(e, found, before_found);
    at(e, found)->frame = 0;
    return true;
}

void gw_tx_echoes_give_up(gw_tx_echoes *e, int64_t now_ns, int64_t give_up_ns)
{
    while (e->count > 0) {
        const gw_tx_sent *s = &e->sent[e->first];
        if (s->frame != 0 && gw_span_ns(s->time_ns, now_ns) <= give_up_ns)
            return;
        forget_oldest(e);
    }
}

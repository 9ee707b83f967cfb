/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of requests: one pool of entries, three lists and a hash over all of them. */
#include "etherbone/session/session_table.h"

#include <string.h>

enum {
    MAX_ENTRIES = 1 << 20,
};

static uint32_t number_of(const gw_eb_table *t, const gw_eb_wait *wait)
{
    return (uint32_t)(wait - t->entries) + 1;
}

void gw_eb_table_init(gw_eb_table *t, void *mem, size_t cap)
{
    size_t capacity = cap / (sizeof(gw_eb_wait) + 2 * sizeof(gw_eb_ends));
    size_t buckets = 1;

    if (capacity > MAX_ENTRIES)
        capacity = MAX_ENTRIES;
    while (buckets < capacity)
        buckets *= 2; /* at most twice the capacity, so that chains are short */
    *t = (gw_eb_table){
        .entries = mem,
        .buckets = (gw_eb_ends *)((gw_eb_wait *)mem + capacity),
        .capacity = (uint32_t)capacity,
        .bucket_mask = (uint32_t)buckets - 1,
    };
    memset(t->buckets, 0, buckets * sizeof t->buckets[0]);
}

/* ---- the lists ---- */

static void list_append(gw_eb_table *t, enum gw_eb_wait_list list, gw_eb_wait *wait)
{
    gw_eb_ends *ends = &t->lists[list];
    uint32_t number = number_of(t, wait), last = ends->last;

    wait->list_prev = last;
    wait->list_next = 0;
    if (last != 0)
        gw_eb_table_entry(t, last)->list_next = number;
    else
        ends->first = number;
    ends->last = number;
    wait->list = (uint8_t)list;
}

static void list_unlink(gw_eb_table *t, gw_eb_wait *wait)
{
    gw_eb_ends *ends = &t->lists[wait->list];
    uint32_t prev = wait->list_prev, next = wait->list_next;

    if (prev != 0)
        gw_eb_table_entry(t, prev)->list_next = next;
    else
        ends->first = next;
    if (next != 0)
        gw_eb_table_entry(t, next)->list_prev = prev;
    else
        ends->last = prev;
}

/* ---- the hash ---- */

static void chain_append(gw_eb_table *t, gw_eb_wait *wait)
{
    gw_eb_ends *ends = &t->buckets[wait->hash & t->bucket_mask];
    uint32_t number = number_of(t, wait), last = ends->last;

    wait->chain_prev = last;
    wait->chain_next = 0;
    if (last != 0)
        gw_eb_table_entry(t, last)->chain_next = number;
    else
        ends->first = number;
    ends->last = number;
}

static void chain_unlink(gw_eb_table *t, gw_eb_wait *wait)
{
    gw_eb_ends *ends = &t->buckets[wait->hash & t->bucket_mask];
    uint32_t prev = wait->chain_prev, next = wait->chain_next;

    if (prev != 0)
        gw_eb_table_entry(t, prev)->chain_next = next;
    else
        ends->first = next;
    if (next != 0)
        gw_eb_table_entry(t, next)->chain_prev = prev;
    else
        ends->last = prev;
}

/* ---- entries ---- */

gw_eb_wait *gw_eb_table_add(gw_eb_table *t, const gw_eb_request *asked, uint32_t hash)
{
    gw_eb_wait *place;

    if (t->free != 0) {
        place = gw_eb_table_entry(t, t->free);
        t->free = place->list_next;
    } else if (t->used < t->capacity) {
        place = &t->entries[t->used++];
    } else {
        return NULL;
    }
    place->asked = *asked;
    place->state = GW_EB_WAIT_OPEN;
    place->suspect = (gw_eb_suspect){0};
    place->misses = 0;
    place->unsure = false;
    place->repeated = false;
    place->num_breaches = 0;
    place->hash = hash;
    chain_append(t, place);
    list_append(t, GW_EB_WAITING, place);
    return place;
}

void gw_eb_table_move(gw_eb_table *t, gw_eb_wait *wait, enum gw_eb_wait_list to)
{
    list_unlink(t, wait);
    list_append(t, to, wait);
}

void gw_eb_table_remove(gw_eb_table *t, gw_eb_wait *wait)
{
    list_unlink(t, wait);
    chain_unlink(t, wait);
    wait->state = GW_EB_WAIT_FREE;
    wait->list_next = t->free;
    t->free = number_of(t, wait);
}

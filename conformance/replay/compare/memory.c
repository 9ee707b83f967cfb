/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of bytes that are known. */
#include "replay/compare/memory.h"

#include <stdlib.h>
#include <string.h>

#define FIRST ((size_t)1024)

static size_t slot_of(const gw_memory *m, gw_space space, uint64_t address, uint8_t then)
{
    uint64_t h = (address ^ (uint64_t)space << 56) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
    h += then;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return (size_t)(h >> 20) & (m->cap - 1);
}

static bool is_about(const gw_cell *c, gw_space space, uint64_t address, uint8_t then)
{
    return c->space == space && c->address == address && c->then == then;
}

static void put(gw_memory *m, const gw_cell *cell)
{
    size_t slot = slot_of(m, (gw_space)cell->space, cell->address, cell->then);
    while (m->cells[slot].space != 0)
        slot = (slot + 1) & (m->cap - 1);
    m->cells[slot] = *cell;
    m->num++;
}

/* Half of the table stays free. */
static bool make_room(gw_memory *m)
{
    gw_memory bigger = {.cap = m->cap == 0 ? FIRST : 2 * m->cap};
    if (2 * m->num < m->cap)
        return true;
    if (m->num >= GW_MEMORY_MAX)
        return false;
    bigger.cells = calloc(bigger.cap, sizeof(*bigger.cells));
    if (bigger.cells == NULL)
        return false;
    for (size_t i = 0; i < m->cap; i++) {
        if (m->cells[i].space != 0)
            put(&bigger, &m->cells[i]);
    }
    free(m->cells);
    *m = bigger;
    return true;
}

gw_recall gw_memory_recall(const gw_memory *m, gw_space space, uint64_t address, uint8_t then,
                           uint8_t now, uint8_t *expected)
{
    gw_recall recall = GW_RECALL_NOTHING;
    *expected = now;
    if (m->cap == 0)
        return recall;
    size_t slot = slot_of(m, space, address, then);
    for (; m->cells[slot].space != 0; slot = (slot + 1) & (m->cap - 1)) {
        const gw_cell *c = &m->cells[slot];
        if (!is_about(c, space, address, then))
            continue;
        if (c->now == now) {
            *expected = now;
            return GW_RECALL_FITS;
        }
        *expected = c->now;
        recall = GW_RECALL_DIFFERS;
    }
    return recall;
}

bool gw_memory_know(gw_memory *m, gw_space space, uint64_t address, uint8_t then, uint8_t now)
{
    uint8_t expected;
    if (gw_memory_recall(m, space, address, then, now, &expected) == GW_RECALL_FITS)
        return true;
    if (!make_room(m))
        return m->num >= GW_MEMORY_MAX;
    gw_cell cell = {.address = address, .space = (uint8_t)space, .then = then, .now = now};
    put(m, &cell);
    return true;
}

void gw_memory_forget(gw_memory *m)
{
    if (m->cap > 0)
        memset(m->cells, 0, m->cap * sizeof(*m->cells));
    m->num = 0;
}

void gw_memory_free(gw_memory *m)
{
    free(m->cells);
    memset(m, 0, sizeof(*m));
}

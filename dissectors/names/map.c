/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sorted list of ranges. */
#include "names/map.h"

#include <stdlib.h>
#include <string.h>

bool gw_ws_map_add(gw_ws_map *map, uint64_t first, uint64_t last, const char *name, size_t len)
{
    while (len > 0 && (name[len - 1] == ' ' || name[len - 1] == '\0'))
        len--;
    if (len == 0 || len >= GW_WS_MAP_NAME || last < first || map->num == GW_WS_MAP_MAX)
        return false;
    if (map->entries == NULL)
        map->entries = calloc(GW_WS_MAP_MAX, sizeof *map->entries);
    if (map->entries == NULL)
        return false;
    gw_ws_map_entry *e = &map->entries[map->num++];
    e->first = first;
    e->last = last;
    for (size_t i = 0; i < len; i++)
        e->name[i] = (char)(name[i] > ' ' && name[i] <= '~' ? name[i] : '?');
    e->name[len] = '\0';
    map->sorted = false;
    return true;
}

/* By where they begin; what lies within comes later. */
static int compare(const void *a, const void *b)
{
    const gw_ws_map_entry *x = a, *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->last != y->last)
        return x->last > y->last ? -1 : 1;
    return strcmp(x->name, y->name);
}

const gw_ws_map_entry *gw_ws_map_find(gw_ws_map *map, uint64_t address)
{
    size_t low = 0, high = map->num;

    if (!map->sorted && map->num > 0)
        qsort(map->entries, map->num, sizeof *map->entries, compare);
    map->sorted = true;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->entries[middle].first <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low > 0; low--) {
        if (map->entries[low - 1].last >= address)
            return &map->entries[low - 1];
    }
    return NULL;
}

void gw_ws_map_clear(gw_ws_map *map)
{
    free(map->entries);
    *map = (gw_ws_map){0};
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* A sorted list of ranges. */
#include "names/map.h"

#include <stdlib.h>
#include <string.h>

bool gw_name_map_add(gw_name_map *map, uint64_t first, uint64_t last, const char *name, size_t len)
{
    while (len > 0 && (name[len - 1] == ' ' || name[len - 1] == '\0'))
        len--;
    if (len == 0 || len >= GW_NAME_LEN || last < first || map->num == GW_NAME_MAP_MAX)
        return false;
    if (map->entries == NULL)
        map->entries = calloc(GW_NAME_MAP_MAX, sizeof *map->entries);
    if (map->entries == NULL)
        return false;
    gw_name_map_entry *e = &map->entries[map->num++];
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
    const gw_name_map_entry *x = a, *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->last != y->last)
        return x->last > y->last ? -1 : 1;
    return strcmp(x->name, y->name);
}

const gw_name_map_entry *gw_name_map_find(gw_name_map *map, uint64_t address)
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

void gw_name_put(gw_text *text, const gw_name_map_entry *entry, uint64_t address)
{
    gw_text_str(text, entry->name);
    if (address == entry->first)
        return;
    gw_text_str(text, "+");
    gw_text_hex(text, address - entry->first, 1);
}

void gw_name_map_clear(gw_name_map *map)
{
    free(map->entries);
    *map = (gw_name_map){0};
}

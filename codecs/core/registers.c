/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding registers. */
#include "goldwire/registers.h"

const gw_register *gw_register_at(const gw_register_map *map, uint32_t offset)
{
    for (size_t i = 0; i < map->num; i++) {
        if (map->registers[i].offset == offset)
            return &map->registers[i];
    }
    return NULL;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static bool same_name(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

const gw_register *gw_register_by_name(const gw_register_map *map, const char *name)
{
    for (size_t i = 0; i < map->num; i++) {
        if (same_name(map->registers[i].name, name))
            return &map->registers[i];
    }
    return NULL;
}

const char *gw_access_name(gw_access access)
{
    static const char *const names[] = {"RO", "RW", "WO", "TAKES"};
    return names[access];
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The default memory map, and maps from YAML files. */
#include "boards/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boards/sdb.h"
#include "harness/yaml.h"

const gw_eb_map gw_eb_default_map = {
    .regions =
        {
            {.name = "ram",
             .address = GW_EB_MAP_RAM,
             .size = GW_EB_MAP_RAM_SIZE,
             .kind = GW_EB_REGION_RAM},
            {.name = "fifo",
             .address = GW_EB_MAP_FIFO,
             .size = GW_EB_MAP_FIFO_SIZE,
             .kind = GW_EB_REGION_FIFO},
            {.name = "rom",
             .address = GW_EB_MAP_ROM,
             .size = GW_EB_MAP_ROM_SIZE,
             .kind = GW_EB_REGION_READONLY,
             .counter = true},
            {.name = "error",
             .address = GW_EB_MAP_ERROR,
             .size = GW_EB_MAP_ERROR_SIZE,
             .kind = GW_EB_REGION_ERROR},
            {.name = "arbiter",
             .address = GW_EB_MAP_ARBITER,
             .size = GW_EB_MAP_ARBITER_SIZE,
             .kind = GW_EB_REGION_ARBITER},
        },
    .num_regions = 5,
    .sdb = GW_EB_MAP_SDB,
    .widths = 0xff,
};

/* In the order of gw_eb_region_kind. */
static const char *const kinds[] = {"ram", "fifo", "readonly", "error", "arbiter", NULL};
static const char *const map_keys[] = {"widths", "sdb", "regions", NULL};
static const char *const region_keys[] = {"name", "type", "address", "size", "content", NULL};

static uint64_t end_of(const gw_eb_region *region)
{
    return region->address + region->size; /* checked not to wrap */
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *p = c == '\0' ? NULL : strchr(digits, c | 0x20);
    return p == NULL ? -1 : (int)(p - digits);
}

static bool read_content(gw_yaml *yaml, const gw_yaml_node *node, gw_eb_region *region)
{
    const char *text = "zero";
    if (!gw_yaml_string(yaml, node, &text))
        return false;
    region->counter = strcmp(text, "counter") == 0;
    if (region->counter || strcmp(text, "zero") == 0)
        return true;
    size_t len = strlen(text) / 2;
    if (strlen(text) % 2 != 0 || len > region->size)
        return gw_yaml_fail(yaml, node, "zero, counter, or at most %llu bytes in hexadecimal",
                            (unsigned long long)region->size);
    region->content = malloc(len);
    if (region->content == NULL)
        return gw_yaml_fail(yaml, node, "out of memory");
    region->content_len = len;
    for (size_t i = 0; i < len; i++) {
        int high = hex_digit(text[2 * i]);
        int low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return gw_yaml_fail(yaml, node,
                                "'%.2s' is no hexadecimal byte; zero and counter are "
                                "the only words",
                                text + 2 * i);
        region->content[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* Registers have their size; memory needs one. */
static bool read_size(gw_yaml *yaml, const gw_yaml_node *node, gw_eb_region *region)
{
    static const uint64_t fixed[] = {0, GW_EB_MAP_FIFO_SIZE, 0, 0, GW_EB_MAP_ARBITER_SIZE};
    const gw_yaml_node *size = gw_yaml_get(node, "size");
    region->size = fixed[region->kind];
    if (region->size == 0)
        size = gw_yaml_need(yaml, node, "size");
    if (!gw_yaml_u64(yaml, size, UINT64_MAX, &region->size))
        return false;
    if (fixed[region->kind] != 0 && region->size != fixed[region->kind])
        return gw_yaml_fail(yaml, size, "%s registers take %llu bytes; leave size out",
                            kinds[region->kind], (unsigned long long)fixed[region->kind]);
    if (region->size == 0 || region->size % 8 != 0)
        return gw_yaml_fail(yaml, size, "the size must be a multiple of 8, and not 0");
    if (region->address % 8 != 0)
        return gw_yaml_fail(yaml, gw_yaml_get(node, "address"),
                            "the address must be a multiple of 8");
    if (region->size > UINT64_MAX - region->address)
        return gw_yaml_fail(yaml, size, "the region ends beyond 64-bit addresses");
    return true;
}

static bool overlaps(uint64_t a, uint64_t a_end, uint64_t b, uint64_t b_end)
{
    return a < b_end && b < a_end;
}

static bool check_memory(gw_yaml *yaml, const gw_yaml_node *node, const gw_eb_map *map)
{
    uint64_t memory = 0;
    for (size_t i = 0; i < map->num_regions; i++) {
        const gw_eb_region *region = &map->regions[i];
        if (region->kind != GW_EB_REGION_RAM && region->kind != GW_EB_REGION_READONLY)
            continue;
        if (region->size > GW_EB_MAP_MEMORY_MAX - memory)
            return gw_yaml_fail(yaml, node, "more than %u bytes of memory in all",
                                GW_EB_MAP_MEMORY_MAX);
        memory += region->size;
    }
    return true;
}

static bool read_region(gw_yaml *yaml, const gw_yaml_node *node, gw_eb_map *map)
{
    if (map->num_regions == GW_EB_MAP_REGIONS)
        return gw_yaml_fail(yaml, node, "more than %d regions", GW_EB_MAP_REGIONS);
    /* Counted at once, so that what it owns is freed whatever happens. */
    gw_eb_region *region = &map->regions[map->num_regions++];
    const char *name = "";
    unsigned kind = 0;
    if (!gw_yaml_keys(yaml, node, region_keys) ||
        !gw_yaml_string(yaml, gw_yaml_need(yaml, node, "name"), &name) ||
        !gw_yaml_choice(yaml, gw_yaml_need(yaml, node, "type"), kinds, &kind) ||
        !gw_yaml_u64(yaml, gw_yaml_need(yaml, node, "address"), UINT64_MAX, &region->address))
        return false;
    if (strlen(name) >= sizeof(region->name))
        return gw_yaml_fail(yaml, gw_yaml_get(node, "name"), "a name has at most %zu characters",
                            sizeof(region->name) - 1);
    memcpy(region->name, name, strlen(name) + 1);
    region->kind = (uint8_t)kind;
    if (!read_size(yaml, node, region) || !check_memory(yaml, node, map))
        return false;
    const gw_yaml_node *content = gw_yaml_get(node, "content");
    if (content != NULL && kind != GW_EB_REGION_RAM && kind != GW_EB_REGION_READONLY)
        return gw_yaml_fail(yaml, content, "%s registers have no content", kinds[kind]);
    for (size_t i = 0; i + 1 < map->num_regions; i++) {
        const gw_eb_region *other = &map->regions[i];
        if (overlaps(region->address, end_of(region), other->address, end_of(other)))
            return gw_yaml_fail(yaml, node, "'%s' overlaps '%s'", name, other->name);
    }
    return read_content(yaml, content, region);
}

static bool place_sdb(gw_yaml *yaml, const gw_yaml_node *node, gw_eb_map *map)
{
    uint64_t size = gw_sdb_size(map);
    uint64_t end = 0;
    for (size_t i = 0; i < map->num_regions; i++)
        end = end_of(&map->regions[i]) > end ? end_of(&map->regions[i]) : end;
    if (node == NULL && end > UINT64_MAX - 0x20000)
        return gw_yaml_fail(yaml, gw_yaml_root(yaml),
                            "no room for the SDB table behind the regions; say where: sdb: 0x...");
    map->sdb = (end + 0xffff) & ~UINT64_C(0xffff);
    if (!gw_yaml_u64(yaml, node, UINT64_MAX - size, &map->sdb))
        return false;
    if (map->sdb % 8 != 0)
        return gw_yaml_fail(yaml, node, "the address must be a multiple of 8");
    for (size_t i = 0; i < map->num_regions; i++) {
        const gw_eb_region *region = &map->regions[i];
        if (overlaps(map->sdb, map->sdb + size, region->address, end_of(region)))
            return gw_yaml_fail(yaml, node, "the SDB table (%llu bytes) overlaps '%s'",
                                (unsigned long long)size, region->name);
    }
    return true;
}

static bool read_map(gw_yaml *yaml, gw_eb_map *map)
{
    const gw_yaml_node *root = gw_yaml_root(yaml);
    uint64_t widths = 0xff;
    if (!gw_yaml_keys(yaml, root, map_keys) ||
        !gw_yaml_u64(yaml, gw_yaml_get(root, "widths"), 0xff, &widths))
        return false;
    map->widths = (uint8_t)widths;
    if ((widths & 0xf0) == 0 || (widths & 0x0f) == 0)
        return gw_yaml_fail(yaml, gw_yaml_get(root, "widths"),
                            "at least one address width (high digit) and one port width (low "
                            "digit) are needed, say 0x44");
    const gw_yaml_node *regions = gw_yaml_need(yaml, root, "regions");
    if (!gw_yaml_sequence(yaml, regions))
        return false;
    for (const gw_yaml_node *n = gw_yaml_first(regions); n != NULL; n = gw_yaml_next(n)) {
        if (!read_region(yaml, n, map))
            return false;
    }
    return place_sdb(yaml, gw_yaml_get(root, "sdb"), map);
}

gw_eb_map *gw_eb_map_open(const char *path, char *why, size_t why_cap)
{
    gw_yaml *yaml = gw_yaml_open(path, why, why_cap);
    if (yaml == NULL)
        return NULL;
    gw_eb_map *map = calloc(1, sizeof(*map));
    if (map == NULL) {
        snprintf(why, why_cap, "%s: out of memory", path);
    } else if (!read_map(yaml, map)) {
        snprintf(why, why_cap, "%s", gw_yaml_error(yaml));
        gw_eb_map_close(map);
        map = NULL;
    }
    gw_yaml_close(yaml);
    return map;
}

void gw_eb_map_close(gw_eb_map *map)
{
    if (map == NULL)
        return;
    for (size_t i = 0; i < map->num_regions; i++)
        free(map->regions[i].content);
    free(map);
}

void *gw_eb_map_open_setup(const char *path, char *why, size_t why_cap)
{
    return gw_eb_map_open(path, why, why_cap);
}

void gw_eb_map_close_setup(void *setup)
{
    gw_eb_map_close(setup);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* SDB records of 64 bytes (OHWR, Self-Describing Bus 1.1): the interconnect first. */
#include "boards/sdb.h"

#include <string.h>

#include "goldwire/writer.h"

enum {
    SDB_VERSION = 1,
    SDB_TYPE_INTERCONNECT = 0x00,
    SDB_TYPE_DEVICE = 0x01,
    SDB_BUS_WISHBONE = 0,
    SDB_ANY_WIDTH = 0x0f, /* accesses of 8, 16, 32 and 64 bits; big-endian */
    SDB_DATE = 0x20250101,
};

size_t gw_sdb_size(const gw_eb_map *map)
{
    return GW_SDB_RECORD * (map->num_regions + 1);
}

static void write_product(gw_writer *w, uint32_t device, const char *name, uint8_t type)
{
    char padded[19];
    size_t len = strnlen(name, sizeof(padded));
    memset(padded, ' ', sizeof(padded));
    memcpy(padded, name, len);
    gw_write_be(w, GW_SDB_VENDOR, 8);
    gw_write_be(w, device, 4);
    gw_write_be(w, 1, 4); /* version */
    gw_write_be(w, SDB_DATE, 4);
    gw_write_bytes(w, padded, sizeof(padded));
    gw_write_be(w, type, 1);
}

static uint64_t last_address(const gw_eb_map *map)
{
    uint64_t last = map->sdb + gw_sdb_size(map) - 1;
    for (size_t i = 0; i < map->num_regions; i++) {
        uint64_t end = map->regions[i].address + map->regions[i].size - 1;
        last = end > last ? end : last;
    }
    /* A bus of at least 32 bits, so that empty addresses belong to it. */
    return last > UINT32_MAX ? last : UINT32_MAX;
}

void gw_sdb_write(uint8_t *out, const gw_eb_map *map)
{
    gw_writer w = gw_writer_over(out, gw_sdb_size(map));
    gw_write_be(&w, GW_SDB_MAGIC, 4);
    gw_write_be(&w, map->num_regions + 1, 2);
    gw_write_be(&w, SDB_VERSION, 1);
    gw_write_be(&w, SDB_BUS_WISHBONE, 1);
    gw_write_be(&w, 0, 8);
    gw_write_be(&w, last_address(map), 8);
    write_product(&w, 0x1000, "goldwire-bus", SDB_TYPE_INTERCONNECT);
    for (size_t i = 0; i < map->num_regions; i++) {
        const gw_eb_region *region = &map->regions[i];
        gw_write_be(&w, 0, 2); /* ABI class: custom */
        gw_write_be(&w, 1, 1); /* ABI version 1.0 */
        gw_write_be(&w, 0, 1);
        gw_write_be(&w, SDB_ANY_WIDTH, 4);
        gw_write_be(&w, region->address, 8);
        gw_write_be(&w, region->address + region->size - 1, 8);
        write_product(&w, 0x1001u + region->kind, region->name, SDB_TYPE_DEVICE);
    }
}

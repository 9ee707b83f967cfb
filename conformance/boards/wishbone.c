/* SPDX-License-Identifier: BSD-2-Clause */
/* Devices on the bus and what an access to each does. */
#include "boards/wishbone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boards/memory.h"
#include "boards/sdb.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

GW_WATCHER static void fill_counter(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word = (uint32_t)GW_EB_MAP_ROM_WORD(i / 4);
        const uint8_t order[4] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16),
                                  (uint8_t)(word >> 8), (uint8_t)word};
        memcpy(bytes + i, order, sizeof(order));
    }
}

static bool init_device(gw_wb_device *device, const gw_eb_region *region)
{
    device->address = region->address;
    device->size = region->size;
    device->kind = region->kind;
    switch (region->kind) {
    case GW_EB_REGION_RAM:
    case GW_EB_REGION_READONLY:
        device->bytes = calloc(1, (size_t)region->size);
        if (device->bytes == NULL)
            return false;
        if (region->counter)
            fill_counter(device->bytes, (size_t)region->size);
        else if (region->content != NULL)
            memcpy(device->bytes, region->content, region->content_len);
        return true;
    case GW_EB_REGION_FIFO:
        device->fifo = calloc(GW_EB_FIFO_DEPTH, sizeof(*device->fifo));
        return device->fifo != NULL;
    default:
        return true;
    }
}

static bool init_sdb(gw_wb_device *device, const gw_eb_map *map)
{
    device->address = map->sdb;
    device->size = gw_sdb_size(map);
    device->kind = GW_EB_REGION_READONLY;
    device->bytes = malloc((size_t)device->size);
    if (device->bytes == NULL)
        return false;
    gw_sdb_write(device->bytes, map);
    return true;
}

bool gw_wb_init(gw_wb_bus *bus, const gw_eb_map *map, const gw_peer_config *config, char *why,
                size_t why_cap)
{
    memset(bus, 0, sizeof(*bus));
    bus->num_devices = map->num_regions + 1;
    bool ok = init_sdb(&bus->devices[map->num_regions], map);
    for (size_t i = 0; ok && i < map->num_regions; i++) {
        const gw_eb_region *region = &map->regions[i];
        ok = init_device(&bus->devices[i], region);
        if (ok && region->kind == GW_EB_REGION_RAM && !region->counter && region->content == NULL)
            gw_memory_fill(config, (unsigned)i, bus->devices[i].bytes, (size_t)region->size);
    }
    if (!ok) {
        snprintf(why, why_cap, "out of memory for the slave's devices");
        gw_wb_fini(bus);
    }
    return ok;
}

void gw_wb_fini(gw_wb_bus *bus)
{
    for (size_t i = 0; i < bus->num_devices; i++) {
        free(bus->devices[i].bytes);
        free(bus->devices[i].fifo);
    }
    bus->num_devices = 0;
}

uint64_t gw_wb_lanes(uint8_t select)
{
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < 8; lane++) {
        if (select & 1u << lane)
            mask |= UINT64_C(0xff) << 8 * lane;
    }
    return mask;
}

uint64_t gw_wb_part(uint64_t value, uint64_t address, uint8_t port)
{
    unsigned skip = (unsigned)(address & 7) & ~(port - 1u);
    uint64_t part = value >> 8 * (8 - port - skip);
    return port == 8 ? part : part & ((UINT64_C(1) << 8 * port) - 1);
}

/* The device at |address|, and that address made relative to it. Devices begin and end at multiples
 * of eight, so a whole aligned word is inside or outside. */
static gw_wb_device *find(gw_wb_bus *bus, uint64_t *address)
{
    for (size_t i = 0; i < bus->num_devices; i++) {
        gw_wb_device *device = &bus->devices[i];
        if (*address >= device->address && *address - device->address < device->size) {
            *address -= device->address;
            return device;
        }
    }
    return NULL;
}

static bool push(gw_wb_device *device, uint64_t value)
{
    if (device->fifo_count == GW_EB_FIFO_DEPTH)
        return false;
    device->fifo[(device->fifo_first + device->fifo_count) % GW_EB_FIFO_DEPTH] = value;
    device->fifo_count++;
    return true;
}

static bool pop(gw_wb_device *device, uint64_t *value)
{
    if (device->fifo_count == 0)
        return false;
    *value = device->fifo[device->fifo_first];
    device->fifo_first = (device->fifo_first + 1) % GW_EB_FIFO_DEPTH;
    device->fifo_count--;
    return true;
}

/* The first touch of a cycle counts the cycle. */
static uint64_t touch_arbiter(gw_wb_device *device, uint64_t *operations, uint64_t offset)
{
    if ((*operations)++ == 0)
        device->cycles++;
    return offset < 8 ? device->cycles : *operations;
}

/* Registers are whole words: a part of one, or two at once, are bus errors. */
static bool is_word(uint8_t select, uint8_t port)
{
    return port == 4 && (select & 15) == 15;
}

static bool read_register(const gw_wb_bus *bus, uint64_t address, uint64_t *value)
{
    const gw_wb_registers *r = &bus->registers;
    uint32_t word = 0;
    bool ok = r->read != NULL && r->read(r->board, (uint32_t)address, &word);
    *value = ok ? word : 0;
    return ok;
}

static bool write_register(const gw_wb_bus *bus, uint64_t address, uint64_t value)
{
    const gw_wb_registers *r = &bus->registers;
    return r->write != NULL && r->write(r->board, (uint32_t)address, (uint32_t)value);
}

bool gw_wb_read(gw_wb_bus *bus, gw_wb_master *master, uint64_t address, uint8_t select,
                uint8_t port, uint64_t *value)
{
    uint64_t at = address & ~(uint64_t)(port - 1);
    gw_wb_device *device = find(bus, &at);
    bool ok = device != NULL && device->kind != GW_EB_REGION_ERROR;
    uint64_t *operations = ok ? &master->operations[device - bus->devices] : NULL;
    *value = 0;
    if (!ok)
        return false;
    switch (device->kind) {
    case GW_EB_REGION_RAM:
    case GW_EB_REGION_READONLY:
        *value = gw_load_be(device->bytes + at, port);
        break;
    case GW_EB_REGION_FIFO:
        ok = pop(device, value);
        break;
    case GW_EB_REGION_REGISTERS:
        ok = is_word(select, port) && read_register(bus, device->address + at, value);
        break;
    default:
        *value = gw_wb_part(touch_arbiter(device, operations, at), at, port);
        break;
    }
    *value &= gw_wb_lanes(select);
    return ok;
}

bool gw_wb_write(gw_wb_bus *bus, gw_wb_master *master, uint64_t address, uint8_t select,
                 uint8_t port, uint64_t value)
{
    (void)master;
    uint64_t at = address & ~(uint64_t)(port - 1);
    gw_wb_device *device = find(bus, &at);
    uint64_t lanes = gw_wb_lanes(select);
    if (device == NULL)
        return false;
    if (device->kind == GW_EB_REGION_FIFO)
        return push(device, value & lanes);
    if (device->kind == GW_EB_REGION_REGISTERS)
        return is_word(select, port) && write_register(bus, device->address + at, value);
    if (device->kind != GW_EB_REGION_RAM)
        return false;
    uint64_t old = gw_load_be(device->bytes + at, port);
    gw_store_be(device->bytes + at, (old & ~lanes) | (value & lanes), port);
    return true;
}

bool gw_wb_is_fifo(gw_wb_bus *bus, uint64_t address)
{
    const gw_wb_device *device = find(bus, &address);
    return device != NULL && device->kind == GW_EB_REGION_FIFO;
}

void gw_wb_end_cycle(gw_wb_master *master)
{
    memset(master, 0, sizeof(*master));
}

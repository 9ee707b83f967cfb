/* SPDX-License-Identifier: BSD-2-Clause */
/* The Wishbone bus of the software slave: devices at addresses, masters with a cycle line. */
#ifndef GOLDWIRE_BOARDS_WISHBONE_H
#define GOLDWIRE_BOARDS_WISHBONE_H

#include "boards/map.h"
#include "boards/peer.h"
#include "goldwire/base.h"

/* gw_wb_registers is what lies behind a region of registers: 32-bit words at multiples of four.
 * False is a bus error. */
typedef struct gw_wb_registers {
    void *board;
    bool (*read)(void *board, uint32_t address, uint32_t *value);
    bool (*write)(void *board, uint32_t address, uint32_t value);
} gw_wb_registers;

/* gw_wb_device is one device with its storage. */
typedef struct gw_wb_device {
    uint64_t address;
    uint64_t size;
    uint8_t kind;        /* gw_eb_region_kind */
    uint8_t *bytes;      /* RAM, read-only */
    uint64_t *fifo;      /* GW_EB_FIFO_DEPTH words */
    uint32_t fifo_first; /* oldest */
    uint32_t fifo_count;
    uint64_t cycles; /* arbiter: bus cycles that have touched it */
} gw_wb_device;

/* gw_wb_bus is all devices; the last one is the SDB table. */
typedef struct gw_wb_bus {
    gw_wb_device devices[GW_EB_MAP_REGIONS + 1];
    size_t num_devices;
    gw_wb_registers registers; /* set after gw_wb_init; without functions: bus errors */
} gw_wb_bus;

/* gw_wb_master is one master's view of the bus. Zero is a good start. */
typedef struct gw_wb_master {
    uint64_t operations[GW_EB_MAP_REGIONS + 1]; /* of the present cycle, for each device */
} gw_wb_master;

/* gw_wb_init makes the devices of |map|, RAM without a content of its own being filled as |config|
 * wants it. False with a text in |why| when memory runs out. */
GW_MUST_USE bool gw_wb_init(gw_wb_bus *bus, const gw_eb_map *map, const gw_peer_config *config,
                            char *why, size_t why_cap);

/* gw_wb_fini frees the devices. */
void gw_wb_fini(gw_wb_bus *bus);

/* gw_wb_read reads a word of |port| bytes (1, 2, 4, 8) at |address|, whose low bits are ignored.
 * Lanes that |select| leaves out are zero in *value. False for a bus error, *value then 0. */
bool gw_wb_read(gw_wb_bus *bus, gw_wb_master *master, uint64_t address, uint8_t select,
                uint8_t port, uint64_t *value);

/* gw_wb_write writes the lanes of |value| that |select| names. False for a bus error. */
bool gw_wb_write(gw_wb_bus *bus, gw_wb_master *master, uint64_t address, uint8_t select,
                 uint8_t port, uint64_t value);

/* gw_wb_is_fifo says whether a FIFO lies at |address|. */
bool gw_wb_is_fifo(gw_wb_bus *bus, uint64_t address);

/* gw_wb_end_cycle drops the cycle line of |master|. */
void gw_wb_end_cycle(gw_wb_master *master);

/* gw_wb_lanes returns a mask with 0xff in every byte lane that |select| names. */
uint64_t gw_wb_lanes(uint8_t select);

/* gw_wb_part returns the |port| bytes that lie at |address| of a 64-bit big-endian register. */
uint64_t gw_wb_part(uint64_t value, uint64_t address, uint8_t port);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies on the software slave's Wishbone bus.
 *
 * The default map, also written out with comments in etherbone_slave.yaml:
 *
 *   0x00000000  ram      64 KiB  zero at the start
 *   0x00010000  fifo     8       a write pushes, a read pops the oldest; full or empty: bus error
 *   0x00020000  rom      4 KiB   32-bit word n is 0xc0de0000 + n; a write is a bus error
 *   0x00030000  error    4 KiB   every access is a bus error
 *   0x00040000  arbiter  16      see below; a write is a bus error
 *   0x00050000  sdb              the SDB table, read-only
 *   elsewhere            nothing: bus error, for example at 0x00100000
 *
 * The bus is big-endian: lane 0 of an access is the byte with the highest address.
 *
 * The arbiter shows how a slave drives its cycle line. It has two 64-bit registers (a narrower port
 * reads the low part at the end, as in the config space):
 *   +0  cycles: how many bus cycles have touched this device, the present one included
 *   +8  operations: how many accesses of the present cycle have touched this device, this included
 * Two records of one cycle read the same number of cycles and a growing number of operations. */
#ifndef GOLDWIRE_BOARDS_MAP_H
#define GOLDWIRE_BOARDS_MAP_H

#include "goldwire/base.h"

enum {
    GW_EB_MAP_RAM = 0x00000000,
    GW_EB_MAP_RAM_SIZE = 0x10000,
    GW_EB_MAP_FIFO = 0x00010000,
    GW_EB_MAP_FIFO_SIZE = 8,
    GW_EB_MAP_ROM = 0x00020000,
    GW_EB_MAP_ROM_SIZE = 0x1000,
    GW_EB_MAP_ERROR = 0x00030000,
    GW_EB_MAP_ERROR_SIZE = 0x1000,
    GW_EB_MAP_ARBITER = 0x00040000,
    GW_EB_MAP_ARBITER_SIZE = 16,
    GW_EB_MAP_SDB = 0x00050000,
    GW_EB_MAP_HOLE = 0x00100000,
};

#define GW_EB_MAP_ROM_WORD(n) (UINT32_C(0xc0de0000) + (n))

#define GW_EB_FIFO_DEPTH 256
#define GW_EB_MAP_REGIONS 16
#define GW_EB_MAP_MEMORY_MAX (16u << 20) /* of all RAM and ROM together */

typedef enum gw_eb_region_kind {
    GW_EB_REGION_RAM = 0,
    GW_EB_REGION_FIFO,
    GW_EB_REGION_READONLY,
    GW_EB_REGION_ERROR,
    GW_EB_REGION_ARBITER,
    GW_EB_REGION_REGISTERS, /* of the board that the bus belongs to: gw_wb_registers */
} gw_eb_region_kind;

/* gw_eb_region is one device on the bus. */
typedef struct gw_eb_region {
    char name[20];
    uint64_t address; /* multiple of 8 */
    uint64_t size;    /* bytes, multiple of 8 */
    uint8_t kind;     /* gw_eb_region_kind */
    bool counter;     /* starts with 32-bit words 0xc0de0000 + n instead of zeros */
    uint8_t *content; /* or with these bytes, then zeros; NULL: none */
    size_t content_len;
} gw_eb_region;

/* gw_eb_map is what a slave is made of. */
typedef struct gw_eb_map {
    gw_eb_region regions[GW_EB_MAP_REGIONS];
    size_t num_regions;
    uint64_t sdb;   /* where the SDB table lies */
    uint8_t widths; /* supported: capability masks as in header byte 3 */
} gw_eb_map;

/* gw_eb_default_map is the map above, all 16 pairs of widths supported. */
extern const gw_eb_map gw_eb_default_map;

/* gw_eb_map_open reads a map from the YAML file |path|. NULL with a text in |why| that names file,
 * line and column. */
gw_eb_map *gw_eb_map_open(const char *path, char *why, size_t why_cap);

/* gw_eb_map_close frees it; NULL is allowed. */
void gw_eb_map_close(gw_eb_map *map);

/* gw_eb_map_open_setup and gw_eb_map_close_setup do the same for gw_board. */
void *gw_eb_map_open_setup(const char *path, char *why, size_t why_cap);
void gw_eb_map_close_setup(void *setup);

#endif

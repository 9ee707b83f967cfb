/* SPDX-License-Identifier: BSD-2-Clause */
/* Register maps: what the documents call a board's registers, and what touching them does. */
#ifndef GOLDWIRE_REGISTERS_H
#define GOLDWIRE_REGISTERS_H

#include "goldwire/base.h"

GW_BEGIN_DECLS

typedef enum gw_access {
    GW_READ_ONLY = 0,
    GW_READ_WRITE,
    GW_WRITE_ONLY, /* or a command: what is read means nothing */
    GW_READ_TAKES, /* a read takes something out of a queue */
} gw_access;

/* gw_register is one 32-bit register. */
typedef struct gw_register {
    uint32_t offset; /* bytes from the block's beginning */
    uint8_t access;  /* gw_access */
    uint32_t reset;  /* value after reset, of GW_READ_WRITE ones */
    const char *name;
    const char *what;
} gw_register;

/* gw_register_map is a block of registers, ordered by offset. */
typedef struct gw_register_map {
    const gw_register *registers;
    size_t num;
} gw_register_map;

/* gw_register_at returns the register at byte |offset| of |map|, or NULL for a hole. */
GW_API const gw_register *gw_register_at(const gw_register_map *map, uint32_t offset);

/* gw_register_by_name returns the register that the document calls |name|, in whichever case, or
 * NULL. */
GW_API const gw_register *gw_register_by_name(const gw_register_map *map, const char *name);

/* gw_access_name returns "RO", "RW", "WO" or "TAKES". */
GW_API const char *gw_access_name(gw_access access);

GW_END_DECLS

#endif

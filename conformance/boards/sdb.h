/* SPDX-License-Identifier: BSD-2-Clause */
/* The self-describing bus table: what is on the slave's bus, for programs such as eb-ls. */
#ifndef GOLDWIRE_BOARDS_SDB_H
#define GOLDWIRE_BOARDS_SDB_H

#include "boards/map.h"

#define GW_SDB_RECORD 64
#define GW_SDB_MAGIC 0x5344422du
#define GW_SDB_VENDOR UINT64_C(0x474f4c4457495245) /* "GOLDWIRE" */

/* gw_sdb_size returns how many bytes the table of |map| takes: one record for the interconnect and
 * one for each region. */
size_t gw_sdb_size(const gw_eb_map *map);

/* gw_sdb_write writes the table into gw_sdb_size bytes at |out|, big-endian. */
void gw_sdb_write(uint8_t *out, const gw_eb_map *map);

#endif

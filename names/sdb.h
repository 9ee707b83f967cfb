/* SPDX-License-Identifier: BSD-2-Clause */
/* SDB tables (OHWR, Self-Describing Bus 1.1) as somebody reads them word by word: devices of a bus
 * by name. What lies behind a bridge is not named, since its table counts from elsewhere. */
#ifndef NAMES_SDB_H
#define NAMES_SDB_H

#include "names/map.h"

#define GW_SDB_TABLES 4
#define GW_SDB_RECORDS 64 /* of a table; further ones are not looked at */
#define GW_SDB_RECORD 64  /* bytes of one */

/* gw_sdb_table is a table of which some words are known. */
typedef struct gw_sdb_table {
    uint64_t address;
    uint16_t known[GW_SDB_RECORDS]; /* a bit for each word of a record */
    bool taken[GW_SDB_RECORDS];
    uint8_t bytes[GW_SDB_RECORDS][GW_SDB_RECORD];
} gw_sdb_table;

/* gw_sdb is what is known of one bus. It begins as zeros. */
typedef struct gw_sdb {
    gw_sdb_table tables[GW_SDB_TABLES];
    size_t num_tables;
    gw_name_map bridges;
} gw_sdb;

/* gw_sdb_take tells that |width| (4 or 8) bytes at |address| of the bus hold |value|, and adds
 * to |map| the devices that this completes. */
void gw_sdb_take(gw_sdb *sdb, gw_name_map *map, uint64_t address, uint64_t value, unsigned width);

#endif

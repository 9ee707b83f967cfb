/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lies where on a board's bus, by name. Nothing here knows Wireshark. */
#ifndef DISSECTORS_NAMES_MAP_H
#define DISSECTORS_NAMES_MAP_H

#include "goldwire/base.h"
#include "goldwire/text.h"

#define GW_WS_MAP_MAX 8192     /* entries */
#define GW_WS_MAP_NAME 64      /* bytes of a name, its end included */
#define GW_WS_MAP_FILE 2097152 /* bytes of a file */

/* gw_ws_map_entry is one register or device. */
typedef struct gw_ws_map_entry {
    uint64_t first;
    uint64_t last;
    char name[GW_WS_MAP_NAME];
} gw_ws_map_entry;

/* gw_ws_map lists entries, which may lie within each other. It begins as zeros. */
typedef struct gw_ws_map {
    gw_ws_map_entry *entries;
    size_t num;
    bool sorted;
} gw_ws_map;

/* gw_ws_map_add adds an entry of the first |len| bytes of |name|, without the blanks at its end;
 * bytes that are no printable ASCII become '?'. False when there is no room, no name, or no byte.
 */
bool gw_ws_map_add(gw_ws_map *map, uint64_t first, uint64_t last, const char *name, size_t len);

/* gw_ws_map_find returns the innermost entry that holds |address|, or NULL. It is valid until the
 * map changes. */
const gw_ws_map_entry *gw_ws_map_find(gw_ws_map *map, uint64_t address);

/* gw_ws_map_clear forgets all entries. */
void gw_ws_map_clear(gw_ws_map *map);

/* gw_ws_map_read adds what |len| bytes at |text| list: lines of a LiteX csr.csv
 * ("csr_register,NAME,ADDRESS,WORDS,MODE" and "memory_region,NAME,ADDRESS,BYTES,TYPE"), or a YAML
 * map from names to addresses ("NAME: 0x1000", a word; "NAME: 0x1000-0x1fff"). False with |why|,
 * which names the line. */
GW_MUST_USE bool gw_ws_map_read(gw_ws_map *map, const char *text, size_t len, char *why,
                                size_t cap);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies where on a board's bus, by name. */
#ifndef NAMES_MAP_H
#define NAMES_MAP_H

#include "goldwire/base.h"
#include "goldwire/text.h"

#define GW_NAME_MAP_MAX 8192             /* entries */
#define GW_NAME_LEN 64                   /* bytes of a name, its end included */
#define GW_NAME_SHOWN (GW_NAME_LEN + 24) /* the same of what gw_name_put appends */
#define GW_NAME_MAP_FILE 2097152         /* bytes of a file */

/* gw_name_map_entry is one register or device. */
typedef struct gw_name_map_entry {
    uint64_t first;
    uint64_t last;
    char name[GW_NAME_LEN];
} gw_name_map_entry;

/* gw_name_map lists entries, which may lie within each other. It begins as zeros. */
typedef struct gw_name_map {
    gw_name_map_entry *entries;
    size_t num;
    bool sorted;
} gw_name_map;

/* gw_name_map_add adds an entry of the first |len| bytes of |name|, without the blanks at its end;
 * bytes that are no printable ASCII become '?'. False when there is no room, no name, or no byte.
 */
bool gw_name_map_add(gw_name_map *map, uint64_t first, uint64_t last, const char *name, size_t len);

/* gw_name_map_find returns the innermost entry that holds |address|, or NULL. It is valid until the
 * map changes. */
const gw_name_map_entry *gw_name_map_find(gw_name_map *map, uint64_t address);

/* gw_name_put appends what |address|, which |entry| holds, is called: "leds", or "ram+0x10" behind
 * the first byte. */
void gw_name_put(gw_text *text, const gw_name_map_entry *entry, uint64_t address);

/* gw_name_map_clear forgets all entries. */
void gw_name_map_clear(gw_name_map *map);

/* gw_name_map_read adds what |len| bytes at |text| list: lines of a LiteX csr.csv
 * ("csr_register,NAME,ADDRESS,WORDS,MODE" and "memory_region,NAME,ADDRESS,BYTES,TYPE"), or a YAML
 * map from names to addresses ("NAME: 0x1000", a word; "NAME: 0x1000-0x1fff"). False with |why|,
 * which names the line. */
GW_MUST_USE bool gw_name_map_read(gw_name_map *map, const char *text, size_t len, char *why,
                                  size_t cap);

/* gw_name_map_load is gw_name_map_read of the file at |path|; |map| is empty where it fails. */
GW_MUST_USE bool gw_name_map_load(gw_name_map *map, const char *path, char *why, size_t cap);

#endif

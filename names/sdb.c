/* SPDX-License-Identifier: BSD-2-Clause */
/* Putting SDB records together. */
#include "names/sdb.h"

#include "goldwire/cursor.h"

#define MAGIC 0x5344422du
#define WORD 4
#define ALL_WORDS 0xffff

/* Where the parts of a record stand (sdb_component, sdb_product, sdb_interconnect). */
enum {
    NUM_RECORDS = 4, /* of the first record: 16 bits */
    FIRST = 8,
    LAST = 16,
    NAME = 44,
    NAME_LEN = 19,
    TYPE = 63,
    TYPE_DEVICE = 1,
    TYPE_BRIDGE = 2,
};

static unsigned num_records(const gw_sdb_table *t)
{
    unsigned told = (t->known[0] & 2) != 0 ? gw_load_be16(t->bytes[0] + NUM_RECORDS) : 1;

    return told < GW_SDB_RECORDS ? told : GW_SDB_RECORDS;
}

static void take_record(gw_sdb *sdb, gw_name_map *map, const uint8_t *r)
{
    uint64_t first = gw_load_be64(r + FIRST), last = gw_load_be64(r + LAST);
    const char *name = (const char *)r + NAME;

    if (r[TYPE] == TYPE_DEVICE || r[TYPE] == TYPE_BRIDGE)
        (void)gw_name_map_add(map, first, last, name, NAME_LEN);
    if (r[TYPE] == TYPE_BRIDGE)
        (void)gw_name_map_add(&sdb->bridges, first, last, name, NAME_LEN);
}

static void take_whole_ones(gw_sdb *sdb, gw_name_map *map, gw_sdb_table *t)
{
    unsigned num = num_records(t);

    for (unsigned i = 1; i < num; i++) {
        if (t->known[i] != ALL_WORDS || t->taken[i])
            continue;
        t->taken[i] = true;
        take_record(sdb, map, t->bytes[i]);
    }
}

static void put_word(uint8_t *at, uint32_t word)
{
    for (unsigned i = 0; i < WORD; i++)
        at[i] = (uint8_t)(word >> (8 * (WORD - 1 - i)));
}

static void take_word(gw_sdb *sdb, gw_name_map *map, uint64_t address, uint32_t word)
{
    bool inside = false;

    for (size_t k = 0; k < sdb->num_tables; k++) {
        gw_sdb_table *t = &sdb->tables[k];
        uint64_t at = address - t->address; /* beyond all records when it lies before */
        if (at >= (uint64_t)num_records(t) * GW_SDB_RECORD || at % WORD != 0)
            continue;
        inside = true;
        unsigned record = (unsigned)at / GW_SDB_RECORD, place = at % GW_SDB_RECORD;
        put_word(&t->bytes[record][place], word);
        t->known[record] |= (uint16_t)(1u << place / WORD);
        take_whole_ones(sdb, map, t);
    }
    if (inside || word != MAGIC || sdb->num_tables == GW_SDB_TABLES ||
        gw_name_map_find(&sdb->bridges, address) != NULL)
        return;
    gw_sdb_table *t = &sdb->tables[sdb->num_tables++];
    t->address = address;
    t->known[0] = 1;
    put_word(t->bytes[0], word);
}

void gw_sdb_take(gw_sdb *sdb, gw_name_map *map, uint64_t address, uint64_t value, unsigned width)
{
    if (width == 2 * WORD)
        take_word(sdb, map, address, (uint32_t)(value >> 32));
    if (width >= WORD)
        take_word(sdb, map, address + width - WORD, (uint32_t)value);
}

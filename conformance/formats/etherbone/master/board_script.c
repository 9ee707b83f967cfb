/* SPDX-License-Identifier: BSD-2-Clause */
/* What the master does with a slave, in order. Everything it writes is in the first RAM of its map
 * (or in its FIFO), and every task can be repeated from the start. */
#include <string.h>

#include "boards/sdb.h"
#include "formats/etherbone/master/board.h"

enum {
    CONFIG_SDB = 8,
    WORK_OFFSET = 0x40, /* in the RAM: within reach of 8-bit addresses */
    WORK_SIZE = 128,
    WORDS = 4,
    PIPELINE = 8,
};

#define CHECKED (GW_EB_BCA | GW_EB_RFF) /* answers go to one address of our config space */

static uint64_t cut(const gw_eb_master *m, uint64_t value)
{
    unsigned bits = 8u * m->layout.data_bytes;
    return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* Different for each task, each try (what an earlier one left must not look right) and each word,
 * with all bytes different. */
static uint64_t pattern(const gw_eb_master *m, unsigned i)
{
    uint64_t value = UINT64_C(0x0123456789abcdef) + UINT64_C(0x1111111111111111) * i;
    uint64_t turn = m->task * 8 + m->tries;
    return cut(m, value ^ turn * UINT64_C(0x0101010101010101));
}

static const gw_eb_region *region_of(const gw_eb_master *m, gw_eb_region_kind kind)
{
    for (size_t i = 0; i < m->map->num_regions; i++) {
        if (m->map->regions[i].kind == kind)
            return &m->map->regions[i];
    }
    return NULL;
}

static bool within_reach(const gw_eb_master *m, uint64_t address)
{
    return m->layout.addr_bytes == 8 || address >> 8 * m->layout.addr_bytes == 0;
}

static uint64_t word(const gw_eb_master *m, unsigned i)
{
    const gw_eb_region *ram = region_of(m, GW_EB_REGION_RAM);
    return ram->address + WORK_OFFSET + (uint64_t)i * m->layout.data_bytes;
}

static bool has_ram(const gw_eb_master *m)
{
    const gw_eb_region *ram = region_of(m, GW_EB_REGION_RAM);
    return ram != NULL && ram->size >= WORK_OFFSET + WORK_SIZE &&
           within_reach(m, ram->address + WORK_OFFSET + WORK_SIZE);
}

static void read_words(gw_eb_master *m, uint8_t flags, unsigned first, uint8_t num)
{
    uint64_t reads[GW_EB_MASTER_VALUES];
    for (unsigned i = 0; i < num; i++)
        reads[i] = word(m, first + i);
    gw_eb_operation op = {.flags = flags, .reads = reads, .num_reads = num};
    gw_eb_master_add(m, op);
}

static void write_words(gw_eb_master *m, uint8_t flags, unsigned first, uint8_t num)
{
    uint64_t writes[GW_EB_MASTER_VALUES];
    for (unsigned i = 0; i < num; i++)
        writes[i] = pattern(m, first + i);
    gw_eb_operation op = {
        .flags = flags, .writes = writes, .write_base = word(m, first), .num_writes = num};
    gw_eb_master_add(m, op);
}

/* The last results of the bus, in the same cycle: bit 0 the newest. */
static void read_status(gw_eb_master *m)
{
    uint64_t at = 8u - m->layout.data_bytes;
    gw_eb_operation op = {.flags = CHECKED | GW_EB_RCA | GW_EB_CYC, .reads = &at, .num_reads = 1};
    gw_eb_master_add(m, op);
}

static bool status_clear(const gw_eb_slot *slot, unsigned operations)
{
    uint64_t mask = operations >= 64 ? UINT64_MAX : (UINT64_C(1) << operations) - 1;
    return (slot->values[0] & mask) == 0;
}

static bool holds_pattern(const gw_eb_master *m, const gw_eb_slot *slot, unsigned first)
{
    for (unsigned i = 0; i < slot->count; i++) {
        if (slot->values[i] != pattern(m, first + i))
            return false;
    }
    return true;
}

/* ---- the SDB table ---- */

static void send_sdb_pointer(gw_eb_master *m)
{
    uint64_t reads[8];
    uint8_t num = 0;
    unsigned step = m->layout.data_bytes;
    for (unsigned at = 0; at < 8; at += step)
        reads[num++] = CONFIG_SDB + at + m->policy.config_shift;
    gw_eb_operation op = {
        .flags = CHECKED | GW_EB_RCA | GW_EB_CYC, .reads = reads, .num_reads = num};
    gw_eb_master_begin(m);
    gw_eb_master_add(m, op);
    gw_eb_master_send(m);
}

static uint64_t join(const gw_eb_master *m, const gw_eb_slot *slot, unsigned num)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < num; i++)
        value =
            (m->layout.data_bytes == 8 ? 0 : value << 8 * m->layout.data_bytes) | slot->values[i];
    return value;
}

static bool check_sdb_pointer(gw_eb_master *m)
{
    m->sdb = join(m, &m->slots[0], m->slots[0].count);
    return true;
}

static bool has_sdb(const gw_eb_master *m)
{
    return m->sdb != 0 && within_reach(m, m->sdb + GW_SDB_RECORD);
}

/* Magic, number of records, version. */
static void send_sdb_head(gw_eb_master *m)
{
    uint64_t reads[8];
    uint8_t num = 0;
    for (unsigned at = 0; at < 8; at += m->layout.data_bytes)
        reads[num++] = m->sdb + at;
    gw_eb_operation op = {.flags = CHECKED, .reads = reads, .num_reads = num};
    gw_eb_master_begin(m);
    gw_eb_master_add(m, op);
    read_status(m);
    gw_eb_master_send(m);
}

static bool check_sdb_head(gw_eb_master *m)
{
    uint64_t head = join(m, &m->slots[0], m->slots[0].count);
    return head >> 32 == GW_SDB_MAGIC && (head >> 16 & 0xffff) > 0 &&
           status_clear(&m->slots[1], m->slots[0].count);
}

/* ---- memory ---- */

/* A write-only packet, which nobody answers, then a packet that reads it back. */
static void write_then_read(gw_eb_master *m, uint8_t writes, uint8_t reads, uint8_t num)
{
    gw_eb_master_begin(m);
    write_words(m, writes, 0, num);
    gw_eb_master_send(m);
    gw_eb_master_begin(m);
    read_words(m, reads, 0, num);
    gw_eb_master_send(m);
}

static void send_write_then_read(gw_eb_master *m)
{
    write_then_read(m, GW_EB_CYC, CHECKED | GW_EB_CYC, WORDS);
}

/* Writes and reads in one record: the reads see the writes. */
static void send_write_and_read(gw_eb_master *m)
{
    uint64_t writes[WORDS];
    uint64_t reads[WORDS];
    for (unsigned i = 0; i < WORDS; i++) {
        writes[i] = pattern(m, i);
        reads[i] = word(m, i);
    }
    gw_eb_operation op = {
        .flags = CHECKED | GW_EB_CYC,
        .writes = writes,
        .write_base = word(m, 0),
        .num_writes = WORDS,
        .reads = reads,
        .num_reads = WORDS,
    };
    gw_eb_master_begin(m);
    gw_eb_master_add(m, op);
    gw_eb_master_send(m);
}

static bool check_words(gw_eb_master *m)
{
    return holds_pattern(m, &m->slots[0], 0);
}

/* Results to ascending addresses of our bus instead of one of the config space. */
static void send_ascending(gw_eb_master *m)
{
    gw_eb_master_begin(m);
    write_words(m, 0, 0, WORDS);
    read_words(m, GW_EB_CYC, 0, WORDS);
    gw_eb_master_send(m);
}

/* All writes to one address: the last one stays. */
static void send_fixed_writes(gw_eb_master *m)
{
    gw_eb_master_begin(m);
    write_words(m, GW_EB_WFF, 0, WORDS);
    read_words(m, CHECKED, 0, 1);
    read_status(m);
    gw_eb_master_send(m);
}

static bool check_fixed_writes(gw_eb_master *m)
{
    return m->slots[0].values[0] == pattern(m, WORDS - 1) && status_clear(&m->slots[1], WORDS + 1);
}

/* One byte of a word: the other lanes stay as they were. */
static void send_one_lane(gw_eb_master *m)
{
    uint64_t value = cut(m, UINT64_C(0xa5) << 8 * (m->layout.data_bytes - 1));
    gw_eb_operation op = {
        .writes = &value,
        .write_base = word(m, 0),
        .num_writes = 1,
        .byte_enable = (uint8_t)(1u << (m->layout.data_bytes - 1)),
    };
    gw_eb_master_begin(m);
    write_words(m, 0, 0, 1);
    gw_eb_master_add(m, op);
    read_words(m, CHECKED | GW_EB_CYC, 0, 1);
    gw_eb_master_send(m);
}

static bool check_one_lane(gw_eb_master *m)
{
    unsigned shift = 8u * (m->layout.data_bytes - 1u);
    uint64_t lane = UINT64_C(0xff) << shift;
    return m->slots[0].values[0] == ((pattern(m, 0) & ~lane) | UINT64_C(0xa5) << shift);
}

/* ---- the FIFO ---- */

static bool has_fifo(const gw_eb_master *m)
{
    const gw_eb_region *fifo = region_of(m, GW_EB_REGION_FIFO);
    return fifo != NULL && within_reach(m, fifo->address);
}

/* Takes out what somebody left inside. The answers are not waited for, and ignored. */
static void drain_fifo(gw_eb_master *m, uint64_t at)
{
    uint64_t reads[GW_EB_MASTER_VALUES];
    for (unsigned i = 0; i < GW_EB_MASTER_VALUES; i++)
        reads[i] = at;
    gw_eb_operation pop = {
        .flags = CHECKED | GW_EB_CYC, .reads = reads, .num_reads = GW_EB_MASTER_VALUES};
    gw_eb_master_begin(m);
    gw_eb_master_add(m, pop);
    gw_eb_master_send(m);
    m->num_slots = 0;
}

/* As many out as in, in one packet: a lost one leaves the FIFO as it was. */
static void send_fifo(gw_eb_master *m)
{
    uint64_t writes[WORDS];
    uint64_t reads[WORDS];
    uint64_t at = region_of(m, GW_EB_REGION_FIFO)->address;
    for (unsigned i = 0; i < WORDS; i++) {
        writes[i] = pattern(m, i);
        reads[i] = at;
    }
    gw_eb_operation push = {
        .flags = GW_EB_WFF, .writes = writes, .write_base = at, .num_writes = WORDS};
    gw_eb_operation pop = {.flags = CHECKED, .reads = reads, .num_reads = WORDS};
    if (m->tries > 1)
        drain_fifo(m, at);
    gw_eb_master_begin(m);
    gw_eb_master_add(m, push);
    gw_eb_master_add(m, pop);
    read_status(m);
    gw_eb_master_send(m);
}

static bool check_fifo(gw_eb_master *m)
{
    return holds_pattern(m, &m->slots[0], 0) && status_clear(&m->slots[1], 2 * WORDS);
}

/* ---- several at once ---- */

/* One cycle over four records; only the last one ends it. */
static void send_long_cycle(gw_eb_master *m)
{
    gw_eb_master_begin(m);
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t value = pattern(m, i);
        uint64_t at = word(m, i);
        gw_eb_operation op = {
            .flags = CHECKED,
            .writes = &value,
            .write_base = at,
            .num_writes = 1,
            .reads = &at,
            .num_reads = 1,
        };
        gw_eb_master_add(m, op);
    }
    read_status(m);
    gw_eb_master_send(m);
}

static bool check_long_cycle(gw_eb_master *m)
{
    for (unsigned i = 0; i < WORDS; i++) {
        if (!holds_pattern(m, &m->slots[i], i))
            return false;
    }
    return status_clear(&m->slots[WORDS], 2 * WORDS);
}

/* Packets that do not wait for each other's answers. */
static void send_pipeline(gw_eb_master *m)
{
    gw_eb_master_begin(m);
    write_words(m, GW_EB_CYC, 0, PIPELINE);
    gw_eb_master_send(m);
    for (unsigned i = 0; i < PIPELINE; i++) {
        gw_eb_master_begin(m);
        read_words(m, CHECKED | GW_EB_CYC, i, 1);
        gw_eb_master_send(m);
    }
}

static bool check_pipeline(gw_eb_master *m)
{
    for (unsigned i = 0; i < PIPELINE; i++) {
        if (!holds_pattern(m, &m->slots[i], i))
            return false;
    }
    return true;
}

/* ---- LiteX: a packet is one record that writes or reads, and no flag is ever set ---- */

static void send_plainly(gw_eb_master *m)
{
    write_then_read(m, 0, 0, WORDS);
}

/* As many words as a packet holds. */
static void send_most(gw_eb_master *m)
{
    write_then_read(m, 0, 0, gw_eb_dialect_of(m->dialect)->record_words);
}

/* A burst to one address: reads name it again and again. */
static void send_fixed_reads(gw_eb_master *m)
{
    uint64_t reads[WORDS];
    for (unsigned i = 0; i < WORDS; i++)
        reads[i] = word(m, 0);
    gw_eb_operation op = {.reads = reads, .num_reads = WORDS};
    gw_eb_master_begin(m);
    write_words(m, 0, 0, 1);
    gw_eb_master_send(m);
    gw_eb_master_begin(m);
    gw_eb_master_add(m, op);
    gw_eb_master_send(m);
}

static bool check_fixed_reads(gw_eb_master *m)
{
    for (unsigned i = 0; i < WORDS; i++) {
        if (m->slots[0].values[i] != pattern(m, 0))
            return false;
    }
    return true;
}

/* ---- */

static const gw_eb_task usual[] = {
    {"SDB pointer", NULL, send_sdb_pointer, check_sdb_pointer},
    {"SDB table", has_sdb, send_sdb_head, check_sdb_head},
    {"write, then read", has_ram, send_write_then_read, check_words},
    {"write and read in one record", has_ram, send_write_and_read, check_words},
    {"ascending return addresses", has_ram, send_ascending, check_words},
    {"writes to one address", has_ram, send_fixed_writes, check_fixed_writes},
    {"one byte lane", has_ram, send_one_lane, check_one_lane},
    {"FIFO", has_fifo, send_fifo, check_fifo},
    {"a cycle over several records", has_ram, send_long_cycle, check_long_cycle},
    {"several packets outstanding", has_ram, send_pipeline, check_pipeline},
};
static const gw_eb_task litex[] = {
    {"write, then read", has_ram, send_plainly, check_words},
    {"as many words as a packet holds", has_ram, send_most, check_words},
    {"one address again and again", has_ram, send_fixed_reads, check_fixed_reads},
    {"write, then read once more", has_ram, send_plainly, check_words},
};
static const gw_eb_script usual_script = {usual, GW_ARRAY_LEN(usual)};
static const gw_eb_script litex_script = {litex, GW_ARRAY_LEN(litex)};

const gw_eb_script *gw_eb_script_for(const gw_dialect *dialect)
{
    return gw_eb_dialect_of(dialect)->record_words > 0 ? &litex_script : &usual_script;
}

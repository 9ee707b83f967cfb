/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: the config space and the SDB table that it points to. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

#define SDB_RECORD 64
#define SDB_MAGIC 0x5344422d
#define SDB_MAX_RECORDS 256

/* The 64-bit config register at |base|, read in words of the port width, highest first. */
static uint64_t config_register(gw_ctx *ctx, uint64_t base)
{
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    uint64_t value = 0;
    for (unsigned at = 0; at < 8; at += step) {
        uint64_t word = gw_ebc_read_config(ctx, base + at);
        value = step == 8 ? word : value << step * 8 | word;
    }
    return value;
}

/* |len| bytes of the bus, a multiple of 8, big-endian words whatever the port width. */
static void read_bytes(gw_ctx *ctx, uint64_t address, uint8_t *out, unsigned len)
{
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    for (unsigned at = 0; at < len; at += step)
        gw_store_be(out + at, gw_ebc_read(ctx, address + at), step);
}

static void pointer(gw_ctx *ctx)
{
    uint64_t table = config_register(ctx, 8);
    gw_miss miss = {.rule = "EB-S38", .got = table};
    if (table == UINT64_MAX || table % 8 != 0)
        gw_case_fail(ctx, &miss,
                     "config address 8 holds 0x%" PRIx64 ": the address of a table, a "
                     "multiple of 8, expected",
                     table);
    gw_case_note(ctx, "SDB table at 0x%" PRIx64, table);
}

GW_NORETURN static void bad_table(gw_ctx *ctx, uint64_t address, const char *what, uint64_t got)
{
    gw_miss miss = {.rule = "EB-S38", .got = got};
    gw_case_fail(ctx, &miss, "SDB record at 0x%" PRIx64 ": %s, got 0x%" PRIx64, address, what, got);
}

static bool known_type(uint8_t type)
{
    return type <= 0x03 || (type >= 0x80 && type <= 0x82) || type == 0xff;
}

/* Narrow addresses of a board that shows wider ones end below its table, which is no fault. */
static void need_reach(gw_ctx *ctx, uint64_t address)
{
    unsigned bits = gw_ebc_layout(ctx).addr_bytes * 8u;
    bool wider = gw_ebc_shown(ctx) >> 4 > bits / 8;
    if (bits < 64 && wider && address + SDB_RECORD > UINT64_C(1) << bits)
        gw_case_na(ctx, "the SDB record at 0x%" PRIx64 " is out of reach of %u bit addresses",
                   address, bits);
}

static void table(gw_ctx *ctx)
{
    uint8_t record[SDB_RECORD];
    uint64_t address = config_register(ctx, 8);
    need_reach(ctx, address);
    read_bytes(ctx, address, record, SDB_RECORD);
    uint32_t magic = gw_load_be32(record);
    unsigned num = gw_load_be16(record + 4);
    if (magic != SDB_MAGIC)
        bad_table(ctx, address, "magic 0x5344422d expected", magic);
    if (num == 0 || num > SDB_MAX_RECORDS)
        bad_table(ctx, address, "1 to 256 records expected", num);
    if (record[6] != 1)
        bad_table(ctx, address, "version 1 expected", record[6]);
    if (record[63] != 0)
        bad_table(ctx, address, "an interconnect record (0) expected first", record[63]);
    for (unsigned i = 1; i < num; i++) {
        uint64_t at = address + (uint64_t)i * SDB_RECORD;
        need_reach(ctx, at);
        read_bytes(ctx, at, record, SDB_RECORD);
        uint8_t type = record[63];
        if (!known_type(type))
            bad_table(ctx, at, "a known record type expected", type);
        if ((type == 0x01 || type == 0x02) && gw_load_be64(record + 8) > gw_load_be64(record + 16))
            bad_table(ctx, at, "the last address is below the first", gw_load_be64(record + 16));
    }
    gw_case_note(ctx, "SDB table of %u records", num);
}

static void big_endian(gw_ctx *ctx)
{
    uint8_t usual = gw_ebc_widths(ctx);
    uint64_t expected = config_register(ctx, 8);
    unsigned compared = 0;
    if (expected == 0)
        gw_case_na(ctx, "the SDB pointer is 0, so its byte order cannot be seen");
    for (unsigned port = 1; port <= 8; port *= 2) {
        uint8_t pair = (uint8_t)((usual & 0xf0) | port);
        if (pair == usual || !gw_ebc_supports(ctx, pair))
            continue;
        gw_ebc_use(ctx, pair);
        uint64_t got = config_register(ctx, 8);
        gw_miss miss = {.rule = "EB-S39", .expected = expected, .got = got};
        if (got != expected)
            gw_case_fail(ctx, &miss,
                         "config register 8 reads 0x%" PRIx64 " through a %u bit port, "
                         "0x%" PRIx64 " through %u bit",
                         got, port * 8, expected, 8u * (usual & 15));
        compared++;
    }
    if (compared == 0)
        gw_case_note(ctx, "the board has one port width only: read once");
}

static void msi(gw_ctx *ctx)
{
    static const char *const meanings[] = {"not granted", "granted", "not supported", "busy"};
    uint64_t address = gw_ebc_config_low(ctx, 0x28);
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_eb_operation op = {.reads = &address,
                          .num_reads = 1,
                          .flags = GW_EB_RCA | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, "EB-S41");
    uint64_t state = gw_ebc_result(ctx, &request, &reply, 0);
    gw_case_note(ctx, "MSI state at 0x28 reads %" PRIu64 ": %s", state,
                 state < 4 ? meanings[state] : "specific to the board");
}

const gw_case gw_eb_s_config[] = {
    {.id = "eb-s/sdb-pointer",
     .title = "Config address 8 holds the address of a table",
     .rules = GW_LIST("EB-S38"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("sdb"),
     .run = pointer},
    {.id = "eb-s/sdb-table",
     .title = "A valid SDB table lies where config address 8 points",
     .rules = GW_LIST("EB-S38"),
     .after = GW_LIST("eb-s/sdb-pointer"),
     .needs = GW_LIST("sdb"),
     .run = table},
    {.id = "eb-s/config-widths",
     .title = "Config registers are big-endian at every port width",
     .rules = GW_LIST("EB-S39"),
     .after = GW_LIST("eb-s/sdb-pointer"),
     .needs = GW_LIST("sdb"),
     .run = big_endian},
    {.id = "eb-s/msi",
     .title = "Reads of the MSI registers are answered whether a board has them or not",
     .rules = GW_LIST("EB-S40", "EB-S41"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("config-space"),
     .run = msi},
    {0},
};

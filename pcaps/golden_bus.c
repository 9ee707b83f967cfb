/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden traces of what a slave does with its bus: probes, widths, flags, FIFO, records, config
 * space, errors. */
#include <stdio.h>

#include "golden.h"

enum { READ = GW_EB_CYC | GW_EB_BCA | GW_EB_RFF };

static void ask(golden *g, uint8_t widths, const gw_eb_operation *ops, size_t num,
                const char *comment, const char *reply)
{
    uint8_t packet[1472];
    size_t len = golden_packet(g, packet, sizeof packet, widths, ops, num);
    if (reply != NULL)
        golden_ask(g, packet, len, comment, reply);
    else
        golden_tell(g, packet, len, comment);
}

static gw_eb_operation write_op(uint64_t base, const uint64_t *values, uint8_t num, uint8_t flags,
                                uint8_t be)
{
    return (gw_eb_operation){
        .writes = values, .num_writes = num, .write_base = base, .flags = flags, .byte_enable = be};
}

static gw_eb_operation read_op(const uint64_t *addrs, uint8_t num, uint8_t flags, uint8_t be)
{
    return (gw_eb_operation){
        .reads = addrs, .num_reads = num, .return_base = 0x8000, .flags = flags, .byte_enable = be};
}

static void probe(const char *folder)
{
    static const struct {
        const char *hex, *says, *reply;
    } steps[] = {
        {"4e6f11ff 00000086", "EB-M02: a probe is 8 bytes; the sender can do every width",
         "EB-S03 EB-S04 EB-S06 EB-S08: PR and NR set, the id copied, the slave's own widths"},
        {"4e6f1144 a1b2c3d4", "A probe from a 32/32 master, another id",
         "EB-S04: any id is copied"},
        {"4e6f1111 00000000", "A probe from an 8/8 master, id 0", "EB-S05: always 8 bytes"},
        {"4e6f2144 00000007", "A probe of version 2",
         "EB-S07: answered with the slave's own version"},
        {"4e6ff144 00000008", "A probe of version 15",
         "EB-S07: answered with the slave's own version"},
        {"4e6f1944 00000009", "A probe with the reserved bit set",
         "EB-S14: ignored on reception; EB-S13: zero in the response"},
    };
    golden g;

    golden_open(&g, folder, "probe");
    golden_board(&g, NULL);
    for (size_t i = 0; i < GW_ARRAY_LEN(steps); i++) {
        uint8_t packet[16];
        size_t len = golden_hex(packet, sizeof packet, steps[i].hex);
        golden_ask(&g, packet, len, steps[i].says, steps[i].reply);
    }
    golden_close(&g);
}

static void widths(const char *folder)
{
    static const uint8_t bytes[] = {1, 2, 4, 8};
    golden g;

    golden_open(&g, folder, "widths");
    golden_board(&g, NULL);
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned d = 0; d < 4; d++) {
            uint8_t pair = (uint8_t)(bytes[a] << 4 | bytes[d]);
            uint8_t be = (uint8_t)(0xff >> (8 - bytes[d]));
            uint64_t value = 0x1122334455667788u >> (64 - 8 * bytes[d]), address = 0x40;
            unsigned unit = bytes[a] > bytes[d] ? bytes[a] : bytes[d];
            char says[160], reply[160];
            gw_eb_operation op = write_op(0x40, &value, 1, READ, be);
            op.reads = &address;
            op.num_reads = 1;
            op.return_base = 0x8000;
            snprintf(
                says, sizeof says,
                "EB-S11 EB-S12: %u-bit addresses, %u-bit port: units of %u bytes, header of %u",
                8u * bytes[a], 8u * bytes[d], unit < 2 ? 2 : unit, unit == 8 ? 8u : 4u);
            snprintf(
                reply, sizeof reply,
                "EB-S11 EB-S15 EB-S22: same widths, the word just written, 0x8000 as a whole unit");
            ask(&g, pair, &op, 1, says, reply);
        }
    }
    golden_close(&g);
}

static void flags(const char *folder)
{
    static const uint8_t bits[] = {GW_EB_BCA, GW_EB_RFF, GW_EB_CYC};
    uint64_t addrs[2] = {GW_EB_MAP_ROM, GW_EB_MAP_ROM + 4};
    golden g;

    golden_open(&g, folder, "flags");
    golden_board(&g, NULL);
    for (unsigned mask = 0; mask < 8; mask++) {
        uint8_t set = 0;
        char says[160];
        for (unsigned i = 0; i < 3; i++)
            set |= mask & 1u << i ? bits[i] : 0;
        snprintf(says, sizeof says, "Read 2 with BCA=%u RFF=%u CYC=%u%s", mask & 1, mask >> 1 & 1,
                 mask >> 2, set & GW_EB_CYC ? "" : "; the cycle ends in a second, empty record");
        gw_eb_operation ops[2] = {read_op(addrs, 2, set, 0x0f),
                                  {.flags = GW_EB_CYC, .byte_enable = 0x0f}};
        ask(&g, 0x44, ops, set & GW_EB_CYC ? 1 : 2, says,
            "EB-S20: WCA repeats BCA, WFF repeats RFF, CYC is kept; EB-S19: WCount is the RCount");
    }
    golden_close(&g);
}

static void write_read_fifo(const char *folder)
{
    uint64_t words[3] = {0xcafe0001, 0xcafe0002, 0xcafe0003};
    uint64_t ram[4] = {0x108, 0x104, 0x100, 0x104};
    uint64_t fifo[3] = {GW_EB_MAP_FIFO + 4, GW_EB_MAP_FIFO + 4, GW_EB_MAP_FIFO + 4};
    uint64_t byte = 0x00110000, lane = 0x100;
    gw_eb_operation op;
    golden g;

    golden_open(&g, folder, "write-read-fifo");
    golden_board(&g, NULL);
    op = write_op(0x100, words, 3, GW_EB_CYC, 0x0f);
    ask(&g, 0x44, &op, 1, "EB-S16: three words at ascending addresses; EB-S28: NR, so no reply",
        NULL);
    op = read_op(ram, 4, READ, 0x0f);
    ask(&g, 0x44, &op, 1, "EB-S18: four addresses, backwards and one twice",
        "EB-S18: the words in the order asked for");
    op = write_op(GW_EB_MAP_FIFO + 4, words, 3, GW_EB_CYC | GW_EB_WFF, 0x0f);
    ask(&g, 0x44, &op, 1, "EB-S17: WFF writes all three to one address, a FIFO", NULL);
    op = read_op(fifo, 3, READ, 0x0f);
    ask(&g, 0x44, &op, 1, "Read the FIFO three times", "EB-S17: first in, first out");
    op = write_op(0x100, &byte, 1, GW_EB_CYC, 0x04);
    ask(&g, 0x44, &op, 1, "EB-S23: byte enable 04 writes one lane", NULL);
    op = read_op(&lane, 1, READ, 0x0f);
    ask(&g, 0x44, &op, 1, "Read the whole word", "EB-S23: only that lane has changed");
    op = read_op(&lane, 1, READ, 0x03);
    ask(&g, 0x44, &op, 1, "Read with byte enable 03",
        "EB-S21 EB-S23: enables copied, other lanes 0");
    golden_close(&g);
}

static void records(const char *folder)
{
    uint64_t words[100], addrs[100];
    gw_eb_operation ops[100];
    golden g;

    for (unsigned i = 0; i < 100; i++) {
        words[i] = 0x01010101u * (i + 1);
        addrs[i] = 0x200 + 4 * i;
    }
    golden_open(&g, folder, "records");
    golden_board(&g, NULL);
    ops[0] = (gw_eb_operation){.flags = GW_EB_CYC};
    ask(&g, 0x44, ops, 1, "EB-S30: an empty record is a no-op", NULL);
    for (unsigned i = 0; i < 99; i++)
        ops[i] = (gw_eb_operation){0};
    ops[99] = read_op(addrs, 1, READ, 0x0f);
    ask(&g, 0x44, ops, 100, "EB-S30: 99 empty records, then one read",
        "EB-S30: the read is answered");
    ops[0] = write_op(0x200, words, 100, 0, 0x0f);
    ops[1] = read_op(addrs, 100, READ, 0x0f);
    ask(&g, 0x44, ops, 2, "EB-S31: 100 writes and 100 reads in two records of one cycle",
        "EB-S25: one record, shorter than the request");
    for (unsigned i = 0; i < 20; i++) {
        ops[i] = read_op(&addrs[i], 1, READ, 0x0f);
        ops[i].return_base = 0x8000 + 2 * i;
    }
    ask(&g, 0x44, ops, 20, "EB-S31: 20 records, a return address each",
        "EB-S22 EB-S31: 20 records in the order asked for");
    golden_close(&g);
}

static void config_space(const char *folder)
{
    uint64_t mixed[5] = {GW_EB_MAP_RAM, GW_EB_MAP_HOLE, GW_EB_MAP_RAM, GW_EB_MAP_HOLE,
                         GW_EB_MAP_RAM};
    uint64_t status[2] = {0, 4}, pointer[2] = {8, 12}, sdb[16];
    gw_eb_operation ops[2];
    golden g;

    golden_open(&g, folder, "config-space");
    golden_board(&g, NULL);
    ops[0] = read_op(mixed, 5, GW_EB_BCA | GW_EB_RFF, 0x0f);
    ops[1] = read_op(status, 2, READ | GW_EB_RCA, 0x0f);
    ops[1].return_base = 0x8001;
    ask(&g, 0x44, ops, 2, "EB-S34: good, unmapped, good, unmapped, good; then the error register",
        "EB-S34: 0x0000000a, newest result in bit 0; EB-S41: unmapped reads are answered too");
    ask(&g, 0x44, &ops[1], 1, "EB-S35: reading the register again", "EB-S35: it has not shifted");
    ops[0] = read_op(pointer, 2, READ | GW_EB_RCA, 0x0f);
    ask(&g, 0x44, ops, 1, "EB-S38: where is the SDB table?", "EB-S38: a Wishbone bus address");
    for (unsigned record = 0; record < 3; record++) {
        for (unsigned i = 0; i < 16; i++)
            sdb[i] = GW_EB_MAP_SDB + 64 * record + 4 * i;
        ops[0] = read_op(sdb, 16, READ, 0x0f);
        ask(&g, 0x44, ops, 1, "EB-S38: one 64-byte SDB record, read on the bus",
            record == 0 ? "The interconnect: magic SDB-, number of records" : "A device");
    }
    golden_close(&g);
}

static void errors(const char *folder)
{
    static const struct {
        uint64_t address;
        const char *says;
    } places[] = {
        {GW_EB_MAP_HOLE, "an address where nothing is"},
        {GW_EB_MAP_ERROR, "a region that answers every access with a bus error"},
        {GW_EB_MAP_ROM, "read-only memory"},
    };
    uint64_t word = 0xdeadbeef, status = 4;
    golden g;

    golden_open(&g, folder, "errors");
    golden_board(&g, NULL);
    for (size_t i = 0; i < GW_ARRAY_LEN(places); i++) {
        char says[160];
        gw_eb_operation op = write_op(places[i].address, &word, 1, READ | GW_EB_RCA, 0x0f);
        op.reads = &status;
        op.num_reads = 1;
        op.return_base = 0x8001;
        snprintf(says, sizeof says, "EB-S41: write to %s, then read the error register",
                 places[i].says);
        ask(&g, 0x44, &op, 1, says, "EB-S34: bit 0 is set: the write failed");
    }
    golden_close(&g);
}

void golden_bus_traces(const char *folder)
{
    probe(folder);
    widths(folder);
    flags(folder);
    write_read_fifo(folder);
    records(folder);
    config_space(folder);
    errors(folder);
}

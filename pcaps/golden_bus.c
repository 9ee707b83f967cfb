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
    static const golden_step wide[] = {
        {"4e6f11ff 00000086", "EB-M02: a probe is 8 bytes; the sender can do every width",
         "EB-S03 EB-S04 EB-S06 EB-S08: PR and NR set, the id copied, the slave's own widths"},
        {"4e6f1144 a1b2c3d4", "A probe from a 32/32 master, another id",
         "EB-S04: any id is copied"},
        {"4e6f1111 00000000", "A probe from an 8/8 master, id 0", "EB-S05: always 8 bytes"},
        {"4e6f1148 ffffffff", "A probe from a 32/64 master, id ffffffff",
         "EB-S04: even an id of all ones"},
        {"4e6f1100 00000005", "A probe that names no width",
         "EB-S06: the response is the slave's own mask, whatever the probe's"},
        {"4e6f1544 00000006", "A probe with NR set, which says nothing about the response",
         "EB-S03: a probe is answered"},
        {"4e6f2144 00000007", "A probe of version 2",
         "EB-S07: answered with the slave's own version"},
        {"4e6ff144 00000008", "A probe of version 15",
         "EB-S07: answered with the slave's own version"},
        {"4e6f1944 00000009", "A probe with the reserved bit set; breaks EB-M01",
         "EB-S14: ignored on reception; EB-S13: zero in the response"},
        {"4e6f1144 00000086", "The first id once more, which is nobody's any longer",
         "EB-S04: answered like any other"},
    };
    static const golden_step narrow[] = {
        {"4e6f1111 00000010", "An 8/8 master probes a 32/32 slave",
         "EB-S06: 32/32, so the two have no width in common"},
        {"4e6f1011 080100010080 0000", "It asks all the same, as 8/8; EB-S45; breaks EB-M04", NULL},
        {"4e6f11ff 00000011", "A master of all widths probes the 32/32 slave",
         "EB-S06: 32/32 is what is left"},
        {"4e6f1044 080f0001 00008000 00020000", "EB-M04: it asks as 32/32",
         "EB-S11: answered as 32/32"},
        {"4e6f1024 080f0001 00008000 00000000",
         "and as 16/32, which was not offered; breaks EB-M04", NULL},
    };
    static gw_eb_map map; /* outlives the board */
    golden g;

    golden_open(&g, folder, "probe");
    golden_board(&g, NULL);
    golden_steps(&g, wide, GW_ARRAY_LEN(wide));
    map = gw_eb_default_map;
    map.widths = GW_EB_32BIT << 4 | GW_EB_32BIT;
    golden_board_of(&g, &(gw_peer_config){.setup = &map});
    golden_steps(&g, narrow, GW_ARRAY_LEN(narrow));
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

/* One write and two reads with each of the 64 sets of flags. */
static void flags(const char *folder)
{
    static const struct {
        uint8_t bit;
        const char *name;
    } bits[] = {
        {GW_EB_BCA, " BCA"}, {GW_EB_RCA, " RCA"}, {GW_EB_RFF, " RFF"},
        {GW_EB_CYC, " CYC"}, {GW_EB_WCA, " WCA"}, {GW_EB_WFF, " WFF"},
    };
    static const uint64_t word = 0x11223344, rom[2] = {GW_EB_MAP_ROM, GW_EB_MAP_ROM + 4},
                          config[2] = {8, 12};
    golden g;

    golden_open(&g, folder, "flags");
    golden_board(&g, NULL);
    for (unsigned mask = 0; mask < 64; mask++) {
        uint8_t set = 0;
        char says[160], reply[160];
        int len = snprintf(says, sizeof says, "One write, two reads, flags");
        for (unsigned i = 0; i < GW_ARRAY_LEN(bits); i++) {
            if ((mask & 1u << i) == 0)
                continue;
            set |= bits[i].bit;
            len += snprintf(says + len, sizeof says - (size_t)len, "%s", bits[i].name);
        }
        bool last = (set & GW_EB_CYC) != 0;
        snprintf(says + len, sizeof says - (size_t)len, "%s%s", set == 0 ? " none" : "",
                 last ? "" : "; an empty record ends the cycle");
        snprintf(reply, sizeof reply,
                 "EB-S20: WCA is %d as BCA was, WFF is %d as RFF was, CYC is %d",
                 (set & GW_EB_BCA) != 0, (set & GW_EB_RFF) != 0, last);
        gw_eb_operation ops[2] = {
            write_op(0x100, &word, 1, set, 0x0f),
            {.flags = GW_EB_CYC, .byte_enable = 0x0f},
        };
        ops[0].reads = set & GW_EB_RCA ? config : rom;
        ops[0].num_reads = 2;
        ops[0].return_base = 0x8000;
        ask(&g, 0x44, ops, last ? 1 : 2, says, reply);
    }
    golden_close(&g);
}

/* As many words as a record counts, into the FIFO and out again. */
static void deep_fifo(golden *g)
{
    uint64_t words[255], addrs[255];
    gw_eb_operation op;

    for (unsigned i = 0; i < 255; i++) {
        words[i] = 0xf1f00000 + i;
        addrs[i] = GW_EB_MAP_FIFO + 4;
    }
    op = write_op(GW_EB_MAP_FIFO + 4, words, 255, GW_EB_CYC | GW_EB_WFF, 0x0f);
    ask(g, 0x44, &op, 1, "EB-S17: 255 words into the FIFO, the most that a record writes", NULL);
    op = read_op(addrs, 255, READ, 0x0f);
    ask(g, 0x44, &op, 1, "255 reads, the most that a record reads",
        "EB-S17 EB-S19: all 255 words in the order they went in");
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
    deep_fifo(&g);
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
    enum { EMPTIES = 300 };
    uint64_t words[255], addrs[100];
    gw_eb_operation ops[EMPTIES + 1] = {{.num_writes = 0}};
    golden g;

    for (unsigned i = 0; i < 255; i++)
        words[i] = UINT64_C(0x01010101) * (i + 1);
    for (unsigned i = 0; i < 100; i++)
        addrs[i] = UINT64_C(4) * i + 0x200;
    golden_open(&g, folder, "records");
    golden_board(&g, NULL);
    ask(&g, 0x44, NULL, 0, "EB-S31: no record at all, a bare packet header", NULL);
    ops[EMPTIES] = read_op(addrs, 1, READ, 0x0f);
    ask(&g, 0x44, ops, EMPTIES + 1, "EB-S30: 300 empty records, then one read",
        "EB-S30: the read is answered");
    ops[0] = (gw_eb_operation){.flags = GW_EB_CYC};
    ask(&g, 0x44, ops, 1, "EB-S30: an empty record is a no-op", NULL);
    ops[0] = write_op(0x200, words, 100, 0, 0x0f);
    ops[1] = read_op(addrs, 100, READ, 0x0f);
    ask(&g, 0x44, ops, 2, "EB-S31: 100 writes and 100 reads in two records of one cycle",
        "EB-S25: one record, shorter than the request");
    ops[0] = write_op(0x200, words, 255, READ, 0x0f);
    ops[0].reads = addrs;
    ops[0].num_reads = 100;
    ops[0].return_base = 0x8000;
    ask(&g, 0x44, ops, 1, "EB-S15: 255 writes and 100 reads in one record, 1436 bytes",
        "EB-S15: the words just written");
    for (unsigned i = 0; i < 20; i++) {
        ops[i] = read_op(&addrs[i], 1, i + 1 < 20 ? GW_EB_BCA | GW_EB_RFF : READ, 0x0f);
        ops[i].return_base = 0x8000 + 2 * i;
    }
    ask(&g, 0x44, ops, 20, "EB-S31: 20 records of one cycle, a return address each",
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

/* Reads somewhere that fails, and the error register in the same cycle. */
static void failing_read(golden *g, uint64_t address, const char *says)
{
    uint64_t status = 4;
    gw_eb_operation ops[2] = {read_op(&address, 1, GW_EB_BCA | GW_EB_RFF, 0x0f),
                              read_op(&status, 1, READ | GW_EB_RCA, 0x0f)};

    ops[1].return_base = 0x8001;
    ask(g, 0x44, ops, 2, says, "EB-S41: answered all the same; EB-S34: and bit 0 is set");
}

/* 70 reads, good and bad in turn, and all 64 bits of the register. */
static void deep_register(golden *g)
{
    uint64_t mixed[70], status[2] = {0, 4};
    gw_eb_operation ops[2];

    for (unsigned i = 0; i < 70; i++)
        mixed[i] = i % 2 == 0 ? GW_EB_MAP_ROM : GW_EB_MAP_HOLE;
    ops[0] = read_op(mixed, 70, GW_EB_BCA | GW_EB_RFF, 0x0f);
    ops[1] = read_op(status, 2, READ | GW_EB_RCA, 0x0f);
    ops[1].return_base = 0x8001;
    ask(g, 0x44, ops, 2, "EB-S36: 70 reads, good and unmapped in turn, then the whole register",
        "EB-S36: 0x55555555 twice: 64 results are remembered");
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
    static const golden_step other_ports[] = {
        {"4e6f1041 e8010001 00008001 00000007",
         "EB-S39: the register's last byte, by an 8-bit port", "EB-S39: 0x55, the low eight bits"},
        {"4e6f1042 e8030001 00008001 00000006", "EB-S39: the last two bytes, by a 16-bit port",
         "EB-S39: 0x5555"},
        {"4e6f1048 00000000 e8ff0001 00000000 0000000000008001 0000000000000000",
         "EB-S39: all of it, by a 64-bit port", "EB-S39: all 64 bits, the newest in bit 0"},
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
    failing_read(&g, GW_EB_MAP_HOLE, "EB-S41: read where nothing is, then the error register");
    failing_read(&g, GW_EB_MAP_FIFO + 4, "EB-S41: read an empty FIFO, then the error register");
    deep_register(&g);
    golden_steps(&g, other_ports, GW_ARRAY_LEN(other_ports));
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

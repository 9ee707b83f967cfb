/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden traces of real devices' dialects. A trace carries the name of its dialect, and tools are
 * to read it in that dialect. */
#include <stdio.h>

#include "golden.h"

/* What a device says that no board of ours plays: hand-written. */
struct line {
    bool reply;
    const char *hex, *says;
};

static void lines(golden *g, const struct line *l, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        uint8_t packet[64];
        size_t len = golden_hex(packet, sizeof packet, l[i].hex);
        golden_wait(g, l[i].reply ? 10000 : GOLDEN_MS);
        golden_udp(g, l[i].reply ? &g->slave : &g->client, l[i].reply ? &g->client : &g->slave,
                   packet, len, golden_time(g), l[i].says);
    }
}

static void gsi(const char *folder)
{
    static const golden_step steps[] = {
        {"4e6f11ff 00000086", "A probe of all widths", "EB-S06: 32/32 only"},
        {"4e6f1044 280f0302 00000100 00000001 00000002 00000003 00008000 00000100 00000104",
         "Three writes and two reads",
         "EB-S27: the request's length; zeros where the writes were, the record in the last slot"},
        {"4e6f1044 080f0100 00000100 cafe0001", "EB-S26: only a write, and NR is clear",
         "EB-S26 EB-S27: a zero-filled reply"},
        {"4e6f1044 08000000", "An empty record", "EB-S27: the same length again"},
        {"4e6f1044 000f0001 00008000 00000100 080f0101 00000104 cafe0002 00008002 00000104",
         "Two records of one cycle, the second with a write",
         "EB-S27: both records, two words of zeros before the second"},
        {"4e6f1444 080f0100 00000100 cafe0003", "EB-S28: a write, and NR is set", NULL},
        {"4e6f1144 00000087 080f0001 00008000 00000100",
         "EB-S09: a probe with a record behind it, which strictly may not be; breaks EB-M02",
         "Probe response and record in one packet, as the streaming hardware does"},
        {"4e6f1044", "A bare header", "EB-S27: a bare header"},
    };
    golden g;

    golden_open(&g, folder, "replies-zero-filled-gsi");
    golden_board(&g, "gsi");
    golden_steps(&g, steps, GW_ARRAY_LEN(steps));
    golden_close(&g);
}

/* LiteEth answers to its service port, so both ends are that port. */
static void litex(const char *folder)
{
    static const struct line talk[] = {
        {false, "4e6f1144 00000000 00000000", "LiteX probes with 12 bytes and no id"},
        {true, "4e6f1244 00000000 00000000", "LiteEth answers without NR"},
        {false, "4e6f1044 00000000 000f0100 00000100 cafe0001", "An 8-byte header, one write"},
        {false, "4e6f1044 00000000 000f0001 00000001 00000100",
         "A read; the return address counts"},
        {true, "4e6f1044 00000000 000f0100 00000001 cafe0001", "The reply: no NR, no flags"},
    };
    static const struct line wide[] = {
        {false, "4e6f1084 00000000 000f0001 0000000000000002 0000000000000100",
         "64-bit addresses, 32-bit data: 8 bytes an address, 4 bytes a word, no padding"},
        {true, "4e6f1084 00000000 000f0100 0000000000000002 cafe0001", "and its reply"},
        {false, "4e6f1044 00000000 400f0200 00000200 00000001 00000002",
         "WFF in LiteX's count of bits: 0x40 is what the specification calls 0x02"},
    };
    static const golden_step played[] = {
        {"4e6f1044 00000000 000f0100 00000100 cafe0002", "Now the software slave: a write", NULL},
        {"4e6f1044 00000000 000f0001 00000003 00000100", "and a read", "one record back"},
    };
    golden g;

    golden_open(&g, folder, "litex");
    g.client.port = g.slave.port = 1234;
    lines(&g, talk, GW_ARRAY_LEN(talk));
    g.slave.ip[3]++; /* another board, of 64-bit addresses */
    lines(&g, wide, GW_ARRAY_LEN(wide));
    g.slave.ip[3]++;
    golden_board(&g, "litex");
    golden_steps(&g, played, GW_ARRAY_LEN(played));
    golden_close(&g);
}

static void libetherbone(const char *folder)
{
    static const struct line talk[] = {
        {false, "4e6f11ff 00000086", "libetherbone's probe: every width, id 0x86 in every process"},
        {true, "4e6f16ff 00000086", "the other side can do every width too"},
        {false, "4e6f1844 280f0001 00008000 00020000",
         "A read with the reserved header bit set; breaks EB-M01"},
        {true, "4e6f1c44 0a0f0100 00008000 c0de0000",
         "EB-S13: libetherbone repeats the bit, which the dialect forgives"},
        {false, "4e6f1088 00000001 28ff0001 00000000 0000000000008000 0000000000020000",
         "64/64 with dirty header padding; breaks EB-M06"},
        {true, "4e6f1488 00000001 0aff0100 00000000 0000000000008000 c0de0000c0de0001",
         "EB-S13: the padding comes back, which the dialect forgives"},
        {false, "4e6f1044 200f0001 00008002 00020004 080f0100 00000100 cafe0001",
         "A read that leaves the cycle open, and a write that ends it"},
        {true, "4e6f1444 020f0100 00008002 c0de0001 08000000",
         "The write is answered by an empty record, which ends the cycle"},
    };
    golden g;

    golden_open(&g, folder, "libetherbone");
    lines(&g, talk, GW_ARRAY_LEN(talk));
    golden_close(&g);
}

void golden_dialect_traces(const char *folder)
{
    gsi(folder);
    litex(folder);
    libetherbone(folder);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden traces of what departs from the specification: reserved bits, truncation, foreign and
 * broken packets, and the dialects of real devices. */
#include <stdio.h>
#include <string.h>

#include "golden.h"

struct step {
    const char *hex, *says, *reply; /* reply NULL: there must be none */
};

static void run(golden *g, const struct step *steps, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        uint8_t packet[1472];
        size_t len = golden_hex(packet, sizeof packet, steps[i].hex);
        if (steps[i].reply != NULL)
            golden_ask(g, packet, len, steps[i].says, steps[i].reply);
        else
            golden_tell(g, packet, len, steps[i].says);
    }
}

static void reserved_and_padding(const char *folder)
{
    static const struct step steps[] = {
        {"4e6f1844 080f0001 00008000 00020000", "The reserved header bit is set",
         "EB-S14: ignored; EB-S13: zero in the reply"},
        {"4e6f1044 190f0001 00008000 00020000", "Both reserved record bits are set",
         "EB-S14: ignored; EB-S13: zero in the reply"},
        {"4e6f1088 deadbeef 08ff0001 deadbeef 0000000000008000 0000000000020000",
         "64/64 with dirty header and record padding", "EB-S13: the reply's padding is zero"},
        {"4e6f1044 080f0001 00008000 00020000", "The same read, clean", "and the same answer"},
    };
    golden g;

    golden_open(&g, folder, "reserved-and-padding");
    golden_board(&g, NULL);
    run(&g, steps, GW_ARRAY_LEN(steps));
    golden_close(&g);
}

/* The write that a cut must never make, and the probe that shows the slave is still there. */
static void truncated(const char *folder)
{
    uint8_t whole[64], probe[8], frame[256];
    size_t len = golden_hex(whole, sizeof whole,
                            "4e6f1044 280f0102 00000010 cafe0001 00008000 00000010 00020000");
    golden g;

    golden_open(&g, folder, "truncated");
    golden_board(&g, NULL);
    for (size_t cut = 0; cut < len; cut++) {
        char says[120];
        snprintf(says, sizeof says,
                 cut == 4
                     ? "Cut after %zu of %zu bytes: between header and record, a legal packet"
                     : "EB-S42 EB-S43: cut after %zu of %zu bytes; nothing of the record is done",
                 cut, len);
        golden_tell(&g, whole, cut, says);
    }
    gw_eb_build_probe(probe, false, 0x44, 0x1234);
    golden_ask(&g, probe, sizeof probe, "Still there?", "EB-S42: still there");
    golden_wait(&g, GOLDEN_MS);
    for (unsigned cut = 0; cut <= 12; cut += 4) {
        size_t frame_len =
            gw_frame_udp(frame, sizeof frame, &golden_client, &golden_slave, whole, len);
        golden_frame(&g, frame, frame_len - cut, frame_len, golden_time(&g) + cut, GW_DIR_IN,
                     cut == 0 ? "The whole packet, as a copy on the wire"
                              : "Cut by the capture, which is not the sender's fault");
    }
    golden_close(&g);
}

static void broken(const char *folder)
{
    static const struct step steps[] = {
        {"4e6e1044 080f0001 00008000 00020000", "EB-S01: not the magic; dropped", NULL},
        {"4e6f2044 080f0001 00008000 00020000", "EB-S02: version 2, no probe; dropped", NULL},
        {"4e6f1040 080f0001 00008000 00020000", "EB-S45: no port width; nothing is executed", NULL},
        {"4e", "EB-S49: one byte", NULL},
        {"4e6f1144", "EB-M02: a probe of 4 bytes", NULL},
        {"4e6f1444 0a0f0200 00000010 cafe0001 cafe0002 56570000 00b70556 0001",
         "EB-M09: bytes that a traffic generator left behind the last record", NULL},
        {"4e6f1144 00000011", "A good probe", "still answered"},
    };
    golden g;

    golden_open(&g, folder, "broken");
    golden_board(&g, NULL);
    run(&g, steps, GW_ARRAY_LEN(steps));
    golden_close(&g);
}

static void replies_zero_filled(const char *folder)
{
    static const struct step steps[] = {
        {"4e6f1044 280f0302 00000100 00000001 00000002 00000003 00008000 00000100 00000104",
         "Three writes and two reads",
         "EB-S27: the request's length; zeros where the writes were, the record in the last slot"},
        {"4e6f1044 080f0100 00000100 cafe0001", "EB-S26: only a write, and NR is clear",
         "EB-S26 EB-S27: a zero-filled reply"},
        {"4e6f1044 08000000", "An empty record", "EB-S27: the same length again"},
    };
    golden g;

    golden_open(&g, folder, "replies-zero-filled");
    golden_board(&g, "gsi");
    run(&g, steps, GW_ARRAY_LEN(steps));
    golden_close(&g);
}

/* LiteX's own shape of packets; LiteEth answers to its service port, so both ends are that port. */
static void litex(const char *folder)
{
    static const struct {
        bool reply;
        const char *hex, *says;
    } steps[] = {
        {false, "4e6f1144 00000000 00000000", "LiteX probes with 12 bytes and no id"},
        {true, "4e6f1244 00000000 00000000", "LiteEth answers without NR"},
        {false, "4e6f1044 00000000 000f0100 00000100 cafe0001", "An 8-byte header, one write"},
        {false, "4e6f1044 00000000 000f0001 00000001 00000100",
         "A read; the return address counts"},
        {true, "4e6f1044 00000000 000f0100 00000001 cafe0001", "The reply: no NR, no flags"},
    };
    gw_endpoint client = golden_client, core = golden_slave;
    golden g;

    client.port = core.port = 1234;
    golden_open(&g, folder, "litex");
    for (size_t i = 0; i < GW_ARRAY_LEN(steps); i++) {
        uint8_t packet[64];
        size_t len = golden_hex(packet, sizeof packet, steps[i].hex);
        golden_wait(&g, GOLDEN_MS);
        golden_udp(&g, steps[i].reply ? &core : &client, steps[i].reply ? &client : &core, packet,
                   len, golden_time(&g), steps[i].says);
    }
    golden_close(&g);
}

/* What a White Rabbit timing master broadcasts: nobody answers. */
static void timing(const char *folder)
{
    gw_endpoint master = golden_client, everyone = {.ip = {255, 255, 255, 255}, .port = 60368};
    golden g;

    master.port = 60368;
    everyone.family = GW_FAMILY_IPV4;
    golden_open(&g, folder, "timing");
    for (uint32_t i = 0; i < 6; i++) {
        uint64_t deadline = UINT64_C(0x17a65e0000000000) + i * UINT64_C(33333333);
        uint64_t words[8] = {0x10123045,     0x00078000,           0, i, 0, 0,
                             deadline >> 32, deadline & 0xffffffff};
        uint8_t packet[64];
        gw_eb_operation op = {.writes = words,
                              .num_writes = 8,
                              .write_base = 0x7ffffff0,
                              .flags = GW_EB_CYC | GW_EB_WFF,
                              .byte_enable = 0x0f};
        size_t len = golden_packet(&g, packet, sizeof packet, 0x44, &op, 1);
        golden_wait(&g, 33333333);
        golden_udp(&g, &master, &everyone, packet, len, golden_time(&g),
                   "EB-M08 EB-S17: a timing message: NR, eight words into the event FIFO");
    }
    golden_close(&g);
}

void golden_odd_traces(const char *folder)
{
    reserved_and_padding(folder);
    truncated(folder);
    broken(folder);
    replies_zero_filled(folder);
    litex(folder);
    timing(folder);
}

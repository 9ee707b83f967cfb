/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden traces of what departs from the specification: reserved bits, truncation, broken packets;
 * and of timing messages, which nobody answers. */
#include <stdio.h>
#include <string.h>

#include "golden.h"

static void reserved_and_padding(const char *folder)
{
    static const golden_step steps[] = {
        {"4e6f1844 080f0001 00008000 00020000", "The reserved header bit is set; breaks EB-M01",
         "EB-S14: ignored; EB-S13: zero in the reply"},
        {"4e6f1044 190f0001 00008000 00020000", "Both reserved record bits are set; breaks EB-M01",
         "EB-S14: ignored; EB-S13: zero in the reply"},
        {"4e6f1088 deadbeef 08ff0001 deadbeef 0000000000008000 0000000000020000",
         "64/64 with dirty header and record padding; breaks EB-M06",
         "EB-S13: the reply's padding is zero"},
        {"4e6f1018 00000000 08ff0101 00000000 0000000000000040 1122334455667788 0000000000008000 "
         "ffffffffffffff40",
         "8-bit addresses in 8-byte units: what is left of a read address is dirty; breaks EB-M06",
         "EB-S14: read at 0x40; EB-S22: the return address fills its unit"},
        {"4e6f1018 00000000 08ff0101 00000000 a500000000000040 1122334455667788 0000000000008000 "
         "0000000000000040",
         "and of a write address; breaks EB-M06", "EB-S14: written at 0x40 all the same"},
        {"4e6f1041 08010101 00000040 ffffff5a 00008000 00000040",
         "An 8-bit port in 4-byte units: what is left of a word is dirty; breaks EB-M06",
         "EB-S13: 0x5a, zero-extended"},
        {"4e6f1044 080f0001 ffff8000 00020000", "EB-S22: a return address of all 32 bits",
         "EB-S22: comes back as it is"},
        {"4e6f1044 080f0001 00008000 00020000", "The first read, clean", "and the same answer"},
    };
    golden g;

    golden_open(&g, folder, "reserved-and-padding");
    golden_board(&g, NULL);
    golden_steps(&g, steps, GW_ARRAY_LEN(steps));
    golden_close(&g);
}

static void cut_comment(char *says, size_t cap, size_t cut, size_t len)
{
    if (cut == 4)
        snprintf(says, cap, "Cut after 4 of %zu bytes: between header and record, a legal packet",
                 len);
    else
        snprintf(says, cap,
                 "EB-S42 EB-S43: cut after %zu of %zu bytes; nothing of the record is done; breaks "
                 "%s",
                 cut, len, cut < 4 ? "EB-M01" : "EB-M09");
}

/* One frame as captures of |num| sizes keep it. */
static void cut_by_capture(golden *g, const uint8_t *frame, size_t frame_len, const size_t *kept,
                           size_t num)
{
    for (size_t i = 0; i < num; i++) {
        char says[160];
        snprintf(says, sizeof says,
                 kept[i] == frame_len
                     ? "The whole frame of %zu bytes, as the next captures keep parts of it"
                     : "Cut by the capture after %zu of %zu bytes: nobody's fault",
                 kept[i], frame_len);
        golden_wait(g, GOLDEN_MS);
        golden_frame(g, frame, kept[i], frame_len, golden_time(g), GW_DIR_IN, says);
    }
}

/* The write that a cut must never make, and the probe that shows the slave is still there. */
static void truncated(const char *folder)
{
    static const size_t kept[] = {70, 66, 62, 58, 54, 50, 49, 48, 46,
                                  44, 43, 42, 38, 34, 20, 14, 6};
    uint8_t whole[64], probe[8], frame[256];
    size_t len = golden_hex(whole, sizeof whole,
                            "4e6f1044 280f0102 00000010 cafe0001 00008000 00000010 00020000");
    golden g;

    golden_open(&g, folder, "truncated");
    golden_board(&g, NULL);
    for (size_t cut = 0; cut < len; cut++) {
        char says[160];
        cut_comment(says, sizeof says, cut, len);
        golden_tell(&g, whole, cut, says);
    }
    gw_eb_build_probe(probe, false, 0x44, 0x1234);
    golden_ask(&g, probe, sizeof probe, "Still there?", "EB-S42: still there");
    size_t frame_len = gw_frame_udp(frame, sizeof frame, &g.client, &g.slave, whole, len);
    if (frame_len != kept[0])
        golden_die("the frame has another length");
    cut_by_capture(&g, frame, frame_len, kept, GW_ARRAY_LEN(kept));
    golden_close(&g);
}

/* Every rule that a master's packet can break by itself. */
static void broken(const char *folder)
{
    static const golden_step steps[] = {
        {"4e6e1044 080f0001 00008000 00020000", "EB-S01: not the magic; dropped; breaks EB-M01",
         NULL},
        {"4e6f2044 080f0001 00008000 00020000",
         "EB-S02: version 2, no probe; dropped; breaks EB-M01", NULL},
        {"4e6f0044 080f0001 00008000 00020000",
         "EB-S02: version 0, no probe; dropped; breaks EB-M01", NULL},
        {"4e6f1040 080f0001 00008000 00020000",
         "EB-S45: no port width; nothing is executed; breaks EB-M04", NULL},
        {"4e6f1004 080f0001 00008000 00020000",
         "EB-S45: no address width; nothing is executed; breaks EB-M04", NULL},
        {"4e6f10cc 00000000 08ff0001 00000000 0000000000008000 0000000000020000",
         "Two widths each: the slave takes the wider ones, as the specification allows; breaks "
         "EB-M04",
         "EB-S11: it names the ones it took"},
        {"4e", "EB-S49: one byte; breaks EB-M01", NULL},
        {"4e6f1144", "A probe of 4 bytes; breaks EB-M02", NULL},
        {"4e6f1144 00000086 00000000", "A probe of 12 bytes; breaks EB-M02",
         "EB-S09: answered, and what follows the probe is left alone"},
        {"4e6f1088", "64/64 needs a header of 8 bytes; breaks EB-M06", NULL},
        {"4e6f1444 280f0001 00008000 00020000", "NR is set, and there is a read; breaks EB-M07",
         "EB-S29: answered all the same"},
        {"4e6f1444 080f0300 00000010 cafe0001 cafe0002",
         "Three writes are counted, two follow; breaks EB-M09", NULL},
        {"4e6f1444 080f0100 00000010 cafe0001 00", "One byte behind the last record; breaks EB-M09",
         NULL},
        {"4e6f1044 200f0001 00008000 00020000",
         "EB-S33: the datagram ends and the cycle does not; breaks EB-M11",
         "EB-S33: answered, and the slave ends the cycle"},
        {"4e6f1044 28050001 00008000 00020000", "Byte enable 05 has a hole; breaks EB-M12",
         "EB-S21: enables copied; the bus had an error instead of data"},
        {"4e6f1044 28060001 00008000 00020000", "Byte enable 06 is not aligned; breaks EB-M12",
         "EB-S21: enables copied; the bus had an error instead of data"},
        {"4e6f1044 28000001 00008000 00020000", "Byte enable 00 selects nothing; breaks EB-M12",
         "EB-S21: enables copied; the bus had an error instead of data"},
        {"4e6f1044 281f0001 00008000 00020000",
         "Byte enable 1f is wider than the port; breaks EB-M12",
         "EB-S21: enables copied; the bus had an error instead of data"},
        {"4e6f1044 680f0001 00008000 00000002",
         "Config space is read at an odd address; breaks "
         "EB-M22",
         "EB-S19: one word back"},
        {"4e6f1044 68030001 00008000 00000004",
         "Config space is read with half the port; breaks EB-M22", "EB-S19: one word back"},
        {"4e6f1144 00000011", "A good probe", "EB-S42: still answered"},
    };
    golden g;

    golden_open(&g, folder, "broken");
    golden_board(&g, NULL);
    golden_steps(&g, steps, GW_ARRAY_LEN(steps));
    golden_close(&g);
}

/* One timing message: event id, parameter, 0, 0, deadline; eight words into the event FIFO. */
static size_t timing_message(const golden *g, uint8_t *packet, size_t cap, uint32_t number)
{
    uint64_t deadline = UINT64_C(0x17a65e0000000000) + number * UINT64_C(33333333);
    uint64_t words[8] = {0x10123045,     0x00078000,           0, number, 0, 0,
                         deadline >> 32, deadline & 0xffffffff};
    gw_eb_operation op = {.writes = words,
                          .num_writes = 8,
                          .write_base = 0x7ffffff0,
                          .flags = GW_EB_CYC | GW_EB_WFF,
                          .byte_enable = 0x0f};
    return golden_packet(g, packet, cap, 0x44, &op, 1);
}

/* What a White Rabbit timing master broadcasts: nobody answers. A test generator on the way leaves
 * 22 bytes of its own behind some messages. */
static void timing(const char *folder)
{
    static const char trailer[] = "3147 0000 00c80113 5ac3 0000000000002f11 00000001";
    gw_endpoint everyone = {.ip = {255, 255, 255, 255}, .port = 60368, .family = GW_FAMILY_IPV4};
    golden g;

    golden_open(&g, folder, "timing");
    g.slave.port = 60368; /* the timing master: nobody else is here */
    for (uint32_t i = 0; i < 8; i++) {
        uint8_t packet[128];
        size_t len = timing_message(&g, packet, sizeof packet, i);
        bool tail = i == 5 || i == 6;
        if (tail)
            len += golden_hex(packet + len, sizeof packet - len, trailer);
        golden_wait(&g, 33333333);
        golden_udp(&g, &g.slave, &everyone, packet, len, golden_time(&g),
                   tail ? "A timing message with 22 bytes of a traffic generator behind it; breaks "
                          "EB-M01 EB-M09"
                        : "EB-M08 EB-S17: a timing message: NR, eight words into the event FIFO");
    }
    golden_close(&g);
}

void golden_odd_traces(const char *folder)
{
    reserved_and_padding(folder);
    truncated(folder);
    broken(folder);
    timing(folder);
}

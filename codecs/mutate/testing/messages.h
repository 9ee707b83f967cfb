/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages without fault of all formats, for tests to mutate. */
#ifndef MUTATE_TESTING_MESSAGES_H
#define MUTATE_TESTING_MESSAGES_H

#include "core/testing/hex.h"
#include "goldwire/format.h"

enum { GW_SAMPLE_MAX = 512 };

/* Who sends a sample. */
enum {
    ASKS,
    ANSWERS,
    ADDRESSED, /* it asks 192.168.0.2, from UDP port 64098 to the same */
};

typedef struct gw_sample {
    const char *format;
    const char *dialect;
    uint8_t part;
    uint8_t transport; /* gw_transport_kind */
    uint8_t way;       /* ASKS ... */
    const char *hex;
} gw_sample;

#define TRACE                                                                                      \
    "00ff0000ff0001001001004001000401000101000001100001034001000001000001000001000001000000000000" \
    "000000000000867500ff0000ff0000ff0001000401010101001000dab300ff00"
#define STATUS_TO_BUFFER "6400ffff00000002000000000b0b0b0b00000302"
#define STATUS_TO_WORKER "6400ffff0000030200000000333333330000000"
#define FRAME_DATA                                                                                 \
    "00050a0f14191e23282d32373c01060b10151a1f24292e33383d02070c11161b20252a2f34393e03080d12171c21" \
    "262b30353a3f04090e13181d22272c31363b"

static const gw_sample gw_samples[] = {
    {"etherbone", "strict", 0, GW_OVER_UDP, ASKS,
     "4e6f1044a00f0005000080000000000000100000000000000010000000000000e80f000200008001000000000000"
     "0004"},
    {"etherbone", "strict", 0, GW_OVER_UDP, ASKS,
     "4e6f1044e80f010100100000deadbeef0000800100000004"},
    {"etherbone", "strict", 0, GW_OVER_UDP, ASKS, "4e6f1444080f020000008000c0de0000c0de0001"},
    {"etherbone", "strict", 0, GW_OVER_UDP, ANSWERS, "4e6f14440e0f020000008000c0de0000c0de0001"},
    {"etherbone", "strict", 0, GW_OVER_UDP, ASKS, "4e6f114400000011"},
    {"etherbone", "strict", 0, GW_OVER_UDP, ANSWERS, "4e6f16ff00000011"},
    {"etherbone", "strict", 0, GW_OVER_UDP, ASKS,
     "4e6f1088000000000801010100000000000000000000100000000000000000110000000000008000000000000000"
     "0100"},
    {"etherbone", "strict", 2, GW_OVER_TCP, ASKS, "a80f00010000800000020000"},
    {"etherbone", "strict", 2, GW_OVER_TCP, ANSWERS, "0e0f010000008000c0de0000"},
    {"etherbone", "litex", 0, GW_OVER_UDP, ASKS, "4e6f104400000000000f00010000000100000100"},
    {"etherbone", "strict", 0, GW_OVER_UDP, ANSWERS,
     "4e6f1488000000000eff01000000000000000000000080000000000000000001"},
    {"op2p", "strict", 0, GW_OVER_NOTHING, ASKS,
     "004100420000200000001000001000f0d0001000d0001004d0001008d000100c"},
    {"op2p", "strict", 1, GW_OVER_NOTHING, ASKS,
     "010000000001ffff0041004200c0ffe000000100000420f0d0000100"},
    {"op2p", "vhdl", 0, GW_OVER_NOTHING, ASKS, "004200410000010000c0ffe0000410f0d0001000"},
    {"op2p", "strict", 0, GW_OVER_UDP, ASKS, "4f320101000f0007"},
    {"textarossa", "strict", 2, GW_OVER_NOTHING, ASKS,
     "4040000101000000000000000000004d4040000101000000000000000000004d"},
    {"textarossa", "strict", 0, GW_OVER_UDP, ASKS, "10002000008000000000000000000000"},
    {"textarossa", "strict", 0, GW_OVER_UDP, ADDRESSED,
     "100000000000108000002ab0983e000001000000000000000000000000000000"
     "ffffffffffffffffffffffffffffffff"},
    {"textarossa", "gu", 0, GW_OVER_UDP, ADDRESSED,
     "100000000000308000002ab0983e000001000000000000000000000000000000"
     "0000000000000000000000000000000000000000000000000000000000000000"
     "ffffffffffffffffffffffffffffffff"},
    {"textarossa", "strict", 1, GW_OVER_NOTHING, ASKS,
     "aaaa5555aaaaffffaaaa5555aaaaffffbbbb6666bbbbffffbbbb6666bbbbffff01002000000011403fffbe3e0000"
     "00690000000000000000a100000000000000aaaa5555aaaaffffaaaa5555aaaaffff404000010100000000000000"
     "0000004d0100000000000000a100000000000000ffffffffffffffffffffffffffffffff"},
    {"textarossa", "rtl", 1, GW_OVER_NOTHING, ASKS,
     "aaaa5555aaaaffffaaaa5555aaaaffffbbbb6666bbbbffffbbbb6666bbbbffff01002000000011403fffbe3e0000"
     "00690000000000000000a100000000000000aaaa5555aaaaffffaaaa5555aaaaffff404000010100000000000000"
     "0000004d0100000000000000a100000000000000ffffffffffffffffffffffffffffffff"},
    {"l1farm", "strict", 2, GW_OVER_NOTHING, ASKS, TRACE},
    {"l1farm", "strict", 0, GW_OVER_UDP, ASKS,
     "4c31018700000000000000000000000000000020000000c2000000002000000000000000001000c2010000002000"
     "000002000000"},
    {"l1farm", "ode", 0, GW_OVER_UDP, ASKS,
     "4c3101080000000012340000000000000000000cb0021234000387ffe0021234"},
    {"l1farm", "ode", 0, GW_OVER_UDP, ASKS,
     "4c31010000000000123400000000000000000018000312340018000000040001000300050000000600018007"},
    {"l1farm", "strict", 4, GW_OVER_NOTHING, ASKS,
     "000000002000034000000010001e00000000efbe0000040118f7de002df6de00"},
    {"l1farm", "strict", 1, GW_OVER_NOTHING, ASKS,
     "010000000010001f0004001f00001000034000070e151c232a31383f464d545b62693c56"},
    {"l1farm", "strict", 1, GW_OVER_NOTHING, ASKS,
     "01000000001000400004000400000000100000070e151c232a31383f464d545b626970777e858c939aa1a8afb6bdc"
     "4cbd2d9e0e7eef5fc030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dce3eaf1f8ff06"
     "0d141b222930373e454c535a61686f767d848b9299a0a7aeb5bcc3cad1d8dfe6edf4fb020910171e252c333a41484"
     "f565d646b7279de6a"},
    {"l1farm", "strict", 0, GW_OVER_UDP, ASKS,
     "4c310105010000051234000000070000000000080001030000000008"},
    {"l1farm", "strict", 1, GW_OVER_NOTHING, ASKS, "010100000004011f001082d1"},
    {"l1farm", "strict", 3, GW_OVER_NOTHING, ASKS, "0100054742"},
    {"l1farm", "strict", 0, GW_OVER_UDP, ASKS,
     "4c310105010000051234000000070000000000080001010000000008"},
    {"ims", "strict", 0, GW_OVER_NOTHING, ASKS,
     STATUS_TO_BUFFER "00000101210000000203000033333333000000000000000000000000"},
    {"ims", "strict", 0, GW_OVER_NOTHING, ANSWERS,
     STATUS_TO_WORKER "201000101210000000203000000000000000000000000000000000000"},
    {"ims", "strict", 0, GW_OVER_NOTHING, ANSWERS,
     STATUS_TO_WORKER "205000101210000000203000081000000000000002000000002"
                      "00feca"},
    {"ims", "be32", 0, GW_OVER_NOTHING, ANSWERS,
     "2400ffff000003030000000100000001000000020000010000000020"},
    {"ims", "strict", 0, GW_OVER_NOTHING, ASKS,
     "2600ffff00000081000000000000002000000000cafe000200000100" FRAME_DATA},
    {"ims", "strict", 0, GW_OVER_NOTHING, ASKS, "2700ffff0000008100000001" FRAME_DATA},
    {"ims", "strict", 0, GW_OVER_NOTHING, ASKS, "2800ffff0000008100000003" FRAME_DATA},
    {"ims", "strict", 0, GW_OVER_NOTHING, ASKS,
     "2a00ffff00000082000000080000002000000400cafe000200000040" FRAME_DATA},
    {"ims", "v1-0", 0, GW_OVER_NOTHING, ANSWERS,
     "2400ffff000003030000000101000000020000000001000020000000"},
};

#undef TRACE
#undef STATUS_TO_BUFFER
#undef STATUS_TO_WORKER
#undef FRAME_DATA

/* gw_sample_message makes |sample|'s message over |bytes|, and finds its format and dialect. */
static inline gw_message gw_sample_message(const gw_sample *sample, uint8_t bytes[GW_SAMPLE_MAX],
                                           const gw_format **format, const gw_dialect **dialect)
{
    *format = gw_format_by_name(sample->format);
    *dialect = gw_dialect_by_name(*format, sample->dialect);
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, GW_SAMPLE_MAX, sample->hex));
    m.part = sample->part;
    m.transport = sample->transport;
    m.part_arg = 0x44; /* of an EtherBone record: 32-bit addresses and data */
    m.side = sample->way == ANSWERS ? GW_SIDE_CALLED : GW_SIDE_CALLER;
    if (sample->way == ADDRESSED) {
        m.dst = (gw_endpoint){{192, 168, 0, 2}, 64098, GW_FAMILY_IPV4, 0};
        m.src.port = m.dst.port;
    }
    return m;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The check byte and the decoder against what the published code was seen to do in simulation:
 * words and their bytes, and what is delivered after one, two, three and four flips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/secded.h"
#include "goldwire/textarossa.h"

enum {
    NONE = 128, /* ends a list of flipped bits */
    FLIPS_MAX = 4,
    CLEAN = GW_SECDED_CLEAN,
    CORRECTED = GW_SECDED_CORRECTED,
    FATAL = GW_SECDED_FATAL,
};

static const struct {
    uint64_t hi, lo;
    uint8_t check;
} words[] = {
    {0x0000000000000000, 0x0000000000000000, 0x00}, {0x00003e98b02a0000, 0x8010100000000000, 0xdf},
    {0x0000448d159e26af, 0x0100000000600000, 0xa6}, {0x0016a14a9d30bbee, 0x72147e5fff1ef38d, 0x14},
    {0x00bee9d6cce8b715, 0x42630083382aa3bb, 0x81}, {0x00607d5ebb581491, 0xc1290ae3c9ce01a5, 0xe8},
    {0x0000000000000000, 0x0000000000000002, 0x0b}, {0x0000000000000000, 0x0000000000000100, 0x1a},
    {0x0000000000000000, 0x0000000000008000, 0x2a}, {0x0000000000000000, 0x0000000000400000, 0x38},
    {0x0000000000000000, 0x0000000020000000, 0x49}, {0x0000000000000000, 0x0000001000000000, 0x57},
    {0x0000000000000000, 0x0000080000000000, 0x64}, {0x0000000000000000, 0x0004000000000000, 0x73},
    {0x0000000000000000, 0x0200000000000000, 0x83}, {0x0000000000000001, 0x0000000000000000, 0x91},
    {0x0000000000000080, 0x0000000000000000, 0x9e}, {0x0000000000004000, 0x0000000000000000, 0xad},
    {0x0000000000200000, 0x0000000000000000, 0xba}, {0x0000000010000000, 0x0000000000000000, 0xc8},
    {0x0000000800000000, 0x0000000000000000, 0xd6}, {0x0000040000000000, 0x0000000000000000, 0xe5},
    {0x0002000000000000, 0x0000000000000000, 0xf2}, {0x000000003ebeff3f, 0x4010000000200000, 0x00},
    {0x000000003ebeff3f, 0x4040002000400fe0, 0x7b}, {0x00003e98b02a0000, 0x8010000000000010, 0xab},
    {0x000000003ebeff3f, 0x4001000000200000, 0x18}, {0x000000003ebeff3f, 0x4000000000200000, 0x76},
    {0x000000003ebeff3f, 0x4020040005000000, 0x24}, {0x0055555555555555, 0x5555555555555555, 0xaa},
    {0x00ffaaaa5555aaaa, 0xffffaaaa5555aaaa, 0xb7}, {0x000bacc0d10bacc0, 0xd10bacc0d10bacc0, 0xa3},
    {0x004df5de7d9c4476, 0xbe11e25a89dec417, 0xab}, {0x00d7eb113b4579dc, 0x12ec25ff28415909, 0x55},
    {0x0047cf4b38897446, 0x522c525f427e2616, 0x3f}, {0x00942031e8f1d818, 0x8bbe6dd99a39feba, 0xc0},
    {0x003e692488a085b6, 0x9f9d2d7d6eb9fe02, 0x41}, {0x00ec410d6aad8da2, 0x2d44df967aee7f0a, 0x97},
    {0x00d11a1eb015d6e2, 0x5bf5c852b2b85eb4, 0x24}, {0x003756f5b987f5fe, 0x854eed7da99d1e61, 0xaa},
    {0x00e67ba71cf06b20, 0x8e152c69e36cae8b, 0xb0},
};

static const struct {
    uint8_t word;
    uint8_t flipped[FLIPS_MAX];
    uint8_t status;
    uint8_t syndrome;
    struct {
        uint64_t hi, lo;
    } delivered; /* without the syndrome, which takes the check byte's place */
} seen[] = {
    {23, {1, 128}, CORRECTED, 0x85, {0x3ebeff3f, 0x4010000000200000}},
    {23, {8, 128}, CORRECTED, 0x8d, {0x3ebeff3f, 0x4010000000200000}},
    {23, {15, 128}, CORRECTED, 0x95, {0x3ebeff3f, 0x4010000000200000}},
    {23, {22, 128}, CORRECTED, 0x9c, {0x3ebeff3f, 0x4010000000200000}},
    {23, {29, 128}, CORRECTED, 0xa4, {0x3ebeff3f, 0x4010000000200000}},
    {23, {36, 128}, CORRECTED, 0xab, {0x3ebeff3f, 0x4010000000200000}},
    {23, {43, 128}, CORRECTED, 0xb2, {0x3ebeff3f, 0x4010000000200000}},
    {23, {50, 128}, CORRECTED, 0xb9, {0x3ebeff3f, 0x4010000000200000}},
    {23, {57, 128}, CORRECTED, 0xc1, {0x3ebeff3f, 0x4010000000200000}},
    {23, {64, 128}, CORRECTED, 0xc8, {0x3ebeff3f, 0x4010000000200000}},
    {23, {71, 128}, CORRECTED, 0xcf, {0x3ebeff3f, 0x4010000000200000}},
    {23, {78, 128}, CORRECTED, 0xd6, {0x3ebeff3f, 0x4010000000200000}},
    {23, {85, 128}, CORRECTED, 0xdd, {0x3ebeff3f, 0x4010000000200000}},
    {23, {92, 128}, CORRECTED, 0xe4, {0x3ebeff3f, 0x4010000000200000}},
    {23, {99, 128}, CORRECTED, 0xeb, {0x3ebeff3f, 0x4010000000200000}},
    {23, {106, 128}, CORRECTED, 0xf2, {0x3ebeff3f, 0x4010000000200000}},
    {23, {113, 128}, CORRECTED, 0xf9, {0x3ebeff3f, 0x4010000000200000}},
    {23, {120, 128}, CORRECTED, 0x80, {0x3ebeff3f, 0x4010000000200000}},
    {23, {127, 128}, CORRECTED, 0xc0, {0x3ebeff3f, 0x4010000000200000}},
    {23, {93, 128}, CORRECTED, 0xe5, {0x3ebeff3f, 0x4010000000200000}},
    {24, {17, 128}, CORRECTED, 0x97, {0x3ebeff3f, 0x4040002000400fe0}},
    {25, {15, 128}, CORRECTED, 0x95, {0x3e98b02a0000, 0x8010000000000010}},
    {26, {107, 128}, CORRECTED, 0xf3, {0x3ebeff3f, 0x4001000000200000}},
    {27, {95, 128}, CORRECTED, 0xe7, {0x3ebeff3f, 0x4000000000200000}},
    {28, {80, 128}, CORRECTED, 0xd8, {0x3ebeff3f, 0x4020040005000000}},
    {29, {62, 128}, CORRECTED, 0xc6, {0x55555555555555, 0x5555555555555555}},
    {30, {18, 128}, CORRECTED, 0x98, {0xffaaaa5555aaaa, 0xffffaaaa5555aaaa}},
    {31, {107, 128}, CORRECTED, 0xf3, {0xbacc0d10bacc0, 0xd10bacc0d10bacc0}},
    {32, {116, 128}, CORRECTED, 0xfc, {0x4df5de7d9c4476, 0xbe11e25a89dec417}},
    {33, {79, 128}, CORRECTED, 0xd7, {0xd7eb113b4579dc, 0x12ec25ff28415909}},
    {34, {90, 128}, CORRECTED, 0xe2, {0x47cf4b38897446, 0x522c525f427e2616}},
    {35, {33, 128}, CORRECTED, 0xa8, {0x942031e8f1d818, 0x8bbe6dd99a39feba}},
    {36, {114, 128}, CORRECTED, 0xfa, {0x3e692488a085b6, 0x9f9d2d7d6eb9fe02}},
    {37, {91, 128}, CORRECTED, 0xe3, {0xec410d6aad8da2, 0x2d44df967aee7f0a}},
    {38, {59, 128}, CORRECTED, 0xc3, {0xd11a1eb015d6e2, 0x5bf5c852b2b85eb4}},
    {39, {37, 128}, CORRECTED, 0xac, {0x3756f5b987f5fe, 0x854eed7da99d1e61}},
    {24, {44, 71, 128}, FATAL, 0x7c, {0x0, 0x0}},
    {24, {48, 61, 128}, FATAL, 0x72, {0x0, 0x0}},
    {24, {18, 112, 128}, FATAL, 0x60, {0x0, 0x0}},
    {24, {84, 108, 128}, FATAL, 0x28, {0x0, 0x0}},
    {24, {16, 98, 128}, FATAL, 0x7c, {0x0, 0x0}},
    {24, {68, 82, 128}, FATAL, 0x16, {0x0, 0x0}},
    {24, {49, 71, 128}, FATAL, 0x77, {0x0, 0x0}},
    {24, {19, 93, 128}, FATAL, 0x7c, {0x0, 0x0}},
    {24, {64, 86, 128}, FATAL, 0x16, {0x0, 0x0}},
    {24, {0, 121, 128}, CLEAN, 0x02, {0x3ebeff3f, 0x4040002000400fe1}},
    {24, {1, 121, 128}, CLEAN, 0x04, {0x3ebeff3f, 0x4040002000400fe2}},
    {24, {2, 122, 128}, CLEAN, 0x04, {0x3ebeff3f, 0x4040002000400fe4}},
    {24, {4, 8, 128}, CLEAN, 0x04, {0x3ebeff3f, 0x4040002000400ef0}},
    {24, {5, 9, 128}, CLEAN, 0x04, {0x3ebeff3f, 0x4040002000400dc0}},
    {24, {47, 48, 128}, CLEAN, 0x01, {0x3ebeff3f, 0x4041802000400fe0}},
    {24, {38, 101, 128}, CLEAN, 0x40, {0x203ebeff3f, 0x4040006000400fe0}},
    {24, {81, 85, 128}, CLEAN, 0x04, {0x3e9cff3f, 0x4040002000400fe0}},
    {24, {59, 75, 128}, CLEAN, 0x10, {0x3ebef73f, 0x4840002000400fe0}},
    {24, {44, 48, 128}, CLEAN, 0x04, {0x3ebeff3f, 0x4041102000400fe0}},
    {24, {72, 74, 128}, CLEAN, 0x02, {0x3ebefa3f, 0x4040002000400fe0}},
    {24, {120, 123, 128}, CLEAN, 0x04, {0x3ebeff3f, 0x4040002000400fe0}},
    {25, {26, 102, 123, 128}, CORRECTED, 0xcb, {0x3ed8b02a0008, 0x8010000004000010}},
    {25, {38, 64, 88, 128}, CORRECTED, 0x85, {0x3e98b12a0001, 0x8010004000000012}},
    {25, {6, 37, 92, 128}, CORRECTED, 0xc3, {0x3e98a02a0000, 0x8810002000000050}},
    {25, {49, 66, 88, 128}, CORRECTED, 0x92, {0x3e98b12a0004, 0x8012000000001010}},
    {25, {45, 51, 122, 128}, CORRECTED, 0x8c, {0x3e98b02a0000, 0x8018200000000090}},
    {25, {3, 5, 26, 128}, CORRECTED, 0xac, {0x3e98b02a0000, 0x8010002004000038}},
    {25, {4, 38, 112, 128}, CORRECTED, 0xdc, {0x13e98b03a0000, 0x8010004000000000}},
    {25, {7, 16, 113, 128}, CORRECTED, 0xe3, {0x23e98b82a0000, 0x8010000000010090}},
    {25, {18, 54, 77, 128}, CORRECTED, 0xf0, {0x3f98b02a2000, 0x8050000000040010}},
    {40, {4, 86, 112, 117}, FATAL, 0x52, {0x0, 0x0}},
    {40, {4, 18, 68, 108}, FATAL, 0x29, {0x0, 0x0}},
    {40, {45, 69, 74, 114}, FATAL, 0x51, {0x0, 0x0}},
    {40, {3, 18, 65, 110}, CLEAN, 0x20, {0xe63ba71cf06b22, 0x8e152c69e368ae83}},
    {40, {0, 21, 85, 97}, FATAL, 0x2c, {0x0, 0x0}},
};

static void words_have_their_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(words); i++) {
        assert_int_equal(gw_secded_encode(words[i].lo, words[i].hi), words[i].check);
        gw_secded_result r =
            gw_secded_check(words[i].lo, words[i].hi | (uint64_t)words[i].check << 56, false);
        assert_int_equal(r.status, CLEAN);
        assert_int_equal(r.syndrome, 0);
        assert_true(r.lo == words[i].lo && r.hi == words[i].hi);
    }
}

static gw_tx_word received(size_t i)
{
    const unsigned n = seen[i].word;
    gw_tx_word w = {words[n].lo, words[n].hi | (uint64_t)words[n].check << 56};

    for (unsigned k = 0; k < FLIPS_MAX && seen[i].flipped[k] != NONE; k++) {
        unsigned bit = seen[i].flipped[k];
        if (bit < 64)
            w.lo ^= UINT64_C(1) << bit;
        else
            w.hi ^= UINT64_C(1) << (bit - 64);
    }
    return w;
}

/* The published decoder, bit by bit, where it is wrong as well: three flips are "corrected" into
 * something else, and some doubles and quadruples pass. */
static void the_published_decoder_is_met(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(seen); i++) {
        gw_tx_word w = received(i);
        gw_secded_result r = gw_secded_check(w.lo, w.hi, false);
        assert_int_equal(r.status, seen[i].status);
        assert_int_equal(r.syndrome, seen[i].syndrome);
        assert_true(r.hi == seen[i].delivered.hi && r.lo == seen[i].delivered.lo);
    }
}

/* Strict or not, what is corrected is corrected alike; what passes without being whole is fatal. */
static void the_strict_one_lets_nothing_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(seen); i++) {
        gw_tx_word w = received(i);
        gw_secded_result r = gw_secded_check(w.lo, w.hi, true);
        assert_int_equal(r.status, seen[i].status == CLEAN ? FATAL : seen[i].status);
        assert_int_equal(r.syndrome, seen[i].syndrome);
    }
}

/* The dialects choose between the two. */
static void dialects_choose(void **state)
{
    const gw_tx_dialect *rtl = gw_tx_dialect_of(gw_dialect_by_name(&gw_textarossa, "rtl"));

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(seen); i++) {
        gw_tx_edac e = gw_tx_edac_judge(received(i), true, rtl);
        assert_int_equal(e.status, seen[i].status);
        assert_int_equal(e.syndrome, seen[i].syndrome);
        e = gw_tx_edac_judge(received(i), true, gw_tx_dialect_of(NULL));
        assert_int_equal(e.status == CORRECTED, seen[i].status == CORRECTED);
        assert_int_not_equal(e.status, CLEAN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_have_their_bytes),
        cmocka_unit_test(the_published_decoder_is_met),
        cmocka_unit_test(the_strict_one_lets_nothing_pass),
        cmocka_unit_test(dialects_choose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Coded tags: every word, every flip of one bit and of two, and what the shorter code cannot see.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/l1farm.h"

static void words_are_the_known_ones(void **state)
{
    static const struct {
        uint16_t dest;
        uint32_t word;
    } known[] = {{0x0000, 0x00000}, {0x0001, 0x0000f}, {0x0002, 0x00033},
                 {0x0003, 0x0003c}, {0x0033, 0x0063a}, {0x1234, 0x54742},
                 {0x2aaa, 0xa55a0}, {0x1555, 0x5aa5f}, {0x3fff, 0xfffff}};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(known); i++) {
        assert_int_equal(gw_l1_tag_encode(known[i].dest, GW_L1_HAMMING_20), known[i].word);
        assert_int_equal(gw_l1_tag_encode(known[i].dest, GW_L1_HAMMING_19), known[i].word & ~1u);
        assert_int_equal(gw_l1_tag_encode(known[i].dest, GW_L1_UNCODED), known[i].dest);
    }
}

static void every_destination_survives(void **state)
{
    (void)state;
    for (unsigned dest = 0; dest < GW_L1_DEST; dest++) {
        for (unsigned code = GW_L1_HAMMING_20; code <= GW_L1_UNCODED; code++) {
            uint32_t word = gw_l1_tag_encode((uint16_t)dest, (gw_l1_code)code);
            gw_l1_tag tag = gw_l1_tag_decode(word, (gw_l1_code)code);
            assert_int_equal(tag.status, GW_L1_TAG_CLEAN);
            assert_int_equal(tag.dest, dest);
            assert_int_equal(tag.bit, GW_L1_NO_BIT);
        }
    }
}

static void one_wrong_bit_is_corrected(void **state)
{
    (void)state;
    for (unsigned dest = 0; dest < GW_L1_DEST; dest += 7) {
        for (unsigned bit = 0; bit < 32; bit++) {
            uint32_t word = gw_l1_tag_encode((uint16_t)dest, GW_L1_HAMMING_20) ^ (1u << bit);
            gw_l1_tag tag = gw_l1_tag_decode(word, GW_L1_HAMMING_20);
            assert_int_equal(tag.status, bit < 20 ? GW_L1_TAG_CORRECTED : GW_L1_TAG_FATAL);
            if (bit >= 20)
                continue;
            assert_int_equal(tag.dest, dest);
            assert_int_equal(tag.bit, bit);
        }
    }
}

static void two_wrong_bits_are_seen(void **state)
{
    uint32_t good = gw_l1_tag_encode(0x1234, GW_L1_HAMMING_20);
    unsigned mistaken = 0, seen = 0;

    (void)state;
    for (unsigned a = 0; a < 20; a++) {
        for (unsigned b = a + 1; b < 20; b++) {
            uint32_t flips = 1u << a | 1u << b;
            assert_int_equal(gw_l1_tag_decode(good ^ flips, GW_L1_HAMMING_20).status,
                             GW_L1_TAG_FATAL);
            if (a == 0)
                continue;
            gw_l1_tag tag = gw_l1_tag_decode((good & ~1u) ^ flips, GW_L1_HAMMING_19);
            if (tag.status == GW_L1_TAG_FATAL)
                seen++;
            else
                mistaken += tag.dest != 0x1234 || tag.status == GW_L1_TAG_CORRECTED;
        }
    }
    /* Without the overall parity most pairs are taken for another word with one bit wrong. */
    assert_int_equal(mistaken, 123);
    assert_int_equal(seen, 48);
}

static void three_wrong_bits_can_deceive(void **state)
{
    uint32_t good = gw_l1_tag_encode(0x1234, GW_L1_HAMMING_20);
    unsigned deceived = 0, all = 0;

    (void)state;
    for (unsigned a = 0; a < 20; a++) {
        for (unsigned b = a + 1; b < 20; b++) {
            for (unsigned c = b + 1; c < 20; c++, all++) {
                gw_l1_tag tag =
                    gw_l1_tag_decode(good ^ (1u << a | 1u << b | 1u << c), GW_L1_HAMMING_20);
                assert_int_not_equal(tag.status, GW_L1_TAG_CLEAN);
                deceived += tag.status == GW_L1_TAG_CORRECTED && tag.dest != 0x1234;
            }
        }
    }
    assert_int_equal(all, 1140);
    assert_uint_in_range(deceived, 700, 1140);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_the_known_ones),
        cmocka_unit_test(every_destination_survives),
        cmocka_unit_test(one_wrong_bit_is_corrected),
        cmocka_unit_test(two_wrong_bits_are_seen),
        cmocka_unit_test(three_wrong_bits_can_deceive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

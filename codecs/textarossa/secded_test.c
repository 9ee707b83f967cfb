/* SPDX-License-Identifier: BSD-2-Clause */
/* The check byte against words measured in simulation, every single flip and every double one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/secded.h"

typedef struct vector {
    uint64_t hi, lo;
    uint8_t check;
} vector;

static const vector vectors[] = {
    {0, 0, 0x00},
    {0x00ffffffffffffff, 0xffffffffffffffff, 0xff},
    {0x000000003ebeff3f, 0x4010000000200000, 0x00},
    {0x000000003ebeff3f, 0x5000006000200000, 0xfc},
    {0x000000003ebeff3f, 0x4040002000400fe0, 0x7b},
    {0x00003ebe302a0000, 0x8010000000200010, 0x8e},
    {0x00003e98b02a0000, 0x8010000000000010, 0xab},
    {0x00003e98b02a0000, 0x8010100000000000, 0xdf},
    {0x0000000000000000, 0x0000800000200010, 0x49},
    {0x000000003ebeff3f, 0x4001000000200000, 0x18},
    {0x000000003ebeff3f, 0x4011000000a00001, 0x52},
    {0x000000003ebeff3f, 0x4000000000200000, 0x76},
    {0x00ffffffffffffff, 0xffff01fffffffff1, 0x99},
    {0x000000003ebeff3f, 0x4020040005000000, 0x24},
    {0x0000448d159e26af, 0x0100000000600000, 0xa6},
    {0x00aaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa, 0x55},
    {0x0055555555555555, 0x5555555555555555, 0xaa},
    {0x000000002aabaaeb, 0x0000000000000000, 0x72},
    {0x00ffaaaa5555aaaa, 0xffffaaaa5555aaaa, 0xb7},
    {0x00ffbbbb6666bbbb, 0xffffbbbb6666bbbb, 0xb1},
    {0x000bacc0d10bacc0, 0xd10bacc0d10bacc0, 0xa3},
    {0x0016a14a9d30bbee, 0x72147e5fff1ef38d, 0x14},
    {0x00f6f34f2b32fbe9, 0x6aa2f55828ad4fe2, 0x6a},
    {0x0050c522258fadb7, 0xf89e2d2454abae1a, 0x5e},
    {0x0000000000000000, 0x0000000101004040, 0x4d}, /* credits: nothing used, 0x40 waiting ... */
    {0x0000000000000000, 0x0000000115144545, 0x42}, /* ... and five words used */
};

static void words_have_the_bytes_that_were_measured(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(vectors); i++) {
        const vector *v = &vectors[i];
        assert_int_equal(gw_secded_encode(v->lo, v->hi), v->check);
        assert_int_equal(gw_secded_encode(v->lo, v->hi | UINT64_C(0x55) << 56), v->check);
        gw_secded_result r = gw_secded_check(v->lo, v->hi | (uint64_t)v->check << 56, true);
        assert_int_equal(r.status, GW_SECDED_CLEAN);
        assert_int_equal(r.syndrome, 0);
        assert_int_equal(r.bit, GW_SECDED_NO_BIT);
        assert_true(r.lo == v->lo && r.hi == v->hi);
    }
}

/* Data bit i has position i + 3 plus one for each power of two that was left out on the way. */
static unsigned position_of(unsigned data_bit)
{
    unsigned position = 3;
    for (unsigned seen = 0;; position++) {
        if ((position & (position - 1)) == 0)
            continue;
        if (seen++ == data_bit)
            return position;
    }
}

/* The check byte of data bit |i| alone: its column of the generator matrix. */
static uint8_t column(unsigned i)
{
    unsigned position = position_of(i), ones = 1;

    for (unsigned k = 0; k < 7; k++)
        ones += position >> k & 1;
    return (uint8_t)(position << 1 | (ones & 1));
}

static void each_data_bit_has_its_position(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 120; i++) {
        uint64_t lo = i < 64 ? UINT64_C(1) << i : 0;
        uint64_t hi = i < 64 ? 0 : UINT64_C(1) << (i - 64);
        assert_int_equal(gw_secded_encode(lo, hi), column(i));
    }
}

static void flip(uint64_t *lo, uint64_t *hi, unsigned bit)
{
    if (bit < 64)
        *lo ^= UINT64_C(1) << bit;
    else
        *hi ^= UINT64_C(1) << (bit - 64);
}

/* What the code looks at of a bit: its place in its byte, that of its byte in its half, and in the
 * upper half that byte again. Of a word these are added up modulo 2. */
static uint32_t seen_of(unsigned position)
{
    uint32_t seen = UINT32_C(1) << position % 8 | UINT32_C(1) << (8 + position / 8 % 8);
    return position < 64 ? seen : seen | UINT32_C(1) << (8 + position / 8);
}

/* Finds data bits, as few as can be, that show the code all that it can see of any word. */
static unsigned find_basis(unsigned basis[24])
{
    uint32_t pivots[24] = {0};
    unsigned num = 0;

    for (unsigned i = 0; i < 120; i++) {
        uint32_t seen = seen_of(position_of(i));
        for (unsigned bit = 24; bit-- > 0;) {
            if ((seen >> bit & 1) == 0)
                continue;
            if (pivots[bit] == 0) {
                pivots[bit] = seen;
                basis[num++] = i;
                break;
            }
            seen ^= pivots[bit];
        }
    }
    return num;
}

/* So for every word: the check byte is the sum of its bits' columns. What flips do to a syndrome is
 * then the same in every word, and the tests of flips below, in a few words, hold for all. */
static void all_that_the_code_can_see_is_the_sum_of_columns(void **state)
{
    unsigned basis[24], num = find_basis(basis), wrong = 0;
    uint64_t lo = 0, hi = 0;
    uint8_t due = 0;

    (void)state;
    assert_int_equal(num, 23); /* both sums over bits have the parity of the word */
    uint8_t columns[24];
    for (unsigned i = 0; i < num; i++)
        columns[i] = column(basis[i]);
    for (uint32_t k = 1; k < UINT32_C(1) << num; k++) { /* Gray's order: one bit a step */
        unsigned i = 0;
        while ((k >> i & 1) == 0)
            i++;
        flip(&lo, &hi, basis[i]);
        due ^= columns[i];
        wrong += gw_secded_encode(lo, hi) != due;
    }
    assert_int_equal(wrong, 0);
}

static void every_single_flip_is_corrected(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(vectors); i++) {
        for (unsigned bit = 0; bit < 128; bit++) {
            uint64_t lo = vectors[i].lo, hi = vectors[i].hi | (uint64_t)vectors[i].check << 56;
            flip(&lo, &hi, bit);
            gw_secded_result r = gw_secded_check(lo, hi, false);
            assert_int_equal(r.status, GW_SECDED_CORRECTED);
            assert_int_equal(r.bit, bit);
            assert_true(r.lo == vectors[i].lo && r.hi == vectors[i].hi);
            assert_int_equal(r.syndrome & 0x80, 0x80);
        }
    }
}

/* 448 of them pass the published decoder, and none the strict one. */
static void double_flips_are_told_or_known_to_pass(void **state)
{
    unsigned clean = 0, fatal = 0, harmless = 0;
    const vector *v = &vectors[2];

    (void)state;
    for (unsigned a = 0; a < 128; a++) {
        for (unsigned b = a + 1; b < 128; b++) {
            uint64_t lo = v->lo, hi = v->hi | (uint64_t)v->check << 56;
            flip(&lo, &hi, a);
            flip(&lo, &hi, b);
            gw_secded_result r = gw_secded_check(lo, hi, false);
            clean += r.status == GW_SECDED_CLEAN;
            fatal += r.status == GW_SECDED_FATAL;
            harmless += r.status == GW_SECDED_CLEAN && r.lo == v->lo && r.hi == v->hi;
            r = gw_secded_check(lo, hi, true);
            assert_int_equal(r.status, GW_SECDED_FATAL);
            assert_true(r.lo == 0 && r.hi == 0);
        }
    }
    assert_int_equal(clean, 448);
    assert_int_equal(fatal, 7680);
    assert_int_equal(harmless, 7);
}

/* Delivered bytes that were measured: data bit 21, check bit 124, bits 21 and 100, 21 and 25. */
static void syndromes_are_those_that_were_measured(void **state)
{
    static const struct {
        unsigned first, second;
        uint8_t status, syndrome;
    } table[] = {{21, 128, GW_SECDED_CORRECTED, 0x9b},
                 {124, 128, GW_SECDED_CORRECTED, 0x88},
                 {21, 100, GW_SECDED_FATAL, 0},
                 {21, 25, GW_SECDED_CLEAN, 0x04}};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(table); i++) {
        uint64_t lo = vectors[2].lo, hi = vectors[2].hi;
        flip(&lo, &hi, table[i].first);
        if (table[i].second < 128)
            flip(&lo, &hi, table[i].second);
        gw_secded_result r = gw_secded_check(lo, hi, false);
        assert_int_equal(r.status, table[i].status);
        if (r.status != GW_SECDED_FATAL)
            assert_int_equal(r.syndrome, table[i].syndrome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_have_the_bytes_that_were_measured),
        cmocka_unit_test(each_data_bit_has_its_position),
        cmocka_unit_test(all_that_the_code_can_see_is_the_sum_of_columns),
        cmocka_unit_test(every_single_flip_is_corrected),
        cmocka_unit_test(double_flips_are_told_or_known_to_pass),
        cmocka_unit_test(syndromes_are_those_that_were_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

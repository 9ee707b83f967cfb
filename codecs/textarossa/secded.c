/* SPDX-License-Identifier: BSD-2-Clause */
/* The SECDED code of TEXTAROSSA's headers and credits. The 128 positions of a word are taken for
 * sixteen bytes: a position is the number of its byte and that of its bit, and what check bits say,
 * the sum modulo 2 of the positions that are set, falls into a sum over bits and one over bytes. */
#include "goldwire/secded.h"

/* What the bits set in |v| add up to modulo 2: their numbers in bits 3:1, how many in bit 0. */
#define PLACE(v, k) ((v) >> (k)&1 ? (k) << 1 | 1 : 0)
#define SUM(v)                                                                                     \
    (uint8_t)(PLACE(v, 0) ^ PLACE(v, 1) ^ PLACE(v, 2) ^ PLACE(v, 3) ^ PLACE(v, 4) ^ PLACE(v, 5) ^  \
              PLACE(v, 6) ^ PLACE(v, 7))
#define SUMS_4(v) SUM(v), SUM((v) + 1), SUM((v) + 2), SUM((v) + 3)
#define SUMS_16(v) SUMS_4(v), SUMS_4((v) + 4), SUMS_4((v) + 8), SUMS_4((v) + 12)
#define SUMS_64(v) SUMS_16(v), SUMS_16((v) + 16), SUMS_16((v) + 32), SUMS_16((v) + 48)

static const uint8_t sums[256] = {SUMS_64(0), SUMS_64(64), SUMS_64(128), SUMS_64(192)};

#define DATA_HI UINT64_C(0x00ffffffffffffff)

static unsigned parity(uint8_t byte)
{
    return sums[byte] & 1;
}

/* The eight bytes of |x| added up modulo 2. */
static uint8_t bytes_added(uint64_t x)
{
    x ^= x >> 32;
    x ^= x >> 16;
    return (uint8_t)(x ^ x >> 8);
}

/* The parities of the eight bytes of |x|, that of the lowest in bit 0. */
static uint8_t byte_parities(uint64_t x)
{
    x ^= x >> 4;
    x ^= x >> 2;
    x ^= x >> 1;
    /* moves bit 8k to 56 + k; no two of the 64 products meet */
    return (uint8_t)((x & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56);
}

static inline uint8_t check_byte(uint64_t lo, uint64_t hi)
{
    /* positions 63:0 and 127:64; those of check bits, powers of two, are left free */
    uint64_t low = (lo & 1) << 3 | (lo >> 1 & 0x7) << 5 | (lo >> 4 & 0x7f) << 9 |
                   (lo >> 11 & 0x7fff) << 17 | (lo >> 26 & 0x7fffffff) << 33;
    uint64_t high = lo >> 57 << 1 | hi << 8;
    uint8_t high_parities = byte_parities(high);
    uint8_t in_bytes = sums[bytes_added(low ^ high)];
    uint8_t of_bytes = sums[byte_parities(low) ^ high_parities];
    uint8_t position = (uint8_t)(in_bytes >> 1 | of_bytes >> 1 << 3 | parity(high_parities) << 6);

    return (uint8_t)(position << 1 | ((in_bytes & 1) ^ parity(position)));
}

uint8_t gw_secded_encode(uint64_t lo, uint64_t hi)
{
    return check_byte(lo, hi);
}

static bool is_power(unsigned position)
{
    return (position & (position - 1)) == 0; /* and so is 0 */
}

static unsigned log_2(unsigned position)
{
    unsigned log = 0;
    while (position >>= 1)
        log++;
    return log;
}

/* The bit at |position|: a data bit, or, where it is a power of two, the check bit p_k; p0 has none
 * of its own and is taken for 0. */
static uint8_t bit_at(unsigned position)
{
    if (position == 0)
        return 120;
    unsigned log = log_2(position);
    return (uint8_t)(is_power(position) ? 121 + log : position - 2 - log);
}

gw_secded_result gw_secded_check(uint64_t lo, uint64_t hi, bool strict)
{
    uint8_t received = (uint8_t)(hi >> 56);
    uint8_t computed = check_byte(lo, hi);
    unsigned odd = parity(received ^ computed);
    unsigned position = (unsigned)(received ^ computed) >> 1;
    gw_secded_result r = {.lo = lo,
                          .hi = hi & DATA_HI,
                          .syndrome = (uint8_t)(odd << 7 | position),
                          .expected = computed,
                          .bit = GW_SECDED_NO_BIT};

    if (r.syndrome == 0)
        return r;
    if (odd) {
        r.status = GW_SECDED_CORRECTED;
        r.bit = bit_at(position);
        if (r.bit < 64)
            r.lo ^= UINT64_C(1) << r.bit;
        else if (r.bit < 120)
            r.hi ^= UINT64_C(1) << (r.bit - 64);
        return r;
    }
    if (!strict && is_power(position))
        return r;
    r.status = GW_SECDED_FATAL;
    r.lo = r.hi = 0;
    return r;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The SECDED code of TEXTAROSSA's headers and credits: one table look-up for each four bits. */
#include "goldwire/secded.h"

/* Which data bits each check bit covers: bits 119:64 and 63:0. */
#define MASKS(X, i)                                                                                \
    (X(0xffffffffffffff, 0xfe00000000000000, i, 7) |                                               \
     X(0xffffffff000000, 0x01fffffffc000000, i, 6) |                                               \
     X(0xffff0000ffff00, 0x01fffe0003fff800, i, 5) |                                               \
     X(0xff00ff00ff00ff, 0x01fe01fe03fc07f0, i, 4) |                                               \
     X(0xf0f0f0f0f0f0f0, 0xf1e1e1e1e3c3c78e, i, 3) |                                               \
     X(0xcccccccccccccc, 0xcd9999999b33366d, i, 2) |                                               \
     X(0xaaaaaaaaaaaaaa, 0xab55555556aaad5b, i, 1) |                                               \
     X(0x69969669966969, 0x972cd2d32da65cb7, i, 0))

/* Check bit |k| of a word in which data bit |i| alone is set. */
#define BIT(hi, lo, i, k)                                                                          \
    ((((i) < 64 ? UINT64_C(lo) >> ((i)&63) : UINT64_C(hi) >> ((i)&63)) & 1) << (k))
#define COLUMN(i) MASKS(BIT, i)

/* The check bytes of the sixteen values of four bits from |i| on. */
#define PAIR(i, v) (((v)&1 ? COLUMN(i) : 0) ^ ((v)&2 ? COLUMN((i) + 1) : 0))
#define NIBBLE(i, v) (uint8_t)(PAIR(i, v) ^ PAIR((i) + 2, (v) >> 2))
#define ROW(i)                                                                                     \
    {                                                                                              \
        NIBBLE(i, 0), NIBBLE(i, 1), NIBBLE(i, 2), NIBBLE(i, 3), NIBBLE(i, 4), NIBBLE(i, 5),        \
            NIBBLE(i, 6), NIBBLE(i, 7), NIBBLE(i, 8), NIBBLE(i, 9), NIBBLE(i, 10), NIBBLE(i, 11),  \
            NIBBLE(i, 12), NIBBLE(i, 13), NIBBLE(i, 14), NIBBLE(i, 15)                             \
    }

static const uint8_t table[30][16] = {
    ROW(0),  ROW(4),  ROW(8),  ROW(12), ROW(16), ROW(20),  ROW(24),  ROW(28),  ROW(32),  ROW(36),
    ROW(40), ROW(44), ROW(48), ROW(52), ROW(56), ROW(60),  ROW(64),  ROW(68),  ROW(72),  ROW(76),
    ROW(80), ROW(84), ROW(88), ROW(92), ROW(96), ROW(100), ROW(104), ROW(108), ROW(112), ROW(116)};

#define DATA_HI UINT64_C(0x00ffffffffffffff)

uint8_t gw_secded_encode(uint64_t lo, uint64_t hi)
{
    uint8_t check = 0;

    for (unsigned i = 0; i < 16; i++)
        check ^= table[i][lo >> 4 * i & 15];
    for (unsigned i = 0; i < 14; i++)
        check ^= table[16 + i][hi >> 4 * i & 15];
    return check;
}

static unsigned parity(uint8_t byte)
{
    return 0x6996u >> ((byte ^ byte >> 4) & 15) & 1;
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
    uint8_t computed = gw_secded_encode(lo, hi);
    unsigned odd = parity(received ^ computed);
    unsigned position = (unsigned)(received ^ computed) >> 1;
    gw_secded_result r = {.lo = lo,
                          .hi = hi & DATA_HI,
                          .syndrome = (uint8_t)(odd << 7 | position),
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

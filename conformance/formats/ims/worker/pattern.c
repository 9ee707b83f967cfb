/* SPDX-License-Identifier: BSD-2-Clause */
/* The endless pattern: SplitMix64 of each word's number, so that any word can be had without those
 * before it. */
#include "formats/ims/worker/pattern.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

#include "formats/ims/worker/board.h"

#define STEP UINT64_C(0x9e3779b97f4a7c15)

/* |z|, a number or a vector of them, which is the number of a word, from 1 on, times STEP. */
#define MIX(z)                                                                                     \
    do {                                                                                           \
        (z) = ((z) ^ (z) >> 30) * UINT64_C(0xbf58476d1ce4e5b9);                                    \
        (z) = ((z) ^ (z) >> 27) * UINT64_C(0x94d049bb133111eb);                                    \
        (z) = (z) ^ (z) >> 31;                                                                     \
    } while (0)

static uint64_t word_of(uint64_t number)
{
    uint64_t z = (number + 1) * STEP;
    MIX(z);
    return htole64(z);
}

static void for_any(uint64_t number, uint8_t *out, size_t blocks)
{
    uint64_t end = number + blocks * (GW_IMS_PATTERN_BLOCK / GW_IMS_PATTERN_WORD);
    for (; number != end; number++, out += GW_IMS_PATTERN_WORD) {
        uint64_t word = word_of(number);
        memcpy(out, &word, sizeof(word));
    }
}

/* ---- several words at a time ---- */

#if defined(__x86_64__) && defined(__GNUC__)

typedef uint64_t four_words __attribute__((vector_size(4 * GW_IMS_PATTERN_WORD)));
typedef uint64_t eight_words __attribute__((vector_size(8 * GW_IMS_PATTERN_WORD)));

/* A function each, as compilers decide for a whole one which instructions it may have. Its vector
 * is one register: a longer one lives in memory, and is stored in halves and read as a whole, for
 * which some processors wait. Behind |vector| the first of its words' numbers. */
#define WAY(name, instructions, vector, ...)                                                       \
    static __attribute__((target(instructions))) void name(uint64_t number, uint8_t *out,          \
                                                           size_t blocks)                          \
    {                                                                                              \
        const size_t words = sizeof(vector) / GW_IMS_PATTERN_WORD;                                 \
        size_t left = blocks * (GW_IMS_PATTERN_BLOCK / sizeof(vector));                            \
        vector next = {__VA_ARGS__};                                                               \
        next = (next + number) * STEP;                                                             \
        for (; left > 0; left--, out += sizeof(vector), next += words * STEP) {                    \
            vector z = next;                                                                       \
            MIX(z);                                                                                \
            memcpy(out, &z, sizeof(z));                                                            \
        }                                                                                          \
    }

WAY(for_avx512, "avx512f,avx512dq", eight_words, 1, 2, 3, 4, 5, 6, 7, 8)
WAY(for_avx2, "avx2", four_words, 1, 2, 3, 4)

size_t gw_ims_pattern_ways(gw_ims_pattern_way ways[GW_IMS_PATTERN_WAYS])
{
    size_t num = 0;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        ways[num++] = for_avx512;
    if (__builtin_cpu_supports("avx2"))
        ways[num++] = for_avx2;
    ways[num++] = for_any;
    return num;
}

#else

size_t gw_ims_pattern_ways(gw_ims_pattern_way ways[GW_IMS_PATTERN_WAYS])
{
    ways[0] = for_any;
    return 1;
}

#endif

/* ---- from any byte on ---- */

void gw_ims_pattern(uint64_t offset, uint8_t *out, size_t len)
{
    gw_ims_pattern_way ways[GW_IMS_PATTERN_WAYS];
    while (len > 0) {
        uint64_t number = offset / GW_IMS_PATTERN_WORD;
        size_t skip = offset % GW_IMS_PATTERN_WORD, take;
        if (skip == 0 && len >= GW_IMS_PATTERN_BLOCK) {
            take = len - len % GW_IMS_PATTERN_BLOCK;
            (void)gw_ims_pattern_ways(ways);
            ways[0](number, out, take / GW_IMS_PATTERN_BLOCK);
        } else {
            uint64_t word = word_of(number);
            take = sizeof(word) - skip < len ? sizeof(word) - skip : len;
            memcpy(out, (const uint8_t *)&word + skip, take);
        }
        out += take;
        offset += take;
        len -= take;
    }
}

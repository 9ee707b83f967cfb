/* SPDX-License-Identifier: BSD-2-Clause */
/* Portable checksums. The CRCs take eight bytes at a time, a nibble of each by a table of 16
 * entries: 1 KiB each, small enough for firmware. Whoever needs gigabytes a second brings faster
 * ones through gw_env. */
#include "goldwire/checksum.h"

#include "core/lookup/crc_tables.h"
#include "goldwire/cursor.h"

/* What the nibbles of |word| add, the lowest of which was first. */
static inline uint32_t crc_of_word(const uint32_t rows[16][16], uint64_t word)
{
    uint32_t crc = 0;

    for (unsigned i = 0; i < 16; i++)
        crc ^= rows[15 - i][word >> 4 * i & 15];
    return crc;
}

/* Counting each byte's edges would cost a fuzzer more than the sum. */
GW_WATCHER static uint32_t crc_by_nibble(const uint32_t rows[16][16], uint32_t crc,
                                         const uint8_t *data, size_t len)
{
    crc = ~crc;
    for (; len >= 8; data += 8, len -= 8)
        crc = crc_of_word(rows, gw_load_le64(data) ^ crc);
    for (size_t i = 0; i < len; i++) {
        crc ^= data[i];
        crc = crc >> 4 ^ rows[0][crc & 15];
        crc = crc >> 4 ^ rows[0][crc & 15];
    }
    return ~crc;
}

uint32_t gw_crc32(const gw_env *env, uint32_t crc, const uint8_t *data, size_t len)
{
    if (env != NULL && env->crc32 != NULL)
        return env->crc32(crc, data, len);
    return crc_by_nibble(gw_crc32_rows, crc, data, len);
}

uint32_t gw_crc32c(const gw_env *env, uint32_t crc, const uint8_t *data, size_t len)
{
    if (env != NULL && env->crc32c != NULL)
        return env->crc32c(crc, data, len);
    return crc_by_nibble(gw_crc32c_rows, crc, data, len);
}

uint32_t gw_inet_sum(uint32_t sum, const uint8_t *data, size_t len)
{
    uint64_t wide = sum;
    for (; len >= 2; data += 2, len -= 2)
        wide += gw_load_be16(data);
    if (len == 1)
        wide += (uint32_t)data[0] << 8;
    while (wide >> 32 != 0)
        wide = (wide & 0xffffffff) + (wide >> 32);
    return (uint32_t)wide;
}

uint16_t gw_inet_fold(uint32_t sum)
{
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

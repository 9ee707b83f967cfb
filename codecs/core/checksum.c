/* SPDX-License-Identifier: BSD-2-Clause */
/* Portable checksums. The CRCs use a 16-entry table a nibble: small enough for firmware; whoever
 * needs gigabytes a second brings faster ones through gw_env. */
#include "goldwire/checksum.h"

#include "goldwire/cursor.h"

/* Counting each byte's edges would cost a fuzzer more than the sum. */
GW_WATCHER static uint32_t crc_by_nibble(const uint32_t table[16], uint32_t crc,
                                         const uint8_t *data, size_t len)
{
    crc = ~crc;
    for (size_t i = 0; i < len; i++) {
        crc ^= data[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

uint32_t gw_crc32(const gw_env *env, uint32_t crc, const uint8_t *data, size_t len)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                       0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    if (env != NULL && env->crc32 != NULL)
        return env->crc32(crc, data, len);
    return crc_by_nibble(table, crc, data, len);
}

uint32_t gw_crc32c(const gw_env *env, uint32_t crc, const uint8_t *data, size_t len)
{
    static const uint32_t table[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
                                       0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
                                       0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
                                       0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
    if (env != NULL && env->crc32c != NULL)
        return env->crc32c(crc, data, len);
    return crc_by_nibble(table, crc, data, len);
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

/* SPDX-License-Identifier: BSD-2-Clause */
/* Hashes for tables in the caller's memory. They never leave it, so they may differ from machine to
 * machine. */
#ifndef CORE_HASH_H
#define CORE_HASH_H

#include "goldwire/cursor.h"
#include "goldwire/message.h"

/* Odd constants with bits all over. Products that do not wait for each other cost one
 * multiplication's time. */
#define GW_HASH_1 UINT64_C(0x9e3779b97f4a7c15)
#define GW_HASH_2 UINT64_C(0xc2b2ae3d27d4eb4f)
#define GW_HASH_3 UINT64_C(0x165667b19e3779f9)
#define GW_HASH_4 UINT64_C(0xd6e8feb86659fd93)

/* gw_hash_fold makes 32 bits of 64, each of which depends on all. */
static inline uint32_t gw_hash_fold(uint64_t h)
{
    h ^= h >> 32;
    h *= GW_HASH_1;
    h ^= h >> 29;
    h *= GW_HASH_2;
    return (uint32_t)(h >> 32);
}

/* gw_hash_endpoint hashes |end| with its port, to be folded with what else tells two apart. */
static inline uint64_t gw_hash_endpoint(const gw_endpoint *end)
{
    return gw_load_be64(end->ip) * GW_HASH_1 + gw_load_be64(end->ip + 8) * GW_HASH_2 +
           (((uint64_t)end->family << 16) | end->port) * GW_HASH_3;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Hashes of conversations and of what answers repeat. They never leave the session's memory, so
 * they may differ from machine to machine. */
#ifndef ETHERBONE_SESSION_HASH_H
#define ETHERBONE_SESSION_HASH_H

#include "core/hash.h"
#include "etherbone/session/session_table.h"
#include "goldwire/cursor.h"

#define GW_EB_HASH_5 UINT64_C(0xa0761d6478bd642f) /* another one of them */

static inline uint32_t gw_eb_hash_fold(uint64_t h)
{
    h ^= h >> 32;
    h *= GW_HASH_1;
    return (uint32_t)(h >> 32);
}

/* gw_eb_ends_hash hashes the two ends of a conversation without their ports. |stream| is
 * gw_eb_stream_of's. */
static inline uint32_t gw_eb_ends_hash(const gw_endpoint *requester, const gw_endpoint *responder,
                                       uint32_t stream)
{
    return gw_eb_hash_fold(gw_load_be64(requester->ip) * GW_HASH_1 +
                           gw_load_be64(requester->ip + 8) * GW_HASH_2 +
                           gw_load_be64(responder->ip) * GW_HASH_3 +
                           gw_load_be64(responder->ip + 8) * GW_HASH_4 + stream * GW_EB_HASH_5);
}

/* gw_eb_hash_in hashes |key| within the conversation |ends|. */
static inline uint32_t gw_eb_hash_in(uint32_t ends, const gw_eb_key *key)
{
    return gw_eb_hash_fold(ends * GW_HASH_2 + key->base * GW_HASH_3 +
                           ((uint64_t)key->kind << 8 | key->count) * GW_HASH_4);
}

/* gw_eb_probe_hash hashes the key of a probe: anybody may answer it. */
static inline uint32_t gw_eb_probe_hash(const gw_endpoint *requester, uint32_t stream,
                                        const gw_eb_key *key)
{
    static const gw_endpoint anybody;
    return gw_eb_hash_in(gw_eb_ends_hash(requester, &anybody, stream), key);
}

#endif

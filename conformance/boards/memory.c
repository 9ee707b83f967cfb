/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory at the start of a board. */
#include "boards/memory.h"

#include <string.h>

void gw_memory_fill(const gw_peer_config *config, unsigned which, void *bytes, size_t len)
{
    uint64_t state = (config->memory_seed + which) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    uint8_t *out = bytes;

    if (!config->random_memory)
        return;
    for (size_t at = 0; at < len; at += sizeof(state)) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        size_t left = len - at;
        memcpy(out + at, &state, left < sizeof(state) ? left : sizeof(state));
    }
}

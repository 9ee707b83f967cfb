/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: frames that the reference core sent in simulation, and their strict counterparts. */
#ifndef OP2P_TESTING_FRAMES_H
#define OP2P_TESTING_FRAMES_H

#include <string.h>

#include "goldwire/base.h"

#define OP2P_WRITE_16 "00410042 00002000 00001000 001000f0 d0001000 d0001004 d0001008 d000100c"
#define OP2P_READ_STALE "00410042 00004000 00003000 001010f0 d0001000 d0001004 d0001008 d000100c"
#define OP2P_READ_16 "00410042 00004000 00003000 001010f0"
#define OP2P_COMPLETION_4 "00410042 00000200 00000100 000420f0 d0000100"
#define OP2P_COMPLETION_FROM_0 "00000042 00000200 00000100 000420f0 d0000100"
#define OP2P_ERROR_16 "00410042 00000200 00000100 001042f0"
#define OP2P_RETRANSMIT_8 "00410000 00000200 00000100 0008a2f0"

/* What may stand before them. */
#define OP2P_TUNNEL "4f320100 00000007 "
#define OP2P_EVENT "01000000 0001ffff "

/* op2p_bytes turns hexadecimal text into bytes; spaces are for people. Returns how many; stops at
 * |cap|. */
static inline size_t op2p_bytes(uint8_t *out, size_t cap, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    size_t nibbles = 0;

    memset(out, 0, cap);
    for (; *hex != '\0' && nibbles / 2 < cap; hex++) {
        const char *digit = strchr(digits, *hex);
        if (*hex == ' ' || digit == NULL)
            continue;
        out[nibbles / 2] = (uint8_t)(out[nibbles / 2] << 4 | (digit - digits));
        nibbles++;
    }
    return nibbles / 2;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What the harnesses of the proof share: numbers that may be anything, and messages that may. Only
 * Frama-C reads these files. */
#ifndef PROOF_PROOF_H
#define PROOF_PROOF_H

#include "__fc_builtin.h"
#include "goldwire/format.h"

/* How many bytes a message has at the most. */
#ifndef PROOF_BYTES
#define PROOF_BYTES 64
#endif
/* ... and at the least; -1 stands for none, and NULL. */
#ifndef PROOF_LEAST
#define PROOF_LEAST (-1)
#endif

/* Names as a macro's value: PROOF_NAME(gw_, op2p). */
#define PROOF_JOIN(a, b) a##b
#define PROOF_NAME(a, b) PROOF_JOIN(a, b)

/* any returns whatever |size| bits hold. */
static inline uint8_t any_u8(void)
{
    return (uint8_t)Frama_C_interval(0, UINT8_MAX);
}

static inline uint16_t any_u16(void)
{
    return (uint16_t)Frama_C_interval(0, UINT16_MAX);
}

static inline uint32_t any_u32(void)
{
    return (uint32_t)Frama_C_unsigned_int_interval(0, UINT32_MAX);
}

static inline uint64_t any_u64(void)
{
    return Frama_C_unsigned_long_long_interval(0, UINT64_MAX);
}

static inline bool any_bool(void)
{
    return Frama_C_interval(0, 1) != 0;
}

#endif

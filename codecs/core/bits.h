/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading and writing one field of a flat group where its table says it stands. Positions are
 * constants, so that each call becomes a load, a shift and a mask. An internal.h makes two short
 * names of it for its format, which take the field's id: GET(p, BYTE_COUNT), PUT(p, BYTE_COUNT, v).
 */
#ifndef CORE_BITS_H
#define CORE_BITS_H

#include "goldwire/cursor.h"
#include "goldwire/field.h"

/* gw_bits_field reads the fixed |field|, up to 64 bits that begin anywhere in a byte, from its
 * group's bytes at |at|; a swizzled group's have been put in order before. */
static inline uint64_t gw_bits_field(const gw_field *field, const uint8_t *at)
{
    const uint8_t *p = at + field->byte;
    bool little = field->group->little;

    if (field->num_bytes <= 8) {
        uint64_t word = little ? gw_load_le(p, field->num_bytes) : gw_load_be(p, field->num_bytes);
        return word >> field->shift & field->mask;
    }
    /* Nine bytes: the ninth gives the bits that the shift pushed out. */
    if (little)
        return (gw_load_le64(p) >> field->shift | (uint64_t)p[8] << (64 - field->shift)) &
               field->mask;
    return (gw_load_be64(p) << (8 - field->shift) | p[8] >> field->shift) & field->mask;
}

/* gw_bits_get_msb0 reads bits |from| to |to|, at most 57 unless they begin and end with a byte, of
 * the big-endian group at |p|; bit 0 is the most significant one of the first byte. */
static inline uint64_t gw_bits_get_msb0(const uint8_t *p, unsigned from, unsigned to)
{
    uint64_t word = gw_load_be(p + from / 8, to / 8 - from / 8 + 1);
    return word >> (7 - to % 8) & UINT64_MAX >> (63 - (to - from));
}

/* gw_bits_get_lsb0 is the same of a little-endian group: bit 0 is the least significant one of the
 * first byte. */
static inline uint64_t gw_bits_get_lsb0(const uint8_t *p, unsigned from, unsigned to)
{
    uint64_t word = gw_load_le(p + from / 8, to / 8 - from / 8 + 1);
    return word >> from % 8 & UINT64_MAX >> (63 - (to - from));
}

/* gw_bits_put_msb0 writes the low bits of |value| where gw_bits_get_msb0 reads them, and leaves the
 * bits around them as they are. */
static inline void gw_bits_put_msb0(uint8_t *p, unsigned from, unsigned to, uint64_t value)
{
    unsigned low = 7 - to % 8;
    uint64_t mask = UINT64_MAX >> (63 - (to - from)) << low;
    value = value << low & mask;
    for (unsigned i = to / 8 + 1; i-- > from / 8; mask >>= 8, value >>= 8)
        p[i] = (uint8_t)((p[i] & ~mask) | value);
}

/* gw_bits_put_lsb0 writes the low bits of |value| where gw_bits_get_lsb0 reads them, and leaves the
 * bits around them as they are. */
static inline void gw_bits_put_lsb0(uint8_t *p, unsigned from, unsigned to, uint64_t value)
{
    uint64_t mask = UINT64_MAX >> (63 - (to - from)) << from % 8;
    value = value << from % 8 & mask;
    for (unsigned i = from / 8; i <= to / 8; i++, mask >>= 8, value >>= 8)
        p[i] = (uint8_t)((p[i] & ~mask) | value);
}

#endif

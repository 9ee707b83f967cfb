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

/* gw_bits_load reads bytes |first| to |last| of the word at |p|, at most eight, which stand there
 * as |order| says (GW_ORDER_...), not GW_ORDER_BIG. */
static inline uint64_t gw_bits_load(const uint8_t *p, unsigned first, unsigned last, unsigned order)
{
    unsigned swizzle = order >> 1, turned = swizzle + 1;
    uint64_t word = 0;

    if (swizzle == 0)
        return gw_load_le(p + first, last - first + 1);
    if (first % turned == 0 && last % turned == swizzle) { /* just what is turned round */
        for (unsigned k = last + 1; k > first; k -= turned)
            word = word << 4 * turned << 4 * turned | gw_load_be(p + k - turned, turned);
        return word;
    }
    for (unsigned k = last + 1; k-- > first;)
        word = word << 8 | p[k ^ swizzle];
    return word;
}

/* gw_bits_get is the same of a group in any |order|. Unless that is GW_ORDER_BIG, the bits are
 * whole bytes or lie in one byte, as everywhere in a table that counts from the most significant
 * bit. */
static inline uint64_t gw_bits_get(const uint8_t *p, unsigned from, unsigned to, unsigned order)
{
    if (order == GW_ORDER_BIG)
        return gw_bits_get_msb0(p, from, to);
    return gw_bits_load(p, from / 8, to / 8, order) >> (7 - to % 8) &
           UINT64_MAX >> (63 - (to - from));
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

/* gw_bits_put writes the low bits of |value| where gw_bits_get reads them, and leaves the bits
 * around them as they are. */
static inline void gw_bits_put(uint8_t *p, unsigned from, unsigned to, unsigned order,
                               uint64_t value)
{
    unsigned low = 7 - to % 8;
    uint64_t mask = UINT64_MAX >> (63 - (to - from)) << low;

    if (order == GW_ORDER_BIG) {
        gw_bits_put_msb0(p, from, to, value);
        return;
    }
    value = value << low & mask;
    for (unsigned k = from / 8; k <= to / 8; k++, mask >>= 8, value >>= 8) {
        uint8_t *byte = &p[k ^ order >> 1];
        *byte = (uint8_t)((*byte & ~mask) | value);
    }
}

#endif

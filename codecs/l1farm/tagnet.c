/* SPDX-License-Identifier: BSD-2-Clause */
/* Coded tags. The thesis asks for a Hamming code over 14 bits and leaves the rest open: here parity
 * bits have positions 1, 2, 4, 8 and 16, data the others from 3 to 19 in ascending order, and
 * position 0 is the parity of all; position p is bit p of the word. */
#include "goldwire/l1farm.h"

#define DATA_BITS 14
#define LAST_POSITION 19
#define CODE_MASK UINT32_C(0xfffff)
#define DEST_MASK (GW_L1_DEST - 1)

/* What each parity bit covers: the positions that have its bit set, itself included. */
static const uint32_t covered[] = {0xaaaaa, 0xccccc, 0x0f0f0, 0x0ff00, 0xf0000};

/* Runs of data: 3, 5..7, 9..15, 17..19. */
static uint32_t spread(uint32_t dest)
{
    return (dest & 1) << 3 | (dest >> 1 & 7) << 5 | (dest >> 4 & 0x7f) << 9 |
           (dest >> 11 & 7) << 17;
}

static uint16_t gather(uint32_t word)
{
    return (uint16_t)((word >> 3 & 1) | (word >> 5 & 7) << 1 | (word >> 9 & 0x7f) << 4 |
                      (word >> 17 & 7) << 11);
}

static uint32_t parity(uint32_t v)
{
    v ^= v >> 16;
    v ^= v >> 8;
    v ^= v >> 4;
    return 0x6996 >> (v & 15) & 1;
}

static uint32_t syndrome(uint32_t word)
{
    uint32_t s = 0;

    for (unsigned i = 0; i < GW_ARRAY_LEN(covered); i++)
        s |= parity(word & covered[i]) << i;
    return s;
}

uint32_t gw_l1_tag_encode(uint16_t dest, gw_l1_code code)
{
    if (code == GW_L1_UNCODED)
        return dest & DEST_MASK;
    uint32_t word = spread(dest);
    uint32_t s = syndrome(word);
    for (unsigned i = 0; i < GW_ARRAY_LEN(covered); i++)
        word |= (s >> i & 1) << (1u << i);
    return code == GW_L1_HAMMING_20 ? word | parity(word) : word;
}

gw_l1_tag gw_l1_tag_decode(uint32_t word, gw_l1_code code)
{
    static const gw_l1_tag fatal = {.status = GW_L1_TAG_FATAL, .bit = GW_L1_NO_BIT};
    gw_l1_tag tag = {.status = GW_L1_TAG_CLEAN, .bit = GW_L1_NO_BIT};

    if (code == GW_L1_UNCODED) {
        tag.dest = word & DEST_MASK;
        return word > DEST_MASK ? fatal : tag;
    }
    bool wide = code == GW_L1_HAMMING_20;
    if ((word & ~(wide ? CODE_MASK : CODE_MASK - 1)) != 0)
        return fatal;
    uint32_t s = syndrome(word);
    bool odd = parity(word) != 0;
    if (wide ? odd : s != 0) {
        if (s > LAST_POSITION)
            return fatal;
        tag.status = GW_L1_TAG_CORRECTED;
        tag.bit = (uint8_t)s; /* with overall parity, 0 is its own position */
        word ^= UINT32_C(1) << s;
    } else if (s != 0) {
        return fatal;
    }
    tag.dest = gather(word);
    return tag;
}

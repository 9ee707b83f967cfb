/* SPDX-License-Identifier: BSD-2-Clause */
/* How a <format>.def becomes tables and compile-time checks.
 *
 * A .def consists of the lines below; whoever includes it defines what they expand to. Lines that
 * an includer does not need vanish: the .def begins with table_defaults.h and ends with
 * table_end.h, which forgets all of them again. table_ids.h and table_build.h are the two
 * includers.
 *
 *   GW_VALUES(LIST, GW_NAME(value, "name") ...)      names of values
 *   GW_GROUP(GROUP, segment, label, bytes, little)   opens a flat group
 *   GW_LEAF(GROUP, ID, first, last, prefix, key, label, type, base, use, compare, legal, value,
 * LIST, clause, blurb) in storage order; first and last are bit numbers GW_VIEW(...) as GW_LEAF;
 * re-reads bits of leaves GW_GROUP_END(GROUP, bytes) GW_UNIT_GROUP(GROUP, segment, indexed, label)
 * opens a unit: exactly two parts, padding and value GW_PART(GROUP, ID, prefix, key, label, base,
 * use, compare, clause, blurb) GW_UNIT_END(GROUP) GW_STRING_GROUP(GROUP, ID, prefix, key, label,
 * use, compare, clause, blurb) GW_OPEN_GROUP(GROUP, segment, label)             a container,
 * indexed */
#ifndef CORE_TABLE_H
#define CORE_TABLE_H

#include "goldwire/field.h"

#define GW_ONES(bits) (UINT64_MAX >> (64 - (bits)))

/* Positions of a big-endian group: bit 0 is the most significant of the first byte. */
#define GW_AT_MSB0(from, to)                                                                       \
    .first = (from), .last = (to), .byte = (from) / 8, .bits = (to) - (from) + 1,                  \
    .num_bytes = (to) / 8 - (from) / 8 + 1, .shift = 7 - (to) % 8,                                 \
    .mask = GW_ONES((to) - (from) + 1)

/* Positions of a little-endian group: bit 0 is the least significant of the first byte. */
#define GW_AT_LSB0(from, to)                                                                       \
    .first = (from), .last = (to), .byte = (from) / 8, .bits = (to) - (from) + 1,                  \
    .num_bytes = (to) / 8 - (from) / 8 + 1, .shift = (from) % 8,                                   \
    .mask = GW_ONES((to) - (from) + 1)

#endif

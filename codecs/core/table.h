/* SPDX-License-Identifier: BSD-2-Clause */
/* How a <format>.def becomes tables and compile-time checks.
 *
 * A .def consists of the lines below; whoever includes it defines what they expand to. Lines that
 * an includer does not need vanish: the .def begins with table_defaults.h and ends with
 * table_end.h, which forgets all of them again. table_ids.h and table_build.h are the two
 * includers.
 *
 * A line begins with what every field has: where it stands, its name (without the format's), its
 * label, the clause of the document, and a sentence. What is special about it follows as designated
 * members of gw_field; without them it is a decimal number that may hold any value and of which an
 * answer is compared exactly:
 *   .base = GW_HEX or GW_IPV4   .use = GW_RESERVED   .compare = GW_CMP_ECHO   .legal = GW_EQUALS(0)
 *   .names = GW_USES(QP)   .counts = GW_COUNTS_ALWAYS   .memory = GW_MEMORY_TO   .unsolicited = 1
 *   .values = GW_NAMED(LIST)   .rule = GW_BROKEN(RULE), when another value breaks it
 *   .measures = GW_NUMBER_OF(GROUP), or GW_BYTES_OF(GROUP), or GW_REST_OF_MESSAGE
 *   .tally = GW_EACH("Packet types"), or GW_MEAN("Bytes a packet"), the heading in statistics
 *
 * Of values:
 *   GW_VALUES(LIST, GW_NAME(value, "name") ...)
 * Of a flat group; fields in the order of the word, first and last are bit numbers, a flag is one
 * bit, a view re-reads bits of fields, |order| is one of GW_ORDER_...:
 *   GW_GROUP(GROUP, segment, label, bytes, order)
 *   GW_FIELD(GROUP, ID, first, last, name, label, clause, blurb, ...)
 *   GW_FLAG(GROUP, ID, bit, name, label, clause, blurb, ...)
 *   GW_VIEW(GROUP, ID, first, last, ...)
 *   GW_FLAG_VIEW(GROUP, ID, bit, ...)
 *   GW_GROUP_END(GROUP, bytes)
 * Of a unit, which has exactly two parts, padding and value:
 *   GW_UNIT_GROUP(GROUP, segment, indexed, label)
 *   GW_PART(GROUP, ID, name, label, clause, blurb, ...)
 *   GW_UNIT_END(GROUP)
 * Of a run of bytes:
 *   GW_STRING_GROUP(GROUP, ID, name, label, clause, blurb, ...)
 * Of a container, which is indexed:
 *   GW_OPEN_GROUP(GROUP, segment, label)
 * Of what the walk computes:
 *   GW_DERIVED_GROUP(GROUP, label)
 *   GW_DERIVED(GROUP, ID, name, label, clause, blurb, ...)
 *   GW_DERIVED_END(GROUP) */
#ifndef CORE_TABLE_H
#define CORE_TABLE_H

#include "goldwire/field.h"

#define GW_ONES(bits) (UINT64_MAX >> (64 - (bits)))

/* What a line says of its field. */
#define GW_EQUALS(number) GW_EXACTLY, .legal_value = (number)
#define GW_UP_TO(number) GW_AT_MOST, .legal_value = (number)
#define GW_STEPS_OF(number) GW_MULTIPLE, .legal_value = (number)
#define GW_NAMED(list) values_##list
#define GW_GIVES(what) GW_NAMES_##what
#define GW_USES(what) GW_NAMES_##what, .naming = GW_NAME_USED
#define GW_SHARES(what) GW_NAMES_##what, .naming = GW_NAME_SHARED
#define GW_NUMBER_OF(group) GW_MEASURES_NUMBER, .measured = &table_groups[GW_ID(G_##group)]
#define GW_BYTES_OF(group) GW_MEASURES_BYTES, .measured = &table_groups[GW_ID(G_##group)]
#define GW_REST_OF_MESSAGE GW_MEASURES_REST
#define GW_EACH(heading) (heading), .tallies = GW_TALLIES_EACH
#define GW_MEAN(heading) (heading), .tallies = GW_TALLIES_MEAN

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

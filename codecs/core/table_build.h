/* SPDX-License-Identifier: BSD-2-Clause */
/* Expands a .def into its tables, and checks it while compiling: leaves of a flat group must follow
 * each other without gap or overlap and fill it exactly; views must lie inside; values must fit.
 *
 * The includer defines GW_TABLE_DEF and GW_ID(name) as for table_ids.h, GW_PREFIX (the format's
 * name as a string), GW_AT(from, to), one of table.h's positions, and GW_TABLE_GROUPS, the name of
 * the list of groups to define. It also gets the static arrays table_fields and table_groups,
 * indexed by table_ids.h's numbers. */

/* Lists of value names. */
#define GW_NAME(number, text) {.value = (number), .name = (text)},
#define GW_VALUES(list, ...) static const gw_value_name values_##list[] = {__VA_ARGS__{0, NULL}};
#include GW_TABLE_DEF

/* Enumerators count on by themselves: a field that does not begin where the last one ended shows
 * below. */
#define GW_GROUP(group, ...) enum { CHAIN_##group##_BEFORE = -1,
#define GW_FIELD(group, id, from, to, ...)                                                         \
    CHAIN_##id##_FROM, CHAIN_##id##_TO = CHAIN_##id##_FROM + (to) - (from),
#define GW_GROUP_END(group, size)                                                                  \
    CHAIN_##group##_BITS                                                                           \
    }                                                                                              \
    ;
#include GW_TABLE_DEF

#define GW_FIELD(group, id, from, to, ...)                                                         \
    _Static_assert((int)CHAIN_##id##_FROM == (from), "field " #id " leaves a gap or overlaps");    \
    _Static_assert((to) >= (from) && (to) - (from) < 64, "field " #id " has no or too many bits");
#define GW_VIEW(group, id, from, to, ...)                                                          \
    _Static_assert((to) >= (from) && (to) < (int)CHAIN_##group##_BITS, "view " #id " is outside");
#define GW_GROUP_END(group, size)                                                                  \
    _Static_assert((int)CHAIN_##group##_BITS == (size)*8, "group " #group " is not filled");
#include GW_TABLE_DEF

static const gw_group table_groups[GW_ID(NUM_GROUPS)];

/* The texts that a line begins with are the first members of gw_field, from its name on. */
#define GW_ROW(group_, id, ...)                                                                    \
    [GW_ID(F_##id)] = {.group = &table_groups[GW_ID(G_##group_)], __VA_ARGS__},
#define GW_FIELD(group, id, from, to, ...)                                                         \
    GW_ROW(group, id, GW_AT(from, to), .name = GW_PREFIX "." __VA_ARGS__)
#define GW_VIEW(group, id, from, to, ...)                                                          \
    GW_ROW(group, id, GW_AT(from, to), .view = 1, .name = GW_PREFIX "." __VA_ARGS__)
#define GW_PART(group, id, ...) GW_ROW(group, id, .name = GW_PREFIX "." __VA_ARGS__)
#define GW_STRING_GROUP(group, id, ...)                                                            \
    GW_ROW(group, id, .type = GW_BYTES, .base = GW_HEX, .name = GW_PREFIX "." __VA_ARGS__)
#define GW_DERIVED(group, id, ...)                                                                 \
    GW_ROW(group, id, .compare = GW_CMP_IGNORED, .view = 1, .derived = 1,                          \
           .name = GW_PREFIX "." __VA_ARGS__)
static const gw_field table_fields[] = {
#include GW_TABLE_DEF
};

#define GW_FIELDS_OF(group)                                                                        \
    .fields = &table_fields[GW_ID(F_##group##_FIRST)],                                             \
    .num_fields = (GW_ID(F_##group##_END)) - (GW_ID(F_##group##_FIRST))
#define GW_GROUP(group, segment_, label_, size, order)                                             \
    [GW_ID(G_##group)] = {.segment = (segment_),                                                   \
                          .label = (label_),                                                       \
                          .bytes = (size),                                                         \
                          .little = (order) != GW_ORDER_BIG,                                       \
                          .swizzle = (order) >> 1,                                                 \
                          .shape = GW_FLAT,                                                        \
                          GW_FIELDS_OF(group)},
#define GW_UNIT_GROUP(group, segment_, indexed_, label_)                                           \
    [GW_ID(G_##group)] = {.segment = (segment_),                                                   \
                          .label = (label_),                                                       \
                          .indexed = (indexed_),                                                   \
                          .shape = GW_UNIT,                                                        \
                          GW_FIELDS_OF(group)},
#define GW_STRING_GROUP(group, id, path, label_, ...)                                              \
    [GW_ID(G_##group)] = {                                                                         \
        .segment = "", .label = (label_), .shape = GW_STRING, GW_FIELDS_OF(group)},
#define GW_OPEN_GROUP(group, segment_, label_)                                                     \
    [GW_ID(G_##group)] = {                                                                         \
        .segment = (segment_), .label = (label_), .indexed = 1, .shape = GW_CONTAINER},
#define GW_DERIVED_GROUP(group, label_)                                                            \
    [GW_ID(G_##group)] = {                                                                         \
        .segment = "", .label = (label_), .shape = GW_COMPUTED, GW_FIELDS_OF(group)},
static const gw_group table_groups[GW_ID(NUM_GROUPS)] = {
#include GW_TABLE_DEF
};

#define GW_GROUP(group, ...) &table_groups[GW_ID(G_##group)],
#define GW_UNIT_GROUP(group, ...) &table_groups[GW_ID(G_##group)],
#define GW_STRING_GROUP(group, ...) &table_groups[GW_ID(G_##group)],
#define GW_OPEN_GROUP(group, ...) &table_groups[GW_ID(G_##group)],
#define GW_DERIVED_GROUP(group, ...) &table_groups[GW_ID(G_##group)],
const gw_group *const GW_TABLE_GROUPS[] = {
#include GW_TABLE_DEF
};

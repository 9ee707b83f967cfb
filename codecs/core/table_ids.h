/* SPDX-License-Identifier: BSD-2-Clause */
/* Expands a .def into enumerators: <P>_F_<ID> numbers the fields, <P>_G_<GROUP> the groups,
 * <GROUP>_FIRST/_END bracket each group's fields. Of a flat group, <P>_FROM_<ID>/_TO_<ID> are the
 * bits of a field, <P>_BYTE_OF_<ID> the first byte that holds one of them and <P>_ORDER_OF_<ID> its
 * group's order; <P>_BYTES_IN_<GROUP> and <P>_ORDER_IN_<GROUP> are the group's own. The includer
 * defines GW_TABLE_DEF (the .def's name) and GW_ID(name), which prefixes a name. See table.h. */

/* Every group resets the count by the bracket it has just spent, so that fields stay dense. */
#define GW_GROUP(group, ...)                                                                       \
    GW_ID(F_##group##_FIRST), GW_ID(F_##group##_BACK_) = GW_ID(F_##group##_FIRST) - 1,
#define GW_FIELD(group, id, ...) GW_ID(F_##id),
#define GW_VIEW(group, id, ...) GW_ID(F_##id),
#define GW_GROUP_END(group, size)                                                                  \
    GW_ID(F_##group##_END), GW_ID(F_##group##_BACK2_) = GW_ID(F_##group##_END) - 1,
#define GW_UNIT_GROUP(group, ...) GW_GROUP(group, 0)
#define GW_PART(group, id, ...) GW_ID(F_##id),
#define GW_UNIT_END(group) GW_GROUP_END(group, 0)
#define GW_STRING_GROUP(group, id, ...) GW_GROUP(group, 0) GW_ID(F_##id), GW_GROUP_END(group, 0)
#define GW_OPEN_GROUP(group, ...) GW_GROUP(group, 0) GW_GROUP_END(group, 0)
#define GW_DERIVED_GROUP(group, ...) GW_GROUP(group, 0)
#define GW_DERIVED(group, id, ...) GW_ID(F_##id),
#define GW_DERIVED_END(group) GW_GROUP_END(group, 0)
enum {
#include GW_TABLE_DEF
    GW_ID(NUM_FIELDS)
};

#define GW_GROUP(group, ...) GW_ID(G_##group),
#define GW_UNIT_GROUP(group, ...) GW_ID(G_##group),
#define GW_STRING_GROUP(group, ...) GW_ID(G_##group),
#define GW_OPEN_GROUP(group, ...) GW_ID(G_##group),
#define GW_DERIVED_GROUP(group, ...) GW_ID(G_##group),
enum {
#include GW_TABLE_DEF
    GW_ID(NUM_GROUPS)
};

#define GW_GROUP(group, segment, label, bytes, order)                                              \
    GW_ID(BYTES_IN_##group) = (bytes), GW_ID(ORDER_IN_##group) = (order),
#define GW_FIELD(group, id, from, to, ...)                                                         \
    GW_ID(FROM_##id) = (from), GW_ID(TO_##id) = (to), GW_ID(BYTE_OF_##id) = (from) / 8,            \
    GW_ID(ORDER_OF_##id) = GW_ID(ORDER_IN_##group),
#define GW_VIEW(group, id, from, to, ...) GW_FIELD(group, id, from, to, )
enum {
#include GW_TABLE_DEF
    GW_ID(FROM_NOTHING_)
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* Expands a .def into enumerators: <P>_F_<ID> numbers the fields, <P>_G_<GROUP> the groups,
 * <GROUP>_FIRST/_END bracket each group's fields, and <P>_FROM_<ID>/_TO_<ID> are the bits of a
 * field of a flat group. The includer defines GW_TABLE_DEF (the .def's name) and GW_ID(name), which
 * prefixes a name. See table.h. */

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

#define GW_FIELD(group, id, from, to, ...) GW_ID(FROM_##id) = (from), GW_ID(TO_##id) = (to),
#define GW_VIEW(group, id, from, to, ...) GW_ID(FROM_##id) = (from), GW_ID(TO_##id) = (to),
enum {
#include GW_TABLE_DEF
    GW_ID(FROM_NOTHING_)
};

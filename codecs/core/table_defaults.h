/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives every line of a .def that its includer left undefined an empty meaning. See table.h. */
#ifndef GW_VALUES
#define GW_VALUES(list, ...)
#endif
#ifndef GW_NAME
#define GW_NAME(value, name)
#endif
#ifndef GW_GROUP
#define GW_GROUP(group, segment, label, bytes, order)
#endif
#ifndef GW_FIELD
#define GW_FIELD(group, id, first, last, ...)
#endif
#ifndef GW_FLAG
#define GW_FLAG(group, id, at, ...) GW_FIELD(group, id, at, at, __VA_ARGS__, .type = GW_BOOL)
#endif
#ifndef GW_VIEW
#define GW_VIEW(group, id, first, last, ...)
#endif
#ifndef GW_FLAG_VIEW
#define GW_FLAG_VIEW(group, id, at, ...) GW_VIEW(group, id, at, at, __VA_ARGS__, .type = GW_BOOL)
#endif
#ifndef GW_GROUP_END
#define GW_GROUP_END(group, bytes)
#endif
#ifndef GW_UNIT_GROUP
#define GW_UNIT_GROUP(group, segment, indexed, label)
#endif
#ifndef GW_PART
#define GW_PART(group, id, ...)
#endif
#ifndef GW_UNIT_END
#define GW_UNIT_END(group)
#endif
#ifndef GW_STRING_GROUP
#define GW_STRING_GROUP(group, id, path, label, ...)
#endif
#ifndef GW_OPEN_GROUP
#define GW_OPEN_GROUP(group, segment, label)
#endif
#ifndef GW_DERIVED_GROUP
#define GW_DERIVED_GROUP(group, label)
#endif
#ifndef GW_DERIVED
#define GW_DERIVED(group, id, ...)
#endif
#ifndef GW_DERIVED_END
#define GW_DERIVED_END(group)
#endif

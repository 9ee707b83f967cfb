/* SPDX-License-Identifier: BSD-2-Clause */
/* Ends a .def: forgets what its lines expanded to. See table.h. */
#undef GW_VALUES
#undef GW_NAME
#undef GW_GROUP
#undef GW_FIELD
#undef GW_FLAG
#undef GW_VIEW
#undef GW_FLAG_VIEW
#undef GW_GROUP_END
#undef GW_UNIT_GROUP
#undef GW_PART
#undef GW_UNIT_END
#undef GW_STRING_GROUP
#undef GW_OPEN_GROUP
#undef GW_DERIVED_GROUP
#undef GW_DERIVED
#undef GW_DERIVED_END

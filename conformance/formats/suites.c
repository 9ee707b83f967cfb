/* SPDX-License-Identifier: BSD-2-Clause */
/* All suites. */
#include "run/case.h"

#define GW_ROLE(board, suite) extern const gw_suite suite;
#include "roles.def"

const gw_suite *const gw_suites[] = {
#define GW_ROLE(board, suite) &(suite),
#include "roles.def"
};
const size_t gw_num_suites = GW_ARRAY_LEN(gw_suites);

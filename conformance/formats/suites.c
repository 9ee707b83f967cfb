/* SPDX-License-Identifier: BSD-2-Clause */
/* All suites. */
#include <string.h>

#include "harness/nearest.h"
#include "run/case.h"

#define GW_ROLE(board, suite) extern const gw_suite suite;
#include "roles.def"

const gw_suite *const gw_suites[] = {
#define GW_ROLE(board, suite) &(suite),
#include "roles.def"
};
const size_t gw_num_suites = GW_ARRAY_LEN(gw_suites);

const gw_suite *gw_suite_by_role(const char *role)
{
    for (size_t i = 0; i < gw_num_suites; i++)
        if (strcmp(gw_suites[i]->role, role) == 0)
            return gw_suites[i];
    return NULL;
}

const char *gw_role_meant(char *out, size_t cap, const char *word)
{
    const char *roles[GW_ARRAY_LEN(gw_suites) + 1] = {NULL};
    for (size_t i = 0; i < gw_num_suites; i++)
        roles[i] = gw_suites[i]->role;
    return gw_nearest_said(out, cap, word, roles);
}

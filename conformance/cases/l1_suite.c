/* SPDX-License-Identifier: BSD-2-Clause */
/* The suites for the Level-1 farm's boards. What a readout unit owes, and the schedule, is seen in
 * traffic: `goldwire check' finds it there. */
#include "cases/l1.h"

static const gw_case *const cn_groups[] = {gw_l1_e, gw_l1_r};
static const gw_case *const du_groups[] = {gw_l1_u};

static const gw_exception cn_exceptions[] = {
    {"L1-E07", "Detector data come from readout units; `goldwire check' finds them broken."},
};

#define SUITE(role_, families_, groups_, alive_)                                                   \
    .role = (role_), .format = &gw_l1farm, .families = (families_), .groups = (groups_),           \
    .num_groups = GW_ARRAY_LEN(groups_), .state_size = sizeof(gw_l1c_state),                       \
    .begin = gw_l1c_begin, .alive = (alive_), .has = gw_l1c_has, .identify = gw_l1c_identify

const gw_suite gw_l1_cn_suite = {
    SUITE("l1-cn", GW_LIST("L1-E", "L1-R"), cn_groups, gw_l1c_cn_alive),
    .exceptions = cn_exceptions,
    .num_exceptions = GW_ARRAY_LEN(cn_exceptions),
};

const gw_suite gw_l1_du_suite = {
    SUITE("l1-du", GW_LIST("L1-U"), du_groups, gw_l1c_du_alive),
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The suite for the decision unit of the Level-1 farm. */
#include "formats/l1farm/suite.h"

static const gw_case *const du_groups[] = {gw_l1_u, gw_l1_u_farm};

const gw_suite gw_l1_du_suite = {
    GW_L1C_SUITE("l1-du", GW_LIST("L1-U"), du_groups, gw_l1c_state, gw_l1c_du_alive,
                 gw_l1c_du_pair),
    .loads = &gw_l1_du_loads,
};

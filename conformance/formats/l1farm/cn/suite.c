/* SPDX-License-Identifier: BSD-2-Clause */
/* The suite for a compute node of the Level-1 farm. */
#include <stdio.h>

#include "formats/l1farm/suite.h"

static const gw_case *const cn_groups[] = {gw_l1_e, gw_l1_e_order, gw_l1_r, gw_l1_r_disturbed};

static const gw_exception cn_exceptions[] = {
    {"L1-E07", GW_BOTH_WAYS,
     "Detector data come from readout units; `goldwire check' finds them broken."},
};

/* The cases write mock-up words, which a node for real detector data cannot make anything of. */
static bool plays_mock_ups(const gw_dialect *dialect, bool stream, char *why, size_t why_cap)
{
    (void)stream;
    if (!gw_l1_profile_of(dialect)->ode)
        return true;
    (void)snprintf(why, why_cap,
                   "the cases for a compute node write mock-up events, and this dialect has real "
                   "ones; use the dialect that the node has for its tests");
    return false;
}

const gw_suite gw_l1_cn_suite = {
    GW_L1C_SUITE("l1-cn", GW_LIST("L1-E", "L1-R", "L1-S08"), cn_groups, gw_l1c_state,
                 gw_l1c_cn_alive, gw_l1c_pair),
    .loads = &gw_l1_cn_loads,
    .exceptions = cn_exceptions,
    .num_exceptions = GW_ARRAY_LEN(cn_exceptions),
    .accepts = plays_mock_ups,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The suite for an EtherBone slave. */
#include "formats/etherbone/slave/suite.h"

#include "formats/etherbone/suite.h"

/* Dependencies point back: what is built on stands further up. */
static const gw_case *const groups[] = {
    gw_eb_s_probe,    gw_eb_s_reply,  gw_eb_s_widths,    gw_eb_s_write,         gw_eb_s_read,
    gw_eb_s_accepted, gw_eb_s_empty,  gw_eb_s_depth,     gw_eb_s_fifo,          gw_eb_s_quiet,
    gw_eb_s_cycle,    gw_eb_s_errors, gw_eb_s_config,    gw_eb_s_net,           gw_eb_s_wire,
    gw_eb_s_drop,     gw_eb_s_frame,  gw_eb_s_malformed, gw_eb_s_malformed_bus, gw_eb_s_tcp,
};

static const gw_exception exceptions[] = {
    {"EB-S14", GW_POSITIVE,
     "a request without reserved bits holds nothing that could be ignored; all other cases are "
     "made of such requests"},
    {"EB-S48", GW_NEGATIVE,
     "the rule asks to accept a sum of zero; what is wrong is any other sum, which IP stacks do "
     "not send and UDP itself forbids to accept"},
};

const gw_suite gw_eb_s_suite = {
    .role = "etherbone-slave",
    .format = &gw_etherbone,
    .families = GW_LIST("EB-S"),
    .groups = groups,
    .num_groups = GW_ARRAY_LEN(groups),
    .exceptions = exceptions,
    .num_exceptions = GW_ARRAY_LEN(exceptions),
    .state_size = sizeof(gw_ebc_state),
    .accepts = gw_ebc_accepts,
    .begin = gw_ebc_begin,
    .alive = gw_ebc_alive,
    .serves = gw_ebc_serves,
    .excused = gw_ebc_excused,
    .pair = gw_ebc_pair,
    .has = gw_ebc_has,
    .show = gw_ebc_show,
    .leave = gw_ebc_leave,
    .identify = gw_ebc_identify,
    .loads = &gw_eb_s_loads,
};

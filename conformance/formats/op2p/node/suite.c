/* SPDX-License-Identifier: BSD-2-Clause */
/* The suite for an OP2P node. */
#include "formats/op2p/node/suite.h"

/* Dependencies point back: what is built on stands further up. */
static const gw_case *const groups[] = {
    gw_op_e_answers, gw_op_e_refusals,  gw_op_e_link,      gw_op_h,
    gw_op_e_legal,   gw_op_e_illegal,   gw_op_e_disturbed, gw_op_h_disturbed,
    gw_op_f,         gw_op_f_disturbed, gw_op_h_wires,     gw_op_e_gaps,
};

static const gw_exception exceptions[] = {
    {"OP-E07", GW_BOTH_WAYS,
     "Binds whoever talks to the reference core; `goldwire check' with that dialect finds it."},
    {"OP-E19", GW_POSITIVE, "Type 15 is reserved: whoever sends it has broken the rules already."},
    {"OP-E22", GW_POSITIVE,
     "Over a good link nothing is asked for again (OP-E21), and there is nothing to limit."},
    {"OP-E33", GW_BOTH_WAYS,
     "Who gives a node its id is its operator; `goldwire check' finds one in chassis 0."},
    {"OP-H09", GW_BOTH_WAYS, "goldwire is the host, and its own driver is not there."},
    {"OP-F09", GW_POSITIVE,
     "Freeing what is free is the host's mistake; freeing what is not, OP-F08 is about."},
    {"OP-F11", GW_BOTH_WAYS,
     "Loops are for the hosts' software, which goldwire takes the place of."},
    {"OP-F12", GW_BOTH_WAYS, "Routes are known to the hosts' software alone."},
    {"OP-F14", GW_BOTH_WAYS,
     "Which slot leads to another chassis is a policy of the hosts' software."},
};

const gw_suite gw_op_suite = {
    .role = "op2p-node",
    .format = &gw_op2p,
    .families = GW_LIST("OP-"),
    .groups = groups,
    .num_groups = GW_ARRAY_LEN(groups),
    .exceptions = exceptions,
    .num_exceptions = GW_ARRAY_LEN(exceptions),
    .state_size = sizeof(gw_opc_state),
    .tunnels = true,
    .begin = gw_opc_begin,
    .alive = gw_opc_alive,
    .heard = gw_opc_heard,
    .excused = gw_opc_excused,
    .pair = gw_opc_pair,
    .revive = gw_opc_revive,
    .has = gw_opc_has,
    .show = gw_opc_show,
    .leave = gw_opc_leave,
    .identify = gw_opc_identify,
};

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
     "It is for whoever talks to the reference core, and a node does not know whom it talks to; "
     "`goldwire check --dialect vhdl' finds it in a capture of both."},
    {"OP-E19", GW_POSITIVE,
     "Type 15 is reserved: no legal packet has it, so there is nothing legal to send."},
    {"OP-E22", GW_POSITIVE,
     "A retransmit request answers a damaged frame: over a good link there is none to count."},
    {"OP-E33", GW_BOTH_WAYS,
     "The id is a register that the operator writes, and a node has to take what it is given; "
     "`goldwire check' finds packets of one in chassis 0."},
    {"OP-H09", GW_BOTH_WAYS,
     "It is for the driver, whose place goldwire takes: what writes the FIFOs is the test itself."},
    {"OP-F09", GW_POSITIVE,
     "A host that frees what it was given never frees a free entry: that is OP-F08."},
    {"OP-F11", GW_BOTH_WAYS,
     "No packet counts its hops: only software that forwards can notice a loop, and goldwire "
     "takes its place at the node's registers."},
    {"OP-F12", GW_BOTH_WAYS,
     "A node stores foreign packets whoever they are for: the routes are in its host's "
     "software, whose place goldwire takes."},
    {"OP-F14", GW_BOTH_WAYS,
     "A node sends where its host commands, and the command names the id, not the way: the way "
     "is chosen in software."},
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
    .loads = &gw_op_loads,
};

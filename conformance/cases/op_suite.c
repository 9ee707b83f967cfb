/* SPDX-License-Identifier: BSD-2-Clause */
/* The suite for an OP2P node. */
#include "cases/op.h"

/* Dependencies point back: what is built on stands further up. */
static const gw_case *const groups[] = {gw_op_e_answers, gw_op_e_refusals, gw_op_e_link, gw_op_h,
                                        gw_op_f};

static const gw_exception exceptions[] = {
    {"OP-E31", GW_BOTH_WAYS,
     "The tunnel carries whole frames only; a capture's event header shows the fault, and "
     "`goldwire check' finds it there."},
    {"OP-H05", GW_BOTH_WAYS, "The interrupt is a wire of the board, not a packet."},
    {"OP-F04", GW_BOTH_WAYS,
     "The host sends the packet on: with the registers there are it cannot keep the "
     "source address, type, status and byte enable."},
    {"OP-F14", GW_BOTH_WAYS,
     "Which slot leads to another chassis is a policy of the hosts' software."},
    {"OP-L03", GW_BOTH_WAYS, "The link core removes these symbols before a frame can be seen."},
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
    .begin = gw_opc_begin,
    .alive = gw_opc_alive,
    .has = gw_opc_has,
    .show = gw_opc_show,
    .identify = gw_opc_identify,
};

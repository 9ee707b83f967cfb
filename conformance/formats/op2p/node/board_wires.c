/* SPDX-License-Identifier: BSD-2-Clause */
/* The interrupt line of a node, and the registers by which a lab looks at it. */
#include "formats/op2p/node/board.h"

/* Entries that the hosts can read, of the FIFOs that raise the interrupt. */
static unsigned entries(const gw_op2p_node *n)
{
    const gw_op2p_policy *policy = &n->policy;
    unsigned num = 0;

    for (unsigned i = 0; i < GW_OP2P_NODE_PORTS; i++) {
        const gw_op2p_port *p = &n->ports[i];
        num += (policy->raised_by & GW_OP2P_BY_ARRIVAL) != 0 ? p->arrived.count : 0;
        num += (policy->raised_by & GW_OP2P_BY_COMPLETION) != 0 ? p->completed.count : 0;
        num += (policy->raised_by & GW_OP2P_BY_FORWARD) != 0 ? p->forward.count : 0;
    }
    return num;
}

static bool is_raised(const gw_op2p_node *n)
{
    return (entries(n) > 0 && !n->policy.pulses) || (n->was_raised && n->policy.stays);
}

/* The reference core has a pulse of nine clocks an event instead: nobody sees it high. */
void gw_op2p_watch_wires(gw_op2p_node *n)
{
    unsigned now = entries(n);

    n->was_high = n->was_high || is_raised(n) || (n->policy.pulses && now > n->waiting);
    n->was_low = n->was_low || !is_raised(n);
    n->was_raised = n->was_raised || is_raised(n);
    n->waiting = now;
}

uint32_t gw_op2p_read_wires(gw_op2p_node *n, uint32_t offset)
{
    gw_op2p_watch_wires(n);
    switch (offset) {
    case 0x0:
        return is_raised(n);
    case 0x4:
        return n->was_high;
    case 0x8:
        return n->was_low;
    default: /* it always is one of the two */
        return 0;
    }
}

void gw_op2p_forget_wires(gw_op2p_node *n)
{
    n->was_high = false;
    n->was_low = false;
    gw_op2p_watch_wires(n);
}

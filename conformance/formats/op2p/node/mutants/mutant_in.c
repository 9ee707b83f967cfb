/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to the frames that come to a node, before the good board sees them. */
#include "formats/op2p/node/mutants/mutants.h"

/* Nobody who waits for an answer sends as soon as this. */
#define AT_ONCE_NS 8000

/* What mutants miss of frames with payload that follow others at once. */
static bool missed(gw_op2p_node *n, gw_op2p_port *p, size_t len)
{
    bool payload = len > GW_OP2P_HEADER, at_once = n->now_ns - p->heard_ns < AT_ONCE_NS;
    bool swallowed = payload && at_once && p->header_alone;

    p->in_a_row = !payload ? 0 : at_once ? p->in_a_row + 1 : 1;
    p->header_alone = len == GW_OP2P_HEADER;
    p->heard_ns = n->now_ns;
    return (swallowed && gw_op2p_faulty(n, OP2P_FAULT_SWALLOWS_NEXT)) ||
           (p->in_a_row > 6 && gw_op2p_faulty(n, OP2P_FAULT_GLUES_FRAMES));
}

/* What mutants do not survive: a silence behind a frame that is not answered. */
#define ALONE_NS INT64_C(15000000)

static bool died(gw_op2p_node *n, gw_op2p_port *p, uint8_t flags, const uint8_t *pdu, size_t len)
{
    bool writes = gw_op2p_faulty(n, OP2P_FAULT_DIES_AFTER_WRITE);
    bool foreign = gw_op2p_faulty(n, OP2P_FAULT_DIES_AFTER_FOREIGN);

    if (!writes && !foreign)
        return false;
    p->dead = p->dead || (p->alone && n->now_ns - p->alone_ns > ALONE_NS);
    p->alone = false;
    if (flags != 0 || len < GW_OP2P_HEADER)
        return p->dead;
    gw_op2p_header h = gw_op2p_get(pdu);
    bool own = h.dst_id == p->local_id;
    p->alone = (writes && own && h.type == GW_OP2P_WRITE && h.byte_count == 4) ||
               (foreign && !own && h.dst_id != 0 && h.type == GW_OP2P_READ);
    p->alone_ns = n->now_ns;
    return p->dead;
}

/* Whether an undamaged packet is lost for what it says. */
static bool refuses(const gw_op2p_node *n, const uint8_t *pdu)
{
    gw_op2p_header h = gw_op2p_get(pdu);

    return (h.rfu != 0 && gw_op2p_faulty(n, OP2P_FAULT_REFUSES_RFU)) ||
           (gw_op2p_chassis(h.src_id) == 0 && gw_op2p_faulty(n, OP2P_FAULT_IGNORES_CHASSIS_0));
}

bool gw_op2p_mutant_in(gw_op2p_node *n, gw_op2p_port *p, uint8_t *flags, const uint8_t *pdu,
                       size_t len)
{
    if (died(n, p, *flags, pdu, len))
        return false;
    if (gw_op2p_faulty(n, OP2P_FAULT_NO_FRAME_ERRORS))
        *flags &= (uint8_t)~GW_OP2P_FLAG_FRAME_ERROR;
    if (gw_op2p_faulty(n, OP2P_FAULT_IGNORES_PAD))
        *flags &= (uint8_t)~GW_OP2P_FLAG_PAD;
    if ((*flags & GW_OP2P_FLAGS_BAD) != 0 || !p->up)
        return true;
    if (missed(n, p, len) || (len >= GW_OP2P_HEADER && refuses(n, pdu)))
        return false;
    p->errors += gw_op2p_faulty(n, OP2P_FAULT_COUNTS_GOOD);
    if (len > GW_OP2P_HEADER + GW_OP2P_REFERENCE_MAX &&
        gw_op2p_faulty(n, OP2P_FAULT_ASKS_FOR_LARGE)) {
        p->retransmits = 0;
        gw_op2p_ask_again(n, p, pdu, len);
    }
    return true;
}

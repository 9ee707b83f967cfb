/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to the frames that a node sends. */
#include "formats/op2p/node/board.h"

void gw_op2p_mutant_out(const gw_op2p_node *n, uint8_t *pdu, size_t *len)
{
    gw_op2p_header h = gw_op2p_get(pdu);
    bool completes = h.type == GW_OP2P_COMPLETION && h.status == GW_OP2P_SUCCESS;

    if (completes && *len > GW_OP2P_HEADER && gw_op2p_faulty(n, OP2P_FAULT_SHORT_COMPLETION))
        *len -= 4;
    if (gw_op2p_faulty(n, OP2P_FAULT_DIRTY_RFU))
        pdu[15] |= 0x05;
    if (h.type == GW_OP2P_WRITE && gw_op2p_faulty(n, OP2P_FAULT_COUNT_WRAPS)) {
        h.byte_count %= GW_OP2P_PAYLOAD_MAX;
        gw_op2p_put(pdu, &h);
    }
    if (gw_op2p_faulty(n, OP2P_FAULT_LITTLE_ENDIAN))
        gw_op2p_swap(pdu, pdu, *len);
}

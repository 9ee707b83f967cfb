/* SPDX-License-Identifier: BSD-2-Clause */
/* What a packet carries of a frame: RDMA writes of one queue pair, in the order of their numbers.
 */
#include "ims/internal.h"

bool gw_ims_portion(const gw_message *message, const gw_dialect *dialect, gw_portion *out)
{
    gw_ims_packet p = {0};

    (void)gw_ims_decode(&p, message, dialect);
    if (p.kind != GW_IMS_IS_DATA || (p.first && !p.has_reth))
        return false;
    *out = (gw_portion){.data = p.payload,
                        .len = p.payload_len,
                        .sent = p.payload_sent,
                        .last = p.last,
                        .joint = p.first ? GW_JOINT_FIRST : GW_JOINT_BEHIND,
                        .channel = p.bth.dest_qp,
                        .at = p.bth.psn,
                        .next = (p.bth.psn + 1) & GW_IB_NUMBER_MASK,
                        .size = p.has_reth ? p.reth.length : 0,
                        .name = p.has_reth ? p.reth.va : 0,
                        .what = gw_ims_dialect_of(dialect)->images ? "image" : "frame"};
    return true;
}

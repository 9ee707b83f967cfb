/* SPDX-License-Identifier: BSD-2-Clause */
/* What a packet carries of a buffer: writes, or completions, of one node to another at addresses
 * that follow each other. */
#include "op2p/internal.h"

bool gw_op2p_portion(const gw_message *message, const gw_dialect *dialect, gw_portion *out)
{
    gw_op2p_packet p = {0};
    (void)dialect;

    (void)gw_op2p_decode(&p, message);
    if (!p.has_header || !gw_op2p_has_payload(&p.header) || p.header.byte_count == 0)
        return false;
    const gw_op2p_header *h = &p.header;
    uint64_t first = h->dst_addr & ~UINT32_C(3);
    *out = (gw_portion){.data = p.payload,
                        .len = p.payload_len < h->byte_count ? p.payload_len : h->byte_count,
                        .sent = p.payload_sent < h->byte_count ? p.payload_sent : h->byte_count,
                        .reversed = 4,
                        .channel = (uint64_t)h->type << 32 | (uint64_t)h->src_id << 16 | h->dst_id,
                        .at = first,
                        .next = first + h->byte_count,
                        .name = first,
                        .what = h->type == GW_OP2P_WRITE ? "buffer written" : "buffer read"};
    return true;
}

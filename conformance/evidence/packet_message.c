/* SPDX-License-Identifier: BSD-2-Clause */
/* A datagram of RoCEv2 ends with the ICRC, which is no part of the message. */
#include "evidence/packet_message.h"

#include "goldwire/ib.h"

bool gw_evidence_message(gw_message *out, const gw_evidence *evidence, unsigned number,
                         const gw_format *format)
{
    const gw_evidence_packet *p = gw_evidence_get(evidence, number);
    uint32_t behind = format->infiniband ? GW_IB_ICRC : 0;
    if (p == NULL || p->kind != GW_EVIDENCE_BYTES || p->len <= behind)
        return false;
    bool ours = p->dir == GW_DIR_OUT;
    *out = gw_message_of(evidence->bytes + p->data, p->len - behind);
    out->dir = p->dir;
    out->transport = p->stream ? GW_OVER_TCP : GW_OVER_UDP;
    out->src = ours ? p->local : p->remote;
    out->dst = ours ? p->remote : p->local;
    out->time_ns = p->time_ns;
    out->stream = p->line;
    out->frame = out->frames[0] = number;
    out->num_frames = 1;
    gw_announcement_tell(&evidence->board, out);
    /* What leads to the registers is a network, whatever the other links are. */
    out->tunnel = out->tunnel && !p->regs;
    return true;
}

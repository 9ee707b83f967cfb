/* SPDX-License-Identifier: BSD-2-Clause */
/* What is OP2P by its content: the tunnel begins with two letters, a bare PDU with nothing at all,
 * and the link types of captures are anybody's. */
#include "core/pairs.h"
#include "op2p/internal.h"

#define LANES_SKIPPED 7 /* bytes that rounding and the first byte enable add at the most */

/* Whether a PDU could be meant: known codes, zeros where nothing is defined, and as many bytes as
 * its header says. */
static bool is_pdu(const gw_op2p_packet *p)
{
    const gw_op2p_header *h = &p->header;
    bool known = h->type <= GW_OP2P_COMPLETION || h->type == GW_OP2P_RETRANSMIT;

    if (!p->has_header || !known || h->rfu != 0 || h->status > GW_OP2P_UNKNOWN_ERROR ||
        h->byte_count > GW_OP2P_PAYLOAD_MAX)
        return false;
    if (!gw_op2p_has_payload(h))
        return p->payload_sent == 0;
    return p->payload_sent >= h->byte_count && p->payload_sent - h->byte_count <= LANES_SKIPPED;
}

static bool is_shim(const gw_op2p_packet *p)
{
    return p->has_shim && p->shim.version == 1 && p->shim.kind <= GW_OP2P_KIND_ERROR &&
           (p->shim.flags & ~(GW_OP2P_FLAGS_BAD | GW_OP2P_FLAG_OUT)) == 0;
}

/* A PDU that was damaged on its link is none, and its shim says so. */
static bool is_behind_shim(const gw_op2p_packet *p, const gw_message *message)
{
    if (!is_shim(p))
        return false;
    if (p->shim.kind != GW_OP2P_KIND_PDU)
        return message->len == GW_OP2P_SHIM;
    return is_pdu(p);
}

bool gw_op2p_claims(const gw_message *message)
{
    gw_op2p_packet p;

    if (message->transport != GW_OVER_UDP || message->cap_len != message->len ||
        !gw_op2p_is_tunnel(message->data, message->cap_len))
        return false;
    (void)gw_op2p_decode(&p, message);
    return is_behind_shim(&p, message);
}

static bool meet(void *state, const gw_message *message, const gw_dialect *dialect)
{
    gw_op2p_packet p;
    bool plausible = false;

    (void)dialect;
    if (message->transport != GW_OVER_NOTHING) {
        plausible = gw_op2p_claims(message);
    } else {
        (void)gw_op2p_decode(&p, message);
        plausible = message->part == GW_OP2P_EVENT ? is_behind_shim(&p, message) : is_pdu(&p);
    }
    return gw_pairs_meet(state, message, plausible);
}

const gw_introduction_ops gw_op2p_introductions = {
    .size = GW_PAIRS_SIZE,
    .init = gw_pairs_init,
    .meet = meet,
    .knows = gw_pairs_know,
};

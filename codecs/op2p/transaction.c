/* SPDX-License-Identifier: BSD-2-Clause */
/* What an OP2P packet asks of a node, and what a link event says of the packets to come. */
#include "core/access.h"
#include "op2p/internal.h"

/* A channel that goes or comes makes void what was said before. */
static gw_flow flow_of(const gw_op2p_packet *p)
{
    if (!p->has_shim)
        return GW_FLOW_AS_BEFORE;
    if (p->shim.kind == GW_OP2P_KIND_CHANNEL)
        return GW_FLOW_GO;
    if (p->shim.kind != GW_OP2P_KIND_NFC)
        return GW_FLOW_AS_BEFORE;
    return p->shim.code == GW_OP2P_XOFF  ? GW_FLOW_STOP
           : p->shim.code == GW_OP2P_XON ? GW_FLOW_GO
                                         : GW_FLOW_AS_BEFORE;
}

static void read_packet(gw_transaction *t, const gw_op2p_packet *p, const gw_access_sink *accesses)
{
    const gw_op2p_header *h = &p->header;
    uint64_t first = h->dst_addr & ~UINT32_C(3);
    uint64_t skipped = h->dst_addr & 3;

    t->stoppable = true;
    switch (h->type) {
    case GW_OP2P_READ:
        t->kind = "read";
        t->asks = true;
        t->changes = false;
        gw_report_access(accesses, GW_ACCESS_READ, first, skipped + h->byte_count);
        return;
    case GW_OP2P_COMPLETION:
        t->kind = "completion";
        break;
    default:
        t->kind = h->type == GW_OP2P_WRITE ? "write" : "packet";
        break;
    }
    /* Whatever its type says: bytes behind a header may end up where the header points. */
    uint64_t sent = p->payload_sent > h->byte_count ? p->payload_sent : h->byte_count;
    if (p->payload_sent > 0)
        gw_report_access(accesses, GW_ACCESS_WRITE, first, skipped + sent);
}

gw_transaction gw_op2p_transaction(const gw_message *message, const gw_dialect *dialect,
                                   const gw_access_sink *accesses)
{
    gw_op2p_packet p = {0};
    gw_error error = gw_op2p_decode(&p, message);
    gw_transaction t = {
        .kind = "link event", .changes = true, .opaque = error.kind != GW_OK, .flow = flow_of(&p)};

    (void)dialect;
    /* Flow control, a channel that comes up or goes down: nobody asked for that. */
    t.unsolicited = !p.has_header && p.has_shim && p.shim.kind != GW_OP2P_KIND_PDU;
    if (p.has_header)
        read_packet(&t, &p, accesses);
    return t;
}

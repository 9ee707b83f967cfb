/* SPDX-License-Identifier: BSD-2-Clause */
/* The way into a port: link events, what is damaged, and frames that follow each other. */
#include "formats/op2p/node/board.h"
#include "goldwire/cursor.h"

void gw_op2p_ask_again(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    uint8_t request[GW_OP2P_HEADER];
    gw_op2p_header h;

    if (len < GW_OP2P_HEADER || gw_op2p_faulty(n, OP2P_FAULT_NO_RETRANSMIT))
        return;
    h = gw_op2p_get(pdu);
    if (h.type == GW_OP2P_RETRANSMIT && !gw_op2p_faulty(n, OP2P_FAULT_ANSWERS_DAMAGED_REQUEST) &&
        !gw_op2p_faulty(n, OP2P_FAULT_ASKS_BACK))
        return;
    /* The reference core has no limit: were there one, what came before would decide. */
    if (p->retransmits >= 8 && !n->reference && !gw_op2p_faulty(n, OP2P_FAULT_ENDLESS_RETRANSMIT))
        return;
    p->retransmits++;
    gw_op2p_header again = {.src_id = p->local_id,
                            .dst_id = n->policy.asks_source ? h.src_id : 0,
                            .dst_addr = h.src_addr,
                            .src_addr = h.dst_addr,
                            .byte_count = h.byte_count,
                            .type = GW_OP2P_RETRANSMIT,
                            .status = GW_OP2P_UNKNOWN_ERROR,
                            .fbe = h.fbe};
    /* The write pointer starts behind the ids, so those of the last packet go out (sim S9). */
    if (n->reference && p->last.len > 0) {
        gw_op2p_header old = gw_op2p_get(p->last.bytes);
        again.src_id = old.src_id;
        again.dst_id = old.dst_id;
    }
    gw_op2p_put(request, &again);
    gw_op2p_port_send(n, p, request, sizeof(request));
}

/* The link errors that the node looks at. */
static uint8_t errors_of(const gw_op2p_node *n, uint8_t flags)
{
    flags &= GW_OP2P_FLAGS_BAD;
    if (n->reference) /* it counts what its link core calls an error, and does not look at RX_REM */
        flags &= GW_OP2P_FLAG_SOFT_ERROR | GW_OP2P_FLAG_FRAME_ERROR;
    return flags;
}

void gw_op2p_take_damaged(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    p->errors++;
    if (gw_op2p_faulty(n, OP2P_FAULT_PUBLISHES_DAMAGED) && len >= GW_OP2P_HEADER)
        gw_op2p_forward(n, p, pdu, len);
    if (gw_op2p_faulty(n, OP2P_FAULT_TELLS_DAMAGED) && len >= GW_OP2P_HEADER &&
        gw_op2p_get(pdu).type == GW_OP2P_WRITE)
        (void)gw_op2p_push(&p->arrived, gw_op2p_get(pdu).dst_addr); /* sim S23 */
    if (n->reference || gw_op2p_faulty(n, OP2P_FAULT_TELLS_LONG_DAMAGED))
        gw_op2p_reference_damaged(n, p, pdu, len);
    if (gw_op2p_faulty(n, OP2P_FAULT_HALTS_ON_DAMAGE) && p->they_halted)
        gw_op2p_port_flow(n, p, true);
    p->stale = gw_op2p_faulty(n, OP2P_FAULT_STALE_IDS);
    gw_op2p_ask_again(n, p, pdu, len);
}

static void take_pdu(gw_op2p_node *n, gw_op2p_port *p, uint8_t flags, const uint8_t *pdu,
                     size_t len)
{
    if (p->reset && !gw_op2p_faulty(n, OP2P_FAULT_RESET_LEAKS))
        return;
    if (p->training || !gw_op2p_mutant_in(n, p, &flags, pdu, len)) /* nobody hears it */
        return;
    if (!p->up && !gw_op2p_faulty(n, OP2P_FAULT_ANSWERS_WHILE_DOWN))
        return;
    if (n->reference) {
        gw_op2p_reference_frame(n, p, errors_of(n, flags) != 0, pdu, len);
        return;
    }
    gw_op2p_keep(p, pdu, len);
    if (errors_of(n, flags) != 0) {
        gw_op2p_take_damaged(n, p, pdu, len);
        return;
    }
    p->retransmits = 0;
    gw_op2p_port_packet(n, p, pdu, len);
    p->spoilt = false;
}

/* Each time the link comes up it begins anew: nobody is halted, and who still has to halt the other
 * says so again. */
static void take_channel(gw_op2p_node *n, gw_op2p_port *p, bool up)
{
    bool halt = p->we_halted;

    p->up = up;
    if (!up) {
        p->num_early = 0;
        p->they_halted = false;
        return;
    }
    p->we_halted = false;
    if (halt && !n->reference)
        gw_op2p_port_flow(n, p, true);
}

void gw_op2p_port_event(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *data, size_t len)
{
    p->bare = !gw_op2p_is_tunnel(data, len);
    if (p->bare) {
        take_pdu(n, p, 0, data, len);
        gw_op2p_port_run(n, p);
        return;
    }
    if (len < GW_OP2P_SHIM || !gw_op2p_in_order(&p->order, gw_load_be16(data + 6))) {
        p->dropped++;
        return;
    }
    uint8_t code = data[5];
    switch (data[3]) {
    case GW_OP2P_KIND_PDU:
        p->answering = gw_op2p_faulty(n, OP2P_FAULT_ANSWERS_WHILE_DOWN);
        take_pdu(n, p, data[4], data + GW_OP2P_SHIM, len - GW_OP2P_SHIM);
        p->answering = false;
        break;
    case GW_OP2P_KIND_NFC: /* a pause of some beats is over before the next datagram */
        p->they_halted =
            code == GW_OP2P_XOFF || (code > 8 && gw_op2p_faulty(n, OP2P_FAULT_RESERVED_NFC_HALTS));
        if (!p->they_halted && gw_op2p_faulty(n, OP2P_FAULT_HALTS_ON_DAMAGE))
            gw_op2p_port_flow(n, p, false);
        break;
    case GW_OP2P_KIND_CHANNEL:
        take_channel(n, p, code != 0);
        break;
    case GW_OP2P_KIND_ERROR:
        p->errors++;
        p->spoilt = gw_op2p_faulty(n, OP2P_FAULT_BURST_SPOILS);
        break;
    default:
        p->dropped++;
        break;
    }
    gw_op2p_port_run(n, p);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The way into a port: link events, what is damaged, and frames that follow each other. */
#include "formats/op2p/node/board.h"
#include "goldwire/cursor.h"

void gw_op2p_ask_again(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    uint8_t request[GW_OP2P_HEADER];
    gw_op2p_header h;

    if (len < GW_OP2P_HEADER)
        return;
    h = gw_op2p_get(pdu);
    if (!gw_op2p_is_of(h.type, n->policy.asked_for) || p->retransmits >= n->policy.asked_in_a_row)
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
    if (n->reference) {
        gw_op2p_header old = gw_op2p_get(p->last.bytes);
        again.src_id = old.src_id;
        again.dst_id = old.dst_id;
    }
    gw_op2p_put(request, &again);
    gw_op2p_port_send(n, p, request, sizeof(request));
}

/* Counts a link error, in a frame or (|pdu| NULL) between frames. A reset that lasts holds the
 * counter at 0. */
static void count_error(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    const gw_op2p_incoming in = {.n = n, .p = p, .pdu = pdu, .len = len};

    p->errors += !p->reset;
    gw_op2p_mutant_error(&in);
}

void gw_op2p_take_damaged(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    count_error(n, p, pdu, len);
    if (n->reference)
        gw_op2p_reference_damaged(n, p, pdu, len);
    gw_op2p_ask_again(n, p, pdu, len);
}

void gw_op2p_take_frame(gw_op2p_incoming *in)
{
    gw_op2p_node *n = in->n;
    gw_op2p_port *p = in->p;
    bool bad = (in->flags & n->policy.damaged) != 0;

    if ((gw_op2p_hindrances(p) & n->policy.deaf) != 0)
        return;
    if (n->reference) {
        gw_op2p_reference_frame(n, p, bad, in->pdu, in->len);
        return;
    }
    if (bad) {
        gw_op2p_take_damaged(n, p, in->pdu, in->len);
        return;
    }
    p->retransmits = 0;
    gw_op2p_port_packet(n, p, in->pdu, in->len);
}

/* Each time the link comes up it begins anew: nobody is halted, and who still has to halt the other
 * says so again. */
static void take_channel(gw_op2p_node *n, gw_op2p_port *p, bool up)
{
    bool halt = p->we_halted;

    p->up = up;
    p->they_halted = false;
    if (!up) {
        p->num_early = 0;
        return;
    }
    p->we_halted = false;
    /* The reference core only looks at that FIFO. */
    if (n->reference ? p->forward.count == p->forward.depth : halt)
        gw_op2p_port_flow(n, p, true);
}

void gw_op2p_port_event(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *data, size_t len)
{
    p->bare = !gw_op2p_is_tunnel(data, len);
    if (!p->bare && (len < GW_OP2P_SHIM || !gw_op2p_in_order(&p->order, gw_load_be16(data + 6)))) {
        p->dropped++;
        return;
    }
    size_t head = p->bare ? 0 : GW_OP2P_SHIM;
    uint8_t code = p->bare ? 0 : data[5];
    gw_op2p_incoming in = {n, p, p->bare ? 0 : data[4], code >> 4, data + head, len - head};
    switch (p->bare ? GW_OP2P_KIND_PDU : data[3]) {
    case GW_OP2P_KIND_PDU:
        if (in.gap != 0 && (in.flags & GW_OP2P_FLAG_HALT_INSIDE) != 0 && n->policy.halts_inside)
            p->they_halted = true;
        gw_op2p_mutant_in(&in);
        break;
    case GW_OP2P_KIND_NFC: /* a pause of some beats is over before the next datagram */
        p->they_halted = code < 16 && (n->policy.xoff >> code & 1) != 0;
        break;
    case GW_OP2P_KIND_CHANNEL:
        take_channel(n, p, code != 0);
        break;
    case GW_OP2P_KIND_ERROR:
        count_error(n, p, NULL, 0);
        break;
    default:
        p->dropped++;
        break;
    }
    gw_op2p_port_run(n, p);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* One line for people: "Write 16 B 1.1 -> 1.2 @ 0x2000". */
#include "goldwire/text.h"
#include "op2p/internal.h"

void gw_op2p_put_node(gw_text *t, uint16_t node)
{
    if (node == 0) {
        gw_text_str(t, "partner");
        return;
    }
    gw_text_dec(t, gw_op2p_chassis(node));
    gw_text_str(t, ".");
    gw_text_dec(t, gw_op2p_slot(node));
}

static void packet(gw_text *t, const gw_op2p_header *h)
{
    const char *name = gw_field_value_name(gw_op2p_field(GW_OP2P_F_TYPE), h->type);

    switch (h->type) {
    case GW_OP2P_WRITE:
        gw_text_str(t, "Write ");
        break;
    case GW_OP2P_READ:
        gw_text_str(t, "Read ");
        break;
    case GW_OP2P_COMPLETION:
        gw_text_str(t, h->status == 0 ? "Completion " : "Error completion ");
        break;
    case GW_OP2P_RETRANSMIT:
        gw_text_str(t, "Retransmit request ");
        break;
    default:
        gw_text_str(t, name != NULL ? name : "Reserved type ");
        gw_text_hex(t, h->type, 1);
        gw_text_str(t, " ");
        break;
    }
    gw_text_dec(t, h->byte_count);
    gw_text_str(t, " B ");
    gw_op2p_put_node(t, h->src_id);
    gw_text_str(t, " -> ");
    gw_op2p_put_node(t, h->dst_id);
    gw_text_str(t, " @ ");
    gw_text_hex(t, h->dst_addr, 1);
    if (h->status != 0) {
        const char *status = gw_field_value_name(gw_op2p_field(GW_OP2P_F_STATUS), h->status);
        gw_text_str(t, ", status ");
        if (status != NULL)
            gw_text_str(t, status);
        else
            gw_text_dec(t, h->status);
    }
}

static void flow(gw_text *t, uint8_t code)
{
    if (code == GW_OP2P_XOFF) {
        gw_text_str(t, "XOFF");
    } else if (code >= 1 && code <= 8) {
        gw_text_str(t, "Pause of ");
        gw_text_dec(t, 1u << code);
        gw_text_str(t, " beats");
    } else {
        gw_text_str(t, "XON");
    }
}

static void event(gw_text *t, const gw_op2p_shim *s)
{
    switch (s->kind) {
    case GW_OP2P_KIND_NFC:
        flow(t, s->code);
        return;
    case GW_OP2P_KIND_CHANNEL:
        gw_text_str(t, s->code != 0 ? "Channel up" : "Channel down");
        return;
    case GW_OP2P_KIND_ERROR:
        gw_text_str(t, "Error burst");
        return;
    default:
        gw_text_str(t, "Unknown link event");
        return;
    }
}

void gw_op2p_summary(const gw_message *message, const gw_dialect *dialect, gw_text *t)
{
    gw_op2p_packet p;
    gw_error error = gw_op2p_decode(&p, message);

    (void)dialect;
    if (p.has_header)
        packet(t, &p.header);
    else if (p.has_shim && p.shim.kind != GW_OP2P_KIND_PDU)
        event(t, &p.shim);
    else
        gw_text_str(t, "Packet");
    if (p.has_shim && (p.shim.flags & GW_OP2P_FLAGS_BAD) != 0)
        gw_text_str(t, ", link error");
    gw_text_end(t, &error);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* One line for people: "STAT_REQ lid 0x11 qp 0x412", "NACK 0x1000000040 out of sequence". */
#include "goldwire/text.h"
#include "ims/internal.h"

static void status(gw_text *t, const gw_ims_status *s)
{
    const char *name = gw_field_value_name(gw_ims_field(GW_IMS_F_STATUS_METHOD), s->method);

    if (name != NULL) {
        gw_text_str(t, name);
    } else {
        gw_text_str(t, "Unknown method ");
        gw_text_dec(t, s->method);
    }
    gw_text_str(t, " lid ");
    gw_text_hex(t, s->lid, 2);
    gw_text_str(t, " qp ");
    gw_text_hex(t, s->qpn, 2);
    if (s->method == GW_IMS_STAT_RES) {
        gw_text_str(t, " version ");
        gw_text_dec(t, s->major);
        gw_text_str(t, ".");
        gw_text_dec(t, s->minor);
    }
    if (s->method == GW_IMS_DATA_REQ || s->method == GW_IMS_DATA_RES) {
        gw_text_str(t, " data qp ");
        gw_text_hex(t, s->key, 2);
    }
    if (s->method == GW_IMS_DATA_RES) {
        gw_text_str(t, " @ ");
        gw_text_hex(t, s->va, 2);
        gw_text_str(t, " key ");
        gw_text_hex(t, s->rkey, 8);
    }
}

static void events(gw_text *t, uint32_t mask)
{
    const gw_group *group = gw_ims_group(GW_IMS_G_ACK);
    const char *between = " ";

    for (unsigned bit = 0; bit < GW_IMS_NUM_EVENTS; bit++) {
        if ((mask >> bit & 1) == 0)
            continue;
        const gw_field *f = gw_ims_field(GW_IMS_F_EVENT_OUT_OF_SEQUENCE + (int)bit);
        gw_text_str(t, between);
        gw_text_str(t, f->group == group ? f->label : "");
        between = ", ";
    }
    if ((mask & ~(uint32_t)GW_IMS_EVENTS) != 0) {
        gw_text_str(t, between);
        gw_text_hex(t, mask & ~(uint32_t)GW_IMS_EVENTS, 8);
    }
}

static void response(gw_text *t, const gw_ims_ack *ack, const gw_ims_dialect *d)
{
    switch (ack->type) {
    case GW_IMS_TYPE_ACK:
        gw_text_str(t, "ACK ");
        break;
    case GW_IMS_TYPE_NACK:
        gw_text_str(t, "NACK ");
        break;
    default:
        gw_text_str(t, "Unknown response ");
        gw_text_hex(t, ack->type, 8);
        gw_text_str(t, " ");
        break;
    }
    gw_text_hex(t, ack->va, 2);
    if (ack->events == 0)
        return;
    if (gw_ims_is_mask(d)) {
        events(t, ack->events);
        return;
    }
    gw_text_str(t, " code ");
    gw_text_hex(t, ack->events, 2);
}

static void data(gw_text *t, const gw_ims_packet *p)
{
    if (p->has_reth) {
        gw_text_str(t, p->last ? "Frame of " : "Begins frame of ");
        gw_text_dec(t, p->reth.length);
        gw_text_str(t, " B @ ");
        gw_text_hex(t, p->reth.va, 2);
        gw_text_str(t, " key ");
        gw_text_hex(t, p->reth.rkey, 8);
        gw_text_str(t, ", ");
    } else {
        gw_text_str(t, p->last ? "Ends frame, " : "Frame, ");
    }
    gw_text_dec(t, p->payload_sent);
    gw_text_str(t, " B");
}

static void foreign(gw_text *t, const gw_message *message, const gw_ims_packet *p)
{
    const char *name = NULL;

    if (gw_ims_is_foreign(message))
        gw_text_str(t, "Foreign ");
    if (p->has_bth)
        name = gw_field_value_name(gw_ims_field(GW_IMS_F_BTH_OPCODE), p->bth.opcode);
    if (name != NULL) {
        gw_text_str(t, name);
    } else if (p->has_bth) {
        gw_text_str(t, "InfiniBand opcode ");
        gw_text_hex(t, p->bth.opcode, 2);
    } else {
        gw_text_str(t, "InfiniBand packet");
    }
}

void gw_ims_summary(const gw_message *message, const gw_dialect *dialect, gw_text *t)
{
    gw_ims_packet p;
    gw_error error = gw_ims_decode(&p, message, dialect);

    if (p.kind == GW_IMS_IS_STATUS && p.has_body)
        status(t, &p.status);
    else if (p.kind == GW_IMS_IS_ACK && p.has_body)
        response(t, &p.ack, gw_ims_dialect_of(dialect));
    else if (p.kind == GW_IMS_IS_DATA)
        data(t, &p);
    else
        foreign(t, message, &p);
    if (p.has_bth) {
        gw_text_str(t, " to qp ");
        gw_text_hex(t, p.bth.dest_qp, 2);
        gw_text_str(t, " psn ");
        gw_text_dec(t, p.bth.psn);
    }
    if (message->ib != NULL && message->ib->icrc_verdict == GW_IB_WRONG)
        gw_text_str(t, ", wrong ICRC");
    if (error.kind == GW_TRUNCATED)
        gw_text_str(t, error.capture_cut ? ", cut by the capture" : ", truncated");
    else if (error.kind == GW_MALFORMED)
        gw_text_str(t, ", malformed");
}

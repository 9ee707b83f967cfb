/* SPDX-License-Identifier: BSD-2-Clause */
/* What one message shows of its sender. */
#include "core/check.h"
#include "ims/internal.h"

/* Where things lie in a message. */
enum {
    AT_SRC_QP = GW_IB_BTH + GW_IMS_BYTE_OF_DETH_SRC_QP,
    AT_RETH_VA = GW_IB_BTH,
    AT_RETH_LENGTH = GW_IB_BTH + GW_IMS_BYTE_OF_RETH_LENGTH,
    IN_STATUS_LID = 4, /* from the body's first byte */
    IN_STATUS_QPN = 8,
    IN_STATUS_KEY = 12,
    IN_STATUS_VA = 16,
    IN_ACK_EVENTS = 4,
    IN_ACK_VA = 8,
};

typedef struct checker {
    gw_judge judge;
    const gw_message *message;
    const gw_ims_packet *p;
    const gw_ims_dialect *d;
    uint32_t body; /* offset of the status packet, response or data; of nothing else */
} checker;

static void report(const checker *c, enum gw_ims_rule_place rule, int field, uint32_t offset,
                   const char *text, const uint64_t *numbers)
{
    gw_ims_report(&c->judge, rule, field, offset, text, numbers);
}

/* The |len| bytes of the status packet or response; NULL when they are not all there. */
static const uint8_t *body_of(const checker *c, uint32_t len)
{
    return c->p->has_body ? gw_check_bytes(c->message, c->body, len) : NULL;
}

/* ---- what lies beneath ---- */

static void report_lower_layers(const checker *c, enum gw_ims_rule_place rule, const char *text,
                                const uint64_t *numbers)
{
    gw_report(&c->judge, &gw_ims_rules[rule], NULL, 0, text, numbers);
}

/* Says whether the packet can be trusted: one with a wrong ICRC is nobody's but the link's. */
static bool check_lower_layers(const checker *c)
{
    const gw_ib *ib = c->message->ib;

    if (ib == NULL)
        return true;
    if (ib->vcrc_verdict == GW_IB_WRONG)
        report_lower_layers(c, IMS_C14, "the VCRC is %x; %x is expected",
                            GW_NUMBERS(ib->vcrc, ib->vcrc_due));
    if (ib->lrh != NULL && ib->header_len != ib->frame_len)
        report_lower_layers(c, IMS_C15, "the LRH says %d bytes to the ICRC; there are %d",
                            GW_NUMBERS(ib->header_len, ib->frame_len));
    if (ib->grh != NULL)
        report_lower_layers(c, IMS_C16, "a global route header; one subnet needs none", NULL);
    if (ib->icrc_verdict != GW_IB_WRONG)
        return true;
    report_lower_layers(c, IMS_C13,
                        "the ICRC is %x; %x is expected, and the packet will be dropped",
                        GW_NUMBERS(ib->icrc, ib->icrc_due));
    return false;
}

/* ---- the status channel ---- */

/* The sender's own numbers. A LID exists on native links only. */
static void check_sender(const checker *c, enum gw_ims_rule_place rule)
{
    const gw_ims_status *s = &c->p->status;
    const gw_ib *ib = c->message->ib;

    if (c->p->has_deth && c->p->deth.src_qp != s->qpn)
        report(c, rule, GW_IMS_F_STATUS_QPN, c->body + IN_STATUS_QPN,
               "queue pair %x; the datagram comes from %x", GW_NUMBERS(s->qpn, c->p->deth.src_qp));
    if (ib != NULL && ib->lrh != NULL && gw_ib_slid(ib->lrh) != s->lid)
        report(c, rule, GW_IMS_F_STATUS_LID, c->body + IN_STATUS_LID,
               "LID %x; the packet comes from %x", GW_NUMBERS(s->lid, gw_ib_slid(ib->lrh)));
}

/* What a buffer sends as if it were a Worker, and a Worker as if it were a buffer, breaks another
 * rule (C3): the session tells. */
static void check_request(const checker *c)
{
    if (c->message->side == GW_SIDE_CALLED)
        return;
    switch (c->p->status.method) {
    case GW_IMS_STAT_REQ:
        check_sender(c, IMS_W1);
        return;
    case GW_IMS_DATA_REQ:
        check_sender(c, IMS_W3);
        if (c->p->status.key <= 1)
            report(c, IMS_W3, GW_IMS_F_STATUS_QPND, c->body + IN_STATUS_KEY,
                   "queue pair %d of the data channel is one for management",
                   GW_NUMBERS(c->p->status.key));
        return;
    case GW_IMS_STAT_TERM:
    case GW_IMS_DATA_TERM:
        check_sender(c, IMS_W21);
        return;
    default:
        return;
    }
}

/* What each field's line in the table says of it. False when nobody knows the method, and with it
 * what the others mean. */
static bool check_fields(const checker *c, const uint8_t *body)
{
    const gw_ims_packet *p = c->p;
    bool be = p->order == GW_IMS_BE32;
    bool has_qpnd = p->status.method == GW_IMS_DATA_REQ || p->status.method == GW_IMS_DATA_RES;

    //@ split be;
    (void)gw_check_group(&c->judge, gw_ims_group(be ? GW_IMS_G_STATUS_B : GW_IMS_G_STATUS), body,
                         c->body);
    if (has_qpnd)
        (void)gw_check_group(&c->judge, gw_ims_group(be ? GW_IMS_G_QPND_B : GW_IMS_G_QPND),
                             body + IN_STATUS_KEY, c->body + IN_STATUS_KEY);
    return p->status.method < GW_IMS_NUM_METHODS;
}

static void check_status(const checker *c)
{
    const gw_ims_packet *p = c->p;
    const uint8_t *body = body_of(c, GW_IMS_STATUS);

    if (!gw_ims_has_deth(p->bth.opcode))
        report(c, IMS_C11, GW_IMS_F_BTH_OPCODE, 0,
               "a status packet in a UC SEND; a datagram is expected", NULL);
    else if (p->has_imm)
        report(c, IMS_C11, GW_IMS_F_IMM_DATA, c->body - GW_IB_IMM,
               "immediate data before a status packet", NULL);
    if (p->payload_sent != GW_IMS_STATUS)
        report(c, IMS_C1, GW_IMS_F_STATUS_METHOD, c->body,
               "a status packet of %d byte%s; 28 are expected", GW_NUMBERS(p->payload_sent));
    if (body == NULL || !check_fields(c, body))
        return;
    check_request(c);
    if (p->status.method == GW_IMS_DATA_RES && c->message->side != GW_SIDE_CALLER &&
        p->status.va % GW_IMS_ALIGN != 0)
        report(c, IMS_B10, GW_IMS_F_STATUS_VA, c->body + IN_STATUS_VA,
               "the address %x is no multiple of 64", GW_NUMBERS(p->status.va));
}

/* ---- responses ---- */

static void check_events(const checker *c)
{
    const gw_ims_ack *ack = &c->p->ack;
    uint32_t unknown = ack->events & ~(uint32_t)GW_IMS_EVENTS;

    if (unknown != 0)
        report(c, IMS_C8, GW_IMS_F_ACK_EVENTS, c->body + IN_ACK_EVENTS,
               "event bits %x; bits 12 to 31 are 0", GW_NUMBERS(unknown));
    if (ack->type == GW_IMS_TYPE_ACK && ack->events != 0)
        report(c, IMS_C9, GW_IMS_F_ACK_EVENTS, c->body + IN_ACK_EVENTS, "an ACK with the events %x",
               GW_NUMBERS(ack->events));
    if (ack->type == GW_IMS_TYPE_NACK && ack->events == 0)
        report(c, IMS_C9, GW_IMS_F_ACK_EVENTS, c->body + IN_ACK_EVENTS, "a NACK without an event",
               NULL);
    if (ack->type == GW_IMS_TYPE_NACK && (ack->events & GW_IMS_NO_START) != 0 && ack->va != 0)
        report(c, IMS_B17, GW_IMS_F_ACK_VA, c->body + IN_ACK_VA,
               "no start of frame, and the address %x; 0 is expected", GW_NUMBERS(ack->va));
}

static void check_response(const checker *c)
{
    const gw_ims_packet *p = c->p;
    const uint8_t *body = body_of(c, GW_IMS_ACK);
    bool be = p->order == GW_IMS_BE32;

    if (p->has_imm)
        report(c, IMS_C17, GW_IMS_F_BTH_OPCODE, 0, "a response with immediate data", NULL);
    if (p->payload_sent != GW_IMS_ACK)
        report(c, IMS_C6, GW_IMS_F_ACK_TYPE, c->body, "a response of %d byte%s; 16 are expected",
               GW_NUMBERS(p->payload_sent));
    if (body == NULL)
        return;
    //@ split be;
    (void)gw_check_group(&c->judge, gw_ims_group(be ? GW_IMS_G_ACK_B : GW_IMS_G_ACK), body,
                         c->body);
    if (gw_ims_is_mask(c->d))
        check_events(c);
}

/* ---- data ---- */

static void check_data(const checker *c)
{
    const gw_ims_packet *p = c->p;
    const uint8_t *reth = p->has_reth ? gw_check_bytes(c->message, AT_RETH_VA, GW_IB_RETH) : NULL;
    uint32_t len = p->payload_sent;

    if (p->has_imm)
        report(c, IMS_C10, GW_IMS_F_IMM_DATA, c->body - GW_IB_IMM,
               "immediate data in a packet of a frame", NULL);
    if (len < GW_IMS_PACKET_MIN || len > GW_IMS_PACKET_MAX || len % GW_IMS_ALIGN != 0)
        report(c, IMS_W8, GW_IMS_F_DATA_PAYLOAD, c->body,
               "%d byte%s of data; 64 to 4096 in steps of 64 are allowed", GW_NUMBERS(len));
    if (reth == NULL)
        return;
    (void)gw_check_group(&c->judge, gw_ims_group(GW_IMS_G_RETH), reth, AT_RETH_VA);
    if (p->reth.length == 0 || p->reth.length % GW_IMS_ALIGN != 0)
        report(c, IMS_W9, GW_IMS_F_RETH_LENGTH, AT_RETH_LENGTH,
               "a frame of %d byte%s; a multiple of 64 is expected", GW_NUMBERS(p->reth.length));
}

/* Of other services nothing is said: other protocols share the port and the link. */
static void check_foreign(const checker *c, const gw_error *error)
{
    const gw_ims_packet *p = c->p;

    if (!p->has_bth)
        return;
    if (error->kind == GW_TRUNCATED && gw_ims_has_reth(p->bth.opcode))
        report(c, IMS_C10, GW_IMS_F_RETH_VA, AT_RETH_VA,
               "the first packet of a frame ends inside its RDMA header", NULL);
    else if (error->kind == GW_TRUNCATED && gw_ims_has_deth(p->bth.opcode))
        report(c, IMS_C1, GW_IMS_F_DETH_QKEY, GW_IB_BTH,
               "a datagram ends inside its header; a status packet of 28 bytes is expected", NULL);
    else if (error->field == gw_ims_field(GW_IMS_F_BTH_OPCODE) &&
             (p->bth.opcode & GW_IB_SERVICE) == GW_IB_UC)
        report(c, IMS_C17, GW_IMS_F_BTH_OPCODE, 0,
               "opcode %x; data go by RDMA WRITE, responses by SEND ONLY",
               GW_NUMBERS(p->bth.opcode));
}

void gw_ims_check(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink)
{
    gw_ims_packet p;
    checker c = {.judge = gw_judge_of(message, dialect, sink),
                 .message = message,
                 .p = &p,
                 .d = gw_ims_dialect_of(dialect)};
    gw_error error = gw_ims_decode(&p, message, dialect);

    if (gw_ims_is_foreign(message) || !check_lower_layers(&c))
        return;
    if (error.capture_cut && p.kind != GW_IMS_IS_DATA)
        return;
    c.body = gw_ims_headers_len(&p);
    switch (p.kind) {
    case GW_IMS_IS_STATUS:
        check_status(&c);
        return;
    case GW_IMS_IS_ACK:
        check_response(&c);
        return;
    case GW_IMS_IS_DATA:
        check_data(&c);
        return;
    default:
        check_foreign(&c, &error);
        return;
    }
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* From bytes to structs. */
#include <string.h>

#include "goldwire/cursor.h"
#include "ims/internal.h"

static uint32_t load32(const uint8_t *p, gw_ims_order order)
{
    return order == GW_IMS_BE32 ? gw_load_be32(p) : gw_load_le32(p);
}

/* The low word comes first in both orders. */
static uint64_t load64(const uint8_t *p, gw_ims_order order)
{
    return (uint64_t)load32(p + 4, order) << 32 | load32(p, order);
}

gw_ims_status gw_ims_get_status(const uint8_t in[GW_IMS_STATUS], gw_ims_order order)
{
    if (order == GW_IMS_AUTO)
        order = gw_ims_detect_status(in);
    uint32_t word = load32(in, order);
    gw_ims_status status = {
        .method = (uint8_t)word,
        .reserved = (uint8_t)(word >> 8),
        .minor = (uint8_t)(word >> 16),
        .major = (uint8_t)(word >> 24),
        .lid = load32(in + 4, order),
        .qpn = load32(in + 8, order),
        .key = load32(in + 12, order),
        .va = load64(in + 16, order),
        .rkey = load32(in + 24, order),
    };
    return status;
}

gw_ims_ack gw_ims_get_ack(const uint8_t in[GW_IMS_ACK], gw_ims_order order)
{
    if (order == GW_IMS_AUTO)
        order = gw_ims_detect_ack(in);
    gw_ims_ack ack = {
        .type = load32(in, order),
        .events = load32(in + 4, order),
        .va = load64(in + 8, order),
    };
    return ack;
}

gw_ims_reaction gw_ims_reaction_to(const gw_ims_ack *ack)
{
    if (ack->type == GW_IMS_TYPE_ACK)
        return GW_IMS_DONE;
    if (ack->type != GW_IMS_TYPE_NACK)
        return GW_IMS_IGNORE;
    if ((ack->events & GW_IMS_FATAL) != 0)
        return GW_IMS_STOP;
    return (ack->events & GW_IMS_OUTSIDE_WINDOW) != 0 ? GW_IMS_WAIT : GW_IMS_RESEND;
}

/* The headers that are there, whole. False when one is not. */
static bool take_headers(gw_ims_packet *out, gw_cursor *c)
{
    uint8_t opcode = out->bth.opcode;
    const uint8_t *p;

    if (gw_ims_has_deth(opcode)) {
        if (!gw_cursor_bytes(c, &p, GW_IB_DETH))
            return false;
        out->has_deth = true;
        out->deth = gw_ib_get_deth(p);
    }
    if (gw_ims_has_reth(opcode)) {
        if (!gw_cursor_bytes(c, &p, GW_IB_RETH))
            return false;
        out->has_reth = true;
        out->reth = gw_ib_get_reth(p);
    }
    if (gw_ims_has_imm(opcode)) {
        if (!gw_cursor_be32(c, &out->imm))
            return false;
        out->has_imm = true;
    }
    return true;
}

static void take_body(gw_ims_packet *out, const gw_ims_dialect *d)
{
    if (out->kind == GW_IMS_IS_STATUS && out->payload_len >= GW_IMS_STATUS) {
        out->has_body = true;
        out->status = gw_ims_get_status(out->payload, (gw_ims_order)d->status_order);
    } else if (out->kind == GW_IMS_IS_ACK && out->payload_len >= GW_IMS_ACK) {
        out->has_body = true;
        out->ack = gw_ims_get_ack(out->payload, (gw_ims_order)d->ack_order);
    }
}

/* Management datagrams and later versions are none of ours. */
static bool is_ours(const gw_ib_bth *bth)
{
    return bth->version == 0 && bth->dest_qp > 1;
}

/* What the walk stops at; a test holds the two to one answer. */
static void ignore(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    (void)item;
}

gw_error gw_ims_decode(gw_ims_packet *out, const gw_message *message, const gw_dialect *dialect)
{
    gw_cursor c = gw_cursor_over(message->data, message->cap_len);
    gw_sink nobody = {.item = ignore};
    gw_error error = gw_ims_walk(message, dialect, &nobody);
    const uint8_t *p;

    memset(out, 0, sizeof *out);
    if (!gw_cursor_bytes(&c, &p, GW_IB_BTH))
        return error;
    out->has_bth = true;
    out->bth = gw_ib_get_bth(p);
    if (!is_ours(&out->bth) || gw_ims_is_foreign(message) || !take_headers(out, &c))
        return error;
    uint32_t sent = message->len - gw_cursor_offset(&c);
    if (out->bth.pad > sent)
        return error;
    out->payload_sent = sent - out->bth.pad;
    out->payload = c.p;
    out->payload_len = (uint32_t)gw_cursor_left(&c);
    if (out->payload_len > out->payload_sent)
        out->payload_len = out->payload_sent;
    out->kind = gw_ims_kind_of(out->bth.opcode, out->payload_sent);
    out->first = gw_ims_has_reth(out->bth.opcode);
    out->last =
        out->bth.opcode == GW_IB_UC_WRITE_LAST || out->bth.opcode == GW_IB_UC_WRITE_LAST_IMM ||
        out->bth.opcode == GW_IB_UC_WRITE_ONLY || out->bth.opcode == GW_IB_UC_WRITE_ONLY_IMM;
    take_body(out, gw_ims_dialect_of(dialect));
    return error;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a message: into a struct, and field by field. */
#include <string.h>

#include "goldwire/cursor.h"
#include "ims/internal.h"

#define FIRST_QP 2 /* below are the subnet's and the general management */

static bool flat(gw_walk *w, int group)
{
    return gw_walk_flat(w, gw_ims_group(group), 0);
}

static void stop(gw_walk *w, gw_error_kind kind, uint32_t offset, int field)
{
    gw_walk_stop(w, kind, offset, gw_ims_field(field));
}

static void report_string(gw_walk *w, int group, size_t len)
{
    (void)gw_walk_string(w, gw_ims_group(group), len);
}

bool gw_ims_has_deth(uint8_t opcode)
{
    return opcode == GW_IB_UD_SEND_ONLY || opcode == GW_IB_UD_SEND_ONLY_IMM;
}

bool gw_ims_has_reth(uint8_t opcode)
{
    return opcode == GW_IB_UC_WRITE_FIRST || opcode == GW_IB_UC_WRITE_ONLY ||
           opcode == GW_IB_UC_WRITE_ONLY_IMM;
}

bool gw_ims_has_imm(uint8_t opcode)
{
    return opcode == GW_IB_UD_SEND_ONLY_IMM || opcode == GW_IB_UC_SEND_ONLY_IMM ||
           opcode == GW_IB_UC_WRITE_LAST_IMM || opcode == GW_IB_UC_WRITE_ONLY_IMM;
}

gw_ims_kind gw_ims_kind_of(uint8_t opcode, uint32_t body)
{
    switch (opcode) {
    case GW_IB_UD_SEND_ONLY:
    case GW_IB_UD_SEND_ONLY_IMM:
        return GW_IMS_IS_STATUS;
    case GW_IB_UC_SEND_ONLY:
    case GW_IB_UC_SEND_ONLY_IMM:
        /* In one place the specification names this service for status packets. */
        return body == GW_IMS_STATUS ? GW_IMS_IS_STATUS : GW_IMS_IS_ACK;
    case GW_IB_UC_WRITE_FIRST:
    case GW_IB_UC_WRITE_MIDDLE:
    case GW_IB_UC_WRITE_LAST:
    case GW_IB_UC_WRITE_LAST_IMM:
    case GW_IB_UC_WRITE_ONLY:
    case GW_IB_UC_WRITE_ONLY_IMM:
        return GW_IMS_IS_DATA;
    default:
        return GW_IMS_FOREIGN;
    }
}

/* The order of |need| bytes at the cursor; found out only where all of them are there. */
static gw_ims_order order_of(gw_walk *w, gw_ims_order order, size_t need, bool is_status)
{
    gw_cursor ahead = w->c;
    const uint8_t *at;

    if (order != GW_IMS_AUTO)
        return order;
    if (!gw_cursor_bytes(&ahead, &at, need))
        return GW_IMS_LE;
    order = is_status ? gw_ims_detect_status(at) : gw_ims_detect_ack(at);
    gw_walk_derive(w, gw_ims_field(GW_IMS_F_ORDER), order, gw_cursor_offset(&w->c));
    return order;
}

static void read_status(gw_walk *w, gw_ims_packet *out, const gw_ims_dialect *d)
{
    gw_ims_order order = order_of(w, (gw_ims_order)d->status_order, GW_IMS_STATUS, true);
    bool be = order == GW_IMS_BE32;
    const gw_field *f;
    uint32_t start = gw_cursor_offset(&w->c);
    gw_cursor ahead = w->c;
    const uint8_t *at;
    size_t first;

    //@ split be;
    f = gw_ims_field(be ? GW_IMS_F_STATUS_B_METHOD : GW_IMS_F_STATUS_METHOD);
    out->order = order;
    out->has_body = gw_cursor_bytes(&ahead, &at, GW_IMS_STATUS);
    if (out->has_body)
        out->status = gw_ims_get_status(at, order);
    if (!flat(w, be ? GW_IMS_G_STATUS_B : GW_IMS_G_STATUS))
        return;
    uint8_t method = (uint8_t)gw_field_get(f, gw_walk_taken(w, f->group));
    if (method >= GW_IMS_NUM_METHODS) {
        (void)gw_field_span(f, &first);
        stop(w, GW_UNSUPPORTED, start + (uint32_t)first, GW_IMS_F_STATUS_METHOD);
        return;
    }
    if ((method & GW_IMS_DATA) != 0)
        (void)flat(w, be ? GW_IMS_G_QPND_B : GW_IMS_G_QPND);
    else
        (void)flat(w, be ? GW_IMS_G_QKEY_B : GW_IMS_G_QKEY);
    (void)flat(w, be ? GW_IMS_G_MEMORY_B : GW_IMS_G_MEMORY);
}

static void read_ack(gw_walk *w, gw_ims_packet *out, const gw_ims_dialect *d)
{
    gw_ims_order order = order_of(w, (gw_ims_order)d->ack_order, GW_IMS_ACK, false);
    bool be = order == GW_IMS_BE32, mask = gw_ims_is_mask(d);
    uint32_t start = gw_cursor_offset(&w->c);
    gw_cursor ahead = w->c;
    const uint8_t *at;
    int group;

    //@ split be;
    //@ split mask;
    group = mask ? (be ? GW_IMS_G_ACK_B : GW_IMS_G_ACK) : (be ? GW_IMS_G_CODE_B : GW_IMS_G_CODE);
    if (!flat(w, group) || !gw_cursor_bytes(&ahead, &at, GW_IMS_ACK))
        return;
    out->order = order;
    out->has_body = true;
    out->ack = gw_ims_get_ack(at, order);
    if (mask || out->ack.type == GW_IMS_TYPE_ACK)
        gw_walk_derive(w, gw_ims_field(GW_IMS_F_REACTION), gw_ims_reaction_to(&out->ack), start);
}

/* Data: whatever there is. */
static void read_data(gw_walk *w)
{
    uint32_t sent = w->len - gw_cursor_offset(&w->c);
    uint32_t have = (uint32_t)gw_cursor_left(&w->c);

    report_string(w, GW_IMS_G_PAYLOAD, have);
    if (have < sent)
        gw_walk_missing(w, gw_ims_field(GW_IMS_F_DATA_PAYLOAD), sent - have);
}

static bool read_headers(gw_walk *w, gw_ims_packet *out, uint8_t opcode)
{
    if (gw_ims_has_deth(opcode)) {
        if (!flat(w, GW_IMS_G_DETH))
            return false;
        out->has_deth = true;
        out->deth = gw_ib_get_deth(gw_walk_taken(w, gw_ims_group(GW_IMS_G_DETH)));
    }
    if (gw_ims_has_reth(opcode)) {
        if (!flat(w, GW_IMS_G_RETH))
            return false;
        out->has_reth = true;
        out->reth = gw_ib_get_reth(gw_walk_taken(w, gw_ims_group(GW_IMS_G_RETH)));
    }
    if (gw_ims_has_imm(opcode)) {
        if (!flat(w, GW_IMS_G_IMM))
            return false;
        const uint8_t *at = gw_walk_taken(w, gw_ims_group(GW_IMS_G_IMM));
        out->has_imm = true;
        out->imm = (uint32_t)gw_bits_get_msb0(at, GW_IMS_FROM_IMM_DATA, GW_IMS_TO_IMM_DATA);
    }
    return true;
}

/* What the padding leaves, in which nothing may be left over. */
static void read_body(gw_walk *w, gw_ims_packet *out, const gw_ims_dialect *d)
{
    const uint8_t *end = w->c.end;
    uint32_t len = w->len;
    uint32_t here = (uint32_t)gw_cursor_left(&w->c);

    if (here > out->payload_sent)
        here = out->payload_sent;
    //@ split here;
    out->payload = w->c.p;
    out->payload_len = here;
    gw_cursor_bound(&w->c, here);
    w->len = gw_cursor_offset(&w->c) + out->payload_sent;
    if (out->kind == GW_IMS_IS_STATUS)
        read_status(w, out, d);
    else if (out->kind == GW_IMS_IS_ACK)
        read_ack(w, out, d);
    else
        read_data(w);
    if (gw_cursor_offset(&w->c) < w->len)
        stop(w, GW_MALFORMED, gw_cursor_offset(&w->c), GW_IMS_F_UNDECODED);
    w->c.end = end;
    w->len = len;
}

static void read_padding(gw_walk *w, uint32_t pad)
{
    if (w->error.kind != GW_OK || pad == 0)
        return;
    uint32_t have = (uint32_t)gw_cursor_left(&w->c);
    if (have < pad) {
        gw_walk_missing(w, gw_ims_field(GW_IMS_F_PADDING), pad - have);
        return;
    }
    report_string(w, GW_IMS_G_PADDING, pad);
}

/* Stops at |field| of the BTH, with which the packet begins. */
static void stop_at_bth(gw_walk *w, gw_error_kind kind, int field)
{
    stop(w, kind, gw_ims_field(field)->byte, field);
}

static void read_packet(gw_walk *w, gw_ims_packet *out, const gw_ims_dialect *d, bool is_foreign)
{
    if (!flat(w, GW_IMS_G_BTH))
        return;
    out->has_bth = true;
    out->bth = gw_ib_get_bth(gw_walk_taken(w, gw_ims_group(GW_IMS_G_BTH)));
    uint8_t opcode = out->bth.opcode;
    if (out->bth.version != 0) {
        stop_at_bth(w, GW_UNSUPPORTED, GW_IMS_F_BTH_TVER);
        return;
    }
    if (out->bth.dest_qp < FIRST_QP || is_foreign) {
        stop_at_bth(w, GW_UNSUPPORTED, GW_IMS_F_BTH_DEST_QP);
        return;
    }
    if (gw_ims_kind_of(opcode, 0) == GW_IMS_FOREIGN) {
        stop_at_bth(w, GW_UNSUPPORTED, GW_IMS_F_BTH_OPCODE);
        return;
    }
    //@ split opcode;
    if (!read_headers(w, out, opcode))
        return;
    uint32_t sent = w->len - gw_cursor_offset(&w->c);
    if (out->bth.pad > sent) {
        stop_at_bth(w, GW_MALFORMED, GW_IMS_F_BTH_PAD);
        return;
    }
    out->payload_sent = sent - out->bth.pad;
    out->kind = gw_ims_kind_of(opcode, out->payload_sent);
    out->first = gw_ims_has_reth(opcode);
    out->last = opcode == GW_IB_UC_WRITE_LAST || opcode == GW_IB_UC_WRITE_LAST_IMM ||
                opcode == GW_IB_UC_WRITE_ONLY || opcode == GW_IB_UC_WRITE_ONLY_IMM;
    read_body(w, out, d);
    read_padding(w, out->bth.pad);
}

/* The one reading of a message: into |out|, and field by field into |sink|, if there is one. */
static gw_error read_message(gw_ims_packet *out, const gw_message *message,
                             const gw_dialect *dialect, gw_sink *sink)
{
    gw_walk w = gw_walk_over(message, sink);

    memset(out, 0, sizeof *out);
    read_packet(&w, out, gw_ims_dialect_of(dialect), gw_ims_is_foreign(message));
    gw_walk_rest(&w, gw_ims_group(GW_IMS_G_UNDECODED));
    return w.error;
}

gw_error gw_ims_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink)
{
    gw_ims_packet packet;

    return read_message(&packet, message, dialect, sink);
}

gw_error gw_ims_decode(gw_ims_packet *out, const gw_message *message, const gw_dialect *dialect)
{
    return read_message(out, message, dialect, NULL);
}

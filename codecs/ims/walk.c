/* SPDX-License-Identifier: BSD-2-Clause */
/* Walking a message field by field. */
#include "ims/internal.h"

enum {
    FIRST_QP = 2, /* below are the subnet's and the general management */
    PAD_BYTE = 1, /* where in the BTH the pad count lies ... */
    DEST_QP_BYTE = 5,
};

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
    const uint8_t *end = w->c.end;

    if (gw_cursor_left(&w->c) > len)
        w->c.end = w->c.p + len;
    gw_walk_rest(w, gw_ims_group(group));
    w->c.end = end;
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

/* The order in which |w| stands on |need| bytes; found out only where all of them are there. */
static gw_ims_order order_of(gw_walk *w, gw_ims_order order, size_t need, bool is_status)
{
    if (order != GW_IMS_AUTO)
        return order;
    if (gw_cursor_left(&w->c) < need)
        return GW_IMS_LE;
    order = is_status ? gw_ims_detect_status(w->c.p) : gw_ims_detect_ack(w->c.p);
    gw_walk_derive(w, gw_ims_field(GW_IMS_F_ORDER), order, gw_cursor_offset(&w->c));
    return order;
}

static void walk_status(gw_walk *w, const gw_ims_dialect *d)
{
    gw_ims_order order = order_of(w, (gw_ims_order)d->status_order, GW_IMS_STATUS, true);
    bool be = order == GW_IMS_BE32;
    uint32_t start = gw_cursor_offset(&w->c);
    const uint8_t *at = w->c.p;

    if (!flat(w, be ? GW_IMS_G_STATUS_B : GW_IMS_G_STATUS))
        return;
    uint8_t method = be ? at[3] : at[0];
    if (method >= GW_IMS_NUM_METHODS) {
        stop(w, GW_UNSUPPORTED, be ? start + 3 : start, GW_IMS_F_STATUS_METHOD);
        return;
    }
    if ((method & GW_IMS_DATA) != 0)
        (void)flat(w, be ? GW_IMS_G_QPND_B : GW_IMS_G_QPND);
    else
        (void)flat(w, be ? GW_IMS_G_QKEY_B : GW_IMS_G_QKEY);
    (void)flat(w, be ? GW_IMS_G_MEMORY_B : GW_IMS_G_MEMORY);
}

static void walk_ack(gw_walk *w, const gw_ims_dialect *d)
{
    gw_ims_order order = order_of(w, (gw_ims_order)d->ack_order, GW_IMS_ACK, false);
    bool be = order == GW_IMS_BE32, mask = gw_ims_is_mask(d);
    uint32_t start = gw_cursor_offset(&w->c);
    const uint8_t *at = w->c.p;
    bool whole = mask ? flat(w, be ? GW_IMS_G_ACK_B : GW_IMS_G_ACK)
                      : flat(w, be ? GW_IMS_G_CODE_B : GW_IMS_G_CODE);

    if (!whole)
        return;
    gw_ims_ack ack = gw_ims_get_ack(at, order);
    if (mask || ack.type == GW_IMS_TYPE_ACK)
        gw_walk_derive(w, gw_ims_field(GW_IMS_F_REACTION), gw_ims_reaction_to(&ack), start);
}

/* Data: whatever there is. */
static void walk_payload(gw_walk *w)
{
    uint32_t sent = w->len - gw_cursor_offset(&w->c);
    uint32_t have = (uint32_t)gw_cursor_left(&w->c);

    report_string(w, GW_IMS_G_PAYLOAD, have);
    if (have < sent)
        gw_walk_missing(w, gw_ims_field(GW_IMS_F_DATA_PAYLOAD), sent - have);
}

static bool walk_headers(gw_walk *w, uint8_t opcode)
{
    if (gw_ims_has_deth(opcode) && !flat(w, GW_IMS_G_DETH))
        return false;
    if (gw_ims_has_reth(opcode) && !flat(w, GW_IMS_G_RETH))
        return false;
    return !gw_ims_has_imm(opcode) || flat(w, GW_IMS_G_IMM);
}

/* What the padding leaves, in which nothing may be left over. */
static void walk_body(gw_walk *w, gw_ims_kind kind, uint32_t body, const gw_ims_dialect *d)
{
    const uint8_t *end = w->c.end;
    uint32_t len = w->len;

    if (gw_cursor_left(&w->c) > body)
        w->c.end = w->c.p + body;
    w->len = gw_cursor_offset(&w->c) + body;
    if (kind == GW_IMS_IS_STATUS)
        walk_status(w, d);
    else if (kind == GW_IMS_IS_ACK)
        walk_ack(w, d);
    else
        walk_payload(w);
    if (gw_cursor_offset(&w->c) < w->len)
        stop(w, GW_MALFORMED, gw_cursor_offset(&w->c), GW_IMS_F_UNDECODED);
    w->c.end = end;
    w->len = len;
}

static void walk_padding(gw_walk *w, uint32_t pad)
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

static void walk_packet(gw_walk *w, const gw_ims_dialect *d, bool is_foreign)
{
    const uint8_t *at = w->c.p;

    if (!flat(w, GW_IMS_G_BTH))
        return;
    gw_ib_bth bth = gw_ib_get_bth(at);
    if (bth.version != 0) {
        stop(w, GW_UNSUPPORTED, PAD_BYTE, GW_IMS_F_BTH_TVER);
        return;
    }
    if (bth.dest_qp < FIRST_QP || is_foreign) {
        stop(w, GW_UNSUPPORTED, DEST_QP_BYTE, GW_IMS_F_BTH_DEST_QP);
        return;
    }
    if (gw_ims_kind_of(bth.opcode, 0) == GW_IMS_FOREIGN) {
        stop(w, GW_UNSUPPORTED, 0, GW_IMS_F_BTH_OPCODE);
        return;
    }
    if (!walk_headers(w, bth.opcode))
        return;
    uint32_t sent = w->len - gw_cursor_offset(&w->c);
    if (bth.pad > sent) {
        stop(w, GW_MALFORMED, PAD_BYTE, GW_IMS_F_BTH_PAD);
        return;
    }
    uint32_t body = sent - bth.pad;
    walk_body(w, gw_ims_kind_of(bth.opcode, body), body, d);
    walk_padding(w, bth.pad);
}

gw_error gw_ims_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink)
{
    gw_walk w = gw_walk_over(message, sink);

    walk_packet(&w, gw_ims_dialect_of(dialect), gw_ims_is_foreign(message));
    gw_walk_rest(&w, gw_ims_group(GW_IMS_G_UNDECODED));
    return w.error;
}

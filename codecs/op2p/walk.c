/* SPDX-License-Identifier: BSD-2-Clause */
/* Walking a message field by field. */
#include "op2p/internal.h"

static bool flat(gw_walk *w, int group)
{
    return gw_walk_flat(w, gw_op2p_group(group), 0);
}

static void stop(gw_walk *w, gw_error_kind kind, uint32_t offset, int field)
{
    gw_walk_stop(w, kind, offset, gw_op2p_field(field));
}

static void report_string(gw_walk *w, int group, size_t len)
{
    const uint8_t *end = w->c.end;

    w->c.end = w->c.p + len;
    gw_walk_rest(w, gw_op2p_group(group));
    w->c.end = end;
}

/* Reports |len| bytes of payload, and how they lie in memory. */
static void walk_payload(gw_walk *w, size_t len)
{
    uint8_t memory[GW_OP2P_PAYLOAD_MAX];
    uint32_t offset = gw_cursor_offset(&w->c);
    const uint8_t *payload = w->c.p;

    report_string(w, GW_OP2P_G_PAYLOAD, len);
    if (len == 0 || len > sizeof memory || len % 4 != 0)
        return;
    gw_op2p_swap(memory, payload, len);
    gw_walk_derive_bytes(w, gw_op2p_field(GW_OP2P_F_PAYLOAD_MEMORY), memory, (uint32_t)len, offset);
}

/* What follows the header: the bytes that belong to it, then those that do not. A PDU is whole
 * double words; what is left over is no field. */
static void walk_body(gw_walk *w, const gw_op2p_header *h, uint32_t start)
{
    size_t have = gw_cursor_left(&w->c);
    size_t sent = w->len - gw_cursor_offset(&w->c);
    size_t want = gw_op2p_has_payload(h) ? h->byte_count : 0;
    size_t whole = have - have % 4;

    if (want > 0)
        gw_walk_derive(w, gw_op2p_field(GW_OP2P_F_FIRST_ADDRESS),
                       (h->dst_addr & ~UINT32_C(3)) + gw_op2p_first_byte(h->fbe), start + 4);
    walk_payload(w, want < whole ? want : whole);
    if (want > whole) {
        gw_walk_missing(w, gw_op2p_field(GW_OP2P_F_PAYLOAD), (uint32_t)(want - whole));
        return;
    }
    report_string(w, GW_OP2P_G_EXCESS, whole - want);
    if (have < sent)
        gw_walk_missing(w, gw_op2p_field(GW_OP2P_F_EXCESS), (uint32_t)(sent - whole));
    else if (have > whole)
        stop(w, GW_MALFORMED, gw_cursor_offset(&w->c), GW_OP2P_F_UNDECODED);
}

static void walk_pdu(gw_walk *w)
{
    uint32_t start = gw_cursor_offset(&w->c);
    const uint8_t *at = w->c.p;

    if (!flat(w, GW_OP2P_G_HEADER))
        return;
    gw_op2p_header h = gw_op2p_get(at);
    switch (h.type) {
    case GW_OP2P_WRITE:
    case GW_OP2P_READ:
    case GW_OP2P_COMPLETION:
    case GW_OP2P_RETRANSMIT:
        walk_body(w, &h, start);
        return;
    default:
        stop(w, GW_UNSUPPORTED, start + 14, GW_OP2P_F_TYPE);
        return;
    }
}

/* After the eight bytes: a PDU, or nothing. */
static void walk_event(gw_walk *w, uint8_t version, uint8_t kind, int version_field, int kind_field)
{
    const gw_field *v = gw_op2p_field(version_field);
    const gw_field *k = gw_op2p_field(kind_field);

    if (version != 1)
        gw_walk_stop(w, GW_UNSUPPORTED, v->byte, v);
    else if (kind == GW_OP2P_KIND_PDU)
        walk_pdu(w);
    else if (kind > GW_OP2P_KIND_ERROR)
        gw_walk_stop(w, GW_UNSUPPORTED, k->byte, k);
    else if (gw_cursor_left(&w->c) > 0)
        stop(w, GW_MALFORMED, gw_cursor_offset(&w->c), GW_OP2P_F_UNDECODED);
}

gw_error gw_op2p_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink)
{
    gw_walk w = gw_walk_over(message, sink);
    const uint8_t *at = w.c.p;

    (void)dialect; /* the bits are the same */
    if (message->transport == GW_OVER_UDP && gw_op2p_is_tunnel(message->data, message->cap_len)) {
        if (flat(&w, GW_OP2P_G_SHIM))
            walk_event(&w, at[2], at[3], GW_OP2P_F_SHIM_VERSION, GW_OP2P_F_SHIM_KIND);
    } else if (message->part == GW_OP2P_EVENT) {
        if (flat(&w, GW_OP2P_G_EVENT))
            walk_event(&w, at[0], at[1], GW_OP2P_F_EVENT_VERSION, GW_OP2P_F_EVENT_KIND);
    } else {
        walk_pdu(&w);
    }
    gw_walk_rest(&w, gw_op2p_group(GW_OP2P_G_UNDECODED));
    return w.error;
}

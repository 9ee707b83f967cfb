/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a message: into a struct, and field by field. */
#include <string.h>

#include "op2p/internal.h"

static bool flat(gw_walk *w, int group)
{
    return gw_walk_flat(w, gw_op2p_group(group), 0);
}

static void stop(gw_walk *w, gw_error_kind kind, uint32_t offset, int field)
{
    gw_walk_stop(w, kind, offset, gw_op2p_field(field));
}

/* Reports |len| bytes of payload, and how they lie in memory. */
static void walk_payload(gw_walk *w, size_t len)
{
    uint8_t memory[GW_OP2P_PAYLOAD_MAX];
    uint32_t offset = gw_cursor_offset(&w->c);
    gw_cursor bytes = w->c;
    const uint8_t *payload;

    (void)gw_walk_string(w, gw_op2p_group(GW_OP2P_G_PAYLOAD), len);
    //@ split len;
    if (w->sink == NULL || len == 0 || len > sizeof memory || len % 4 != 0 ||
        !gw_cursor_bytes(&bytes, &payload, len))
        return;
    gw_op2p_swap(memory, payload, len);
    gw_walk_derive_bytes(w, gw_op2p_field(GW_OP2P_F_PAYLOAD_MEMORY), memory, (uint32_t)len, offset);
}

/* What follows the header: the bytes that belong to it, then those that do not. A PDU is whole
 * double words; what is left over is no field. */
static void walk_body(gw_walk *w, const gw_op2p_packet *out, uint32_t start)
{
    const gw_op2p_header *h = &out->header;
    size_t have = out->payload_len;
    size_t sent = out->payload_sent;
    size_t want = gw_op2p_has_payload(h) ? h->byte_count : 0;
    size_t whole = have / 4 * 4;
    size_t here = want < whole ? want : whole;

    //@ split here;
    if (want > 0)
        gw_walk_derive(w, gw_op2p_field(GW_OP2P_F_FIRST_ADDRESS),
                       (h->dst_addr & ~UINT32_C(3)) + gw_op2p_first_byte(h->fbe),
                       start + gw_op2p_field(GW_OP2P_F_DST_ADDR)->byte);
    walk_payload(w, here);
    if (want > whole) {
        gw_walk_missing(w, gw_op2p_field(GW_OP2P_F_PAYLOAD), (uint32_t)(want - whole));
        return;
    }
    (void)gw_walk_string(w, gw_op2p_group(GW_OP2P_G_EXCESS), whole - here);
    if (have < sent)
        gw_walk_missing(w, gw_op2p_field(GW_OP2P_F_EXCESS), (uint32_t)(sent - whole));
    else if (have > whole)
        stop(w, GW_MALFORMED, gw_cursor_offset(&w->c), GW_OP2P_F_UNDECODED);
}

static void walk_pdu(gw_walk *w, gw_op2p_packet *out)
{
    uint32_t start = gw_cursor_offset(&w->c);

    if (!flat(w, GW_OP2P_G_HEADER))
        return;
    out->has_header = true;
    out->header = gw_op2p_get(gw_walk_taken(w, gw_op2p_group(GW_OP2P_G_HEADER)));
    out->payload = w->c.p;
    out->payload_len = (uint32_t)gw_cursor_left(&w->c);
    out->payload_sent = w->len - gw_cursor_offset(&w->c);
    switch (out->header.type) {
    case GW_OP2P_WRITE:
    case GW_OP2P_READ:
    case GW_OP2P_COMPLETION:
    case GW_OP2P_RETRANSMIT:
        walk_body(w, out, start);
        return;
    default:
        stop(w, GW_UNSUPPORTED, start + gw_op2p_field(GW_OP2P_F_TYPE)->byte, GW_OP2P_F_TYPE);
        return;
    }
}

/* After the eight bytes: a PDU, or nothing. */
static void walk_event(gw_walk *w, gw_op2p_packet *out, int version_field, int kind_field)
{
    const gw_field *v = gw_op2p_field(version_field);
    const gw_field *k = gw_op2p_field(kind_field);

    out->has_shim = true;
    if (out->shim.version != 1)
        gw_walk_stop(w, GW_UNSUPPORTED, v->byte, v);
    else if (out->shim.kind == GW_OP2P_KIND_PDU)
        walk_pdu(w, out);
    else if (out->shim.kind > GW_OP2P_KIND_ERROR)
        gw_walk_stop(w, GW_UNSUPPORTED, k->byte, k);
    else if (gw_cursor_left(&w->c) > 0)
        stop(w, GW_MALFORMED, gw_cursor_offset(&w->c), GW_OP2P_F_UNDECODED);
    //@ split out->has_header;
}

/* The one reading of a message: into |out|, and field by field into |sink|, if there is one. */
static gw_error read_message(gw_op2p_packet *out, const gw_message *m, gw_sink *sink)
{
    gw_walk w = gw_walk_over(m, sink);

    memset(out, 0, sizeof *out);
    if (m->transport == GW_OVER_UDP && gw_op2p_is_tunnel(m->data, m->cap_len)) {
        if (flat(&w, GW_OP2P_G_SHIM)) {
            out->shim = gw_op2p_get_tunnel(gw_walk_taken(&w, gw_op2p_group(GW_OP2P_G_SHIM)));
            walk_event(&w, out, GW_OP2P_F_SHIM_VERSION, GW_OP2P_F_SHIM_KIND);
        }
    } else if (m->part == GW_OP2P_EVENT) {
        if (flat(&w, GW_OP2P_G_EVENT)) {
            out->shim = gw_op2p_get_event(gw_walk_taken(&w, gw_op2p_group(GW_OP2P_G_EVENT)));
            walk_event(&w, out, GW_OP2P_F_EVENT_VERSION, GW_OP2P_F_EVENT_KIND);
        }
    } else {
        walk_pdu(&w, out);
    }
    //@ split out->has_shim;
    gw_walk_rest(&w, gw_op2p_group(GW_OP2P_G_UNDECODED));
    return w.error;
}

gw_error gw_op2p_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink)
{
    gw_op2p_packet packet;

    (void)dialect; /* the bits are the same */
    return read_message(&packet, message, sink);
}

gw_error gw_op2p_decode(gw_op2p_packet *out, const gw_message *m)
{
    return read_message(out, m, NULL);
}

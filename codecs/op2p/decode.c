/* SPDX-License-Identifier: BSD-2-Clause */
/* Between bytes and structs. */
#include <string.h>

#include "goldwire/writer.h"
#include "op2p/internal.h"

bool gw_op2p_has_payload(const gw_op2p_header *h)
{
    return h->type == GW_OP2P_WRITE || (h->type == GW_OP2P_COMPLETION && h->status == 0);
}

gw_op2p_header gw_op2p_get(const uint8_t in[GW_OP2P_HEADER])
{
    gw_op2p_header h = {
        .src_id = gw_load_be16(in),
        .dst_id = gw_load_be16(in + 2),
        .dst_addr = gw_load_be32(in + 4),
        .src_addr = gw_load_be32(in + 8),
        .byte_count = gw_load_be16(in + 12),
        .type = in[14] >> 4,
        .status = in[14] & 15,
        .fbe = in[15] >> 4,
        .rfu = in[15] & 15,
    };
    return h;
}

void gw_op2p_put(uint8_t out[GW_OP2P_HEADER], const gw_op2p_header *h)
{
    gw_store_be(out, h->src_id, 2);
    gw_store_be(out + 2, h->dst_id, 2);
    gw_store_be(out + 4, h->dst_addr, 4);
    gw_store_be(out + 8, h->src_addr, 4);
    gw_store_be(out + 12, h->byte_count, 2);
    out[14] = (uint8_t)(h->type << 4 | (h->status & 15));
    out[15] = (uint8_t)(h->fbe << 4 | (h->rfu & 15));
}

void gw_op2p_put_tunnel(uint8_t out[GW_OP2P_SHIM], const gw_op2p_shim *s)
{
    out[0] = 'O';
    out[1] = '2';
    out[2] = s->version;
    out[3] = s->kind;
    out[4] = s->flags;
    out[5] = s->code;
    gw_store_be(out + 6, s->sequence, 2);
}

void gw_op2p_put_event(uint8_t out[GW_OP2P_SHIM], const gw_op2p_shim *s)
{
    out[0] = s->version;
    out[1] = s->kind;
    out[2] = s->flags;
    out[3] = s->code;
    gw_store_be(out + 4, s->port, 2);
    gw_store_be(out + 6, s->beat, 2);
}

bool gw_op2p_is_tunnel(const uint8_t *data, size_t len)
{
    return len >= 3 && data[0] == 'O' && data[1] == '2' && data[2] == 1;
}

static gw_op2p_shim get_tunnel(const uint8_t *p)
{
    gw_op2p_shim s = {.version = p[2],
                      .kind = p[3],
                      .flags = p[4],
                      .code = p[5],
                      .sequence = gw_load_be16(p + 6),
                      .beat = 0xffff};
    return s;
}

static gw_op2p_shim get_event(const uint8_t *p)
{
    gw_op2p_shim s = {.version = p[0],
                      .kind = p[1],
                      .flags = p[2],
                      .code = p[3],
                      .port = gw_load_be16(p + 4),
                      .beat = gw_load_be16(p + 6)};
    return s;
}

/* Datagrams that overtake each other are this close. */
#define LATE 64

bool gw_op2p_in_order(gw_op2p_order *order, uint16_t sequence)
{
    uint16_t behind = (uint16_t)(order->last - sequence);
    bool first = !order->heard;

    order->heard = true;
    order->counts = order->counts || (!first && behind != 0);
    if (!first && order->counts && behind < LATE && (sequence != 0 || behind == 0)) {
        order->seen |= UINT64_C(1) << behind;
        return false;
    }
    uint16_t ahead = (uint16_t)(sequence - order->last);
    order->seen = !first && ahead < LATE ? order->seen << ahead | 1 : 1;
    order->last = sequence;
    return true;
}

bool gw_op2p_repeated(const gw_op2p_order *order, uint16_t sequence)
{
    uint16_t behind = (uint16_t)(order->last - sequence);
    bool anew = sequence == 0 && behind != 0;
    return order->counts && !anew && behind < LATE && (order->seen >> behind & 1) != 0;
}

/* What the walk stops at; a test holds the two to one answer. */
static void ignore(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    (void)item;
}

gw_error gw_op2p_decode(gw_op2p_packet *out, const gw_message *m)
{
    gw_cursor c = gw_cursor_over(m->data, m->cap_len);
    gw_sink nobody = {.item = ignore};
    const uint8_t *p;

    memset(out, 0, sizeof *out);
    gw_error error = gw_op2p_walk(m, NULL, &nobody);
    bool tunnel = m->transport == GW_OVER_UDP && gw_op2p_is_tunnel(m->data, m->cap_len);
    if (tunnel || m->part == GW_OP2P_EVENT) {
        if (!gw_cursor_bytes(&c, &p, GW_OP2P_SHIM))
            return error;
        out->has_shim = true;
        out->shim = tunnel ? get_tunnel(p) : get_event(p);
        if (out->shim.version != 1 || out->shim.kind != GW_OP2P_KIND_PDU)
            return error;
    }
    if (!gw_cursor_bytes(&c, &p, GW_OP2P_HEADER))
        return error;
    out->has_header = true;
    out->header = gw_op2p_get(p);
    out->payload = c.p;
    out->payload_len = (uint32_t)gw_cursor_left(&c);
    out->payload_sent = m->len > gw_cursor_offset(&c) ? m->len - gw_cursor_offset(&c) : 0;
    return error;
}

bool gw_op2p_fbe_known(uint8_t fbe)
{
    return (0x911e >> fbe & 1) != 0; /* 1, 2, 3, 4, 8, 12, 15 */
}

unsigned gw_op2p_first_byte(uint8_t fbe)
{
    switch (fbe) {
    case 2:
        return 1;
    case 4:
    case 12:
        return 2;
    case 8:
        return 3;
    default:
        return 0;
    }
}

void gw_op2p_swap(uint8_t *out, const uint8_t *in, size_t len)
{
    size_t i = 0;

    for (; i + 4 <= len; i += 4)
        gw_store_le(out + i, gw_load_be32(in + i), 4);
    if (out != in && i < len)
        memcpy(out + i, in + i, len - i);
}

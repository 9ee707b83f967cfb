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
        .src_id = GET(in, SRC_ID),
        .dst_id = GET(in, DST_ID),
        .dst_addr = GET(in, DST_ADDR),
        .src_addr = GET(in, SRC_ADDR),
        .byte_count = GET(in, BYTE_COUNT),
        .type = GET(in, TYPE),
        .status = GET(in, STATUS),
        .fbe = GET(in, FBE),
        .rfu = GET(in, RFU),
    };
    return h;
}

void gw_op2p_put(uint8_t out[GW_OP2P_HEADER], const gw_op2p_header *h)
{
    memset(out, 0, GW_OP2P_HEADER);
    PUT(out, SRC_ID, h->src_id);
    PUT(out, DST_ID, h->dst_id);
    PUT(out, DST_ADDR, h->dst_addr);
    PUT(out, SRC_ADDR, h->src_addr);
    PUT(out, BYTE_COUNT, h->byte_count);
    PUT(out, TYPE, h->type);
    PUT(out, STATUS, h->status);
    PUT(out, FBE, h->fbe);
    PUT(out, RFU, h->rfu);
}

void gw_op2p_put_tunnel(uint8_t out[GW_OP2P_SHIM], const gw_op2p_shim *s)
{
    memset(out, 0, GW_OP2P_SHIM);
    PUT(out, MAGIC, GW_OP2P_MAGIC);
    PUT(out, SHIM_VERSION, s->version);
    PUT(out, SHIM_KIND, s->kind);
    PUT(out, SHIM_FLAGS, s->flags);
    PUT(out, SHIM_CODE, s->code);
    PUT(out, SEQUENCE, s->sequence);
}

void gw_op2p_put_event(uint8_t out[GW_OP2P_SHIM], const gw_op2p_shim *s)
{
    memset(out, 0, GW_OP2P_SHIM);
    PUT(out, EVENT_VERSION, s->version);
    PUT(out, EVENT_KIND, s->kind);
    PUT(out, EVENT_FLAGS, s->flags);
    PUT(out, EVENT_CODE, s->code);
    PUT(out, EVENT_PORT, s->port);
    PUT(out, EVENT_BEAT, s->beat);
}

bool gw_op2p_is_tunnel(const uint8_t *data, size_t len)
{
    gw_cursor c = gw_cursor_over(data, len);
    const uint8_t *p;

    return gw_cursor_bytes(&c, &p, 3) && GET(p, MAGIC) == GW_OP2P_MAGIC &&
           GET(p, SHIM_VERSION) == 1;
}

gw_op2p_shim gw_op2p_get_tunnel(const uint8_t *p)
{
    gw_op2p_shim s = {.version = GET(p, SHIM_VERSION),
                      .kind = GET(p, SHIM_KIND),
                      .flags = GET(p, SHIM_FLAGS),
                      .code = GET(p, SHIM_CODE),
                      .sequence = GET(p, SEQUENCE),
                      .beat = 0xffff};
    return s;
}

gw_op2p_shim gw_op2p_get_event(const uint8_t *p)
{
    gw_op2p_shim s = {.version = GET(p, EVENT_VERSION),
                      .kind = GET(p, EVENT_KIND),
                      .flags = GET(p, EVENT_FLAGS),
                      .code = GET(p, EVENT_CODE),
                      .port = GET(p, EVENT_PORT),
                      .beat = GET(p, EVENT_BEAT)};
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

bool gw_op2p_may_repeat(const gw_op2p_order *order, uint16_t sequence)
{
    uint16_t behind = (uint16_t)(order->last - sequence);
    return order->heard && behind < LATE && (order->seen >> behind & 1) != 0;
}

bool gw_op2p_repeated(const gw_op2p_order *order, uint16_t sequence)
{
    bool anew = sequence == 0 && order->last != 0;
    return order->counts && !anew && gw_op2p_may_repeat(order, sequence);
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
    if (i < len && out != in)
        memcpy(out + i, in + i, len - i);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The payload as memory holds it, however the message shows it. */
#include <string.h>

#include "textarossa/internal.h"

typedef struct collector {
    gw_sink sink;
    uint8_t *out;
    size_t from; /* bytes still to be passed over */
    size_t cap;
    size_t len;
} collector;

static void collect(gw_sink *sink, const gw_item *item)
{
    collector *c = (collector *)sink;

    if (item->field != gw_tx_field(GW_TX_F_PAYLOAD))
        return;
    size_t len = item->bits / 8;
    size_t skip = c->from < len ? c->from : len;
    size_t take = len - skip < c->cap - c->len ? len - skip : c->cap - c->len;
    c->from -= skip;
    if (take > 0)
        memcpy(c->out + c->len, item->bytes + skip, take);
    c->len += take;
}

/* Words that are interrupted: the walk knows between which beats they stand. */
static size_t copy_stuffed(const gw_tx_packet *p, size_t from, uint8_t *out, size_t cap)
{
    collector c = {.sink = {.item = collect}, .out = out, .from = from, .cap = cap};
    gw_tx_packet again;

    gw_tx_scan s = gw_tx_scan_over(&again, &p->message, p->dialect, &c.sink);
    gw_tx_scan_link(&s);
    return c.len;
}

size_t gw_tx_copy_payload_from(const gw_tx_packet *packet, size_t from, uint8_t *out, size_t cap)
{
    if (from >= packet->payload_len)
        return 0;
    if (packet->message.part == GW_TX_PART_LINK && packet->num_credits > 0)
        return copy_stuffed(packet, from, out, cap);

    const uint8_t *in = packet->message.data + packet->payload_offset;
    size_t len = packet->payload_len - from < cap ? packet->payload_len - from : cap;
    unsigned swizzle = gw_tx_swizzle(packet->word_bytes, (gw_tx_order)packet->order);
    if (swizzle == 0 || packet->is_exact) {
        if (len > 0)
            memcpy(out, in + from, len);
        return len;
    }
    for (size_t i = 0; i < len; i++) /* words begin at multiples of their length */
        out[i] = in[(from + i) ^ swizzle];
    return len;
}

size_t gw_tx_copy_payload(const gw_tx_packet *packet, uint8_t *out, size_t cap)
{
    return gw_tx_copy_payload_from(packet, 0, out, cap);
}

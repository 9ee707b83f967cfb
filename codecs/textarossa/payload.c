/* SPDX-License-Identifier: BSD-2-Clause */
/* The payload as memory holds it, however the message shows it. */
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "textarossa/internal.h"

typedef struct collector {
    gw_sink sink;
    gw_writer out;
    size_t from; /* bytes still to be passed over */
} collector;

static void collect(gw_sink *sink, const gw_item *item)
{
    collector *c = (collector *)sink;

    if (item->field != gw_tx_field(GW_TX_F_PAYLOAD))
        return;
    size_t skip = c->from < item->bits / 8 ? c->from : item->bits / 8;
    //@ split skip;
    size_t take = item->bits / 8 - skip;
    size_t fits = c->out.cap - c->out.len;

    c->from -= skip;
    if (take > fits)
        take = fits;
    gw_write_bytes(&c->out, item->bytes + skip, take);
}

/* Words that are interrupted: the walk knows between which beats they stand. A prover does not know
 * that it finds all |len| bytes again. */
static size_t copy_stuffed(const gw_tx_packet *p, size_t from, uint8_t *out, size_t len)
{
    collector c = {.sink = {.item = collect}, .out = gw_writer_over(out, len), .from = from};
    gw_tx_packet again;

    memset(out, 0, len);
    gw_tx_scan s = gw_tx_scan_over(&again, &p->message, p->dialect, &c.sink);
    gw_tx_scan_link(&s);
    return c.out.len;
}

bool gw_tx_take_payload(const gw_tx_packet *packet, size_t from, uint8_t *out, size_t len)
{
    //@ slevel 3000;
    gw_cursor in = gw_cursor_over(packet->message.data, packet->message.cap_len);
    const uint8_t *bytes;
    unsigned word = packet->word_bytes;
    unsigned swizzle = packet->is_exact ? 0 : gw_tx_swizzle(word, (gw_tx_order)packet->order);
    size_t in_word = swizzle == 0 ? 0 : from % word;

    //@ split len;
    if (packet->message.part == GW_TX_PART_LINK && packet->num_credits > 0)
        return copy_stuffed(packet, from, out, len) == len;
    if (!gw_cursor_skip(&in, packet->payload_offset) || !gw_cursor_skip(&in, from - in_word))
        return false;
    if (swizzle == 0) {
        if (!gw_cursor_bytes(&in, &bytes, len))
            return false;
        if (len > 0)
            memcpy(out, bytes, len);
        return true;
    }
    //@ split in_word;
    if (!gw_cursor_bytes(&in, &bytes, (in_word + len + word - 1) / word * word))
        return false;
    for (size_t i = 0; i < len; i++) /* words begin at multiples of their length */
        out[i] = bytes[(in_word + i) ^ swizzle];
    return true;
}

size_t gw_tx_copy_payload_from(const gw_tx_packet *packet, size_t from, uint8_t *out, size_t cap)
{
    if (from >= packet->payload_len)
        return 0;

    size_t len = packet->payload_len - from;

    if (len > cap)
        len = cap;
    return gw_tx_take_payload(packet, from, out, len) ? len : 0;
}

size_t gw_tx_copy_payload(const gw_tx_packet *packet, uint8_t *out, size_t cap)
{
    return gw_tx_copy_payload_from(packet, 0, out, cap);
}

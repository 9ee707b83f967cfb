/* SPDX-License-Identifier: BSD-2-Clause */
/* From structs to bytes: what cannot be wrong is computed. */
#include <string.h>

#include "goldwire/writer.h"
#include "textarossa/internal.h"

static void put_word(gw_writer *w, gw_tx_word word, unsigned word_bytes, gw_tx_order order)
{
    uint8_t bytes[GW_TX_WIDE_WORD];

    gw_tx_store(bytes, word_bytes, order, word);
    gw_write_bytes(w, bytes, word_bytes);
}

static void put_payload(gw_writer *w, const gw_tx_draft *draft, unsigned word_bytes,
                        gw_tx_order order)
{
    const uint8_t *in = draft->payload;
    unsigned swizzle = gw_tx_swizzle(word_bytes, order);

    for (size_t at = 0; at < draft->payload_len; at += word_bytes) {
        uint8_t word[GW_TX_WIDE_WORD] = {0};
        for (size_t k = 0; k < word_bytes && at + k < draft->payload_len; k++)
            word[k ^ swizzle] = in[at + k];
        gw_write_bytes(w, word, word_bytes);
    }
}

static void put_packet(gw_writer *w, const gw_tx_draft *draft, gw_tx_layout layout,
                       unsigned word_bytes, gw_tx_order order)
{
    gw_tx_header h = draft->header;
    bool header_only = gw_tx_header_only(&h);

    if (!header_only)
        h.packet_size = (uint16_t)draft->payload_len;
    if (draft->edac)
        h.edac = (uint8_t)GET(gw_tx_protect(gw_tx_pack(&h, GW_TX_PORT)), EDAC);
    put_word(w, gw_tx_pack(&h, layout), word_bytes, order);
    if (header_only)
        return;
    put_payload(w, draft, word_bytes, order);
    put_word(w, draft->footer, word_bytes, order);
}

size_t gw_tx_build(uint8_t *out, size_t cap, const gw_tx_draft *draft, const gw_dialect *dialect)
{
    const gw_tx_dialect *d = gw_tx_dialect_of(dialect);
    gw_tx_order order = d->order == GW_TX_ORDER_DETECT ? GW_TX_ORDER_A : (gw_tx_order)d->order;
    gw_writer w = gw_writer_over(out, cap);

    if (draft->payload_len > GW_TX_SIZE_MAX)
        return 0;
    put_packet(&w, draft, (gw_tx_layout)d->layout, d->word_bytes, order);
    return w.full ? 0 : w.len;
}

size_t gw_tx_build_run(uint8_t *out, size_t cap, const gw_tx_draft *draft,
                       const gw_dialect *dialect)
{
    static const uint64_t control[] = {GW_TX_MAGIC, GW_TX_START};
    const gw_tx_dialect *d = gw_tx_dialect_of(dialect);
    gw_writer w = gw_writer_over(out, cap);

    if (draft->payload_len > GW_TX_SIZE_MAX)
        return 0;
    for (size_t i = 0; i < GW_ARRAY_LEN(control); i++) {
        for (unsigned at = 0; at < d->word_bytes; at += 8)
            gw_write_le(&w, control[i], 8);
    }
    put_packet(&w, draft, GW_TX_PORT, d->word_bytes, GW_TX_ORDER_A);
    return w.full ? 0 : w.len;
}

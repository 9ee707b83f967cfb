/* SPDX-License-Identifier: BSD-2-Clause */
/* A packet as a datagram: header, payload words, footer. */
#include <string.h>

#include "formats/textarossa/board.h"

/* What the sender left out behind the last byte is zero. */
void gw_tx_put_payload(gw_tx_fifo *f, const gw_tx_packet *p)
{
    uint8_t bytes[GW_TX_WORD];

    for (size_t at = 0; at < p->header.packet_size; at += GW_TX_WORD) {
        memset(bytes, 0, sizeof(bytes));
        (void)gw_tx_copy_payload_from(p, at, bytes, sizeof(bytes));
        (void)gw_tx_fifo_put(f, gw_tx_load(bytes, GW_TX_WORD, GW_TX_ORDER_A));
    }
}

/* A datagram whose length is not what its header says is none of ours. */
bool gw_tx_read_packet(gw_tx_incoming *in)
{
    const gw_tx_packet *p = &in->p;
    gw_error error = gw_tx_decode(&in->p, &in->message, in->dialect);

    return p->has_header && error.kind == GW_OK && (p->has_footer || gw_tx_header_only(&p->header));
}

bool gw_tx_packet_in(gw_tx_board *b, gw_tx_pair *to, const gw_peer_event *event)
{
    gw_tx_incoming in = {.b = b,
                         .here = event->here,
                         .to = to,
                         .message = gw_message_of(event->data, event->len),
                         .dialect = b->dialect};
    const gw_tx_packet *p = &in.p;

    in.message.transport = GW_OVER_UDP;
    if (!gw_tx_mutant_read(&in))
        return false;
    bool alone = gw_tx_header_only(&p->header);
    uint32_t words = alone ? 0 : gw_tx_words(p->header.packet_size, GW_TX_WORD);
    if (!gw_tx_pair_has(to, words))
        return false;
    gw_tx_header h = p->header;
    h.edac = 0; /* side band in datagrams, nothing a router should see */
    (void)gw_tx_fifo_put(&to->header, gw_tx_pack(&h, GW_TX_PORT));
    if (!alone) {
        gw_tx_put_payload(&to->data, p);
        gw_tx_word footer = p->has_footer ? p->footer : (gw_tx_word){0, 0};
        (void)gw_tx_fifo_put(&to->header, footer);
    }
    gw_tx_pair_commit(to);
    return true;
}

size_t gw_tx_packet_out(gw_tx_board *b, const gw_tx_head *h)
{
    uint8_t payload[(GW_TX_DATA_DEPTH + 1) * GW_TX_WORD];
    gw_tx_outgoing out = {
        .b = b, .h = h, .header = h->header, .payload = payload, .dialect = b->dialect};
    gw_tx_draft draft = {.edac = false};

    memset(payload + (size_t)GW_TX_WORD * h->words, 0, GW_TX_WORD);
    for (uint32_t i = 0; i < h->words; i++)
        gw_tx_store(payload + (size_t)GW_TX_WORD * i, GW_TX_WORD, GW_TX_ORDER_A,
                    gw_tx_fifo_take(&h->from->data));
    gw_tx_mutant_out(&out);
    draft.header = out.header;
    if (!h->alone) {
        draft.footer = gw_tx_fifo_take(&h->from->header);
        draft.payload = payload;
        draft.payload_len = h->header.packet_size;
    }
    return gw_tx_build(b->packet, sizeof(b->packet), &draft, out.dialect) - out.cut;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* A packet as a datagram: header, payload words, footer. */
#include <string.h>

#include "formats/textarossa/board.h"

/* The payload of |p| as words; what the sender left out behind its last byte is zero. */
static void put_payload(gw_tx_fifo *f, const gw_tx_packet *p)
{
    uint8_t bytes[GW_TX_WORD];

    for (size_t at = 0; at < p->header.packet_size; at += GW_TX_WORD) {
        memset(bytes, 0, sizeof(bytes));
        (void)gw_tx_copy_payload_from(p, at, bytes, sizeof(bytes));
        (void)gw_tx_fifo_put(f, gw_tx_load(bytes, GW_TX_WORD, GW_TX_ORDER_A));
    }
}

/* A datagram whose length is not what its header says is none of ours (TX-N14). */
static bool fits(const gw_tx_board *b, gw_error error, const gw_tx_packet *p)
{
    if (!p->has_header)
        return false;
    if (gw_tx_faulty(b, TX_FAULT_TAKES_INCONSISTENT))
        return true;
    return error.kind == GW_OK && (p->has_footer || gw_tx_header_only(&p->header));
}

/* A mutant's: what came of the payload stays behind, without a header; nothing does of one that no
 * datagram holds, as of words in another order. */
static void leave_words(gw_tx_pair *to, const gw_tx_packet *p)
{
    if (p->header.packet_size > GW_TX_UDP_LIMIT ||
        !gw_tx_pair_has(to, gw_tx_words(p->header.packet_size, GW_TX_WORD)))
        return;
    put_payload(&to->data, p);
    gw_tx_pair_commit(to);
}

bool gw_tx_packet_in(gw_tx_board *b, gw_tx_pair *to, const uint8_t *data, size_t len)
{
    gw_message message = gw_message_of(data, len);
    gw_tx_packet p;

    message.transport = GW_OVER_UDP;
    gw_error error = gw_tx_decode(&p, &message, b->dialect);
    if (!fits(b, error, &p) && b->is_node && gw_tx_faulty(b, TX_FAULT_READS_HLS_TOO))
        error = gw_tx_decode(&p, &message, gw_dialect_by_name(&gw_textarossa, "hls"));
    if (!fits(b, error, &p)) {
        if (p.has_header && gw_tx_faulty(b, TX_FAULT_LEAVES_WORDS))
            leave_words(to, &p);
        return false;
    }
    bool alone = gw_tx_header_only(&p.header);
    uint32_t words = alone ? 0 : gw_tx_words(p.header.packet_size, GW_TX_WORD);
    if (!gw_tx_pair_has(to, words))
        return false;
    gw_tx_header h = p.header;
    h.edac = 0; /* side band in datagrams, nothing a router should see */
    (void)gw_tx_fifo_put(&to->header, gw_tx_pack(&h, GW_TX_PORT));
    if (!alone) {
        put_payload(&to->data, &p);
        gw_tx_word footer = p.has_footer ? p.footer : (gw_tx_word){0, 0};
        (void)gw_tx_fifo_put(&to->header, footer);
    }
    gw_tx_pair_commit(to);
    return true;
}

static void swap_bytes(uint8_t *word)
{
    for (unsigned i = 0; i < GW_TX_WORD / 2; i++) {
        uint8_t byte = word[i];
        word[i] = word[GW_TX_WORD - 1 - i];
        word[GW_TX_WORD - 1 - i] = byte;
    }
}

size_t gw_tx_packet_out(gw_tx_board *b, const gw_tx_head *h, const gw_dialect *dialect)
{
    uint8_t payload[(GW_TX_DATA_DEPTH + 1) * GW_TX_WORD];
    gw_tx_draft draft = {.header = h->header};

    memset(payload + (size_t)GW_TX_WORD * h->words, 0, GW_TX_WORD);
    for (uint32_t i = 0; i < h->words; i++) {
        gw_tx_store(payload + (size_t)GW_TX_WORD * i, GW_TX_WORD, GW_TX_ORDER_A,
                    gw_tx_fifo_take(&h->from->data));
        if (gw_tx_faulty(b, TX_FAULT_BYTES_SWAPPED))
            swap_bytes(payload + (size_t)GW_TX_WORD * i);
    }
    if (!h->alone) {
        draft.footer = gw_tx_fifo_take(&h->from->header);
        draft.payload = payload;
        draft.payload_len = h->header.packet_size;
    }
    size_t len = gw_tx_build(b->packet, sizeof(b->packet), &draft, dialect);
    if (gw_tx_faulty(b, TX_FAULT_NO_FOOTER) && !h->alone)
        len -= gw_tx_dialect_of(dialect)->word_bytes;
    return len;
}

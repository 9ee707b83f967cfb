/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do in a node's tasks. */
#include "formats/textarossa/mutants/mutants.h"

void gw_tx_m_hops_left_over(gw_tx_board *b, const gw_tx_header *header, gw_tx_header *back)
{
    (void)b;
    back->num_of_hops = header->num_of_hops;
}

void gw_tx_m_padding_counts(gw_tx_board *b, const gw_tx_header *header, gw_tx_header *back)
{
    (void)b;
    back->packet_size = (uint16_t)(gw_tx_words(header->packet_size, GW_TX_WORD) * GW_TX_WORD);
}

void gw_tx_m_type_stays(gw_tx_board *b, const gw_tx_header *header, gw_tx_header *back)
{
    back->packet_type = b->kept.type & 0xf;
    b->kept.type = header->packet_type;
}

void gw_tx_m_address_kept(gw_tx_board *b, const gw_tx_header *header, gw_tx_header *back)
{
    (void)header;
    if (b->kept.address != 0)
        back->dest_addr = b->kept.address;
}

static gw_tx_header first_of(const gw_tx_intra *p)
{
    return gw_tx_unpack(gw_tx_fifo_at(&p->rx.header, 0), GW_TX_PORT);
}

/* Waits for a footer that a header alone does not have, and takes what comes for it. */
bool gw_tx_m_header_alone_eats(gw_tx_board *b, gw_tx_intra *p)
{
    gw_tx_fifo *f = &p->rx.header;
    gw_tx_header h = first_of(p);

    (void)b;
    if (f->ready < 2)
        return false;
    if (gw_tx_header_only(&h) && !p->consumes) {
        gw_tx_word header = gw_tx_fifo_take(f);
        f->words[f->first] = header;
    }
    return true;
}

/* Waits for the last word of a payload that has none. */
bool gw_tx_m_size_zero_stalls(gw_tx_board *b, gw_tx_intra *p)
{
    gw_tx_header h = first_of(p);

    (void)b;
    return h.packet_size > 0 || gw_tx_header_only(&h);
}

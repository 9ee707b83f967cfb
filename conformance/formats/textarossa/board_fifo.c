/* SPDX-License-Identifier: BSD-2-Clause */
/* The word FIFOs of ports and links (rtl: 128 words for headers and footers, 512 for payload). */
#include "formats/textarossa/board.h"

void gw_tx_fifo_init(gw_tx_fifo *f, uint16_t depth)
{
    f->depth = depth;
    f->first = f->count = f->ready = 0;
    f->reads = f->writes = 0;
}

void gw_tx_pair_init(gw_tx_pair *p)
{
    gw_tx_fifo_init(&p->header, GW_TX_HEADER_DEPTH);
    gw_tx_fifo_init(&p->data, GW_TX_DATA_DEPTH);
}

bool gw_tx_fifo_put(gw_tx_fifo *f, gw_tx_word word)
{
    if (f->count == f->depth)
        return false;
    f->words[(f->first + f->count++) % f->depth] = word;
    f->writes++;
    return true;
}

gw_tx_word gw_tx_fifo_at(const gw_tx_fifo *f, unsigned i)
{
    return f->words[(f->first + i) % f->depth];
}

gw_tx_word gw_tx_fifo_take(gw_tx_fifo *f)
{
    gw_tx_word word = gw_tx_fifo_at(f, 0);

    f->first = (uint16_t)((f->first + 1) % f->depth);
    f->count--;
    f->ready--;
    f->reads++;
    return word;
}

void gw_tx_pair_commit(gw_tx_pair *p)
{
    p->header.ready = p->header.count;
    p->data.ready = p->data.count;
}

void gw_tx_pair_abort(gw_tx_pair *p)
{
    p->header.writes -= (uint32_t)(p->header.count - p->header.ready);
    p->data.writes -= (uint32_t)(p->data.count - p->data.ready);
    p->header.count = p->header.ready;
    p->data.count = p->data.ready;
}

bool gw_tx_pair_has(const gw_tx_pair *p, uint32_t words)
{
    return p->header.depth - p->header.count >= 2 &&
           (uint32_t)(p->data.depth - p->data.count) >= words;
}

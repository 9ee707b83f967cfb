/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the boards call their mutants. */
#include "formats/textarossa/mutants/mutants.h"

static uint32_t patched(gw_tx_patch patch, uint32_t value)
{
    return (value & ~patch.clear) ^ patch.flip;
}

void gw_tx_mutant_reset(gw_tx_board *b)
{
    gw_tx_patch patch = b->mutation->reset_patch;

    b->values[patch.at / 4] = patched(patch, b->values[patch.at / 4]);
}

bool gw_tx_mutant_write(void *board, uint32_t address, uint32_t value)
{
    gw_tx_board *b = board;
    const gw_tx_mutation *m = b->mutation;

    if (address == m->write_patch.at)
        value = patched(m->write_patch, value);
    if (m->write == NULL)
        return gw_tx_write_register(b, address, value);
    m->write(b, address, value);
    return true;
}

void gw_tx_mutant_beat(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    (b->mutation->beat != NULL ? b->mutation->beat : gw_tx_take_beat)(b, l, word);
}

bool gw_tx_mutant_interrupts(const gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    gw_tx_interrupts_filter *filter = b->mutation->interrupts;

    return filter != NULL ? filter(l, word) : gw_tx_is_magic(word);
}

void gw_tx_mutant_credit(const gw_tx_board *b, const gw_tx_link *l, gw_tx_word *credit)
{
    if (b->mutation->credit != NULL)
        b->mutation->credit(l, credit);
}

void gw_tx_mutant_hop(const gw_tx_board *b, gw_tx_way *way)
{
    const gw_tx_mutation *m = b->mutation;
    uint8_t *byte = (uint8_t *)&way->hop.header + m->hop_patch.at;

    *byte = (uint8_t)patched(m->hop_patch, *byte);
    if (m->hop != NULL)
        m->hop(way);
}

void gw_tx_mutant_move(gw_tx_board *b, const gw_tx_head *h)
{
    (b->mutation->move != NULL ? b->mutation->move : gw_tx_move)(b, h);
}

bool gw_tx_mutant_read(gw_tx_incoming *in)
{
    gw_tx_read_filter *filter = in->b->mutation->read;

    return (filter != NULL ? filter : gw_tx_read_packet)(in);
}

void gw_tx_mutant_out(gw_tx_outgoing *out)
{
    if (out->b->mutation->out != NULL)
        out->b->mutation->out(out);
}

void gw_tx_mutant_back(gw_tx_board *b, const gw_tx_header *header, gw_tx_header *back)
{
    if (b->mutation->back != NULL)
        b->mutation->back(b, header, back);
}

bool gw_tx_mutant_due(gw_tx_board *b, gw_tx_intra *p)
{
    return b->mutation->due == NULL || b->mutation->due(b, p);
}

void gw_tx_mutant_send(gw_tx_board *b, unsigned port, size_t len)
{
    (b->mutation->send != NULL ? b->mutation->send : gw_tx_send_datagram)(b, port, len);
}

int64_t gw_tx_mutant_end(gw_tx_board *b)
{
    gw_tx_m_release(b);
    return b->kept.due_ns != 0 ? b->kept.due_ns : GW_PEER_NEVER;
}

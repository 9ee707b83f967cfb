/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the boards call their mutants. */
#include "formats/textarossa/board.h"

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

uint32_t gw_tx_mutant_room(const gw_tx_board *b, uint32_t threshold, uint32_t taken)
{
    if (b->mutation->room != NULL)
        return b->mutation->room(threshold, taken);
    return threshold > taken ? threshold - taken : 0;
}

void gw_tx_mutant_move(gw_tx_board *b, const gw_tx_head *h)
{
    (b->mutation->move != NULL ? b->mutation->move : gw_tx_move)(b, h);
}

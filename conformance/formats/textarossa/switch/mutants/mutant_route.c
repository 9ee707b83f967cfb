/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to packets on their way through a switch. */
#include "formats/textarossa/switch/mutants/mutants.h"

void gw_tx_m_footer_changed(gw_tx_board *b, const gw_tx_head *h)
{
    gw_tx_fifo *f = &h->from->header;

    if (!h->alone)
        f->words[(f->first + 1) % f->depth].lo &= ~UINT64_C(1);
    gw_tx_move(b, h);
}

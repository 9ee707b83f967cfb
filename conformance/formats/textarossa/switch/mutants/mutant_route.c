/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to packets on their way through a switch. */
#include <string.h>

#include "formats/textarossa/mutants/mutants.h"

/* ---- where to ---- */

void gw_tx_m_always_plus(gw_tx_way *way)
{
    if (way->hop.exit == GW_TX_EXIT_X_MINUS)
        way->hop.exit = GW_TX_EXIT_X_PLUS;
}

void gw_tx_m_tie_to_minus(gw_tx_way *way)
{
    const gw_tx_torus *t = &way->torus;
    unsigned apart = (unsigned)t->size_x + way->header->dest_x - t->me_x;

    if (way->hop.exit == GW_TX_EXIT_X_PLUS && 2 * (apart % t->size_x) == t->size_x)
        way->hop.exit = GW_TX_EXIT_X_MINUS;
}

void gw_tx_m_bounce_unmarked(gw_tx_way *way)
{
    if (way->hop.exit == GW_TX_EXIT_LOCAL)
        way->hop.header.out_of_lattice = 0;
}

void gw_tx_m_channel_kept(gw_tx_way *way)
{
    if (way->hop.exit == GW_TX_EXIT_LOCAL)
        way->hop.header.virt_chan = way->header->virt_chan;
}

void gw_tx_m_channel_through(gw_tx_way *way)
{
    uint8_t virt_chan = way->header->virt_chan;

    if (way->is_injected && (virt_chan & 0xf) >= GW_TX_NUM_VCS && way->hop.exit != GW_TX_EXIT_LOCAL)
        way->hop.header.virt_chan = virt_chan;
}

/* ---- going ---- */

void gw_tx_m_footer_changed(gw_tx_board *b, const gw_tx_head *h)
{
    gw_tx_fifo *f = &h->from->header;

    if (!h->alone)
        f->words[(f->first + 1) % f->depth].lo &= ~UINT64_C(1);
    gw_tx_move(b, h);
}

/* Of two packets the later one goes first. */
void gw_tx_m_reorders(gw_tx_board *b, unsigned port, size_t len)
{
    gw_tx_kept *kept = &b->kept;

    if (kept->held_len > 0) {
        gw_tx_send_datagram(b, port, len);
        gw_tx_m_release(b);
        return;
    }
    memcpy(kept->held, b->packet, len);
    kept->held_len = (uint16_t)len;
    kept->held_port = (uint8_t)port;
}

void gw_tx_m_overtakes(gw_tx_board *b, unsigned port, size_t len)
{
    bool second = b->kept.held_len > 0;

    (second || b->kept.has_dropped ? gw_tx_m_reorders : gw_tx_send_datagram)(b, port, len);
    b->kept.has_dropped = b->kept.has_dropped && second;
}

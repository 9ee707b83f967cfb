/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants make of the registers that a host writes. */
#include "formats/textarossa/mutants/mutants.h"

void gw_tx_m_read_only_written(gw_tx_board *b, uint32_t address, uint32_t value)
{
    const gw_register *r = gw_register_at(&gw_tx_registers, address);

    if (r != NULL && r->access != GW_READ_WRITE)
        b->values[address / 4] = value;
    else
        (void)gw_tx_write_register(b, address, value);
}

void gw_tx_m_reset_wants_one(gw_tx_board *b, uint32_t address, uint32_t value)
{
    if (address != GW_TX_RESET_REG || value == 1)
        (void)gw_tx_write_register(b, address, value);
}

void gw_tx_m_reset_leaves_word(gw_tx_board *b, uint32_t address, uint32_t value)
{
    gw_tx_pair *amidst[GW_TX_LINKS] = {NULL};

    for (unsigned i = 0; i < GW_TX_LINKS && address == GW_TX_RESET_REG && (value & 1) != 0; i++)
        if (b->links[i].state >= GW_TX_RX_HEADER && b->links[i].state <= GW_TX_RX_FOOTER_CREDIT)
            amidst[i] = &b->links[i].rx[b->links[i].vc];
    (void)gw_tx_write_register(b, address, value);
    for (unsigned i = 0; i < GW_TX_LINKS; i++)
        if (amidst[i] != NULL)
            gw_tx_m_leave_word(amidst[i]);
}

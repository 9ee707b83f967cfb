/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA cases: what the registers of a board hold, before, during and after a run. */
#include <string.h>

#include "formats/textarossa/suite.h"

static const gw_regs_access usual[GW_TXC_PROGRAMMED] = {
    {GW_TX_LINK_0_CONFIG_0, 0, true}, /* for a board whose reset does not do it */
    {GW_TX_LINK_0_CONFIG_3, 0, true},
    {GW_TX_COORDME_REG, 0, true},
    {GW_TX_LATTICESIZE_REG, GW_TXC_LATTICE, true},
    {GW_TX_LINK_0_CONFIG_1, GW_TX_USUAL_THRESHOLDS, true},
    {GW_TX_LINK_0_CONFIG_2, GW_TX_USUAL_CYCLES, true},
};

void gw_txc_program(gw_ctx *ctx)
{
    gw_regs_access all[GW_TXC_PROGRAMMED];

    memcpy(all, usual, sizeof(all));
    gw_regs_together_on(ctx, all, GW_ARRAY_LEN(all));
}

void gw_txc_remember(gw_ctx *ctx)
{
    gw_txc_state *s = gw_case_state(ctx);
    gw_regs_access all[GW_TXC_PROGRAMMED];

    if (s->found_any)
        return;
    for (size_t i = 0; i < GW_ARRAY_LEN(all); i++)
        all[i] = (gw_regs_access){.at = usual[i].at};
    gw_regs_together_on(ctx, all, GW_ARRAY_LEN(all));
    for (size_t i = 0; i < GW_ARRAY_LEN(all); i++)
        s->found[i] = all[i].value;
    s->found_any = true;
}

void gw_txc_restore(gw_ctx *ctx)
{
    const gw_txc_state *s = gw_case_state(ctx);
    gw_regs_access all[GW_TXC_PROGRAMMED];

    if (!s->found_any)
        return;
    for (size_t i = 0; i < GW_ARRAY_LEN(all); i++)
        all[i] = (gw_regs_access){usual[i].at, s->found[i], true};
    gw_txc_write(ctx, GW_TX_RESET_REG, 1);
    gw_regs_together_on(ctx, all, GW_ARRAY_LEN(all));
}

void gw_txc_set_up(gw_ctx *ctx)
{
    gw_txc_write(ctx, GW_TX_RESET_REG, 1);
    gw_txc_program(ctx);
}

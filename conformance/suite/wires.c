/* SPDX-License-Identifier: BSD-2-Clause */
/* Wires of a board, seen as registers. */
#include "suite/wires.h"

#include <stdio.h>

#include "suite/regs.h"

enum { LEVEL, HIGH, LOW, UNKNOWN, NUM };

static const gw_area *area_of(const gw_ctx *ctx)
{
    return gw_board_area(gw_case_board(ctx), GW_AREA_WIRES, 32, GW_WIRES_BYTES);
}

bool gw_wires_there(const gw_ctx *ctx, char *why, size_t why_cap)
{
    (void)snprintf(why, why_cap, "nobody sees the board's wires: no area of type wires");
    return area_of(ctx) != NULL;
}

/* Register |which| as an offset in the role's map, which lies somewhere else. */
static uint32_t offset_of(gw_ctx *ctx, uint32_t which)
{
    const gw_area *area = area_of(ctx);
    if (area == NULL)
        gw_case_na(ctx, "nobody sees the board's wires");
    return (uint32_t)area->address + 4 * which - gw_case_board(ctx)->register_base;
}

gw_wires gw_wires_look(gw_ctx *ctx)
{
    gw_regs_access reads[NUM];
    for (uint32_t i = 0; i < NUM; i++)
        reads[i] = (gw_regs_access){.at = offset_of(ctx, i)};
    gw_regs_together_on(ctx, reads, NUM);
    return (gw_wires){reads[LEVEL].value, reads[HIGH].value, reads[LOW].value,
                      reads[UNKNOWN].value};
}

void gw_wires_forget(gw_ctx *ctx)
{
    gw_regs_write_on(ctx, offset_of(ctx, HIGH), 0);
}

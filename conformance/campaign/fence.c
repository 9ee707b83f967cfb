/* SPDX-License-Identifier: BSD-2-Clause */
/* The writes of a message beside the areas of a board. */
#include "campaign/fence.h"

typedef struct guard {
    const gw_board_file *board;
    bool refuses;
} guard;

static bool may_write(const gw_area *area, const gw_memory_access *access)
{
    bool kind =
        area->type == GW_AREA_RAM || area->type == GW_AREA_FIFO || area->type == GW_AREA_ERROR;
    return kind && access->first >= area->address && access->last >= access->first &&
           access->last - area->address < area->size;
}

static void look(void *ctx, const gw_memory_access *access)
{
    guard *g = ctx;
    bool inside = access->kind == GW_ACCESS_READ;
    for (size_t i = 0; access->kind == GW_ACCESS_WRITE && i < g->board->num_areas; i++)
        inside = inside || may_write(&g->board->areas[i], access);
    g->refuses = g->refuses || !inside;
}

bool gw_fence_lets(const gw_board_file *board, const gw_format *format, const gw_dialect *dialect,
                   const gw_message *message)
{
    guard g = {.board = board};
    (void)gw_format_transaction(format, dialect, message, look, &g);
    return !g.refuses;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* All software boards. */
#include <string.h>

#include "etherbone_slave.h"
#include "peer.h"

const gw_board *const gw_boards[] = {
    &gw_eb_slave_board,
};
const size_t gw_num_boards = GW_ARRAY_LEN(gw_boards);

const gw_board *gw_board_by_role(const char *role)
{
    for (size_t i = 0; i < gw_num_boards; i++) {
        if (strcmp(gw_boards[i]->role, role) == 0)
            return gw_boards[i];
    }
    return NULL;
}

const gw_mutant *gw_mutant_by_id(const gw_board *board, const char *id)
{
    for (size_t i = 0; i < board->num_mutants; i++) {
        if (strcmp(board->mutants[i].id, id) == 0)
            return &board->mutants[i];
    }
    return NULL;
}

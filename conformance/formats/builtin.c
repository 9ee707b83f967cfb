/* SPDX-License-Identifier: BSD-2-Clause */
/* What our own software boards declare. */
#include "formats/builtin.h"

#include "boards/peer.h"

const gw_board_file *gw_builtin_board(const char *role)
{
    const gw_board *board = gw_board_by_role(role);
    return board != NULL ? board->file : NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: a board in memory of which nothing but one client is wanted. */
#ifndef GOLDWIRE_BOARDS_MEM_TESTING_H
#define GOLDWIRE_BOARDS_MEM_TESTING_H

#include "boards/mem.h"

/* mem_open starts a board and opens one client of its first link in one call. Closing the
 * transport stops the board. */
static inline gw_transport *mem_open(const gw_board *board, const gw_peer_config *config,
                                     bool stream, char *why, size_t why_cap)
{
    gw_mem *mem = gw_mem_start(board, config, why, why_cap);
    if (mem == NULL)
        return NULL;
    gw_transport *t = gw_mem_connect(mem, 0, stream, why, why_cap);
    gw_mem_stop(mem);
    return t;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A board file to begin with. */
#ifndef GOLDWIRE_CLI_BOARD_INIT_H
#define GOLDWIRE_CLI_BOARD_INIT_H

#include <stdio.h>

#include "boards/peer.h"

/* gw_board_init writes a board file of |board|'s role to |file|: every key that the role can have,
 * with a comment. What it says fits goldwire's own board on loopback; it declares nothing to write
 * to. Keys that it does not need stand behind a '#'. Whether all was written |file| tells. */
void gw_board_init(FILE *file, const gw_board *board);

#endif

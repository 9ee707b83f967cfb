/* SPDX-License-Identifier: BSD-2-Clause */
/* Board descriptions of our own software boards, which need no file. */
#ifndef GOLDWIRE_FORMATS_BUILTIN_H
#define GOLDWIRE_FORMATS_BUILTIN_H

#include "harness/board.h"

/* gw_builtin_board returns the description of the software board |role|, or NULL. It says what
 * fpga_harness/boards/ROLE.yaml says, but for where. */
const gw_board_file *gw_builtin_board(const char *role);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What may be sent to a terminal beyond plain lines. */
#ifndef GOLDWIRE_TERMINAL_H
#define GOLDWIRE_TERMINAL_H

#include "goldwire/base.h"

/* gw_terminal_redraws says whether a line on the file descriptor |fd| can be written over: it is a
 * terminal, and not a dumb one (TERM is "dumb" or not set). */
bool gw_terminal_redraws(int fd);

/* gw_terminal_colours says whether |fd| shows colours and is wanted to: it redraws, and NO_COLOR
 * (no-color.org) is not set, or empty. */
bool gw_terminal_colours(int fd);

/* gw_terminal_guard makes stderr a stream that shows what is written to it as gw_put_lines does,
 * whoever writes it: complaints name files, arguments and boards, whose names may have been chosen
 * to command a terminal. To be called before anything was written. */
void gw_terminal_guard(void);

/* gw_terminal_erase goes to the beginning of stderr's line and erases it, past that guard. */
void gw_terminal_erase(void);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Did an allocation fail? Whoever asks for memory handles a refusal where it happens, libraries
 * included, but what comes of it looks like something else: a file that cannot be read, a board
 * that does not answer. So a program's own malloc counts refusals here, and whoever judges looks.
 */
#ifndef HARNESS_MEMORY_H
#define HARNESS_MEMORY_H

#include "goldwire/base.h"

/* gw_memory_refused counts an allocation that failed; a program's malloc calls it. Safe in threads.
 * After gw_memory_need it ends the program. */
void gw_memory_refused(void);

/* gw_memory_refusals returns how many allocations have failed so far; 0 in a program whose malloc
 * does not count them. */
unsigned gw_memory_refusals(void);

/* gw_memory_need says that until the next call a refusal ends the program with |exit_code| and a
 * line on standard error, for calls into libraries that do not survive one; 0: not any more. */
void gw_memory_need(int exit_code);

#endif

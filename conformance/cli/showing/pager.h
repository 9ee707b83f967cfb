/* SPDX-License-Identifier: BSD-2-Clause */
/* A pager for what people read on a terminal. */
#ifndef GOLDWIRE_SHOWING_PAGER_H
#define GOLDWIRE_SHOWING_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

/* gw_pager_start puts a pager between stdout and the terminal that it is, and stderr with it where
 * that is a terminal too: $PAGER, or less, or nothing where neither is there, PAGER is empty or
 * "cat", or stdout is no terminal that can be written over. Returns its process, 0 for none. To be
 * called before anything is written to stdout. */
pid_t gw_pager_start(void);

/* gw_pager_end closes stdout, after the last of it was flushed, and waits until the user has left
 * |pager|; 0 is allowed. False when there is no such program, which is told: nothing was shown. */
bool gw_pager_end(pid_t pager);

#endif

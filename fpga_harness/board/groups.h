/* SPDX-License-Identifier: BSD-2-Clause */
/* Process groups of the hooks that run: whoever interrupts goldwire does not reach them, for a
 * terminal's signals go to its own group only. */
#ifndef BOARD_GROUPS_H
#define BOARD_GROUPS_H

#include <sys/types.h>

/* gw_groups_replace puts |to| where |from| stood: 0 is a free place. Of more groups than there is
 * room for, the last ones are not known. */
void gw_groups_replace(pid_t from, pid_t to);

/* gw_groups_kill kills all of them. A signal handler may call it. */
void gw_groups_kill(void);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Several pieces of work at once, told as if they had been done one after the other. */
#ifndef CLI_INSPECTING_AT_ONCE_H
#define CLI_INSPECTING_AT_ONCE_H

#include <stddef.h>

#include "goldwire/base.h"

#define GW_AT_ONCE_MAX 256

/* gw_at_once_jobs returns how many processors this process may use, GW_AT_ONCE_MAX at the most. */
unsigned gw_at_once_jobs(void);

/* gw_at_once calls |work| with each number below |n|, up to |jobs| (at most GW_AT_ONCE_MAX) of them
 * at once, each in a process of its own with a copy of everything. What they print on stdout and
 * stderr appears in the order of the numbers; who is not at turn waits as soon as pipes are full,
 * so that nothing is kept but what pipes hold. Where no process can be had, the work is done here.
 *
 * Ends early, as a loop over |work| would, when stdout takes no more or SIGINT or SIGTERM came:
 * those at work are told, and what they print is still shown. Returns the exit codes of |work|
 * joined; GW_EXIT_TOOL, after saying so, for one that was killed, which |name| calls by its name.
 */
int gw_at_once(const char *verb, size_t n, unsigned jobs, int (*work)(void *ctx, size_t i),
               const char *(*name)(void *ctx, size_t i), void *ctx);

#endif

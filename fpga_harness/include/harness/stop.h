/* SPDX-License-Identifier: BSD-2-Clause */
/* Being told to stop: SIGINT and SIGTERM end what waits, so that a run can still tell what it found
 * out. */
#ifndef HARNESS_STOP_H
#define HARNESS_STOP_H

#include "goldwire/base.h"

/* gw_stop_watch makes the first SIGINT or SIGTERM a wish, which gw_stopped tells; another one, half
 * a second later or more, kills the hooks and ends the program by that signal. One that is ignored
 * stays ignored. Calls after the first do nothing. */
void gw_stop_watch(void);

/* gw_stopped says whether the wish has come. Waits of the transports and of hooks are over then:
 * what has arrived is still received, what has not is not waited for. */
bool gw_stopped(void);

/* gw_stop_grace lets gw_stopped say no for the next |time_ns| whatever is wished, for what has to
 * be done before the end; 0 takes that back. Another signal ends the program all the same. */
void gw_stop_grace(int64_t time_ns);

#endif

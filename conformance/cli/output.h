/* SPDX-License-Identifier: BSD-2-Clause */
/* What verbs print: lines that a terminal can be shown, and a stdout that may go away. */
#ifndef GOLDWIRE_OUTPUT_H
#define GOLDWIRE_OUTPUT_H

#include <stddef.h>

#include "goldwire/base.h"

/* gw_stdout_prepare gives stdout a large buffer and makes a reader that goes away an error of
 * writing instead of a signal. */
void gw_stdout_prepare(void);

/* gw_stdout_failed says whether stdout takes no more; then there is nothing left to do. */
bool gw_stdout_failed(void);

/* gw_stdout_finish flushes stdout. Returns |code|; GW_EXIT_OK when the reader went away, which ends
 * silently; GW_EXIT_TOOL, after saying why, when the output could not be written. */
GW_MUST_USE int gw_stdout_finish(const char *verb, int code);

/* gw_exit_join returns the exit code for two pieces of work together: TOOL > FAIL > XPASS > INCONC
 * > OK; NOTHING only when neither found anything. */
int gw_exit_join(int a, int b);

/* gw_inspect_line copies |text|, such as a file's name, into |out| as one line that a terminal can
 * be shown: whoever named the file may have meant to command it. Returns |out|. */
char *gw_inspect_line(char *out, size_t cap, const char *text);

#endif

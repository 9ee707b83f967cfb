/* SPDX-License-Identifier: BSD-2-Clause */
/* What decode, check and encode share: options, the files to read, and a stdout that may go away.
 */
#ifndef GOLDWIRE_INSPECT_ARGS_H
#define GOLDWIRE_INSPECT_ARGS_H

#include <argp.h>
#include <stdio.h>

#include "harness/capture.h"
#include "inspect/pipeline.h"
#include "inspect/selection.h"

/* gw_inspect_args is what the command line of an inspecting verb says. */
typedef struct gw_inspect_args {
    gw_selection selection;
    bool json;
    char **files; /* the arguments that are no options, in place */
    int num_files;
} gw_inspect_args;

/* gw_inspect_argp is the child parser for --proto, --dialect, --json and FILE...; its input is a
 * gw_inspect_args. */
extern const struct argp gw_inspect_argp;

/* gw_inspect_parse_files is the parser of a verb that takes captures: its input is a
 * gw_inspect_args, its only child gw_inspect_argp. */
error_t gw_inspect_parse_files(int key, char *arg, struct argp_state *state);

/* gw_inspect_files_ok looks whether every file can be opened and is a capture, before anything is
 * printed. Files that can be read only once (pipes) are taken on trust. False after saying what is
 * wrong. */
GW_MUST_USE bool gw_inspect_files_ok(const char *verb, const gw_inspect_args *args);

/* gw_inspect_open opens |path| as a capture; NULL after saying what is wrong. */
gw_capture *gw_inspect_open(const char *verb, const char *path);

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

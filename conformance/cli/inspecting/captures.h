/* SPDX-License-Identifier: BSD-2-Clause */
/* What verbs that read captures share: options, and the files to read. */
#ifndef CLI_INSPECTING_CAPTURES_H
#define CLI_INSPECTING_CAPTURES_H

#include <argp.h>

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

#endif

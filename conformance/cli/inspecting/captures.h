/* SPDX-License-Identifier: BSD-2-Clause */
/* What verbs that read captures share: options, and what to read: files, or an interface. */
#ifndef CLI_INSPECTING_CAPTURES_H
#define CLI_INSPECTING_CAPTURES_H

#include <argp.h>
#include <stdio.h>

#include "harness/capture.h"
#include "inspect/pipeline.h"
#include "inspect/selection.h"

/* gw_inspect_args is what the command line of an inspecting verb says. */
typedef struct gw_inspect_args {
    gw_selection selection;
    bool json;
    bool merge;       /* the files are taps of one traffic */
    const char *live; /* the interface to capture on, in place of files; NULL: none */
    char **files;     /* the arguments that are no options, in place */
    int num_files;
    unsigned jobs; /* files to read at once; 0 and 1: one after the other */
    bool lossless; /* the path lost nothing */
} gw_inspect_args;

/* gw_inspect_argp is the child parser for --proto, --dialect, --json, --live and FILE...; its input
 * is a gw_inspect_args. */
extern const struct argp gw_inspect_argp;

/* gw_inspect_parse_files is the parser of a verb that takes captures: its input is a
 * gw_inspect_args, its only child gw_inspect_argp. */
error_t gw_inspect_parse_files(int key, char *arg, struct argp_state *state);

/* What is read at once; for the options of a verb that uses gw_inspect_parse_many. */
#define GW_INSPECT_KEY_JOBS 0x101
#define GW_INSPECT_JOBS                                                                            \
    {                                                                                              \
        "jobs", GW_INSPECT_KEY_JOBS, "N", 0,                                                       \
            "Read N captures at once (default: as many as there are processors). What is printed " \
            "does "                                                                                \
            "not depend on it",                                                                    \
            0                                                                                      \
    }

/* How conversations are judged; likewise. */
#define GW_INSPECT_KEY_LOSSLESS 0x102
#define GW_INSPECT_LOSSLESS                                                                        \
    {                                                                                              \
        "lossless", GW_INSPECT_KEY_LOSSLESS, NULL, 0,                                              \
            "The path between the ends and where it was captured lost nothing, repeated nothing "  \
            "and kept the order: what is missing or comes twice is held against who sends it, "    \
            "also in a tunnel",                                                                    \
            0                                                                                      \
    }

/* gw_inspect_parse_many is that parser with GW_INSPECT_JOBS and GW_INSPECT_LOSSLESS, for a verb to
 * whose |read| one file does not matter to the next: it is called in a process of its own for each,
 * |jobs| at once.
 */
error_t gw_inspect_parse_many(int key, char *arg, struct argp_state *state);

/* gw_inspect_files_ok looks whether every file can be opened and is a capture, before anything is
 * printed. Files that can be read only once (pipes) are taken on trust. False after saying what is
 * wrong. */
GW_MUST_USE bool gw_inspect_files_ok(const char *verb, const gw_inspect_args *args);

/* gw_reading is one capture being read. */
typedef struct gw_reading {
    const char *file; /* or the interface, as it was named */
    gw_capture *capture;
    bool live;              /* an interface: the user ends it */
    bool interrupted;       /* somebody ended it before its end */
    const char *breaks_off; /* where and how it ends too early; NULL: it does not */
    uint64_t dropped;       /* frames that passed and were not captured */
} gw_reading;

/* gw_inspect_count writes |number| to |out| and |what| behind it, which is one, with an "s" where
 * it is another number. */
void gw_inspect_count(FILE *out, uint64_t number, const char *what);

/* gw_inspect_run hands the frames of |r| to |pipeline| until the capture ends, stdout takes no
 * more, or SIGINT or SIGTERM came, and notes in |r| which. |idle|, which may be NULL, is called
 * when an interface or a pipe is silent: somebody may be waiting for what was printed so far. */
void gw_inspect_run(gw_reading *r, gw_pipeline *pipeline, void (*idle)(void *ctx), void *ctx);

/* gw_inspect_each opens the files that |args| name one after the other or some at once, all of them
 * as one, or the interface, and lets |read| read each. Returns the joined exit code. */
int gw_inspect_each(const char *verb, const gw_inspect_args *args,
                    int (*read)(void *ctx, gw_reading *reading), void *ctx);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Hooks: commands of the lab that bring a board back, cycle its power, or start it. A hook is a
 * list of arguments, never a shell line; it lives in a process group of its own, which is killed
 * whole at its deadline. */
#ifndef HARNESS_HOOK_H
#define HARNESS_HOOK_H

#include "goldwire/base.h"

#define GW_HOOK_MAX_ARGS 12
#define GW_HOOK_ARG 256
#define GW_HOOK_OUTPUT 65536 /* bytes of output that are kept */

typedef enum gw_hook_kind {
    GW_HOOK_SOFT = 0, /* resets the board */
    GW_HOOK_POWER,    /* cycles its power */
    GW_HOOK_START,    /* starts a board that is a program, or makes one call us; may stay */
    GW_NUM_HOOKS,
} gw_hook_kind;

/* gw_hook is a command of the board file. */
typedef struct gw_hook {
    char args[GW_HOOK_MAX_ARGS][GW_HOOK_ARG]; /* the first is the program, looked for in PATH */
    size_t num_args;                          /* 0: there is no such hook */
    uint32_t timeout_s;                       /* the whole group is killed then */
    uint32_t settle_s;                        /* the board may take so long to answer afterwards */
} gw_hook;

/* gw_hook_run is a hook that runs, or has run. */
typedef struct gw_hook_run gw_hook_run;

/* gw_hook_name returns "soft", "power" or "start". */
const char *gw_hook_name(gw_hook_kind kind);

/* gw_hook_find says whether the program of |hook| is there and may be run, as gw_hook_begin would
 * look for it. False with a text in |why|. */
bool gw_hook_find(const gw_hook *hook, char *why, size_t why_cap);

/* gw_hook_begin starts |hook|: its input is empty, its output and errors are collected. From now on
 * SIGINT, SIGTERM and SIGHUP, where they have their usual effect, kill all hooks as well. NULL with
 * a text in |why| when the program cannot be started, or goldwire has been told to stop. */
gw_hook_run *gw_hook_begin(const gw_hook *hook, char *why, size_t why_cap);

/* gw_hook_wait waits until the hook has ended, at most until its deadline or until goldwire is told
 * to stop (harness/stop.h). What is left of its group then is killed. True when it ended by itself
 * with exit 0. */
bool gw_hook_wait(gw_hook_run *run);

/* gw_hook_lives says whether the hook still runs, or anything that it has started in its group;
 * past its deadline all of that is killed. */
bool gw_hook_lives(gw_hook_run *run);

/* gw_hook_left returns the nanoseconds until the hook's deadline, 0 when that has passed or the
 * hook was stopped. It is as cheap as a look at the clock. */
int64_t gw_hook_left(const gw_hook_run *run);

/* gw_hook_stop ends a hook that may still run: its group is asked to end, and killed a second
 * later.
 */
void gw_hook_stop(gw_hook_run *run);

/* gw_hook_outcome returns how it went, for people: "exit 0", "killed after 5 s"; "still runs"
 * before it was waited for, stopped, or asked whether it failed. It lives as long as |run|. */
const char *gw_hook_outcome(const gw_hook_run *run);

/* gw_hook_failed says whether the hook has ended otherwise than with exit 0. */
bool gw_hook_failed(gw_hook_run *run);

/* gw_hook_output returns what it has written, at most GW_HOOK_OUTPUT bytes, and how much in |len|.
 * It is valid until the next call, and may hold any bytes. */
const char *gw_hook_output(gw_hook_run *run, size_t *len);

/* gw_hook_free stops it and frees |run|; NULL is allowed. */
void gw_hook_free(gw_hook_run *run);

#endif

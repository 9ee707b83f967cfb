/* SPDX-License-Identifier: BSD-2-Clause */
/* The lab's hooks during a run: each is run by name, and what it wrote becomes evidence. */
#ifndef GOLDWIRE_RUN_RECOVER_H
#define GOLDWIRE_RUN_RECOVER_H

#include "harness/hook.h"

/* gw_rescue is the hooks of a run. All zeros has none. */
typedef struct gw_rescue {
    const gw_hook *hooks; /* GW_NUM_HOOKS of them; NULL: none may be run */
    const char *out_dir;  /* of the run; NULL: nothing is kept */
    gw_hook_run *started; /* the start hook, while its command runs */
    unsigned started_as;  /* its number */
    char start_how[240];  /* what became of the last start hook, for people; "" before the first */
    bool start_failed;    /* it could not be started, or ended with a failure */
    bool spoke;           /* the board has called since, while the hook ran */
    int64_t ended_ns;     /* when the hook was seen to have ended (CLOCK_MONOTONIC); 0: not yet */
    bool is_board;        /* the board that calls us is the hook's program, and ends with it */
    bool sets_off;        /* it called on after the hook's end: the hook only sets it off */
    unsigned count;       /* hooks run so far */
    char trouble[200];    /* why the first output could not be kept; or "" */
} gw_rescue;

/* gw_rescue_has says whether there is a hook |kind| that may be run. */
bool gw_rescue_has(const gw_rescue *rescue, gw_hook_kind kind);

/* gw_rescue_run runs hook |kind|: soft and power to their end, start until the next one or
 * gw_rescue_end. |how| gets what became of it, for people. False when it failed. */
bool gw_rescue_run(gw_rescue *rescue, gw_hook_kind kind, char *how, size_t how_cap);

/* gw_rescue_watch ends a start hook whose deadline has passed. It may be called for each packet. */
void gw_rescue_watch(gw_rescue *rescue);

/* gw_rescue_runs says whether the start hook, or a program that it started, still runs. */
bool gw_rescue_runs(gw_rescue *rescue);

/* gw_rescue_left returns the nanoseconds until a start hook's deadline; INT64_MAX when none runs.
 */
int64_t gw_rescue_left(const gw_rescue *rescue);

/* gw_rescue_start_failed says whether the last start hook failed; |start_how| tells how then, and
 * whether it still runs otherwise. */
bool gw_rescue_start_failed(gw_rescue *rescue);

/* gw_rescue_heard is told of each packet of a board that calls us. */
void gw_rescue_heard(gw_rescue *rescue);

/* gw_rescue_over says whether a board that calls us has finished, as far as its start hook tells:
 * the hook failed before the board called, or was the board itself and has ended. That it was is
 * learnt the first time: nothing comes any more once it has ended. */
bool gw_rescue_over(gw_rescue *rescue);

/* gw_rescue_await gives what was started |time_ns| of the wall's clock to end by itself. */
void gw_rescue_await(gw_rescue *rescue, int64_t time_ns);

/* gw_rescue_end ends what was started. */
void gw_rescue_end(gw_rescue *rescue);

#endif

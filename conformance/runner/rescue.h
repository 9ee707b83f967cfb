/* SPDX-License-Identifier: BSD-2-Clause */
/* The lab's hooks during a run: each is run by name, and what it wrote becomes evidence. */
#ifndef GOLDWIRE_RESCUE_H
#define GOLDWIRE_RESCUE_H

#include "harness/hook.h"

/* gw_rescue is the hooks of a run. All zeros has none. */
typedef struct gw_rescue {
    const gw_hook *hooks; /* GW_NUM_HOOKS of them; NULL: none may be run */
    const char *out_dir;  /* of the run; NULL: nothing is kept */
    gw_hook_run *started; /* the start hook, while its command runs */
    unsigned started_as;  /* its number */
    unsigned count;       /* hooks run so far */
    char trouble[200];    /* why the first output could not be kept; or "" */
} gw_rescue;

/* gw_rescue_has says whether there is a hook |kind| that may be run. */
bool gw_rescue_has(const gw_rescue *rescue, gw_hook_kind kind);

/* gw_rescue_run runs hook |kind|: soft and power to their end, start until the next one or
 * gw_rescue_end. |how| gets what became of it, for people. False when it failed. */
bool gw_rescue_run(gw_rescue *rescue, gw_hook_kind kind, char *how, size_t how_cap);

/* gw_rescue_watch ends a start hook whose deadline has passed. */
void gw_rescue_watch(gw_rescue *rescue);

/* gw_rescue_end ends what was started. */
void gw_rescue_end(gw_rescue *rescue);

#endif

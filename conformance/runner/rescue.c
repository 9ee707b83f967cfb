/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the lab's hooks and keeps what they wrote, as hooks/001-soft.txt and so on. */
#include "runner/rescue.h"

#include <stdio.h>
#include <string.h>

#include "runner/store.h"

bool gw_rescue_has(const gw_rescue *rescue, gw_hook_kind kind)
{
    return rescue->hooks != NULL && rescue->hooks[kind].num_args > 0;
}

/* A rescue goes on without its evidence; the run fails at its end and tells why. */
static void keep(gw_rescue *rescue, gw_hook_kind kind, unsigned number, const char *outcome,
                 const char *output, size_t len)
{
    char name[64];
    char why[200] = "";
    const gw_hook *hook = &rescue->hooks[kind];
    if (rescue->out_dir == NULL)
        return;
    (void)snprintf(name, sizeof(name), "hooks/%03u-%s.txt", number, gw_hook_name(kind));
    FILE *file = gw_store_open(rescue->out_dir, name, why, sizeof(why));
    if (file != NULL) {
        for (size_t i = 0; i < hook->num_args; i++)
            fprintf(file, "%s%s", i > 0 ? " " : "", hook->args[i]);
        fprintf(file, "\n%s\n\n", outcome);
        (void)fwrite(output, 1, len, file);
    }
    bool kept = file != NULL && gw_store_close(file, name, why, sizeof(why));
    if (!kept && rescue->trouble[0] == '\0')
        memcpy(rescue->trouble, why, sizeof(rescue->trouble));
}

static void keep_run(gw_rescue *rescue, gw_hook_kind kind, unsigned number, gw_hook_run *run)
{
    size_t len;
    const char *output = gw_hook_output(run, &len);
    keep(rescue, kind, number, gw_hook_outcome(run), output, len);
}

void gw_rescue_end(gw_rescue *rescue)
{
    if (rescue->started == NULL)
        return;
    gw_hook_stop(rescue->started);
    keep_run(rescue, GW_HOOK_START, rescue->started_as, rescue->started);
    gw_hook_free(rescue->started);
    rescue->started = NULL;
}

void gw_rescue_watch(gw_rescue *rescue)
{
    if (rescue->started != NULL)
        (void)gw_hook_lives(rescue->started);
}

bool gw_rescue_run(gw_rescue *rescue, gw_hook_kind kind, char *how, size_t how_cap)
{
    char why[160] = "";
    if (kind == GW_HOOK_START)
        gw_rescue_end(rescue);
    unsigned number = ++rescue->count;
    gw_hook_run *run = gw_hook_begin(&rescue->hooks[kind], why, sizeof(why));
    if (run == NULL) {
        (void)snprintf(how, how_cap, "hook %s: %s", gw_hook_name(kind), why);
        keep(rescue, kind, number, why, "", 0);
        return false;
    }
    if (kind == GW_HOOK_START) {
        rescue->started = run;
        rescue->started_as = number;
        (void)snprintf(how, how_cap, "hook start");
        return true;
    }
    bool well = gw_hook_wait(run);
    (void)snprintf(how, how_cap, "hook %s: %s", gw_hook_name(kind), gw_hook_outcome(run));
    keep_run(rescue, kind, number, run);
    gw_hook_free(run);
    return well;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the lab's hooks and keeps what they wrote, as hooks/001-soft.txt and so on. */
#include "run/recover.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "evidence/clean.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "run/store.h"

#define LEARN_NS INT64_C(500000000) /* of silence after a hook's end: it was the board */
#define LOOK_NS 20000000L           /* between two looks whether it has ended */
#define LINE 128                    /* bytes of a hook's last line that are told */
#define STALE_NS INT64_C(50000000)  /* what was sent before the hook's end has arrived by then */

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
        gw_put_lines(file, output, len);
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

void gw_rescue_await(gw_rescue *rescue, int64_t time_ns)
{
    int64_t until_ns = gw_clock_ns(CLOCK_MONOTONIC) + time_ns;
    const struct timespec slice = {0, LOOK_NS};
    while (gw_rescue_runs(rescue) && gw_clock_ns(CLOCK_MONOTONIC) < until_ns && !gw_stopped())
        (void)nanosleep(&slice, NULL);
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

int64_t gw_rescue_left(const gw_rescue *rescue)
{
    return rescue->started != NULL && rescue->ended_ns == 0 ? gw_hook_left(rescue->started)
                                                            : INT64_MAX;
}

/* Whether the start hook has ended; the moment that was first seen is noted. */
static bool has_ended(gw_rescue *rescue)
{
    if (rescue->ended_ns == 0 && !gw_hook_lives(rescue->started))
        rescue->ended_ns = gw_clock_ns(CLOCK_MONOTONIC);
    return rescue->ended_ns != 0;
}

bool gw_rescue_runs(gw_rescue *rescue)
{
    return rescue->started != NULL && !has_ended(rescue);
}

void gw_rescue_watch(gw_rescue *rescue)
{
    if (gw_rescue_left(rescue) == 0)
        (void)has_ended(rescue);
}

/* The last line that |run| wrote, which most often says why it failed; "" when it wrote none. */
static void last_line(gw_hook_run *run, char *out, size_t cap)
{
    char line[LINE];
    size_t end;
    const char *output = gw_hook_output(run, &end);
    while (end > 0 && output[end - 1] == '\n')
        end--;
    size_t start = end;
    while (start > 0 && output[start - 1] != '\n')
        start--;
    (void)snprintf(line, sizeof(line), "%.*s", (int)(end - start), output + start);
    (void)gw_clean(out, cap, line);
}

bool gw_rescue_start_failed(gw_rescue *rescue)
{
    char line[160] = "";
    if (rescue->started == NULL)
        return rescue->start_failed;
    rescue->start_failed = has_ended(rescue) && gw_hook_failed(rescue->started);
    if (rescue->start_failed)
        last_line(rescue->started, line, sizeof(line));
    bool told = line[0] != '\0';
    (void)snprintf(rescue->start_how, sizeof(rescue->start_how), "hook start: %s%s%s%s",
                   gw_hook_outcome(rescue->started), told ? " (" : "", line, told ? ")" : "");
    return rescue->start_failed;
}

void gw_rescue_heard(gw_rescue *rescue)
{
    if (rescue->started == NULL || rescue->sets_off || (rescue->spoke && rescue->ended_ns == 0))
        return;
    if (!has_ended(rescue))
        rescue->spoke = true;
    else if (gw_clock_ns(CLOCK_MONOTONIC) - rescue->ended_ns > STALE_NS)
        rescue->sets_off = true;
}

bool gw_rescue_over(gw_rescue *rescue)
{
    if (rescue->started == NULL)
        return rescue->start_failed;
    if (!has_ended(rescue))
        return false;
    if (!rescue->spoke)
        return gw_rescue_start_failed(rescue);
    bool silent = gw_clock_ns(CLOCK_MONOTONIC) - rescue->ended_ns >= LEARN_NS;
    rescue->is_board = !rescue->sets_off && (rescue->is_board || silent);
    return rescue->is_board;
}

bool gw_rescue_run(gw_rescue *rescue, gw_hook_kind kind, char *how, size_t how_cap)
{
    char why[160] = "";
    if (kind == GW_HOOK_START) {
        gw_rescue_end(rescue);
        rescue->spoke = false;
        rescue->start_failed = false;
        rescue->ended_ns = 0;
    }
    unsigned number = ++rescue->count;
    gw_hook_run *run = gw_hook_begin(&rescue->hooks[kind], why, sizeof(why));
    if (run == NULL) {
        (void)snprintf(how, how_cap, "hook %s: %s", gw_hook_name(kind), why);
        if (kind == GW_HOOK_START) {
            rescue->start_failed = true;
            (void)snprintf(rescue->start_how, sizeof(rescue->start_how), "%s", how);
        }
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

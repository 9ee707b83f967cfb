/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs fuzz targets, as hooks are run: without a shell, in a group that is killed whole when its
 * time is over. */
#include "crash/crash.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "evidence/clean.h"
#include "harness/hook.h"

#define RUN_S 60
#define HELP_S 10
#define SLACK_S 20 /* of a fuzzer beyond the time that it is given */

static bool add(gw_hook *hook, const char *arg)
{
    if (hook->num_args == GW_HOOK_MAX_ARGS || strlen(arg) >= GW_HOOK_ARG)
        return false;
    (void)snprintf(hook->args[hook->num_args++], GW_HOOK_ARG, "%s", arg);
    return true;
}

static bool keep(const char *path, const char *output, size_t len, char *why, size_t why_cap)
{
    FILE *file = fopen(path, "wbe");
    if (file != NULL)
        gw_put_lines(file, output, len);
    if (file != NULL && fclose(file) == 0)
        return true;
    (void)snprintf(why, why_cap, "cannot write %s", path);
    return false;
}

bool gw_crash_run(gw_crash_key *key, const char *program, const char *input, const char *report,
                  char *why, size_t why_cap)
{
    gw_hook hook = {.timeout_s = RUN_S};
    size_t len = 0;
    *key = (gw_crash_key){0};
    if (!add(&hook, program) || !add(&hook, input)) {
        (void)snprintf(why, why_cap, "path too long: %.100s", input);
        return false;
    }
    gw_hook_run *run = gw_hook_begin(&hook, why, why_cap);
    if (run == NULL)
        return false;
    bool fine = gw_hook_wait(run);
    const char *output = gw_hook_output(run, &len);
    bool ok = true;
    if (!fine) {
        gw_crash_read(key, output, len);
        if (key->kind[0] == '\0')
            (void)snprintf(key->kind, sizeof(key->kind), "%s", gw_hook_outcome(run));
        if (key->text[0] == '\0')
            (void)snprintf(key->text, sizeof(key->text), "%s", gw_hook_outcome(run));
        ok = report == NULL || keep(report, output, len, why, why_cap);
    }
    gw_hook_free(run);
    return ok;
}

/* Whether |program| takes the options of libFuzzer. */
static bool is_libfuzzer(const char *program)
{
    gw_hook hook = {.timeout_s = HELP_S};
    char why[256];
    size_t len = 0;
    bool is = false;
    if (!add(&hook, program) || !add(&hook, "-help=1"))
        return false;
    gw_hook_run *run = gw_hook_begin(&hook, why, sizeof(why));
    if (run == NULL)
        return false;
    (void)gw_hook_wait(run);
    const char *output = gw_hook_output(run, &len);
    is = memmem(output, len, "minimize_crash", strlen("minimize_crash")) != NULL;
    gw_hook_free(run);
    return is;
}

static bool set_up(gw_hook *hook, const char *program, const char *input, const char *out,
                   uint32_t seconds)
{
    char path[GW_HOOK_ARG];
    char time[64];
    if (!is_libfuzzer(program))
        return add(hook, "afl-tmin") && add(hook, "-i") && add(hook, input) && add(hook, "-o") &&
               add(hook, out) && add(hook, "--") && add(hook, program) && add(hook, "@@");
    (void)snprintf(time, sizeof(time), "-max_total_time=%u", (unsigned)seconds);
    return snprintf(path, sizeof(path), "-exact_artifact_path=%s", out) < (int)sizeof(path) &&
           add(hook, program) && add(hook, "-minimize_crash=1") && add(hook, time) &&
           add(hook, path) && add(hook, input);
}

bool gw_crash_shrink(const char *program, const char *input, const char *out, uint32_t seconds)
{
    gw_hook hook = {.timeout_s = seconds + SLACK_S};
    struct stat before;
    struct stat after;
    char why[256];
    if (!set_up(&hook, program, input, out, seconds))
        return false;
    gw_hook_run *run = gw_hook_begin(&hook, why, sizeof(why));
    if (run == NULL)
        return false;
    (void)gw_hook_wait(run);
    gw_hook_free(run);
    return stat(input, &before) == 0 && stat(out, &after) == 0 && after.st_size < before.st_size;
}

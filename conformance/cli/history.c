/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire history: what a lab's runs came to, over boards and their firmware. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/verb.h"
#include "evidence/clean.h"
#include "evidence/past.h"
#include "history/history.h"

typedef struct history_options {
    const char *dirs[GW_HISTORY_RUNS];
    size_t num_dirs;
    const char *out;
    bool json;
} history_options;

static int complain(int code, const char *why)
{
    fputs("goldwire history: ", stderr);
    gw_put_plain(stderr, why);
    fputs("\n", stderr);
    return code;
}

/* Writes the page at |path|. */
static int write_page(const char *path, const json_t *history)
{
    char why[1024];
    char below[1024];
    const char *slash = strrchr(path, '/');
    (void)snprintf(below, sizeof(below), "%.*s", slash != NULL ? (int)(slash - path + 1) : 1,
                   slash != NULL ? path : ".");
    FILE *file = fopen(path, "we");
    bool ok = file != NULL;
    if (ok) {
        gw_history_page(file, history, below);
        ok = !ferror(file);
        ok = fclose(file) == 0 && ok;
    }
    if (ok)
        return GW_EXIT_OK;
    (void)snprintf(why, sizeof(why), "%s: %s", path, strerror(errno));
    return complain(file == NULL ? GW_EXIT_USAGE : GW_EXIT_TOOL, why);
}

static int tell(const history_options *o, gw_history_run *runs)
{
    json_t *history = gw_history(runs, o->num_dirs);
    int code = GW_EXIT_OK;
    if (history == NULL)
        return complain(GW_EXIT_TOOL, "out of memory");
    if (o->out != NULL)
        code = write_page(o->out, history);
    if (o->json) {
        json_dumpf(history, stdout, JSON_INDENT(1));
        printf("\n");
    } else {
        gw_history_text(stdout, history);
    }
    json_decref(history);
    return code;
}

static const char doc[] =
    "Show what runs came to, clause by clause, over boards and their firmware.\v"
    "DIR is a folder that `certify --out' wrote. Runs of one board (make and serial) stand in the "
    "order in which they were made, and each is told with what it changed against the one before. "
    "Exit code 0: told; 2: one of them is no run.";

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, "print one JSON object", 0},
    {"out", 'o', "PAGE", 0,
     "also write a page: a matrix of clauses and runs, each cell a link to that run's report", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    history_options *o = state->input;
    switch (key) {
    case 'j':
        o->json = true;
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (o->num_dirs == GW_HISTORY_RUNS)
            argp_error(state, "more than %d runs", GW_HISTORY_RUNS);
        o->dirs[o->num_dirs++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->num_dirs == 0)
            argp_error(state, "which runs? name the folders that `certify --out' wrote");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "DIR...", doc, NULL, NULL, NULL};
    history_options o = {0};
    gw_history_run runs[GW_HISTORY_RUNS];
    char why[1024] = "";
    int code = GW_EXIT_OK;
    size_t num = 0;
    gw_verb_parse(&argp, argc, argv, &o);
    for (; num < o.num_dirs && code == GW_EXIT_OK; num++) {
        json_t *past = gw_past_load(o.dirs[num], why, sizeof(why));
        runs[num] = (gw_history_run){.dir = o.dirs[num], .run = past};
        if (past == NULL)
            code = complain(GW_EXIT_USAGE, why);
    }
    if (code == GW_EXIT_OK)
        code = tell(&o, runs);
    for (size_t i = 0; i < num; i++)
        json_decref((json_t *)runs[i].run);
    return code;
}

const gw_verb gw_verb_history = {"history", "what runs came to, over boards and their firmware",
                                 run};

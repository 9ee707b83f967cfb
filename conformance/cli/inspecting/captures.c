/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of verbs that read captures, and opening the files. */
#include "cli/inspecting/captures.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/output.h"

#define WHY_MAX 512

static const struct argp_option options[] = {
    {"proto", 'p', "PROTO", 0,
     "Take all UDP datagrams and TCP streams that are not on another format's port for PROTO", 0},
    {"dialect", 'd', "D[@HOST[:PORT]]", 0,
     "Read the traffic of HOST (either end; default: of everyone) in dialect D. May be repeated; "
     "the most specific one wins",
     0},
    {"json", 'j', NULL, 0, "Print JSON, one object a line", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    gw_inspect_args *args = state->input;
    char why[WHY_MAX];

    switch (key) {
    case ARGP_KEY_INIT:
        gw_selection_init(&args->selection);
        return 0;
    case 'p':
        if (!gw_selection_proto(&args->selection, arg, why, sizeof why))
            argp_error(state, "--proto: %s", why);
        return 0;
    case 'd':
        if (!gw_selection_dialect(&args->selection, arg, why, sizeof why))
            argp_error(state, "--dialect: %s", why);
        return 0;
    case 'j':
        args->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp gw_inspect_argp = {.options = options, .parser = parse};

gw_capture *gw_inspect_open(const char *verb, const char *path)
{
    char why[WHY_MAX], line[3 * WHY_MAX];
    gw_capture *capture = gw_capture_open(path, why, sizeof why);

    if (capture == NULL)
        fprintf(stderr, "%s: %s\n", verb, gw_inspect_line(line, sizeof line, why));
    return capture;
}

bool gw_inspect_files_ok(const char *verb, const gw_inspect_args *args)
{
    bool ok = true;

    for (int i = 0; i < args->num_files; i++) {
        const char *path = args->files[i];
        struct stat st;
        if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && S_ISFIFO(st.st_mode)))
            continue;
        gw_capture *capture = gw_inspect_open(verb, path);
        if (capture == NULL)
            ok = false;
        gw_capture_close(capture);
    }
    return ok;
}

error_t gw_inspect_parse_files(int key, char *arg, struct argp_state *state)
{
    gw_inspect_args *args = state->input;

    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = args;
        return 0;
    case ARGP_KEY_ARGS:
        args->files = state->argv + state->next;
        args->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no capture file given; - reads standard input");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

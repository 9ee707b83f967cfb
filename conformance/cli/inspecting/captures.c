/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of verbs that read captures, and opening the files. */
#include "cli/inspecting/captures.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/output.h"
#include "evidence/exit.h"
#include "harness/stop.h"

#define WHY_MAX 512

static const struct argp_option options[] = {
    {"proto", 'p', "PROTO", 0,
     "Take all UDP datagrams and TCP streams that are not on another format's port for PROTO", 0},
    {"dialect", 'd', "D[@HOST[:PORT]]", 0,
     "Read the traffic of HOST (either end; default: of everyone) in dialect D. May be repeated; "
     "the most specific one wins",
     0},
    {"json", 'j', NULL, 0, "Print JSON, one object a line", 0},
    {"live", 'i', "IFACE", 0,
     "Capture on the interface IFACE until Ctrl-C, in place of files; 'any' is all of them", 0},
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
    case 'i':
        args->live = arg;
        return 0;
    case 'j':
        args->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp gw_inspect_argp = {.options = options, .parser = parse};

static gw_capture *open_capture(const char *verb, const char *path, bool live)
{
    char why[WHY_MAX], line[3 * WHY_MAX];
    gw_capture *capture =
        live ? gw_capture_live(path, why, sizeof why) : gw_capture_open(path, why, sizeof why);

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
        gw_capture *capture = open_capture(verb, path, false);
        if (capture == NULL)
            ok = false;
        gw_capture_close(capture);
    }
    return ok;
}

void gw_inspect_run(gw_reading *r, gw_pipeline *pipeline, void (*idle)(void *ctx), void *ctx)
{
    gw_capture_status status = GW_CAPTURE_FRAME;
    gw_frame frame;

    while (!gw_stdout_failed() && !gw_stopped()) {
        status = gw_capture_next(r->capture, &frame);
        if (status == GW_CAPTURE_IDLE)
            idle(ctx);
        else if (status == GW_CAPTURE_FRAME)
            gw_pipeline_frame(pipeline, &frame);
        else
            break;
    }
    r->interrupted = gw_stopped() && status != GW_CAPTURE_END && !r->live;
    if (status == GW_CAPTURE_BROKEN && !r->interrupted)
        r->breaks_off = gw_capture_error(r->capture);
    r->dropped = gw_capture_lost(r->capture);
}

static int read_one(const char *verb, const char *file, bool live,
                    int (*read)(void *ctx, gw_reading *reading), void *ctx)
{
    gw_reading r = {.file = file, .live = live, .capture = open_capture(verb, file, live)};

    if (r.capture == NULL)
        return GW_EXIT_USAGE;
    if (live)
        fprintf(stderr, "%s: capturing on %s, until Ctrl-C\n", verb, file);
    int code = read(ctx, &r);
    gw_capture_close(r.capture);
    return code;
}

int gw_inspect_each(const char *verb, const gw_inspect_args *args,
                    int (*read)(void *ctx, gw_reading *reading), void *ctx)
{
    int code = GW_EXIT_NOTHING;

    gw_stop_watch();
    if (args->live != NULL)
        return read_one(verb, args->live, true, read, ctx);
    for (int i = 0; i < args->num_files && !gw_stdout_failed() && !gw_stopped(); i++)
        code = gw_exit_join(code, read_one(verb, args->files[i], false, read, ctx));
    return code;
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
        if (args->live == NULL)
            argp_error(state, "no capture file given; - reads standard input");
        return 0;
    case ARGP_KEY_SUCCESS:
        if (args->live != NULL && args->num_files > 0)
            argp_error(state, "--live and files exclude each other");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

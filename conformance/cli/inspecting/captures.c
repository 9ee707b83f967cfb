/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of verbs that read captures, and opening the files. */
#include "cli/inspecting/captures.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/inspecting/at_once.h"
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
    {"merge", 'm', NULL, 0,
     "Read all files as one, in the order of time: taps of the same traffic. Their clocks are "
     "compared by the frames that they have in common, which are told once",
     0},
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
    case 'm':
        args->merge = true;
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

    gw_capture_on_idle(r->capture, idle, ctx);
    while (!gw_stdout_failed() && (r->live || !gw_stopped())) {
        status = gw_capture_next(r->capture, &frame);
        if (status != GW_CAPTURE_FRAME)
            break;
        gw_pipeline_frame(pipeline, &frame);
    }
    r->interrupted = gw_stopped() && status != GW_CAPTURE_END && !r->live;
    if (status == GW_CAPTURE_BROKEN && !r->interrupted)
        r->breaks_off = gw_capture_error(r->capture);
    r->dropped = gw_capture_lost(r->capture);
}

/* "12.345678" s of |ns|, without a sign. */
static const char *seconds(char out[32], int64_t ns)
{
    const uint64_t us = (uint64_t)(ns < 0 ? -ns : ns) / 1000;

    snprintf(out, 32, "%" PRIu64 ".%06" PRIu64, us / 1000000, us % 1000000);
    return out;
}

static void tell_shift(const char *verb, const char *first, const char *path,
                       const gw_capture_shift *shift)
{
    char line[2][WHY_MAX], by[32], spread[32];

    (void)gw_inspect_line(line[0], sizeof line[0], path);
    (void)gw_inspect_line(line[1], sizeof line[1], first);
    if (shift->frames == 0)
        fprintf(stderr,
                "%s: %s: no frame is once in it and once in %s: their clocks are taken to agree\n",
                verb, line[0], line[1]);
    else if (shift->shift_ns / 1000 == 0)
        fprintf(stderr,
                "%s: %s: its clock agrees with that of %s, by %" PRIu64
                " frames of both, half of which agree to within %s s\n",
                verb, line[0], line[1], shift->frames, seconds(spread, shift->spread_ns));
    else
        fprintf(stderr,
                "%s: %s: its clock is %s s %s that of %s, by %" PRIu64
                " frames of both, half of which agree to within %s s\n",
                verb, line[0], seconds(by, shift->shift_ns),
                shift->shift_ns < 0 ? "ahead of" : "behind", line[1], shift->frames,
                seconds(spread, shift->spread_ns));
}

static int read_merged(const char *verb, const gw_inspect_args *args,
                       int (*read)(void *ctx, gw_reading *reading), void *ctx)
{
    gw_capture_shift shifts[GW_CAPTURE_TAPS];
    char why[WHY_MAX], line[3 * WHY_MAX];
    gw_reading r = {.file = "merged"};

    if (args->num_files > GW_CAPTURE_TAPS) {
        fprintf(stderr, "%s: at most %d captures are merged\n", verb, GW_CAPTURE_TAPS);
        return GW_EXIT_USAGE;
    }
    r.capture = gw_capture_merge(args->files, (size_t)args->num_files, shifts, why, sizeof why);
    if (r.capture == NULL) {
        fprintf(stderr, "%s: %s\n", verb, gw_inspect_line(line, sizeof line, why));
        return GW_EXIT_USAGE;
    }
    for (int i = 1; i < args->num_files; i++)
        tell_shift(verb, args->files[0], args->files[i], &shifts[i]);
    const int code = read(ctx, &r);
    const uint64_t repeated = gw_capture_repeated(r.capture);
    fprintf(stderr, "merged: %" PRIu64 " frame%s left out, which another tap has shown\n", repeated,
            repeated == 1 ? " was" : "s were");
    gw_capture_close(r.capture);
    return code;
}

void gw_inspect_count(FILE *out, uint64_t number, const char *what)
{
    fprintf(out, "%" PRIu64 " %s%s", number, what, number == 1 ? "" : "s");
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

/* What reading the files one by one, or at once, needs to know. */
typedef struct files {
    const char *verb;
    const gw_inspect_args *args;
    int (*read)(void *ctx, gw_reading *reading);
    void *ctx;
} files;

static int read_file(void *ctx, size_t i)
{
    const files *f = ctx;

    return read_one(f->verb, f->args->files[i], false, f->read, f->ctx);
}

static const char *file_name(void *ctx, size_t i)
{
    return ((const files *)ctx)->args->files[i];
}

int gw_inspect_each(const char *verb, const gw_inspect_args *args,
                    int (*read)(void *ctx, gw_reading *reading), void *ctx)
{
    files each = {.verb = verb, .args = args, .read = read, .ctx = ctx};
    int code = GW_EXIT_NOTHING;

    gw_stop_watch();
    if (args->live != NULL)
        return read_one(verb, args->live, true, read, ctx);
    if (args->merge)
        return read_merged(verb, args, read, ctx);
    if (args->num_files > 1 && args->jobs > 1)
        return gw_at_once(verb, (size_t)args->num_files, args->jobs, read_file, file_name, &each);
    for (int i = 0; i < args->num_files && !gw_stdout_failed() && !gw_stopped(); i++)
        code = gw_exit_join(code, read_file(&each, (size_t)i));
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

static bool read_jobs(const char *text, unsigned *jobs)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);

    *jobs = (unsigned)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value >= 1 &&
           value <= GW_AT_ONCE_MAX;
}

error_t gw_inspect_parse_many(int key, char *arg, struct argp_state *state)
{
    gw_inspect_args *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        args->jobs = gw_at_once_jobs();
        break;
    case GW_INSPECT_KEY_JOBS:
        if (!read_jobs(arg, &args->jobs))
            argp_error(state, "--jobs: '%s' is no number of captures: 1 to %d", arg,
                       GW_AT_ONCE_MAX);
        return 0;
    case GW_INSPECT_KEY_LOSSLESS:
        args->lossless = true;
        return 0;
    default:
        break;
    }
    return gw_inspect_parse_files(key, arg, state);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire record: makes a golden trace from a run against a good board, for replay. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/board_options.h"
#include "cli/certify.h"
#include "cli/verb.h"
#include "evidence/clean.h"
#include "replay/recording.h"

static const char doc[] =
    "Run the conformance cases against a good board and keep what was said as a golden trace, "
    "commented and named by case.\v"
    "Only cases that pass are kept; what a case says when it does not is no example. `goldwire "
    "replay' and `goldwire certify --trace' make a test of the trace.\n\n"
    "Exit codes: as goldwire certify's; the trace is written whenever a case passed.";

enum { OPTION_ALL = GW_OPTION_OWN };

static const struct argp_option options[] = {
    {"dut", GW_OPTION_DUT, "[LINK=]URL", 0, "where the board is; once for each of its links", 0},
    {"serve", GW_OPTION_SERVE, "URL", 0, "where we wait for a board that calls us", 0},
    {"wait", GW_OPTION_WAIT, "SECONDS", 0, "for a board that calls us, 60 by default", 0},
    {"role", 'r', "ROLE", 0, "what the board is; of peer:ROLE it is known", 0},
    {"board-file", GW_OPTION_BOARD_FILE, "FILE", 0, "claims, areas and place of the board", 0},
    {"dialect", GW_OPTION_DIALECT, "D", 0, "how the board departs from the document", 0},
    {"case", 'c', "GLOB", 0, "only the cases that match; may be repeated", 0},
    {"patience", GW_OPTION_PATIENCE, "N", 0, "wait N times as long as usual, as for certify", 0},
    {"seed", GW_OPTION_SEED, "N", 0, "of everything random", 0},
    {"hooks", GW_OPTION_HOOKS, 0, 0, "run the board file's hooks where the board needs them", 0},
    {"all", OPTION_ALL, 0, 0, "keep also what a replay does not send unless it is told to", 0},
    {0},
};

typedef struct recording {
    gw_certify_options o;
    const char *path;
    FILE *file;
    gw_evidence_file *out;
    const gw_suite *suite;
    const gw_board_file *board;
    const gw_dialect *dialect;
    const gw_target *target;
    size_t kept;
    size_t refused; /* cases that a replay would not send */
    bool all;       /* they are kept nevertheless */
    bool told;      /* the trace tells of the board already */
    bool failed;    /* to be written, and that has been told */
} recording;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    recording *r = state->input;
    switch (key) {
    case OPTION_ALL:
        r->all = true;
        return 0;
    case ARGP_KEY_ARG:
        if (r->path != NULL)
            argp_error(state, "one trace at a time");
        r->path = arg;
        return 0;
    case ARGP_KEY_END:
        if (r->path == NULL)
            argp_error(state, "where to? give the name of a pcapng file");
        return 0;
    default:
        return gw_board_option(&r->o, key, arg, state);
    }
}

/* Whoever replays the trace has to know what it is of. */
static void begin(void *arg, const gw_suite *suite, const gw_board_file *board,
                  const gw_dialect *dialect, const gw_target *target)
{
    recording *r = arg;
    r->suite = suite;
    r->board = board;
    r->dialect = dialect;
    r->target = target;
}

/* Says of a case why it is left out. */
static void leave_out(const gw_result *result, const char *why)
{
    fprintf(stderr, "goldwire record: %s is left out: %s\n", result->which->id, why);
}

/* Where the trace will lie there is room for a part of it. */
static const char *folder_of(const char *path, char *out, size_t cap)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        (void)snprintf(out, cap, ".");
    else
        (void)snprintf(out, cap, "%.*s", (int)(slash - path + (slash == path)), path);
    return out;
}

static bool keep(void *arg, const gw_result *result, const gw_evidence *evidence, char *why,
                 size_t why_cap)
{
    recording *r = arg;
    char title[GW_RECORDING_TITLE];
    char folder[4096];
    char reason[512];
    /* What a case said before it found that it does not apply is a part of what the board has seen.
     */
    bool good = result->verdict == GW_PASS || result->verdict == GW_NA;
    if (!good || evidence->num_packets == 0 || result->which->endless)
        return true;
    if (!r->all &&
        (!gw_recording_goes(evidence, r->target, reason, sizeof(reason)) ||
         !gw_recording_may(result->which, evidence, r->suite, r->dialect, r->board,
                           folder_of(r->path, folder, sizeof(folder)), reason, sizeof(reason)))) {
        leave_out(result, reason);
        r->refused++;
        return true;
    }
    gw_recording_title(title, sizeof(title), result->which, r->suite, r->told ? NULL : r->board);
    r->told = true;
    if (!gw_evidence_append(r->out, evidence, title)) {
        (void)snprintf(why, why_cap, "%s: %s", r->path, strerror(errno));
        r->failed = true;
        return false;
    }
    r->kept += result->verdict == GW_PASS;
    return true;
}

static int show(void *arg, const gw_certify_outcome *outcome)
{
    const recording *r = arg;
    for (size_t i = 0; i < outcome->run->num_results; i++) {
        const gw_result *result = &outcome->run->results[i];
        if (result->which->endless)
            leave_out(result, "the board sends until it is stopped, and no two runs are alike");
        else if (result->verdict != GW_PASS && result->verdict != GW_NA)
            fprintf(stderr, "goldwire record: %s is left out: %s%s%s\n", result->which->id,
                    gw_verdict_name(result->verdict), result->text[0] != '\0' ? ": " : "",
                    result->text);
    }
    gw_put_plain(stdout, r->path);
    printf(": %zu of %zu cases\n", r->kept, outcome->run->num_results);
    if (r->refused > 0)
        printf(
            "left out: %zu that `goldwire replay' would not send as they are; --all keeps them\n",
            r->refused);
    return outcome->exit_code;
}

/* A trace of nothing is none, and neither is half a trace. */
static int finish(recording *r, int code)
{
    bool ok = gw_evidence_close(r->out);
    int error = errno;
    if (fclose(r->file) != 0 && ok) {
        error = errno;
        ok = false;
    }
    if (!ok && !r->failed)
        fprintf(stderr, "goldwire record: %s: %s\n", r->path, strerror(error));
    if (!ok || r->failed)
        code = GW_EXIT_TOOL;
    if (!ok || r->failed || r->kept == 0)
        (void)remove(r->path);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "OUT.pcapng", doc, NULL, NULL, NULL};
    recording r = {.o = {.seed = 1}};
    gw_verb_parse(&argp, argc, argv, &r);
    /* A trace that is there already is not lost to a mistyped name. */
    r.file = fopen(r.path, "wbx");
    if (r.file == NULL) {
        fprintf(stderr, "goldwire record: %s: %s\n", r.path, strerror(errno));
        return GW_EXIT_USAGE;
    }
    r.out = gw_evidence_create(r.file);
    gw_certify_hooks hooks = {
        .verb = "record", .begin = begin, .keep = keep, .show = show, .arg = &r};
    int code = GW_EXIT_TOOL;
    if (r.out != NULL)
        code = gw_certify(&r.o, &hooks);
    else {
        fprintf(stderr, "goldwire record: %s: %s\n", r.path, strerror(errno));
        r.failed = true;
    }
    return finish(&r, code);
}

const gw_verb gw_verb_record = {"record", "make a golden trace from a run", run};

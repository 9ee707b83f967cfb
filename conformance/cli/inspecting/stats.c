/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire stats: what a capture comes to, in tables. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/inspecting/captures.h"
#include "cli/inspecting/registers.h"
#include "cli/inspecting/stats_show.h"
#include "cli/output.h"
#include "cli/verb.h"

#define VERB "goldwire stats"
#define NAME_SHOWN 4096

static const struct argp_option options[] = {
    GW_INSPECT_REGISTERS("for response times"),
    GW_INSPECT_JOBS,
    GW_INSPECT_LOSSLESS,
    {0},
};

typedef struct teller {
    gw_inspect_args args;  /* first: the parser of files takes it for its input */
    gw_name_map registers; /* of a file */
    char name[NAME_SHOWN]; /* of the capture being read, for people */
    gw_stats *stats;
    gw_json json;
} teller;

static void on_note(void *ctx, uint64_t frame, const char *text)
{
    const teller *t = ctx;

    if (frame != 0)
        fprintf(stderr, "%s:%" PRIu64 ": %s\n", t->name, frame, text);
    else
        fprintf(stderr, "%s: %s\n", t->name, text);
}

static void on_found(void *ctx, const gw_found *found)
{
    gw_stats_found(((teller *)ctx)->stats, found);
}

static void on_arp(void *ctx, const gw_message *message)
{
    gw_stats_arp(((teller *)ctx)->stats, message);
}

static void show_text(const teller *t, const gw_reading *r, const gw_pipeline_counts *counts)
{
    printf("%s: ", t->name);
    gw_inspect_count(stdout, counts->messages, "message");
    fputs(" in ", stdout);
    gw_inspect_count(stdout, counts->frames, "frame");
    if (counts->foreign > 0)
        printf(", %" PRIu64 " foreign", counts->foreign);
    if (r->live) {
        fputs(", ", stdout);
        gw_inspect_count(stdout, r->dropped, "frame");
        fputs(" dropped", stdout);
    }
    putchar('\n');
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_stats_rows *rows = gw_stats_of(t->stats, gw_formats[i]);
        if (rows != NULL)
            gw_stats_text(gw_formats[i], rows);
    }
}

static void show_json(teller *t, const gw_reading *r, const gw_pipeline_counts *counts)
{
    gw_json *j = &t->json;

    gw_json_open(j, NULL, '{');
    gw_json_str(j, "file", r->file);
    gw_json_uint(j, "frames", counts->frames);
    gw_json_uint(j, "messages", counts->messages);
    gw_json_uint(j, "foreign", counts->foreign);
    gw_json_uint(j, "dropped", r->dropped);
    gw_json_str(j, "breaks_off", r->breaks_off);
    gw_json_bool(j, "interrupted", r->interrupted);
    gw_json_open(j, "formats", '[');
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_stats_rows *rows = gw_stats_of(t->stats, gw_formats[i]);
        if (rows == NULL)
            continue;
        gw_json_open(j, NULL, '{');
        gw_stats_json(j, gw_formats[i], rows);
        gw_json_close(j, '}');
    }
    gw_json_close(j, ']');
    gw_json_close(j, '}');
    gw_json_end(j);
}

/* How reading ended, and what it comes to. */
static int tell_end(const teller *t, const gw_reading *r, const gw_pipeline *pipeline)
{
    if (r->breaks_off != NULL) {
        fprintf(stderr, "%s: the capture breaks off: %s\n", t->name, r->breaks_off);
        return GW_EXIT_FAIL;
    }
    if (r->interrupted) {
        fprintf(stderr, "%s: interrupted: what follows was not read\n", t->name);
        return GW_EXIT_INCONC;
    }
    if (gw_pipeline_count(pipeline)->messages == 0) {
        char why[256];
        gw_text text = gw_text_over(why, sizeof why);
        gw_pipeline_why_nothing(pipeline, &text);
        fprintf(stderr, "%s: no message found: %s\n", t->name, why);
        return GW_EXIT_NOTHING;
    }
    return GW_EXIT_OK;
}

/* Counts one capture through a pipeline of its own. */
static int run(teller *t, gw_reading *reading, gw_pipeline *pipeline)
{
    gw_pipeline_arp(pipeline, on_arp);
    gw_inspect_run(reading, pipeline, NULL, NULL);
    gw_pipeline_end(pipeline);
    if (!gw_stats_end(t->stats)) {
        fprintf(stderr, "%s: out of memory\n", VERB);
        return GW_EXIT_TOOL;
    }
    if (t->args.json)
        show_json(t, reading, gw_pipeline_count(pipeline));
    else
        show_text(t, reading, gw_pipeline_count(pipeline));
    return tell_end(t, reading, pipeline);
}

static int count_capture(void *ctx, gw_reading *reading)
{
    teller *t = ctx;
    gw_pipeline *pipeline = gw_pipeline_new(&t->args.selection, on_found, on_note, t);
    int code = GW_EXIT_TOOL;

    gw_inspect_line(t->name, sizeof t->name, reading->file);
    t->stats = gw_stats_new(&t->registers);
    if (t->stats != NULL && t->args.lossless)
        gw_stats_lossless(t->stats);
    if (pipeline != NULL && t->stats != NULL)
        code = run(t, reading, pipeline);
    else
        fprintf(stderr, "%s: out of memory\n", VERB);
    gw_stats_free(t->stats);
    gw_pipeline_free(pipeline);
    return code;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    teller *t = state->input;

    if (key != GW_INSPECT_KEY_REGISTERS)
        return gw_inspect_parse_many(key, arg, state);
    gw_inspect_parse_registers(&t->registers, arg, state);
    return 0;
}

static int stats(int argc, char **argv)
{
    static const struct argp_child children[] = {{&gw_inspect_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "FILE...\n--live IFACE",
        .doc = "Counts what the captures FILE hold, in tables: messages by kind, the values of "
               "their fields, response times by kind of request, address, register and board, what "
               "became of "
               "requests, findings by rule, conversations and endpoints."
               "\vThe Wireshark plugin counts the same (Statistics; tshark -z FORMAT,tree and "
               "FORMAT,srt). Of response times the slowest on average come first. What there are "
               "too many of to be told apart shares a row. In JSON (--json) times are in "
               "nanoseconds.\n\n"
               "Exit status: 0 messages were counted; 1 a capture breaks off, or the interface "
               "went away; 2 a wrong call, an unreadable file, or an interface that is not there "
               "or may not be captured on; 3 reading a file was interrupted (Ctrl-C is how a live "
               "capture ends); 4 a fault of goldwire; 6 there was no message.\n\n"
               "Example:\n"
               "  goldwire stats night.pcapng.zst\n"
               "  goldwire stats --registers build/csr.csv night.pcapng.zst\n",
        .children = children,
    };
    teller *t = calloc(1, sizeof *t);
    int code = GW_EXIT_USAGE;

    if (t == NULL)
        return GW_EXIT_TOOL;
    gw_verb_parse(&argp, argc, argv, &t->args);
    gw_stdout_prepare();
    gw_json_init(&t->json, stdout);
    if (gw_inspect_files_ok(VERB, &t->args))
        code = gw_stdout_finish(VERB, gw_inspect_each(VERB, &t->args, count_capture, t));
    gw_name_map_clear(&t->registers);
    free(t);
    return code;
}

const gw_verb gw_verb_stats = {"stats", "count what a capture holds, in tables", stats};

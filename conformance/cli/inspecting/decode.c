/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire decode: every message of a capture, as a tree, a line or JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/inspecting/captures.h"
#include "cli/inspecting/registers.h"
#include "cli/output.h"
#include "cli/showing/frames.h"
#include "cli/showing/pager.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "goldwire/etherbone.h"
#include "inspect/account.h"
#include "inspect/conversations.h"
#include "inspect/describe/describe.h"
#include "inspect/filter/filter.h"
#include "inspect/sessions.h"
#include "names/boards.h"

#define VERB "goldwire decode"
#define NAME_SHOWN 4096

enum { KEY_BRIEF = 256, KEY_FRAMES, KEY_COLOR, KEY_FILTER, KEY_FOLLOW };

static const struct argp_option options[] = {
    {"brief", KEY_BRIEF, NULL, 0,
     "One line a message: frame, time, source, destination, what it is, its first finding", 0},
    {"frames", KEY_FRAMES, "LIST", 0,
     "Show only messages that these frames gave bytes to: numbers and ranges, as in 1,5-9,20-", 0},
    {"follow", KEY_FOLLOW, "N", 0,
     "Show only messages of conversation N, counting from 1 as they begin in each capture; stats "
     "lists them",
     0},
    {"filter", KEY_FILTER, "EXPR", 0,
     "Show only messages that match: fields by their names in Wireshark, == != > >= < <= contains, "
     "and, or, not, parentheses, as in 'etherbone.record.rcount > 0 and not etherbone.pf == 1'",
     0},
    GW_INSPECT_REGISTERS("for addresses that are read and written"),
    {"color", KEY_COLOR, "WHEN", 0,
     "Colours: always, never, or auto (the default: on a terminal, unless NO_COLOR is set)", 0},
    {0},
};

typedef struct decoder {
    gw_inspect_args args; /* first: the parser of files takes it for its input */
    bool brief;
    bool colours;
    gw_frames frames;               /* none: all are shown */
    gw_filter filter;               /* empty: all are shown */
    uint32_t follow;                /* the conversation to show; 0: all are */
    gw_conversations conversations; /* of the capture being read; with |follow| only */
    bool named;                     /* registers are */
    gw_name_map registers;          /* of a file */
    gw_board_names *boards;         /* of the capture being read; with |named| only */
    gw_message_names names;         /* of the message at hand */
    uint64_t shown;                 /* messages of the capture being read */
    const char *file;               /* being read */
    char name[NAME_SHOWN];          /* of it, for people */
    gw_sessions *sessions;
    bool bug;
    bool no_memory;
    gw_describe_last last; /* of --brief */
    gw_json json;
    gw_account account;
} decoder;

static void on_note(void *ctx, uint64_t frame, const char *text)
{
    const decoder *d = ctx;

    if (gw_stdout_failed())
        return;
    if (frame != 0)
        fprintf(stderr, "%s:%" PRIu64 ": %s\n", d->name, frame, text);
    else
        fprintf(stderr, "%s: %s\n", d->name, text);
}

static bool selected(decoder *d, const gw_found *found)
{
    return (d->follow == 0 || gw_conversations_number(&d->conversations, found) == d->follow) &&
           (d->frames.num == 0 || gw_frames_hold(&d->frames, found->message)) &&
           (d->filter.num == 0 || gw_filter_matches(&d->filter, found));
}

static void show(decoder *d, const gw_found *found)
{
    d->shown++;
    if (d->named && found->format == &gw_etherbone &&
        gw_message_names_of(&d->names, &d->registers, d->boards, found->message, found->dialect))
        d->account.names = &d->names;
    if (d->args.json)
        d->no_memory |= !gw_describe_object(&d->json, d->file, found, &d->account);
    else if (d->brief)
        gw_describe_brief(stdout, found, &d->last, &d->account, d->colours);
    else
        gw_describe_tree(stdout, found, &d->account, &(gw_describe_looks){.colours = d->colours});
}

static void on_found(void *ctx, const gw_found *found)
{
    decoder *d = ctx;

    if (gw_stdout_failed())
        return;
    gw_account_open(&d->account, found);
    if (d->named && found->format == &gw_etherbone)
        gw_board_names_learn(d->boards, found->message, found->dialect);
    gw_sessions_feed(d->sessions, found, &d->account.sink);
    if (selected(d, found))
        show(d, found);
    if (d->account.error.kind == GW_BUG) {
        on_note(d, found->message->frame,
                "a bug in goldwire: the fields of this message do not cover it bit by bit; "
                "please report it with this capture");
        d->bug = true;
    }
    gw_account_close(&d->account);
}

static void on_idle(void *ctx)
{
    (void)ctx;
    (void)fflush(stdout); /* what goes wrong is seen by the next that is printed */
}

/* How reading ended, where that is not the end of a file. */
static int tell_end(const decoder *d, const gw_reading *r, const gw_pipeline_counts *counts)
{
    if (r->live) {
        fprintf(stderr, "%s: ", d->name);
        gw_inspect_count(stderr, counts->frames, "frame");
        fputs(", ", stderr);
        gw_inspect_count(stderr, counts->messages, "message");
        fputs(", ", stderr);
        gw_inspect_count(stderr, r->dropped, "frame");
        fputs(" dropped\n", stderr);
    }
    if (r->breaks_off != NULL) {
        fprintf(stderr, "%s: the capture breaks off: %s\n", d->name, r->breaks_off);
        return GW_EXIT_FAIL;
    }
    if (r->interrupted) {
        fprintf(stderr, "%s: interrupted after ", d->name);
        gw_inspect_count(stderr, counts->frames, "frame");
        fputc('\n', stderr);
        return GW_EXIT_INCONC;
    }
    return GW_EXIT_OK;
}

/* What was asked for is not among the messages. */
static void tell_none_selected(const decoder *d, const gw_pipeline_counts *counts)
{
    const uint32_t num = d->conversations.num;

    if (d->follow <= num) {
        fprintf(stderr, "%s: of ", d->name);
        gw_inspect_count(stderr, counts->messages, "message");
        fputs(" none was selected\n", stderr);
    } else {
        fprintf(stderr,
                "%s: no conversation %" PRIu32 ": there %s %" PRIu32
                ", which 'goldwire stats' lists\n",
                d->name, d->follow, num == 1 ? "is" : "are", num);
    }
}

/* Reads one capture through a pipeline of its own. */
static int run(decoder *d, gw_reading *reading, gw_pipeline *pipeline)
{
    int code = GW_EXIT_OK;

    gw_inspect_run(reading, pipeline, on_idle, NULL);
    if (gw_stdout_failed())
        return code;
    gw_pipeline_end(pipeline);
    gw_sessions_end(d->sessions, &d->account.sink);
    gw_account_end(&d->account);
    if (gw_stdout_failed())
        return code;

    code = tell_end(d, reading, gw_pipeline_count(pipeline));
    if (gw_pipeline_count(pipeline)->messages == 0) {
        char why[256];
        gw_text text = gw_text_over(why, sizeof why);
        gw_pipeline_why_nothing(pipeline, &text);
        fprintf(stderr, "%s: no message found: %s\n", d->name, why);
        if (code == GW_EXIT_OK)
            code = GW_EXIT_NOTHING;
    } else if (d->shown == 0) {
        tell_none_selected(d, gw_pipeline_count(pipeline));
        if (code == GW_EXIT_OK)
            code = GW_EXIT_NOTHING;
    }
    if (d->no_memory)
        fprintf(stderr, "%s: out of memory\n", VERB);
    return d->bug || d->no_memory ? GW_EXIT_TOOL : code;
}

static int decode_capture(void *ctx, gw_reading *reading)
{
    decoder *d = ctx;
    gw_pipeline *pipeline = gw_pipeline_new(&d->args.selection, on_found, on_note, d);
    int code = GW_EXIT_TOOL;

    d->file = reading->file;
    d->shown = 0;
    memset(&d->conversations, 0, sizeof d->conversations);
    gw_inspect_line(d->name, sizeof d->name, d->file);
    d->sessions = gw_sessions_new();
    d->boards = d->named ? gw_board_names_new() : NULL;
    if (pipeline != NULL && d->sessions != NULL && (d->boards != NULL || !d->named))
        code = run(d, reading, pipeline);
    else
        fprintf(stderr, "%s: out of memory\n", VERB);
    gw_board_names_free(d->boards);
    gw_sessions_free(d->sessions);
    gw_pipeline_free(pipeline);
    return code;
}

static bool read_number(const char *text, uint32_t *out)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);

    *out = (uint32_t)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value >= 1 &&
           value <= GW_CONVERSATIONS;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    decoder *d = state->input;
    char why[GW_FILTER_WHY];

    switch (key) {
    case ARGP_KEY_INIT:
        d->colours = gw_terminal_colours(STDOUT_FILENO);
        return gw_inspect_parse_files(key, arg, state);
    case KEY_BRIEF:
        d->brief = true;
        return 0;
    case KEY_FRAMES:
        if (!gw_frames_parse(&d->frames, arg, why, sizeof why))
            argp_error(state, "--frames: %s", why);
        return 0;
    case KEY_FOLLOW:
        if (!read_number(arg, &d->follow))
            argp_error(state, "--follow: '%s' is no number of a conversation: 1 to %u", arg,
                       (unsigned)GW_CONVERSATIONS);
        return 0;
    case KEY_FILTER:
        if (!gw_filter_parse(&d->filter, arg, why, sizeof why))
            argp_error(state, "--filter: %s", why);
        return 0;
    case GW_INSPECT_KEY_REGISTERS:
        gw_inspect_parse_registers(&d->registers, arg, state);
        d->named = true;
        return 0;
    case KEY_COLOR:
        if (strcmp(arg, "always") == 0)
            d->colours = true;
        else if (strcmp(arg, "never") == 0)
            d->colours = false;
        else if (strcmp(arg, "auto") != 0)
            argp_error(state, "--color: '%s' is not known (known: always never auto)", arg);
        return 0;
    case ARGP_KEY_END:
        if (d->brief && d->args.json)
            argp_error(state, "--brief and --json exclude each other");
        return 0;
    default:
        return gw_inspect_parse_files(key, arg, state);
    }
}

/* Reads all files, with a pager where somebody reads along; what passes on an interface scrolls by.
 */
static int decode_all(decoder *d)
{
    pid_t pager = d->args.json || d->args.live != NULL ? 0 : gw_pager_start();

    gw_stdout_prepare();
    gw_json_init(&d->json, stdout);
    gw_account_init(&d->account, on_note, d);
    int code = gw_inspect_each(VERB, &d->args, decode_capture, d);
    code = gw_stdout_finish(VERB, code);
    return gw_pager_end(pager) ? code : GW_EXIT_USAGE;
}

static int decode(int argc, char **argv)
{
    static const struct argp_child children[] = {{&gw_inspect_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "FILE...\n--live IFACE",
        .doc = "Shows every message of the captures FILE (pcap, pcapng, ERF, also in gzip, "
               "zstd or lz4; - is standard input)."
               "\vFields are shown with their byte offset in the message, value and meaning; then "
               "why decoding stopped, if it did, and the rules that are broken. Messages are found "
               "by their ports, on unknown UDP ports by their content, or with --proto. What was "
               "lost or cannot be followed is told on standard error. On a terminal PAGER (less) "
               "shows it.\n\n"
               "Exit status: 0 messages were shown; 1 a capture breaks off (what came before is "
               "shown), or the interface went away; 2 a wrong call, an unreadable file, or an "
               "interface that is not there or may not be captured on; 3 reading a file was "
               "interrupted (Ctrl-C is how a live capture ends); 4 a fault of goldwire; 6 no "
               "message was found, or none selected.\n\n"
               "Example:\n"
               "  goldwire decode --dialect litex@10.0.0.7 --json board.pcapng | jq .payload\n"
               "  goldwire decode --brief --frames 20-40 board.pcapng\n"
               "  goldwire decode --brief --registers build/csr.csv board.pcapng\n",
        .children = children,
    };
    decoder *d = calloc(1, sizeof *d);

    if (d == NULL)
        return GW_EXIT_TOOL;
    gw_verb_parse(&argp, argc, argv, d);
    int code = gw_inspect_files_ok(VERB, &d->args) ? decode_all(d) : GW_EXIT_USAGE;
    gw_name_map_clear(&d->registers);
    free(d);
    return code;
}

const gw_verb gw_verb_decode = {"decode", "show every message of a capture", decode};

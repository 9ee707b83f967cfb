/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire encode: the objects of `decode --json` back into a capture. */
#include <errno.h>
#include <inttypes.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/verb.h"
#include "goldwire/mend.h"
#include "inspect/assemble.h"
#include "inspect/framer.h"
#include "inspect/selection.h"

#define VERB "goldwire encode"
#define WHY_MAX 512

/* One message of 64 KiB in the smallest units gives fields of some 25 MB. */
#define LINE_MAX_LEN ((size_t)64 << 20)

typedef struct encode_args {
    const gw_format *format;
    const char *file;
    bool mend;
} encode_args;

typedef struct encoder {
    encode_args args;
    char name[4096]; /* of the file, for people */
    gw_framer *framer;
    uint64_t line;
    uint64_t messages;
    gw_assembled assembled;
} encoder;

static int complain(const encoder *e, const char *why)
{
    fprintf(stderr, "%s: %s line %" PRIu64 ": %s\n", VERB, e->name, e->line, why);
    if (e->messages > 0)
        fprintf(stderr, "%s: %" PRIu64 " message%s before it %s written\n", VERB, e->messages,
                e->messages == 1 ? "" : "s", e->messages == 1 ? "was" : "were");
    return GW_EXIT_USAGE;
}

/* What a frame of a link type is, the framer would say; the walk wants to know it now. */
static gw_message message_of(const gw_assembled *a)
{
    const gw_link *link = gw_format_link(a->format, a->message.link_type);
    gw_message m = a->message;

    if (link != NULL && m.transport == GW_OVER_NOTHING)
        m.part = link->part;
    return m;
}

/* What an edit made stale is computed anew, or told. */
static void mend(encoder *e, const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "dialect"));
    gw_assembled *a = &e->assembled;
    gw_message m = message_of(a);
    gw_check_leaf stale[GW_MEND_MAX];
    size_t num = gw_mend_find(stale, a->format, &m,
                              name != NULL ? gw_dialect_by_name(a->format, name) : NULL);

    if (e->args.mend)
        gw_mend_apply(a->bytes, m.cap_len, stale, num);
    for (size_t i = 0; i < num && !e->args.mend; i++)
        fprintf(stderr,
                "%s: %s line %" PRIu64 ": %s is 0x%" PRIx64
                ", and the bytes around it ask for 0x%" PRIx64 "; --mend puts that in\n",
                VERB, e->name, e->line, stale[i].item.field->name, stale[i].item.value,
                stale[i].expected);
}

static int encode_object(encoder *e, const json_t *object)
{
    char why[WHY_MAX];

    if (!gw_assemble(&e->assembled, object, e->args.format, why, sizeof why))
        return complain(e, why);
    mend(e, object);
    switch (gw_framer_add(e->framer, &e->assembled, why, sizeof why)) {
    case GW_FRAMER_OK:
        e->messages++;
        return GW_EXIT_OK;
    case GW_FRAMER_REFUSED:
        return complain(e, why);
    default:
        return GW_EXIT_TOOL;
    }
}

static bool blank(const char *text, size_t len)
{
    return strspn(text, " \t\r\n") == len;
}

static int encode_line(encoder *e, const char *text, size_t len)
{
    char why[WHY_MAX];
    json_error_t error;

    if (blank(text, len))
        return GW_EXIT_OK;
    json_t *object = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL) {
        snprintf(why, sizeof why, "column %d: %s (one object a line, as decode --json prints them)",
                 error.column, error.text);
        return complain(e, why);
    }
    int code = encode_object(e, object);
    json_decref(object);
    return code;
}

/* Reads a line of bounded length. -1 at the end, -2 when it is too long. */
static ssize_t read_line(FILE *in, char **text, size_t *cap)
{
    size_t len = 0;
    int c;

    while ((c = getc_unlocked(in)) != EOF) {
        if (len == *cap) {
            size_t more = *cap == 0 ? 65536 : *cap * 2;
            char *grown = more <= LINE_MAX_LEN ? realloc(*text, more) : NULL;
            if (grown == NULL)
                return -2;
            *text = grown;
            *cap = more;
        }
        (*text)[len++] = (char)c;
        if (c == '\n')
            break;
    }
    return len > 0 ? (ssize_t)len : -1;
}

static int encode_lines(encoder *e, FILE *in)
{
    char *text = NULL;
    size_t cap = 0;
    ssize_t len;
    int code = GW_EXIT_OK;

    while (code == GW_EXIT_OK && (len = read_line(in, &text, &cap)) != -1) {
        e->line++;
        code = len < 0 ? complain(e, "is longer than 64 MiB") : encode_line(e, text, (size_t)len);
    }
    free(text);
    if (code == GW_EXIT_OK && ferror(in)) {
        fprintf(stderr, "%s: %s: %s\n", VERB, e->name, strerror(errno));
        return GW_EXIT_USAGE;
    }
    if (code == GW_EXIT_OK && e->messages == 0) {
        fprintf(stderr, "%s: %s: no message in it\n", VERB, e->name);
        return GW_EXIT_NOTHING;
    }
    return code;
}

static int run(encoder *e, FILE *in)
{
    gw_pcapng_writer *writer = gw_pcapng_create(stdout, "goldwire " GW_VERSION);
    int code = GW_EXIT_TOOL;

    if (writer == NULL)
        return code;
    e->framer = gw_framer_new(writer);
    if (e->framer != NULL)
        code = encode_lines(e, in);
    /* A capture of nothing is none: its beginning is still in the buffer. */
    if (e->messages == 0)
        __fpurge(stdout);
    /* What was encoded before a wrong line stays a whole capture. */
    if (e->framer != NULL && code != GW_EXIT_TOOL && gw_framer_end(e->framer) != GW_FRAMER_OK)
        code = GW_EXIT_TOOL;
    gw_framer_free(e->framer);
    if (!gw_pcapng_close(writer))
        code = GW_EXIT_TOOL;
    return code;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    encode_args *args = state->input;
    char why[WHY_MAX];

    switch (key) {
    case 'p':
        args->format = gw_format_find(arg, why, sizeof why);
        if (args->format == NULL)
            argp_error(state, "--proto: %s", why);
        return 0;
    case 'm':
        args->mend = true;
        return 0;
    case ARGP_KEY_ARG:
        if (args->file != NULL)
            argp_error(state, "more than one file: '%s'", arg);
        args->file = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Encodes what e->args names. */
static int encode_file(encoder *e)
{
    bool named = e->args.file != NULL && strcmp(e->args.file, "-") != 0;

    if (isatty(STDOUT_FILENO)) {
        fprintf(stderr, "%s: a capture is not for a terminal; send it to a file: > out.pcapng\n",
                VERB);
        return GW_EXIT_USAGE;
    }
    gw_inspect_line(e->name, sizeof e->name, named ? e->args.file : "standard input");
    FILE *in = named ? fopen(e->args.file, "re") : stdin;
    if (in == NULL) {
        fprintf(stderr, "%s: %s: %s\n", VERB, e->name, strerror(errno));
        return GW_EXIT_USAGE;
    }
    gw_stdout_prepare();
    int code = run(e, in);
    if (in != stdin)
        (void)fclose(in);
    return gw_stdout_finish(VERB, code);
}

static int encode(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"proto", 'p', "PROTO", 0, "The format of objects that name none", 0},
        {"mend", 'm', NULL, 0,
         "Compute anew the check bytes and checksums inside of messages that do not fit", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[FILE]",
        .doc =
            "Writes a capture (pcapng) to standard output, made from the objects that "
            "`goldwire decode --json` prints, one a line, in FILE or standard input."
            "\vThe leaf fields win over the payload: edit \"value\" of a field and its bits, no "
            "others, change; a check byte that does not fit then (TEXTAROSSA's EDAC, SCI's CRC) is "
            "told, or mended with --mend. Fields may be left out; views are ignored. UDP messages "
            "get an "
            "Ethernet, IP and UDP header, TCP streams a connection with its handshake, bare "
            "units a frame of their link type; a message without addresses goes to the format's "
            "port on 127.0.0.1.\n\n"
            "Exit status: 0 a capture was written; 2 a wrong call or a wrong object (line and "
            "field are told); 4 it cannot be written; 6 there was no object.\n\n"
            "Example:\n"
            "  goldwire decode --json in.pcap | sed 's/\"value\":15,/\"value\":3,/' |\n"
            "    goldwire encode > out.pcapng\n",
    };
    encoder *e = calloc(1, sizeof *e);

    if (e == NULL)
        return GW_EXIT_TOOL;
    gw_verb_parse(&argp, argc, argv, &e->args);
    int code = encode_file(e);
    free(e);
    return code;
}

const gw_verb gw_verb_encode = {"encode", "turn decode's JSON back into a capture", encode};

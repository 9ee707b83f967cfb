/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire check: which rules the messages of a capture break, one by one and as a conversation. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/inspecting/captures.h"
#include "cli/inspecting/findings.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "inspect/sessions.h"
#include "json/json.h"

#define VERB "goldwire check"
#define NAME_SHOWN 4096
#define RULES_MAX 256 /* of one format */

/* How often one rule was broken. */
typedef struct tally {
    const gw_rule *rule;
    uint64_t broken;
    uint64_t by_goldwire; /* of these, by what it sent itself */
} tally;

typedef struct checker {
    gw_verdict_sink sink;
    gw_inspect_args args;
    const char *file;      /* being read */
    char name[NAME_SHOWN]; /* of it, for people */
    gw_sessions *sessions;
    uint64_t origin; /* of the current message: the frame that it passes on; 0: none */
    uint64_t must;   /* findings of that level in the capture being read ... */
    uint64_t alone;  /* ... of these, what one message shows, whatever else was captured */
    uint64_t relations[GW_NUM_RELATIONS];
    uint64_t ambiguous;
    size_t num_tallies;
    tally tallies[RULES_MAX];
    gw_json json;
    gw_findings findings;
} checker;

static void on_note(void *ctx, uint64_t frame, const char *text)
{
    const checker *c = ctx;

    if (gw_stdout_failed())
        return;
    if (frame != 0)
        fprintf(stderr, "%s:%" PRIu64 ": %s\n", c->name, frame, text);
    else
        fprintf(stderr, "%s: %s\n", c->name, text);
}

static tally *tally_of(checker *c, const gw_rule *rule)
{
    for (size_t i = 0; i < c->num_tallies; i++) {
        if (c->tallies[i].rule == rule)
            return &c->tallies[i];
    }
    if (c->num_tallies == RULES_MAX)
        return NULL;
    tally *t = &c->tallies[c->num_tallies++];
    *t = (tally){.rule = rule};
    return t;
}

/* The clause of |rule|, for people. */
static gw_clause clause_of(const gw_rule *rule)
{
    size_t i = 0;

    while (i + 1 < gw_num_formats && gw_format_rule(gw_formats[i], rule->id) != rule)
        i++;
    return gw_clause_of(gw_formats[i], rule->clause);
}

/* Who sent what it is about, as evidence tells, and how often it was found. */
static void print_remarks(const gw_held_finding *h)
{
    static const char *const senders[] = {"", " (sent by goldwire)", " (sent by the board)"};
    const gw_finding *f = &h->finding;

    if (f->revealed_by != f->frame && f->revealed_by != 0)
        printf(" (shown by frame %" PRIu64 ")", f->revealed_by);
    fputs(senders[h->sender], stdout);
    if (h->times > 1)
        printf(" (%" PRIu32 " times)", h->times);
    putchar('\n');
}

static void print_finding(void *ctx, const gw_held_finding *h)
{
    checker *c = ctx;
    const gw_finding *f = &h->finding;
    const char *level = gw_level_name((gw_level)f->rule->level);

    if (gw_stdout_failed())
        return;
    if (!c->args.json) {
        printf("%s:%" PRIu64 ": %s %s @%" PRIu32 " %s", c->name, f->frame, f->rule->id, level,
               f->offset, f->text);
        print_remarks(h);
        return;
    }
    gw_json_open(&c->json, NULL, '{');
    gw_json_str(&c->json, "file", c->file);
    gw_json_uint(&c->json, "frame", f->frame);
    gw_json_uint(&c->json, "revealed_by", f->revealed_by);
    gw_json_str(&c->json, "rule", f->rule->id);
    gw_json_str(&c->json, "level", level);
    gw_json_uint(&c->json, "offset", f->offset);
    gw_json_str(&c->json, "field", f->field != NULL ? f->field->name : NULL);
    gw_json_str(&c->json, "text", f->text);
    gw_json_str(&c->json, "clause", clause_of(f->rule).text);
    gw_json_str(&c->json, "sender", gw_sender_name((gw_sender)h->sender));
    gw_json_uint(&c->json, "times", h->times);
    gw_json_close(&c->json, '}');
    gw_json_end(&c->json);
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    checker *c = (checker *)sink;
    tally *t = tally_of(c, finding->rule);
    gw_sender sender = gw_findings_add(&c->findings, finding);

    if (t != NULL) {
        t->broken++;
        t->by_goldwire += sender == GW_SENDER_GOLDWIRE;
    }
    if (finding->rule->level == GW_MUST)
        c->must++;
    if (finding->rule->level == GW_MUST && (finding->rule->scope & GW_SCOPE_MESSAGE) != 0 &&
        (finding->revealed_by == finding->frame || finding->revealed_by == 0))
        c->alone++;
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    checker *c = (checker *)sink;

    if (relation->kind < GW_NUM_RELATIONS)
        c->relations[relation->kind]++;
    if (relation->kind == GW_FORWARDED)
        c->origin = relation->request;
    if (relation->ambiguous)
        c->ambiguous++;
}

static void on_found(void *ctx, const gw_found *found)
{
    checker *c = ctx;

    c->origin = 0;
    gw_findings_frame(&c->findings, found->message->frame, (gw_sender)found->sender);
    gw_sessions_feed(c->sessions, found, &c->sink);
    gw_sessions_check(found, c->origin, &c->sink);
}

static void on_arp(void *ctx, const gw_message *message)
{
    checker *c = ctx;

    gw_findings_frame(&c->findings, message->frame, GW_SENDER_UNKNOWN);
    gw_sessions_arp(c->sessions, message, &c->sink);
}

/* ---- the summary of one capture ---- */

static int by_id(const void *a, const void *b)
{
    return strcmp(((const tally *)a)->rule->id, ((const tally *)b)->rule->id);
}

static const char *const relation_names[GW_NUM_RELATIONS] = {
    [GW_ANSWERS] = "answered",        [GW_DUPLICATE] = "duplicate",   [GW_STALE] = "stale",
    [GW_UNSOLICITED] = "unsolicited", [GW_UNANSWERED] = "unanswered", [GW_UNTRACKED] = "untracked",
    [GW_FORWARDED] = "forwarded",
};

/* How reading ended, where that is not the end of a file. */
static void print_end(const checker *c, const gw_reading *r)
{
    if (r->breaks_off != NULL)
        printf("%s: the capture breaks off: %s\n", c->name, r->breaks_off);
    if (r->interrupted)
        printf("%s: interrupted: what follows was not read\n", c->name);
    if (r->dropped > 0)
        printf("%s: %" PRIu64 " frames were dropped: what only a conversation shows may be due to "
               "that\n",
               c->name, r->dropped);
}

static void print_summary(const checker *c, const gw_pipeline_counts *counts, const gw_reading *r)
{
    const bool partly = r->breaks_off != NULL || r->interrupted;

    printf("%s: ", c->name);
    gw_inspect_count(stdout, counts->messages, "message");
    printf(" in ");
    gw_inspect_count(stdout, counts->frames, "frame");
    if (counts->foreign > 0)
        printf(", %" PRIu64 " foreign", counts->foreign);
    for (unsigned i = 0; i < GW_NUM_RELATIONS; i++) {
        /* The first and the last of these are said even when there are none: silence is no proof.
         */
        if (c->relations[i] > 0 || i == GW_ANSWERS || i == GW_UNANSWERED)
            printf(", %" PRIu64 " %s", c->relations[i], relation_names[i]);
    }
    if (c->ambiguous > 0)
        printf(", %" PRIu64 " ambiguous", c->ambiguous);
    putchar('\n');
    print_end(c, r);
    bool something = counts->messages > counts->foreign;
    if (c->num_tallies == 0)
        printf("%s: %s%s\n", c->name, something ? "no rule broken" : "nothing was checked",
               something && partly ? " before that" : "");
    for (size_t i = 0; i < c->num_tallies; i++) {
        const tally *t = &c->tallies[i];
        printf("%s: %-7s %-6s %8" PRIu64 "  %s", c->name, t->rule->id,
               gw_level_name((gw_level)t->rule->level), t->broken, t->rule->text);
        if (t->by_goldwire > 0)
            printf(" (%" PRIu64 " sent by goldwire)", t->by_goldwire);
        putchar('\n');
    }
}

static void print_summary_json(checker *c, const gw_pipeline_counts *counts, const gw_reading *r)
{
    gw_json *j = &c->json;

    gw_json_open(j, NULL, '{');
    gw_json_str(j, "file", c->file);
    gw_json_open(j, "summary", '{');
    gw_json_uint(j, "frames", counts->frames);
    gw_json_uint(j, "foreign", counts->foreign);
    gw_json_uint(j, "messages", counts->messages);
    gw_json_str(j, "breaks_off", r->breaks_off);
    gw_json_bool(j, "interrupted", r->interrupted);
    gw_json_uint(j, "dropped", r->dropped);
    gw_json_open(j, "rules", '[');
    for (size_t i = 0; i < c->num_tallies; i++) {
        const tally *t = &c->tallies[i];
        gw_json_open(j, NULL, '{');
        gw_json_str(j, "rule", t->rule->id);
        gw_json_str(j, "level", gw_level_name((gw_level)t->rule->level));
        gw_json_uint(j, "count", t->broken);
        gw_json_uint(j, "by_goldwire", t->by_goldwire);
        gw_json_close(j, '}');
    }
    gw_json_close(j, ']');
    gw_json_open(j, "relations", '{');
    for (unsigned i = 0; i < GW_NUM_RELATIONS; i++)
        gw_json_uint(j, relation_names[i], c->relations[i]);
    gw_json_uint(j, "ambiguous", c->ambiguous);
    gw_json_close(j, '}');
    gw_json_close(j, '}');
    gw_json_close(j, '}');
    gw_json_end(j);
}

static void summarise(checker *c, const gw_pipeline *pipeline, const gw_reading *r)
{
    qsort(c->tallies, c->num_tallies, sizeof c->tallies[0], by_id);
    if (c->args.json)
        print_summary_json(c, gw_pipeline_count(pipeline), r);
    else
        print_summary(c, gw_pipeline_count(pipeline), r);
}

/* ---- captures ---- */

/* What was found waits for more of its frame only as long as something comes. */
static void on_idle(void *ctx)
{
    checker *c = ctx;

    gw_findings_flush(&c->findings);
    (void)fflush(stdout);
}

/* What the findings and the end of |r| come to. */
static int verdict(const checker *c, const gw_reading *r)
{
    if (r->breaks_off != NULL || c->alone > 0 || (c->must > 0 && r->dropped == 0))
        return GW_EXIT_FAIL;
    return c->must > 0 || r->interrupted ? GW_EXIT_INCONC : GW_EXIT_OK;
}

/* Checks one capture through a pipeline of its own. */
static int run(checker *c, gw_reading *reading, gw_pipeline *pipeline)
{
    int code = GW_EXIT_OK;

    c->must = 0;
    c->alone = 0;
    c->num_tallies = 0;
    c->ambiguous = 0;
    memset(c->relations, 0, sizeof c->relations);
    gw_findings_start(&c->findings, print_finding, c);
    gw_pipeline_arp(pipeline, on_arp);
    gw_inspect_run(reading, pipeline, on_idle, c);
    if (gw_stdout_failed())
        return code;
    gw_pipeline_end(pipeline);
    gw_sessions_end(c->sessions, &c->sink);
    gw_findings_flush(&c->findings);
    if (gw_stdout_failed())
        return code;

    const gw_pipeline_counts *counts = gw_pipeline_count(pipeline);
    if (counts->messages == counts->foreign) {
        char why[256];
        gw_text text = gw_text_over(why, sizeof why);
        gw_pipeline_why_nothing(pipeline, &text);
        fprintf(stderr, "%s: nothing to check: %s\n", c->name, why);
        code = GW_EXIT_NOTHING;
    }
    summarise(c, pipeline, reading);
    const int found = verdict(c, reading);
    return found != GW_EXIT_OK ? found : code;
}

static int check_capture(void *ctx, gw_reading *reading)
{
    checker *c = ctx;
    gw_pipeline *pipeline = gw_pipeline_new(&c->args.selection, on_found, on_note, c);
    int code = GW_EXIT_TOOL;

    c->file = reading->file;
    gw_inspect_line(c->name, sizeof c->name, c->file);
    c->sessions = gw_sessions_new();
    if (c->sessions != NULL && c->args.lossless)
        gw_sessions_lossless(c->sessions);
    if (pipeline != NULL && c->sessions != NULL)
        code = run(c, reading, pipeline);
    else
        fprintf(stderr, "%s: out of memory\n", VERB);
    gw_sessions_free(c->sessions);
    gw_pipeline_free(pipeline);
    return code;
}

static int check(int argc, char **argv)
{
    static const struct argp_child children[] = {{&gw_inspect_argp, 0, NULL, 0}, {0}};
    static const struct argp_option options[] = {GW_INSPECT_JOBS, GW_INSPECT_LOSSLESS, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = gw_inspect_parse_many,
        .args_doc = "FILE...\n--live IFACE",
        .doc = "Judges every message of the captures FILE (pcap, pcapng, ERF, also in "
               "gzip, zstd or lz4; - is standard input) by the rules of its format, alone and in "
               "its conversation."
               "\vEach finding is a line FILE:FRAME: RULE LEVEL @OFFSET text; a count by rule "
               "follows. What a dialect is known to break is no finding.\n\n"
               "Exit status: 0 no MUST is broken; 1 one is, or a capture breaks off, or the "
               "interface went away; 2 a wrong call, an unreadable file, or an interface that is "
               "not there or may not be captured on; 3 reading a file was interrupted, or only "
               "conversations of a live capture that lost frames break one; 4 a fault of goldwire; "
               "6 there was nothing to check. Ctrl-C is how a live capture ends.\n\n"
               "Example:\n"
               "  goldwire check --dialect gsi@192.168.0.100 night.pcapng\n",
        .children = children,
    };
    checker *c = calloc(1, sizeof *c);

    if (c == NULL)
        return GW_EXIT_TOOL;
    gw_verb_parse(&argp, argc, argv, &c->args);
    if (!gw_inspect_files_ok(VERB, &c->args)) {
        free(c);
        return GW_EXIT_USAGE;
    }
    gw_stdout_prepare();
    gw_json_init(&c->json, stdout);
    c->sink.finding = on_finding;
    c->sink.relation = on_relation;
    const int code = gw_inspect_each(VERB, &c->args, check_capture, c);
    free(c);
    return gw_stdout_finish(VERB, code);
}

const gw_verb gw_verb_check = {"check", "judge the messages of a capture by the rules", check};

/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire replay: one side of a trace is sent, the answers are compared field by field. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/board_options.h"
#include "cli/certify.h"
#include "cli/verb.h"
#include "evidence/clean.h"
#include "json/json.h"

enum {
    OPTION_MODE = GW_OPTION_OWN,
    OPTION_TIMEOUT,
    OPTION_BOARD,
    OPTION_LINK,
    OPTION_ANY_ADDRESS,
    OPTION_ALL_VALUES,
    OPTION_PROTO,
};

static const char doc[] =
    "Send one side of a recorded trace to a board and compare its answers, field by field, with "
    "those that were recorded.\v"
    "What echoes a request (return addresses, ids) has to echo what was sent now; what the board "
    "names (queue pairs, keys, its memory, its number) is used as it names it now; what differs "
    "from run to run (time stamps) has to be there; everything else has to be equal. "
    "The first difference ends the replay and is reported by frame and field.\n\n"
    "Nothing is written outside the areas of the board file; without one a board that is not "
    "goldwire's own gets only traces that read. A write whose reply is lost is not sent again.\n\n"
    "Exit codes: 0 all answers as recorded, 1 a difference, 2 the call is wrong or the trace "
    "cannot be replayed, 3 inconclusive (no answers in the trace, the board silent, the effect of "
    "a write unknown), 4 goldwire failed.";

static const struct argp_option options[] = {
    {"dut", GW_OPTION_DUT, "[LINK=]URL", 0, "where the board is; once for each of its links", 0},
    {"serve", GW_OPTION_SERVE, "URL", 0, "where we wait for a board that calls us", 0},
    {"role", 'r', "ROLE", 0, "what the board is; of peer:ROLE it is known", 0},
    {"board-file", GW_OPTION_BOARD_FILE, "FILE", 0, "areas, role and place of the board", 0},
    {"mode", OPTION_MODE, "MODE", 0,
     "lockstep (the default: a request goes out when the answers before it have come), captured "
     "(at the trace's own times) or asap",
     0},
    {"pace", GW_OPTION_PACE, "HOW", 0, "wait by sleep (the default) or by spin, which is exact", 0},
    {"patience", GW_OPTION_PATIENCE, "N", 0,
     "wait N times as long as usual, for a board that is merely slow", 0},
    {"timeout", OPTION_TIMEOUT, "MS", 0, "for an answer; 1000 by default", 0},
    {"dialect", GW_OPTION_DIALECT, "D", 0, "how the board departs from the document", 0},
    {"proto", OPTION_PROTO, "PROTO", 0,
     "what the traces hold on unknown ports: etherbone, op2p, ... ; by default what the role "
     "speaks",
     0},
    {"hooks", GW_OPTION_HOOKS, 0, 0, "run the board file's hooks where the board needs them", 0},
    {"board", OPTION_BOARD, "HOST[:PORT]", 0, "where the board is in the trace", 0},
    {"link", OPTION_LINK, "NAME=HOST:PORT", 0,
     "where a link of the board is in the trace; NAME=if:NUMBER: that interface of a link capture",
     0},
    {"all-values", OPTION_ALL_VALUES, 0, 0,
     "compare also what the trace read and did not write, as on the very board it is of", 0},
    {"allow-any-address", OPTION_ANY_ADDRESS, 0, 0, "write whatever the trace writes", 0},
    {"out", 'o', "DIR", 0, "write the evidence of this replay", 0},
    {"json", 'j', 0, 0, "print one JSON object", 0},
    {"wait", GW_OPTION_WAIT, "SECONDS", 0, "for a board that calls us, 60 by default", 0},
    {0},
};

typedef struct replaying {
    gw_certify_options o;
    gw_certify_hooks hooks;
} replaying;

static gw_replay_mode mode_of(struct argp_state *state, const char *text)
{
    static const char *const names[] = {"lockstep", "captured", "asap"};
    for (unsigned i = 0; i < GW_ARRAY_LEN(names); i++) {
        if (strcmp(text, names[i]) == 0)
            return (gw_replay_mode)i;
    }
    argp_error(state, "--mode is lockstep, captured or asap, not '%s'", text);
    return GW_REPLAY_LOCKSTEP;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    replaying *r = state->input;
    gw_certify_options *o = &r->o;
    switch (key) {
    case OPTION_MODE:
        r->hooks.replay.mode = mode_of(state, arg);
        return 0;
    case OPTION_TIMEOUT:
        r->hooks.replay.timeout_ns =
            (int64_t)gw_option_number(state, "timeout", arg, 1, 600000) * GW_MS;
        return 0;
    case OPTION_PROTO:
        o->trace_proto = arg;
        return 0;
    case OPTION_BOARD:
        o->trace_board = arg;
        return 0;
    case OPTION_LINK:
        if (o->num_trace_links == GW_CERTIFY_MAX_URLS)
            argp_error(state, "more than %d --link", GW_CERTIFY_MAX_URLS);
        o->trace_links[o->num_trace_links++] = arg;
        return 0;
    case OPTION_ALL_VALUES:
        r->hooks.replay.all_values = true;
        return 0;
    case OPTION_ANY_ADDRESS:
        o->any_address = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->num_traces == GW_CERTIFY_MAX_TRACES)
            argp_error(state, "more than %d traces", GW_CERTIFY_MAX_TRACES);
        o->traces[o->num_traces++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->num_traces == 0)
            argp_error(state, "which trace? give a pcapng, pcap or ERF file");
        return 0;
    default:
        return gw_board_option(o, key, arg, state);
    }
}

/* ---- what became of it ---- */

static const gw_result *result_of(const gw_certify_outcome *outcome, const gw_replay *replay)
{
    for (size_t i = 0; i < outcome->run->num_results; i++) {
        if (outcome->run->results[i].which == gw_replay_case(replay))
            return &outcome->run->results[i];
    }
    return NULL;
}

static void show_text(const gw_replay *replay, const gw_result *result)
{
    const gw_replay_report *p = gw_replay_outcome(replay);
    const gw_trace *t = gw_replay_trace(replay);
    gw_put_plain(stdout, t->path);
    printf(": %" PRIu32 " messages to send, %" PRIu32 " answers; %" PRIu64 " sent, %" PRIu64
           " came, %" PRIu64 " as recorded",
           t->num_ours, t->num_theirs, p->sent, p->came, p->compared);
    if (p->reordered > 0)
        printf(", %" PRIu64 " overtook others", p->reordered);
    if (p->asked_again > 0)
        printf(", %" PRIu64 " asked for twice", p->asked_again);
    if (p->excepted > 0)
        printf("; %" PRIu64 " %s that the trace did not write, the first in frame "
               "%" PRIu64 ", and %s not compared",
               p->excepted, p->excepted == 1 ? "value differs" : "values differ", p->excepted_frame,
               p->excepted == 1 ? "was" : "were");
    if (p->presumed_empty > 0)
        printf("; %" PRIu64 " times a queue, first %s, was taken to be empty, for it brought one "
               "word over and over and no error",
               p->presumed_empty, p->presumed);
    if (p->cut > 0)
        printf("; %" PRIu64 " parts cut off, the first at frame %" PRIu64
               ", for the board had halted us with XOFF",
               p->cut, p->cut_frame);
    if (t->num_left_out > 0)
        printf("; %" PRIu32 " parts left out, the first %s: %s", t->num_left_out, t->left_out,
               t->left_out_why);
    printf("\n%s%s", gw_verdict_name(result->verdict), result->text[0] != '\0' ? ": " : "");
    gw_put_plain(stdout, result->text);
    printf("\n");
}

static void show_difference(gw_json *j, const gw_trace *t, const gw_replay_report *p)
{
    const gw_difference *d = &p->difference;
    gw_json_open(j, "difference", '{');
    gw_json_str(j, "file", t->path);
    gw_json_uint(j, "frame", p->frame);
    gw_json_str(j, "case", p->label[0] != '\0' ? p->label : NULL);
    gw_json_str(j, "field", p->differs ? d->field->name : NULL);
    gw_json_str(j, "path", p->differs ? d->path : NULL);
    if (p->differs)
        gw_json_uint(j, "offset", d->offset);
    else
        gw_json_null(j, "offset");
    gw_json_str(j, "expected", p->differs ? d->expected_text : NULL);
    gw_json_str(j, "got", p->differs ? d->got_text : NULL);
    gw_json_str(j, "clause", p->differs ? p->clause.text : NULL);
    gw_json_close(j, '}');
}

static void show_json(gw_json *j, const gw_replay *replay, const gw_result *result)
{
    const gw_replay_report *p = gw_replay_outcome(replay);
    const gw_trace *t = gw_replay_trace(replay);
    gw_json_open(j, NULL, '{');
    gw_json_str(j, "trace", t->path);
    gw_json_str(j, "verdict", gw_verdict_name(result->verdict));
    gw_json_str(j, "text", result->text);
    gw_json_uint(j, "requests", t->num_ours);
    gw_json_uint(j, "answers", t->num_theirs);
    gw_json_uint(j, "sent", p->sent);
    gw_json_uint(j, "came", p->came);
    gw_json_uint(j, "compared", p->compared);
    gw_json_uint(j, "reordered", p->reordered);
    gw_json_uint(j, "asked_again", p->asked_again);
    gw_json_uint(j, "not_judged", p->unjudged);
    gw_json_uint(j, "not_compared", p->excepted);
    gw_json_uint(j, "parts_left_out", t->num_left_out);
    gw_json_uint(j, "parts_cut_off", p->cut);
    gw_json_uint(j, "queues_presumed_empty", p->presumed_empty);
    if (p->unknown_effect != 0)
        gw_json_uint(j, "effect_unknown", p->unknown_effect);
    else
        gw_json_null(j, "effect_unknown");
    if (p->frame != 0)
        show_difference(j, t, p);
    else
        gw_json_null(j, "difference");
    gw_json_close(j, '}');
    gw_json_end(j);
}

static int show(void *arg, const gw_certify_outcome *outcome)
{
    const replaying *r = arg;
    gw_json json;
    gw_json_init(&json, stdout);
    for (size_t i = 0; i < outcome->num_replays; i++) {
        const gw_result *result = result_of(outcome, outcome->replays[i]);
        if (result == NULL)
            continue;
        if (r->o.json)
            show_json(&json, outcome->replays[i], result);
        else
            show_text(outcome->replays[i], result);
    }
    return outcome->exit_code;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "TRACE...", doc, NULL, NULL, NULL};
    replaying r = {.o = {.seed = 1}};
    gw_verb_parse(&argp, argc, argv, &r);
    r.hooks.verb = "replay";
    r.hooks.traces_only = true;
    r.hooks.show = show;
    r.hooks.arg = &r;
    return gw_certify(&r.o, &r.hooks);
}

const gw_verb gw_verb_replay = {"replay", "send a recorded trace, compare the answers", run};

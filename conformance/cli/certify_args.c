/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the arguments of goldwire certify. */
#include "cli/certify_args.h"

#include <argp.h>
#include <string.h>

#include "cli/board_options.h"
#include "cli/verb.h"
#include "evidence/quote.h"
#include "goldwire/text.h"

enum {
    OPTION_LIST = GW_OPTION_OWN,
    OPTION_FAILED,
    OPTION_STRICT,
    OPTION_SIGN,
    OPTION_TRACE,
    OPTION_WAVE,
    OPTION_OPERATOR,
    OPTION_MEASURE,
    OPTION_MEASURE_TIME,
};

#define LONGEST_MEASURE_S 3600

static const char doc[] =
    "Run the conformance cases against a board.\v"
    "The board is described by BOARD.yaml, or named by --dut and --role. Without a board file only "
    "cases that read are run, except against goldwire's own boards (peer:ROLE).\n\n"
    "URLs: udp://HOST:PORT, tcp://HOST:PORT, roce://HOST[:PORT], raw://INTERFACE?to=IP[:PORT], "
    "ib://DEVICE[/PORT]?to=ADDRESS, peer:ROLE[?mutant=ID][&over=tcp|raw][&via=mem][&dialect=D]"
    "[&random-memory=SEED][&registers-at=ADDRESS][&hurry=N].\n\n"
    "Exit codes: 0 all well, 1 a case failed or the board does not live up to a claim, 2 the call "
    "or "
    "the board file is wrong, 3 inconclusive (the board does not answer), 4 goldwire failed, 5 an "
    "unexpected pass or only failures with expired waivers, 6 nothing selected or nothing passed.";

static const struct argp_option options[] = {
    {"dut", GW_OPTION_DUT, "[LINK=]URL", 0,
     "where the board is; once for each of its links that can be reached", 0},
    {"serve", GW_OPTION_SERVE, "URL", 0, "where we wait for a board that calls us", 0},
    {"role", 'r', "ROLE", 0, "what the board is: etherbone-slave ...", 0},
    {"dialect", GW_OPTION_DIALECT, "D", 0, "how the board departs from the document", 0},
    {"case", 'c', "GLOB", 0, "only the cases that match; * crosses slashes; may be repeated", 0},
    {"failed", OPTION_FAILED, "DIR", 0, "only the cases that did not pass in that run", 0},
    {"out", 'o', "DIR", 0, "write the reports, cases/ID.pcapng and the certificate", 0},
    {"hooks", GW_OPTION_HOOKS, 0, 0,
     "run the board file's hooks: to start the board, to recover it", 0},
    {"trace", OPTION_TRACE, "FILE", 0,
     "also a recorded trace, as a case of its own; may be repeated", 0},
    {"pace", GW_OPTION_PACE, "HOW", 0, "wait by sleep (the default) or by spin, which is exact", 0},
    {"patience", GW_OPTION_PATIENCE, "N", 0,
     "wait N times as long as usual, for a board that is merely slow", 0},
    {"list", OPTION_LIST, 0, 0, "list the cases and do nothing else", 0},
    {"json", 'j', 0, 0, "print run.json (with --list: the list) instead of a table", 0},
    {"strict", OPTION_STRICT, 0, 0,
     "a WARN counts as a FAIL, and so does what is claimed and not tried", 0},
    {"seed", GW_OPTION_SEED, "N", 0, "of everything random; the report names it", 0},
    {"sign", OPTION_SIGN, "KEYFILE", 0, "sign the certificate with this secret key (see keygen)",
     0},
    {"operator", OPTION_OPERATOR, "NAME", 0, "who answers for the run; the report names them", 0},
    {"wait", GW_OPTION_WAIT, "SECONDS", 0, "for a board that calls us, 60 by default", 0},
    {"measure", OPTION_MEASURE, 0, 0,
     "after the cases, how fast the board is by message size; for information, never a verdict", 0},
    {"measure-time", OPTION_MEASURE_TIME, "SECONDS", 0, "for that, 5 by default", 0},
    {"wave", OPTION_WAVE, "DIR", 0, "have a simulated board's start hook write its waves there", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    gw_certify_options *o = state->input;
    switch (key) {
    case OPTION_TRACE:
        if (o->num_traces == GW_CERTIFY_MAX_TRACES)
            argp_error(state, "more than %d --trace", GW_CERTIFY_MAX_TRACES);
        o->traces[o->num_traces++] = arg;
        return 0;
    case OPTION_OPERATOR:
        o->operator_name = arg;
        return 0;
    case OPTION_MEASURE:
        o->measure = true;
        return 0;
    case OPTION_MEASURE_TIME:
        o->measure = true;
        o->measure_s = gw_option_number(state, "measure-time", arg, 1, LONGEST_MEASURE_S);
        return 0;
    case OPTION_WAVE:
        o->wave = arg;
        return 0;
    case OPTION_FAILED:
        o->failed = arg;
        return 0;
    case OPTION_LIST:
        o->list = true;
        return 0;
    case OPTION_STRICT:
        o->strict = true;
        return 0;
    case OPTION_SIGN:
        o->sign = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (o->board_path != NULL)
            argp_error(state, "one board file at the most");
        o->board_path = arg;
        return 0;
    default:
        return gw_board_option(o, key, arg, state);
    }
}

void gw_certify_args(gw_certify_options *out, int argc, char **argv)
{
    static const struct argp argp = {options, parse, "[BOARD.yaml]", doc, NULL, NULL, NULL};
    *out = (gw_certify_options){.seed = 1};
    gw_verb_parse(&argp, argc, argv, out);
}

void gw_certify_call(const gw_certify_options *o, char *out, size_t cap)
{
    gw_text text = gw_text_over(out, cap);
    gw_quote(&text, "", o->board_path);
    for (size_t i = 0; i < o->num_duts; i++)
        gw_quote(&text, "--dut ", o->duts[i]);
    gw_quote(&text, "--serve ", o->serve);
    gw_quote(&text, "--role ", o->role);
    gw_quote(&text, "--dialect ", o->dialect);
}

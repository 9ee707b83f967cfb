/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire selftest: do the cases find what they are for? */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/verb.h"
#include "selftest/selftest.h"
#include "selftest/shuffle_print.h"

typedef struct selftest_options {
    const char *role; /* NULL: all */
    bool json;
    gw_impairment path;
    unsigned orders; /* 0: no --shuffle */
    uint64_t seed;
} selftest_options;

typedef struct tally {
    gw_impairment path;
    unsigned boards;
    unsigned mutants;
    unsigned missed;
    unsigned blamed;   /* failed cases that test nothing they break */
    unsigned unproven; /* cases that no mutant fails and that say no reason, or the contrary */
    uint64_t failed[GW_SELFTEST_MAX / 64]; /* by some mutant of this board */
    bool good_failed;
    bool broken;  /* goldwire's own fault */
    json_t *list; /* for --json */
} tally;

/* The first one and, behind |rest|, the others. */
static void print_cases(const gw_case *const *cases, const char *const *over, unsigned num,
                        const char *rest)
{
    for (unsigned i = 0; i < num; i++)
        printf("%s%s%s%s",
               i == 0   ? " "
               : i == 1 ? rest
                        : ", ",
               cases[i]->id, strcmp(over[i], "udp") == 0 ? "" : " over ",
               strcmp(over[i], "udp") == 0 ? "" : over[i]);
}

static void print_detection(const gw_detection *d)
{
    const char *name = d->mutant == NULL ? "(good)" : d->mutant->id;
    const char *how = !d->reached                              ? "never reached"
                      : d->mutant == NULL && d->num_extra == 0 ? "all green"
                      : d->mutant == NULL                      ? "NOT GREEN"
                      : d->detected                            ? "reached, first seen by"
                                                               : "reached, NOT DETECTED";
    printf("  %-26s %s", name, how);
    print_cases(d->by, d->over, d->num_by, "; also by ");
    if (d->mutant == NULL)
        printf(" (%u PASS, %u NA)", d->counts.of[GW_PASS], d->counts.of[GW_NA]);
    printf("\n");
    if (d->num_extra == 0)
        return;
    printf("  %-26s %s", "", d->mutant == NULL ? "failed:" : "failed besides:");
    print_cases(d->extra, d->extra_over, d->num_extra, ", ");
    printf(" (%s)\n", d->extra_text);
}

/* Which case saw it first, and over what; null when none did. */
static json_t *first_case(const gw_detection *d)
{
    if (d->num_by == 0)
        return json_null();
    return json_pack("{s:s,s:s}", "case", d->by[0]->id, "over", d->over[0]);
}

static json_t *case_list(const gw_case *const *cases, const char *const *over, unsigned num)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < num; i++)
        json_array_append_new(list, json_pack("{s:s,s:s}", "case", cases[i]->id, "over", over[i]));
    return list;
}

static void add_json(tally *t, const gw_board *board, const gw_detection *d)
{
    json_array_append_new(t->list,
                          json_pack("{s:s,s:s?,s:b,s:b,s:o,s:o,s:o}", "role", board->role, "mutant",
                                    d->mutant == NULL ? NULL : d->mutant->id, "reached", d->reached,
                                    "detected", d->detected, "first", first_case(d), "by",
                                    case_list(d->by, d->over, d->num_by), "besides",
                                    case_list(d->extra, d->extra_over, d->num_extra)));
}

static void run_one(tally *t, const gw_suite *suite, const gw_board *board, const gw_mutant *mutant)
{
    gw_detection d;
    char why[256] = "";
    if (!gw_selftest(&d, suite, board, mutant, &t->path, why, sizeof(why))) {
        fprintf(stderr, "goldwire: selftest of %s: %s\n", board->role, why);
        t->broken = true;
        return;
    }
    if (t->list != NULL)
        add_json(t, board, &d);
    else
        print_detection(&d);
    if (d.counts.of[GW_ERROR] > 0)
        t->broken = true;
    for (size_t i = 0; i < GW_ARRAY_LEN(t->failed); i++)
        t->failed[i] |= d.failed[i];
    if (mutant == NULL && (!d.reached || d.num_extra > 0))
        t->good_failed = true;
    if (mutant != NULL && !d.detected)
        t->missed++;
    if (mutant != NULL && d.num_extra > 0)
        t->blamed++;
}

/* In tenths of a percent, rounded down: nothing but all of them is 100.0 %. */
static void print_rate(unsigned mutants, unsigned missed)
{
    unsigned detected = mutants - missed;
    unsigned rate = mutants > 0 ? detected * 1000 / mutants : 0;
    printf("%u of %u mutants detected (%u.%u %%)", detected, mutants, rate / 10, rate % 10);
}

static bool is_failed(const tally *t, size_t place)
{
    return (t->failed[place / 64] >> place % 64 & 1) != 0;
}

/* What is to be said of a case that no mutant fails, or should not: NULL for nothing. */
static const char *unproven_text(const gw_case *c, bool failed)
{
    if (failed)
        return c->unproven != NULL ? "A MUTANT FAILS IT, though none is said to" : NULL;
    return c->unproven != NULL ? "failed by no mutant: " : "NO MUTANT FAILS IT";
}

/* A case that nothing fails proves nothing by passing: a mutant fails it, or it says why none can.
 * |good| is what --json has of the good board. */
static void judge_cases(tally *t, const gw_suite *suite, json_t *good)
{
    json_t *unproven = json_array();
    size_t place = 0;
    unsigned num = 0;
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL;
         c = gw_suite_next(suite, c), place++) {
        bool failed = is_failed(t, place);
        const char *text = unproven_text(c, failed);
        num += failed;
        t->unproven += failed == (c->unproven != NULL);
        if (text != NULL && good == NULL)
            printf("  %-26s %s%s\n", c->id, text, failed || c->unproven == NULL ? "" : c->unproven);
        if (!failed)
            json_array_append_new(unproven,
                                  json_pack("{s:s,s:s?}", "case", c->id, "reason", c->unproven));
    }
    if (good != NULL) {
        json_object_set_new(good, "cases", json_integer((json_int_t)place));
        json_object_set(good, "unproven", unproven);
    } else {
        printf("  %u of %zu cases failed by a mutant\n", num, place);
    }
    json_decref(unproven);
}

static void run_board(tally *t, const gw_suite *suite, const gw_board *board)
{
    unsigned missed = t->missed;
    size_t good = json_array_size(t->list);
    t->boards++;
    memset(t->failed, 0, sizeof(t->failed));
    if (t->list == NULL)
        printf("%s\n", board->role);
    run_one(t, suite, board, NULL);
    for (size_t i = 0; i < board->num_mutants; i++) {
        run_one(t, suite, board, &board->mutants[i]);
        t->mutants++;
    }
    judge_cases(t, suite, t->list != NULL ? json_array_get(t->list, good) : NULL);
    if (t->list != NULL)
        return;
    printf("  ");
    print_rate((unsigned)board->num_mutants, t->missed - missed);
    printf("\n");
}

static const char doc[] =
    "Run the conformance cases against goldwire's own boards and their mutants, in memory.\v"
    "The good board of each ROLE must pass every case, and every mutant must be failed by a case "
    "that names a rule the mutant breaks, and by no other; every case must fail a mutant, or say "
    "why none can be made. Exit code 1 otherwise.";

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, "print one JSON document", 0},
    {"path", 'p', "OPTIONS", 0,
     "reach the boards over a bad network: impairments as in a URL, say 'rtt=20ms&loss=0.01'", 0},
    {"shuffle", 's', "N", 0,
     "instead, run the cases in N random orders and each alone: no verdict may differ", 0},
    {"seed", 'S', "SEED", 0, "chooses the orders (default 1)", 0},
    {0},
};

static bool read_number(uint64_t *out, const char *text, uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return errno == 0 && end != text && *end == '\0' && text[0] != '-' && *out >= least &&
           *out <= most;
}

static bool read_path(gw_impairment *out, const char *said, char *why, size_t why_cap)
{
    char text[256];
    gw_url url;
    /* Any URL that takes impairments will do. */
    int len = snprintf(text, sizeof(text), "roce://127.0.0.1?%s", said);
    if (len < 0 || (size_t)len >= sizeof(text)) {
        (void)snprintf(why, why_cap, "--path is too long");
        return false;
    }
    if (!gw_url_parse(&url, text, why, why_cap))
        return false;
    *out = url.impairment;
    return true;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    selftest_options *o = state->input;
    char why[256] = "";
    char meant[64];
    uint64_t number;
    switch (key) {
    case 's':
        if (!read_number(&number, arg, 1, GW_SHUFFLE_ORDERS_MAX))
            argp_error(state, "--shuffle: '%s' is no number from 1 to %d", arg,
                       GW_SHUFFLE_ORDERS_MAX);
        o->orders = (unsigned)number;
        return 0;
    case 'S':
        if (!read_number(&o->seed, arg, 0, UINT64_MAX))
            argp_error(state, "--seed: '%s' is no number", arg);
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case 'p':
        if (!read_path(&o->path, arg, why, sizeof(why)))
            argp_error(state, "--path: %s", why);
        return 0;
    case ARGP_KEY_ARG:
        if (o->role != NULL)
            argp_error(state, "one role at the most");
        if (gw_suite_by_role(arg) == NULL)
            argp_error(state, "no cases for the role '%s'%s", arg,
                       gw_role_meant(meant, sizeof(meant), arg));
        o->role = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int conclude(const tally *t)
{
    if (t->list == NULL) {
        printf("%u board%s, ", t->boards, t->boards == 1 ? "" : "s");
        print_rate(t->mutants, t->missed);
        printf(": %u not detected, %u blamed for what they do right; %u cases unproven\n",
               t->missed, t->blamed, t->unproven);
    }
    if (t->broken)
        return GW_EXIT_TOOL;
    if (t->good_failed || t->missed > 0 || t->blamed > 0 ||
        (t->unproven > 0 && !gw_impairs(&t->path)))
        return GW_EXIT_FAIL;
    return t->boards > 0 ? GW_EXIT_OK : GW_EXIT_NOTHING;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "[ROLE]", doc, NULL, NULL, NULL};
    selftest_options o = {.seed = 1};
    gw_verb_parse(&argp, argc, argv, &o);
    if (o.orders > 0)
        return gw_selftest_shuffle(o.role, o.orders, o.seed, o.json);
    tally t = {.list = o.json ? json_array() : NULL, .path = o.path};
    for (size_t i = 0; i < gw_num_suites; i++) {
        const gw_board *board = gw_board_by_role(gw_suites[i]->role);
        bool wanted = o.role == NULL || gw_suite_by_role(o.role) == gw_suites[i];
        if (wanted && board != NULL)
            run_board(&t, gw_suites[i], board);
    }
    if (t.list != NULL) {
        json_dumpf(t.list, stdout, JSON_INDENT(1));
        printf("\n");
    }
    int code = conclude(&t);
    json_decref(t.list);
    return code;
}

const gw_verb gw_verb_selftest = {"selftest", "test the cases against good boards and mutants",
                                  run};

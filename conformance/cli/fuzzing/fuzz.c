/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire fuzz: a campaign against a board that is alive. */
#include <argp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "campaign/campaign.h"
#include "campaign/found.h"
#include "campaign/learn.h"
#include "cli/board_options.h"
#include "cli/certification.h"
#include "cli/fuzzing/place.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "evidence/clean.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "harvest/harvest.h"
#include "run/store.h"

#define USUAL_S 60
#define PR_MOST_S 300
#define USUAL_OUT "goldwire-fuzz"
#define FROM_MAX GW_CERTIFY_MAX_TRACES
#define LEARN_PART 4 /* of the time goes into learning, at the most */

enum {
    OPTION_FROM = GW_OPTION_OWN,
    OPTION_TIME,
    OPTION_PACKETS,
    OPTION_ANY_ADDRESS,
    OPTION_BASELINE,
    OPTION_MODE,
};

/* What a campaign is for. */
typedef enum fuzz_mode {
    MODE_USUAL = 0,
    MODE_PR,    /* of a change: the same each time, ends with the first new finding */
    MODE_BATCH, /* at night: another seed each time */
} fuzz_mode;

static const char doc[] =
    "Fuzz a board that is alive, and say what it does not survive.\v"
    "First the conformance cases are run, as certify does: what they say, and what the traces of "
    "--from say, is what packets are made from, by the tables of the format. Cases that break "
    "something on purpose are played before, and now and then in between. After every few "
    "packets the board is asked something that it is known to answer, and now and then tried with "
    "a case that it passed. What looks wrong is brought about once more, on a board that was seen "
    "well before, with as few of the last packets as that takes; only then it is a finding, "
    "unless goldwire's own board, in memory, shows it as well. All that is sent "
    "is in a ring on the disk before it goes out. "
    "`goldwire triage DIR' makes "
    "findings "
    "smaller and names them.\n\n"
    "DIR gets findings.json, junit.xml, report.sarif, report.html and coverage.json, and "
    "findings/NAME/sent.pcapng with the packets of each.\n\n"
    "--mode pr is for a change that waits: the same packets each time, five minutes at the most, "
    "and the first new finding ends it. --mode batch is for the night: another seed each time, as "
    "long as --time says. With either, --baseline names what is known.\n\n"
    "Nothing is written outside the areas of the board file, as far as a message can be read. "
    "A board that calls us is answered by the cases, over and over with other random numbers, and "
    "by those that it has passed with some of the answers altered.\n\n"
    "Exit codes: 0 nothing new found, 1 a new finding, or a case fails before anything is mutated, "
    "2 the call or the board file is wrong, 3 "
    "inconclusive (the board does not answer, or was lost), 4 goldwire failed.";

static const struct argp_option options[] = {
    {"dut", GW_OPTION_DUT, "[LINK=]URL", 0, "where the board is; once for each of its links", 0},
    {"serve", GW_OPTION_SERVE, "URL", 0, "where we wait for a board that calls us", 0},
    {"wait", GW_OPTION_WAIT, "SECONDS", 0, "for a board that calls us, 60 by default", 0},
    {"role", 'r', "ROLE", 0, "what the board is; of peer:ROLE it is known", 0},
    {"dialect", GW_OPTION_DIALECT, "D", 0, "how the board departs from the document", 0},
    {"from", OPTION_FROM, "TRACE", 0, "also start from what this trace says; may be repeated", 0},
    {"case", 'c', "GLOB", 0, "learn from the cases that match only; may be repeated", 0},
    {"time", OPTION_TIME, "SECONDS", 0,
     "how long, 60 by default; a quarter of it goes into learning at the most, if each case can be "
     "tried once by then; what is found at its end is looked into for half as long again, 5 to 30 "
     "seconds, and until the try at hand is over; 0: until interrupted",
     0},
    {"packets", OPTION_PACKETS, "N", 0, "end after so many packets", 0},
    {"baseline", OPTION_BASELINE, "FILE", 0,
     "findings.json of an earlier campaign: what it knows is told, and is no failure", 0},
    {"mode", OPTION_MODE, "pr|batch", 0,
     "pr: 5 minutes at the most, and ends with the first new finding; batch: another seed each "
     "time",
     0},
    {"out", 'o', "DIR", 0, "the campaign's folder, " USUAL_OUT " by default", 0},
    {"allow-any-address", OPTION_ANY_ADDRESS, 0, 0, "write anywhere", 0},
    {"patience", GW_OPTION_PATIENCE, "N", 0, "wait N times as long as usual, as for certify", 0},
    {"hooks", GW_OPTION_HOOKS, 0, 0, "run the board file's hooks to recover the board", 0},
    {"seed", GW_OPTION_SEED, "N", 0, "of everything random", 0},
    {"json", 'j', 0, 0, "print findings.json on one line", 0},
    {0},
};

typedef struct fuzzing {
    gw_certification c;
    const char *out;
    uint64_t time_s;
    int64_t learnt_ns; /* of it, spent before the campaign */
    bool time_given;
    bool seed_given;
    fuzz_mode mode;
    uint64_t packets;
    bool any_address;
    const char *baseline_path;
    json_t *baseline; /* or NULL */
    json_t *marks;    /* what is known of each finding, by its name */
    bool failed;      /* a finding could not be kept */
    int64_t started_ns;
    gw_found_context context;
    gw_ahead ahead; /* has all that is sent in the ring */
    gw_coverage *coverage;
    gw_history history;
    unsigned new_ones;
    unsigned known;
    unsigned failing;  /* cases, before anything is mutated */
    unsigned unlearnt; /* cases of which nothing can be said */
    char call[2048];
} fuzzing;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    fuzzing *f = state->input;
    gw_certify_options *o = &f->c.o;
    switch (key) {
    case OPTION_FROM:
        if (o->num_traces == FROM_MAX)
            argp_error(state, "more than %d --from", FROM_MAX);
        o->traces[o->num_traces++] = arg;
        return 0;
    case OPTION_TIME:
        f->time_s = gw_option_number(state, "time", arg, 0, 31536000);
        f->time_given = true;
        return 0;
    case OPTION_BASELINE:
        f->baseline_path = arg;
        return 0;
    case OPTION_MODE:
        f->mode = strcmp(arg, "pr") == 0 ? MODE_PR : MODE_BATCH;
        if (f->mode == MODE_BATCH && strcmp(arg, "batch") != 0)
            argp_error(state, "--mode is pr or batch, not '%s'", arg);
        return 0;
    case GW_OPTION_SEED:
        f->seed_given = true;
        return gw_board_option(o, key, arg, state);
    case OPTION_PACKETS:
        f->packets = gw_option_number(state, "packets", arg, 1, UINT64_MAX);
        return 0;
    case OPTION_ANY_ADDRESS:
        f->any_address = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->board_path != NULL)
            argp_error(state, "one board at a time");
        o->board_path = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->board_path == NULL && o->num_duts == 0 && o->serve == NULL)
            argp_error(state, "which board? give a board file, or --dut URL");
        if (f->mode == MODE_PR && f->time_given && (f->time_s == 0 || f->time_s > PR_MOST_S))
            argp_error(state, "--mode pr takes %d seconds at the most", PR_MOST_S);
        return 0;
    default:
        return gw_board_option(o, key, arg, state);
    }
}

static int complain(const char *what)
{
    fprintf(stderr, "goldwire fuzz: %s\n", what);
    return GW_EXIT_USAGE;
}

/* ---- while it goes on ---- */

static void show_progress(void *arg, const gw_campaign_report *r)
{
    const fuzzing *f = arg;
    double s = (double)r->elapsed_ns / GW_SECOND;
    if (!gw_terminal_redraws(STDERR_FILENO))
        return;
    gw_terminal_erase();
    fprintf(stderr, "%" PRIu64 " packets, %.0f/s, model %.0f %%, %u findings (%u new)", r->packets,
            s > 0 ? (double)r->packets / s : 0, r->covered, r->catches, f->new_ones);
    if (f->time_s > 0)
        fprintf(stderr, ", %.0f s left", (double)f->time_s > s ? (double)f->time_s - s : 0);
    (void)fflush(stderr);
}

static void announce(const char *name, const gw_catch *found)
{
    char extent[32];
    if (gw_terminal_redraws(STDERR_FILENO))
        gw_terminal_erase();
    fprintf(stderr, "found after %" PRIu64 " packets: %s: ", found->packets, name);
    gw_put_plain(stderr, found->anomaly.text);
    fprintf(stderr, " (%s, %u of %u times)\n",
            gw_found_extent(extent, sizeof(extent), &found->shots), found->shown, found->tries);
}

static bool take_finding(void *arg, const gw_catch *found)
{
    fuzzing *f = arg;
    char name[GW_FOUND_NAME];
    char why[512] = "";
    gw_found_name(name, &f->context, found);
    bool again = json_object_get(f->marks, name) != NULL;
    bool there = gw_found_is_there(f->out, name);
    if (there && !gw_found_again(f->out, name, &f->context, found, why, sizeof(why))) {
        (void)complain(why);
        f->failed = true;
        return false;
    }
    if (again)
        return true;
    bool known = there || gw_baseline_find(f->baseline, name) != NULL;
    (void)json_object_set_new(f->marks, name,
                              json_string(known ? GW_HARVEST_KNOWN : GW_HARVEST_NEW));
    f->known += known;
    f->new_ones += !known;
    if (!known)
        announce(name, found);
    if (!there && !gw_found_store(f->out, name, &f->context, found, why, sizeof(why))) {
        (void)complain(why);
        f->failed = true;
        return false;
    }
    return known || f->mode != MODE_PR;
}

/* A case that fails is no finding of the campaign's, and no board is well that fails it. */
static void tell_failure(void *arg, const gw_result *result)
{
    fuzzing *f = arg;
    f->failing++;
    fprintf(stderr, "%s fails before anything is mutated: %s%s", result->which->id,
            result->rule != NULL ? result->rule->id : "", result->rule != NULL ? ": " : "");
    gw_put_plain(stderr, result->text);
    fprintf(stderr, "\n");
}

/* ---- the stock ---- */

static bool read_traces(fuzzing *f, gw_stock *stock, char *why, size_t why_cap)
{
    for (size_t i = 0; i < f->c.o.num_traces; i++) {
        gw_trace_wish wish = {.role = gw_board_by_role(f->c.suite->role), .dialect = f->c.dialect};
        gw_trace *trace = gw_trace_load(f->c.o.traces[i], &wish, why, why_cap);
        if (trace == NULL)
            return false;
        const gw_stock_source source = {
            .target = f->context.target, .format = f->c.suite->format, .dialect = f->c.dialect};
        bool ok = gw_stock_read(stock, trace, &source);
        gw_trace_free(trace);
        if (!ok) {
            (void)snprintf(why, why_cap, "out of memory");
            return false;
        }
    }
    return true;
}

/* What cannot be read is told before the board is asked anything. */
static bool traces_can_be_read(const fuzzing *f, char *why, size_t why_cap)
{
    for (size_t i = 0; i < f->c.o.num_traces; i++) {
        gw_trace_wish wish = {.role = gw_board_by_role(f->c.suite->role), .dialect = f->c.dialect};
        gw_trace *trace = gw_trace_load(f->c.o.traces[i], &wish, why, why_cap);
        if (trace == NULL)
            return false;
        gw_trace_free(trace);
    }
    return true;
}

/* ---- the run ---- */

static int64_t learning_ns(const fuzzing *f)
{
    return (int64_t)f->time_s * GW_SECOND / LEARN_PART;
}

/* Learning that takes longer than its part, as each case has to be tried once, is not at the
 * campaign's expense. 0: as long as it likes. */
static int64_t campaign_ns(const fuzzing *f)
{
    int64_t part = learning_ns(f);
    return (int64_t)f->time_s * GW_SECOND - (f->learnt_ns < part ? f->learnt_ns : part);
}

/* Runs the cases; where the path loses packets, they are repeated only as long as there is time. */
static bool learn(fuzzing *f, gw_lesson *lesson, gw_run_setup *setup, char *why, size_t why_cap)
{
    int64_t began_ns = gw_clock_ns(CLOCK_MONOTONIC);
    fprintf(stderr, "learning from what cases ask that break nothing themselves\n");
    if (f->c.suite->calls_us)
        fprintf(stderr, "waiting for the board at %s\n", gw_dut_where(f->c.dut));
    setup->repeat_until_ns = f->time_s > 0 ? began_ns + learning_ns(f) : 0;
    bool ok = gw_learn(lesson, setup, why, why_cap);
    setup->repeat_until_ns = 0;
    f->learnt_ns = gw_clock_ns(CLOCK_MONOTONIC) - began_ns;
    f->unlearnt = lesson->counts.of[GW_INCONC];
    if (ok && f->time_s > 0 && f->learnt_ns > learning_ns(f) && f->unlearnt > 0)
        fprintf(stderr,
                "learning took %.0f s, more than a quarter of --time: what it left open was not "
                "repeated\n",
                (double)f->learnt_ns / GW_SECOND);
    return ok;
}

static void tell(const fuzzing *f, const gw_campaign_report *r)
{
    double s = (double)r->elapsed_ns / GW_SECOND;
    printf("%" PRIu64 " packets in %.1f s (%.0f/s)", r->packets, s,
           s > 0 ? (double)r->packets / s : 0);
    printf(", %" PRIu64 " of them %s", r->mutated,
           f->c.suite->calls_us ? "answers that were altered" : "mutated");
    printf("; %.0f %% of the model; %u new findings, %u known ones", r->covered, f->new_ones,
           f->known);
    if (r->unconfirmed > 0)
        printf("; %u times something looked wrong and did not again (the last: %s)", r->unconfirmed,
               r->last);
    if (r->excused > 0)
        printf("; cases that were left out from then on, as their failures blame no board: %u "
               "(they fail "
               "without the packets, on goldwire's own board as well, or after allowed ones only)",
               r->excused);
    if (r->left_open > 0)
        printf("; %u times altered answers did what they do when they are lost, or to goldwire's "
               "own board as well",
               r->left_open);
    if (r->fenced > 0)
        printf("; %" PRIu64 " packets not sent, as they would have written outside the areas",
               r->fenced);
    if (f->failing > 0)
        printf("; %u cases fail before anything is mutated", f->failing);
    printf("\n");
    if (f->failing > 0)
        printf("next: goldwire certify, which tells more of these cases\n");
    if (f->new_ones + f->known > 0)
        printf("next: goldwire triage %s\n", f->out);
    else if (r->lost[0] != '\0' && !f->c.suite->calls_us)
        printf("next: goldwire triage %s, when the board is back: it tries what was sent last\n",
               f->out);
}

static int code_of(const fuzzing *f, const gw_campaign_report *r)
{
    return f->failed                      ? GW_EXIT_TOOL
           : f->new_ones + f->failing > 0 ? GW_EXIT_FAIL
           : r->lost[0] != '\0'           ? GW_EXIT_INCONC
                                          : GW_EXIT_OK;
}

/* ---- what is left ---- */

static bool store_coverage(const fuzzing *f, char *why, size_t why_cap)
{
    FILE *file = gw_store_open(f->out, GW_COVERAGE_FILE, why, why_cap);
    if (file == NULL)
        return false;
    gw_coverage_write(file, f->coverage);
    return gw_store_keep(file, f->out, GW_COVERAGE_FILE, why, why_cap);
}

static bool print_json(const gw_harvest *harvest)
{
    json_t *object = gw_harvest_json(harvest);
    bool ok = object != NULL && json_dumpf(object, stdout, JSON_COMPACT) == 0;
    printf("\n");
    json_decref(object);
    return ok;
}

/* Tells what came of it and leaves the reports; returns the exit code. */
static int leave(const fuzzing *f, const gw_campaign_report *r)
{
    static const char *const modes[] = {"", "pr", "batch"};
    char why[512] = "out of memory";
    int code = code_of(f, r);
    json_t *campaign = gw_harvest_campaign(r, &f->history, f->c.o.seed);
    const gw_harvest harvest = {.dir = f->out,
                                .by = "fuzz",
                                .context = &f->context,
                                .mode = modes[f->mode],
                                .marks = f->marks,
                                .baseline = f->baseline,
                                .campaign = campaign,
                                .started_ns = f->started_ns,
                                .duration_ns = r->elapsed_ns,
                                .exit_code = code,
                                .lost = r->lost};
    bool ok = campaign != NULL && store_coverage(f, why, sizeof(why)) &&
              gw_harvest_store(&harvest, why, sizeof(why));
    if (gw_terminal_redraws(STDERR_FILENO))
        gw_terminal_erase();
    if (f->c.o.json)
        ok = ok && print_json(&harvest);
    else
        tell(f, r);
    if (r->lost[0] != '\0')
        (void)complain(r->lost);
    json_decref(campaign);
    if (ok)
        return code;
    (void)complain(why);
    return GW_EXIT_TOOL;
}

static int campaign(fuzzing *f, const gw_lesson *lesson, gw_run_setup *setup)
{
    gw_run run;
    gw_campaign one;
    char why[512] = "";
    gw_watch watch = {.cases = lesson->cases,
                      .num_cases = lesson->num_cases,
                      .hostile = lesson->hostile,
                      .num_hostile = lesson->num_hostile};
    f->coverage = gw_coverage_new(f->c.suite->format, f->c.dialect);
    f->started_ns = gw_clock_ns(CLOCK_REALTIME);
    if (f->coverage == NULL) {
        (void)complain("out of memory");
        return GW_EXIT_TOOL;
    }
    gw_campaign_init(&one, &(gw_campaign_setup){.stock = &lesson->stock,
                                                .watch = &watch,
                                                .context = &f->context,
                                                .ahead = &f->ahead,
                                                .coverage = f->coverage,
                                                .history = &f->history,
                                                .any_address = f->any_address,
                                                .seed = f->c.o.seed,
                                                .time_ns = campaign_ns(f),
                                                .packets = f->packets,
                                                .progress = show_progress,
                                                .catches = take_finding,
                                                .arg = f});
    const gw_case *cases[] = {&one.one};
    setup->cases = cases;
    setup->num_cases = 1;
    setup->ahead = gw_ahead_write;
    setup->ahead_arg = &f->ahead;
    bool ok = gw_run_cases(&run, setup, why, sizeof(why));
    /* What leaves the board as it was found comes behind all that was looked after. */
    if (ok && one.begun && !gw_stopped() && one.report.lost[0] == '\0')
        gw_ahead_settle(&f->ahead);
    /* The board that was learnt from may be gone: a run begins anew, with a start hook of its own.
     */
    bool unsent = ok && !one.begun && !gw_stopped();
    int code = !ok ? GW_EXIT_TOOL : unsent ? GW_EXIT_INCONC : leave(f, &one.report);
    if (!ok || unsent)
        (void)complain(ok ? run.preflight : why);
    if (ok && run.not_left[0] != '\0')
        fprintf(stderr, "goldwire fuzz: the board may not be as it was found: %s\n", run.not_left);
    gw_run_free(&run);
    return code;
}

static int learn_and_fuzz(fuzzing *f, const gw_case_list *all)
{
    char why[640] = "";
    bool calls_us = f->c.suite->calls_us;
    gw_lesson lesson = {
        .ahead = &f->ahead, .keep_stories = !calls_us, .told = tell_failure, .told_arg = f};
    gw_certification_publish(&f->c);
    gw_run_setup setup = {.suite = f->c.suite,
                          .board = &f->c.board,
                          .dialect = f->c.dialect,
                          .target = gw_dut_target(f->c.dut),
                          .cases = all->cases,
                          .num_cases = all->num,
                          .hooks = f->c.o.hooks,
                          .first_ns = gw_certification_first_ns(&f->c),
                          .seed = f->c.o.seed,
                          .running = f->c.running};
    int code = GW_EXIT_TOOL;
    if (!learn(f, &lesson, &setup, why, sizeof(why)) ||
        !read_traces(f, &lesson.stock, why, sizeof(why))) {
        code = complain(why);
    } else if (gw_stopped()) {
        (void)complain("interrupted while it learnt from cases: nothing was mutated");
        code = GW_EXIT_INCONC;
    } else if (!lesson.answered || (!calls_us && lesson.stock.num == 0)) {
        (void)snprintf(why, sizeof(why), "%s",
                       !lesson.answered ? lesson.preflight
                       : f->unlearnt > 0
                           ? "no case passed, some are open, and no trace was given: "
                             "there is nothing to make packets from; more --time lets "
                             "cases be repeated"
                           : "no case passed, and no trace was given: there is nothing "
                             "to make packets from");
        (void)complain(why);
        code = lesson.contradicted ? GW_EXIT_USAGE : GW_EXIT_INCONC;
    } else {
        if (lesson.unserved[0] != '\0')
            (void)complain(lesson.unserved);
        fprintf(stderr, "%u cases pass, %u stay open; ", lesson.counts.of[GW_PASS], f->unlearnt);
        if (calls_us)
            fprintf(stderr, "%zu break something on purpose\n", lesson.num_hostile);
        else
            fprintf(stderr, "%zu conversations, %zu packets to start from\n", lesson.stock.num,
                    lesson.stock.shots.num);
        code = campaign(f, &lesson, &setup);
    }
    gw_lesson_free(&lesson);
    return code;
}

static int fuzz(fuzzing *f)
{
    char why[512] = "";
    gw_case_list all;
    int code = gw_certification_describe(&f->c);
    if (code != GW_EXIT_OK)
        return code;
    if (f->c.suite->calls_us && f->c.o.num_traces > 0)
        return complain("--from is not for a board that calls us: no packets are made from traces");
    for (size_t i = 0; i < f->c.o.num_globs; i++)
        if (!gw_select_matches(f->c.suite, f->c.o.globs[i], why, sizeof(why)))
            return complain(why);
    if (f->baseline_path != NULL) {
        f->baseline = gw_baseline_load(f->baseline_path, f->c.suite->role, why, sizeof(why));
        if (f->baseline == NULL)
            return complain(why);
    }
    if (!traces_can_be_read(f, why, sizeof(why)))
        return complain(why);
    f->marks = json_object();
    if (!gw_place_make(f->out, &f->c.o, f->c.suite->role, why, sizeof(why)))
        return complain(why);
    (void)signal(SIGPIPE, SIG_IGN);
    gw_stop_watch();
    code = gw_certification_reach(&f->c);
    if (code != GW_EXIT_OK)
        return code;
    code = GW_EXIT_TOOL;
    gw_certify_call(&f->c.o, f->call, sizeof(f->call));
    f->context = (gw_found_context){.suite = f->c.suite,
                                    .target = gw_dut_target(f->c.dut),
                                    .dialect = f->c.dialect,
                                    .call = f->call};
    if (!gw_select(&all, f->c.suite, f->c.o.globs, f->c.o.num_globs)) {
        (void)complain("out of memory");
        return code;
    }
    f->ahead.journal = gw_journal_create(f->out, why, sizeof(why));
    if (f->ahead.journal != NULL)
        code = learn_and_fuzz(f, &all);
    else
        (void)complain(why);
    gw_ahead_free(&f->ahead);
    gw_journal_close(f->ahead.journal);
    gw_case_list_free(&all);
    return code;
}

/* What the mode says where no option does. */
static void choose(fuzzing *f)
{
    if (f->mode == MODE_PR && !f->time_given)
        f->time_s = PR_MOST_S;
    if (f->mode == MODE_BATCH && !f->seed_given) {
        f->c.o.seed = (uint64_t)gw_clock_ns(CLOCK_REALTIME);
        fprintf(stderr, "seed %" PRIu64 "\n", f->c.o.seed);
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "[BOARD.yaml]", doc, NULL, NULL, NULL};
    static fuzzing f = {.c = {.verb = "fuzz", .o = {.seed = 1}}, .time_s = USUAL_S};
    gw_verb_parse(&argp, argc, argv, &f);
    f.out = f.c.o.out_dir != NULL ? f.c.o.out_dir : USUAL_OUT;
    f.c.o.out_dir = NULL;
    choose(&f);
    int code = fuzz(&f);
    gw_coverage_free(f.coverage);
    json_decref(f.baseline);
    json_decref(f.marks);
    gw_certification_close(&f.c);
    return code;
}

const gw_verb gw_verb_fuzz = {"fuzz", "fuzz a board that is alive", run};

/* SPDX-License-Identifier: BSD-2-Clause */
/* Ground truth for campaigns: each of some mutants of our own boards, drawn by a seed, gets a
 * campaign in memory and virtual time, or several with other random numbers, until something is
 * found or its time is over. What was tried goes to a file, a line a trial; what is there is not
 * tried again. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "campaign/campaign.h"
#include "campaign/learn.h"
#include "campaign/name.h"
#include "device/dut.h"
#include "formats/builtin.h"
#include "goldwire/random.h"
#include "harness/socket.h"
#include "run/select.h"

#define MAX_MUTANTS 2048
#define MAX_TRIALS 65536

typedef enum outcome {
    SILENT = 0, /* it answers nothing at all */
    LEARNING,   /* a case fails before anything is mutated */
    FOUND,
    MISSED,
    NUM_OUTCOMES,
} outcome;

static const char *const outcomes[NUM_OUTCOMES] = {
    [SILENT] = "not reached",
    [LEARNING] = "learning",
    [FOUND] = "found",
    [MISSED] = "missed",
};

/* A mutant, and what became of it. */
typedef struct trial {
    const gw_board *board;
    const gw_mutant *mutant;
    uint64_t seed;
    bool done;
    outcome end;
    uint64_t packets; /* until it was found, over all carriages */
    double seconds;   /* of processor time */
    char over[8];
    char name[GW_FOUND_NAME]; /* of the finding, or the case that fails */
} trial;

static trial trials[MAX_TRIALS]; /* of a mutant: one after the other */
static size_t num_trials;

/* ---- which ---- */

/* The same mutants with however many trials: those of a mutant begin with |seed| and what follows.
 */
static void draw(size_t most, uint64_t seed, size_t each)
{
    static trial all[MAX_MUTANTS];
    size_t num = 0;
    gw_random random = {seed};
    for (size_t i = 0; i < gw_num_boards; i++)
        for (size_t m = 0; m < gw_boards[i]->num_mutants && num < MAX_MUTANTS; m++)
            all[num++] = (trial){.board = gw_boards[i], .mutant = &gw_boards[i]->mutants[m]};
    for (size_t i = 0; i + 1 < num; i++) {
        size_t other = i + gw_random_below(&random, (uint32_t)(num - i));
        trial t = all[i];
        all[i] = all[other];
        all[other] = t;
    }
    for (size_t i = 0; i < num && i < most; i++)
        for (size_t k = 0; k < each; k++) {
            all[i].seed = seed + k;
            trials[num_trials++] = all[i];
        }
}

/* ---- the file ---- */

static void put_line(FILE *f, const trial *t)
{
    fprintf(f, "%s\t%s\t%s\t%s\t%" PRIu64 "\t%.3f\t%s\t%" PRIu64 "\n", t->board->role,
            t->mutant->id, outcomes[t->end], t->over, t->packets, t->seconds, t->name, t->seed);
}

static trial *find_trial(const char *role, const char *id, uint64_t seed)
{
    for (size_t i = 0; i < num_trials; i++)
        if (trials[i].seed == seed && strcmp(trials[i].board->role, role) == 0 &&
            strcmp(trials[i].mutant->id, id) == 0)
            return &trials[i];
    return NULL;
}

/* Takes in a line of an earlier call; what is no such line counts for nothing. */
static void take_line(char *line)
{
    char *part[8];
    for (size_t i = 0; i < GW_ARRAY_LEN(part); i++)
        if ((part[i] = strsep(&line, "\t\n")) == NULL)
            return;
    trial *t = find_trial(part[0], part[1], strtoull(part[7], NULL, 10));
    for (int i = 0; t != NULL && i < NUM_OUTCOMES; i++) {
        if (strcmp(part[2], outcomes[i]) != 0)
            continue;
        t->done = true;
        t->end = (outcome)i;
        (void)snprintf(t->over, sizeof(t->over), "%s", part[3]);
        t->packets = strtoull(part[4], NULL, 10);
        t->seconds = strtod(part[5], NULL);
        (void)snprintf(t->name, sizeof(t->name), "%s", part[6]);
    }
}

static FILE *open_results(const char *path)
{
    char line[512];
    FILE *f = fopen(path, "a+");
    if (f == NULL)
        return NULL;
    rewind(f);
    while (fgets(line, sizeof(line), f) != NULL)
        if (strchr(line, '\n') != NULL)
            take_line(line);
    return f;
}

/* ---- one trial ---- */

static double since(int64_t began_ns)
{
    return (double)(gw_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - began_ns) / GW_SECOND;
}

/* What a trial over one carriage needs. */
typedef struct hunt {
    trial *t;
    uint64_t seed;
    int64_t time_ns; /* of the campaign; 0: there is none */
    gw_found_context context;
    gw_run_setup setup;
} hunt;

static bool take(void *arg, const gw_catch *found)
{
    hunt *h = arg;
    gw_found_name(h->t->name, &h->context, found);
    h->t->end = FOUND;
    return false;
}

static void note_failure(void *arg, const gw_result *result)
{
    hunt *h = arg;
    if (h->t->end == LEARNING)
        return;
    h->t->end = LEARNING;
    (void)snprintf(h->t->name, sizeof(h->t->name), "%s.%s", result->which->id,
                   result->rule != NULL ? result->rule->id : "");
}

static bool fuzz(hunt *h, const gw_lesson *lesson, char *why, size_t why_cap)
{
    gw_run run;
    gw_campaign campaign;
    gw_watch watch = {.cases = lesson->cases,
                      .num_cases = lesson->num_cases,
                      .hostile = lesson->hostile,
                      .num_hostile = lesson->num_hostile};
    gw_campaign_init(&campaign, &(gw_campaign_setup){.stock = &lesson->stock,
                                                     .watch = &watch,
                                                     .context = &h->context,
                                                     .seed = h->seed,
                                                     .time_ns = h->time_ns,
                                                     .catches = take,
                                                     .arg = h});
    const gw_case *cases[] = {&campaign.one};
    h->setup.cases = cases;
    h->setup.num_cases = 1;
    bool ok = gw_run_cases(&run, &h->setup, why, why_cap);
    h->t->packets += campaign.report.packets;
    gw_run_free(&run);
    return ok;
}

static bool learn_and_fuzz(hunt *h, char *why, size_t why_cap)
{
    gw_lesson lesson = {.keep_stories = true, .told = note_failure, .told_arg = h};
    bool ok = gw_learn(&lesson, &h->setup, why, why_cap);
    if (ok && lesson.answered && h->t->end == SILENT)
        h->t->end = MISSED;
    if (ok && h->time_ns > 0 && (lesson.stock.num > 0 || h->t->board->calls_us))
        ok = fuzz(h, &lesson, why, why_cap);
    gw_lesson_free(&lesson);
    return ok;
}

static bool try_over(trial *t, gw_carriage carriage, uint64_t seed, int64_t time_ns, char *why,
                     size_t why_cap)
{
    static const gw_board_file nothing;
    const gw_board_file *file = gw_builtin_board(t->board->role);
    gw_case_list all;
    gw_dut *dut = gw_dut_in_memory(t->board, t->mutant, carriage, why, why_cap);
    if (dut == NULL)
        return false;
    hunt h = {.t = t, .seed = seed, .time_ns = time_ns};
    h.setup = (gw_run_setup){.suite = gw_suite_by_role(t->board->role),
                             .board = file != NULL ? file : &nothing,
                             .target = gw_dut_target(dut),
                             .seed = seed};
    h.context =
        (gw_found_context){.suite = h.setup.suite, .target = gw_dut_target(dut), .call = ""};
    (void)snprintf(t->over, sizeof(t->over), "%s", gw_carriage_name(carriage));
    bool ok = gw_select(&all, h.setup.suite, NULL, 0);
    if (ok) {
        h.setup.cases = all.cases;
        h.setup.num_cases = all.num;
        ok = learn_and_fuzz(&h, why, why_cap);
        gw_case_list_free(&all);
    } else {
        (void)snprintf(why, why_cap, "out of memory");
    }
    gw_dut_close(dut);
    return ok;
}

/* A board is fuzzed over each carriage that it has, unless it fails a case over one of them, and
 * its time is shared out among them; one with a fault of its Ethernet port where that can be seen.
 */
static bool try_mutant(trial *t, unsigned seconds, char *why, size_t why_cap)
{
    int64_t began = gw_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    gw_carriage over[2] = {GW_CARRY_UDP, GW_CARRY_TCP};
    size_t num = gw_carriage_fits(t->board, GW_CARRY_TCP) ? 2 : 1;
    t->end = SILENT;
    if (t->mutant->wire != 0) {
        over[0] = GW_CARRY_RAW;
        num = 1;
    }
    for (size_t i = 0; i < num && (t->end == SILENT || t->end == MISSED); i++)
        if (!try_over(t, over[i], t->seed, 0, why, why_cap))
            return false;
    for (size_t i = 0; i < num && t->end == MISSED; i++)
        if (!try_over(t, over[i], t->seed, seconds * GW_SECOND / (int64_t)num, why, why_cap))
            return false;
    t->seconds = since(began);
    t->done = true;
    return true;
}

/* ---- what came of it ---- */

static bool is_in_time(const trial *t, double seconds)
{
    return t->done && t->end == FOUND && t->seconds <= seconds;
}

static size_t count(outcome end)
{
    size_t num = 0;
    for (size_t i = 0; i < num_trials; i++)
        num += trials[i].done && trials[i].end == end;
    return num;
}

/* Whether |t| breaks a MUST: what breaks none is no finding. */
static bool breaks_must(const trial *t)
{
    const gw_format *format = gw_suite_by_role(t->board->role)->format;
    for (size_t i = 0; t->mutant->rules[i] != NULL; i++) {
        const gw_rule *rule = gw_format_rule(format, t->mutant->rules[i]);
        if (rule != NULL && rule->level == GW_MUST)
            return true;
    }
    return false;
}

static size_t count_no_must(void)
{
    size_t num = 0;
    for (size_t i = 0; i < num_trials; i++)
        num += trials[i].done && trials[i].end == MISSED && !breaks_must(&trials[i]);
    return num;
}

/* Whether what |t| was found as names a rule that it was made to break: wrong.EB-S21. */
static bool is_named(const trial *t)
{
    const char *rule = strchr(t->name, '.');
    for (size_t i = 0; rule != NULL && t->mutant->rules[i] != NULL; i++)
        if (strcmp(rule + 1, t->mutant->rules[i]) == 0)
            return true;
    return false;
}

static size_t count_named(void)
{
    size_t num = 0;
    for (size_t i = 0; i < num_trials; i++)
        num += trials[i].done && trials[i].end == FOUND && is_named(&trials[i]);
    return num;
}

static size_t count_in_time(double seconds)
{
    size_t num = 0;
    for (size_t i = 0; i < num_trials; i++)
        num += is_in_time(&trials[i], seconds);
    return num;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of those that had a campaign, where half of them were found. */
static void print_median(size_t fuzzed, unsigned seconds)
{
    static double times[MAX_TRIALS];
    size_t num = 0;
    for (size_t i = 0; i < num_trials; i++)
        if (is_in_time(&trials[i], seconds))
            times[num++] = trials[i].seconds;
    qsort(times, num, sizeof(times[0]), compare);
    if (num * 2 >= fuzzed && num > 0)
        printf("median %.3f s", times[(fuzzed - 1) / 2]);
    else
        printf("median beyond %u s", seconds);
}

static void print_summary(size_t each, unsigned seconds)
{
    static const double moments[] = {0.1, 0.3, 1, 3, 10, 30, 60, 300, 3600};
    size_t fuzzed = count(FOUND) + count(MISSED);
    size_t in_time = count_in_time(seconds);
    printf("\n%zu mutants, %zu trials of each: %zu are not reached, %zu fail a case before "
           "anything is "
           "mutated, %zu had a campaign\n",
           num_trials / each, each, count(SILENT), count(LEARNING), fuzzed);
    if (fuzzed == 0)
        return;
    printf("of these %zu were found within %u s (%.1f %%), ", in_time, seconds,
           100.0 * (double)in_time / (double)fuzzed);
    print_median(fuzzed, seconds);
    printf(
        "; with those that a case finds %.1f %%\n%zu of those that were found are called by a rule "
        "that they were made to break; %zu of those that were not break no MUST\n\n%10s %12s\n",
        100.0 * (double)(in_time + count(LEARNING)) / (double)(fuzzed + count(LEARNING)),
        count_named(), count_no_must(), "seconds", "not found");
    for (size_t i = 0; i < GW_ARRAY_LEN(moments) && moments[i] < seconds; i++)
        printf("%10.1f %12zu\n", moments[i], fuzzed - count_in_time(moments[i]));
    printf("%10.1f %12zu\n", (double)seconds, fuzzed - in_time);
}

/* A line a mutant that had campaigns: of how many trials it was found, after how long. */
static void print_medians(size_t each, unsigned seconds)
{
    if (each == 1)
        return;
    printf("\n%-17s %-42s %-8s %7s %7s %9s %9s %9s\n", "role", "mutant", "breaks", "trials",
           "found", "median", "least", "most");
    for (size_t i = 0; i < num_trials; i += each) {
        static double times[MAX_TRIALS];
        size_t fuzzed = 0;
        size_t num = 0;
        for (size_t k = i; k < i + each; k++) {
            fuzzed += trials[k].end == FOUND || trials[k].end == MISSED;
            if (is_in_time(&trials[k], seconds))
                times[num++] = trials[k].seconds;
        }
        if (fuzzed == 0)
            continue;
        qsort(times, num, sizeof(times[0]), compare);
        printf("%-17s %-42s %-8s %7zu %7zu", trials[i].board->role, trials[i].mutant->id,
               trials[i].mutant->rules[0], fuzzed, num);
        if (num * 2 > fuzzed)
            printf(" %9.3f", times[(fuzzed - 1) / 2]);
        else
            printf(" %9s", "beyond");
        if (num > 0)
            printf(" %9.3f %9.3f", times[0], times[num - 1]);
        printf("\n");
    }
}

static void print_trial(const trial *t)
{
    printf("%-17s %-42s %-8s %-11s %-4s %9" PRIu64 " %8.3f  %s\n", t->board->role, t->mutant->id,
           t->mutant->rules[0], outcomes[t->end], t->over, t->packets, t->seconds, t->name);
    (void)fflush(stdout);
}

static bool read_number(const char *text, uint64_t most, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *out <= most;
}

int main(int argc, char **argv)
{
    uint64_t num = MAX_MUTANTS;
    uint64_t seed = 0;
    uint64_t seconds = 0;
    uint64_t each = 1;
    char why[256] = "";
    if (argc < 5 || argc > 6 ||
        (strcmp(argv[1], "all") != 0 && !read_number(argv[1], MAX_MUTANTS, &num)) ||
        !read_number(argv[2], UINT64_MAX, &seed) || !read_number(argv[3], 86400, &seconds) ||
        (argc > 5 && !read_number(argv[5], MAX_TRIALS / MAX_MUTANTS, &each)) || num == 0 ||
        seconds == 0 || each == 0) {
        fprintf(stderr, "usage: %s N|all SEED SECONDS RESULTS [TRIALS]\n", argv[0]);
        return 2;
    }
    draw((size_t)num, seed, (size_t)each);
    FILE *results = open_results(argv[4]);
    if (results == NULL) {
        fprintf(stderr, "%s: %s\n", argv[4], strerror(errno));
        return 2;
    }
    printf("%-17s %-42s %-8s %-11s %-4s %9s %8s  %s\n", "role", "mutant", "breaks", "", "over",
           "packets", "seconds", "finding, or case that fails");
    for (size_t i = 0; i < num_trials; i++) {
        trial *t = &trials[i];
        if (!t->done) {
            if (!try_mutant(t, (unsigned)seconds, why, sizeof(why))) {
                fprintf(stderr, "%s, %s: %s\n", t->board->role, t->mutant->id, why);
                return 1;
            }
            put_line(results, t);
            if (fflush(results) != 0) {
                fprintf(stderr, "%s: %s\n", argv[4], strerror(errno));
                return 1;
            }
        }
        print_trial(t);
    }
    (void)fclose(results);
    print_medians((size_t)each, (unsigned)seconds);
    print_summary((size_t)each, (unsigned)seconds);
    return 0;
}

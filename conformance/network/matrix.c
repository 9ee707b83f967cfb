/* SPDX-License-Identifier: BSD-2-Clause */
/* All good software boards at the end of all bad networks, in virtual time: not one of them may be
 * failed, warned or stumbled over, and on a path that is only long, or loses little, nearly every
 * case is decided all the same. Then every mutant over two such paths: it has to be caught. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "harness/transport.h"
#include "run/case.h"
#include "run/select.h"
#include "selftest/selftest.h"

#define MAX_TASKS 65536
#define MAX_COLUMNS 32
#define MAX_WORKERS 64
#define MAX_SHOWN 6 /* findings of a cell */

/* ---- what is tried ---- */

/* A path, and what is demanded of it beside that no good board is blamed. */
typedef struct path_condition {
    const char *name;
    const char *path;  /* as in a URL; the seed is added */
    unsigned decided;  /* so many of a hundred cases, at least */
    unsigned per_seed; /* ms that an outage begins later with each seed */
    unsigned mutants;  /* so many of a hundred are caught, at least; 0: they are not tried */
} path_condition;

static const path_condition conditions[] = {
    {.name = "nothing", .path = "", .decided = 100},
    {.name = "rtt 1 ms", .path = "rtt=1ms", .decided = 95},
    {.name = "rtt 20 ms", .path = "rtt=20ms", .decided = 95, .mutants = 100},
    {.name = "rtt 40 ms", .path = "rtt=40ms", .decided = 95},
    {.name = "rtt 100 ms", .path = "rtt=100ms", .decided = 95},
    {.name = "rtt 400 ms", .path = "rtt=400ms", .decided = 95},
    {.name = "rtt 20 +- 10 ms", .path = "rtt=20ms&jitter=5ms"},
    {.name = "rtt 40 +- 20 ms", .path = "rtt=40ms&jitter=10ms"},
    {.name = "loss 1 %", .path = "loss=0.01", .decided = 95, .mutants = 90},
    {.name = "loss 5 %", .path = "loss=0.05"},
    {.name = "loss 20 %", .path = "loss=0.2"},
    {.name = "reorder 1 %", .path = "reorder=0.01"},
    {.name = "reorder 5 %", .path = "reorder=0.05"},
    {.name = "reorder 10 %", .path = "reorder=0.1"},
    {.name = "duplicate 1 %", .path = "duplicate=0.01"},
    {.name = "duplicate 5 %", .path = "duplicate=0.05"},
    {.name = "duplicate 10 %", .path = "duplicate=0.1"},
    {.name = "corrupt 1 %", .path = "corrupt=0.01"},
    {.name = "corrupt 5 %", .path = "corrupt=0.05"},
    {.name = "corrupt 10 %", .path = "corrupt=0.1"},
    {.name = "all at once",
     .path = "rtt=20ms&jitter=5ms&loss=0.05&reorder=0.05&duplicate=0.05&corrupt=0.05"},
    {.name = "mtu 1500", .path = "mtu=1500", .decided = 95},
    {.name = "mtu 576", .path = "mtu=576", .decided = 95},
    {.name = "down for 3 s", .path = "rtt=1ms", .per_seed = 100},
};

#define NUM_CONDITIONS GW_ARRAY_LEN(conditions)

/* A board, and what its links are. */
typedef struct board_column {
    const gw_suite *suite;
    const gw_board *board;
    gw_carriage carriage;
} board_column;

typedef struct task {
    uint16_t condition;
    uint16_t column;
    uint16_t seed;
    int16_t mutant; /* -1: the good board */
} task;

typedef struct options {
    const char *const *roles; /* NULL: all */
    size_t num_roles;
    const char *only; /* part of a condition's name; NULL: all */
    unsigned seeds;
    unsigned mutant_seeds;
    unsigned workers;
    bool mutants;
} options;

static board_column columns[MAX_COLUMNS];
static size_t num_columns;
static task tasks[MAX_TASKS];
static size_t num_tasks;

static bool is_wanted(const options *o, const gw_board *board)
{
    bool wanted = o->num_roles == 0;
    for (size_t i = 0; i < o->num_roles; i++)
        wanted = wanted || gw_board_by_role(o->roles[i]) == board;
    return wanted;
}

static void lay_columns(const options *o)
{
    for (size_t i = 0; i < gw_num_suites; i++) {
        const gw_board *board = gw_board_by_role(gw_suites[i]->role);
        for (unsigned c = GW_CARRY_UDP; board != NULL && c <= GW_CARRY_RAW; c++) {
            bool fits = is_wanted(o, board) && gw_carriage_fits(board, (gw_carriage)c);
            if (fits && num_columns < MAX_COLUMNS)
                columns[num_columns++] = (board_column){gw_suites[i], board, (gw_carriage)c};
        }
    }
}

static void add_task(size_t condition, size_t column, unsigned seed, int mutant)
{
    if (num_tasks < MAX_TASKS)
        tasks[num_tasks++] = (task){.condition = (uint16_t)condition,
                                    .column = (uint16_t)column,
                                    .seed = (uint16_t)seed,
                                    .mutant = (int16_t)mutant};
}

static void lay_tasks(const options *o)
{
    for (size_t i = 0; i < NUM_CONDITIONS; i++) {
        if (o->only != NULL && strstr(conditions[i].name, o->only) == NULL)
            continue;
        for (size_t c = 0; c < num_columns; c++) {
            bool first = columns[c].carriage == GW_CARRY_UDP; /* a mutant goes over all at once */
            bool tries = o->mutants && conditions[i].mutants > 0 && first;
            for (unsigned seed = 1; seed <= o->seeds; seed++)
                add_task(i, c, seed, -1);
            for (size_t m = 0; tries && m < columns[c].board->num_mutants; m++)
                for (unsigned seed = 1; seed <= o->mutant_seeds; seed++)
                    add_task(i, c, seed, (int)m);
        }
    }
}

/* ---- one run ---- */

/* What a worker tells of one task. */
typedef struct told {
    uint32_t task;
    bool broken; /* goldwire's own fault */
    bool caught;
    uint32_t of[GW_XPASS + 1];
    uint32_t num_found;
    struct {
        uint8_t verdict;
        char text[240];
    } found[MAX_SHOWN];
} told;

static bool read_path(gw_impairment *out, const path_condition *c, unsigned seed)
{
    char text[256];
    char why[256];
    gw_url url;
    int len = snprintf(text, sizeof(text), "roce://127.0.0.1?%s%sseed=%u", c->path,
                       c->path[0] != '\0' ? "&" : "", seed);
    if (c->per_seed > 0)
        (void)snprintf(text + len, sizeof(text) - (size_t)len, "&outage=%ums+3s",
                       c->per_seed * seed);
    if (!gw_url_parse(&url, text, why, sizeof(why)))
        return false;
    *out = url.impairment;
    return true;
}

static void note(told *t, gw_verdict verdict, const char *who, const char *text)
{
    if (t->num_found < MAX_SHOWN) {
        t->found[t->num_found].verdict = (uint8_t)verdict;
        (void)snprintf(t->found[t->num_found].text, sizeof(t->found[0].text), "%s: %.180s", who,
                       text);
    }
    t->num_found++;
}

static void note_run(told *t, const gw_run *run)
{
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *r = &run->results[i];
        t->of[r->verdict]++;
        if (r->verdict != GW_PASS && r->verdict != GW_NA && r->verdict != GW_INCONC)
            note(t, r->verdict, r->which->id, r->text);
    }
    for (size_t i = 0; i < run->num_claims; i++) {
        const gw_claim_check *c = &run->claims[i];
        if (c->verdict == GW_CLAIM_OVER || c->verdict == GW_CLAIM_CONTRADICTS) {
            t->of[GW_FAIL]++;
            note(t, GW_FAIL, c->field->name, "a claim that the board is said not to live up to");
        }
    }
}

static bool run_good(told *t, const board_column *c, const gw_impairment *path, char *why,
                     size_t why_cap)
{
    static const gw_board_file nothing;
    const gw_board_file *board = gw_builtin_board(c->board->role);
    gw_case_list all;
    gw_run run;
    gw_dut *dut = gw_dut_behind(c->board, NULL, c->carriage, path, why, why_cap);
    if (dut == NULL)
        return false;
    if (!gw_select(&all, c->suite, NULL, 0)) {
        gw_dut_close(dut);
        return false;
    }
    gw_run_setup setup = {.suite = c->suite,
                          .board = board != NULL ? board : &nothing,
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = 1};
    bool ok = gw_run_cases(&run, &setup, why, why_cap);
    if (ok)
        note_run(t, &run);
    gw_run_free(&run);
    gw_case_list_free(&all);
    gw_dut_close(dut);
    return ok;
}

static bool run_mutant(told *t, const board_column *c, const gw_mutant *mutant,
                       const gw_impairment *path, char *why, size_t why_cap)
{
    gw_detection d;
    if (!gw_selftest(&d, c->suite, c->board, mutant, path, why, why_cap))
        return false;
    t->caught = d.detected;
    if (!d.detected)
        note(t, GW_PASS, mutant->id, "is not caught");
    for (unsigned i = 0; i < d.num_extra; i++)
        note(t, GW_FAIL, mutant->id, d.extra[i]->id);
    return true;
}

static void perform(told *t, const task *one)
{
    const path_condition *condition = &conditions[one->condition];
    const board_column *c = &columns[one->column];
    gw_impairment path;
    char why[256] = "";
    bool ok = read_path(&path, condition, one->seed);
    if (ok && one->mutant < 0)
        ok = run_good(t, c, &path, why, sizeof(why));
    else if (ok)
        ok = run_mutant(t, c, &c->board->mutants[one->mutant], &path, why, sizeof(why));
    t->broken = !ok;
    if (!ok)
        note(t, GW_ERROR, "goldwire", why);
}

/* ---- many at a time ---- */

static bool write_all(int fd, const void *data, size_t len)
{
    for (const char *p = data; len > 0;) {
        ssize_t put = write(fd, p, len);
        if (put <= 0)
            return false;
        p += put;
        len -= (size_t)put;
    }
    return true;
}

static bool read_all(int fd, void *data, size_t len)
{
    for (char *p = data; len > 0;) {
        ssize_t got = read(fd, p, len);
        if (got <= 0)
            return false;
        p += got;
        len -= (size_t)got;
    }
    return true;
}

/* Worker |number| of |num| does each so-manieth task. */
static void work(unsigned number, unsigned num, int fd)
{
    for (size_t i = number; i < num_tasks; i += num) {
        told t = {.task = (uint32_t)i};
        perform(&t, &tasks[i]);
        if (!write_all(fd, &t, sizeof(t)))
            return;
    }
}

/* ---- the table ---- */

typedef struct cell {
    uint32_t of[GW_XPASS + 1];
    unsigned runs;
    unsigned mutants;
    unsigned caught;
    unsigned blamed; /* mutants, for what they do right */
} cell;

static cell cells[NUM_CONDITIONS][MAX_COLUMNS];
static unsigned num_broken;

static void take(const told *t)
{
    const task *one = &tasks[t->task];
    const board_column *c = &columns[one->column];
    cell *into = &cells[one->condition][one->column];
    for (size_t i = 0; i < GW_ARRAY_LEN(t->of); i++)
        into->of[i] += t->of[i];
    num_broken += t->broken;
    into->runs += one->mutant < 0;
    into->mutants += one->mutant >= 0;
    into->caught += one->mutant >= 0 && t->caught;
    for (uint32_t i = 0; i < t->num_found && i < MAX_SHOWN; i++) {
        bool missed = t->found[i].verdict == GW_PASS;
        into->blamed += one->mutant >= 0 && !missed;
        printf("%-6s %s, %s over %s, seed %u: %s%s\n",
               missed ? "MISSED" : gw_verdict_name((gw_verdict)t->found[i].verdict),
               conditions[one->condition].name, c->board->role, gw_carriage_name(c->carriage),
               one->seed, t->found[i].text,
               one->mutant >= 0 && !missed ? " fails, which tests nothing that it breaks" : "");
    }
    fflush(stdout);
}

/* PASS, INCONC and NA of all seeds, and what must not be. */
static void print_cell(const cell *c)
{
    uint32_t wrong = c->of[GW_FAIL] + c->of[GW_WARN] + c->of[GW_ERROR];
    if (c->runs == 0)
        printf(" |");
    else if (wrong == 0)
        printf(" %u/%u/%u |", c->of[GW_PASS], c->of[GW_INCONC], c->of[GW_NA]);
    else
        printf(" %u/%u/%u **%u wrong** |", c->of[GW_PASS], c->of[GW_INCONC], c->of[GW_NA], wrong);
}

static double share_decided(const cell *c)
{
    uint32_t decided = c->of[GW_PASS] + c->of[GW_FAIL] + c->of[GW_WARN];
    uint32_t all = decided + c->of[GW_INCONC] + c->of[GW_ERROR];
    return all > 0 ? 100.0 * decided / all : 100.0;
}

/* Whether too few of a board's mutants were caught; says so. */
static bool judge_mutants(const path_condition *condition, const board_column *column,
                          const cell *c)
{
    bool missed = c->caught * 100 < c->mutants * condition->mutants;
    if (missed)
        printf("FEW    %s, %s: %u of %u mutants caught, %u %% wanted\n", condition->name,
               column->board->role, c->caught, c->mutants, condition->mutants);
    return missed;
}

/* Says where |condition| asks for more than there was; the number of cells that fall short. */
static unsigned judge_condition(size_t number)
{
    const path_condition *condition = &conditions[number];
    cell sum = {0};
    unsigned broken = 0;
    for (size_t i = 0; i < num_columns; i++) {
        const cell *c = &cells[number][i];
        bool wrong = c->of[GW_FAIL] + c->of[GW_WARN] + c->of[GW_ERROR] > 0;
        bool few = c->runs > 0 && share_decided(c) < condition->decided;
        broken += wrong || few;
        if (few)
            printf("FEW    %s, %s over %s: %.1f %% decided, %u %% wanted\n", condition->name,
                   columns[i].board->role, gw_carriage_name(columns[i].carriage), share_decided(c),
                   condition->decided);
        broken += judge_mutants(condition, &columns[i], c);
        sum.mutants += c->mutants;
        sum.caught += c->caught;
        sum.blamed += c->blamed;
    }
    if (sum.mutants == 0)
        return broken;
    printf("       %s: %u of %u mutants caught; %u blamed for what they do right\n",
           condition->name, sum.caught, sum.mutants, sum.blamed);
    return broken + (sum.blamed > 0);
}

static bool was_tried(size_t number)
{
    bool tried = false;
    for (size_t i = 0; i < num_columns; i++)
        tried = tried || cells[number][i].runs > 0;
    return tried;
}

/* A row for each path, a column for each board. */
static void print_table(void)
{
    printf("\n| path |");
    for (size_t i = 0; i < num_columns; i++)
        printf(" %s%s%s |", columns[i].board->role, columns[i].carriage != GW_CARRY_UDP ? ", " : "",
               columns[i].carriage != GW_CARRY_UDP ? gw_carriage_name(columns[i].carriage) : "");
    printf(" decided |\n|---|");
    for (size_t i = 0; i <= num_columns; i++)
        printf("---|");
    printf("\n");
    for (size_t number = 0; number < NUM_CONDITIONS; number++) {
        cell sum = {0};
        if (!was_tried(number))
            continue;
        printf("| %s |", conditions[number].name);
        for (size_t i = 0; i < num_columns; i++) {
            print_cell(&cells[number][i]);
            for (size_t v = 0; v < GW_ARRAY_LEN(sum.of); v++)
                sum.of[v] += cells[number][i].of[v];
        }
        printf(" %.1f %% |\n", share_decided(&sum));
    }
    printf("\n");
}

/* ---- all of it ---- */

static bool start_workers(unsigned num, int *fds)
{
    for (unsigned i = 0; i < num; i++) {
        int ends[2];
        if (pipe(ends) != 0)
            return false;
        pid_t pid = fork();
        if (pid < 0)
            return false;
        if (pid == 0) {
            close(ends[0]);
            work(i, num, ends[1]);
            _exit(0);
        }
        close(ends[1]);
        fds[i] = ends[0];
    }
    return true;
}

/* Worker i % num tells task i, each its own in their order. */
static bool collect(unsigned num, const int *fds)
{
    told t;
    for (size_t i = 0; i < num_tasks; i++) {
        if (!read_all(fds[i % num], &t, sizeof(t)) || t.task != i) {
            fprintf(stderr, "a worker ended at task %zu: %s, %s, seed %u\n", i,
                    conditions[tasks[i].condition].name, columns[tasks[i].column].board->role,
                    tasks[i].seed);
            return false;
        }
        take(&t);
    }
    return true;
}

static bool read_number(const char *text, unsigned *out)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *out = (unsigned)value;
    return *end == '\0' && value > 0 && value <= 10000;
}

/* Whether |name| is an option that counts, and |value| its number. */
static bool read_count(options *o, const char *name, const char *value)
{
    unsigned *count = strcmp(name, "--seeds") == 0          ? &o->seeds
                      : strcmp(name, "--mutant-seeds") == 0 ? &o->mutant_seeds
                      : strcmp(name, "--jobs") == 0         ? &o->workers
                                                            : NULL;
    return count != NULL && read_number(value, count);
}

static bool read_options(options *o, int argc, char **argv)
{
    static const char *roles[32];
    o->roles = roles;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (more && read_count(o, argv[i], argv[i + 1]))
            i++;
        else if (strcmp(argv[i], "--path") == 0 && more)
            o->only = argv[++i];
        else if (strcmp(argv[i], "--no-mutants") == 0)
            o->mutants = false;
        else if (argv[i][0] != '-' && gw_suite_by_role(argv[i]) != NULL && o->num_roles < 32)
            roles[o->num_roles++] = argv[i];
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    options o = {.seeds = 10,
                 .mutant_seeds = 3,
                 .workers = cores > 0 ? (unsigned)cores : 1,
                 .mutants = true};
    int fds[MAX_WORKERS];
    if (!read_options(&o, argc, argv)) {
        fprintf(stderr,
                "usage: %s [ROLE...] [--seeds N] [--path PART-OF-ITS-NAME] [--no-mutants] "
                "[--mutant-seeds N] [--jobs N]\n",
                argv[0]);
        return 2;
    }
    if (o.workers > MAX_WORKERS)
        o.workers = MAX_WORKERS;
    lay_columns(&o);
    lay_tasks(&o);
    fflush(stdout);
    if (num_tasks == 0 || num_tasks == MAX_TASKS || !start_workers(o.workers, fds)) {
        fprintf(stderr, "nothing to do, too much of it, or no process for it\n");
        return 2;
    }
    bool whole = collect(o.workers, fds);
    for (unsigned i = 0; i < o.workers; i++) {
        close(fds[i]); /* a worker with nobody to tell ends */
        (void)wait(NULL);
    }
    unsigned broken = 0;
    print_table();
    for (size_t i = 0; i < NUM_CONDITIONS; i++)
        broken += was_tried(i) ? judge_condition(i) : 0;
    printf("%zu runs; %u cells fall short, %u runs broke down\n", num_tasks, broken, num_broken);
    return whole && broken == 0 && num_broken == 0 ? 0 : 1;
}

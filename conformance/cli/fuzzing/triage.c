/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire triage: what a campaign found, brought about again, made small, and named. */
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "campaign/found.h"
#include "campaign/journal.h"
#include "campaign/shrink.h"
#include "cli/board_options.h"
#include "cli/certification.h"
#include "cli/fuzzing/place.h"
#include "cli/verb.h"
#include "evidence/clean.h"
#include "harness/stop.h"
#include "run/alive.h"
#include "run/store.h"

#define FINDINGS_MAX 1024
#define PROBES 32 /* to know how soon the board answers when it is well */
#define TRIES_MAX 2000
#define REPLY_LEAST_NS (100 * GW_MS)

static const char doc[] =
    "Bring what `goldwire fuzz' found about again, with as few packets as it takes, those as near "
    "to what is legal as they can be, and name it.\v"
    "DIR is the campaign's folder, which says where the board is; options say that it is elsewhere "
    "now. A finding that does not show again stays as it is, and is told. Packets of a campaign "
    "that was killed are tried as well: what it had sent since the board was last seen well.\n\n"
    "Exit codes: 0 nothing shows any more, or nothing was found, 1 a finding shows, 2 the call is "
    "wrong, 3 inconclusive (the board does not answer, or was lost), 4 goldwire failed.";

static const struct argp_option options[] = {
    {"dut", GW_OPTION_DUT, "[LINK=]URL", 0, "where the board is now; once for each of its links",
     0},
    {"board-file", GW_OPTION_BOARD_FILE, "FILE", 0, "areas, role and place of the board", 0},
    {"patience", GW_OPTION_PATIENCE, "N", 0, "wait N times as long as usual, as for certify", 0},
    {"hooks", GW_OPTION_HOOKS, 0, 0, "run the board file's hooks to recover the board", 0},
    {0},
};

typedef struct triage {
    gw_case one; /* the first member */
    gw_certification c;
    gw_certify_options own; /* that the command line says */
    const char *dir;
    gw_found_context context;
    char *names[FINDINGS_MAX];
    size_t num_names;
    unsigned shown;
    unsigned gone;
    char lost[320];
    bool failed; /* goldwire itself */
    bool begun;
    char call[2048];
} triage;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    triage *t = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (t->dir != NULL)
            argp_error(state, "one campaign at a time");
        t->dir = arg;
        return 0;
    case ARGP_KEY_END:
        if (t->dir == NULL)
            argp_error(state, "which campaign? give its folder");
        return 0;
    default:
        return gw_board_option(&t->own, key, arg, state);
    }
}

static int complain(const char *what)
{
    fprintf(stderr, "goldwire triage: %s\n", what);
    return GW_EXIT_USAGE;
}

/* ---- which findings ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_findings(triage *t)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof(path), "%s/" GW_FOUND_FOLDER, t->dir);
    DIR *folder = opendir(path);
    if (folder == NULL)
        return errno == ENOENT;
    for (const struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
        if (e->d_name[0] == '.' || t->num_names == FINDINGS_MAX ||
            !gw_found_is_there(t->dir, e->d_name))
            continue;
        t->names[t->num_names] = strdup(e->d_name);
        t->num_names += t->names[t->num_names] != NULL;
    }
    closedir(folder);
    qsort(t->names, t->num_names, sizeof(t->names[0]), by_name);
    return true;
}

/* ---- one of them ---- */

static void drop(const triage *t, const char *name)
{
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof(folder), "%s/" GW_FOUND_FOLDER "/%s", t->dir, name);
    gw_store_remove(folder, GW_FOUND_CAPTURE);
    gw_store_remove(folder, GW_FOUND_FILE);
    (void)rmdir(folder);
}

static void tell(const triage *t, const char *name, const gw_catch *found)
{
    printf("%s: ", name);
    gw_put_plain(stdout, found->anomaly.text);
    size_t num = gw_shots_packets(&found->shots);
    printf(" (%zu packet%s, %u of %u times)\n", num, num == 1 ? "" : "s", found->shown,
           found->tries);
    for (size_t i = 0; i < found->shots.num; i++) {
        const gw_shot *shot = &found->shots.list[i];
        const gw_rule *breaks = gw_found_breaks(&t->context, &found->shots, shot);
        const gw_field *changes =
            shot->mutated ? gw_found_changes(&t->context, &found->shots, shot) : NULL;
        printf("  %s %s, %" PRIu32 " bytes%s%s%s%s\n", shot->joined ? "+" : "-",
               gw_found_kind(&t->context, &found->shots, shot), shot->len,
               breaks != NULL ? ", breaks " : "", breaks != NULL ? breaks->id : "",
               changes != NULL ? ", changed at " : "", changes != NULL ? changes->name : "");
    }
}

/* How often it shows, of as many tries as a finding gets. */
static void count(gw_search *search, gw_catch *found)
{
    search->said = &found->said;
    search->seen = &found->seen;
    found->tries = found->shown = 0;
    for (; found->tries < GW_CATCH_TRIES && search->lost[0] == '\0' && !gw_stopped();
         found->tries++)
        found->shown += gw_search_try(search, &found->shots, 0, found->shots.num);
}

static void keep(triage *t, const char *old, const gw_catch *found)
{
    char name[GW_FOUND_NAME];
    char why[512] = "";
    gw_found_name(name, &t->context, found);
    bool twice = old == NULL || strcmp(old, name) != 0 ? gw_found_is_there(t->dir, name) : false;
    if (!twice && !gw_found_store(t->dir, name, &t->context, found, why, sizeof(why))) {
        (void)complain(why);
        t->failed = true;
        return;
    }
    if (old != NULL && strcmp(old, name) != 0)
        drop(t, old);
    if (twice) {
        printf("%s: once more\n", name);
        return;
    }
    t->shown++;
    tell(t, name, found);
}

/* Makes |found| small, and keeps it. */
static void reduce(triage *t, gw_search *search, const char *old, gw_catch *found)
{
    size_t num = gw_search_last(search, &found->shots);
    if (num == 0) {
        if (search->lost[0] == '\0' && !gw_stopped()) {
            t->gone++;
            printf("%s: does not show any more\n", old != NULL ? old : "what was sent last");
        }
        return;
    }
    gw_shots_keep_last(&found->shots, num);
    count(search, found);
    unsigned patience =
        found->shown == 0 ? GW_CATCH_TRIES : (found->tries + found->shown - 1) / found->shown;
    if (!gw_shrink(search, &t->context, &found->shots, patience)) {
        t->failed = true;
        (void)complain("out of memory");
        return;
    }
    count(search, found);
    if (found->shown > 0)
        keep(t, old, found);
}

static void look_at(triage *t, gw_ctx *ctx, gw_watch *watch, const char *name)
{
    gw_catch found;
    char path[PATH_MAX];
    char why[512] = "";
    (void)snprintf(path, sizeof(path), "%s/" GW_FOUND_FOLDER "/%s/" GW_FOUND_FILE, t->dir, name);
    if (!gw_found_load(&found, &t->context, path, why, sizeof(why))) {
        (void)complain(why);
        t->failed = true;
        return;
    }
    gw_search search = {.ctx = ctx, .watch = watch, .like = &found.anomaly, .most = TRIES_MAX};
    reduce(t, &search, name, &found);
    (void)snprintf(t->lost, sizeof(t->lost), "%s", search.lost);
    gw_catch_free(&found);
}

/* What a campaign that was killed had sent since the board was last seen well. */
static void look_at_ring(triage *t, gw_ctx *ctx, gw_watch *watch)
{
    gw_catch found = {0};
    size_t unsettled = 0;
    char why[512] = "";
    if (!gw_journal_read(&found.shots, &unsettled, t->dir, why, sizeof(why))) {
        if (why[0] != '\0')
            (void)complain(why);
        t->failed = t->failed || why[0] != '\0';
    } else if (unsettled > 0) {
        gw_search search = {.ctx = ctx, .watch = watch, .like = &found.anomaly, .most = TRIES_MAX};
        printf("the campaign ended behind %zu packets after which the board was not seen well\n",
               unsettled);
        reduce(t, &search, NULL, &found);
        (void)snprintf(t->lost, sizeof(t->lost), "%s", search.lost);
    }
    gw_catch_free(&found);
}

static void perform(gw_ctx *ctx)
{
    /* The case is the first member. */
    triage *t = (triage *)(uintptr_t)gw_case_self(ctx);
    gw_watch watch = {0};
    gw_anomaly anomaly = {0};
    /* A run tries a case again when the board was lost by it: here that has been looked after. */
    if (t->begun)
        return;
    t->begun = true;
    for (unsigned i = 0; i < PROBES; i++)
        (void)gw_watch_look(&watch, ctx, GW_WATCH_LIFE, &anomaly, NULL);
    int64_t reply_ns = 8 * gw_case_lag_ns(ctx) + gw_case_scaled_ns(ctx, REPLY_LEAST_NS);
    if (reply_ns < ctx->reply_ns)
        ctx->reply_ns = reply_ns;
    for (size_t i = 0; i < t->num_names && t->lost[0] == '\0' && !gw_stopped(); i++)
        look_at(t, ctx, &watch, t->names[i]);
    if (t->lost[0] == '\0' && !gw_stopped())
        look_at_ring(t, ctx, &watch);
    gw_search search = {.ctx = ctx, .watch = &watch, .like = &anomaly};
    (void)gw_search_ready(&search);
}

/* ---- the verb ---- */

static int run_triage(triage *t)
{
    gw_run run;
    char why[640] = "";
    static const char *const no_rules[] = {NULL};
    t->one = (gw_case){.id = "fuzz/triage",
                       .title = "What a campaign found shows again",
                       .rules = no_rules,
                       .endless = true,
                       .run = perform};
    const gw_case *cases[] = {&t->one};
    gw_run_setup setup = {.suite = t->c.suite,
                          .board = &t->c.board,
                          .dialect = t->c.dialect,
                          .target = gw_dut_target(t->c.dut),
                          .cases = cases,
                          .num_cases = 1,
                          .hooks = t->c.o.hooks,
                          .seed = 1};
    if (!gw_run_cases(&run, &setup, why, sizeof(why))) {
        (void)complain(why);
        return GW_EXIT_TOOL;
    }
    bool answered = run.answered;
    (void)snprintf(why, sizeof(why), "%s", run.preflight);
    gw_run_free(&run);
    if (!answered || t->lost[0] != '\0') {
        (void)complain(answered ? t->lost : why);
        return t->shown > 0 ? GW_EXIT_FAIL : GW_EXIT_INCONC;
    }
    if (t->failed)
        return GW_EXIT_TOOL;
    printf("%u of %zu findings show", t->shown, (size_t)t->shown + t->gone);
    printf("\n");
    return t->shown > 0 ? GW_EXIT_FAIL : GW_EXIT_OK;
}

static int start(triage *t, const gw_place *place)
{
    t->c.o = place->o;
    if (t->own.num_duts > 0) {
        memcpy(t->c.o.duts, t->own.duts, sizeof(t->c.o.duts));
        t->c.o.num_duts = t->own.num_duts;
    }
    if (t->own.board_path != NULL)
        t->c.o.board_path = t->own.board_path;
    t->c.o.hooks = t->c.o.hooks || t->own.hooks;
    t->c.o.patience = t->own.patience;
    int code = gw_certification_describe(&t->c);
    if (code != GW_EXIT_OK)
        return code;
    (void)signal(SIGPIPE, SIG_IGN);
    gw_stop_watch();
    code = gw_certification_reach(&t->c);
    if (code != GW_EXIT_OK)
        return code;
    gw_certify_call(&t->c.o, t->call, sizeof(t->call));
    t->context = (gw_found_context){.suite = t->c.suite,
                                    .target = gw_dut_target(t->c.dut),
                                    .dialect = t->c.dialect,
                                    .call = t->call};
    return list_findings(t) ? run_triage(t) : complain(strerror(errno));
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "DIR", doc, NULL, NULL, NULL};
    static triage t = {.c = {.verb = "triage"}, .own = {.seed = 1}};
    gw_place place;
    char why[512] = "";
    gw_verb_parse(&argp, argc, argv, &t);
    if (!gw_place_read(&place, t.dir, why, sizeof(why)))
        return complain(why);
    int code = start(&t, &place);
    for (size_t i = 0; i < t.num_names; i++)
        free(t.names[i]);
    gw_certification_close(&t.c);
    gw_place_free(&place);
    return code;
}

const gw_verb gw_verb_triage = {"triage", "bring about again what a campaign found", run};

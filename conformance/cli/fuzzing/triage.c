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
#include <time.h>
#include <unistd.h>

#include "campaign/altered/hunt.h"
#include "campaign/found.h"
#include "campaign/ring/journal.h"
#include "campaign/shrink.h"
#include "cli/board_options.h"
#include "cli/certification.h"
#include "cli/fuzzing/crashes.h"
#include "cli/fuzzing/place.h"
#include "cli/verb.h"
#include "evidence/clean.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "harvest/harvest.h"
#include "run/alive.h"
#include "run/store.h"

#define FINDINGS_MAX 1024
#define PROBES 32 /* to know how soon the board answers when it is well */
#define TRIES_MAX 2000
#define USUAL_SHRINK_S 20

static const char doc[] =
    "Bring what `goldwire fuzz' found about again, with as few packets as it takes, those as near "
    "to what is legal as they can be, and name it.\v"
    "DIR is the campaign's folder, which says where the board is; options say that it is elsewhere "
    "now. A finding that does not show again stays as it is, and is told. Packets of a campaign "
    "that was killed are tried as well: what it had sent since the board was last seen well.\n\n"
    "With --target, DIR is a folder of crash inputs of libFuzzer or AFL++: each is run again, "
    "those "
    "with the same stack are one finding, the smallest of them is made smaller, and the messages "
    "in it go into a capture.\n\n"
    "Exit codes: 0 nothing shows any more, or nothing was found, 1 a finding shows, 2 the call is "
    "wrong, 3 inconclusive (the board does not answer, or was lost), 4 goldwire failed.";

enum {
    OPTION_FINDING = GW_OPTION_OWN,
    OPTION_BASELINE,
    OPTION_TARGET,
    OPTION_SHRINK,
};

static const struct argp_option options[] = {
    {"finding", OPTION_FINDING, "NAME", 0, "only this one, which keeps its name", 0},
    {"target", OPTION_TARGET, "PROGRAM", 0,
     "DIR holds inputs (crash-*, id:*) on which this fuzz target crashed", 0},
    {"shrink", OPTION_SHRINK, "SECONDS", 0,
     "with --target: make each crash smaller for so long, 20 by default; 0: not at all", 0},
    {"baseline", OPTION_BASELINE, "FILE", 0,
     "findings.json of an earlier campaign: what it knows is tried as well, and is no failure", 0},
    {"dut", GW_OPTION_DUT, "[LINK=]URL", 0, "where the board is now; once for each link", 0},
    {"serve", GW_OPTION_SERVE, "URL", 0, "where we wait now for a board that calls us", 0},
    {"wait", GW_OPTION_WAIT, "SECONDS", 0, "for a board that calls us, 60 by default", 0},
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
    const char *only;   /* finding; NULL: all of them */
    const char *target; /* fuzz target; NULL: a campaign against a board */
    uint32_t shrink_s;
    const char *baseline_path;
    json_t *baseline; /* or NULL */
    json_t *campaign; /* what the campaign told of itself, or NULL */
    json_t *marks;    /* what is known of each finding, by its name */
    int64_t started_ns;
    gw_found_context context;
    char *names[FINDINGS_MAX];
    size_t num_names;
    unsigned shown;
    unsigned new_ones; /* of them */
    unsigned gone;
    char lost[640];
    bool failed; /* goldwire itself */
    bool begun;
    char call[2048];
} triage;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    triage *t = state->input;
    switch (key) {
    case OPTION_FINDING:
        t->only = arg;
        return 0;
    case OPTION_BASELINE:
        t->baseline_path = arg;
        return 0;
    case OPTION_TARGET:
        t->target = arg;
        return 0;
    case OPTION_SHRINK:
        t->shrink_s = (uint32_t)gw_option_number(state, "shrink", arg, 0, 86400);
        return 0;
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
        if (t->only != NULL && strcmp(e->d_name, t->only) != 0)
            continue;
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
    char extent[32];
    printf(" (%s, %u of %u times)\n", gw_found_extent(extent, sizeof(extent), &found->shots),
           found->shown, found->tries);
    for (size_t i = 0; i < found->shots.num; i++) {
        const gw_shot *shot = &found->shots.list[i];
        char what[200];
        printf("  %s %s\n", shot->joined ? "+" : "-",
               gw_found_describe(what, sizeof(what), &t->context, &found->shots, shot));
    }
}

/* How often it shows, of as many tries as a finding gets, however many it took to make it small. */
static void count(gw_search *search, gw_catch *found)
{
    unsigned most = search->most;
    search->said = &found->said;
    search->seen = &found->seen;
    search->most = 0;
    found->shown = gw_search_count(search, &found->shots, GW_CATCH_TRIES, &found->tries);
    search->most = most;
}

/* What is known of a finding that shows: of those that the baseline has, or, without one, of those
 * that the campaign knew, it is told and no more. */
static bool mark(triage *t, const char *old, const char *name)
{
    const char *was = json_string_value(json_object_get(t->marks, old != NULL ? old : name));
    bool known = t->baseline != NULL
                     ? gw_baseline_find(t->baseline, name) != NULL ||
                           (old != NULL && gw_baseline_find(t->baseline, old) != NULL)
                     : was != NULL && strcmp(was, GW_HARVEST_NEW) != 0;
    if (old != NULL)
        (void)json_object_del(t->marks, old);
    (void)json_object_set_new(t->marks, name,
                              json_string(known ? GW_HARVEST_KNOWN : GW_HARVEST_NEW));
    return known;
}

static void keep(triage *t, const char *old, const gw_catch *found)
{
    char name[GW_FOUND_NAME];
    char why[512] = "";
    gw_found_name(name, &t->context, found);
    if (t->only != NULL)
        (void)snprintf(name, sizeof(name), "%s", t->only);
    bool twice = old == NULL || strcmp(old, name) != 0 ? gw_found_is_there(t->dir, name) : false;
    bool kept = twice ? gw_found_again(t->dir, name, &t->context, found, why, sizeof(why))
                      : gw_found_store(t->dir, name, &t->context, found, why, sizeof(why));
    if (!kept) {
        (void)complain(why);
        t->failed = true;
        return;
    }
    if (old != NULL && strcmp(old, name) != 0)
        drop(t, old);
    if (twice) {
        if (old != NULL)
            (void)json_object_del(t->marks, old);
        printf("%s: once more\n", name);
        return;
    }
    t->new_ones += !mark(t, old, name);
    t->shown++;
    tell(t, name, found);
}

/* Whether it shows again, and takes no more than the last of its packets, which are kept; with none
 * it is the case that shows it. */
static bool shows_again(gw_search *search, gw_catch *found)
{
    if (found->shots.num == 0 && found->anomaly.by != NULL)
        return gw_search_try(search, &found->shots, 0, 0);
    size_t num = gw_search_last(search, &found->shots);
    if (num > 0)
        gw_shots_keep_last(&found->shots, num);
    return num > 0;
}

static void tell_gone(triage *t, const gw_search *search, const char *called)
{
    if (search->lost[0] != '\0' || gw_stopped())
        return;
    t->gone++;
    if (called != NULL)
        (void)json_object_set_new(t->marks, called, json_string(GW_HARVEST_GONE));
    printf("%s: does not show any more\n", called != NULL ? called : "what was sent last");
}

/* It stays what it was: there is nothing to put in its place. */
static void tell_seldom(const gw_search *search, const char *called, const gw_catch *found)
{
    if (search->lost[0] == '\0' && !gw_stopped())
        printf("%s: shows, but in none of %u tries behind that; it is left as it was\n",
               called != NULL ? called : "what was sent last", found->tries);
}

/* Makes |found| small, and keeps it. |called| is what it is called if it is not there any more;
 * NULL: it has no name. */
static void reduce(triage *t, gw_search *search, const char *old, const char *called,
                   gw_catch *found)
{
    if (!shows_again(search, found)) {
        tell_gone(t, search, called);
        return;
    }
    count(search, found);
    unsigned patience =
        found->shown == 0 ? GW_CATCH_TRIES : (found->tries + found->shown - 1) / found->shown;
    if (found->shots.num > 0 && !gw_shrink(search, &t->context, &found->shots, patience)) {
        t->failed = true;
        (void)complain("out of memory");
        return;
    }
    count(search, found);
    if (found->shown > 0)
        keep(t, old, found);
    else
        tell_seldom(search, called, found);
}

/* The same for answers to a board that calls us. */
static void reduce_answers(triage *t, gw_search *search, const char *old, const char *called,
                           gw_catch *found)
{
    unsigned most = search->most;
    bool shows = false;
    gw_hunt hunt = {.search = search, .board = gw_case_board(search->ctx), .how = found->how};
    for (unsigned i = 0; i < GW_CATCH_TRIES && !shows; i++)
        shows = gw_hunt_try(&hunt, &found->how);
    if (shows) {
        gw_hunt_shrink(&hunt, GW_CATCH_TRIES);
        search->said = &found->said;
        search->most = 0;
        found->shown = gw_hunt_count(&hunt, GW_CATCH_TRIES, &found->tries);
        search->most = most;
        search->said = NULL;
    }
    if (shows && found->shown > 0) {
        gw_shots_free(&found->shots);
        found->shots = hunt.done;
        hunt.done = (gw_shots){0};
        found->how = hunt.how;
        keep(t, old, found);
    } else if (shows) {
        tell_seldom(search, called, found);
    } else {
        tell_gone(t, search, called);
    }
    gw_hunt_free(&hunt);
}

static void bring_about(triage *t, gw_search *search, const char *old, const char *called,
                        gw_catch *found)
{
    if (found->answers)
        reduce_answers(t, search, old, called, found);
    else
        reduce(t, search, old, called, found);
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
    bring_about(t, &search, name, name, &found);
    (void)snprintf(t->lost, sizeof(t->lost), "%s", search.lost);
    gw_catch_free(&found);
}

/* What the baseline knows and the campaign did not find. */
static void look_at_known(triage *t, gw_ctx *ctx, gw_watch *watch)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(t->baseline, "findings"), i, one)
    {
        gw_catch found;
        char why[512] = "";
        const char *name = json_string_value(json_object_get(one, "name"));
        if (name == NULL || gw_baseline_find(t->baseline, name) == NULL ||
            gw_found_is_there(t->dir, name) || t->lost[0] != '\0' || gw_stopped())
            continue;
        if (!gw_found_read(&found, &t->context, one, t->baseline_path, why, sizeof(why))) {
            (void)complain(why);
            t->failed = true;
            continue;
        }
        gw_search search = {.ctx = ctx, .watch = watch, .like = &found.anomaly, .most = TRIES_MAX};
        bring_about(t, &search, NULL, name, &found);
        (void)snprintf(t->lost, sizeof(t->lost), "%s", search.lost);
        gw_catch_free(&found);
    }
}

/* What a campaign that was killed had sent since the board was last seen well. What answers a board
 * that calls us means nothing to it but there. */
static void look_at_ring(triage *t, gw_ctx *ctx, gw_watch *watch, const char *ring)
{
    gw_catch found = {0};
    size_t unsettled = 0;
    char why[512] = "";
    if (!gw_journal_read(&found.shots, &unsettled, t->dir, ring, why, sizeof(why))) {
        if (why[0] != '\0')
            (void)complain(why);
        t->failed = t->failed || why[0] != '\0';
    } else if (unsettled > 0) {
        gw_search search = {.ctx = ctx, .watch = watch, .like = &found.anomaly, .most = TRIES_MAX};
        printf("%s campaign ended behind %zu packet%s after which the board was not seen well\n",
               strcmp(ring, GW_JOURNAL_EARLIER) == 0 ? "an earlier" : "the", unsettled,
               unsettled == 1 ? "" : "s");
        if (ctx->suite->calls_us)
            printf("they are answers, and cannot be sent again unasked: fuzz once more\n");
        else
            reduce(t, &search, NULL, NULL, &found);
        (void)snprintf(t->lost, sizeof(t->lost), "%s", search.lost);
    }
    gw_catch_free(&found);
}

static void look_at_rings(triage *t, gw_ctx *ctx, gw_watch *watch)
{
    look_at_ring(t, ctx, watch, GW_JOURNAL_FILE);
    if (t->lost[0] != '\0' || gw_stopped())
        return;
    look_at_ring(t, ctx, watch, GW_JOURNAL_EARLIER);
    if (t->lost[0] == '\0' && !gw_stopped() && !t->failed)
        gw_store_remove(t->dir, GW_JOURNAL_EARLIER);
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
    if (!ctx->suite->calls_us)
        watch.patience_ns = gw_ctx_wait_less(ctx);
    for (size_t i = 0; i < t->num_names && t->lost[0] == '\0' && !gw_stopped(); i++)
        look_at(t, ctx, &watch, t->names[i]);
    if (t->only == NULL)
        look_at_known(t, ctx, &watch);
    if (t->only == NULL && t->lost[0] == '\0' && !gw_stopped())
        look_at_rings(t, ctx, &watch);
    gw_search search = {.ctx = ctx, .watch = &watch, .like = &anomaly};
    (void)gw_search_ready(&search);
}

/* ---- the verb ---- */

/* Which exit code it comes to. Without a baseline whatever shows is a failure. */
static int code_of(const triage *t)
{
    unsigned failures = t->baseline != NULL ? t->new_ones : t->shown;
    if (t->failed)
        return GW_EXIT_TOOL;
    return failures > 0 ? GW_EXIT_FAIL : t->lost[0] != '\0' ? GW_EXIT_INCONC : GW_EXIT_OK;
}

static int leave(triage *t)
{
    char why[640] = "";
    int code = code_of(t);
    const gw_harvest harvest = {.dir = t->dir,
                                .by = "triage",
                                .context = &t->context,
                                .mode = "",
                                .marks = t->marks,
                                .baseline = t->baseline,
                                .campaign = t->campaign,
                                .started_ns = t->started_ns,
                                .duration_ns = gw_clock_ns(CLOCK_REALTIME) - t->started_ns,
                                .exit_code = code,
                                .lost = t->lost};
    if (gw_harvest_store(&harvest, why, sizeof(why)))
        return code;
    (void)complain(why);
    return GW_EXIT_TOOL;
}

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
                          .first_ns = gw_certification_first_ns(&t->c),
                          .seed = 1};
    t->started_ns = gw_clock_ns(CLOCK_REALTIME);
    if (!gw_run_cases(&run, &setup, why, sizeof(why))) {
        (void)complain(why);
        return GW_EXIT_TOOL;
    }
    if (!run.answered)
        (void)snprintf(t->lost, sizeof(t->lost), "%.600s", run.preflight);
    gw_run_free(&run);
    if (gw_stopped() && t->lost[0] == '\0')
        (void)snprintf(t->lost, sizeof(t->lost),
                       "interrupted: what was not tried yet stays as it was");
    if (t->lost[0] != '\0')
        (void)complain(t->lost);
    else if (!t->failed)
        printf("%u of %u findings show%s\n", t->shown, t->shown + t->gone,
               t->baseline == NULL || t->shown == t->new_ones ? ""
               : t->new_ones == 0                             ? ", all known"
                                                              : ", some of them known");
    return leave(t);
}

/* What is known before anything is tried. */
static int recall(triage *t)
{
    char why[512] = "";
    t->marks = json_object();
    t->campaign = gw_harvest_earlier(t->dir, t->marks);
    if (t->baseline_path != NULL) {
        t->baseline = gw_baseline_load(t->baseline_path, t->c.suite->role, why, sizeof(why));
        if (t->baseline == NULL)
            return complain(why);
    }
    if (!list_findings(t))
        return complain(strerror(errno));
    if (t->only == NULL || t->num_names > 0)
        return GW_EXIT_OK;
    (void)snprintf(why, sizeof(why), "%.200s has no finding %.200s", t->dir, t->only);
    return complain(why);
}

static int start(triage *t, const gw_place *place)
{
    t->c.o = place->o;
    if (t->own.num_duts > 0 || t->own.serve != NULL) {
        t->c.o.serve = t->own.serve;
        memcpy(t->c.o.duts, t->own.duts, sizeof(t->c.o.duts));
        t->c.o.num_duts = t->own.num_duts;
    }
    if (t->own.board_path != NULL)
        t->c.o.board_path = t->own.board_path;
    t->c.o.hooks = t->c.o.hooks || t->own.hooks;
    t->c.o.patience = t->own.patience;
    t->c.o.wait_s = t->own.wait_s;
    int code = gw_certification_describe(&t->c);
    if (code == GW_EXIT_OK)
        code = recall(t);
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
    return run_triage(t);
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "DIR", doc, NULL, NULL, NULL};
    static triage t = {.c = {.verb = "triage"}, .own = {.seed = 1}, .shrink_s = USUAL_SHRINK_S};
    gw_place place;
    char why[512] = "";
    gw_verb_parse(&argp, argc, argv, &t);
    if (t.target != NULL)
        return gw_triage_crashes(t.dir, t.target, t.shrink_s);
    if (!gw_place_read(&place, t.dir, why, sizeof(why)))
        return complain(why);
    int code = start(&t, &place);
    for (size_t i = 0; i < t.num_names; i++)
        free(t.names[i]);
    gw_certification_close(&t.c);
    gw_place_free(&place);
    json_decref(t.campaign);
    json_decref(t.baseline);
    json_decref(t.marks);
    return code;
}

const gw_verb gw_verb_triage = {"triage", "bring about again what a campaign found", run};

/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire farm: the prototype of the Level-1 farm, and whether it keeps its schedule. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/board_options.h"
#include "cli/verb.h"
#include "formats/l1farm/farm.h"
#include "goldwire/net.h"
#include "harness/capture.h"
#include "harness/stop.h"
#include "inspect/sessions.h"

#define EVENTS_MAX 10000000

typedef struct farm_options {
    gw_l1_farm_setup setup;
    const char *out;
    bool json;
} farm_options;

/* What is done with each datagram. */
typedef struct watcher {
    gw_verdict_sink sink; /* first: findings come here */
    gw_sessions *sessions;
    gw_pcapng_writer *capture; /* NULL: none */
    uint64_t findings, musts;
    bool quiet;
    bool failed; /* to write */
} watcher;

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    watcher *w = (watcher *)sink;

    w->findings++;
    w->musts += f->rule->level == GW_MUST;
    if (!w->quiet && w->findings <= 20)
        printf("datagram %" PRIu64 ": %s %s %s\n", f->frame, f->rule->id,
               gw_level_name(f->rule->level), f->text);
    if (!w->quiet && w->findings == 21)
        printf("...\n");
}

static void write_frame(watcher *w, const gw_message *m)
{
    uint8_t frame[512];
    size_t len = gw_frame_udp(frame, sizeof(frame), &m->src, &m->dst, m->data, m->len);
    gw_frame f = {.data = frame,
                  .cap_len = (uint32_t)len,
                  .len = (uint32_t)len,
                  .link_type = GW_LINK_ETHERNET,
                  .time_ns = m->time_ns};

    w->failed = w->failed || len == 0 || !gw_pcapng_frame(w->capture, &f);
}

static void on_message(void *ctx, const gw_message *m)
{
    watcher *w = ctx;
    gw_message sent = *m;
    gw_found found = {.message = &sent, .format = &gw_l1farm};

    sent.transport = GW_OVER_NOTHING; /* no path loses or repeats anything here but what is told */
    gw_l1farm.check(m, NULL, &w->sink);
    gw_sessions_feed(w->sessions, &found, &w->sink);
    if (w->capture != NULL)
        write_frame(w, m);
}

static void print_totals(const gw_l1_farm_totals *t, const watcher *w)
{
    printf("3 readout units, 26 compute nodes, 1 decision unit: %" PRIu32 " events in %.3f ms of "
           "virtual time\n",
           t->tags[0], (double)t->took_ns / 1e6);
    printf("fragments %" PRIu64 ", lost %" PRIu64 "; tags %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
           t->fragments, t->lost, t->tags[0], t->tags[1], t->tags[2]);
    printf("Ntries %" PRIu64 ", NAlloK %" PRIu64 ", NNextAlloK %" PRIu64 "\n", t->ntries, t->nallok,
           t->nnext);
    printf("results %" PRIu64 ", decisions %" PRIu64 ", time-outs %" PRIu32 ", late %" PRIu32 "\n",
           t->results, t->decisions, t->timeouts, t->late);
    printf("%" PRIu64 " finding%s\n", w->findings, w->findings == 1 ? "" : "s");
}

static void print_json(const gw_l1_farm_totals *t, const watcher *w)
{
    json_t *o = json_pack("{s:[I,I,I],s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "tags",
                          (json_int_t)t->tags[0], (json_int_t)t->tags[1], (json_int_t)t->tags[2],
                          "fragments", (json_int_t)t->fragments, "lost", (json_int_t)t->lost,
                          "ntries", (json_int_t)t->ntries, "nallok", (json_int_t)t->nallok, "nnext",
                          (json_int_t)t->nnext, "results", (json_int_t)t->results, "decisions",
                          (json_int_t)t->decisions, "timeouts", (json_int_t)t->timeouts, "late",
                          (json_int_t)t->late, "findings", (json_int_t)w->findings, "took_ns",
                          (json_int_t)t->took_ns);

    json_dumpf(o, stdout, JSON_COMPACT);
    printf("\n");
    json_decref(o);
}

/* The farm kept its counters as the thesis defines them (T 7.5), and its units saw the same tags.
 */
static bool totals_hold(const gw_l1_farm_totals *t)
{
    return t->ntries >= t->nallok && t->nallok >= t->nnext && t->tags[0] == t->tags[1] &&
           t->tags[1] == t->tags[2] && (t->lost > 0 || t->ntries == t->nnext) &&
           t->results == t->decisions + t->late;
}

static const char doc[] =
    "Run the prototype of the Level-1 farm, under virtual time: three readout units, 26 compute "
    "nodes, a decision unit, a tag every 810 ns.\v"
    "Every datagram is judged as by `goldwire check'. Exit code 1 when a MUST is broken, or the "
    "counters do not hold together.";

static const struct argp_option options[] = {
    {"events", 'e', "N", 0, "tags that the generator sends (10000)", 0},
    {"lose", 'l', "N", 0, "lose every Nth fragment", 0},
    {"loopback", 'L', 0, 0, "each party behind a UDP socket of its own on 127.0.0.1", 0},
    {"mutant", 'm', "ROLE/ID", 0, "give one board this fault", 0},
    {"out", 'o', "FILE", 0, "write the traffic as pcapng", 0},
    {"json", 'j', 0, 0, "print one JSON object", 0},
    {0},
};

static void set_mutant(gw_l1_farm_setup *s, const char *arg, struct argp_state *state)
{
    static const gw_board *const boards[] = {&gw_l1_ru_board, &gw_l1_cn_board, &gw_l1_du_board};
    const gw_mutant **places[] = {&s->ru_mutant, &s->cn_mutant, &s->du_mutant};

    for (size_t i = 0; i < GW_ARRAY_LEN(boards); i++) {
        size_t len = strlen(boards[i]->role);
        if (strncmp(arg, boards[i]->role, len) != 0 || arg[len] != '/')
            continue;
        *places[i] = gw_mutant_by_id(boards[i], arg + len + 1);
        if (*places[i] != NULL)
            return;
    }
    argp_error(state, "no mutant '%s'; `goldwire peer --list' lists them, say l1-cn/m-two-slots",
               arg);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    farm_options *o = state->input;

    switch (key) {
    case 'e':
        o->setup.events = (unsigned)gw_option_number(state, "events", arg, 1, EVENTS_MAX);
        return 0;
    case 'l':
        o->setup.lose = (unsigned)gw_option_number(state, "lose", arg, 1, EVENTS_MAX);
        return 0;
    case 'L':
        o->setup.loopback = true;
        return 0;
    case 'm':
        set_mutant(&o->setup, arg, state);
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run_farm(const farm_options *o, watcher *w)
{
    gw_l1_farm_totals totals;
    char why[256] = "";

    if (!gw_l1_farm_run(&o->setup, on_message, w, &totals, why, sizeof(why))) {
        fprintf(stderr, "goldwire: farm: %s\n", why);
        return totals.cut_off ? GW_EXIT_INCONC : GW_EXIT_TOOL;
    }
    if (!totals.stopped)
        gw_sessions_end(w->sessions, &w->sink);
    if (o->json)
        print_json(&totals, w);
    else
        print_totals(&totals, w);
    if (totals.stopped) {
        fprintf(stderr, "goldwire: farm: stopped before its end\n");
        return w->musts > 0 ? GW_EXIT_FAIL : GW_EXIT_INCONC;
    }
    if (!totals_hold(&totals))
        fprintf(stderr, "goldwire: farm: the counters do not hold together\n");
    return w->musts > 0 || !totals_hold(&totals) ? GW_EXIT_FAIL : GW_EXIT_OK;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, NULL, doc, NULL, NULL, NULL};
    farm_options o = {.setup = {.events = 10000}};
    FILE *file = NULL;

    gw_verb_parse(&argp, argc, argv, &o);
    gw_stop_watch();
    watcher w = {.sink = {.finding = on_finding}, .sessions = gw_sessions_new(), .quiet = o.json};
    if (o.out != NULL) {
        file = fopen(o.out, "wb");
        w.capture = file == NULL ? NULL : gw_pcapng_create(file, "goldwire farm");
        if (w.capture == NULL || gw_pcapng_interface(w.capture, GW_LINK_ETHERNET, "farm0",
                                                     "boards of one process") != 0) {
            fprintf(stderr, "goldwire: %s: %s\n", o.out, strerror(errno));
            gw_sessions_free(w.sessions);
            if (file != NULL)
                fclose(file);
            return GW_EXIT_USAGE;
        }
    }
    int code = w.sessions == NULL ? GW_EXIT_TOOL : run_farm(&o, &w);
    if (w.capture != NULL && (!gw_pcapng_close(w.capture) || fclose(file) != 0 || w.failed)) {
        fprintf(stderr, "goldwire: %s: cannot be written\n", o.out);
        code = GW_EXIT_TOOL;
    }
    gw_sessions_free(w.sessions);
    return code;
}

const gw_verb gw_verb_farm = {"farm", "run the Level-1 farm's prototype", run};

/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire sim: the example cores that come with goldwire, for a simulator. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/verb.h"
#include "evidence/clean.h"
#include "harness/cores.h"
#include "harness/memory.h"
#include "harness/nearest.h"

#define VERB "goldwire sim"
#define BELOW "fpga_harness/cores" /* the cores lie there, below where their hooks are run */

typedef struct sim_args {
    const char *given; /* --cores */
    const char *wanted[GW_CORES_MAX];
    size_t num_wanted;
    bool json;
    char folder[GW_CORE_PATH];
    char names[GW_CORES_MAX][32];
    size_t num_names;
    json_t *list; /* for --json */
} sim_args;

/* ---- for people ---- */

static void put(const char *what, const char *text)
{
    if (what[0] != '\0')
        printf("  %-11s ", what);
    gw_put_plain(stdout, text);
}

/* The first folder in which a board file's hooks are found: that above fpga_harness/cores. */
static void put_start(const sim_args *args, const gw_core *core)
{
    size_t len = strlen(args->folder);
    size_t below = strlen("/" BELOW);
    put("start", "");
    if (len > below && strcmp(args->folder + len - below, "/" BELOW) == 0) {
        char top[GW_CORE_PATH];
        (void)snprintf(top, sizeof(top), "%.*s", (int)(len - below), args->folder);
        printf("cd ");
        put("", top);
        printf(" && goldwire certify " BELOW "/");
        put("", core->name);
        printf("/board.yaml --hooks\n");
        return;
    }
    printf("goldwire certify ");
    put("", core->board_path);
    printf(" --hooks\n");
}

static void put_simulators(const gw_core *core)
{
    put("simulators", core->num_simulators == 0 ? "none is named" : "");
    for (size_t i = 0; i < core->num_simulators; i++) {
        const gw_core_simulator *s = &core->simulators[i];
        put("", i > 0 ? ", " : "");
        put("", s->name);
        put("", s->found ? " (found" : " (missing: apt install ");
        put("", s->found ? "" : s->package);
        printf(")");
    }
    printf("\n");
}

static void put_faults(const gw_core *core, bool all)
{
    put("faults", "");
    if (core->num_faults == 0)
        printf("none\n");
    else if (!all)
        printf("%zu to plant; `goldwire sim %s' lists them\n", core->num_faults, core->name);
    else
        printf("FAULT=N behind the words of the start hook plants one\n");
    for (size_t i = 0; all && i < core->num_faults; i++) {
        const gw_core_fault *f = &core->faults[i];
        printf("  %11u ", f->number);
        put("", f->what);
        printf("; found by ");
        put("", f->cases);
        printf("\n");
    }
}

static void put_core(const sim_args *args, const gw_core *core)
{
    printf("%-13s ", core->name);
    put("", core->what);
    printf("\n");
    put("role", core->board.role);
    printf("\n");
    put("board file", core->board_path);
    printf("\n");
    put_simulators(core);
    for (size_t i = 0; i < core->board.num_links; i++) {
        put(i == 0 ? "ports" : " ", core->board.links[i].url);
        bool named = core->board.links[i].name[0] != '\0';
        printf("%s", named ? " (" : "");
        put("", core->board.links[i].name);
        printf("%s\n", named ? ")" : "");
    }
    put_faults(core, args->num_wanted > 0);
    put_start(args, core);
}

/* ---- for programs ---- */

static json_t *text_of(const char *text)
{
    char clean[3 * GW_CORE_PATH];
    return json_string(gw_clean(clean, sizeof(clean), text));
}

static json_t *simulators_of(const gw_core *core)
{
    json_t *list = json_array();
    for (size_t i = 0; i < core->num_simulators; i++) {
        const gw_core_simulator *s = &core->simulators[i];
        json_array_append_new(list, json_pack("{s:o,s:o,s:b}", "name", text_of(s->name), "package",
                                              text_of(s->package), "found", (int)s->found));
    }
    return list;
}

static json_t *ports_of(const gw_core *core)
{
    json_t *list = json_array();
    for (size_t i = 0; i < core->board.num_links; i++)
        json_array_append_new(list,
                              json_pack("{s:o,s:o}", "link", text_of(core->board.links[i].name),
                                        "url", text_of(core->board.links[i].url)));
    return list;
}

static json_t *faults_of(const gw_core *core)
{
    json_t *list = json_array();
    for (size_t i = 0; i < core->num_faults; i++) {
        const gw_core_fault *f = &core->faults[i];
        json_t *cases = json_array();
        for (const char *p = f->cases; *p != '\0'; p += strspn(p, ",")) {
            char one[sizeof(f->cases)];
            size_t len = strcspn(p, ",");
            (void)snprintf(one, sizeof(one), "%.*s", (int)len, p);
            json_array_append_new(cases, text_of(one));
            p += len;
        }
        json_array_append_new(list, json_pack("{s:I,s:o,s:o}", "number", (json_int_t)f->number,
                                              "cases", cases, "what", text_of(f->what)));
    }
    return list;
}

static void add_core(sim_args *args, const gw_core *core)
{
    json_array_append_new(
        args->list, json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "name", text_of(core->name), "what",
                              text_of(core->what), "role", text_of(core->board.role), "board_file",
                              text_of(core->board_path), "simulators", simulators_of(core), "ports",
                              ports_of(core), "faults", faults_of(core)));
}

/* ---- the verb ---- */

static int complain(int code, const char *why)
{
    char clean[2048];
    fprintf(stderr, "%s: %s\n", VERB, gw_clean(clean, sizeof(clean), why));
    return code;
}

static bool is_wanted(const sim_args *args, const char *name)
{
    bool wanted = args->num_wanted == 0;
    for (size_t i = 0; i < args->num_wanted; i++)
        wanted = wanted || strcmp(args->wanted[i], name) == 0;
    return wanted;
}

static int check_wanted(const sim_args *args)
{
    const char *names[GW_CORES_MAX + 1] = {NULL};
    for (size_t i = 0; i < args->num_names; i++)
        names[i] = args->names[i];
    for (size_t i = 0; i < args->num_wanted; i++) {
        bool known = false;
        for (size_t j = 0; j < args->num_names; j++)
            known = known || strcmp(names[j], args->wanted[i]) == 0;
        if (known)
            continue;
        char meant[96];
        char why[512];
        (void)snprintf(why, sizeof(why), "no example core '%.100s'%s", args->wanted[i],
                       gw_nearest_said(meant, sizeof(meant), args->wanted[i], names));
        return complain(GW_EXIT_USAGE, why);
    }
    return GW_EXIT_OK;
}

static int list_core(sim_args *args, const char *name, bool first)
{
    char why[512] = "";
    gw_core *core = malloc(sizeof(*core));
    gw_memory_need(GW_EXIT_TOOL); /* libfyaml does not survive a refusal */
    bool ok = core != NULL && gw_core_read(core, args->folder, name, why, sizeof(why));
    gw_memory_need(0);
    if (ok && args->list != NULL) {
        add_core(args, core);
    } else if (ok) {
        printf("%s", first ? "" : "\n");
        put_core(args, core);
    }
    free(core);
    return ok ? GW_EXIT_OK : complain(GW_EXIT_USAGE, why[0] != '\0' ? why : "out of memory");
}

static int list_cores(sim_args *args)
{
    char why[512] = "";
    bool known = args->given != NULL;
    if (known)
        (void)snprintf(args->folder, sizeof(args->folder), "%s", args->given);
    if (!known && !gw_cores_folder(args->folder, sizeof(args->folder), why, sizeof(why)))
        return complain(GW_EXIT_USAGE, why);
    args->num_names = gw_cores_names(args->folder, args->names, why, sizeof(why));
    if (args->num_names == 0)
        return complain(GW_EXIT_USAGE, why);
    int code = check_wanted(args);
    bool first = true;
    for (size_t i = 0; code == GW_EXIT_OK && i < args->num_names; i++) {
        if (!is_wanted(args, args->names[i]))
            continue;
        code = list_core(args, args->names[i], first);
        first = false;
    }
    return code;
}

static const char doc[] = "List the example cores, which a simulator plays as boards.\v"
                          "Of each: its board file, the simulators that it is written for and "
                          "whether they are installed, "
                          "the ports that are its links, the faults that can be planted in it, and "
                          "how to start it. With a "
                          "name, that core's faults one by one.\n\n"
                          "  goldwire sim --list\n"
                          "  goldwire sim etherbone";

enum { OPT_CORES = 256 };

static const struct argp_option options[] = {
    {"list", 'l', 0, 0, "list the cores, as without it", 0},
    {"cores", OPT_CORES, "DIR", 0, "where they lie, when not beside this program", 0},
    {"json", 'j', 0, 0, "print one JSON list, faults included", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    sim_args *args = state->input;
    switch (key) {
    case 'l':
        return 0;
    case OPT_CORES:
        if (strlen(arg) >= sizeof(args->folder))
            argp_error(state, "--cores: the path is too long");
        args->given = arg;
        return 0;
    case 'j':
        args->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (args->num_wanted == GW_CORES_MAX)
            argp_error(state, "more than %d cores", GW_CORES_MAX);
        args->wanted[args->num_wanted++] = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "[CORE...]", doc, NULL, NULL, NULL};
    sim_args args = {0};
    gw_verb_parse(&argp, argc, argv, &args);
    args.list = args.json ? json_array() : NULL;
    int code = list_cores(&args);
    if (args.list != NULL && code == GW_EXIT_OK) {
        json_dumpf(args.list, stdout, JSON_INDENT(1));
        printf("\n");
    }
    json_decref(args.list);
    return code;
}

const gw_verb gw_verb_sim = {"sim", "list the example cores for a simulator", run};

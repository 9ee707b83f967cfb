/* SPDX-License-Identifier: BSD-2-Clause */
/* The goldwire command: finds the verb and hands over. */
#include <argp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "goldwire/base.h"
#include "harness/memory.h"
#include "harness/nearest.h"

static const gw_verb *const verbs[] = {
    &gw_verb_decode,  &gw_verb_encode, &gw_verb_check,   &gw_verb_stats,   &gw_verb_peer,
    &gw_verb_board,   &gw_verb_doctor, &gw_verb_certify, &gw_verb_catalog, &gw_verb_selftest,
    &gw_verb_regs,    &gw_verb_verify, &gw_verb_diff,    &gw_verb_keygen,  &gw_verb_farm,
    &gw_verb_replay,  &gw_verb_record, &gw_verb_sim,     &gw_verb_fuzz,    &gw_verb_triage,
    &gw_verb_history, &gw_verb_extcap,
};

static void print_help(FILE *out)
{
    fputs("Usage: goldwire VERB [OPTION...] [ARGUMENT...]\n"
          "Conformance and fuzzing toolkit for the wire formats of FPGA boards.\n\n",
          out);
    for (size_t i = 0; i < GW_ARRAY_LEN(verbs); i++)
        fprintf(out, "  %-10s %s\n", verbs[i]->name, verbs[i]->blurb);
    fputs("\n`goldwire VERB --help' explains a verb; `goldwire --version' tells the version.\n",
          out);
}

static const gw_verb *find_verb(const char *name)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(verbs); i++) {
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    }
    return NULL;
}

static int unknown_verb(const char *word)
{
    const char *names[GW_ARRAY_LEN(verbs) + 2] = {"help"};
    char meant[64];

    for (size_t i = 0; i < GW_ARRAY_LEN(verbs); i++)
        names[i + 1] = verbs[i]->name;
    fprintf(stderr, "goldwire: no verb '%s'%s\n`goldwire help' lists the verbs.\n", word,
            gw_nearest_said(meant, sizeof(meant), word, names));
    return GW_EXIT_USAGE;
}

/* A verb calls itself what people type: in its help, and in what is wrong with the call. */
static int run_verb(const gw_verb *verb, int argc, char **argv)
{
    char name[32];

    snprintf(name, sizeof name, "goldwire %s", verb->name);
    argv[0] = name;
    return verb->run(argc, argv);
}

/* Whether |path|, as somebody called us, ends in |name|. */
static bool is_called(const char *path, const char *name)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return path != NULL && strcmp(slash != NULL ? slash + 1 : path, name) == 0;
}

/* `goldwire help VERB` is `goldwire VERB --help`. */
static int help(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stdout);
        return GW_EXIT_OK;
    }
    const gw_verb *verb = find_verb(argv[1]);
    if (verb == NULL)
        return unknown_verb(argv[1]);
    char option[] = "--help";
    char *args[] = {argv[1], option, NULL};
    return run_verb(verb, 2, args);
}

static char whose[64] = "goldwire"; /* complaint it is, when stdout takes no more */

/* What was printed has to arrive, whichever way a verb ends; --help ends in argp. */
static void close_stdout(void)
{
    int code = gw_stdout_finish(whose, GW_EXIT_OK);
    if (gw_memory_refusals() > 0) {
        fprintf(stderr, "%s: out of memory: what is said of files and boards may be wrong for it\n",
                whose);
        code = GW_EXIT_TOOL;
    }
    if (code != GW_EXIT_OK)
        _exit(code);
}

int main(int argc, char **argv)
{
    gw_terminal_guard();
    argp_err_exit_status = GW_EXIT_USAGE;
    /* A file that may not grow is an error of the write that says so, not the end of all. */
    (void)signal(SIGXFSZ, SIG_IGN);
    if (atexit(close_stdout) != 0)
        return GW_EXIT_TOOL;
    if (is_called(argv[0], GW_EXTCAP_LINK))
        return run_verb(&gw_verb_extcap, argc, argv);
    if (argc < 2) {
        print_help(stderr);
        return GW_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        puts("goldwire " GW_VERSION);
        return GW_EXIT_OK;
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
        strcmp(word, "-?") == 0)
        return help(argc - 1, argv + 1);
    const gw_verb *verb = find_verb(word);
    if (verb == NULL)
        return unknown_verb(word);
    (void)snprintf(whose, sizeof(whose), "goldwire %s", verb->name);
    return run_verb(verb, argc - 1, argv + 1);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire board: board files, to begin with and to look up. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/describing/board_init.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "harness/board_keys.h"

#define VERB "goldwire board"

enum { OPT_INIT = 256, OPT_KEYS };

typedef struct board_options {
    const char *init; /* a role */
    const char *out;  /* a file; NULL: stdout */
    bool keys;
} board_options;

/* ---- --init ---- */

/* A half-written board file is worse than none. */
static int write_whole(FILE *file, const gw_board *board, const char *path)
{
    char name[256];
    gw_board_init(file, board);
    bool ok = fflush(file) == 0 && ferror(file) == 0 && fsync(fileno(file)) == 0;
    if (fclose(file) == 0 && ok)
        return GW_EXIT_OK;
    fprintf(stderr, VERB ": %s cannot be written: %s\n", gw_inspect_line(name, sizeof(name), path),
            strerror(errno));
    (void)unlink(path);
    return GW_EXIT_TOOL;
}

static int write_file(const gw_board *board, const char *path)
{
    char name[256];
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file != NULL)
        return write_whole(file, board, path);
    int error = errno;
    if (fd >= 0)
        (void)close(fd);
    fprintf(stderr, VERB ": %s: %s\n", gw_inspect_line(name, sizeof(name), path),
            error == EEXIST ? "there is such a file, and it is left alone: name another with --out"
                            : strerror(error));
    return GW_EXIT_USAGE;
}

static int init(const board_options *o)
{
    char why[256];
    const gw_board *board;
    gw_peer_config config = {0};
    if (!gw_peer_find(o->init, NULL, NULL, &board, &config, why, sizeof(why))) {
        fprintf(stderr, VERB ": %s\n", why);
        return GW_EXIT_USAGE;
    }
    if (o->out != NULL && strcmp(o->out, "-") != 0)
        return write_file(board, o->out);
    gw_board_init(stdout, board);
    return GW_EXIT_OK;
}

/* ---- --keys ---- */

/* "etherbone-…", and for several "`op2p-…`, `l1-ru`"; a whole role stays as it is. */
static void put_roles(const char *roles)
{
    if (roles[0] == '\0')
        fputs(" of all", stdout);
    for (const char *role = roles; *role != '\0';) {
        size_t len = strcspn(role, " ");
        printf("%s `%.*s%s`", role == roles ? " of" : ",", (int)len, role,
               role[len - 1] == '-' ? "…" : "");
        role += len + (role[len] == ' ');
    }
}

static void put_claim(const gw_claim_field *field)
{
    static const char *const values[] = {[GW_CLAIM_WIDTHS] = "list of widths",
                                         [GW_CLAIM_FLAG] = "true or false",
                                         [GW_CLAIM_LIMIT] = "number",
                                         [GW_CLAIM_ID] = "number"};
    printf("| `claims.%s`%s | %s |", field->name, field->must != NULL ? " *" : "",
           values[field->kind]);
    put_roles(field->roles);
    printf(": %s |\n", field->what);
}

/* Markdown, as the reference has it; * is a key that must be there. */
static int list_keys(void)
{
    puts("| key | value | |\n|---|---|---|");
    for (size_t i = 0; i < gw_num_board_keys; i++) {
        const gw_board_key *key = &gw_board_keys[i];
        printf("| `%s%s`%s | %s | %s |\n", gw_board_part_path((gw_board_part)key->part), key->name,
               key->must ? " *" : "", key->value, key->what);
    }
    for (size_t i = 0; i < gw_num_claim_fields; i++)
        put_claim(&gw_claim_fields[i]);
    return GW_EXIT_OK;
}

/* ---- the verb ---- */

static const char doc[] =
    "Board files.\v"
    "`--init ROLE' writes one to begin with: every key that a board of that role can have, with "
    "what it means. It fits goldwire's own board on loopback and declares nothing to write to. An "
    "existing file is left alone. `--keys' lists all keys there are, as a table in Markdown; those "
    "with a * must be there.\n\n"
    "  goldwire board --init etherbone-slave --out my-board.yaml\n"
    "  goldwire doctor my-board.yaml";

static const struct argp_option options[] = {
    {"init", OPT_INIT, "ROLE", 0, "write a board file of that role", 0},
    {"out", 'o', "FILE", 0, "where to; standard output for - or when left out", 0},
    {"keys", OPT_KEYS, 0, 0, "list all keys of board files", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    board_options *o = state->input;
    switch (key) {
    case OPT_INIT:
        o->init = arg;
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case OPT_KEYS:
        o->keys = true;
        return 0;
    case ARGP_KEY_END:
        if ((o->init != NULL) == o->keys)
            argp_error(state, "--init ROLE or --keys?");
        else if (o->keys && o->out != NULL)
            argp_error(state, "--out goes with --init");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, NULL, doc, NULL, NULL, NULL};
    board_options o = {0};
    gw_verb_parse(&argp, argc, argv, &o);
    return o.keys ? list_keys() : init(&o);
}

const gw_verb gw_verb_board = {"board", "write a board file to begin with", run};

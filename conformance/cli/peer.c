/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire peer: a software board behind sockets. */
#include <argp.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boards/host.h"
#include "boards/peer.h"
#include "cli/board_options.h"
#include "cli/verb.h"
#include "harness/nearest.h"
#include "harness/transport.h"

#define VERB "goldwire peer"
#define MAX_URLS 8
#define CALL_TIMEOUT_NS (INT64_C(5) * 1000000000)

enum {
    OPT_LISTEN = 256,
    OPT_TO,
    OPT_MAP,
    OPT_MUTANT,
    OPT_DIALECT,
    OPT_RANDOM_MEMORY,
    OPT_REGISTERS_AT,
    OPT_HURRY,
    OPT_LIST,
    OPT_JSON,
};

typedef struct peer_args {
    const char *role;
    const char *listen[MAX_URLS];
    size_t num_listen;
    const char *to[MAX_URLS];
    size_t num_to;
    const char *map;
    const char *mutant;
    const char *dialect;
    bool random_memory;
    uint64_t memory_seed;
    uint32_t registers_at;
    uint32_t hurry;
    bool list;
    bool json;
    char own_urls[MAX_URLS][64]; /* what is listened to without --listen */
} peer_args;

static volatile sig_atomic_t stop;

static void on_signal(int signal)
{
    (void)signal;
    stop = 1;
}

/* ---- the list ---- */

static void list_text(void)
{
    for (size_t i = 0; i < gw_num_boards; i++) {
        const gw_board *board = gw_boards[i];
        printf("%s\n", board->role);
        for (size_t k = 0; k < board->num_mutants; k++) {
            const gw_mutant *mutant = &board->mutants[k];
            printf("%s %s ", board->role, mutant->id);
            for (size_t r = 0; mutant->rules[r] != NULL; r++)
                printf("%s%s", r == 0 ? "" : ",", mutant->rules[r]);
            printf(" %s\n", mutant->what);
        }
    }
}

static json_t *describe_mutant(const gw_mutant *mutant)
{
    json_t *rules = json_array();
    for (size_t r = 0; mutant->rules[r] != NULL; r++)
        json_array_append_new(rules, json_string(mutant->rules[r]));
    return json_pack("{s:s, s:o, s:s}", "id", mutant->id, "rules", rules, "what", mutant->what);
}

static json_t *describe_board(const gw_board *board)
{
    json_t *links = json_array();
    json_t *mutants = json_array();
    for (size_t i = 0; board->links[i] != NULL; i++)
        json_array_append_new(links, json_string(board->links[i]));
    for (size_t i = 0; i < board->num_mutants; i++)
        json_array_append_new(mutants, describe_mutant(&board->mutants[i]));
    return json_pack("{s:s, s:s, s:s, s:b, s:b, s:o, s:o}", "role", board->role, "blurb",
                     board->blurb, "proto", board->format->name, "calls_us", board->calls_us,
                     "waits", board->waits, "links", links, "mutants", mutants);
}

static int list_boards(bool json)
{
    if (!json) {
        list_text();
    } else {
        for (size_t i = 0; i < gw_num_boards; i++) {
            json_t *object = describe_board(gw_boards[i]);
            json_dumpf(object, stdout, JSON_COMPACT);
            putchar('\n');
            json_decref(object);
        }
    }
    return GW_EXIT_OK;
}

/* ---- links and URLs ---- */

/* Reads "[LINK=]URL". */
static bool read_link_url(const gw_board *board, const char *text, unsigned *link, gw_url *url,
                          char *why, size_t why_cap)
{
    size_t name_len = strcspn(text, "=:");
    *link = 0;
    if (text[name_len] == '=') {
        char name[64];
        snprintf(name, sizeof(name), "%.*s", (int)name_len, text);
        while (board->links[*link] != NULL && strcmp(board->links[*link], name) != 0)
            (*link)++;
        if (board->links[*link] == NULL) {
            char meant[96];
            snprintf(why, why_cap, "%s has no link '%s'%s", board->role, name,
                     gw_nearest_said(meant, sizeof(meant), name, board->links));
            return false;
        }
        text += name_len + 1;
    }
    return gw_url_parse(url, text, why, why_cap);
}

/* A link that is a byte stream, or never is one, cannot be served otherwise. */
static bool fits_link(const gw_board *board, unsigned link, const gw_url *url, char *why,
                      size_t why_cap)
{
    bool stream = gw_url_is(url, "tcp");
    if (gw_board_link_streams(board, link, stream) == stream)
        return true;
    snprintf(why, why_cap, "link %s of %s is %s: use %s://", board->links[link], board->role,
             stream ? "no byte stream" : "a byte stream", stream ? "udp" : "tcp");
    return false;
}

/* Sets the board up, behind an Ethernet port where one of the URLs names an interface. */
static gw_host *new_host(const gw_board *board, const gw_peer_config *config, const peer_args *args,
                         char *why, size_t why_cap)
{
    gw_url url;
    unsigned link;
    gw_url port = {0};
    unsigned port_link = 0;
    unsigned ports = 0;
    for (size_t i = 0; i < args->num_listen; i++) {
        if (!read_link_url(board, args->listen[i], &link, &url, why, why_cap))
            return NULL;
        if (!gw_url_is(&url, "raw"))
            continue;
        port = url;
        port_link = link;
        ports++;
    }
    if (ports == 0)
        return gw_host_new(board, config, why, why_cap);
    if (ports == 1)
        return gw_host_new_at(board, config, port_link, &port, why, why_cap);
    snprintf(why, why_cap, "a board is served behind one raw:// URL");
    return NULL;
}

static bool open_urls(gw_host *host, const gw_board *board, const peer_args *args, char *why,
                      size_t why_cap)
{
    gw_url url;
    unsigned link;
    for (size_t i = 0; i < args->num_listen; i++) {
        if (!read_link_url(board, args->listen[i], &link, &url, why, why_cap))
            return false;
        if (gw_url_is(&url, "raw"))
            continue; /* it is open */
        if (!fits_link(board, link, &url, why, why_cap) ||
            !gw_host_listen(host, link, &url, why, why_cap))
            return false;
    }
    for (size_t i = 0; i < args->num_to; i++) {
        if (!read_link_url(board, args->to[i], &link, &url, why, why_cap) ||
            !fits_link(board, link, &url, why, why_cap) ||
            !gw_host_call(host, link, &url, CALL_TIMEOUT_NS, why, why_cap))
            return false;
    }
    return true;
}

static bool check_urls(const gw_board *board, peer_args *args, char *why, size_t why_cap)
{
    if (board->calls_us && (args->num_to != 1 || args->num_listen != 0)) {
        snprintf(why, why_cap, "%s calls somebody: say whom with one --to URL", board->role);
        return false;
    }
    if (!board->calls_us && args->num_to != 0 && gw_board_num_links(board) == 1) {
        snprintf(why, why_cap,
                 "%s is called: --listen URL says where, --to is for boards that call or have "
                 "several links",
                 board->role);
        return false;
    }
    return true;
}

static void add_own_url(peer_args *args, const gw_board *board, unsigned link, const char *scheme,
                        uint16_t port)
{
    if (args->num_listen == MAX_URLS)
        return;
    char *url = args->own_urls[args->num_listen];
    snprintf(url, sizeof(args->own_urls[0]), "%s=%s://127.0.0.1:%u", board->links[link], scheme,
             port);
    args->listen[args->num_listen++] = url;
}

/* Without --listen: every link on loopback, at the format's own port when the board has but one
 * link of it, UDP and TCP. */
static void default_urls(const gw_board *board, peer_args *args)
{
    unsigned num = gw_board_num_links(board);
    if (board->calls_us || args->num_listen > 0)
        return;
    for (unsigned i = 0; i < num; i++) {
        const gw_format *format = gw_board_link_format(board, i);
        bool first = i == 0 || format != board->format;
        uint16_t udp = first && format->num_udp_ports > 0 ? format->udp_ports[0] : 0;
        add_own_url(args, board, i, gw_board_link_scheme(board, i, false),
                    gw_board_link_streams(board, i, false) ? 0 : udp);
        if (num == 1 && format->num_tcp_ports > 0)
            add_own_url(args, board, i, "tcp", format->tcp_ports[0]);
    }
}

/* ---- serving ---- */

/* For scripts that wait for the port: line by line, at once. */
static void announce(const gw_host *host, const gw_board *board)
{
    char url[96];
    bool many = board->links[1] != NULL;
    for (size_t i = 0; !board->calls_us && i < gw_host_count(host); i++) {
        gw_host_url(host, i, url, sizeof(url));
        printf("listening %s%s%s\n", url, many ? " " : "",
               many ? board->links[gw_host_link(host, i)] : "");
    }
    printf("ready\n");
    fflush(stdout);
}

static int serve(gw_host *host, const gw_board *board)
{
    char text[1024];
    struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART: waits must end */
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    announce(host, board);
    if (!gw_host_run(host, &stop, text, sizeof(text))) {
        fprintf(stderr, "%s: %s\n", VERB, text);
        return GW_EXIT_TOOL;
    }
    if (stop && board->calls_us)
        return GW_EXIT_OK;
    if (gw_host_trouble(host) != NULL)
        fprintf(stderr, "%s: not sent: %s\n", VERB, gw_host_trouble(host));
    bool satisfied = gw_host_report(host, text, sizeof(text));
    if (text[0] != '\0')
        printf("%s\n", text);
    return stop || satisfied ? GW_EXIT_OK : GW_EXIT_FAIL;
}

static bool open_setup(const gw_board *board, const peer_args *args, void **setup, char *why,
                       size_t why_cap)
{
    *setup = NULL;
    if (args->map == NULL)
        return true;
    if (board->open_setup == NULL) {
        snprintf(why, why_cap, "%s takes no --map", board->role);
        return false;
    }
    *setup = board->open_setup(args->map, why, why_cap);
    return *setup != NULL;
}

static int run_board(peer_args *args)
{
    char why[512] = "";
    const gw_board *board;
    gw_peer_config config = {0};
    void *setup = NULL;
    gw_host *host = NULL;
    int code = GW_EXIT_USAGE;
    if (gw_peer_find(args->role, args->mutant, args->dialect, &board, &config, why, sizeof(why)) &&
        gw_peer_hurry(&config, board, args->hurry, why, sizeof(why)) &&
        check_urls(board, args, why, sizeof(why)) &&
        open_setup(board, args, &setup, why, sizeof(why))) {
        default_urls(board, args);
        config.setup = setup;
        config.random_memory = args->random_memory;
        config.memory_seed = args->memory_seed;
        config.registers_at = args->registers_at;
        host = new_host(board, &config, args, why, sizeof(why));
        if (host != NULL && open_urls(host, board, args, why, sizeof(why)))
            code = serve(host, board);
    }
    if (code == GW_EXIT_USAGE)
        fprintf(stderr, "%s: %s\n", VERB, why);
    gw_host_free(host);
    if (setup != NULL)
        board->close_setup(setup);
    return code;
}

/* ---- the command line ---- */

static void add_url(struct argp_state *state, const char **urls, size_t *num, const char *url)
{
    if (*num == MAX_URLS)
        argp_error(state, "more than %d URLs", MAX_URLS);
    else
        urls[(*num)++] = url;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    peer_args *args = state->input;
    switch (key) {
    case OPT_LISTEN:
        add_url(state, args->listen, &args->num_listen, arg);
        return 0;
    case OPT_TO:
        add_url(state, args->to, &args->num_to, arg);
        return 0;
    case OPT_MAP:
        args->map = arg;
        return 0;
    case OPT_MUTANT:
        args->mutant = arg;
        return 0;
    case OPT_RANDOM_MEMORY:
        args->random_memory = true;
        args->memory_seed = gw_option_number(state, "random-memory", arg, 0, UINT64_MAX);
        return 0;
    case OPT_REGISTERS_AT:
        args->registers_at = (uint32_t)gw_option_number(state, "registers-at", arg, 0, UINT32_MAX);
        if (args->registers_at % 8 != 0)
            argp_error(state, "--registers-at is a multiple of 8, not %s", arg);
        return 0;
    case OPT_HURRY:
        args->hurry = (uint32_t)gw_option_number(state, "hurry", arg, 1, GW_HURRY_MAX);
        return 0;
    case OPT_DIALECT:
        args->dialect = arg;
        return 0;
    case OPT_LIST:
        args->list = true;
        return 0;
    case OPT_JSON:
        args->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (args->role != NULL)
            argp_error(state, "one role is expected, '%s' is one too many", arg);
        args->role = arg;
        return 0;
    case ARGP_KEY_END:
        if (args->role == NULL && !args->list)
            argp_error(state, "no role given; --list lists the roles");
        if (args->json && !args->list)
            argp_error(state, "--json goes with --list");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"listen", OPT_LISTEN, "[LINK=]URL", 0,
     "Serve at udp://HOST:PORT, roce://HOST[:PORT] or tcp://HOST:PORT; port 0 lets the kernel "
     "choose; or as a station of its own at raw://INTERFACE?local=IP:PORT. May be given several "
     "times. Default: every link on 127.0.0.1, the first at the "
     "format's own port",
     0},
    {"to", OPT_TO, "[LINK=]URL", 0, "Whom the board shall call on that link", 0},
    {"map", OPT_MAP, "FILE", 0,
     "The board's own set-up, a YAML file: an etherbone-slave's memory map, an ims-buf's sizes, an "
     "ims-worker's frames and patience",
     0},
    {"mutant", OPT_MUTANT, "ID", 0, "Serve the board with this fault", 0},
    {"dialect", OPT_DIALECT, "NAME", 0, "Serve the board as this kind of device does", 0},
    {"random-memory", OPT_RANDOM_MEMORY, "SEED", 0,
     "Start with anything in the memory, as after power-up, instead of zeros", 0},
    {"registers-at", OPT_REGISTERS_AT, "ADDRESS", 0,
     "Have the registers of the link regs from this address on, 0 by default", 0},
    {"hurry", OPT_HURRY, "N", 0,
     "Of a board that waits by itself (etherbone-master, ims-worker, l1-du): ask again, or give "
     "up, after one Nth of the usual time, N up to 10",
     0},
    {"list", OPT_LIST, NULL, 0,
     "List the boards, a line each: ROLE; and their mutants: ROLE MUTANT RULE[,RULE...] TEXT", 1},
    {"json", OPT_JSON, NULL, 0, "With --list: one JSON object a board", 1},
    {0},
};

static int peer(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "ROLE",
        .doc =
            "Serves a software board on sockets until SIGTERM or SIGINT."
            "\vFor each socket a line `listening URL [LINK]' with the real port, then `ready'. A "
            "board that calls ends by itself and says how it went.\n\n"
            "Exit status: 0 asked to end, or a calling board that is satisfied; 1 a calling "
            "board that is not; 2 a wrong call, a port in use; 4 a fault of goldwire.\n\n"
            "Examples:\n"
            "  goldwire peer etherbone-slave --listen udp://127.0.0.1:0\n"
            "  goldwire peer etherbone-slave --mutant m-no-nr-in-reply\n"
            "  goldwire peer etherbone-master --to udp://192.168.0.100:60368\n",
    };
    peer_args args = {0};
    gw_verb_parse(&argp, argc, argv, &args);
    return args.list ? list_boards(args.json) : run_board(&args);
}

const gw_verb gw_verb_peer = {"peer", "serve a software board", peer};

/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire regs: a board's registers by the names that its document gives them. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "boards/peer.h"
#include "cli/verb.h"
#include "device/dut.h"
#include "goldwire/etherbone.h"
#include "goldwire/registers.h"
#include "harness/nearest.h"
#include "harness/sim.h"
#include "harness/transport.h"
#include "suite/regs_wire.h"

#define VERB "goldwire regs"
#define TIMEOUT_NS INT64_C(1000000000)
#define SIM_TIMEOUT_NS INT64_C(1000000)   /* of simulated time, which takes longer */
#define SIM_START_NS INT64_C(60000000000) /* until the simulator is there */
#define MAX_ACCESSES 64
#define MAX_NAMES 192
#define MAX_DIALECTS 16

/* One word of the command: NAME, or an address, with =VALUE for a write. */
typedef struct access {
    uint32_t address;
    const gw_register *which; /* NULL: an address without a name */
    bool write;
    uint32_t value;
} access;

typedef struct regs_args {
    const gw_board *board;
    const gw_dialect *dialect; /* of EtherBone; NULL: strict */
    const char *url;
    uint32_t base;
    bool json;
    unsigned num;
    access accesses[MAX_ACCESSES];
    json_t *list; /* for --json */
    uint32_t tag;
    gw_sim *sim; /* a board in a simulator, else NULL */
    gw_transport *way;
} regs_args;

/* ---- output ---- */

static void put(regs_args *args, const access *a, const uint32_t *value)
{
    const gw_register *r = a->which;
    const char *name = r != NULL ? r->name : "";

    if (args->list == NULL && value != NULL) {
        printf("0x%03" PRIx32 "  %-26s 0x%08" PRIx32 "%s\n", a->address, name, *value,
               a->write ? "  written" : "");
        return;
    }
    if (args->list == NULL) {
        printf("0x%03" PRIx32 "  %-26s %-5s  %s\n", a->address, name,
               gw_access_name((gw_access)r->access), r->what);
        return;
    }
    json_t *o = json_pack("{s:I,s:s}", "address", (json_int_t)a->address, "name", name);
    if (value != NULL)
        json_object_set_new(o, a->write ? "written" : "value", json_integer(*value));
    if (r != NULL) {
        json_object_set_new(o, "access", json_string(gw_access_name((gw_access)r->access)));
        json_object_set_new(o, "what", json_string(r->what));
    }
    json_array_append_new(args->list, o);
}

/* ---- talking ---- */

/* Asks once: an access that got lost may have had its effect, so it is not repeated. */
static bool perform(gw_transport *t, regs_args *args, const access *a, uint32_t *value)
{
    uint8_t packet[GW_REGS_PACKET], buf[2048];
    gw_regs_answer answer = {0};
    size_t len;

    args->tag += 8;
    len = gw_regs_ask(packet, args->tag, args->base + a->address, a->write ? &a->value : NULL,
                      args->dialect);
    bool sent = len > 0 && t->ops->send(t, packet, len);
    size_t more = a->write ? gw_regs_confirm(packet, args->tag, args->dialect) : 0;
    if (!sent || (more > 0 && !t->ops->send(t, packet, more))) {
        fprintf(stderr, "%s: cannot send: %s\n", VERB, t->error);
        return false;
    }
    int64_t deadline = t->ops->now(t) + (args->sim != NULL ? SIM_TIMEOUT_NS : TIMEOUT_NS), stamp;
    gw_endpoint from;
    while (!answer.has_errors || (!a->write && (answer.seen & 1) == 0)) {
        if (t->ops->recv(t, buf, sizeof(buf), &len, deadline, &stamp, &from) != GW_RECV_DATA) {
            fprintf(stderr, "%s: no answer to the %s of 0x%03" PRIx32 "%s\n", VERB,
                    a->write ? "write" : "read", a->address,
                    a->write ? "; whether it was written is unknown" : "");
            return false;
        }
        gw_regs_take(&answer, buf, len, args->tag, args->dialect);
    }
    if ((answer.errors & 1) != 0) {
        fprintf(stderr, "%s: bus error at 0x%03" PRIx32 "\n", VERB, a->address);
        return false;
    }
    *value = a->write ? a->value : answer.values[0];
    return true;
}

static int complain(int code, const char *why)
{
    fprintf(stderr, "%s: %s\n", VERB, why);
    return code;
}

/* A port of a simulation: whoever reads these words starts the simulator. */
static int open_port(regs_args *args, const gw_url *url)
{
    char why[256];
    args->sim = gw_sim_listen(url->host, why, sizeof(why));
    if (args->sim == NULL)
        return complain(GW_EXIT_USAGE, why);
    fprintf(stderr, "waiting for a simulator: GOLDWIRE_COSIM=%s\n", gw_sim_path(args->sim));
    if (!gw_sim_await(args->sim, SIM_START_NS, why, sizeof(why)))
        return complain(GW_EXIT_INCONC, why);
    if (!gw_sim_is_datagrams(args->sim, url->port)) {
        fprintf(stderr, "%s: port %u of the testbench carries no registers\n", VERB, url->port);
        return GW_EXIT_USAGE;
    }
    const gw_endpoint nowhere = {0}; /* only evidence knows of addresses */
    args->way = gw_sim_open(args->sim, url->port, &nowhere, &nowhere, why, sizeof(why));
    return args->way != NULL ? GW_EXIT_OK : complain(GW_EXIT_INCONC, why);
}

static int open_socket(regs_args *args, gw_url *url)
{
    char why[256];
    bool unreachable;
    if (gw_format_same_port(&gw_etherbone, args->dialect))
        gw_dut_own_address(url, 0);
    args->way = gw_transport_open(url, TIMEOUT_NS, &unreachable, why, sizeof(why));
    if (args->way != NULL)
        return GW_EXIT_OK;
    return complain(unreachable ? GW_EXIT_INCONC : GW_EXIT_USAGE, why);
}

static int open_way(regs_args *args)
{
    gw_url url;
    char why[256];
    if (!gw_url_parse(&url, args->url, why, sizeof(why)))
        return complain(GW_EXIT_USAGE, why);
    if (gw_url_is(&url, "sim"))
        return open_port(args, &url);
    if (!gw_url_is(&url, "udp"))
        return complain(GW_EXIT_USAGE,
                        "registers are reached over udp://HOST:PORT, or sim://NAME?port=N");
    return open_socket(args, &url);
}

static void close_way(regs_args *args)
{
    gw_transport_close(args->way);
    gw_sim_free(args->sim);
}

static int talk(regs_args *args)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < args->num; i++) {
        uint32_t value = 0;
        ok = perform(args->way, args, &args->accesses[i], &value);
        if (ok)
            put(args, &args->accesses[i], &value);
    }
    return ok ? GW_EXIT_OK : GW_EXIT_INCONC;
}

/* Without words: all that can be read without taking anything out. */
static int read_all(regs_args *args)
{
    const gw_register_map *map = args->board->format->registers;
    int code = GW_EXIT_OK;

    for (size_t i = 0; code == GW_EXIT_OK && i < map->num; i++) {
        const gw_register *r = &map->registers[i];
        args->accesses[0] = (access){.address = r->offset, .which = r};
        args->num = 1;
        if (args->url == NULL)
            put(args, &args->accesses[0], NULL);
        else if (r->access == GW_READ_ONLY || r->access == GW_READ_WRITE)
            code = talk(args);
    }
    return code;
}

/* ---- arguments ---- */

static const char doc[] =
    "Read and write registers of a board by name, over EtherBone on its link regs.\v"
    "Without --dut the map is listed. Without words every register is read that can be without "
    "taking something out of a queue. A word is NAME to read, NAME=VALUE to write; an address may "
    "stand for the name, and has to where there is no map. They are done in their order, each "
    "once.\n\n"
    "  goldwire regs textarossa-switch\n"
    "  goldwire regs textarossa-node --dut udp://127.0.0.1:60368\n"
    "  goldwire regs op2p-node --dut udp://127.0.0.1:60368 --base 0x80 localid=0x42 link_status";

enum { OPT_DIALECT = 256 };

static const struct argp_option options[] = {
    {"dut", 'd', "URL", 0,
     "where the board's link regs is: udp://HOST:PORT, or sim://NAME?port=N of a simulated board",
     0},
    {"base", 'b', "ADDRESS", 0, "where the block begins; 0 when left out", 0},
    {"dialect", OPT_DIALECT, "NAME", 0, "how the board's EtherBone departs from its document", 0},
    {"json", 'j', 0, 0, "print one JSON document", 0},
    {0},
};

static bool read_number(const char *text, uint32_t *value)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 0);

    *value = (uint32_t)number;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && number <= UINT32_MAX;
}

static void unknown(struct argp_state *state, const gw_board *board, const char *name)
{
    const gw_register_map *map = board->format->registers;
    const char *names[MAX_NAMES + 1] = {NULL};
    if (map == NULL)
        argp_error(state, "%s has no register map: '%s' has to be an address", board->role, name);
    for (size_t i = 0; map != NULL && i < map->num && i < MAX_NAMES; i++)
        names[i] = map->registers[i].name;
    char meant[96];
    argp_error(state, "no register '%s'%s", name,
               gw_nearest_said(meant, sizeof(meant), name, names));
}

static void take_word(struct argp_state *state, regs_args *args, const char *word)
{
    const gw_register_map *map = args->board->format->registers;
    size_t name_len = strcspn(word, "=");
    access *a = &args->accesses[args->num];
    char name[64];

    if (args->num == MAX_ACCESSES)
        argp_error(state, "more than %d words", MAX_ACCESSES);
    (void)snprintf(name, sizeof(name), "%.*s", (int)name_len, word);
    a->which = map != NULL ? gw_register_by_name(map, name) : NULL;
    if (a->which != NULL)
        a->address = a->which->offset;
    else if (!read_number(name, &a->address))
        unknown(state, args->board, name);
    else if (map != NULL)
        a->which = gw_register_at(map, a->address);
    a->write = word[name_len] == '=';
    if (a->write && !read_number(word + name_len + 1, &a->value))
        argp_error(state, "'%s' is no 32-bit number", word + name_len + 1);
    if (a->write && a->which != NULL && a->which->access == GW_READ_ONLY)
        argp_error(state, "%s can only be read", a->which->name);
    args->num++;
}

static void take_role(struct argp_state *state, regs_args *args, const char *role)
{
    char why[256];
    gw_peer_config config = {0};
    if (!gw_peer_find(role, NULL, NULL, &args->board, &config, why, sizeof(why)))
        argp_error(state, "%s", why);
}

static void take_dialect(struct argp_state *state, regs_args *args, const char *name)
{
    const char *names[MAX_DIALECTS + 1] = {NULL};
    char meant[64];
    args->dialect = gw_dialect_by_name(&gw_etherbone, name);
    for (size_t i = 0; i < gw_etherbone.num_dialects && i < MAX_DIALECTS; i++)
        names[i] = gw_etherbone.dialects[i].name;
    if (args->dialect == NULL)
        argp_error(state, "EtherBone has no dialect '%s'%s", name,
                   gw_nearest_said(meant, sizeof(meant), name, names));
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    regs_args *args = state->input;
    switch (key) {
    case 'd':
        args->url = strncmp(arg, "regs=", 5) == 0 ? arg + 5 : arg;
        return 0;
    case 'b':
        if (!read_number(arg, &args->base))
            argp_error(state, "'%s' is no address", arg);
        return 0;
    case OPT_DIALECT:
        take_dialect(state, args, arg);
        return 0;
    case 'j':
        args->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (args->board == NULL)
            take_role(state, args, arg);
        else
            take_word(state, args, arg);
        return 0;
    case ARGP_KEY_END:
        if (args->board == NULL)
            argp_error(state, "whose registers? give a ROLE");
        else if (args->board->format->registers == NULL && args->num == 0)
            argp_error(state, "%s has no register map: give addresses", args->board->role);
        else if (args->url == NULL && args->num > 0)
            argp_error(state, "--dut says where the registers are");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "ROLE [NAME[=VALUE]...]", doc, NULL,
                                     NULL,    NULL};
    regs_args args = {.tag = GW_REGS_TAG};
    gw_verb_parse(&argp, argc, argv, &args);
    args.list = args.json ? json_array() : NULL;
    int code = args.url != NULL ? open_way(&args) : GW_EXIT_OK;
    if (code == GW_EXIT_OK)
        code = args.num > 0 ? talk(&args) : read_all(&args);
    close_way(&args);
    if (args.list != NULL) {
        json_dumpf(args.list, stdout, JSON_INDENT(1));
        printf("\n");
        json_decref(args.list);
    }
    return code;
}

const gw_verb gw_verb_regs = {"regs", "read and write a board's registers by name", run};

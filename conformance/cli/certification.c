/* SPDX-License-Identifier: BSD-2-Clause */
/* From the command line and the board file to a board that can be reached. */
#include "cli/certification.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/verb.h"
#include "device/describe.h"
#include "formats/builtin.h"
#include "harness/memory.h"
#include "harness/nearest.h"

#define CALLER_WAIT_NS (60 * GW_SECOND) /* people start boards by hand */

int gw_certification_complain(const gw_certification *c, const char *fmt, ...)
{
    va_list args;
    fprintf(stderr, "goldwire %s: ", c->verb);
    va_start(args, fmt);
    (void)vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    return GW_EXIT_USAGE;
}

static int load_board(gw_certification *c)
{
    char why[512] = "";
    gw_url url;
    if (c->o.board_path == NULL)
        return GW_EXIT_OK;
    if (gw_url_parse(&url, c->o.board_path, why, sizeof(why)))
        return gw_certification_complain(
            c, "%s is an address, and no board file; where a board is says --dut %s",
            c->o.board_path, c->o.board_path);
    gw_memory_need(GW_EXIT_TOOL); /* libfyaml does not survive a refusal */
    bool ok = gw_board_load(&c->board, c->o.board_path, why, sizeof(why));
    gw_memory_need(0);
    return ok ? GW_EXIT_OK : gw_certification_complain(c, "%s", why);
}

/* "peer:ROLE?..." names the role by itself. NULL with a text in |why| when it names none, and
 * without one for another URL. */
static const char *peer_role(const char *text, char *why, size_t why_cap)
{
    gw_url url;
    const gw_board *board;
    gw_peer_config config;
    if (text == NULL || strncmp(text, "peer:", 5) != 0 || !gw_url_parse(&url, text, why, why_cap) ||
        !gw_peer_find(url.host, NULL, NULL, &board, &config, why, why_cap))
        return NULL;
    return board->role;
}

static int unknown_role(const gw_certification *c, const char *role)
{
    char meant[64];
    gw_certification_complain(c, "there are no cases for the role '%s'%s", role,
                              gw_role_meant(meant, sizeof(meant), role));
    fputs("roles:", stderr);
    for (size_t i = 0; i < gw_num_suites; i++)
        fprintf(stderr, " %s", gw_suites[i]->role);
    fputc('\n', stderr);
    return GW_EXIT_USAGE;
}

static int find_suite(gw_certification *c)
{
    const char *url = c->o.num_duts > 0 ? c->o.duts[0] : c->o.serve;
    const char *role = c->o.role;
    char why[256] = "";
    if (role == NULL && c->o.board_path != NULL)
        role = c->board.role;
    if (role == NULL)
        role = peer_role(url, why, sizeof(why));
    if (why[0] != '\0')
        return gw_certification_complain(c, "%s", why);
    if (role == NULL && c->o.list)
        role = gw_suites[0]->role;
    if (role == NULL)
        return gw_certification_complain(
            c, "which role? give --role, a board file, or --dut peer:ROLE");
    if (c->o.board_path != NULL && gw_suite_by_role(role) != gw_suite_by_role(c->board.role))
        return gw_certification_complain(c, "--role %s, but %s describes one of role %s", role,
                                         c->o.board_path, c->board.role);
    c->suite = gw_suite_by_role(role);
    return c->suite != NULL ? GW_EXIT_OK : unknown_role(c, role);
}

/* Reads "[LINK=]URL". */
static int add_place(gw_certification *c, const char *text)
{
    size_t name_len = strcspn(text, "=:");
    if (c->num_places == GW_TARGET_LINKS)
        return gw_certification_complain(c, "more than %d URLs", GW_TARGET_LINKS);
    gw_dut_place *place = &c->places[c->num_places];
    char *name = c->names[c->num_places++];
    if (text[name_len] == '=') {
        (void)snprintf(name, sizeof(c->names[0]), "%.*s", (int)name_len, text);
        text += name_len + 1;
    }
    *place = (gw_dut_place){name, text};
    return GW_EXIT_OK;
}

static const char *const carriages[] = {"udp", "tcp", "raw", NULL};

/* Whether the file names ways to a board of one link, "udp" and "tcp", and not its links. */
static bool names_ways(const gw_certification *c)
{
    const gw_board *like = gw_board_by_role(c->suite->role);
    const char *name = c->board.num_links > 0 ? c->board.links[0].name : "";
    bool carriage = false;
    for (size_t i = 0; carriages[i] != NULL; i++)
        carriage = carriage || strcmp(name, carriages[i]) == 0;
    return carriage && (like == NULL || gw_board_num_links(like) == 1);
}

static int ways_in_file(gw_certification *c)
{
    if (c->suite->calls_us && c->board.num_links > 1)
        return gw_certification_complain(c,
                                         "%s: a board of role %s calls us over one way at a time: "
                                         "name the others with --serve, one by one",
                                         c->o.board_path, c->suite->role);
    if (c->board.num_links > GW_RUN_OTHERS + 1)
        return gw_certification_complain(c, "%s: more than %d ways", c->o.board_path,
                                         GW_RUN_OTHERS + 1);
    c->places[c->num_places++] = (gw_dut_place){"", c->board.links[0].url};
    for (size_t i = 0; i < c->board.num_links; i++)
        c->ways[c->num_ways++] = (gw_dut_place){c->board.links[i].name, c->board.links[i].url};
    return GW_EXIT_OK;
}

static int places_in_file(gw_certification *c)
{
    if (names_ways(c))
        return ways_in_file(c);
    for (size_t i = 0; i < c->board.num_links; i++) {
        if (c->num_places == GW_TARGET_LINKS)
            return gw_certification_complain(c, "more than %d links", GW_TARGET_LINKS);
        /* A board with one link may name it or not. */
        const char *name = c->board.num_links == 1 ? "" : c->board.links[i].name;
        c->places[c->num_places++] = (gw_dut_place){name, c->board.links[i].url};
    }
    return GW_EXIT_OK;
}

static int find_places(gw_certification *c)
{
    const gw_certify_options *o = &c->o;
    int code = GW_EXIT_OK;
    if (o->num_duts > 0 && o->serve != NULL)
        return gw_certification_complain(c, "--dut and --serve exclude each other");
    for (size_t i = 0; i < o->num_duts && code == GW_EXIT_OK; i++)
        code = add_place(c, o->duts[i]);
    if (o->serve != NULL)
        code = add_place(c, o->serve);
    if (code == GW_EXIT_OK && c->num_places == 0 && o->board_path != NULL)
        code = places_in_file(c);
    if (code != GW_EXIT_OK)
        return code;
    if (c->num_places == 0)
        return gw_certification_complain(
            c, "where is the board? give --dut URL, or `where:' in the board file");
    bool peer = strncmp(c->places[0].url, "peer:", 5) == 0;
    bool simulated =
        strncmp(c->places[0].url, "sim:", 4) == 0; /* which is told when it is opened */
    if (c->suite->calls_us && o->num_duts > 0 && !peer && !simulated)
        return gw_certification_complain(
            c, "a %s calls us: give --serve URL, and let it call there", c->suite->role);
    if (!c->suite->calls_us && o->serve != NULL)
        return gw_certification_complain(c, "a board of role %s does not call us: give --dut URL",
                                         c->suite->role);
    return GW_EXIT_OK;
}

static int open_dut(gw_certification *c)
{
    char why[512] = "";
    c->dut = gw_dut_open(c->places, c->num_places, gw_board_by_role(c->suite->role),
                         c->suite->calls_us, why, sizeof(why));
    if (c->dut == NULL)
        return gw_certification_complain(c, "%s", why);
    const gw_board *peer = gw_dut_peer(c->dut);
    if (peer != NULL && peer != gw_board_by_role(c->suite->role))
        return gw_certification_complain(c, "%s is no %s", c->places[0].url, c->suite->role);
    return GW_EXIT_OK;
}

static int prepare_waves(gw_certification *c)
{
    char why[512] = "";
    if (c->o.wave == NULL || gw_dut_wave_to(c->dut, c->o.wave, why, sizeof(why)))
        return GW_EXIT_OK;
    return gw_certification_complain(c, "--wave: %s", why);
}

/* Whether |dut| carries messages as the name of |way| says. */
static int check_way(const gw_certification *c, gw_dut *dut, const gw_dut_place *way)
{
    const gw_target_link *link = &gw_dut_target(dut)->links[0];
    if (strcmp(way->link, link->frames ? "raw" : link->stream ? "tcp" : "udp") == 0)
        return GW_EXIT_OK;
    return gw_certification_complain(c, "%s: where: %s: %s is no way of that kind", c->o.board_path,
                                     way->link, way->url);
}

/* The first way has been opened as the board itself. */
static int open_ways(gw_certification *c)
{
    char why[512] = "";
    int code = c->num_ways > 0 ? check_way(c, c->dut, &c->ways[0]) : GW_EXIT_OK;
    for (size_t i = 1; i < c->num_ways && code == GW_EXIT_OK; i++) {
        const gw_dut_place place = {"", c->ways[i].url};
        gw_dut *dut =
            gw_dut_open(&place, 1, gw_board_by_role(c->suite->role), false, why, sizeof(why));
        if (dut == NULL)
            return gw_certification_complain(c, "%s", why);
        c->others[c->num_others++] = dut;
        gw_dut_use_pace(dut, &c->board.pace);
        code = check_way(c, dut, &c->ways[i]);
    }
    return code;
}

static int find_dialect(gw_certification *c)
{
    const char *name = c->o.dialect;
    const gw_format *format = c->suite->format;
    if (name == NULL && c->o.board_path != NULL && c->board.dialect[0] != '\0')
        name = c->board.dialect;
    c->dialect = gw_dut_dialect(c->dut);
    if (c->o.patience != 0)
        c->board.pace.patience = c->o.patience;
    gw_dut_use_pace(c->dut, &c->board.pace);
    if (name == NULL)
        return GW_EXIT_OK;
    c->dialect = gw_dialect_by_name(format, name);
    if (c->dialect != NULL) {
        gw_dut_use_dialect(c->dut, c->dialect);
        return GW_EXIT_OK;
    }
    const char *names[32] = {NULL};
    char meant[64];
    for (size_t i = 0; i < format->num_dialects && i < GW_ARRAY_LEN(names) - 1; i++)
        names[i] = format->dialects[i].name;
    gw_certification_complain(c, "%s has no dialect '%s'%s", format->name, name,
                              gw_nearest_said(meant, sizeof(meant), name, names));
    fputs("dialects:", stderr);
    for (size_t i = 0; names[i] != NULL; i++)
        fprintf(stderr, " %s", names[i]);
    fputc('\n', stderr);
    return GW_EXIT_USAGE;
}

/* What the file's reader could not know. */
static int check_board(gw_certification *c)
{
    char why[512] = "";
    if (c->o.board_path == NULL ||
        gw_describe_check(&c->board, c->o.board_path, c->suite, why, sizeof(why)))
        return GW_EXIT_OK;
    return gw_certification_complain(c, "%s", why);
}

static int check_carriage(gw_certification *c)
{
    char why[256] = "";
    bool stream = gw_dut_target(c->dut)->links[0].stream;
    if (stream && c->board.claims.tcp == GW_CLAIM_NO)
        return gw_certification_complain(
            c, "%s claims not to speak TCP: give --dut udp://HOST:PORT", c->o.board_path);
    if (c->suite->accepts == NULL || c->suite->accepts(c->dialect, stream, why, sizeof(why)))
        return GW_EXIT_OK;
    return gw_certification_complain(c, "%s", why);
}

/* The URL may have moved a software board's registers, and what lies beside them. */
static void move_registers(gw_certification *c)
{
    uint32_t at = gw_dut_registers_at(c->dut);
    c->board.register_base = at;
    for (size_t i = 0; i < c->board.num_areas; i++) {
        gw_area *area = &c->board.areas[i];
        if (strcmp(area->name, "registers") == 0)
            area->address += at;
    }
}

/* The URL may have a software board ask again sooner. What answers to a refusal must still do so
 * before that, or the one could be taken for the other. */
static void hurry(gw_certification *c)
{
    gw_claims *claims = &c->board.claims;
    if (claims->response_timeout_ms == 0)
        return;
    claims->response_timeout_ms /= gw_dut_hurry(c->dut);
    claims->response_us /= gw_dut_hurry(c->dut);
}

/* Our own boards need no file. In a hardware's dialect they have that hardware's widths. */
static void describe_board(gw_certification *c)
{
    const gw_board_file *builtin = gw_builtin_board(c->suite->role);
    if (c->o.board_path != NULL || gw_dut_peer(c->dut) == NULL || builtin == NULL)
        return;
    c->board = *builtin;
    /* What carries its messages is what the URL says, and nothing else is claimed. */
    c->board.claims.tcp = GW_CLAIM_UNKNOWN;
    move_registers(c);
    hurry(c);
    if (gw_dut_dialect(c->dut) == NULL)
        return;
    c->board.claims.address_widths = 0;
    c->board.claims.port_widths = 0;
    c->board.claims.zero_filled_reply = GW_CLAIM_UNKNOWN;
}

int gw_certification_describe(gw_certification *c)
{
    int code = load_board(c);
    if (code == GW_EXIT_OK)
        code = find_suite(c);
    return code == GW_EXIT_OK ? check_board(c) : code;
}

/* A program that is not there is better told now than when the board hangs. */
static int find_hooks(gw_certification *c)
{
    char why[512] = "";
    for (unsigned kind = 0; c->o.hooks && kind < GW_NUM_HOOKS; kind++) {
        const gw_hook *hook = &c->board.hooks[kind];
        if (hook->num_args > 0 && !gw_hook_find(hook, why, sizeof(why)))
            return gw_certification_complain(c, "%s: hook %s: %s", c->o.board_path,
                                             gw_hook_name((gw_hook_kind)kind), why);
    }
    return GW_EXIT_OK;
}

int gw_certification_reach(gw_certification *c)
{
    static int (*const steps[])(gw_certification * c) = {
        find_hooks, find_places, open_dut, prepare_waves, find_dialect, check_carriage, open_ways};
    int code = GW_EXIT_OK;
    for (size_t i = 0; i < GW_ARRAY_LEN(steps) && code == GW_EXIT_OK; i++)
        code = steps[i](c);
    if (code == GW_EXIT_OK)
        describe_board(c);
    return code;
}

int64_t gw_certification_first_ns(const gw_certification *c)
{
    if (!c->suite->calls_us)
        return 0;
    return c->o.wait_s > 0 ? (int64_t)c->o.wait_s * GW_SECOND : CALLER_WAIT_NS;
}

/* Nobody who did not ask for it is told that nobody can look on. */
void gw_certification_publish(gw_certification *c)
{
    const char *wish = getenv("GOLDWIRE_WATCHABLE");
    char why[512];
    c->running = gw_running_begin(c->verb, c->suite->role, c->places[0].url, why, sizeof(why));
    if (c->running == NULL && why[0] != '\0' && wish != NULL && strcmp(wish, "yes") == 0)
        (void)gw_certification_complain(c, "nobody can look on: %s", why);
}

void gw_certification_close(gw_certification *c)
{
    gw_running_end(c->running);
    gw_case_list_free(&c->selection);
    for (size_t i = 0; i < c->num_replays; i++)
        gw_replay_free(c->replays[i]);
    for (size_t i = 0; i < c->num_others; i++)
        gw_dut_close(c->others[i]);
    gw_dut_close(c->dut);
}

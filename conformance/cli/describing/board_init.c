/* SPDX-License-Identifier: BSD-2-Clause */
/* A board file to begin with, from the tables of keys and claims and what the software board of the
 * role declares. Remarks begin with "# "; a key that is switched off keeps its place behind "#", so
 * that taking the sign away switches it on. */
#include "cli/describing/board_init.h"

#include <inttypes.h>
#include <string.h>

#include "harness/board_keys.h"
#include "run/case.h"

#define FIRST_PORT 50000

/* ---- keys ---- */

/* How many blanks stand before a key of |part|. */
static int indent_of(gw_board_part part)
{
    return part == GW_PART_FILE ? 0 : part == GW_PART_HOOK ? 4 : 2;
}

static const gw_board_key *key_of(gw_board_part part, const char *name)
{
    for (size_t i = 0; i < gw_num_board_keys; i++)
        if (gw_board_keys[i].part == (uint8_t)part && strcmp(gw_board_keys[i].name, name) == 0)
            return &gw_board_keys[i];
    return NULL;
}

/* "key: value # what it says", all keys of |part|, switched off; |first| stands before the first.
 */
static void put_part(FILE *file, gw_board_part part, const char *first)
{
    const char *sign = first;
    for (size_t i = 0; i < gw_num_board_keys; i++) {
        const gw_board_key *key = &gw_board_keys[i];
        if (key->part != (uint8_t)part)
            continue;
        fprintf(file, "#%*s%s%s: %s # %s\n", indent_of(part), "", sign, key->name, key->example,
                key->what);
        sign = *first != '\0' ? "  " : "";
    }
}

/* The remark above a key of the file. */
static void put_what(FILE *file, const char *name)
{
    const gw_board_key *key = key_of(GW_PART_FILE, name);
    fprintf(file, "\n# %c%s.\n", key->what[0] - ('a' - 'A'), key->what + 1);
}

/* ---- where ---- */

/* Of the first link of a format that is not a stream, the format's own port. */
static unsigned port_of(const gw_board *board, unsigned link)
{
    const gw_format *format = gw_board_link_format(board, link);
    bool first = !gw_board_link_streams(board, link, false) && format->num_udp_ports > 0;
    for (unsigned i = 0; i < link; i++)
        first = first && gw_board_link_format(board, i) != format;
    return first ? format->udp_ports[0] : FIRST_PORT + link;
}

/* Where link |link| of the software board is; with |ours|, also from where we talk to it. */
static void put_url(FILE *file, const gw_board *board, unsigned link, bool ours)
{
    bool same_port = (board->same_port_links >> link & 1) != 0;
    unsigned port = port_of(board, link);
    if ((board->roce_links >> link & 1) != 0)
        fputs("roce://127.0.0.1", file);
    else
        fprintf(file, "%s://127.0.0.%d:%u", gw_board_link_scheme(board, link, false),
                same_port ? 2 : 1, port);
    if (ours && same_port && (board->roce_links >> link & 1) == 0)
        fprintf(file, "?local=127.0.0.1:%u", port);
}

static void put_where(FILE *file, const gw_board *board)
{
    put_what(file, "where");
    if (board->calls_us)
        fputs("# The board calls: this is where goldwire waits for it.\n", file);
    if (board->links[1] == NULL && board->ethernet_links != 0)
        fputs("# A board with several ways to it has a mapping: {udp: URL, tcp: URL, raw: URL}.\n",
              file);
    if (board->links[1] != NULL)
        fputs("# Leave out a link that you cannot reach: cases that need it do not run.\n", file);
    fputs("where:", file);
    for (unsigned i = 0; board->links[i] != NULL; i++) {
        if (board->links[1] != NULL)
            fprintf(file, "\n  %s:", board->links[i]);
        fputc(' ', file);
        put_url(file, board, i, true);
    }
    fputc('\n', file);
}

/* The line that starts the software board there. */
static void put_peer(FILE *file, const gw_board *board)
{
    fprintf(file, "#     goldwire peer %s", board->role);
    for (unsigned i = 0; board->links[i] != NULL; i++) {
        bool roce = (board->roce_links >> i & 1) != 0;
        fputs(board->calls_us ? " --to '" : " --listen ", file);
        if (board->links[1] != NULL)
            fprintf(file, "%s=", board->links[i]);
        put_url(file, board, i, false);
        if (board->calls_us)
            fputs(roce ? "?local=127.0.0.2:4791'" : "'", file);
    }
    fputs(board->calls_us ? "     # again, as often as the run asks\n" : "\n", file);
}

/* ---- claims ---- */

static void put_value(FILE *file, const gw_claim_field *field, uint32_t value)
{
    if (field->kind == GW_CLAIM_WIDTHS) {
        const char *sign = "[";
        for (unsigned bits = 8; bits <= 64; bits *= 2)
            if (value == 0 ? bits == 32 : (value & bits / 8) != 0) {
                fprintf(file, "%s%u", sign, bits);
                sign = ", ";
            }
        fputc(']', file);
    } else if (field->kind == GW_CLAIM_FLAG) {
        fputs(value == GW_CLAIM_NO ? "false" : "true", file);
    } else if (field->kind == GW_CLAIM_LIMIT) {
        fprintf(file, "%" PRIu32, value != 0 ? value : 1000);
    } else {
        fprintf(file, "0x%0*" PRIx32, 2 * field->size, value != 0 ? value : 1);
    }
}

/* What must be said, and by what the software board is told from others: nobody is addressed
 * without it. The rest is left to what the board shows. */
static bool claimed(const gw_claim_field *field, const gw_board *board)
{
    return gw_claim_must(field, board->role) ||
           (field->kind == GW_CLAIM_ID && gw_claim_of_role(field, board->role) &&
            gw_claim_get(&board->file->claims, field) != 0);
}

static const char *duty_of(const gw_claim_field *field, const gw_board *board)
{
    if (!gw_claim_must(field, board->role))
        return "";
    return field->kind == GW_CLAIM_FLAG ? "; must be said, be it true or false" : "; must be said";
}

static void put_claims(FILE *file, const gw_board *board)
{
    bool any = false;
    for (size_t i = 0; i < gw_num_claim_fields; i++)
        any = any || claimed(&gw_claim_fields[i], board);
    put_what(file, "claims");
    fputs("# What is left out is not known; the board's answers decide, where they show it.\n",
          file);
    fprintf(file, "%sclaims:\n", any ? "" : "#");
    for (size_t i = 0; i < gw_num_claim_fields; i++) {
        const gw_claim_field *field = &gw_claim_fields[i];
        if (!gw_claim_of_role(field, board->role))
            continue;
        fprintf(file, "%s  %s: ", claimed(field, board) ? "" : "#", field->name);
        put_value(file, field, gw_claim_get(&board->file->claims, field));
        fprintf(file, " # %s%s\n", field->what, duty_of(field, board));
    }
}

/* ---- what may be touched ---- */

static void put_registers(FILE *file, const gw_board *board)
{
    const gw_register_map *map = board->format->registers;
    bool reached = false;
    for (unsigned i = 0; board->links[i] != NULL; i++)
        reached = reached || strcmp(board->links[i], GW_REGS_LINK) == 0;
    if (!reached)
        return;
    put_what(file, "registers");
    fputs("#registers:\n", file);
    put_part(file, GW_PART_REGISTERS, "");
    if (map != NULL)
        fprintf(file,
                "#  %s: 0x%" PRIx32 " # one register by its name; `goldwire regs %s' has all\n",
                map->registers[0].name, map->registers[0].offset, board->role);
}

static void put_areas(FILE *file, const gw_board *board)
{
    const gw_board_file *own = board->file;
    put_what(file, "areas");
    fputs(
        "# Nothing is written outside of them. Declare only what may be overwritten: addresses of\n"
        "# your board, not these, which are the software board's.\n",
        file);
    if (own->num_areas == 0) {
        fputs("#areas: [] # the cases of this role use none\n", file);
        return;
    }
    fputs("#areas:\n", file);
    for (size_t i = 0; i < own->num_areas; i++) {
        const gw_area *area = &own->areas[i];
        fprintf(file, "#  - {name: %s, type: %s, address: 0x%" PRIx64 ", size: 0x%" PRIx64 "}\n",
                area->name, gw_area_type_name((gw_area_type)area->type), area->address, area->size);
    }
}

/* ---- the lab ---- */

static void put_hooks(FILE *file)
{
    put_what(file, "hooks");
    fputs("#hooks:\n", file);
    for (size_t i = 0; i < gw_num_board_keys; i++) {
        const gw_board_key *key = &gw_board_keys[i];
        if (key->part != GW_PART_HOOKS)
            continue;
        fprintf(file, "#  %s: # %s\n", key->name, key->what);
        put_part(file, GW_PART_HOOK, "");
    }
}

/* A waiver names a case; any of the role's will do. */
static void put_waivers(FILE *file, const gw_board *board)
{
    const gw_suite *suite = gw_suite_by_role(board->role);
    const gw_case *first = suite != NULL ? gw_suite_next(suite, NULL) : NULL;
    const char *sign = "- ";
    put_what(file, "waivers");
    fputs("#waivers:\n", file);
    for (size_t i = 0; i < gw_num_board_keys; i++) {
        const gw_board_key *key = &gw_board_keys[i];
        bool names_case = key->part == GW_PART_WAIVER && strcmp(key->name, "case") == 0;
        if (key->part != GW_PART_WAIVER)
            continue;
        fprintf(file, "#  %s%s: %s # %s\n", sign, key->name,
                names_case && first != NULL ? first->id : key->example, key->what);
        sign = "  ";
    }
}

/* ---- the file ---- */

/* What has to be switched on for the software board. Claims that the document settles, and the
 * software board otherwise, would be right for nobody else. */
static void put_conditions(FILE *file, const gw_board *board)
{
    const char *sign = ", with ";
    if (board->file->num_areas > 0) {
        fprintf(file, "%s`areas'", sign);
        sign = " and ";
    }
    for (size_t i = 0; i < gw_num_claim_fields; i++) {
        const gw_claim_field *field = &gw_claim_fields[i];
        if (!field->settled || claimed(field, board) ||
            gw_claim_get(&board->file->claims, field) == 0)
            continue;
        fprintf(file, "%s`%s'", sign, field->name);
        sign = " and ";
    }
    fprintf(file, "%s:\n#\n", strcmp(sign, " and ") == 0 ? " switched on" : "");
}

static void put_head(FILE *file, const gw_board *board)
{
    fprintf(file,
            "# Board file of the role %s, as `goldwire board --init %s' writes it.\n"
            "# It fits goldwire's own board, so try it there first",
            board->role, board->role);
    put_conditions(file, board);
    put_peer(file, board);
    fputs(
        "#     goldwire doctor FILE\n#\n"
        "# Then say who and where yours is, what it supports, and which addresses may be written.\n"
        "# A '#' at the beginning of a line switches a key off: take it away, and nothing else.\n"
        "# What each key means, and where others are missed: docs/board-file.md.\n"
        "goldwire: board\n",
        file);
}

static void put_dialects(FILE *file, const gw_board *board)
{
    put_what(file, "dialect");
    fputs("# Known are", file);
    for (size_t i = 0; i < board->format->num_dialects; i++)
        fprintf(file, "%s %s", i == 0 ? "" : ",", board->format->dialects[i].name);
    fputs(": docs/dialects.md.\ndialect: strict\n", file);
}

void gw_board_init(FILE *file, const gw_board *board)
{
    put_head(file, board);
    put_what(file, "role");
    fprintf(file, "role: %s\n", board->role);
    put_dialects(file, board);
    put_what(file, "identity");
    fputs("#identity:\n", file);
    put_part(file, GW_PART_IDENTITY, "");
    put_where(file, board);
    put_claims(file, board);
    put_registers(file, board);
    put_areas(file, board);
    put_hooks(file);
    put_waivers(file, board);
    put_what(file, "patience");
    fprintf(file, "#patience: %s\n", key_of(GW_PART_FILE, "patience")->example);
    put_what(file, "simulation");
    fputs("# Its links are ports of the testbench, sim://NAME?port=N: docs/simulation.md.\n"
          "#simulation:\n",
          file);
    put_part(file, GW_PART_SIMULATION, "");
}

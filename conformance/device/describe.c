/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks a board file's names against the catalogue: a waiver for a case that does not exist would
 * wait for ever, and a register that nobody knows would be left where it is. */
#include "device/describe.h"

#include <stdio.h>

#include "goldwire/registers.h"
#include "harness/nearest.h"

#define MAX_NAMES 512

/* Says that |name| is unknown, and which of |names| it may have been meant to be. */
static bool unknown(const char *what, const char *name, const char **names, const char *path,
                    unsigned line, unsigned column, char *why, size_t why_cap)
{
    char meant[96];
    (void)snprintf(why, why_cap, "%s:%u:%u: there is no %s '%s'%s", path, line, column, what, name,
                   gw_nearest_said(meant, sizeof(meant), name, names));
    return false;
}

static bool check_register(const gw_board_register *r, const char *path, const gw_suite *suite,
                           char *why, size_t why_cap)
{
    const char *names[MAX_NAMES] = {NULL};
    const gw_register_map *map = suite->format->registers;
    if (map == NULL) {
        (void)snprintf(why, why_cap, "%s:%u:%u: a board of role %s has no registers with names",
                       path, r->line, r->column, suite->role);
        return false;
    }
    if (gw_register_by_name(map, r->name) != NULL)
        return true;
    for (size_t i = 0; i < map->num && i < MAX_NAMES - 1; i++)
        names[i] = map->registers[i].name;
    return unknown("register", r->name, names, path, r->line, r->column, why, why_cap);
}

static bool check_waiver(const gw_waiver *w, const char *path, const gw_suite *suite, char *why,
                         size_t why_cap)
{
    const char *names[MAX_NAMES] = {NULL};
    size_t num = 0;
    if (gw_suite_case(suite, w->which) != NULL)
        return true;
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL && num < MAX_NAMES - 1;
         c = gw_suite_next(suite, c))
        names[num++] = c->id;
    return unknown("case", w->which, names, path, w->line, w->column, why, why_cap);
}

bool gw_describe_check(const gw_board_file *board, const char *path, const gw_suite *suite,
                       char *why, size_t why_cap)
{
    for (size_t i = 0; i < board->num_registers; i++)
        if (!check_register(&board->registers[i], path, suite, why, why_cap))
            return false;
    for (size_t i = 0; i < board->num_waivers; i++)
        if (!check_waiver(&board->waivers[i], path, suite, why, why_cap))
            return false;
    return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* All software boards, and the ones that names lead to. */
#include <stdio.h>
#include <string.h>

#include "boards/peer.h"
#include "harness/nearest.h"

#define GW_ROLE(board, suite) extern const gw_board board;
#include "roles.def"

const gw_board *const gw_boards[] = {
#define GW_ROLE(board, suite) &(board),
#include "roles.def"
};
const size_t gw_num_boards = GW_ARRAY_LEN(gw_boards);

const gw_board *gw_board_by_role(const char *role)
{
    for (size_t i = 0; i < gw_num_boards; i++) {
        if (strcmp(gw_boards[i]->role, role) == 0)
            return gw_boards[i];
    }
    return NULL;
}

#define MAX_NAMES 128

/* Says that |word| is no |what| and which of |names| (NULL at the end) may have been meant. */
static bool unknown(const char *what, const char *word, const char *const *names, const char *hint,
                    char *why, size_t why_cap)
{
    const char *near = gw_nearest(word, names);
    if (near != NULL)
        snprintf(why, why_cap, "no %s '%.60s'; did you mean '%s'? %s", what, word, near, hint);
    else
        snprintf(why, why_cap, "no %s '%.60s'; %s", what, word, hint);
    return false;
}

static bool unknown_role(const char *role, char *why, size_t why_cap)
{
    const char *names[MAX_NAMES] = {NULL};
    for (size_t i = 0; i < gw_num_boards && i + 1 < MAX_NAMES; i++)
        names[i] = gw_boards[i]->role;
    return unknown("software board", role, names, "`goldwire peer --list' lists them", why,
                   why_cap);
}

static bool unknown_mutant(const gw_board *board, const char *id, char *why, size_t why_cap)
{
    const char *names[MAX_NAMES] = {NULL};
    for (size_t i = 0; i < board->num_mutants && i + 1 < MAX_NAMES; i++)
        names[i] = board->mutants[i].id;
    return unknown("mutant", id, names, "`goldwire peer --list' lists them", why, why_cap);
}

static bool unknown_dialect(const gw_board *board, const char *name, char *why, size_t why_cap)
{
    const char *names[MAX_NAMES] = {NULL};
    char known[256] = "known:";
    size_t len = strlen(known);
    for (size_t i = 0; i < board->format->num_dialects && i + 1 < MAX_NAMES; i++) {
        names[i] = board->format->dialects[i].name;
        if (len < sizeof(known))
            len += (size_t)snprintf(known + len, sizeof(known) - len, " %s", names[i]);
    }
    return unknown("dialect", name, names, known, why, why_cap);
}

bool gw_peer_find(const char *role, const char *mutant, const char *dialect, const gw_board **board,
                  gw_peer_config *config, char *why, size_t why_cap)
{
    *board = gw_board_by_role(role);
    if (*board == NULL)
        return unknown_role(role, why, why_cap);
    config->mutant = NULL;
    if (mutant != NULL && mutant[0] != '\0') {
        config->mutant = gw_mutant_by_id(*board, mutant);
        if (config->mutant == NULL)
            return unknown_mutant(*board, mutant, why, why_cap);
    }
    config->dialect = NULL;
    if (dialect != NULL && dialect[0] != '\0') {
        config->dialect = gw_dialect_by_name((*board)->format, dialect);
        if (config->dialect == NULL)
            return unknown_dialect(*board, dialect, why, why_cap);
    }
    return true;
}

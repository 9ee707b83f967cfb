/* SPDX-License-Identifier: BSD-2-Clause */
/* What a lab's runs came to, over boards and their firmware. */
#ifndef GOLDWIRE_HISTORY_HISTORY_H
#define GOLDWIRE_HISTORY_HISTORY_H

#include <stdio.h>

#include <jansson.h>

#include "evidence/past.h"

#define GW_HISTORY_SCHEMA "goldwire/history/1"
#define GW_HISTORY_RUNS 256 /* at most */

/* gw_history_run is a run that certify has left. */
typedef struct gw_history_run {
    const char *dir; /* as it was named */
    const json_t *run;
} gw_history_run;

/* gw_history puts |num| runs in order: by role in the order in which these come first, by make and
 * serial of the board, and by when they were made. |runs| is sorted so. Returns the object that
 * docs/history.schema.json describes, which the caller frees; NULL when memory fails. */
json_t *gw_history(gw_history_run *runs, size_t num);

/* gw_history_same_board says whether two runs of such an object are of the same board: one make and
 * serial. */
bool gw_history_same_board(const json_t *a, const json_t *b);

/* gw_history_change returns what run |i| changed of the clause with |cells| against the run before
 * it of |runs|; GW_SAME when that is of another board, or either says nothing of it. */
gw_change gw_history_change(const json_t *runs, const json_t *cells, size_t i);

/* gw_history_text prints it: the runs of each role, and what each firmware of a board changed. */
void gw_history_text(FILE *file, const json_t *history);

/* gw_history_page writes it as one page that loads nothing: for each role a matrix of clauses and
 * runs, each cell a link to that run's report. |below| is the folder that the page lies in; links
 * go from there. */
void gw_history_page(FILE *file, const json_t *history, const char *below);

#endif

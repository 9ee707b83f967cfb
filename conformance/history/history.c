/* SPDX-License-Identifier: BSD-2-Clause */
/* From runs to a matrix. Of a run nothing is taken for granted but that it is JSON. */
#include "history/history.h"

#include <stdlib.h>
#include <string.h>

#include "evidence/past.h"

static const char *role_of(const gw_history_run *r)
{
    return gw_past_text(r->run, "role");
}

static const char *of_board(const gw_history_run *r, const char *what)
{
    return gw_past_text(json_object_get(r->run, "board"), what);
}

/* ---- order ---- */

static int by_board_and_time(const void *a, const void *b)
{
    const gw_history_run *left = a;
    const gw_history_run *right = b;
    int order = strcmp(of_board(left, "make"), of_board(right, "make"));
    if (order == 0)
        order = strcmp(of_board(left, "serial"), of_board(right, "serial"));
    if (order == 0)
        order = strcmp(gw_past_text(left->run, "started"), gw_past_text(right->run, "started"));
    return order != 0 ? order : strcmp(left->dir, right->dir);
}

/* Brings the runs of one role to the front of |runs|, and returns how many there are. */
static size_t gather(gw_history_run *runs, size_t num)
{
    size_t found = 1;
    for (size_t i = 1; i < num; i++) {
        if (strcmp(role_of(&runs[i]), role_of(&runs[0])) != 0)
            continue;
        gw_history_run one = runs[i];
        memmove(runs + found + 1, runs + found, (i - found) * sizeof(*runs));
        runs[found++] = one;
    }
    qsort(runs, found, sizeof(*runs), by_board_and_time);
    return found;
}

bool gw_history_same_board(const json_t *a, const json_t *b)
{
    return strcmp(gw_past_text(a, "make"), gw_past_text(b, "make")) == 0 &&
           strcmp(gw_past_text(a, "serial"), gw_past_text(b, "serial")) == 0;
}

gw_change gw_history_change(const json_t *runs, const json_t *cells, size_t i)
{
    gw_verdict was;
    gw_verdict is;
    if (i == 0 || !gw_history_same_board(json_array_get(runs, i - 1), json_array_get(runs, i)) ||
        !gw_past_verdict(json_array_get(cells, i - 1), &was) ||
        !gw_past_verdict(json_array_get(cells, i), &is))
        return GW_SAME;
    return gw_change_of(was, is);
}

/* ---- what they say ---- */

static json_t *text_or_null(const char *text)
{
    return text[0] != '\0' ? json_string(text) : json_null();
}

static json_t *run_object(const gw_history_run *r)
{
    json_t *counts = json_deep_copy(json_object_get(r->run, "counts"));
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "dir", json_string(r->dir), "make",
                     text_or_null(of_board(r, "make")), "serial",
                     text_or_null(of_board(r, "serial")), "firmware",
                     text_or_null(of_board(r, "firmware")), "started",
                     text_or_null(gw_past_text(r->run, "started")), "tool",
                     text_or_null(gw_past_text(json_object_get(r->run, "tool"), "version")),
                     "outcome", text_or_null(gw_past_text(r->run, "outcome")), "counts",
                     json_is_object(counts) ? counts : json_object());
}

/* Sections as people count them: 5.10 comes behind 5.9. */
static int by_section(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Every clause that one of |said| speaks of, sorted; |*num| of them. The texts belong to |all|. */
static const char **clauses_of(json_t *all, json_t *const *said, size_t num_said, size_t *num)
{
    const char *clause;
    const json_t *cell;
    for (size_t i = 0; i < num_said; i++)
        json_object_foreach(said[i], clause, cell) json_object_set_new(all, clause, json_null());
    const char **list = calloc(json_object_size(all) + 1, sizeof(*list));
    *num = 0;
    if (list == NULL)
        return NULL;
    json_object_foreach(all, clause, cell) list[(*num)++] = clause;
    qsort(list, *num, sizeof(*list), by_section);
    return list;
}

static json_t *clauses_array(json_t *const *said, size_t num_said)
{
    size_t num;
    json_t *all = json_object();
    json_t *rows = json_array();
    const char **clauses = clauses_of(all, said, num_said, &num);
    for (size_t i = 0; i < num && clauses != NULL; i++) {
        json_t *cells = json_array();
        for (size_t k = 0; k < num_said; k++) {
            json_t *cell = json_object_get(said[k], clauses[i]);
            json_array_append_new(cells, cell != NULL ? json_incref(cell) : json_null());
        }
        json_array_append_new(rows, json_pack("{s:s,s:o}", "clause", clauses[i], "cells", cells));
    }
    free(clauses);
    json_decref(all);
    return rows;
}

static json_t *role_object(const gw_history_run *runs, size_t num)
{
    json_t *said[GW_HISTORY_RUNS];
    json_t *list = json_array();
    for (size_t i = 0; i < num; i++) {
        said[i] = gw_past_clauses(runs[i].run);
        json_array_append_new(list, run_object(&runs[i]));
    }
    json_t *clauses = clauses_array(said, num);
    for (size_t i = 0; i < num; i++)
        json_decref(said[i]);
    return json_pack("{s:s,s:o,s:o}", "role", role_of(&runs[0]), "runs", list, "clauses", clauses);
}

json_t *gw_history(gw_history_run *runs, size_t num)
{
    json_t *roles = json_array();
    for (size_t i = 0; i < num;) {
        size_t of_role = gather(runs + i, num - i);
        json_array_append_new(roles, role_object(runs + i, of_role));
        i += of_role;
    }
    return json_pack("{s:s,s:o}", "schema", GW_HISTORY_SCHEMA, "roles", roles);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* A history for a terminal: its runs, and what changed from one to the next of the same board. */
#include "evidence/clean.h"
#include "history/history.h"

static void put_field(FILE *file, const char *before, const json_t *object, const char *name)
{
    if (gw_past_text(object, name)[0] == '\0')
        return;
    fputs(before, file);
    gw_put_plain(file, gw_past_text(object, name));
}

static void put_run(FILE *file, size_t number, const json_t *run)
{
    const char *name;
    const json_t *count;
    fprintf(file, "%4zu  ", number);
    put_field(file, "", run, "outcome");
    put_field(file, "  ", run, "started");
    put_field(file, "  ", run, "make");
    put_field(file, ", serial ", run, "serial");
    put_field(file, ", firmware ", run, "firmware");
    put_field(file, "  ", run, "dir");
    fputs("\n      ", file);
    json_object_foreach((json_t *)json_object_get(run, "counts"), name, count)
    {
        if (json_integer_value(count) <= 0)
            continue;
        fputs(" ", file);
        gw_put_plain(file, name);
        fprintf(file, " %lld", (long long)json_integer_value(count));
    }
    fputs("\n", file);
}

/* Clauses whose verdict is another one in run |i| than in the one before it. */
static void put_changes(FILE *file, const json_t *role, size_t i)
{
    size_t k;
    const json_t *row;
    json_array_foreach(json_object_get(role, "clauses"), k, row)
    {
        const json_t *cells = json_object_get(row, "cells");
        gw_change change = gw_history_change(json_object_get(role, "runs"), cells, i);
        if (change == GW_SAME)
            continue;
        fprintf(file, "  %zu -> %zu  %-6s  ", i, i + 1, gw_change_name(change));
        put_field(file, "", json_array_get(cells, i - 1), "verdict");
        put_field(file, " -> ", json_array_get(cells, i), "verdict");
        put_field(file, "  ", row, "clause");
        fputs("\n", file);
    }
}

void gw_history_text(FILE *file, const json_t *history)
{
    size_t i;
    const json_t *role;
    json_array_foreach(json_object_get(history, "roles"), i, role)
    {
        const json_t *runs = json_object_get(role, "runs");
        put_field(file, "", role, "role");
        fputs("\n", file);
        for (size_t k = 0; k < json_array_size(runs); k++)
            put_run(file, k + 1, json_array_get(runs, k));
        for (size_t k = 1; k < json_array_size(runs); k++)
            put_changes(file, role, k);
    }
}

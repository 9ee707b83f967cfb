/* SPDX-License-Identifier: BSD-2-Clause */
/* Naming addresses once a capture was read. */
#include "inspect/stats/registers.h"

#include <stdlib.h>

#include "names/boards.h"

typedef char place[GW_NAME_SHOWN];

struct gw_stats_registers {
    gw_name_map *file;
    gw_board_names *boards;
    place *places;        /* what rows are called */
    gw_stats_rows by_end; /* by board and address */
};

gw_stats_registers *gw_stats_registers_new(gw_name_map *file)
{
    gw_stats_registers *r = calloc(1, sizeof *r);

    if (r == NULL)
        return NULL;
    r->file = file;
    r->boards = gw_board_names_new();
    if (r->boards == NULL) {
        free(r);
        return NULL;
    }
    return r;
}

void gw_stats_registers_learn(gw_stats_registers *r, const gw_found *found)
{
    gw_board_names_learn(r->boards, found->message, found->dialect);
}

void gw_stats_registers_measure(gw_stats_registers *r, const gw_endpoint *board, uint64_t address,
                                int64_t delta_ns)
{
    const gw_stats_key key = {.table = GW_STATS_BY_REGISTER, .number = address, .a = *board};

    gw_stats_measure(gw_stats_row_of(&r->by_end, &key), delta_ns);
}

static const gw_name_map_entry *find(const gw_stats_registers *r, const gw_stats_key *key)
{
    const gw_name_map_entry *e = r->file != NULL ? gw_name_map_find(r->file, key->number) : NULL;
    gw_name_map *board = e == NULL ? gw_board_names_of(r->boards, &key->a) : NULL;

    return board != NULL ? gw_name_map_find(board, key->number) : e;
}

/* Several boards may have a register of one name. */
static void add(gw_stats_row *to, const gw_stats_row *row)
{
    to->least = !to->measured || row->least < to->least ? row->least : to->least;
    to->most = !to->measured || row->most > to->most ? row->most : to->most;
    to->measured = true;
    to->sum += row->sum;
    to->count += row->count;
}

bool gw_stats_registers_end(gw_stats_registers *r, gw_stats_rows *rows)
{
    free(r->places);
    r->places = calloc(r->by_end.num + 1, sizeof *r->places);
    if (r->places == NULL)
        return false;
    for (size_t i = 0; i < r->by_end.num; i++) {
        const gw_stats_row *row = &r->by_end.rows[i];
        const gw_name_map_entry *e = find(r, &row->key);
        if (e == NULL)
            continue;
        gw_text name = gw_text_over(r->places[i], sizeof r->places[i]);
        gw_name_put(&name, e, row->key.number);
        const gw_stats_key key = {.table = GW_STATS_BY_REGISTER, .name = r->places[i]};
        add(gw_stats_row_of(rows, &key), row);
    }
    return true;
}

void gw_stats_registers_free(gw_stats_registers *r)
{
    if (r == NULL)
        return;
    gw_board_names_free(r->boards);
    free(r->places);
    free(r);
}

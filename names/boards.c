/* SPDX-License-Identifier: BSD-2-Clause */
/* Which reads an answer gives the words of. */
#include "names/boards.h"

#include <stdlib.h>

#include "goldwire/etherbone.h"
#include "names/sdb.h"

#define BOARDS 16 /* of a capture, whose SDB tables are read */
#define ASKED 64  /* reads that are remembered until they are answered, the latest ones */
#define READS 32  /* addresses of one of these; a record of SDB is 16 words */

/* A board that somebody reads from. */
typedef struct board {
    gw_endpoint end;
    gw_sdb sdb;
    gw_name_map map;
} board;

/* A record of reads that waits for its answer. */
typedef struct asked {
    gw_endpoint board, from; /* no family: the place is free */
    uint64_t return_base;
    uint64_t addresses[READS];
    uint8_t num;
} asked;

struct gw_board_names {
    board *boards[BOARDS];
    asked asked[ASKED];
    unsigned next; /* place in |asked| */
};

gw_board_names *gw_board_names_new(void)
{
    return calloc(1, sizeof(gw_board_names));
}

void gw_board_names_free(gw_board_names *names)
{
    for (unsigned i = 0; names != NULL && i < BOARDS && names->boards[i] != NULL; i++) {
        gw_name_map_clear(&names->boards[i]->map);
        gw_name_map_clear(&names->boards[i]->sdb.bridges);
        free(names->boards[i]);
    }
    free(names);
}

/* The board at |end|; NULL when there are too many, or, unless it is |wanted|, it is not known. */
static board *board_at(gw_board_names *names, const gw_endpoint *end, bool wanted)
{
    unsigned i = 0;

    if (end->family == GW_FAMILY_NONE)
        return NULL;
    for (; i < BOARDS && names->boards[i] != NULL; i++) {
        if (gw_endpoint_equal(&names->boards[i]->end, end))
            return names->boards[i];
    }
    if (!wanted || i == BOARDS)
        return NULL;
    names->boards[i] = calloc(1, sizeof(board));
    if (names->boards[i] != NULL)
        names->boards[i]->end = *end;
    return names->boards[i];
}

static void remember(gw_board_names *names, const gw_message *m, const gw_eb_layout *layout,
                     const gw_eb_record *r)
{
    asked *a = &names->asked[names->next++ % ASKED];

    a->board = m->dst;
    a->from = m->src;
    a->return_base = r->return_base;
    a->num = r->rcount;
    for (unsigned i = 0; i < r->rcount; i++)
        a->addresses[i] = gw_eb_read_addr(layout, r, i);
}

/* The one read that |r| of |m| answers; NULL when there is none, or more that it could be. */
static asked *answered_by(gw_board_names *names, const gw_message *m, const gw_eb_record *r)
{
    asked *found = NULL;

    for (unsigned i = 0; i < ASKED; i++) {
        asked *a = &names->asked[i];
        if (a->num != r->wcount || a->return_base != r->write_base ||
            !gw_endpoint_equal(&a->board, &m->src) || !gw_endpoint_equal(&a->from, &m->dst))
            continue;
        if (found != NULL)
            return NULL;
        found = a;
    }
    return found;
}

static void take_answer(gw_board_names *names, const gw_message *m, const gw_eb_layout *layout,
                        const gw_eb_record *r)
{
    asked *a = answered_by(names, m, r);
    board *b = a != NULL ? board_at(names, &m->src, true) : NULL;

    if (a == NULL)
        return;
    for (unsigned i = 0; b != NULL && i < a->num; i++)
        gw_sdb_take(&b->sdb, &b->map, a->addresses[i], gw_eb_write_value(layout, r, i),
                    layout->data_bytes);
    *a = (asked){0};
}

void gw_board_names_learn(gw_board_names *names, const gw_message *message,
                          const gw_dialect *dialect)
{
    gw_eb_role role = gw_eb_role_of(message, dialect);
    gw_eb_reader reader;
    gw_eb_record r;

    if ((role != GW_EB_REQUEST && role != GW_EB_RESPONSE) || !gw_eb_open(&reader, message, dialect))
        return;
    while (gw_eb_next(&reader, &r)) {
        bool of_bus = (r.flags & GW_EB_RCA) == 0;
        if (role == GW_EB_REQUEST && r.rcount > 0 && r.rcount <= READS && of_bus)
            remember(names, message, &reader.layout, &r);
        else if (role == GW_EB_RESPONSE && r.wcount > 0)
            take_answer(names, message, &reader.layout, &r);
    }
}

gw_name_map *gw_board_names_of(gw_board_names *names, const gw_endpoint *end)
{
    board *b = board_at(names, end, false);

    return b != NULL && b->map.num > 0 ? &b->map : NULL;
}

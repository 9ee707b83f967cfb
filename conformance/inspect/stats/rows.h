/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts by name, in a table that does not grow: what comes when it is full shares a row. */
#ifndef INSPECT_STATS_ROWS_H
#define INSPECT_STATS_ROWS_H

#include "goldwire/base.h"
#include "goldwire/field.h"
#include "goldwire/message.h"

#define GW_STATS_ROWS 8192 /* of one format */

/* gw_stats_table is what a row counts. */
typedef enum gw_stats_table {
    GW_STATS_MESSAGES = 0, /* messages by kind */
    GW_STATS_FIELDS,       /* values, and means, of what the format's table tallies */
    GW_STATS_BY_KIND,      /* response times by kind of request, ... */
    GW_STATS_BY_ADDRESS,   /* ... by the first address that it touches, ... */
    GW_STATS_BY_REGISTER,  /* ... by the register there, where that has a name, ... */
    GW_STATS_BY_BOARD,     /* ... and by who answered */
    GW_STATS_HISTOGRAM,    /* responses by kind of request and power of two of nanoseconds */
    GW_STATS_REQUESTS,     /* messages that ask, by what became of them */
    GW_STATS_ANSWERS,      /* messages that answer, by what they answer */
    GW_STATS_FINDINGS,     /* broken rules by level */
    GW_STATS_STOPPED,      /* where decoding stopped */
    GW_STATS_CONVERSATIONS,
    GW_STATS_ENDS,
    GW_STATS_TABLES,
} gw_stats_table;

/* gw_stats_key names a row. Texts live as long as the row. */
typedef struct gw_stats_key {
    uint8_t table;         /* gw_stats_table */
    const char *heading;   /* that it stands below; NULL: none */
    const char *name;      /* NULL: |number| or the ends are it */
    const gw_field *field; /* whose number it is, in whose way it is written; NULL: an address */
    uint64_t number;       /* of a conversation: its own, as gw_conversations_number has it */
    bool config;           /* of an address: of the board's own settings, not of its bus */
    gw_endpoint a, b;      /* who talks; |b| of conversations alone */
    uint32_t interface;    /* of a conversation on a link */
} gw_stats_key;

/* gw_stats_row is one count. */
typedef struct gw_stats_row {
    gw_stats_key key;
    uint64_t count;           /* how often; of ends and conversations: messages from |a| ... */
    uint64_t bytes;           /* ... and how long they were */
    uint64_t back;            /* messages to |a| ... */
    uint64_t back_bytes;      /* ... and how long they were */
    bool measured;            /* below is something */
    int64_t sum, least, most; /* of the values; of times in nanoseconds */
} gw_stats_row;

/* gw_stats_rows are all rows of one format. */
typedef struct gw_stats_rows {
    size_t num;
    gw_stats_row rows[GW_STATS_ROWS];     /* in the order of their first count */
    gw_stats_row others[GW_STATS_TABLES]; /* what did not fit */
    uint16_t places[2 * GW_STATS_ROWS];   /* by hash: index of the row plus one */
} gw_stats_rows;

/* gw_stats_row_of returns the row of |key|, made when there is none; the one for what does not fit
 * when the table is full. */
gw_stats_row *gw_stats_row_of(gw_stats_rows *rows, const gw_stats_key *key);

/* gw_stats_measure adds |value| to |row|, and counts it. */
void gw_stats_measure(gw_stats_row *row, int64_t value);

#endif

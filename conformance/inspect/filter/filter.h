/* SPDX-License-Identifier: BSD-2-Clause */
/* Which messages to show: a part of Wireshark's display filters.
 *
 *   filter  = all *(("or" | "||") all)
 *   all     = one *(("and" | "&&") one)
 *   one     = ("not" | "!") one | "(" filter ")" | NAME [OPERATOR VALUE]
 *
 * NAME is a field of a format's table, a container of fields ("etherbone.record"), a format, or
 * frame.number; alone it asks whether there is one. OPERATOR is == != > >= < <= contains, or a
 * word (eq ne gt ge lt le). VALUE is a number (decimal, 0x, 0b, octal with a leading 0), true or
 * false, an IPv4 address, the document's name of a value in quotes; of byte strings, bytes in hex
 * with or without colons, or text in quotes. A field that occurs several times in a message matches
 * when one of them does, != when all do; where there is none, neither matches. */
#ifndef INSPECT_FILTER_FILTER_H
#define INSPECT_FILTER_FILTER_H

#include "goldwire/base.h"
#include "goldwire/format.h"
#include "inspect/pipeline.h"

#define GW_FILTER_NODES 64
#define GW_FILTER_SAME 4    /* places of one name: a dialect's layout, a group like another */
#define GW_FILTER_TEXT 1000 /* bytes of a text */
#define GW_FILTER_BYTES 64  /* of a value */
#define GW_FILTER_WHY 2304  /* bytes that hold whatever gw_filter_parse has to say */

typedef enum gw_filter_kind {
    GW_FILTER_FORMAT = 0,
    GW_FILTER_FIELD,
    GW_FILTER_GROUP,
    GW_FILTER_FRAME, /* frame.number */
    GW_FILTER_NOT,
    GW_FILTER_AND,
    GW_FILTER_OR,
} gw_filter_kind;

typedef enum gw_filter_op {
    GW_FILTER_EXISTS = 0,
    GW_FILTER_EQ,
    GW_FILTER_NE,
    GW_FILTER_GT,
    GW_FILTER_GE,
    GW_FILTER_LT,
    GW_FILTER_LE,
    GW_FILTER_CONTAINS,
} gw_filter_op;

/* gw_filter_node is a test, or what joins earlier nodes. */
typedef struct gw_filter_node {
    uint8_t kind;        /* gw_filter_kind */
    uint8_t op;          /* gw_filter_op, of a test */
    uint8_t left, right; /* operands of what joins; of NOT the left one */
    bool found;          /* in the message at hand: the field is there, ... */
    bool value;          /* ... and the test holds */
    const gw_format *format;
    const gw_field *field; /* the first of its name; NULL: it asks for none */
    uint64_t number;
    size_t len;
    uint8_t bytes[GW_FILTER_BYTES];
} gw_filter_node;

/* gw_filter_place is where in the tables something has the name that a test asks for: names are
 * compared when a filter is read, and never again. */
typedef struct gw_filter_place {
    const gw_group *group;
    const gw_field *field; /* of it; NULL: the container itself */
    uint8_t node;          /* that asks */
} gw_filter_place;

/* gw_filter is a filter that was understood: its last node is the whole of it. */
typedef struct gw_filter {
    size_t num;
    gw_filter_node nodes[GW_FILTER_NODES];
    size_t num_places;
    gw_filter_place places[GW_FILTER_NODES * GW_FILTER_SAME];
} gw_filter;

/* gw_filter_parse reads |text|. False with |why|: what is wrong, then |text| on a line of its own,
 * then a caret under the place. */
GW_MUST_USE bool gw_filter_parse(gw_filter *filter, const char *text, char *why, size_t cap);

/* gw_filter_matches says whether |found| is to be shown. The nodes take note of what it holds. */
bool gw_filter_matches(gw_filter *filter, const gw_found *found);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing an answer with the recorded one, field by field, each the way its table says: exactly,
 * as an echo of what was asked, by its presence alone, or not at all. */
#ifndef REPLAY_COMPARE_H
#define REPLAY_COMPARE_H

#include "goldwire/format.h"
#include "inspect/path.h"

/* Leaves of one message that are compared; a message of IP has fewer. */
#define GW_COMPARE_MAX_LEAVES 262144u

typedef struct gw_leaf gw_leaf;
typedef struct gw_leaves gw_leaves;

/* How a value that was read relates to the recorded one. */
typedef enum gw_counts_how {
    GW_COUNTS_NOT = 0, /* it does not count: compare it */
    GW_COUNTS_ON,      /* it counts, and has gone on as it did */
    GW_COUNTS_WRONG,   /* it counts, and has gone on otherwise */
} gw_counts_how;

/* Whether a value is a name. */
typedef enum gw_named_how {
    GW_NAMED_NOT = 0,
    GW_NAMED,      /* it has to be what was named */
    GW_NAMED_FREE, /* it is given here: any will do */
} gw_named_how;

/* gw_related is what the echoes of a message relate to: the request that it answers and the two
 * ends of its line, as they were in the trace and as they are now. */
typedef struct gw_related gw_related;
struct gw_related {
    const gw_message *asked; /* NULL: it answers nothing */
    const gw_message *asked_now;
    bool is_free;        /* of what answers nothing the echoes are the sender's to choose */
    bool is_ours;        /* the message is one of those that we send */
    gw_endpoint then[2]; /* ours, the board's */
    gw_endpoint now[2];
    /* counts compares |have| with |want| where that counts from run to run; NULL: nothing does.
     * |expected| gets what would have been right. */
    gw_counts_how (*counts)(void *ctx, const gw_related *related, const gw_leaf *want,
                            const gw_leaf *have, uint64_t *expected);
    /* named puts into |value| what the recorded |leaf| has to be now when it is a name that one
     * side gave and the other uses. |all| are the leaves of the message that it is of, in the
     * trace. NULL: there are no names. */
    gw_named_how (*named)(void *ctx, const gw_related *related, const gw_leaves *all,
                          const gw_leaf *leaf, uint64_t *value);
    /* moved puts into |value| what the recorded |leaf|, an address, is now, when what it names lies
     * elsewhere; otherwise false. NULL: everything is where it was. */
    bool (*moved)(void *ctx, const gw_related *related, const gw_leaf *leaf, uint64_t *value);
    void *ctx;
};

typedef enum gw_difference_kind {
    GW_SAME = 0,
    GW_DIFFERS, /* a field has another value */
    GW_LACKS,   /* a field is missing */
    GW_EXCEEDS, /* a field is there that the trace does not have */
    GW_TOO_BIG, /* more fields than are compared */
} gw_difference_kind;

/* gw_difference is the first field in which two messages differ. */
typedef struct gw_difference {
    const gw_field *field;
    uint64_t expected; /* of a number */
    uint64_t got;
    uint32_t offset;        /* of the first byte that differs, in the message that came */
    uint8_t kind;           /* gw_difference_kind */
    char path[GW_PATH_MAX]; /* "etherbone.record[0].write[1].value" */
    char expected_text[80]; /* for people: "0x12", "bytes 00 11", "nothing" */
    char got_text[80];
} gw_difference;

/* gw_leaf is a leaf that counts, of the message it was collected from. */
struct gw_leaf {
    const gw_field *field;
    const uint8_t *bytes; /* of a byte string */
    uint64_t value;
    uint32_t offset;
    uint32_t bits;
    uint32_t index;     /* of its group */
    uint32_t container; /* that holds it, counted from 0 */
};

/* gw_leaves are the leaves of one message, in memory that is kept for the next. */
struct gw_leaves {
    gw_leaf *list;
    size_t num;
    size_t cap;
    bool overflow;
    bool capture_cut;
};

/* gw_comparer holds memory from one comparison to the next. Start with all zeros. */
typedef struct gw_comparer {
    gw_leaves expected, got, asked, asked_now;
} gw_comparer;

/* gw_comparer_free gives the memory back. */
void gw_comparer_free(gw_comparer *c);

/* gw_compare_messages compares |got| with |expected|, both messages of |format| in |dialect|, and
 * puts the first difference in |out|. True when there is none. Bytes that the trace's capture cut
 * off are not compared. */
GW_MUST_USE bool gw_compare_messages(gw_comparer *c, const gw_format *format,
                                     const gw_dialect *dialect, const gw_message *expected,
                                     const gw_message *got, const gw_related *related,
                                     gw_difference *out);

/* gw_rebind rewrites the echoes in the bytes of |message| to what they relate to now, and addresses
 * to where that is now. |bytes| holds
 * a copy of them, cap_len bytes. True when something changed. */
bool gw_rebind(gw_comparer *c, const gw_format *format, const gw_dialect *dialect,
               const gw_message *message, const gw_related *related, uint8_t *bytes);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests that wait for their answer and requests that are done with, in memory that never grows.
 *
 * An entry is in one of three lists, each in the order of time: waiting, done, or done with an
 * answer that is in doubt. All entries are found by a hash of what an answer repeats; within a
 * chain the oldest comes first. */
#ifndef ETHERBONE_SESSION_TABLE_H
#define ETHERBONE_SESSION_TABLE_H

#include "goldwire/format.h"
#include "goldwire/message.h"

/* What an answer is found by. Return addresses of bus and config space are different things. */
enum gw_eb_wait_kind {
    GW_EB_WAIT_BUS = 0, /* a record that reads, results wanted on the requester's bus */
    GW_EB_WAIT_CONFIG,  /* the same, in the requester's config space */
    GW_EB_WAIT_PROBE,
};

enum gw_eb_wait_state {
    GW_EB_WAIT_OPEN = 0,
    GW_EB_WAIT_ANSWERED,
    GW_EB_WAIT_GIVEN_UP,
    GW_EB_WAIT_FREE, /* no entry at all */
};

enum gw_eb_wait_list {
    GW_EB_WAITING = 0,
    GW_EB_DONE,
    GW_EB_DOUBTED,
    GW_EB_NUM_LISTS,
};

/* gw_eb_suspect is an answer that would fit if one rule were broken. It counts only when no better
 * one comes. */
typedef struct gw_eb_suspect {
    uint64_t frame;
    uint64_t value; /* what was seen */
    int64_t time_ns;
    uint32_t unit;
    uint32_t start;  /* byte that the group with the field that shows it begins at */
    uint8_t rule;    /* gw_eb_rule_place */
    bool noted;      /* there is one */
    bool surely;     /* it is a reply, whether or not to this request */
    bool is_request; /* it was also taken for a request */
} gw_eb_suspect;

/* What may be wrong with an answer. */
enum gw_eb_breach_kind {
    GW_EB_BREACH_FLAGS = 0,
    GW_EB_BREACH_ENABLES,
    GW_EB_BREACH_WIDTHS,
    GW_EB_BREACH_COUNTS, /* its record has reads, all there ... */
    GW_EB_BREACH_READS,  /* ... or announced */
    GW_EB_BREACH_LEN,
    GW_EB_BREACH_PLACE,
    GW_EB_BREACH_ZEROS,
};

enum { GW_EB_MAX_BREACHES = 4 };

/* gw_eb_breach is one thing that is wrong with an answer. It is told when time has shown that the
 * answer surely was one to this request. */
typedef struct gw_eb_breach {
    uint32_t seen;
    uint32_t start; /* in the answer, of the group with the field that shows it */
    uint8_t kind;   /* gw_eb_breach_kind */
} gw_eb_breach;

/* gw_eb_key is what an answer repeats of its request. */
typedef struct gw_eb_key {
    uint64_t base; /* the return address, whole unit; the id of a probe */
    uint8_t kind;  /* gw_eb_wait_kind */
    uint8_t count; /* of reads */
} gw_eb_key;

/* gw_eb_request is one request record or probe. */
typedef struct gw_eb_request {
    gw_eb_key key;
    gw_endpoint requester;
    gw_endpoint responder;
    const gw_dialect *dialect;
    int64_t time_ns;       /* its own time stamp */
    uint64_t frame;        /* that it came in */
    uint32_t unit;         /* which record of the frame's message */
    uint32_t len;          /* of that message */
    uint32_t offset;       /* of the record in it */
    uint32_t reply_offset; /* where a zero-filled reply has the record header */
    uint32_t stream;
    uint16_t empties; /* empty records before it in its message */
    uint8_t flags;    /* as sent */
    uint8_t byte_enable;
    uint8_t widths;
    uint8_t slot; /* of the conversation in the session's notes */
    bool quiet;   /* nobody has to answer: NR, widths never agreed, or a broadcast */
    bool broadcast;
} gw_eb_request;

/* gw_eb_wait is a request and what became of it. What a search looks at comes first. */
typedef struct gw_eb_wait {
    uint32_t hash; /* the table's, as are the links */
    uint32_t chain_next, chain_prev;
    uint32_t list_next, list_prev;
    uint8_t state; /* gw_eb_wait_state */
    gw_eb_request asked;
    int64_t since_ns; /* session time when it entered its list */
    uint64_t answer;  /* the frame that answered it, when answered */
    gw_eb_suspect suspect;
    uint32_t answers; /* in its conversation, when it was given up */
    uint8_t misses;   /* how often in a row it was asked and given up, others being answered */
    uint8_t list;     /* gw_eb_wait_list */
    bool unsure;      /* another request may have been meant */
    bool repeated;    /* its answer came again */
    uint8_t num_breaches;
    gw_eb_breach breaches[GW_EB_MAX_BREACHES];
} gw_eb_wait;

/* gw_eb_ends is a doubly linked list's two ends, as entry numbers; 0 is none. */
typedef struct gw_eb_ends {
    uint32_t first, last;
} gw_eb_ends;

typedef struct gw_eb_table {
    gw_eb_wait *entries; /* entry 1 is entries[0] */
    gw_eb_ends *buckets;
    gw_eb_ends lists[GW_EB_NUM_LISTS];
    uint32_t capacity;
    uint32_t bucket_mask;
    uint32_t used; /* entries from here on were never used */
    uint32_t free; /* first of the entries that are free again, linked by list_next */
} gw_eb_table;

/* gw_eb_table_init lays a table into |cap| bytes at |mem|, aligned for uint64_t and enough for one
 * entry and two buckets. */
void gw_eb_table_init(gw_eb_table *t, void *mem, size_t cap);

/* gw_eb_table_add enters |asked| as the youngest of those waiting and returns its place; NULL when
 * an entry has to go first. */
gw_eb_wait *gw_eb_table_add(gw_eb_table *t, const gw_eb_request *asked, uint32_t hash);

/* gw_eb_table_move moves an entry to the end of list |to|. */
void gw_eb_table_move(gw_eb_table *t, gw_eb_wait *wait, enum gw_eb_wait_list to);

/* gw_eb_table_remove frees an entry. */
void gw_eb_table_remove(gw_eb_table *t, gw_eb_wait *wait);

/* gw_eb_table_entry returns entry |number|, NULL for 0. */
static inline gw_eb_wait *gw_eb_table_entry(const gw_eb_table *t, uint32_t number)
{
    return number == 0 ? NULL : &t->entries[number - 1];
}

/* gw_eb_table_oldest returns the oldest entry of a list, NULL when it is empty. */
static inline gw_eb_wait *gw_eb_table_oldest(const gw_eb_table *t, enum gw_eb_wait_list list)
{
    return gw_eb_table_entry(t, t->lists[list].first);
}

/* gw_eb_table_younger returns the next entry of the list that |wait| is in, or NULL. */
static inline gw_eb_wait *gw_eb_table_younger(const gw_eb_table *t, const gw_eb_wait *wait)
{
    return gw_eb_table_entry(t, wait->list_next);
}

/* gw_eb_table_chain returns the oldest entry that shares the bucket of |hash|, or NULL. */
static inline gw_eb_wait *gw_eb_table_chain(const gw_eb_table *t, uint32_t hash)
{
    return gw_eb_table_entry(t, t->buckets[hash & t->bucket_mask].first);
}

/* gw_eb_table_chain_next returns the entry after |wait| in its chain, or NULL. */
static inline gw_eb_wait *gw_eb_table_chain_next(const gw_eb_table *t, const gw_eb_wait *wait)
{
    return gw_eb_table_entry(t, wait->chain_next);
}

#endif

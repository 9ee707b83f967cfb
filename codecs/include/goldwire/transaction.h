/* SPDX-License-Identifier: BSD-2-Clause */
/* What a message is to the board that receives it: whether an answer is due, whether doing it twice
 * is more than doing it once, and which addresses it touches. Whoever sends again what somebody
 * else once sent has to know. */
#ifndef GOLDWIRE_TRANSACTION_H
#define GOLDWIRE_TRANSACTION_H

#include "goldwire/base.h"

GW_BEGIN_DECLS

/* What a message says of the messages that its receiver may send from now on. */
typedef enum gw_flow {
    GW_FLOW_AS_BEFORE = 0,
    GW_FLOW_STOP,
    GW_FLOW_GO,
} gw_flow;

/* gw_transaction is what one message is to its receiver. */
typedef struct gw_transaction {
    const char *kind; /* "read", "probe"; a constant */
    bool asks;        /* an answer is due */
    bool opens;       /* who says it begins a conversation */
    bool changes;     /* doing it twice is not doing it once: never sent again */
    bool unsolicited; /* comes with time, not with what was asked */
    bool opaque;      /* cannot be read to its end: nobody knows what a board makes of it */
    bool stoppable;   /* is not sent while the receiver says GW_FLOW_STOP */
    uint8_t flow;     /* gw_flow */
} gw_transaction;

typedef enum gw_access_kind {
    GW_ACCESS_READ = 0,
    GW_ACCESS_WRITE,
    GW_ACCESS_CONFIG, /* a write to the board's own settings, which lie in no area */
} gw_access_kind;

/* gw_memory_access is a run of addresses, first and last byte. */
typedef struct gw_memory_access {
    uint64_t first;
    uint64_t last;
    uint8_t kind; /* gw_access_kind */
} gw_memory_access;

/* gw_access_fn receives the accesses of a message, in its order. */
typedef void (*gw_access_fn)(void *ctx, const gw_memory_access *access);

/* gw_access_sink is where accesses go. */
typedef struct gw_access_sink {
    gw_access_fn fn; /* NULL: nobody wants to know */
    void *ctx;
} gw_access_sink;

GW_END_DECLS

#endif

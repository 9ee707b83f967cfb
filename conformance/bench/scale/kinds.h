/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations of each format that scale_bench makes captures of: requests, and what answers them.
 * Same number, same bytes. */
#ifndef BENCH_SCALE_KINDS_H
#define BENCH_SCALE_KINDS_H

#include "goldwire/format.h"

#define SCALE_PAYLOAD 256 /* bytes of the longest message */

/* scale_exchange is one request and its answer. */
typedef struct scale_exchange {
    uint64_t number; /* from 0 */
    uint64_t turn;   /* how many there were before it between the same two */
    uint32_t place;  /* of the asked one among all that are */
    gw_endpoint asks;
    gw_endpoint answers;
} scale_exchange;

/* scale_build writes a message and returns its length. */
typedef size_t scale_build(uint8_t *out, size_t cap, const scale_exchange *x);

/* scale_kind is one kind of conversation. */
typedef struct scale_kind {
    const char *name;
    const gw_format *format;
    scale_build *ask;
    scale_build *answer;
    uint16_t port;
    bool stream;      /* over TCP, behind |open| */
    uint8_t flip;     /* bits ... */
    uint16_t flip_at; /* ... of the byte of a request that make it break a rule */
} scale_kind;

/* scale_kinds lists them all, and ends with a row without a name. */
extern const scale_kind scale_kinds[];

/* scale_open writes what a connection of the stream kind begins with, and what is answered. */
scale_build scale_open, scale_opened;

#endif

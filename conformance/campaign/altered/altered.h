/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers to a board that calls us, some of them altered: mutated by the tables, lost, sent twice,
 * exchanged, or late. What is altered, and how, follows from a few numbers, so that a case which is
 * played with them once more answers the same again. */
#ifndef GOLDWIRE_CAMPAIGN_ALTERED_ALTERED_H
#define GOLDWIRE_CAMPAIGN_ALTERED_ALTERED_H

#include "campaign/shots.h"
#include "run/ctx.h"

/* Answers of one conversation that may be altered; what comes behind them goes as it is. */
#define GW_ALTERED_MOST 64u

/* The bit of what an answer is longer or shorter by, behind those of its runs. */
#define GW_ALTERED_TAIL 63u

/* gw_altered says which conversation, and what is altered in it. */
typedef struct gw_altered {
    const gw_case *story; /* whose answers these are; NULL: those by which the suite sees that the
                             board is there */
    uint64_t random;      /* the run's random numbers when it begins */
    uint64_t seed;        /* of what is altered */
    uint32_t shift;       /* answers that came before, of those that |seed| was drawn for, and do
                             not any more */
    uint64_t mask;        /* a bit for each answer, from the first on, that is altered, ... */
    uint64_t lost; /* ... and of those, one for each that is not sent, whatever |seed| says */
    uint64_t back[GW_ALTERED_MOST]; /* of each a bit for every run of bytes that differ, from the
                                       first on, and GW_ALTERED_TAIL: is not mutated after all */
} gw_altered;

/* gw_altered_parts returns which bits of gw_altered.back there are for a message of |was_len| bytes
 * at |was| that became |now_len| bytes at |now|. */
uint64_t gw_altered_parts(const uint8_t *now, size_t now_len, const uint8_t *was, size_t was_len);

/* The longest answer, with what the carriage adds. */
#define GW_ALTERER_BYTES (GW_SHOT_MAX + 64u)

/* gw_alterer is who alters a conversation: large, so it is no local. All zeros but for the first
 * four, it has altered nothing yet. */
typedef struct gw_alterer {
    const gw_altered *how;
    const gw_board_file *board; /* whose areas may be written; NULL: anything may */
    gw_shots *done;             /* gets the answers that are altered, each with what it was */
    unsigned *sent;   /* GW_ALTERED_MOST packets that these went out in; 0: in none; or NULL */
    unsigned num;     /* answers, so far, altered or not */
    unsigned mutated; /* of them */
    unsigned fenced;  /* mutations that might have written elsewhere, and were not sent */
    int64_t began_ns; /* the first, by its connection's clock */
    bool short_of_memory;
    void *stream;    /* cuts what is said into messages; NULL over datagrams */
    unsigned heard;  /* packets of the evidence that it has cut */
    uint16_t line;   /* connection that it cuts */
    size_t held_len; /* of an answer that goes out behind the next one; 0: none */
    uint16_t held_on;
    uint8_t held[GW_ALTERER_BYTES];
    uint8_t now[GW_SHOT_MAX]; /* what a message becomes, ... */
    size_t now_len;
    uint8_t out[GW_ALTERER_BYTES]; /* ... in the answer that it is part of */
} gw_alterer;

/* gw_alterer_begin has |a| alter what |ctx| sends from now on; gw_alterer_end has it go out as it
 * is again, and gives the memory back: what is still held back is lost. False when memory is short.
 */
GW_MUST_USE bool gw_alterer_begin(gw_alterer *a, gw_ctx *ctx);
void gw_alterer_end(gw_alterer *a, gw_ctx *ctx);

#endif

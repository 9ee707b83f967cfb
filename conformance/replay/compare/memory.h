/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of a board's memory while a trace is played to it: which byte of now stands for
 * which byte of the trace. What the trace wrote is the same in both; what it only read may be
 * anything, but stays that until somebody writes. */
#ifndef REPLAY_MEMORY_H
#define REPLAY_MEMORY_H

#include "goldwire/base.h"

/* Bytes that are remembered. What comes after that is nobody's to compare. */
#define GW_MEMORY_MAX (1u << 21)

/* Which memory an address is of. */
typedef enum gw_space {
    GW_SPACE_BUS = 1, /* what the role's own format addresses */
    GW_SPACE_CONFIG,  /* EtherBone's config space */
    GW_SPACE_REGS,    /* what lies behind the link "regs" */
    GW_SPACE_WORDS,   /* no addresses: words that the trace sent */
} gw_space;

typedef struct gw_cell {
    uint64_t address;
    uint8_t space; /* gw_space; 0: the cell is free */
    uint8_t then;
    uint8_t now;
} gw_cell;

/* gw_memory is that knowledge. All zeros: nothing is known. */
typedef struct gw_memory {
    gw_cell *cells; /* a table that is found by hash */
    size_t num;
    size_t cap;
} gw_memory;

typedef enum gw_recall {
    GW_RECALL_NOTHING = 0, /* what the trace has there it has from elsewhere */
    GW_RECALL_FITS,
    GW_RECALL_DIFFERS,
} gw_recall;

/* gw_memory_know notes that |now| at |address| stands for |then|. False when memory is short. */
bool gw_memory_know(gw_memory *m, gw_space space, uint64_t address, uint8_t then, uint8_t now);

/* gw_memory_recall says whether |now| stands for |then| at |address|; |expected| gets what would,
 * when something else does. */
gw_recall gw_memory_recall(const gw_memory *m, gw_space space, uint64_t address, uint8_t then,
                           uint8_t now, uint8_t *expected);

/* gw_memory_forget forgets everything and keeps the memory; gw_memory_free gives it back. */
void gw_memory_forget(gw_memory *m);
void gw_memory_free(gw_memory *m);

#endif

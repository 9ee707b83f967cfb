/* SPDX-License-Identifier: BSD-2-Clause */
/* How a mutant lies over the software TEXTAROSSA boards: a policy that is not the documents', and
 * filters on what goes through the board. The board calls each hook, gw_tx_mutant_*, at one place;
 * without a filter there it changes nothing. */
#ifndef GOLDWIRE_FORMATS_TEXTAROSSA_MUTATION_H
#define GOLDWIRE_FORMATS_TEXTAROSSA_MUTATION_H

#include "boards/peer.h"
#include "goldwire/secded.h"
#include "goldwire/textarossa.h"

typedef struct gw_tx_board gw_tx_board;
typedef struct gw_tx_link gw_tx_link;
typedef struct gw_tx_head gw_tx_head;

/* gw_tx_policy is what the documents lay down. */
typedef struct gw_tx_policy {
    /* registers */
    uint32_t hole; /* what is read behind the block */
    /* a link's transmitter */
    bool starts;       /* START stands behind MAGIC, ... */
    uint8_t credits;   /* ... so many credits behind one that interrupts, ... */
    bool gap;          /* ... and one behind a packet */
    uint8_t waiting;   /* bits of tx_waiting_cycle that credits count */
    uint8_t check;     /* bits of check bytes that are sent */
    bool unprogrammed; /* packets go before thresholds are set */
    uint8_t spare;     /* words of room for data that a packet does not need, and ... */
    uint8_t headers;   /* ... words of room for headers, that it waits for */
    /* its receiver; in "statuses" bit n is gw_secded_status n */
    uint8_t obeyed;   /* statuses of credits that count while they are checked */
    uint8_t single;   /* statuses of headers that are counted as single errors, ... */
    uint8_t fatal;    /* ... and as fatal ones */
    bool doubles;     /* every double error is fatal */
    bool corrects;    /* single errors */
    bool zero_counts; /* a check byte of 0 is one like any other */
    bool raw;         /* headers frame packets as they came, not as they were corrected */
} gw_tx_policy;

#define GW_TX_POLICY                                                                               \
    .hole = GW_TX_NO_REGISTER, .starts = true, .credits = 1, .gap = true, .waiting = 0xff,         \
    .check = 0xff, .headers = 2, .obeyed = 1u << GW_SECDED_CLEAN,                                  \
    .single = 1u << GW_SECDED_CORRECTED, .fatal = 1u << GW_SECDED_FATAL, .doubles = true,          \
    .corrects = true, .zero_counts = true

/* Write: stands in the place of gw_tx_write_register, which it may call. */
typedef void gw_tx_write_filter(gw_tx_board *b, uint32_t address, uint32_t value);

/* Beat: stands in the place of gw_tx_take_beat, which it may call. */
typedef void gw_tx_beat_filter(gw_tx_board *b, gw_tx_link *l, gw_tx_word word);

/* Interrupts: says whether a word interrupts the packet that is coming. */
typedef bool gw_tx_interrupts_filter(gw_tx_link *l, gw_tx_word word);

/* Credit: changes a credit that goes out, before it is protected. */
typedef void gw_tx_credit_filter(const gw_tx_link *l, gw_tx_word *credit);

/* Room: says how many words fit below |threshold| where |taken| are taken. */
typedef uint32_t gw_tx_room_filter(uint32_t threshold, uint32_t taken);

/* Move: stands in the place of gw_tx_move, which it may call. */
typedef void gw_tx_move_filter(gw_tx_board *b, const gw_tx_head *h);

/* gw_tx_patch changes the register, or the byte, |at|: a filter for which no code is needed. */
typedef struct gw_tx_patch {
    uint16_t at;
    uint32_t clear; /* these bits first, ... */
    uint32_t flip;  /* ... then these */
} gw_tx_patch;

/* gw_tx_mutation is what a mutant does otherwise. */
typedef struct gw_tx_mutation {
    const gw_tx_policy *policy;
    gw_tx_patch reset_patch; /* of what a reset leaves, and ... */
    gw_tx_patch write_patch; /* ... of what the host writes */
    gw_tx_write_filter *write;
    gw_tx_beat_filter *beat;
    gw_tx_interrupts_filter *interrupts;
    gw_tx_credit_filter *credit;
    gw_tx_room_filter *room;
    gw_tx_move_filter *move;
} gw_tx_mutation;

/* gw_tx_link_kept is what a mutant remembers of a link until a reset, and the good board never
 * looks at. */
typedef struct gw_tx_link_kept {
    uint64_t echo;     /* what stood above the counts of the last credit */
    uint32_t idle;     /* words since the last packet */
    bool tight;        /* none lay before the last packet */
    bool interrupted;  /* a packet that came was, ... */
    bool stuffed;      /* ... and just now */
    bool broken_off;   /* a packet that came did */
    gw_tx_word footer; /* of the last packet that came since then */
} gw_tx_link_kept;

/* The hooks, filtered as said above: gw_tx_mutant_write is gw_tx_write_register, gw_tx_mutant_beat
 * gw_tx_take_beat, and gw_tx_mutant_move gw_tx_move; gw_tx_mutant_reset comes behind a reset. */
void gw_tx_mutant_reset(gw_tx_board *b);
bool gw_tx_mutant_write(void *board, uint32_t address, uint32_t value);
void gw_tx_mutant_beat(gw_tx_board *b, gw_tx_link *l, gw_tx_word word);
bool gw_tx_mutant_interrupts(const gw_tx_board *b, gw_tx_link *l, gw_tx_word word);
void gw_tx_mutant_credit(const gw_tx_board *b, const gw_tx_link *l, gw_tx_word *credit);
uint32_t gw_tx_mutant_room(const gw_tx_board *b, uint32_t threshold, uint32_t taken);
void gw_tx_mutant_move(gw_tx_board *b, const gw_tx_head *h);

#endif

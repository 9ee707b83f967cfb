/* SPDX-License-Identifier: BSD-2-Clause */
/* What a value in an answer is: memory that keeps what it is told, a register that says how the
 * board is, or whatever. */
#ifndef REPLAY_REMEMBER_H
#define REPLAY_REMEMBER_H

#include "replay/player.h"

typedef enum gw_spot_kind {
    GW_SPOT_STATE = 0, /* says what the board did: it is compared as it stands */
    GW_SPOT_MEMORY,    /* keeps what it holds until somebody writes */
    GW_SPOT_QUEUE,     /* gives what was written, if anything was */
    GW_SPOT_ANYTHING,  /* has no meaning that could be compared */
    GW_SPOT_WORDS,     /* memory that the board fills with what it was sent */
    GW_SPOT_PLACE,     /* an address of the board's, */
    GW_SPOT_TAKEN,     /* and one taken out of a queue, which may have been empty */
    GW_SPOT_FLAGS,     /* which queues of a node's port are empty, among others */
    GW_SPOT_QP,        /* number of a queue pair */
    GW_SPOT_HISTORY,   /* bits of which the newest tell of the request, the others of before */
} gw_spot_kind;

/* gw_spot is where a value was read. */
typedef struct gw_spot {
    gw_spot_kind kind;
    gw_space space;
    uint64_t address; /* of its first byte, in the trace */
    uint8_t lanes;    /* of a word on a bus, that its memory fills */
    bool swapped;     /* of bytes as such: lanes of a double word stand the other way round */
    uint64_t newest;  /* of a history: the bits that the request brought */
} gw_spot;

/* gw_spot_of finds out what |leaf| of an answer, the judged step, is. */
gw_spot gw_spot_of(const gw_replay *r, const gw_related *related, const gw_leaf *leaf);

/* gw_spot_register returns what the register at |address| of the link "regs" is. */
gw_spot_kind gw_spot_register(const gw_replay *r, uint32_t address);

#endif

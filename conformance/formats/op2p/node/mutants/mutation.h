/* SPDX-License-Identifier: BSD-2-Clause */
/* How a mutant lies over the software OP2P node: a policy that is not the datasheet's, and filters
 * on what goes through the board. The board calls each hook, gw_op2p_mutant_*, at one place;
 * without a filter there it changes nothing. */
#ifndef GOLDWIRE_FORMATS_OP2P_NODE_MUTATION_H
#define GOLDWIRE_FORMATS_OP2P_NODE_MUTATION_H

#include "goldwire/op2p.h"

typedef struct gw_op2p_node gw_op2p_node;
typedef struct gw_op2p_port gw_op2p_port;

/* What keeps a port from sending, or from hearing. */
enum {
    GW_OP2P_AT_XOFF = 1,
    GW_OP2P_AT_DOWN = 2,
    GW_OP2P_AT_RESET = 4,
};

/* gw_op2p_policy is what the datasheet lays down. "Types" has bit n for packets of type n. */
typedef struct gw_op2p_policy {
    uint8_t silent;          /* nothing is sent at GW_OP2P_AT_XOFF and its like, ... */
    uint16_t urgent;         /* ... but for these types */
    uint8_t deaf;            /* nothing is heard */
    uint8_t damaged;         /* flags of frames that cannot be trusted */
    uint16_t xoff;           /* bit n: flow control code n halts */
    uint16_t asked_for;      /* types that the partner is asked for when they are damaged, ... */
    uint32_t asked_in_a_row; /* ... so often at most */
    uint16_t resent;         /* types that are sent again when the partner asks */
    uint16_t any_count;      /* types that are sent with any byte count that is not too large */
    uint16_t answered;       /* bytes of a read, at most */
    uint16_t ends;           /* bytes of payload, at most; longer frames have no end */
    uint8_t fields;          /* of a command that make it one */
    bool stale_reads;        /* read requests carry what the transmit buffer holds */
    bool answers_as_asked;   /* from the id that was asked, not from the node's own */
    bool asks_source;        /* for what was damaged, not the link partner */
} gw_op2p_policy;

#define GW_OP2P_POLICY                                                                             \
    .silent = GW_OP2P_AT_XOFF | GW_OP2P_AT_DOWN | GW_OP2P_AT_RESET,                                \
    .deaf = GW_OP2P_AT_DOWN | GW_OP2P_AT_RESET, .damaged = GW_OP2P_FLAGS_BAD,                      \
    .xoff = 1u << GW_OP2P_XOFF, .asked_for = 0xffff & ~(1u << GW_OP2P_RETRANSMIT),                 \
    .asked_in_a_row = 8, .resent = 0xffff & ~(1u << GW_OP2P_RETRANSMIT),                           \
    .answered = GW_OP2P_PAYLOAD_MAX, .ends = GW_OP2P_PAYLOAD_MAX, .fields = 5

/* gw_op2p_incoming is a frame that has come. */
typedef struct gw_op2p_incoming {
    gw_op2p_node *n;
    gw_op2p_port *p;
    uint8_t flags; /* of the tunnel */
    const uint8_t *pdu;
    size_t len;
} gw_op2p_incoming;

/* gw_op2p_outgoing is a frame on its way out. */
typedef struct gw_op2p_outgoing {
    uint8_t *pdu;
    size_t len;
    uint8_t flags; /* of the tunnel */
} gw_op2p_outgoing;

/* gw_op2p_answer is a completion on its way out. */
typedef struct gw_op2p_answer {
    gw_op2p_node *n;
    gw_op2p_port *p;
    const gw_op2p_header *question;
    size_t asked; /* bytes behind the question */
    gw_op2p_header h;
    uint32_t len;   /* bytes of memory from where the question says, GW_OP2P_PAYLOAD_MAX at most */
    unsigned times; /* it is sent */
} gw_op2p_answer;

/* In: stands in the place of gw_op2p_take_frame, which it may call. */
typedef void gw_op2p_in_filter(gw_op2p_incoming *in);

/* Error: is told of an error, in the |len| bytes of |pdu|, or between frames: NULL. */
typedef void gw_op2p_error_filter(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* Out: changes a frame that goes out; it may become shorter. */
typedef void gw_op2p_out_filter(gw_op2p_outgoing *out);

/* Answer: changes a completion, or how often it is sent. */
typedef void gw_op2p_answer_filter(gw_op2p_answer *a);

/* Run: comes before what the host has commanded is started. */
typedef void gw_op2p_run_filter(gw_op2p_node *n, gw_op2p_port *p);

/* Read: changes the |value| of a register that the host reads. */
typedef uint32_t gw_op2p_read_filter(uint32_t address, uint32_t value);

/* Write: changes the |value| that the host writes to a register. */
typedef uint32_t gw_op2p_write_filter(gw_op2p_port *p, uint32_t address, uint32_t value);

/* gw_op2p_patch changes the byte, or the register, |at|: a filter for which no code is needed. */
typedef struct gw_op2p_patch {
    uint8_t at;
    uint32_t clear; /* these bits first, ... */
    uint32_t flip;  /* ... then these */
} gw_op2p_patch;

/* gw_op2p_mutation is what a mutant does otherwise. */
typedef struct gw_op2p_mutation {
    const gw_op2p_policy *policy;
    gw_op2p_patch out_patch;   /* of frames that go out, ... */
    gw_op2p_patch read_patch;  /* ... of what the host reads, ... */
    gw_op2p_patch write_patch; /* ... and of what it writes */
    gw_op2p_in_filter *in;
    gw_op2p_error_filter *error;
    gw_op2p_out_filter *out;
    gw_op2p_answer_filter *answer;
    gw_op2p_run_filter *run;
    gw_op2p_read_filter *read;
    gw_op2p_write_filter *write;
} gw_op2p_mutation;

/* gw_op2p_kept is what a mutant remembers of a port, and the good board never looks at. */
typedef struct gw_op2p_kept {
    bool header_alone; /* the last frame was one, */
    unsigned in_a_row; /* and so many with payload came at once, */
    int64_t heard_ns;  /* up to then */
    bool alone;        /* that was the last frame for a while, */
    int64_t alone_ns;  /* since then, */
    bool dead;         /* and it did not survive that */
    bool stale;        /* a damaged frame came before */
    bool halts;        /* the partner, for that */
} gw_op2p_kept;

/* gw_op2p_mutant_in is gw_op2p_take_frame, filtered. */
void gw_op2p_mutant_in(gw_op2p_incoming *in);

/* gw_op2p_mutant_error tells of an error. */
void gw_op2p_mutant_error(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_mutant_out filters a frame that goes out. */
void gw_op2p_mutant_out(const gw_op2p_node *n, gw_op2p_outgoing *out);

/* gw_op2p_mutant_answer filters a completion. */
void gw_op2p_mutant_answer(gw_op2p_answer *a);

/* gw_op2p_mutant_run tells that the host's commands are looked at. */
void gw_op2p_mutant_run(gw_op2p_node *n, gw_op2p_port *p);

/* gw_op2p_mutant_read is gw_op2p_read_port, filtered. */
uint32_t gw_op2p_mutant_read(gw_op2p_node *n, gw_op2p_port *p, uint32_t address);

/* gw_op2p_mutant_write is gw_op2p_write_port, filtered. */
void gw_op2p_mutant_write(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value);

#endif

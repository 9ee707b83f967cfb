/* SPDX-License-Identifier: BSD-2-Clause */
/* How a mutant lies over the software OP2P node: a policy that is not the datasheet's, and filters
 * on what goes through the board. The board calls each hook, gw_op2p_mutant_*, at one place;
 * without a filter there it changes nothing. */
#ifndef GOLDWIRE_FORMATS_OP2P_NODE_MUTATION_H
#define GOLDWIRE_FORMATS_OP2P_NODE_MUTATION_H

#include "goldwire/op2p.h"

typedef struct gw_op2p_node gw_op2p_node;
typedef struct gw_op2p_port gw_op2p_port;

/* The forwarding pool of a port. */
#ifndef GW_OP2P_NODE_POOL
#define GW_OP2P_NODE_POOL UINT32_C(0x100000) /* bytes */
#endif
#define GW_OP2P_NODE_ENTRIES (GW_OP2P_NODE_POOL / GW_OP2P_POOL_ENTRY)

/* What keeps a port from sending, or from hearing. */
enum {
    GW_OP2P_AT_XOFF = 1,
    GW_OP2P_AT_DOWN = 2,
    GW_OP2P_AT_RESET = 4,
};

/* What the interrupt is raised by: an entry in the FIFO of ... */
enum {
    GW_OP2P_BY_ARRIVAL = 1,
    GW_OP2P_BY_COMPLETION = 2,
    GW_OP2P_BY_FORWARD = 4,
};

/* gw_op2p_policy is what the datasheet lays down. In "types" bit n is packets of type n. */
typedef struct gw_op2p_policy {
    /* the link */
    uint8_t silent;          /* nothing is sent at GW_OP2P_AT_XOFF and its like, ... */
    uint16_t urgent;         /* ... but for these types */
    uint8_t deaf;            /* nothing is heard */
    uint16_t xoff;           /* bit n: flow control code n halts, ... */
    bool halts_inside;       /* ... inside a frame as well */
    uint8_t damaged;         /* flags of frames that cannot be trusted */
    uint16_t asked_for;      /* types that the partner is asked for when they are damaged, ... */
    uint32_t asked_in_a_row; /* ... so often at most */
    uint16_t resent;         /* types that are sent again when the partner asks */
    bool asks_source;        /* for what was damaged, not the link partner */
    uint16_t longest;        /* bytes of a frame that is looked at */
    uint16_t ends;           /* bytes of payload, at most; longer frames have no end */
    /* commands */
    uint8_t deep;       /* entries of a FIFO */
    uint8_t fields;     /* that make one */
    uint16_t any_count; /* types that are sent with any byte count that is not too large */
    bool stale_reads;   /* read requests carry what the transmit buffer holds */
    uint8_t raised_by;  /* the interrupt: GW_OP2P_BY_ARRIVAL and its like */
    bool pulses;        /* it is a pulse for each entry, not a level */
    bool stays;         /* raised once, it stays raised */
    /* what is executed, or answered */
    uint16_t for_us;       /* types that are taken when they are for the node's own id, ... */
    uint16_t for_id_0;     /* ... for id 0, ... */
    uint16_t for_others;   /* ... and for other nodes */
    uint16_t writes;       /* types that are writes */
    uint16_t least;        /* bytes of a payload, ... */
    uint16_t most;         /* ... that are taken, ... */
    bool any_length;       /* ... whatever their number is */
    uint16_t fbe_words;    /* double words that the first byte enable is for */
    bool wraps;            /* addresses do, at the end of the buffer memory */
    uint16_t least_read;   /* bytes that may be asked for, ... */
    uint16_t most_read;    /* ... and ... */
    uint16_t trailing;     /* ... that may stand behind the request */
    bool unsolicited;      /* completions are executed that nobody waits for */
    bool same_id;          /* id 0 does not stand for others in completions */
    bool answers_as_asked; /* from the id that was asked, not from the node's own */
    bool answers_foreign;  /* reserved types that are for other nodes, ... */
    bool answers_errors;   /* ... and errors */
    /* the pool */
    uint16_t entries;     /* that are taken, or ... */
    uint8_t pointers;     /* ... pointers that wait: the partner is halted */
    uint16_t entry_size;  /* bytes from one entry to the next */
    uint16_t stored;      /* bytes of a packet, at most */
    bool overwrites;      /* the last entry of a full pool */
    bool stores_mangled;  /* packets that are not as long as they say */
    bool cuts_stored_ids; /* as the first byte enable says */
    bool frees_aliases;   /* the entry that an address falls into, too */
} gw_op2p_policy;

#define GW_OP2P_BUT_RETRANSMIT (0xffff & ~(1u << GW_OP2P_RETRANSMIT))
#define GW_OP2P_POLICY                                                                             \
    .silent = GW_OP2P_AT_XOFF | GW_OP2P_AT_DOWN | GW_OP2P_AT_RESET,                                \
    .deaf = GW_OP2P_AT_DOWN | GW_OP2P_AT_RESET, .xoff = 1u << GW_OP2P_XOFF, .halts_inside = true,  \
    .damaged = GW_OP2P_FLAGS_BAD, .asked_for = GW_OP2P_BUT_RETRANSMIT, .asked_in_a_row = 8,        \
    .resent = GW_OP2P_BUT_RETRANSMIT, .longest = GW_OP2P_PDU_MAX, .ends = GW_OP2P_PAYLOAD_MAX,     \
    .deep = GW_OP2P_FIFO_DEPTH, .fields = 5,                                                       \
    .raised_by = GW_OP2P_BY_ARRIVAL | GW_OP2P_BY_COMPLETION | GW_OP2P_BY_FORWARD,                  \
    .for_us = 0xffff, .for_id_0 = 0xffff, .writes = 1u << GW_OP2P_WRITE, .least = 4,               \
    .most = GW_OP2P_PAYLOAD_MAX, .fbe_words = 1, .least_read = 1,                                  \
    .most_read = GW_OP2P_PAYLOAD_MAX, .trailing = UINT16_MAX, .entries = GW_OP2P_NODE_ENTRIES - 1, \
    .pointers = GW_OP2P_FIFO_DEPTH - 1, .entry_size = GW_OP2P_POOL_ENTRY,                          \
    .stored = GW_OP2P_PDU_MAX

/* gw_op2p_is_of says whether |type| is one of |types|. */
static inline bool gw_op2p_is_of(uint8_t type, uint16_t types)
{
    return (types >> type & 1) != 0;
}

/* gw_op2p_incoming is a frame that has come. */
typedef struct gw_op2p_incoming {
    gw_op2p_node *n;
    gw_op2p_port *p;
    uint8_t flags; /* of the tunnel */
    uint8_t gap;   /* inside it, behind so many double words; 0: none */
    const uint8_t *pdu;
    size_t len;
} gw_op2p_incoming;

/* gw_op2p_outgoing is a frame on its way out. */
typedef struct gw_op2p_outgoing {
    uint8_t *pdu;
    size_t len;
    uint8_t flags; /* of the tunnel */
} gw_op2p_outgoing;

/* gw_op2p_job is a packet that came whole. */
typedef struct gw_op2p_job {
    gw_op2p_node *n;
    gw_op2p_port *p;
    gw_op2p_header h;
    bool mine; /* it is for this node */
    const uint8_t *pdu;
    size_t len; /* with the header, and a multiple of 4 */
} gw_op2p_job;

/* gw_op2p_word is a double word that is about to be written. */
typedef struct gw_op2p_word {
    const gw_op2p_header *h; /* of its packet */
    uint32_t i;              /* which one it is, ... */
    uint32_t num;            /* ... of so many */
    uint32_t mask;           /* bits that are written */
} gw_op2p_word;

/* gw_op2p_answer is a completion on its way out. */
typedef struct gw_op2p_answer {
    const gw_op2p_job *job; /* what it answers */
    gw_op2p_header h;
    uint32_t len;   /* bytes of memory from where |job| says, GW_OP2P_PAYLOAD_MAX at most */
    unsigned times; /* it is sent */
} gw_op2p_answer;

/* In: stands in the place of gw_op2p_take_frame, which it may call. */
typedef void gw_op2p_in_filter(gw_op2p_incoming *in);

/* Error: is told of an error, in a frame or (|pdu| is NULL) between frames. */
typedef void gw_op2p_error_filter(const gw_op2p_incoming *in);

/* Packet: changes a packet; false keeps it from the board. */
typedef bool gw_op2p_packet_filter(gw_op2p_job *job);

/* After: does more behind packets of |types| that are for this node, and were taken or refused. */
typedef void gw_op2p_after_filter(const gw_op2p_job *job);
typedef struct gw_op2p_after {
    uint16_t types;
    bool refused;
    gw_op2p_after_filter *then;
} gw_op2p_after;

/* Word, and entry: changes what is written of a double word. */
typedef void gw_op2p_word_filter(gw_op2p_word *w);

/* Out: changes a frame that goes out; it may become shorter. */
typedef void gw_op2p_out_filter(gw_op2p_outgoing *out);

/* Answer: changes a completion, or how often it is sent. */
typedef void gw_op2p_answer_filter(gw_op2p_answer *a);

/* Run: comes before what the host has commanded is started. */
typedef void gw_op2p_run_filter(gw_op2p_node *n, gw_op2p_port *p);

/* Read: changes the |value| of a register that the host reads. */
typedef uint32_t gw_op2p_read_filter(uint32_t address, uint32_t value);

/* Write: stands in the place of gw_op2p_write_port, which it may call. */
typedef void gw_op2p_write_filter(gw_op2p_node *n, gw_op2p_port *p, uint32_t address,
                                  uint32_t value);

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
    gw_op2p_packet_filter *packet;
    gw_op2p_after after;
    gw_op2p_word_filter *word;  /* of payload, ... */
    gw_op2p_word_filter *entry; /* ... and of what is stored for other nodes */
    gw_op2p_out_filter *out;
    gw_op2p_answer_filter *answer;
    gw_op2p_run_filter *run;
    gw_op2p_read_filter *read;
    gw_op2p_write_filter *write;
} gw_op2p_mutation;

/* gw_op2p_kept is what a mutant remembers of a port, and the good board never looks at. */
typedef struct gw_op2p_kept {
    bool header_alone;              /* the last frame was one, */
    unsigned in_a_row;              /* and so many with payload came at once, */
    int64_t heard_ns;               /* up to then */
    bool alone;                     /* that was the last frame for a while, */
    int64_t alone_ns;               /* since then, */
    bool dead;                      /* and it did not survive that */
    bool stale;                     /* a damaged frame came before */
    bool halts;                     /* the partner, for that */
    bool spoilt;                    /* errors came between frames */
    bool sticky;                    /* the next write is larger */
    uint8_t header[GW_OP2P_HEADER]; /* of the last frame that had one */
    int freed_twice;                /* an entry, counted from 1, until it is given out; 0: none */
} gw_op2p_kept;

/* The hooks, filtered as said above: gw_op2p_mutant_in is gw_op2p_take_frame, gw_op2p_mutant_packet
 * gw_op2p_take_packet, gw_op2p_mutant_read and _write are gw_op2p_read_port and gw_op2p_write_port;
 * gw_op2p_mutant_mask returns the mask of |word|, as |filter| (NULL: none) leaves it. */
void gw_op2p_mutant_in(gw_op2p_incoming *in);
void gw_op2p_mutant_error(const gw_op2p_incoming *in);
GW_MUST_USE bool gw_op2p_mutant_packet(gw_op2p_job *job);
uint32_t gw_op2p_mutant_mask(gw_op2p_word_filter *filter, gw_op2p_word word);
void gw_op2p_mutant_out(const gw_op2p_node *n, gw_op2p_outgoing *out);
void gw_op2p_mutant_answer(gw_op2p_answer *a);
void gw_op2p_mutant_run(gw_op2p_node *n, gw_op2p_port *p);
uint32_t gw_op2p_mutant_read(gw_op2p_node *n, gw_op2p_port *p, uint32_t address);
void gw_op2p_mutant_write(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value);

#endif

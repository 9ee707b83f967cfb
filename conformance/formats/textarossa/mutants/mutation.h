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
typedef struct gw_tx_intra gw_tx_intra;
typedef struct gw_tx_pair gw_tx_pair;

/* What can never go from an input (TX-S10, TX-E15, TX-S11). */
enum {
    GW_TX_NO_PORT = 1, /* there is none that it could go to */
    GW_TX_UNSENDABLE = 2,
    GW_TX_TOO_LARGE = 4,
};

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
    bool unasked;      /* ... or when there is no room at the other side */
    bool wraps;        /* room that is less than none is a lot */
    uint8_t spare;     /* words of room for payload that a packet does not need, and ... */
    uint8_t headers;   /* ... words of room for header and footer, that it waits for */
    /* its receiver; in "statuses" bit n is gw_secded_status n */
    uint8_t obeyed;   /* statuses of credits that count while they are checked */
    uint8_t single;   /* statuses of headers that are counted as single errors, ... */
    uint8_t fatal;    /* ... and as fatal ones */
    bool doubles;     /* every double error is fatal */
    bool corrects;    /* single errors */
    bool zero_counts; /* a check byte of 0 is one like any other */
    bool raw;         /* headers frame packets as they came, not as they were corrected */
    /* the router */
    uint8_t ports;      /* of the node */
    uint8_t rounding;   /* bytes that are added to a payload before its whole words count */
    uint8_t dropped;    /* GW_TX_NO_PORT and its like: does not block its input */
    uint32_t looked_at; /* words of a payload that must not be like MAGIC, ... */
    bool half_magic;    /* ... nor in their lower half */
    uint32_t drags;     /* packet_size from which on a header alone is not sent alone on a link */
    /* an Ethernet port */
    uint32_t longest; /* UDP length that is sent */
    /* a node's tasks, and its generators */
    uint32_t channels;    /* that exist */
    uint16_t most;        /* bytes of a payload that is taken, ... */
    uint8_t granule;      /* ... in so many at a time */
    uint8_t reserved;     /* the largest value of this field, ... */
    uint8_t edac;         /* ... and of this, that is taken */
    uint8_t footer_flips; /* bits of a task's footer that are wrong behind an odd number of words */
    bool footer_mixed;    /* its upper half is that of the packet that came */
    uint8_t footers;      /* bit n: packets with gw_tx_footer n are taken */
    bool bounced;         /* packets that were not delivered are */
    uint8_t type;         /* bits of packet_type that are sent */
    uint16_t hops;        /* num_of_hops that generators send, ... */
    bool sized;           /* ... and packet_size in a header alone, too */
} gw_tx_policy;

#define GW_TX_POLICY                                                                               \
    .hole = GW_TX_NO_REGISTER, .starts = true, .credits = 1, .gap = true, .waiting = 0xff,         \
    .check = 0xff, .headers = 2, .obeyed = 1u << GW_SECDED_CLEAN,                                  \
    .single = 1u << GW_SECDED_CORRECTED, .fatal = 1u << GW_SECDED_FATAL, .doubles = true,          \
    .corrects = true, .zero_counts = true, .ports = GW_TX_PORTS, .rounding = GW_TX_WORD - 1,       \
    .dropped = GW_TX_NO_PORT | GW_TX_UNSENDABLE | GW_TX_TOO_LARGE, .looked_at = UINT32_MAX,        \
    .drags = UINT32_MAX, .longest = GW_TX_UDP_LIMIT, .channels = 128, .most = GW_TX_PAYLOAD_MAX,   \
    .granule = 1, .reserved = UINT8_MAX, .edac = UINT8_MAX, .footers = UINT8_MAX

/* gw_tx_way is where a router sends a packet. */
typedef struct gw_tx_way {
    gw_tx_torus torus;          /* where the router is */
    const gw_tx_header *header; /* as it came, ... */
    bool is_injected;           /* ... from a port */
    gw_tx_hop hop;
} gw_tx_way;

/* gw_tx_incoming is a datagram that is read. */
typedef struct gw_tx_incoming {
    gw_tx_board *b;
    const gw_endpoint *here; /* where it came to, if that is known; or NULL */
    gw_tx_pair *to;          /* where its packet shall go */
    gw_message message;
    const gw_dialect *dialect;
    gw_tx_packet p; /* what has been read of it */
} gw_tx_incoming;

/* gw_tx_outgoing is a datagram that is about to be built. */
typedef struct gw_tx_outgoing {
    const gw_tx_board *b;
    const gw_tx_head *h; /* what it is built from */
    gw_tx_header header;
    uint8_t *payload; /* in whole words */
    const gw_dialect *dialect;
    size_t cut; /* bytes that its end lacks */
} gw_tx_outgoing;

/* Write: stands in the place of gw_tx_write_register, which it may call. */
typedef void gw_tx_write_filter(gw_tx_board *b, uint32_t address, uint32_t value);

/* Beat: stands in the place of gw_tx_take_beat, which it may call. */
typedef void gw_tx_beat_filter(gw_tx_board *b, gw_tx_link *l, gw_tx_word word);

/* Interrupts: says whether a word interrupts the packet that is coming. */
typedef bool gw_tx_interrupts_filter(gw_tx_link *l, gw_tx_word word);

/* Credit: changes a credit that goes out, before it is protected. */
typedef void gw_tx_credit_filter(const gw_tx_link *l, gw_tx_word *credit);

/* Hop: changes where a packet is sent. */
typedef void gw_tx_hop_filter(gw_tx_way *way);

/* Read: stands in the place of gw_tx_read_packet, which it may call. */
typedef bool gw_tx_read_filter(gw_tx_incoming *in);

/* Out: changes a datagram that goes out. */
typedef void gw_tx_out_filter(gw_tx_outgoing *out);

/* Back: changes the header of what a task sends back for a packet with |header|. */
typedef void gw_tx_back_filter(gw_tx_board *b, const gw_tx_header *header, gw_tx_header *back);

/* Due: says whether what has come to a port is handed on now. */
typedef bool gw_tx_due_filter(gw_tx_board *b, gw_tx_intra *p);

/* Send: stands in the place of gw_tx_send_datagram, which it may call. */
typedef void gw_tx_send_filter(gw_tx_board *b, unsigned port, size_t len);

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
    gw_tx_patch hop_patch; /* of a header, by the place in gw_tx_header, that the router sends on */
    gw_tx_hop_filter *hop;
    gw_tx_move_filter *move;
    gw_tx_read_filter *read;
    gw_tx_out_filter *out;
    gw_tx_back_filter *back;
    gw_tx_due_filter *due;
    gw_tx_send_filter *send;
} gw_tx_mutation;

/* gw_tx_kept is what a mutant remembers until a reset, and the good board never looks at. */
typedef struct gw_tx_kept {
    const gw_dialect *dialect; /* of the last datagram that could be read; NULL: none yet */
    uint64_t address;          /* dest_addr that was not the board's; 0: none yet */
    uint32_t delivered;        /* packets */
    int64_t due_ns;            /* when the next one may be; 0: at once */
    uint8_t type;              /* of the last packet */
    bool has_dropped;          /* one whose channel does not exist, since the last datagram */
    uint8_t held_port;         /* where a datagram goes to that the next one overtakes, and ... */
    uint16_t held_len;         /* ... its bytes; 0: none */
    uint8_t held[GW_TX_DATAGRAM_MAX];
} gw_tx_kept;

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
 * gw_tx_take_beat, gw_tx_mutant_move gw_tx_move, gw_tx_mutant_read gw_tx_read_packet, and
 * gw_tx_mutant_send gw_tx_send_datagram. gw_tx_mutant_reset comes behind a reset;
 * gw_tx_mutant_end comes behind each step, and returns when the board wants to be called again. */
void gw_tx_mutant_reset(gw_tx_board *b);
bool gw_tx_mutant_write(void *board, uint32_t address, uint32_t value);
void gw_tx_mutant_beat(gw_tx_board *b, gw_tx_link *l, gw_tx_word word);
bool gw_tx_mutant_interrupts(const gw_tx_board *b, gw_tx_link *l, gw_tx_word word);
void gw_tx_mutant_credit(const gw_tx_board *b, const gw_tx_link *l, gw_tx_word *credit);
void gw_tx_mutant_hop(const gw_tx_board *b, gw_tx_way *way);
void gw_tx_mutant_move(gw_tx_board *b, const gw_tx_head *h);
GW_MUST_USE bool gw_tx_mutant_read(gw_tx_incoming *in);
void gw_tx_mutant_out(gw_tx_outgoing *out);
void gw_tx_mutant_back(gw_tx_board *b, const gw_tx_header *header, gw_tx_header *back);
GW_MUST_USE bool gw_tx_mutant_due(gw_tx_board *b, gw_tx_intra *p);
void gw_tx_mutant_send(gw_tx_board *b, unsigned port, size_t len);
int64_t gw_tx_mutant_end(gw_tx_board *b);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the software OP2P node: two ports on one buffer memory, their host registers, and the
 * faults that its mutants have.
 *
 * On the link "regs" lie the registers of port 0 at 0x00 and of port 1 at 0x80, as goldwire/op2p.h
 * lists them, and the buffer memory at GW_OP2P_NODE_MEMORY. The links "link0" and "link1" carry the
 * UDP tunnel, or bare PDUs, which are answered bare. */
#ifndef GOLDWIRE_FORMATS_OP2P_NODE_BOARD_H
#define GOLDWIRE_FORMATS_OP2P_NODE_BOARD_H

#include "boards/peer.h"
#include "formats/etherbone/slave/registers.h"
#include "formats/op2p/node/mutants/mutation.h"
#include "goldwire/op2p.h"

#define GW_OP2P_NODE_MEMORY UINT32_C(0x80000000)
#define GW_OP2P_NODE_BYTES UINT32_C(0x400000)
#define GW_OP2P_NODE_ID 0x0041
#define GW_OP2P_NODE_POOL UINT32_C(0x100000) /* of port 0; port 1's follows it */

/* Each is tested at one place: in a filter over the good board, or beside the code that does it
 * right. */
typedef enum gw_op2p_fault {
    OP2P_FAULT_EXECUTES_SHORT,
    OP2P_FAULT_ZERO_IS_MUCH,
    OP2P_FAULT_TAKES_TOO_MUCH,
    OP2P_FAULT_IGNORES_ID_0,
    OP2P_FAULT_ANSWERS_WRITES,
    OP2P_FAULT_FBE_EVERYWHERE,
    OP2P_FAULT_WRITES_ON_ERROR,
    OP2P_FAULT_TAKES_UNSOLICITED,
    OP2P_FAULT_ANSWERS_ERRORS,
    OP2P_FAULT_TYPE_15_WRITES,
    OP2P_FAULT_RESENDS_CHANGED,
    OP2P_FAULT_STICKY_SIZE,
    OP2P_FAULT_FORWARDS_HEADERS,
    OP2P_FAULT_EXECUTES_FOREIGN,
    OP2P_FAULT_CUTS_STORED_HEADER,
    OP2P_FAULT_ANSWERS_FOREIGN,
    OP2P_FAULT_ENTRY_SIZE,
    OP2P_FAULT_POOL_OVERWRITES,
    OP2P_FAULT_FREES_ALIASES,
    OP2P_FAULT_NO_ARRIVAL,
    OP2P_FAULT_REFUSES_LARGEST,
    OP2P_FAULT_WRITES_ONE_MORE,
    OP2P_FAULT_COMPLAINS_OF_WRITES,
    OP2P_FAULT_ODD_FBE_EVERYWHERE,
    OP2P_FAULT_WANTS_ID_0,
    OP2P_FAULT_RESENDS_AS_ASKED,
    OP2P_FAULT_ASKS_BACK,
    OP2P_FAULT_STICKY_REFUSED,
    OP2P_FAULT_TELLS_REFUSED,
    OP2P_FAULT_STORES_MANGLED,
    OP2P_FAULT_EXECUTES_FOREIGN_RFU,
    OP2P_FAULT_ODD_FBE_CUTS,
    OP2P_FAULT_STORES_REQUESTS,
    OP2P_FAULT_FREES_NEXT,
    OP2P_FAULT_FORWARDS_REFUSED,
    OP2P_FAULT_COMPLAINS_OF_REQUESTS,
    OP2P_FAULT_BURST_SPOILS,
    OP2P_FAULT_FORWARDS_OWN_WRITES,
    OP2P_FAULT_REFUSES_TRAILING,
    OP2P_FAULT_WRITES_TRAILING,
    OP2P_FAULT_MIRRORED_LANES,
    OP2P_FAULT_LOW_BITS_PICK,
    OP2P_FAULT_REFUSES_BYTES,
    OP2P_FAULT_TAKES_BYTES,
    OP2P_FAULT_ROUNDS_UP,
    OP2P_FAULT_FBE_0_IS_FULL,
    OP2P_FAULT_TYPE_5_WRITES,
    OP2P_FAULT_WRAPS,
    OP2P_FAULT_LOSES_LONE_WORD,
    OP2P_FAULT_COMPLETES_WITHOUT_DATA,
    OP2P_FAULT_POINTERS_UNWATCHED,
    OP2P_FAULT_FREES_TWICE,
    OP2P_FAULT_FREES_TOGGLE,
    OP2P_FAULT_FORWARDS_ID_0,
    OP2P_FAULT_STALE_ON_ERROR,
} gw_op2p_fault;

enum { GW_OP2P_NUM_MUTANTS = 112 };

enum {
    GW_OP2P_NODE_PORTS = 2,
    GW_OP2P_NODE_HELD = 16, /* packets that wait for XON, and reads that wait for their data */
};

/* A FIFO between host and port. Reading an empty one gives the last value again. */
typedef struct gw_op2p_fifo {
    uint32_t words[GW_OP2P_FIFO_DEPTH];
    uint32_t last;
    uint8_t first;
    uint8_t count;
} gw_op2p_fifo;

typedef struct gw_op2p_frame {
    uint16_t len;
    uint8_t bytes[GW_OP2P_PDU_MAX];
} gw_op2p_frame;

struct gw_op2p_port {
    uint8_t index;
    bool connected; /* somebody is at the other end: |conn| */
    bool bare;      /* who speaks without the tunnel's shim */
    bool up;
    bool reset;
    bool training;    /* the transceivers come out of a reset, until */
    int64_t ready_ns; /* then */
    bool they_halted; /* the partner has halted us */
    bool we_halted;
    bool swallows; /* it has seen a frame begin and not end, with one double word: */
    uint8_t begun[4];
    bool owes_xon;       /* the reference core: when what is held has been sent */
    bool endless;        /* and: it sends a frame that has no end, until it is reset */
    gw_op2p_order order; /* of the datagrams that come */
    uint16_t sequence;   /* of the next datagram sent */
    uint32_t conn;
    uint16_t local_id;
    uint32_t base; /* of the forwarding pool */
    uint32_t errors;
    uint32_t dropped;
    unsigned retransmits; /* requests in a row */
    bool sticky;          /* a mutant's size bit */
    bool spoilt;          /* a mutant's: errors came between frames */
    gw_op2p_kept kept;
    bool freed_twice; /* a mutant's: the next entry is free a second time */
    gw_op2p_fifo write[5], read[5];
    gw_op2p_fifo completed, arrived, forward;
    uint8_t pool[GW_OP2P_POOL_ENTRIES / 8];
    gw_op2p_header outstanding[GW_OP2P_NODE_HELD];
    unsigned num_outstanding;
    gw_op2p_frame last; /* sent, for a retransmission; len 0: none */
    gw_op2p_frame held[GW_OP2P_NODE_HELD];
    unsigned num_held;
    gw_op2p_frame early[GW_OP2P_NODE_HELD]; /* came while we had halted the partner */
    bool early_bad[GW_OP2P_NODE_HELD];      /* with link errors */
    unsigned num_early;
    uint32_t seen[4 + 256]; /* the receive buffer: what earlier frames left lies beyond the last */
};

struct gw_op2p_node {
    const gw_mutant *mutant;
    const gw_op2p_mutation *mutation; /* without filters in the good board */
    gw_op2p_policy policy;
    bool reference; /* the dialect vhdl */
    gw_peer_out *out;
    int64_t now_ns;
    uint32_t *memory; /* GW_OP2P_NODE_BYTES / 4 double words */
    gw_op2p_port ports[GW_OP2P_NODE_PORTS];
    gw_regs regs;
};

static inline bool gw_op2p_faulty(const gw_op2p_node *n, gw_op2p_fault fault)
{
    return gw_mutant_has(n->mutant, fault);
}

/* gw_op2p_push appends |word|; false when the FIFO is full. gw_op2p_pop takes the oldest. */
bool gw_op2p_push(gw_op2p_fifo *f, uint32_t word);
uint32_t gw_op2p_pop(gw_op2p_fifo *f);

/* gw_op2p_in_memory says whether |len| bytes at |address| lie in the buffer memory. */
bool gw_op2p_in_memory(uint32_t address, uint32_t len);

/* gw_op2p_load reads |len| bytes at |address| of the buffer memory, and wraps at its end. */
void gw_op2p_load(const gw_op2p_node *n, uint8_t *out, uint32_t address, uint32_t len);

/* gw_op2p_write_word writes the bits of |mask| of the double word at |address|. */
void gw_op2p_write_word(gw_op2p_node *n, uint32_t address, uint32_t value, uint32_t mask);

/* gw_op2p_hindrances returns what now keeps a port from sending or hearing: GW_OP2P_AT_XOFF and its
 * like. */
unsigned gw_op2p_hindrances(const gw_op2p_port *p);

/* gw_op2p_is_commanded says whether the FIFOs of a command hold one. */
bool gw_op2p_is_commanded(const gw_op2p_node *n, const gw_op2p_fifo fifos[5]);

/* gw_op2p_may_send says whether nothing keeps the port from sending. */
bool gw_op2p_may_send(const gw_op2p_node *n, const gw_op2p_port *p);

/* gw_op2p_port_send sends a PDU of |len| bytes, or holds it while the partner has halted us. */
void gw_op2p_port_send(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_port_flow tells the partner XON or XOFF. */
void gw_op2p_port_flow(gw_op2p_node *n, gw_op2p_port *p, bool halt);

/* gw_op2p_port_run starts what the host has commanded, and sends what was held. */
void gw_op2p_port_run(gw_op2p_node *n, gw_op2p_port *p);

/* gw_op2p_port_event takes one datagram: a link event, or a PDU. */
void gw_op2p_port_event(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *data, size_t len);

/* gw_op2p_take_frame takes a frame, if the port hears it. */
void gw_op2p_take_frame(gw_op2p_incoming *in);

/* gw_op2p_port_packet takes a whole and undamaged PDU. */
void gw_op2p_port_packet(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_relieve lets the partner send again when pool and pointers have room. */
void gw_op2p_relieve(gw_op2p_node *n, gw_op2p_port *p);

/* gw_op2p_ask_again asks the partner to send the frame |pdu| once more, but not for ever. */
void gw_op2p_ask_again(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_forward stores a packet for another node in the pool and tells the host. */
void gw_op2p_forward(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_free frees the pool's entry at |address|. */
void gw_op2p_free(gw_op2p_node *n, gw_op2p_port *p, uint32_t address);

/* gw_op2p_keep puts a PDU into the receive buffer. */
void gw_op2p_keep(gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_stale_words writes what the receive buffer holds as payload to |address|. */
void gw_op2p_stale_words(gw_op2p_node *n, const gw_op2p_port *p, uint32_t address, uint32_t words);

/* gw_op2p_reference_policy changes |policy| to the reference core's. */
void gw_op2p_reference_policy(gw_op2p_policy *policy);

/* gw_op2p_reference_damaged takes a damaged frame as far as the reference core does before it
 * knows. */
void gw_op2p_reference_damaged(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_reference_frame takes a PDU with the flow control that the reference core has around it.
 */
void gw_op2p_reference_frame(gw_op2p_node *n, gw_op2p_port *p, bool bad, const uint8_t *pdu,
                             size_t len);

/* gw_op2p_reference_goes_on lets the partner send again when what it called forth is out, and takes
 * what came meanwhile. */
void gw_op2p_reference_goes_on(gw_op2p_node *n, gw_op2p_port *p);

/* gw_op2p_take_damaged takes a PDU with a link error. */
void gw_op2p_take_damaged(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_reset_link takes the channel down, as a reset of the reference core's transceivers does,
 * or (|down| false) begins to bring it up. gw_op2p_link_ready is told that time has come. */
void gw_op2p_reset_link(gw_op2p_node *n, gw_op2p_port *p, bool down);
void gw_op2p_link_ready(gw_op2p_node *n, gw_op2p_port *p);

/* gw_op2p_port_tell sends a link event. */
void gw_op2p_port_tell(gw_op2p_node *n, gw_op2p_port *p, uint8_t kind, uint8_t code);

/* gw_op2p_reference_packet takes the PDU of |len| bytes in the receive buffer as the reference core
 * does; true when that was all. */
bool gw_op2p_reference_packet(gw_op2p_node *n, gw_op2p_port *p, size_t len);

/* gw_op2p_read_port and gw_op2p_write_port are a port's registers, |address| from its first one. */
uint32_t gw_op2p_read_port(gw_op2p_node *n, gw_op2p_port *p, uint32_t address);
void gw_op2p_write_port(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value);

/* gw_op2p_read_register and gw_op2p_write_register are what lies behind the link "regs". */
bool gw_op2p_read_register(void *node, uint32_t address, uint32_t *value);
bool gw_op2p_write_register(void *node, uint32_t address, uint32_t value);

extern const gw_mutant gw_op2p_mutants[GW_OP2P_NUM_MUTANTS];
extern const gw_board gw_op2p_node_board;

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the software OP2P node: two ports on one buffer memory, and their host registers.
 *
 * On the link "regs" lie the registers of port 0 at 0x00 and of port 1 at 0x80, as goldwire/op2p.h
 * lists them, the buffer memory at GW_OP2P_NODE_MEMORY, and the interrupt line, as an area of wires
 * (docs/board-file.md), at GW_OP2P_NODE_WIRES. The links "link0" and "link1" carry the
 * UDP tunnel, or bare PDUs, which are answered bare. */
#ifndef GOLDWIRE_FORMATS_OP2P_NODE_BOARD_H
#define GOLDWIRE_FORMATS_OP2P_NODE_BOARD_H

#include "boards/peer.h"
#include "formats/etherbone/slave/registers.h"
#include "formats/op2p/node/mutants/mutation.h"
#include "goldwire/op2p.h"

#define GW_OP2P_NODE_MEMORY UINT32_C(0x80000000)
#define GW_OP2P_NODE_WIRES UINT32_C(0xf0000000)
#define GW_OP2P_NODE_ID 0x0041
/* Behind memory of its own come the pools of port 0 and 1. */
#define GW_OP2P_NODE_BYTES ((size_t)4 * GW_OP2P_NODE_POOL)

enum { GW_OP2P_NUM_MUTANTS = 122 };

enum {
    GW_OP2P_NODE_PORTS = 2,
    GW_OP2P_NODE_HELD = 16,    /* packets that wait for XON, and reads that wait for their data */
    GW_OP2P_NODE_BUFFER = 512, /* double words of the receive buffer */
};

/* A FIFO between host and port. Reading an empty one gives the last value again. */
typedef struct gw_op2p_fifo {
    uint32_t words[GW_OP2P_FIFO_DEPTH];
    uint32_t last;
    uint8_t depth; /* words that it holds at most */
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
    bool endless;        /* and: it does nothing but send a frame that has no end, or look for a
                            header, until it is reset */
    uint16_t carried;    /* and: double words that an earlier packet adds to the next one's */
    gw_op2p_order order; /* of the datagrams that come */
    uint16_t sequence;   /* of the next datagram sent */
    uint32_t conn;
    uint16_t local_id;
    uint32_t base; /* of the forwarding pool */
    uint32_t errors;
    uint32_t dropped;
    unsigned retransmits; /* requests in a row */
    gw_op2p_kept kept;
    gw_op2p_fifo write[5], read[5];
    gw_op2p_fifo completed, arrived, forward;
    uint8_t pool[GW_OP2P_NODE_ENTRIES / 8];
    gw_op2p_header outstanding[GW_OP2P_NODE_HELD];
    unsigned num_outstanding;
    gw_op2p_frame last;                 /* sent, for a retransmission; len 0: none */
    bool early_bad[GW_OP2P_NODE_HELD];  /* with link errors */
    uint32_t seen[GW_OP2P_NODE_BUFFER]; /* what earlier frames left lies beyond the last */
    unsigned num_held;
    unsigned num_early;
    gw_op2p_frame held[GW_OP2P_NODE_HELD];  /* from here on init clears nothing */
    gw_op2p_frame early[GW_OP2P_NODE_HELD]; /* came while we had halted the partner */
};

struct gw_op2p_node {
    const gw_op2p_mutation *mutation; /* without filters in the good board */
    gw_op2p_policy policy;
    bool reference; /* the dialect vhdl */
    gw_peer_out *out;
    int64_t now_ns;
    uint32_t *memory; /* GW_OP2P_NODE_BYTES / 4 double words */
    bool was_high;    /* the interrupt line, since that was forgotten, ... */
    bool was_low;
    bool was_raised;  /* ... and ever; ... */
    unsigned waiting; /* ... what the hosts had to read when it was last looked at */
    gw_op2p_port ports[GW_OP2P_NODE_PORTS];
    gw_regs regs;
};

/* gw_op2p_push appends |word|; false when the FIFO is full. gw_op2p_pop takes the oldest. */
bool gw_op2p_push(gw_op2p_fifo *f, uint32_t word);
uint32_t gw_op2p_pop(gw_op2p_fifo *f);

/* gw_op2p_watch_wires looks at the interrupt line. gw_op2p_read_wires reads the register at
 * |offset| of the area that shows it, gw_op2p_forget_wires forgets how it was. */
void gw_op2p_watch_wires(gw_op2p_node *n);
uint32_t gw_op2p_read_wires(gw_op2p_node *n, uint32_t offset);
void gw_op2p_forget_wires(gw_op2p_node *n);

/* gw_op2p_in_memory says whether |len| bytes at |address| lie in the buffer memory. */
bool gw_op2p_in_memory(uint32_t address, uint32_t len);

/* gw_op2p_load reads |len| bytes at |address| of the buffer memory, and wraps at its end. */
void gw_op2p_load(const gw_op2p_node *n, uint8_t *out, uint32_t address, uint32_t len);

/* gw_op2p_write_word writes the bits of |mask| of the double word at |address|. */
void gw_op2p_write_word(gw_op2p_node *n, uint32_t address, uint32_t value, uint32_t mask);

/* gw_op2p_lanes returns the bits of a double word that a byte enable selects: bit 0 selects bits
 * 7:0. */
uint32_t gw_op2p_lanes(uint8_t fbe);

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

/* gw_op2p_take_packet executes, answers or forwards a packet; false when it refuses it.
 * gw_op2p_write_payload writes its payload to memory, gw_op2p_send_completion answers it by |count|
 * bytes, gw_op2p_send_error by none. */
GW_MUST_USE bool gw_op2p_take_packet(const gw_op2p_job *job);
void gw_op2p_write_payload(const gw_op2p_job *job);
void gw_op2p_send_completion(const gw_op2p_job *job, uint16_t count);
void gw_op2p_send_error(const gw_op2p_job *job);

/* gw_op2p_port_packet takes a whole and undamaged PDU. */
void gw_op2p_port_packet(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_relieve lets the partner send again when pool and pointers have room. */
void gw_op2p_relieve(gw_op2p_node *n, gw_op2p_port *p);

/* gw_op2p_ask_again asks the partner to send the frame |pdu| once more, but not for ever. */
void gw_op2p_ask_again(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_forward stores a packet for another node in the pool and tells the host. */
void gw_op2p_forward(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_store_packet stores the |len| bytes of |pdu| in the pool, whatever they say. */
void gw_op2p_store_packet(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len);

/* gw_op2p_entry_at returns the entry of the pool that begins at |address|, or -1.
 * gw_op2p_entry_in_use says whether an entry is, gw_op2p_mark that it is, or is not. */
int gw_op2p_entry_at(const gw_op2p_port *p, uint32_t address);
bool gw_op2p_entry_in_use(const gw_op2p_port *p, unsigned entry);
void gw_op2p_mark(gw_op2p_port *p, unsigned entry, bool taken);

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
 * does. */
void gw_op2p_reference_packet(gw_op2p_node *n, gw_op2p_port *p, size_t len);

/* gw_op2p_read_port and gw_op2p_write_port are a port's registers, |address| from its first one. */
uint32_t gw_op2p_read_port(gw_op2p_node *n, gw_op2p_port *p, uint32_t address);
void gw_op2p_write_port(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value);

/* gw_op2p_read_register and gw_op2p_write_register are what lies behind the link "regs". */
bool gw_op2p_read_register(void *node, uint32_t address, uint32_t *value);
bool gw_op2p_write_register(void *node, uint32_t address, uint32_t value);

extern const gw_mutant gw_op2p_mutants[GW_OP2P_NUM_MUTANTS];
extern const gw_board gw_op2p_node_board;

#endif

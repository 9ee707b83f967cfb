/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the software TEXTAROSSA boards: a router between intra-node ports and links, built from
 * word FIFOs as the published design is, so that its faults can be had as well.
 *
 * textarossa-switch has the APElinks "x+" and "x-" (byte streams of 128-bit beats) and four ports
 * "port0".."port3", where a datagram is what a port's FIFOs hold of one packet: header, payload and
 * footer. textarossa-node has one link "net", which is the Ethernet port when it carries datagrams
 * and an APElink when it is a byte stream, and a task behind every port that sends payloads back.
 * Both serve the registers of goldwire/textarossa.h on the link "regs". */
#ifndef GOLDWIRE_FORMATS_TEXTAROSSA_BOARD_H
#define GOLDWIRE_FORMATS_TEXTAROSSA_BOARD_H

#include "boards/peer.h"
#include "formats/etherbone/slave/registers.h"
#include "formats/textarossa/mutants/mutation.h"
#include "goldwire/textarossa.h"

enum {
    GW_TX_DATA_DEPTH = 512, /* words of a data FIFO (rtl: 2^9) */
    GW_TX_HEADER_DEPTH = 128,
    GW_TX_PORTS = 4,
    GW_TX_LINKS = 2,
    GW_TX_INPUTS = GW_TX_PORTS + GW_TX_LINKS * GW_TX_NUM_VCS,
    GW_TX_OUTPUTS = GW_TX_PORTS + GW_TX_LINKS,
};

/* gw_tx_fifo holds words. Those behind |ready| belong to a packet that is not complete yet. */
typedef struct gw_tx_fifo {
    uint32_t reads; /* counters that the registers show */
    uint32_t writes;
    uint16_t depth;
    uint16_t first;
    uint16_t count;
    uint16_t ready;
    gw_tx_word words[GW_TX_DATA_DEPTH];
} gw_tx_fifo;

/* gw_tx_pair is where packets wait: headers and footers in one FIFO, payload in the other. */
struct gw_tx_pair {
    gw_tx_fifo header;
    gw_tx_fifo data;
};

/* States of a link's receiver, by the codes of LINK_x_STATUS_0[15:12] (rtl). */
typedef enum gw_tx_rx_state {
    GW_TX_RX_IDLE = 1,
    GW_TX_RX_START,
    GW_TX_RX_HEADER,
    GW_TX_RX_HEADER_CREDIT,
    GW_TX_RX_DATA,
    GW_TX_RX_DATA_CREDIT,
    GW_TX_RX_FOOTER,
    GW_TX_RX_FOOTER_CREDIT,
    GW_TX_RX_LOST, /* ours: what comes cannot be told until the next MAGIC and START */
} gw_tx_rx_state;

/* gw_tx_head is the packet at the head of a pair of FIFOs. */
struct gw_tx_head {
    gw_tx_pair *from;
    gw_tx_header header; /* as it goes on */
    uint32_t words;      /* of its payload */
    bool alone;          /* header only */
    unsigned output;     /* where it goes to: ports, then links */
};

struct gw_tx_link {
    uint8_t index;
    bool connected;
    bool stream;
    uint32_t conn;
    /* receiver */
    uint8_t state; /* gw_tx_rx_state */
    uint8_t beat[GW_TX_WORD];
    uint8_t beat_len;
    uint8_t vc;           /* that the packet being received goes to */
    bool fatal;           /* its header is */
    bool has_magic;       /* in state LOST: MAGIC was the last word */
    uint32_t words_left;  /* of its payload */
    uint32_t words_taken; /* of its payload */
    /* transmitter */
    gw_tx_credit theirs; /* the last credit */
    bool has_theirs;
    uint16_t sent_headers[GW_TX_NUM_VCS]; /* words since that credit */
    uint16_t sent_data[GW_TX_NUM_VCS];
    gw_tx_word told; /* the credit we sent last */
    bool has_told;
    /* counters */
    uint16_t single;
    uint16_t fatals;
    uint32_t tx_magic, tx_start, tx_headers, tx_footers;
    uint32_t rx_magic, rx_start, rx_headers, rx_footers;
    uint64_t tx_bytes, rx_bytes; /* of the Ethernet port, frames with check sequence */
    gw_tx_link_kept kept;
    gw_tx_pair rx[GW_TX_NUM_VCS]; /* the last: a reset leaves the words in them */
};

/* gw_tx_intra is an intra-node port. */
struct gw_tx_intra {
    bool connected; /* switch: somebody reads what is delivered */
    uint32_t conn;
    uint32_t exceptions;
    /* packet generator */
    bool generates;
    uint32_t to_generate;
    /* packet consumer */
    bool consumes;
    bool wrong;
    uint32_t consumed;
    gw_tx_pair rx; /* delivered; from here on a reset leaves words */
    gw_tx_pair tx; /* to be routed */
};

struct gw_tx_board {
    const gw_tx_mutation *mutation;
    gw_tx_policy policy;
    const gw_dialect *dialect;
    const gw_tx_dialect *d;
    gw_peer_out *out;
    int64_t now_ns;
    bool is_node;
    uint8_t num_links;
    uint8_t next_input[GW_TX_OUTPUTS]; /* round robin */
    uint32_t values[GW_TX_REGISTERS / 4];
    gw_endpoint partners[GW_PEER_MAX_CONNS]; /* node: who speaks to "net", by connection */
    uint32_t partner;                        /* who spoke last */
    bool has_partner;
    bool stalled; /* nothing is moved any more */
    gw_tx_kept kept;
    gw_tx_link links[GW_TX_LINKS]; /* what from here on init does not clear as a whole */
    gw_tx_intra ports[GW_TX_PORTS];
    gw_regs regs;
    uint8_t packet[GW_TX_DATAGRAM_MAX]; /* room for one datagram */
};

/* gw_tx_value returns the register at byte |offset| as it was written. */
static inline uint32_t gw_tx_value(const gw_tx_board *b, uint32_t offset)
{
    return b->values[offset / 4];
}

/* ---- board_fifo.c ---- */

void gw_tx_fifo_init(gw_tx_fifo *f, uint16_t depth);

/* gw_tx_pair_init empties both FIFOs and forgets their counters. */
void gw_tx_pair_init(gw_tx_pair *p);

/* gw_tx_fifo_put appends a word that does not count yet; false when there is no room. */
bool gw_tx_fifo_put(gw_tx_fifo *f, gw_tx_word word);

/* gw_tx_fifo_at returns word |i| < ready, and gw_tx_fifo_take the first one, which goes. */
gw_tx_word gw_tx_fifo_at(const gw_tx_fifo *f, unsigned i);
gw_tx_word gw_tx_fifo_take(gw_tx_fifo *f);

/* gw_tx_pair_commit makes what was put count; gw_tx_pair_abort takes it back. */
void gw_tx_pair_commit(gw_tx_pair *p);
void gw_tx_pair_abort(gw_tx_pair *p);

/* gw_tx_pair_has says whether there is room for a packet of |words| words of payload. */
bool gw_tx_pair_has(const gw_tx_pair *p, uint32_t words);

/* ---- textarossa_receive.c: an APElink's receiver ---- */

/* gw_tx_link_reset forgets what was half received and what the other side had room for. */
void gw_tx_link_reset(gw_tx_link *l);

/* gw_tx_link_receive takes bytes of the stream. */
void gw_tx_link_receive(gw_tx_board *b, gw_tx_link *l, const uint8_t *data, size_t len);

/* gw_tx_take_beat takes one beat of it. */
void gw_tx_take_beat(gw_tx_board *b, gw_tx_link *l, gw_tx_word word);

/* ---- textarossa_transmit.c: its transmitter ---- */

/* gw_tx_link_accepts says whether the other side has room for a packet (rtl; TX-L12).
 * gw_tx_link_never says that it never will (TX-S11). */
bool gw_tx_link_accepts(const gw_tx_board *b, const gw_tx_link *l, const gw_tx_head *h);
bool gw_tx_link_never(const gw_tx_board *b, uint32_t words);

/* gw_tx_link_send sends a packet whose header has been taken. */
void gw_tx_link_send(gw_tx_board *b, gw_tx_link *l, const gw_tx_head *h);

/* gw_tx_link_stuffs says whether credits interrupt packets. */
bool gw_tx_link_stuffs(const gw_tx_board *b);

/* gw_tx_link_credit returns the credit that is to be sent now. */
gw_tx_word gw_tx_link_credit(const gw_tx_board *b, gw_tx_link *l);

/* gw_tx_link_tell sends a credit, unless the last one said the same. */
void gw_tx_link_tell(gw_tx_board *b, gw_tx_link *l, bool always);

/* ---- board_router.c ---- */

/* gw_tx_run moves packets until nothing more can be moved. */
void gw_tx_run(gw_tx_board *b);

/* gw_tx_apelink returns the APElink behind |output|; NULL when that is a port, the Ethernet port,
 * or nothing. */
gw_tx_link *gw_tx_apelink(gw_tx_board *b, unsigned output);

/* gw_tx_move moves a packet to where it goes to; gw_tx_drop takes away what stands behind a header
 * that has been taken. */
void gw_tx_move(gw_tx_board *b, const gw_tx_head *h);
void gw_tx_drop(const gw_tx_head *h);

/* ---- textarossa_packet.c: packets as datagrams ---- */

/* gw_tx_packet_in puts a datagram's packet into |to|. False when it is none, or there is no room.
 */
bool gw_tx_packet_in(gw_tx_board *b, gw_tx_pair *to, const gw_peer_event *event);

/* gw_tx_read_packet reads in->p; false when the datagram is no packet (TX-N14). */
bool gw_tx_read_packet(gw_tx_incoming *in);

/* gw_tx_put_payload puts the payload of |p| into |f| as words. */
void gw_tx_put_payload(gw_tx_fifo *f, const gw_tx_packet *p);

/* gw_tx_packet_out lays a packet, whose header has been taken, into b->packet and returns its
 * length. */
size_t gw_tx_packet_out(gw_tx_board *b, const gw_tx_head *h);

/* ---- board_ethernet.c ---- */

/* gw_tx_ethernet_in takes a datagram of the Ethernet port. */
void gw_tx_ethernet_in(gw_tx_board *b, gw_tx_link *l, const gw_peer_event *event);

/* gw_tx_ethernet_out sends a packet to the address that its header names, if anybody is there. */
void gw_tx_ethernet_out(gw_tx_board *b, gw_tx_link *l, const gw_tx_head *h);

/* ---- textarossa_tasks.c: what lies behind a port ---- */

/* gw_tx_generate lets the packet generators put in what there is room for; true when anything was.
 */
bool gw_tx_generate(gw_tx_board *b);

/* gw_tx_deliver hands on what has come to port |i|: to the consumer, the task or the datagram link.
 * True when anything was. */
bool gw_tx_deliver(gw_tx_board *b, unsigned i);

/* gw_tx_send_datagram sends the first |len| bytes of b->packet from a switch's port |port|. */
void gw_tx_send_datagram(gw_tx_board *b, unsigned port, size_t len);

/* gw_tx_enable starts and stops generators and consumers as PERF_INTRANODE_CF now says. */
void gw_tx_enable(gw_tx_board *b);

/* ---- board_regs.c ---- */

/* gw_tx_reset brings registers and FIFOs to where a reset leaves them. */
void gw_tx_reset(gw_tx_board *b);

/* gw_tx_read_register and gw_tx_write_register are what lies behind the link "regs". */
bool gw_tx_read_register(void *board, uint32_t address, uint32_t *value);
bool gw_tx_write_register(void *board, uint32_t address, uint32_t value);

enum { GW_TX_NUM_NODE_MUTANTS = 99, GW_TX_NUM_SWITCH_MUTANTS = 56 };
extern const gw_mutant gw_tx_node_mutants[GW_TX_NUM_NODE_MUTANTS];
extern const gw_mutant gw_tx_switch_mutants[GW_TX_NUM_SWITCH_MUTANTS];
extern const gw_board gw_tx_node_board, gw_tx_switch_board;

#endif

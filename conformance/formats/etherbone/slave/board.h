/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the software EtherBone slave. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_SLAVE_BOARD_H
#define GOLDWIRE_FORMATS_ETHERBONE_SLAVE_BOARD_H

#include "boards/map.h"
#include "boards/peer.h"
#include "boards/wishbone.h"
#include "formats/etherbone/slave/mutants/mutation.h"
#include "goldwire/etherbone.h"

enum { GW_EB_NUM_SLAVE_MUTANTS = 107 };

#define GW_EB_SLAVE_REPLY_MAX 65536

/* Whoever sends datagrams from one address, or one connection. */
struct gw_eb_client {
    gw_wb_master master;
    uint64_t errors; /* results of the last bus operations, the newest in bit 0 */
    uint64_t msi;    /* config register 0x28 */
    void *stream;    /* state of gw_etherbone.stream, or a gw_eb_inbox; NULL for datagrams */
    uint8_t widths;  /* of the stream; 0 until agreed */
    bool started;    /* the stream's header has come */
    bool probed;     /* and it was a probe */
    bool answered;   /* the stream's own header has gone out */
    bool closing;
    bool cycle_open; /* the last record answered left the cycle open */
};

/* What the core of GSI and CERN has once for everybody. */
typedef struct gw_eb_gsi {
    uint64_t errors; /* results of the last bus operations */
    bool raised;     /* the cycle line is held up */
} gw_eb_gsi;

/* What has come over a connection of the C library's slave, and waits to be taken. */
typedef struct gw_eb_inbox {
    size_t len;
    uint8_t bytes[16392]; /* more than its longest record */
} gw_eb_inbox;

/* The connection in whose middle of a record or cycle the C library's slave stands. */
typedef struct gw_eb_library {
    bool waits; /* for the rest of it */
    uint32_t conn;
    uint8_t widths;
} gw_eb_library;

struct gw_eb_slave {
    const gw_eb_map *map;
    const gw_dialect *dialect;
    const gw_eb_dialect *ways; /* the dialect's data */
    const gw_mutant *mutant;   /* NULL: none */
    gw_wb_bus bus;
    gw_eb_client clients[GW_PEER_MAX_CONNS];
    gw_peer_out *out; /* of the present step, and ... */
    uint8_t link;     /* ... where it came from */
    bool hung;        /* nothing is taken or answered any more */
    gw_eb_policy policy;
    const gw_eb_mutation *mutation; /* without filters in the good board */
    gw_eb_kept kept;
    gw_eb_gsi gsi;
    gw_eb_library library;
    bool by_messages; /* the C library's slave */
    int64_t now_ns;
    uint8_t widths;                       /* offered ... */
    uint8_t executed;                     /* ... and executed */
    uint8_t reply[GW_EB_SLAVE_REPLY_MAX]; /* as it is written; the last, for init leaves it */
};

/* gw_eb_reply is the answer to one packet, or to some records of a stream, as it grows. */
struct gw_eb_reply {
    gw_eb_builder b;
    gw_eb_client *client;
    uint8_t request_flags; /* of the packet header; 0 in a stream */
    unsigned num_records;
};

/* gw_eb_execute does what |record| asks, writes before reads, and puts the results of its reads
 * into |values|. */
void gw_eb_execute(gw_eb_slave *s, gw_eb_client *client, const gw_eb_layout *layout,
                   const gw_eb_record *record, uint64_t values[255]);

/* gw_eb_perform does one operation, on the bus or in the config space. */
void gw_eb_perform(gw_eb_access *a);

/* gw_eb_end_cycle drops the cycle line of |client| where |why|, GW_EB_AT_CYC and its like, are
 * reasons to do so. */
void gw_eb_end_cycle(gw_eb_slave *s, gw_eb_client *client, uint8_t why);

/* gw_eb_reply_begin starts an answer with a header (of a packet, or of a stream that has not had
 * its own) or without. */
void gw_eb_reply_begin(gw_eb_slave *s, gw_eb_reply *reply, gw_eb_client *client, uint8_t widths,
                       uint8_t request_flags, bool with_header);

/* gw_eb_reply_record adds the answer to |record|. False when the reply is full: send it, begin
 * another and add again. */
GW_MUST_USE bool gw_eb_reply_record(gw_eb_slave *s, gw_eb_reply *reply, const gw_eb_record *record,
                                    const uint64_t values[255]);

/* gw_eb_reply_end finishes the answer and returns its length; 0 when there is nothing to send. */
size_t gw_eb_reply_end(gw_eb_slave *s, gw_eb_reply *reply);

/* gw_eb_probe_response writes the answer to a probe with |id| and returns its length, 16 at most.
 */
size_t gw_eb_probe_response(const gw_eb_slave *s, uint8_t out[16], uint32_t id);

/* gw_eb_slave_send sends the first |len| bytes of s->reply to client |conn|; 0 sends nothing. */
void gw_eb_slave_send(gw_eb_slave *s, uint32_t conn, size_t len);

/* gw_eb_slave_answer_probe answers a probe of client |conn|. */
void gw_eb_slave_answer_probe(gw_eb_slave *s, uint32_t conn, const gw_eb_header *header);

/* gw_eb_slave_accepts says whether a packet or stream with this header is for us. */
bool gw_eb_slave_accepts(gw_eb_slave *s, const gw_message *message, gw_eb_header *header);

/* gw_eb_slave_choose_widths returns the pair of widths to work with when header byte 3 is |asked|;
 * 0 when there is none. */
uint8_t gw_eb_slave_choose_widths(const gw_eb_slave *s, uint8_t asked);

/* gw_eb_slave_packet executes and answers one packet. */
void gw_eb_slave_packet(gw_eb_slave *s, uint32_t conn, const gw_message *packet);

/* gw_eb_slave_datagram takes one datagram, behind which |padding| bytes fill up its frame. */
void gw_eb_slave_datagram(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len,
                          size_t padding);

/* gw_eb_slave_gsi takes one datagram as the core of GSI and CERN does. */
void gw_eb_slave_gsi(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len,
                     size_t padding);

/* gw_eb_slave_litex takes one packet as LiteEth's core does. */
void gw_eb_slave_litex(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len);

/* gw_eb_slave_library_datagram takes one datagram as the C library does, gw_eb_slave_library_bytes
 * what one read of a connection brings; gw_eb_slave_library_closed is told of a connection's end.
 */
void gw_eb_slave_library_datagram(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len);
void gw_eb_slave_library_bytes(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len);
void gw_eb_slave_library_closed(gw_eb_slave *s, uint32_t conn);

/* gw_eb_slave_bytes takes bytes of a stream: executes and answers the records that are complete. */
void gw_eb_slave_bytes(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len);

/* gw_eb_slave_close ends a connection. */
void gw_eb_slave_close(gw_eb_slave *s, uint32_t conn);

/* gw_eb_slave_mutants lists the mutants, one for each fault. */
extern const gw_mutant gw_eb_slave_mutants[GW_EB_NUM_SLAVE_MUTANTS];

extern const gw_board gw_eb_slave_board;

#endif

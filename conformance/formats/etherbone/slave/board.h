/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the software EtherBone slave: its state, and the faults that its mutants have. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_SLAVE_BOARD_H
#define GOLDWIRE_FORMATS_ETHERBONE_SLAVE_BOARD_H

#include "boards/map.h"
#include "boards/peer.h"
#include "boards/wishbone.h"
#include "formats/etherbone/slave/mutation.h"
#include "goldwire/etherbone.h"

/* One bit a fault. Each is tested at one place, beside the code that does it right. */
typedef enum gw_eb_slave_fault {
    /* probes */
    FAULT_PROBE_EXECUTES_REST = 0,
    /* what is accepted */
    FAULT_ANY_MAGIC,
    FAULT_ANY_VERSION,
    FAULT_ANY_WIDTHS,
    FAULT_REFUSES_RESERVED,
    FAULT_HANGS_ON_TRUNCATED,
    FAULT_HANGS_ON_EMPTY,
    FAULT_HANGS_ON_SHORT,
    FAULT_EXECUTES_TRUNCATED,
    FAULT_FIRST_RECORD_ONLY,
    FAULT_NO_REASSEMBLY,
    FAULT_NO_CLOSE,
    FAULT_PROBE_ALONE,
    FAULT_STALLS,
    FAULT_TAKES_PADDING,
    FAULT_WHOLE_WORDS_ONLY,
    FAULT_HANGS_ON_HEADER,
    FAULT_CUTS_LONG_PACKETS,
    FAULT_HANGS_ON_BURST,
    FAULT_DROPS_IN_BURST,
    FAULT_MAGIC_ANYWHERE,
    FAULT_LATCHES_VERSION,
    FAULT_EMPTY_ENDS_PACKET,
    /* how it is executed */
    FAULT_READS_FIRST,
    FAULT_READS_BACKWARDS,
    FAULT_NO_STEP,
    FAULT_FIFO_STEPS,
    FAULT_WRONG_LANES,
    FAULT_DROPS_CYCLE,
    FAULT_KEEPS_CYCLE,
    FAULT_NO_ERROR_BIT,
    FAULT_CONFIG_SHIFTS,
    FAULT_SHORT_ERROR_REGISTER,
    FAULT_LITTLE_ENDIAN_CONFIG,
    FAULT_SDB_POINTER,
    FAULT_CONFIG_IS_BUS,
    FAULT_WFF_INVERTED,
    FAULT_ODD_WRITES,
    FAULT_ODD_READS,
    FAULT_DEEP_WRITES,
    FAULT_HANGS_ON_DEEP_READS,
    FAULT_WRITES_TWICE,
    FAULT_MIXED_RECORD,
    FAULT_EMPTY_FIFO_SHIFTS,
    FAULT_WRITES_ALL_LANES,
    FAULT_FIRST_LANES,
    FAULT_ILLEGAL_LANES_STAY,
    FAULT_WFF_STAYS,
    FAULT_ERROR_ENDS_CYCLE,
    FAULT_ODD_CONFIG_COUNTS,
    /* what is answered */
    FAULT_NO_NR,
    FAULT_OTHER_WIDTHS,
    FAULT_DIRTY_PADDING,
    FAULT_DIRTY_RESERVED,
    FAULT_CYC_LOST,
    FAULT_BCA_LOST,
    FAULT_RFF_LOST,
    FAULT_BYTE_ENABLE_FULL,
    FAULT_RETURN_ADDRESS_CUT,
    FAULT_COUNTS_SWAPPED,
    FAULT_LONG_REPLY,
    FAULT_ANSWERS_WRITES,
    FAULT_OBEYS_NR,
    FAULT_VALUE_AT_FRONT,
    FAULT_VERSION_2,
    FAULT_HEADER_EACH_REPLY,
    FAULT_BYTE_ENABLE_CUT,
    FAULT_SHORT_FILL,
    FAULT_EXTRA_RECORD,
    FAULT_PROBE_CUT,
    FAULT_ID_OF_RESPONSE,
    FAULT_REFUSED_WIDTHS_STAY,
    FAULT_REFUSED_ADDRESS_STAYS,
    FAULT_CONFIG_LATCHED,
    FAULT_ECHOES_ODD_WRITES,
    /* what shows in one place only */
    FAULT_WORDS_PACKED,
    FAULT_PAIRS_SWAPPED,
    FAULT_HALVES_SWAPPED,
    FAULT_POSTED_WRITES,
    FAULT_NARROW_WINDOW,
    FAULT_END_IS_CUT,
    FAULT_FILLS_WRITES,
    FAULT_SILENT_ERRORS,
    FAULT_WRITE_ERRORS_LOST,
    FAULT_PACKET_SHIFTS,
    FAULT_SDB_FLAG,
    FAULT_CONFIG_LOW_PART,
    FAULT_SILENT_MSI,
    FAULT_STREAM_TRAILER,
    FAULT_CLOSES_NARROW,
    GW_EB_NUM_SLAVE_FAULTS
} gw_eb_slave_fault;

enum { GW_EB_NUM_SLAVE_MUTANTS = 105 };

#define GW_EB_SLAVE_REPLY_MAX 65536

/* The wrong ways: what a mutant can take. */
#define GW_EB_SLAVE_WORDS_MAX 128   /* of one record */
#define GW_EB_SLAVE_PACKET_MAX 1280 /* bytes */
#define GW_EB_SLAVE_BURST_NS 5000   /* from one reply to the next */
#define GW_EB_SLAVE_QUEUE 4         /* records that read, of one packet */
#define GW_EB_SLAVE_WINDOW 0x100    /* of the bus, where narrow addresses point */

/* Whoever sends datagrams from one address, or one connection. */
typedef struct gw_eb_client {
    gw_wb_master master;
    uint64_t errors; /* results of the last bus operations, the newest in bit 0 */
    uint64_t msi;    /* config register 0x28 */
    void *stream;    /* state of gw_etherbone.stream; NULL for datagrams */
    uint8_t widths;  /* of the stream; 0 until agreed */
    bool started;    /* the stream's header has come */
    bool probed;     /* and it was a probe */
    bool answered;   /* the stream's own header has gone out */
    bool closing;
    bool cycle_open; /* the last record answered left the cycle open */
} gw_eb_client;

/* What refused packets leave behind in mutants, which the good board never looks at. */
typedef struct gw_eb_slave_left {
    uint8_t version; /* of the last probe; 0: none came */
    uint32_t id;     /* of the last probe response ... */
    bool has_id;     /* ... if one came */
    uint8_t widths;  /* of a packet that was refused ... */
    uint32_t conn;   /* ... and whose it was, ... */
    bool refused;    /* ... until the next reply */
    uint8_t lanes;   /* illegal byte enables of a record before, in this packet ... */
    bool has_lanes;  /* ... if there were any */
    uint8_t flags;   /* of a record that was cut off; 0: none */
    uint64_t config; /* the last word of the config space that was read, ... */
    bool latched;    /* ... which the next one will be, after a packet that was refused */
} gw_eb_slave_left;

/* A write that a mutant has put off. */
typedef struct gw_eb_posted {
    gw_eb_client *client; /* NULL: none */
    uint64_t address;
    uint64_t value;
    uint8_t byte_enable;
    uint8_t port;
    bool same_packet; /* nothing has come since */
} gw_eb_posted;

/* What the core of GSI and CERN has once for everybody. */
typedef struct gw_eb_gsi {
    uint64_t errors; /* results of the last bus operations */
    bool raised;     /* the cycle line is held up */
} gw_eb_gsi;

struct gw_eb_slave {
    const gw_eb_map *map;
    const gw_dialect *dialect;
    const gw_eb_dialect *ways; /* the dialect's data */
    const gw_mutant *mutant;   /* NULL: none */
    gw_wb_bus bus;
    gw_eb_client clients[GW_PEER_MAX_CONNS];
    gw_peer_out *out;       /* of the present step, and ... */
    uint8_t link;           /* ... where it came from */
    bool mute;              /* a mutant's silence about the present packet, ... */
    bool hung;              /* ... its end, or ... */
    bool stalled;           /* ... its wait for the rest of a record of ... */
    uint32_t stalled_by;    /* ... this client */
    unsigned num_bus_reads; /* of the packet so far */
    uint8_t first_lanes;    /* byte enables of the packet's first record that has any */
    gw_eb_slave_left left;
    const gw_eb_mutation *mutation; /* none of its filters is set in the good board */
    gw_eb_mutant_state kept;
    gw_eb_gsi gsi;
    gw_eb_posted posted;
    int64_t now_ns;
    int64_t replied_ns; /* the last reply, and ... */
    bool has_replied;   /* ... whether there was one */
    uint8_t widths;     /* supported */
    uint8_t reply[GW_EB_SLAVE_REPLY_MAX];
};

static inline bool gw_eb_faulty(const gw_eb_slave *s, gw_eb_slave_fault fault)
{
    return gw_mutant_has(s->mutant, fault);
}

/* gw_eb_reply is the answer to one packet, or to some records of a stream, as it grows. */
typedef struct gw_eb_reply {
    gw_eb_builder b;
    gw_eb_client *client;
    uint8_t request_flags; /* of the packet header; 0 in a stream */
    unsigned num_records;
} gw_eb_reply;

/* gw_eb_execute does what |record| asks, writes before reads, and puts the results of its reads
 * into |values|. */
void gw_eb_execute(gw_eb_slave *s, gw_eb_client *client, const gw_eb_layout *layout,
                   const gw_eb_record *record, uint64_t values[255]);

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

/* gw_eb_slave_clear_packet forgets what mutants know of the packet, or segment, before. */
void gw_eb_slave_clear_packet(gw_eb_slave *s);

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

/* gw_eb_slave_bytes takes bytes of a stream: executes and answers the records that are complete. */
void gw_eb_slave_bytes(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len);

/* gw_eb_slave_close ends a connection. */
void gw_eb_slave_close(gw_eb_slave *s, uint32_t conn);

/* gw_eb_slave_mutants lists the mutants, one for each fault. */
extern const gw_mutant gw_eb_slave_mutants[GW_EB_NUM_SLAVE_MUTANTS];

extern const gw_board gw_eb_slave_board;

#endif

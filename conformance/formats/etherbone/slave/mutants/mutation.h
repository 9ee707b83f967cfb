/* SPDX-License-Identifier: BSD-2-Clause */
/* How a mutant lies over the software EtherBone slave: a policy that is not the specification's,
 * and filters on what goes through the board. The board calls each hook, gw_eb_mutant_*, at one
 * place; without a filter there it changes nothing. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_SLAVE_MUTATION_H
#define GOLDWIRE_FORMATS_ETHERBONE_SLAVE_MUTATION_H

#include "goldwire/etherbone.h"

typedef struct gw_eb_slave gw_eb_slave;
typedef struct gw_eb_client gw_eb_client;
typedef struct gw_eb_reply gw_eb_reply;

/* Reasons to end a bus cycle. */
enum {
    GW_EB_AT_CYC = 1,
    GW_EB_AT_PACKET_END = 2,
    GW_EB_AT_RECORD_END = 4,
    GW_EB_AT_ERROR = 8,
};

/* What a mutant may not live through. */
typedef enum gw_eb_death {
    GW_EB_LIVES = 0,
    GW_EB_AT_SHORT_DATAGRAM,
    GW_EB_AT_HEADER_ALONE,
    GW_EB_AT_EMPTY_RECORD,
    GW_EB_AT_DEEP_RECORD,
    GW_EB_AT_CUT_RECORD,
    GW_EB_AT_BURST,
    GW_EB_AT_RESERVED_THIRD, /* reserved bits right behind a write and a read */
} gw_eb_death;

/* gw_eb_policy is what the specification lays down, in its own words. */
typedef struct gw_eb_policy {
    uint16_t magic_mask;     /* bits of the magic that must be right */
    uint16_t versions;       /* bit n: packets of version n are executed, ... */
    uint16_t probe_versions; /* ... probes of version n are answered */
    uint8_t refused_flags;   /* of a packet header */
    uint8_t offered_widths;  /* at most, in probe responses */
    uint8_t more_widths;     /* executed, though not offered */
    uint8_t narrowest_port;  /* of a stream; one with a narrower port is closed */
    uint8_t probe_response;  /* bytes; 0: none */
    bool probe_records;      /* records behind a probe are executed */
    bool closes_streams;     /* that come to nothing */
    bool header_each_reply;  /* of a stream, not only the first */
    bool reads_first;        /* of what a record asks */
    bool writes_all_lanes;   /* whatever the byte enables */
    uint8_t cycle_ends;      /* GW_EB_AT_CYC and its like */
    uint16_t narrow_page;    /* of the bus, where 8-bit addresses point */
    uint8_t read_error;      /* shifted into the error register by a read that fails, ... */
    uint8_t write_error;     /* ... by a write, ... */
    uint8_t config_shift;    /* ... and places for an operation of the config space, ... */
    uint8_t packet_shift;    /* ... for the end of a packet */
    uint64_t error_register; /* bits that it has */
    uint16_t sdb_offset;     /* of the SDB pointer, from the table */
    bool obeys_nr;           /* NR keeps reads from being answered */
    bool answers_nr;         /* records without reads in a packet with NR, ... */
    bool answers_writes;     /* ... and in one without */
} gw_eb_policy;

#define GW_EB_POLICY                                                                               \
    .magic_mask = 0xffff, .versions = 1u << GW_EB_VERSION, .probe_versions = 0xffff,               \
    .offered_widths = 0xff, .narrowest_port = GW_EB_8BIT, .probe_response = 8,                     \
    .closes_streams = true, .cycle_ends = GW_EB_AT_CYC | GW_EB_AT_PACKET_END, .read_error = 1,     \
    .write_error = 1, .error_register = UINT64_MAX

/* gw_eb_incoming is a datagram, or a segment of a stream. */
typedef struct gw_eb_incoming {
    gw_eb_slave *s;
    uint32_t conn;
    const uint8_t *data;
    size_t len;
    bool stream;
} gw_eb_incoming;

/* gw_eb_job is a record that is about to be executed, or, at the end of a packet, none. */
typedef struct gw_eb_job {
    gw_eb_slave *s;
    gw_eb_client *client;
    gw_eb_reader *r; /* stands behind the record */
    gw_eb_record *record;
} gw_eb_job;

/* gw_eb_access is one operation, on the bus or in the config space. */
typedef struct gw_eb_access {
    gw_eb_slave *s;
    gw_eb_client *client;
    const gw_eb_layout *layout;
    const gw_eb_record *record; /* that it is of */
    uint64_t address;
    uint64_t value;
    uint8_t byte_enable;
    uint8_t port;  /* bytes */
    uint8_t index; /* in its record */
    bool write;
    bool config;
    bool ok;
} gw_eb_access;

/* gw_eb_answer is what answers one record. */
typedef struct gw_eb_answer {
    const gw_eb_slave *s;
    const gw_eb_layout *layout;
    const gw_eb_record *request;
    uint8_t *data;
    size_t len;
} gw_eb_answer;

/* gw_eb_outgoing is what is about to be sent. */
typedef struct gw_eb_outgoing {
    gw_eb_slave *s;
    uint32_t conn;
    const uint8_t *data;
    size_t len;
    bool probe; /* it answers a probe */
} gw_eb_outgoing;

/* In: changes what comes in; false keeps it from the board. */
typedef bool gw_eb_in_filter(gw_eb_incoming *in);

/* Header: changes the header of a packet or stream, behind its magic. */
typedef void gw_eb_header_filter(gw_eb_slave *s, gw_eb_header *header);

/* Refused: is told what packet nothing comes of. */
typedef void gw_eb_refused_filter(gw_eb_slave *s, uint32_t conn, const gw_eb_header *header);

/* Record: changes a record before it is executed; false ends its packet there. */
typedef bool gw_eb_record_filter(gw_eb_job *job);

/* Access: stands in the place of gw_eb_perform, which it may call. */
typedef void gw_eb_access_filter(gw_eb_access *a);

/* Probe: changes a probe response. */
typedef void gw_eb_probe_filter(const gw_eb_slave *s, uint8_t response[8]);

/* Answer: changes what answers a record; it may become shorter. */
typedef void gw_eb_answer_filter(gw_eb_answer *answer);

/* Reply: changes the |len| bytes of s->reply and returns their new number. */
typedef size_t gw_eb_reply_filter(gw_eb_slave *s, const gw_eb_reply *reply, size_t len);

/* Send: changes what goes out, or whom it goes to, and returns how often it does. */
typedef unsigned gw_eb_send_filter(gw_eb_outgoing *out);

/* gw_eb_patch changes one byte: a filter for which no code is needed. */
typedef struct gw_eb_patch {
    uint8_t at;
    uint8_t clear; /* these bits first, ... */
    uint8_t flip;  /* ... then these */
} gw_eb_patch;

/* gw_eb_mutation is what a mutant does otherwise. */
typedef struct gw_eb_mutation {
    const gw_eb_policy *policy;
    gw_eb_death dead_after;
    gw_eb_patch record_patch; /* of the flags of records that come in */
    gw_eb_patch probe_patch;  /* of probe responses, ... */
    gw_eb_patch answer_patch; /* ... of records that go out, flags as the specification has them,
                                 ... */
    gw_eb_patch header_patch; /* ... and of their packets' headers */
    gw_eb_in_filter *in;
    gw_eb_header_filter *header;
    gw_eb_refused_filter *refused;
    gw_eb_record_filter *record;
    gw_eb_record_filter *end; /* behind the last record; true brings one more */
    gw_eb_access_filter *access;
    gw_eb_probe_filter *probe;
    gw_eb_answer_filter *answer;
    gw_eb_reply_filter *reply;
    gw_eb_reply_filter *silence; /* when there is nothing to reply: |len| is 0 */
    gw_eb_send_filter *send;
} gw_eb_mutation;

/* A record that waits. */
typedef struct gw_eb_held {
    gw_eb_client *client; /* NULL: none */
    gw_eb_layout layout;
    gw_eb_record record;
    uint8_t word[8];
    bool same_packet; /* nothing has come since */
    bool overtaken;
} gw_eb_held;

#define GW_EB_SLAVE_STALE_MAX 2048

/* gw_eb_kept is what a mutant remembers, and the good board never looks at. */
typedef struct gw_eb_kept {
    /* of this packet */
    gw_eb_incoming in;
    bool mute;              /* nothing is said about it */
    unsigned num_bus_reads; /* so far */
    uint8_t first_lanes;    /* byte enables of the first record that has any */
    uint8_t lanes;          /* illegal byte enables of a record before ... */
    bool has_lanes;         /* ... if there were any */
    /* of this record */
    bool late;     /* an empty FIFO was read */
    uint64_t pipe; /* the value read before */
    uint8_t words[GW_EB_RECORD_MAX];
    /* of what was refused */
    bool refused; /* nothing has gone out since; ... */
    uint32_t conn;
    uint8_t widths;
    uint32_t id; /* ... of the last probe response ... */
    bool has_id; /* ... if one came */
    bool latched;
    /* of earlier packets */
    uint8_t version;   /* to be said in probe responses */
    uint8_t cut_flags; /* of a record that was cut off, if it came last */
    uint64_t config;   /* the last word of the config space that was read */
    gw_eb_held held;
    uint8_t trail; /* of records: 1 behind one that wrote, 2 behind that and one that read */
    bool stalled;
    uint32_t stalled_by;
    int64_t replied_ns; /* the last reply, and ... */
    bool has_replied;   /* ... whether there was one */
    uint32_t first_client;
    bool has_first_client;
    size_t stale_len;
    uint8_t stale[GW_EB_SLAVE_STALE_MAX];
    uint8_t before[GW_EB_SLAVE_STALE_MAX];
} gw_eb_kept;

/* gw_eb_mutant_in filters what comes in. */
GW_MUST_USE bool gw_eb_mutant_in(gw_eb_incoming *in);

/* gw_eb_mutant_header filters a header. */
void gw_eb_mutant_header(gw_eb_slave *s, gw_eb_header *header);

/* gw_eb_mutant_refused tells that nothing comes of a packet. */
void gw_eb_mutant_refused(gw_eb_slave *s, uint32_t conn, const gw_eb_header *header);

/* gw_eb_mutant_next is gw_eb_next, filtered. */
GW_MUST_USE bool gw_eb_mutant_next(gw_eb_job job);

/* gw_eb_mutant_access is gw_eb_perform, filtered. */
void gw_eb_mutant_access(gw_eb_access *a);

/* gw_eb_mutant_probe filters a probe response. */
void gw_eb_mutant_probe(const gw_eb_slave *s, uint8_t response[8]);

/* gw_eb_mutant_answer filters what answers one record and returns its length. */
size_t gw_eb_mutant_answer(gw_eb_answer answer);

/* gw_eb_mutant_reply filters a reply and returns its length. */
size_t gw_eb_mutant_reply(gw_eb_slave *s, const gw_eb_reply *reply, size_t len);

/* gw_eb_mutant_send filters what goes out and returns how often it does. */
unsigned gw_eb_mutant_send(gw_eb_outgoing *out);

/* gw_eb_mutant_closed forgets what came from client |conn|. */
void gw_eb_mutant_closed(gw_eb_slave *s, uint32_t conn);

#endif

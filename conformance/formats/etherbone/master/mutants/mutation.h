/* SPDX-License-Identifier: BSD-2-Clause */
/* How a mutant lies over the software EtherBone master: a policy that is not the specification's,
 * and filters on what goes through the board. The board calls each hook, gw_eb_master_mutant_*, at
 * one place; without a filter there it changes nothing. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MASTER_MUTATION_H
#define GOLDWIRE_FORMATS_ETHERBONE_MASTER_MUTATION_H

#include "goldwire/etherbone.h"

typedef struct gw_eb_master gw_eb_master;
typedef struct gw_eb_slot gw_eb_slot;

#define GW_EB_MASTER_PACKET_MAX 1472 /* UDP payload that is not fragmented ... */
#define GW_EB_MASTER_WRONG_MAX 3072  /* ... and what a mutant may send all the same */

/* gw_eb_master_policy is what a master keeps to. */
typedef struct gw_eb_master_policy {
    unsigned probe_tries;      /* over UDP, until it gives up */
    unsigned probe_copies;     /* that it sends at once over UDP */
    unsigned long_probes_from; /* the try from which on a probe takes 12 bytes; 0: none */
    unsigned nr_from;          /* the try from which on packets say NR, reads or not; 0: none */
    uint8_t config_shift;      /* of addresses in the config space */
    bool heeds_offer;          /* uses widths that the slave has */
    bool heeds_sender;         /* hears only whom it has called */
    bool heeds_id;             /* of a probe response */
    bool heeds_return_address; /* of a reply */
    bool heeds_mode;           /* WFF of a reply fits RFF of its request */
    bool fixed_alone;          /* every reply is to set WFF */
    bool fresh_returns;        /* return addresses are no earlier try's */
    bool header_each_run;      /* of records in a stream */
    bool patient;              /* waits for a reply for ever */
} gw_eb_master_policy;

#define GW_EB_MASTER_POLICY                                                                        \
    .probe_tries = 3, .probe_copies = 1, .heeds_offer = true, .heeds_sender = true,                \
    .heeds_id = true, .heeds_return_address = true, .heeds_mode = true, .fresh_returns = true

/* What becomes of a record of a reply. */
typedef enum gw_eb_master_take {
    GW_EB_TAKE = 0,
    GW_EB_PASS_OVER,
    GW_EB_TAKE_AND_END, /* its packet ends there, ... */
    GW_EB_END,          /* ... or before it */
} gw_eb_master_take;

/* gw_eb_master_heard is a message that has come. */
typedef struct gw_eb_master_heard {
    gw_eb_master *m;
    const gw_message *message;
    const gw_eb_reader *r; /* stands behind |record| */
    const gw_eb_record *record;
    bool probe;   /* or the response to one */
    bool regular; /* it has a header that makes sense */
} gw_eb_master_heard;

/* In: changes a datagram of |len| bytes, for which there is room up to GW_EB_MASTER_PACKET_MAX, and
 * returns its new length. */
typedef size_t gw_eb_master_in_filter(gw_eb_master *m, uint8_t *data, size_t len);

/* Heard: is told of a message; false keeps it from the board. */
typedef bool gw_eb_master_heard_filter(const gw_eb_master_heard *heard);

/* Reply: decides about a record of a reply. */
typedef gw_eb_master_take gw_eb_master_reply_filter(const gw_eb_master_heard *heard);

/* Read: is told when all records of a message were read, with the last. */
typedef void gw_eb_master_read_filter(const gw_eb_master_heard *heard);

/* Id: returns the id that a probe response must carry. */
typedef uint32_t gw_eb_master_id_filter(uint32_t id);

/* Begin: changes the packet in m->builder behind its header. */
typedef void gw_eb_master_begin_filter(gw_eb_master *m);

/* Record: changes the record that was built at |record|. */
typedef void gw_eb_master_record_filter(const gw_eb_master *m, uint8_t *record);

/* End: adds to m->builder before its packet ends. */
typedef void gw_eb_master_end_filter(gw_eb_master *m);

/* Out: changes the |len| bytes of m->packet and returns their new number. */
typedef size_t gw_eb_master_out_filter(gw_eb_master *m, size_t len);

/* gw_eb_master_mutation is what a mutant does otherwise. */
typedef struct gw_eb_master_mutation {
    const gw_eb_master_policy *policy;
    uint8_t header_set; /* bits of byte 2 of packet headers, ... */
    uint8_t flags_set;  /* ... of the flags of records, as the specification has them, ... */
    uint8_t flags_clear;
    size_t packet_max; /* ... and bytes that a datagram may take; 0: as many as fit */
    gw_eb_master_in_filter *in;
    gw_eb_master_heard_filter *heard;
    gw_eb_master_reply_filter *reply;
    gw_eb_master_read_filter *read;
    gw_eb_master_id_filter *id;
    gw_eb_master_begin_filter *begin;
    gw_eb_master_record_filter *record;
    gw_eb_master_end_filter *end;
    gw_eb_master_out_filter *out;
} gw_eb_master_mutation;

/* gw_eb_master_kept is what a mutant remembers, and the good board never looks at. */
typedef struct gw_eb_master_kept {
    bool startled;     /* the last packet made no sense */
    bool was_startled; /* the one before */
    uint8_t header[4]; /* of the last packet that came */
    uint8_t copy[GW_EB_MASTER_PACKET_MAX];
} gw_eb_master_kept;

/* gw_eb_master_mutant_in filters a datagram. */
gw_message gw_eb_master_mutant_in(gw_eb_master *m, const uint8_t *data, size_t len);

/* gw_eb_master_mutant_heard filters what comes in. */
GW_MUST_USE bool gw_eb_master_mutant_heard(const gw_eb_master_heard *heard);

/* gw_eb_master_mutant_reply filters a record of a reply. */
gw_eb_master_take gw_eb_master_mutant_reply(const gw_eb_master_heard *heard);

/* gw_eb_master_mutant_read tells that a message was read to its end. */
void gw_eb_master_mutant_read(const gw_eb_master_heard *heard);

/* gw_eb_master_mutant_id filters the id that is waited for. */
uint32_t gw_eb_master_mutant_id(const gw_eb_master *m);

/* gw_eb_master_mutant_begin filters a packet that has begun, |header| says whether with one. */
void gw_eb_master_mutant_begin(gw_eb_master *m, bool header);

/* gw_eb_master_mutant_flags filters the flags of a record. */
uint8_t gw_eb_master_mutant_flags(const gw_eb_master *m, uint8_t flags);

/* gw_eb_master_mutant_record filters a record that was built. */
void gw_eb_master_mutant_record(const gw_eb_master *m, uint8_t *record);

/* gw_eb_master_mutant_end filters a packet that is about to end. */
void gw_eb_master_mutant_end(gw_eb_master *m);

/* gw_eb_master_mutant_out filters what goes out and returns its length. */
size_t gw_eb_master_mutant_out(gw_eb_master *m, size_t len);

#endif

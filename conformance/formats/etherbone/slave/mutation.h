/* SPDX-License-Identifier: BSD-2-Clause */
/* How a mutant lies over the software EtherBone slave: a policy that is not the specification's, or
 * filters on what goes through the board. The board calls each hook at one place; where the mutant
 * has no filter, the hook does nothing. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_SLAVE_MUTATION_H
#define GOLDWIRE_FORMATS_ETHERBONE_SLAVE_MUTATION_H

#include "goldwire/etherbone.h"

#define GW_EB_SLAVE_STALE_MAX 2048

typedef struct gw_eb_slave gw_eb_slave;

/* gw_eb_outgoing is what is about to be sent. */
typedef struct gw_eb_outgoing {
    uint32_t conn;
    const uint8_t *data;
    size_t len;
    bool probe; /* it answers a probe */
} gw_eb_outgoing;

/* A header filter changes a packet's header, or that of a stream, after its magic was right; false
 * refuses it. */
typedef bool gw_eb_header_filter(gw_eb_slave *s, gw_eb_header *header);

/* A probe filter changes a probe response of 8 bytes and returns its new length. */
typedef size_t gw_eb_probe_filter(const gw_eb_slave *s, uint8_t response[16]);

/* A send filter changes what goes out, or whom it goes to, and returns how often it does. */
typedef unsigned gw_eb_send_filter(gw_eb_slave *s, gw_eb_outgoing *out);

/* gw_eb_mutation is what a mutant does otherwise. */
typedef struct gw_eb_mutation {
    uint32_t arg; /* for filters that serve several mutants */
    gw_eb_header_filter *header;
    gw_eb_probe_filter *probe;
    gw_eb_send_filter *send;
} gw_eb_mutation;

/* gw_eb_mutant_state is what a mutant remembers, and the good board never looks at. */
typedef struct gw_eb_mutant_state {
    uint8_t version; /* to be said in probe responses */
    uint32_t first_client;
    bool has_first_client;
    size_t stale_len;
    uint8_t stale[GW_EB_SLAVE_STALE_MAX];
    uint8_t before[GW_EB_SLAVE_STALE_MAX];
} gw_eb_mutant_state;

/* gw_eb_mutant_header lets a packet's header through, or a stream's. */
bool gw_eb_mutant_header(gw_eb_slave *s, gw_eb_header *header);

/* gw_eb_mutant_probe filters a probe response and returns its length. */
size_t gw_eb_mutant_probe(const gw_eb_slave *s, uint8_t response[16]);

/* gw_eb_mutant_send filters what goes out and returns how often it does. */
unsigned gw_eb_mutant_send(gw_eb_slave *s, gw_eb_outgoing *out);

#endif

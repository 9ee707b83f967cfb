/* SPDX-License-Identifier: BSD-2-Clause */
/* Malformed packets for an EtherBone slave: datagrams that break a rule of the master's side. A
 * board has to survive each and to answer what follows as if it had never come. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MALFORMED_H
#define GOLDWIRE_FORMATS_ETHERBONE_MALFORMED_H

#include "formats/etherbone/suite.h"

/* GW_EBC_NUM_MALFORMED is how many there are. */
#define GW_EBC_NUM_MALFORMED 17

/* gw_ebc_send_malformed sends malformed packet |i| on |conn| and returns its number in the
 * evidence; 0 when it needs something that the board lacks, or that devices of the dialect do not
 * survive. |what| becomes its name. */
unsigned gw_ebc_send_malformed(gw_ctx *ctx, gw_connection *conn, unsigned i, const char **what);

/* gw_ebc_let_pass takes in what arrives on |conn| within the settle time, and forgets it. */
void gw_ebc_let_pass(gw_ctx *ctx, gw_connection *conn);

/* gw_ebc_inject_malformed sends packet |i| on the usual connection, passes over any answer and
 * makes sure that the board lives: the case fails with the rule about such packets when it does
 * not. It returns what was sent, or NULL. */
const char *gw_ebc_inject_malformed(gw_ctx *ctx, unsigned i);

/* gw_ebc_malformed_rule returns the rule of a board that does not survive malformed packet |i|. */
const char *gw_ebc_malformed_rule(unsigned i);

/* gw_ebc_set_reserved_bits sets every reserved bit of the packet header and of the first record of
 * |request|, and all bytes that pad the two. */
void gw_ebc_set_reserved_bits(gw_ctx *ctx, gw_ebc_request *request);

/* What a case that sends malformed packets builds on: a board that dies of them is charged once. */
#define GW_EBC_AFTER_MALFORMED                                                                     \
    "eb-s/read-answered", "eb-s/bad-magic", "eb-s/bad-version", "eb-s/short-datagram",             \
        "eb-s/truncated"

#endif

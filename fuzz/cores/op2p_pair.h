/* SPDX-License-Identifier: BSD-2-Clause */
/* An OP2P core and the software node, side by side: what is done to the one is done to the other,
 * one thing after the other, and each thing is over before the next, but for frames that follow
 * each other at once. */
#ifndef FUZZ_CORES_OP2P_PAIR_H
#define FUZZ_CORES_OP2P_PAIR_H

#include "cores/model.h"
#include "cores/op2p_judge.h"
#include "formats/op2p/node/board.h"

/* gw_fuzz_pair is the two. Zero it before gw_fuzz_pair_begin. */
typedef struct gw_fuzz_pair {
    gw_peer_out out; /* what the software node sends */
    gw_op2p_node *node;
    gw_fuzz_core core;
    gw_transport *links[GW_OP2P_NODE_PORTS];
    gw_transport *registers;
    uint16_t sequence[GW_OP2P_NODE_PORTS]; /* of what we send */
    unsigned link;            /* on which frames have been sent that nobody has waited for, ... */
    unsigned num;             /* ... so many, ... */
    size_t busy;              /* ... which keep the core busy for so many cycles */
    gw_op2p_judge *judges[2]; /* of the core, of the node */
    gw_op2p_said *said[2];    /* what they have sent since the last comparison */
} gw_fuzz_pair;

/* gw_fuzz_pair_begin switches both on. */
void gw_fuzz_pair_begin(gw_fuzz_pair *pair);

/* gw_fuzz_pair_send sends a tunnel datagram on link |link|, its number put right, lets both come to
 * rest, and holds the core to the rules, and to what the node made of it. */
void gw_fuzz_pair_send(gw_fuzz_pair *pair, unsigned link, gw_op2p_shim shim, const uint8_t *pdu,
                       size_t len);

/* gw_fuzz_pair_send_at_once sends a frame as gw_fuzz_pair_send does, and waits for nothing: the
 * next thing that is done does so. Frames that another one on the same link follows in this way are
 * to be reads and writes for the node itself, of which each is done before the next. */
void gw_fuzz_pair_send_at_once(gw_fuzz_pair *pair, unsigned link, const uint8_t *pdu, size_t len);

/* gw_fuzz_pair_write and gw_fuzz_pair_read access a register of both. */
void gw_fuzz_pair_write(gw_fuzz_pair *pair, uint32_t address, uint32_t value);
uint32_t gw_fuzz_pair_read(gw_fuzz_pair *pair, uint32_t address);

/* gw_fuzz_pair_rest waits long enough for the longest frame that nobody asked for, and compares. */
void gw_fuzz_pair_rest(gw_fuzz_pair *pair);

/* gw_fuzz_pair_end switches both off. */
void gw_fuzz_pair_end(gw_fuzz_pair *pair);

#endif

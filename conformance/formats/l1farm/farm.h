/* SPDX-License-Identifier: BSD-2-Clause */
/* The thesis' prototype: readout units in a chain, compute nodes, a decision unit, a tag generator,
 * and the network between them, under virtual time. The same boards that are served over sockets,
 * stepped one event at a time; nothing here decides where a fragment goes: descriptors and tags do.
 * The network is memory, or a UDP socket on 127.0.0.1 for each party; the clock is virtual in both,
 * so that a schedule of 810 ns can be kept and judged. */
#ifndef GOLDWIRE_FORMATS_L1FARM_FARM_H
#define GOLDWIRE_FORMATS_L1FARM_FARM_H

#include "formats/l1farm/board.h"

/* gw_l1_farm_setup is what shall run. */
typedef struct gw_l1_farm_setup {
    unsigned events;            /* tags that the generator sends */
    unsigned lose;              /* every so many fragments one is lost; 0: none */
    bool loopback;              /* what arrives has crossed the kernel */
    const gw_mutant *ru_mutant; /* of the second readout unit; NULL: none */
    const gw_mutant *cn_mutant; /* of node 5 */
    const gw_mutant *du_mutant;
} gw_l1_farm_setup;

/* gw_l1_farm_totals is what the boards say at the end. */
typedef struct gw_l1_farm_totals {
    uint64_t fragments, lost, results, decisions;
    uint64_t ntries, nallok, nnext; /* of all nodes */
    uint32_t timeouts, late;        /* of the decision unit */
    uint32_t tags[GW_L1_UNITS];
    int64_t took_ns; /* of virtual time */
    bool stopped;    /* before its end: gw_stopped */
    bool cut_off;    /* loopback lost something: the rest means nothing */
} gw_l1_farm_totals;

/* gw_l1_farm_fn gets every datagram when it arrives, with addresses and time; it lives during the
 * call. */
typedef void (*gw_l1_farm_fn)(void *ctx, const gw_message *message);

/* gw_l1_farm_run runs a farm from a start to silence, or until gw_stopped. False, with a text in
 * |why|, when memory is short, or loopback lost something. */
GW_MUST_USE bool gw_l1_farm_run(const gw_l1_farm_setup *setup, gw_l1_farm_fn fn, void *ctx,
                                gw_l1_farm_totals *totals, char *why, size_t why_cap);

#endif

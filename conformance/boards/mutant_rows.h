/* SPDX-License-Identifier: BSD-2-Clause */
/* What rows of mutants are written with. The includer, a table and nothing else, says first what
 * its board's mutations are: GW_ROW_MUTATION their type, where they are more than a policy,
 * GW_ROW_POLICY that of a policy, GW_ROW_GOOD the members of the good board's, GW_ROW_FILTER(name)
 * the function of a filter. */
#ifndef GOLDWIRE_BOARDS_MUTANT_ROWS_H
#define GOLDWIRE_BOARDS_MUTANT_ROWS_H

#include "boards/peer.h"
#include "harness/ether.h"

#pragma GCC diagnostic ignored "-Woverride-init" /* that is what POLICY does */

/* RULES lists what a mutant breaks, the rule first that it was made for. */
#define RULES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* MUTATION lays its members over the board, POLICY those of the good board's policy that differ. */
#define MUTATION(...)                                                                              \
    .mutation = &(const GW_ROW_MUTATION)                                                           \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define OTHERWISE(...)                                                                             \
    &(const GW_ROW_POLICY)                                                                         \
    {                                                                                              \
        GW_ROW_GOOD, __VA_ARGS__                                                                   \
    }
#ifdef GW_ROW_MUTATION
#define POLICY(...) MUTATION(.policy = OTHERWISE(__VA_ARGS__))
#else
#define POLICY(...) .mutation = OTHERWISE(__VA_ARGS__)
#endif

/* FILTER puts a function into |stage|; PATCH changes byte |at| there: bits that are cleared, then
 * bits that are flipped. WIRE is a fault of the Ethernet port. */
#define FILTER(stage, name) MUTATION(.stage = GW_ROW_FILTER(name))
#define PATCH(stage, at, clear, flip) MUTATION(.stage##_patch = {at, clear, flip})
#define WIRE(name) .wire = GW_ETHER_BIT(name)

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The suite for a readout unit of the Level-1 farm. */
#include "formats/l1farm/ru/suite.h"

static const gw_case *const ru_groups[] = {gw_l1_d, gw_l1_d_blocks, gw_l1_g, gw_l1_g_disturbed,
                                           gw_l1_x};

static const gw_exception ru_exceptions[] = {
    {"L1-S01", GW_BOTH_WAYS,
     "The SCI card behind the unit makes the packets; the tunnel has the bursts that go into "
     "them."},
    {"L1-S02", GW_BOTH_WAYS, "How much of a burst the card puts into one packet is its affair."},
    {"L1-S03", GW_BOTH_WAYS, "Echoes and special packets never leave their ringlet."},
    {"L1-S04", GW_BOTH_WAYS,
     "The card computes the CRC, by a polynomial that no public source confirms."},
    {"L1-S05", GW_BOTH_WAYS,
     "The card gives transactions their IDs; bursts in the tunnel have none."},
    {"L1-S06", GW_BOTH_WAYS,
     "Echoes are given and taken on the ringlet; a datagram that is lost here is lost."},
    {"L1-S07", GW_BOTH_WAYS,
     "A burst in the tunnel gets no response; which moves the card uses, and their codes, no "
     "public "
     "source tells."},
    {"L1-S08", GW_BOTH_WAYS,
     "A unit gets nothing whose order is free: tags stand in line. Nodes are tried "
     "(l1-s/any-order)."},
    {"L1-S09", GW_BOTH_WAYS, "Idle symbols are seen by a tracer on the ringlet alone."},
    {"L1-S10", GW_BOTH_WAYS,
     "The scrubber is a node of its own, and nothing circulates in a tunnel."},
    {"L1-S11", GW_BOTH_WAYS,
     "A receive queue cannot be looked into, and busy echoes stay outside."},
    {"L1-S12", GW_BOTH_WAYS,
     "A requirement on whoever shows packets; goldwire's decoder is tested."},
    {"L1-S13", GW_BOTH_WAYS, "It is about nodes between two ringlets, which a unit is not."},
    {"L1-S14", GW_BOTH_WAYS,
     "The bridge between the unit's bus and the ringlet cuts bursts at the edges of its blocks."},
    {"L1-X05", GW_BOTH_WAYS,
     "A tag every 900 ns is more than a host sends datagrams, retries show on the PCI bus alone, "
     "and there is no core of a unit to be simulated."},
};

const gw_suite gw_l1_ru_suite = {
    GW_L1C_SUITE("l1-ru", GW_LIST("L1-D", "L1-G", "L1-S", "L1-X", "L1-E03"), ru_groups,
                 gw_l1c_ru_state, gw_l1c_ru_alive, gw_l1c_ru_pair),
    .loads = &gw_l1_ru_loads,
    .exceptions = ru_exceptions,
    .num_exceptions = GW_ARRAY_LEN(ru_exceptions),
};

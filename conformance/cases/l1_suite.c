/* SPDX-License-Identifier: BSD-2-Clause */
/* The suites for the Level-1 farm's boards. */
#include <stdio.h>

#include "cases/l1_ru.h"

static const gw_case *const ru_groups[] = {gw_l1_d, gw_l1_d_blocks, gw_l1_g, gw_l1_g_disturbed,
                                           gw_l1_x};
static const gw_case *const cn_groups[] = {gw_l1_e, gw_l1_e_order, gw_l1_r, gw_l1_r_disturbed};
static const gw_case *const du_groups[] = {gw_l1_u, gw_l1_u_farm};

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
     "A tag every 900 ns is beyond what datagrams can drive, and retries show on the PCI bus "
     "alone."},
};

static const gw_exception cn_exceptions[] = {
    {"L1-E07", GW_BOTH_WAYS,
     "Detector data come from readout units; `goldwire check' finds them broken."},
};

/* The cases write mock-up words, which a node for real detector data cannot make anything of. */
static bool plays_mock_ups(const gw_dialect *dialect, bool stream, char *why, size_t why_cap)
{
    (void)stream;
    if (!gw_l1_profile_of(dialect)->ode)
        return true;
    (void)snprintf(why, why_cap,
                   "the cases for a compute node write mock-up events, and this dialect has real "
                   "ones; use the dialect that the node has for its tests");
    return false;
}

#define SUITE(role_, families_, groups_, state_, alive_, pair_)                                    \
    .role = (role_), .format = &gw_l1farm, .families = (families_), .groups = (groups_),           \
    .num_groups = GW_ARRAY_LEN(groups_), .state_size = sizeof(state_), .begin = gw_l1c_begin,      \
    .alive = (alive_), .pair = (pair_), .has = gw_l1c_has, .show = gw_l1c_show,                    \
    .identify = gw_l1c_identify

const gw_suite gw_l1_ru_suite = {
    SUITE("l1-ru", GW_LIST("L1-D", "L1-G", "L1-S", "L1-X", "L1-E03"), ru_groups, gw_l1c_ru_state,
          gw_l1c_ru_alive, gw_l1c_ru_pair),
    .exceptions = ru_exceptions,
    .num_exceptions = GW_ARRAY_LEN(ru_exceptions),
};

const gw_suite gw_l1_cn_suite = {
    SUITE("l1-cn", GW_LIST("L1-E", "L1-R", "L1-S08"), cn_groups, gw_l1c_state, gw_l1c_cn_alive,
          gw_l1c_pair),
    .exceptions = cn_exceptions,
    .num_exceptions = GW_ARRAY_LEN(cn_exceptions),
    .accepts = plays_mock_ups,
};

const gw_suite gw_l1_du_suite = {
    SUITE("l1-du", GW_LIST("L1-U"), du_groups, gw_l1c_state, gw_l1c_du_alive, gw_l1c_du_pair),
};

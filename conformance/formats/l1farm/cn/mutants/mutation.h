/* SPDX-License-Identifier: BSD-2-Clause */
/* How a mutant lies over the software compute node: by a policy that is not the thesis', and by
 * filters in the place of what the good board does, each called at one place. */
#ifndef GOLDWIRE_FORMATS_L1FARM_CN_MUTATION_H
#define GOLDWIRE_FORMATS_L1FARM_CN_MUTATION_H

#include "goldwire/l1farm.h"

enum { GW_L1_CN_NUM_MUTANTS = 25 };

typedef struct gw_l1_cn gw_l1_cn;

/* gw_l1_cn_policy is what the thesis lays down. In "statuses" bit n is status n. */
typedef struct gw_l1_cn_policy {
    uint16_t node_mask; /* bits of a fragment's node that are compared with ours */
    uint8_t units;      /* readout units whose slots are looked at, ... */
    uint8_t words;      /* ... and words of each: the first, the last */
    uint32_t modulo;    /* bits of a difference of TagIDs that count */
    bool watches;       /* whether the buffer is written to meanwhile */
    uint16_t lost;      /* status of a buffer whose slots are a lap apart, ... */
    uint16_t mismatch;  /* ... and of one whose slots differ otherwise */
    int64_t delay_ns;   /* of the result, behind the check */
    uint8_t tried;      /* statuses that Ntries counts, ... */
    uint8_t allok;      /* ... and Nallok */
    uint8_t tag_of;     /* 0: the TagID told is that of the buffer looked at, 1: of the other */
    uint16_t rsv[4];    /* reserved bits of a result, by its status */
    uint8_t results;    /* that are sent of a buffer */
    void (*take)(gw_l1_cn *n, gw_l1_unit *u); /* takes what came over "in" */
    uint16_t (*look)(gw_l1_cn *n);            /* returns the status of the buffer |next| */
} gw_l1_cn_policy;

#define GW_L1_CN_POLICY                                                                            \
    .node_mask = UINT16_MAX, .units = GW_L1_UNITS, .words = 2, .watches = true, .modulo = 0xffff,  \
    .lost = GW_L1_UNDERSTOOD, .mismatch = GW_L1_MISMATCH, .tried = 0xff,                           \
    .allok = 1u << GW_L1_CORRECT, .results = 1, .take = gw_l1_cn_take, .look = gw_l1_cn_look

#endif

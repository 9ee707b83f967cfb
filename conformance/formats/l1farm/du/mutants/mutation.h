/* SPDX-License-Identifier: BSD-2-Clause */
/* How a mutant lies over the software decision unit: by a policy that is not the thesis', and by
 * filters in the place of what the good board does, each called at one place. */
#ifndef GOLDWIRE_FORMATS_L1FARM_DU_MUTATION_H
#define GOLDWIRE_FORMATS_L1FARM_DU_MUTATION_H

#include "boards/peer.h"
#include "goldwire/l1farm.h"

enum { GW_L1_DU_NUM_MUTANTS = 17 };

typedef struct gw_l1_du gw_l1_du;
typedef struct gw_l1_du_event gw_l1_du_event;

/* gw_l1_du_policy is what the thesis lays down. */
typedef struct gw_l1_du_policy {
    int64_t delay_ns; /* from a result to its decision */
    uint32_t nodes;   /* whose results are taken */
    uint8_t early;    /* slots ahead of the read pointer; those further ahead are behind it: late */
    uint8_t times[2]; /* that a time-out is sent, and a decision */
    int64_t (*step)(gw_l1_du *d, const gw_peer_event *event, int64_t now_ns);
    bool (*read)(gw_l1_unit *u, const gw_peer_event *event, const gw_dialect *dialect);
    void (*take)(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns);  /* does what it says, ... */
    void (*enter)(gw_l1_du *d, const gw_l1_shim *s, int64_t now_ns); /* ... that an event entered */
    void (*pass_slot)(gw_l1_du *d, int64_t now_ns); /* to which nothing came in time */
    void (*send)(gw_l1_du *d, const gw_l1_du_event *e,
                 const gw_l1_shim *s); /* sends |s|, about |e| */
} gw_l1_du_policy;

#define GW_L1_DU_POLICY                                                                            \
    .nodes = UINT32_MAX, .early = GW_L1_DU_SLOTS / 2, .times = {1, 1}, .step = gw_l1_du_step,      \
    .read = gw_l1_read, .take = gw_l1_du_take, .enter = gw_l1_du_enter,                            \
    .pass_slot = gw_l1_du_pass_slot, .send = gw_l1_du_send

#endif

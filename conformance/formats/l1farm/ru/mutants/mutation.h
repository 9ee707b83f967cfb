/* SPDX-License-Identifier: BSD-2-Clause */
/* How a mutant lies over the software readout unit: by a policy that is not the thesis', and by
 * filters in the place of what the good board does, each called at one place. */
#ifndef GOLDWIRE_FORMATS_L1FARM_RU_MUTATION_H
#define GOLDWIRE_FORMATS_L1FARM_RU_MUTATION_H

#include "goldwire/l1farm.h"

enum { GW_L1_RU_NUM_MUTANTS = 38 };

typedef struct gw_l1_ru gw_l1_ru;

typedef void gw_l1_ru_take_filter(gw_l1_ru *r, const gw_l1_unit *u);
typedef void gw_l1_ru_write_filter(gw_l1_ru *r, const gw_l1_register *reg);
typedef void gw_l1_ru_busy_filter(gw_l1_ru *r, bool busy);
typedef uint32_t gw_l1_ru_descriptor_filter(const gw_l1_ru *r, uint16_t dest);
typedef uint32_t gw_l1_ru_encode_filter(uint16_t dest, gw_l1_code code);
typedef uint32_t gw_l1_ru_transfers_filter(const gw_l1_ru *r);
typedef void gw_l1_ru_block_filter(gw_l1_ru *r, uint32_t target, uint64_t bytes);
typedef uint32_t gw_l1_ru_burst_filter(gw_l1_ru *r, uint32_t target, uint32_t at, uint32_t len);
typedef void gw_l1_ru_do_filter(gw_l1_ru *r);

/* gw_l1_ru_policy is what the thesis lays down. */
typedef struct gw_l1_ru_policy {
    uint32_t control; /* bits of DMACNTRL that are not reserved, ... */
    uint32_t clears;  /* ... and those that are looked at for Clear, which alone may be set */
    uint32_t split;   /* most bytes of a block that is split */
    uint16_t index;   /* bits of an event word's index that count */
    uint8_t counts;   /* by which a tag advances TAGS */
    uint8_t forwards; /* times that a tag goes to the next unit, ... */
    uint8_t steps;    /* ... and time steps until it does, if it is coded */
    gw_l1_ru_take_filter *take;             /* does what came asks for, ... */
    gw_l1_ru_write_filter *write;           /* ... which is a register's new value, ... */
    gw_l1_ru_take_filter *follow;           /* ... a coded tag that is right by now, ... */
    gw_l1_ru_do_filter *discard;            /* ... a pulse while another tag is held, ... */
    gw_l1_ru_busy_filter *next_busy;        /* ... or an edge of BIn */
    gw_l1_ru_descriptor_filter *descriptor; /* returns that of a destination */
    gw_l1_ru_encode_filter *encode;         /* returns a tag's word */
    gw_l1_ru_do_filter *clear;
    gw_l1_ru_transfers_filter *transfers; /* returns how many a trigger begins */
    gw_l1_ru_do_filter *advance;          /* moves DP on */
    gw_l1_ru_block_filter *block;         /* sends a block ... */
    gw_l1_ru_burst_filter *burst;         /* ... and the next burst of one */
} gw_l1_ru_policy;

#define GW_L1_RU_POLICY                                                                            \
    .control = ~GW_L1_DMA_RESERVED, .clears = GW_L1_DMA_CLEAR, .split = UINT32_MAX,                \
    .index = UINT16_MAX, .counts = 1, .forwards = 1, .steps = 1, .take = gw_l1_ru_take,            \
    .write = gw_l1_ru_write, .follow = gw_l1_ru_follow, .discard = gw_l1_ru_discard,               \
    .next_busy = gw_l1_ru_next_busy, .descriptor = gw_l1_ru_descriptor,                            \
    .encode = gw_l1_tag_encode, .clear = gw_l1_ru_clear, .transfers = gw_l1_ru_transfers,          \
    .advance = gw_l1_ru_advance, .block = gw_l1_ru_block, .burst = gw_l1_ru_burst

#endif

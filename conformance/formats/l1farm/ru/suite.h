/* SPDX-License-Identifier: BSD-2-Clause */
/* What the cases for a readout unit share. goldwire is the unit before it, over the link "in", and
 * over "out" the compute nodes and the unit behind it. The line BIn of that one is driven over
 * "in", so that it keeps its place among the tags. */
#ifndef GOLDWIRE_FORMATS_L1FARM_RU_SUITE_H
#define GOLDWIRE_FORMATS_L1FARM_RU_SUITE_H

#include "formats/l1farm/suite.h"

#define GW_L1R_NODE 10    /* that descriptor 0 leads to; the others follow */
#define GW_L1R_SLOT 0x100 /* where in a buffer */

/* gw_l1c_ru_state is kept from case to case. */
typedef struct gw_l1c_ru_state {
    gw_l1c_state common; /* first */
    gw_l1c_got aside;    /* came before what it was to follow, over a path that may do that ... */
    bool has_aside;
    uint64_t session[65536]; /* what judges a schedule */
} gw_l1c_ru_state;

/* DMACNTRL: each tag starts one transfer. */
#define GW_L1R_ONE_A_TAG (GW_L1_DMA_TAGNET | UINT32_C(1) << GW_L1_DMA_TRANSFERS_SHIFT)

/* gw_l1r_write writes a register of BAR 0; gw_l1r_read reads one, inconclusive when none comes. */
void gw_l1r_write(gw_ctx *ctx, uint16_t offset, uint32_t value);
uint32_t gw_l1r_read(gw_ctx *ctx, uint16_t offset);

/* gw_l1r_describe writes descriptor |which|: |bytes| to |target|. */
void gw_l1r_describe(gw_ctx *ctx, unsigned which, uint32_t target, uint32_t bytes);

/* gw_l1r_times returns how often to write |num| descriptors: nothing acknowledges them. */
unsigned gw_l1r_times(gw_ctx *ctx, unsigned num);

/* gw_l1r_set_up clears the unit and gives it |num| descriptors of |bytes| each; every tag shall do
 * what |control| says. */
void gw_l1r_set_up(gw_ctx *ctx, unsigned num, uint32_t bytes, uint32_t control);

/* gw_l1r_run_out takes what the unit sent before it was told to stop. */
void gw_l1r_run_out(gw_ctx *ctx);

/* What makes a good unit go on after gw_l1r_run_out: the write that stops it, or the reading behind
 * that, got lost. How many bursts there were before does not matter. */
#define GW_L1R_STOP 4

/* gw_l1r_line sends an edge of a tag line, over "in". */
void gw_l1r_line(gw_ctx *ctx, uint8_t which, uint8_t edge);

/* gw_l1r_pulse sends a tag; gw_l1r_pulse_at in time step |step|. */
void gw_l1r_pulse(gw_ctx *ctx);
void gw_l1r_pulse_at(gw_ctx *ctx, uint32_t step);

/* gw_l1r_coded sends a coded tag with the bits |flips| wrong. */
void gw_l1r_coded(gw_ctx *ctx, uint16_t dest, uint32_t flips, uint32_t step);

/* gw_l1r_next waits for the next datagram of |kind|; others are left out. */
bool gw_l1r_next(gw_ctx *ctx, gw_l1c_got *got, uint8_t kind, int64_t timeout_ns);

/* gw_l1r_expect_burst wants the burst of descriptor |which|, |len| bytes, event |event|. */
void gw_l1r_expect_burst(gw_ctx *ctx, gw_l1c_got *got, const char *rule, unsigned which,
                         uint32_t len, uint16_t event);

/* gw_l1r_want_burst wants |got| to be that burst. */
void gw_l1r_want_burst(gw_ctx *ctx, const gw_l1c_got *got, const char *rule, unsigned which,
                       uint32_t len, uint16_t event);

/* gw_l1r_count returns how many bursts come until it is quiet, |most| at the most. */
unsigned gw_l1r_count(gw_ctx *ctx, unsigned most);

/* gw_l1r_is_edge says whether |got| is that edge. */
bool gw_l1r_is_edge(const gw_l1c_got *got, uint8_t which, uint8_t edge);

/* gw_l1r_no_burst fails with |rule| when a burst comes within the settle time. */
void gw_l1r_no_burst(gw_ctx *ctx, const char *rule, const char *after);

extern const gw_case gw_l1_d_blocks[], gw_l1_g_disturbed[], gw_l1_x[];

#endif

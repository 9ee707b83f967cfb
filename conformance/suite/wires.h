/* SPDX-License-Identifier: BSD-2-Clause */
/* Wires of a board that no packet shows, an interrupt for instance, where the lab or a testbench
 * (fpga_harness/hdl/gw_wires.sv) has made registers of them beside the board's own: the board
 * file's area of type wires, on the link "regs". */
#ifndef GOLDWIRE_SUITE_WIRES_H
#define GOLDWIRE_SUITE_WIRES_H

#include "run/case.h"

#define GW_WIRES_BYTES 16
#define GW_WIRE_INTERRUPT 1u /* the wire in bit 0, of roles that have one */

/* gw_wires is what is seen of up to 32 wires. */
typedef struct gw_wires {
    uint32_t level;   /* now */
    uint32_t high;    /* those that were 1 since gw_wires_forget, ... */
    uint32_t low;     /* ... that were 0, ... */
    uint32_t unknown; /* ... and that were neither */
} gw_wires;

/* gw_wires_there says whether anybody sees the board's wires; if not, |why| says what is missing.
 */
bool gw_wires_there(const gw_ctx *ctx, char *why, size_t why_cap);

/* gw_wires_look returns how the wires are, and were. A case whose registers do not answer is
 * inconclusive, as with gw_regs_read. */
gw_wires gw_wires_look(gw_ctx *ctx);

/* gw_wires_forget forgets how the wires were. */
void gw_wires_forget(gw_ctx *ctx);

#endif

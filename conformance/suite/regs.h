/* SPDX-License-Identifier: BSD-2-Clause */
/* A board's registers, as cases reach them: over EtherBone on the link "regs". */
#ifndef GOLDWIRE_SUITE_REGS_H
#define GOLDWIRE_SUITE_REGS_H

#include "run/case.h"
#include "suite/regs_wire.h"

/* gw_regs_place returns the bus address of the register at |offset| of the role's map: where the
 * board file puts that register, or else so far from its base. */
uint32_t gw_regs_place(const gw_ctx *ctx, uint32_t offset);

/* gw_regs_try_write writes the 32-bit register at |offset|, and returns when the board has
 * acknowledged. False when it answered with a bus error. A case whose board has no link "regs" does
 * not apply; one whose registers do not answer within gw_case_reply_ns is inconclusive. */
GW_MUST_USE bool gw_regs_try_write(gw_ctx *ctx, uint32_t offset, uint32_t value);

/* An access that gets no answer is made again when that does no harm, as far as the map tells: of
 * what takes something out of a queue, or gives a command, nobody knows whether it was executed. */

/* gw_regs_read returns the register at |offset|; a bus error makes the case inconclusive. */
uint32_t gw_regs_read(gw_ctx *ctx, uint32_t offset);

/* gw_regs_write writes it; a bus error makes the case inconclusive. */
void gw_regs_write(gw_ctx *ctx, uint32_t offset, uint32_t value);

/* gw_regs_pair reads the register at |offset| twice, back to back, and says what became of the two
 * (gw_suite.pair). */
gw_pair gw_regs_pair(gw_ctx *ctx, uint32_t offset, int64_t timeout_ns);

/* gw_regs_push writes it once; false when nobody answered, so that nobody knows whether it was
 * executed. */
GW_MUST_USE bool gw_regs_push(gw_ctx *ctx, uint32_t offset, uint32_t value);

/* gw_regs_together makes |num| accesses in their order, and in one packet, so that all of them are
 * executed or none; |at| of each is an offset in the role's map, and what was read is put into it.
 * False when nobody answered, as gw_regs_push. gw_regs_together_on makes them again then: the case
 * does not mind when they are executed twice. */
GW_MUST_USE bool gw_regs_together(gw_ctx *ctx, gw_regs_access *accesses, size_t num);
void gw_regs_together_on(gw_ctx *ctx, gw_regs_access *accesses, size_t num);

/* gw_regs_read_on and gw_regs_write_on do the same, and make the access again whatever the map
 * says: the case does not mind when it is executed twice. */
uint32_t gw_regs_read_on(gw_ctx *ctx, uint32_t offset);
void gw_regs_write_on(gw_ctx *ctx, uint32_t offset, uint32_t value);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A board's registers and memories, served as an EtherBone slave on its link "regs": 32-bit
 * addresses and words, one bus operation a register. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_SLAVE_REGISTERS_H
#define GOLDWIRE_FORMATS_ETHERBONE_SLAVE_REGISTERS_H

#include "formats/etherbone/slave/board.h"

/* Where the SDB table lies, which names the blocks. */
#define GW_REGS_SDB UINT32_C(0xfff00000)

/* gw_regs_block is a range of addresses that the board answers. */
typedef struct gw_regs_block {
    const char *name; /* for the SDB table, 19 characters at most */
    uint32_t address; /* multiple of 8, below GW_REGS_SDB */
    uint32_t size;    /* bytes, multiple of 8 */
} gw_regs_block;

/* gw_regs is a board's register server. It points into itself, so it must not move. */
typedef struct gw_regs {
    gw_eb_map map;
    gw_eb_slave slave;
    gw_wb_registers registers; /* of the board, which knows them from 0 on */
    uint32_t at;               /* and they lie here */
} gw_regs;

/* gw_regs_init serves |num| blocks, at most GW_EB_MAP_REGIONS, through |registers|, all of them
 * moved to where |config| has the registers. False with a text in |why|. */
GW_MUST_USE bool gw_regs_init(gw_regs *regs, const gw_regs_block *blocks, size_t num,
                              const gw_wb_registers *registers, const gw_peer_config *config,
                              char *why, size_t why_cap);

/* gw_regs_step takes an event of the link "regs" (OPEN, BYTES, CLOSE) and answers on it. */
void gw_regs_step(gw_regs *regs, const gw_peer_event *event, gw_peer_out *out);

/* gw_regs_fini frees what the connections hold. */
void gw_regs_fini(gw_regs *regs);

#endif

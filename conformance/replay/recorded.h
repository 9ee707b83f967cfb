/* SPDX-License-Identifier: BSD-2-Clause */
/* What a trace says of the board that it was recorded on: where its areas and registers lay. On
 * another board of the same kind they may lie elsewhere; areas are known again by their names. */
#ifndef REPLAY_RECORDED_H
#define REPLAY_RECORDED_H

#include "goldwire/format.h"
#include "goldwire/text.h"
#include "harness/board.h"

/* gw_recorded is that board, as far as a trace tells. All zeros: nothing is told. */
typedef struct gw_recorded {
    gw_area areas[GW_BOARD_MAX_AREAS];
    size_t num_areas;
    gw_board_register registers[GW_BOARD_MAX_REGISTERS];
    size_t num_registers;
    uint32_t register_base;
    bool known;
} gw_recorded;

/* gw_recorded_tell writes what a trace of |board| has to say of it, a line each, every one behind a
 * line feed, for the comment of its first packet. */
void gw_recorded_tell(gw_text *out, const gw_board_file *board);

/* gw_recorded_read takes that from |comment|; other lines are passed over. */
void gw_recorded_read(gw_recorded *out, const char *comment);

/* gw_recorded_area returns the area that holds |first| to |last|, or NULL. */
const gw_area *gw_recorded_area(const gw_recorded *recorded, uint64_t first, uint64_t last);

/* gw_recorded_place puts into |now| where on |board| that lies which the recorded board had at
 * |first| to |last|: the area of the same name and type, as far into it, or else any of that type
 * at the same place. What lies in no recorded area is where it was, and so is all of a trace that
 * tells nothing, or of a board without areas. False with a text in |why|, what is missing on
 * |board|. */
GW_MUST_USE bool gw_recorded_place(const gw_recorded *recorded, const gw_board_file *board,
                                   uint64_t first, uint64_t last, uint64_t *now, char *why,
                                   size_t why_cap);

/* gw_recorded_offset returns where in its role's map of registers, that of |format|, the register
 * is that the recorded board had at |address|. */
uint32_t gw_recorded_offset(const gw_recorded *recorded, const gw_board_file *board,
                            const gw_format *format, uint32_t address);

/* gw_recorded_register returns where on |board| that register is. */
uint32_t gw_recorded_register(const gw_recorded *recorded, const gw_board_file *board,
                              const gw_format *format, uint32_t address);

#endif

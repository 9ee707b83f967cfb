/* SPDX-License-Identifier: BSD-2-Clause */
/* Response times by register. Which name an address has, a capture may show after it was asked for:
 * so times are kept by board and address, and get their names at the end. */
#ifndef INSPECT_STATS_REGISTERS_H
#define INSPECT_STATS_REGISTERS_H

#include "inspect/pipeline.h"
#include "inspect/stats/rows.h"
#include "names/map.h"

typedef struct gw_stats_registers gw_stats_registers;

/* gw_stats_registers_new begins with no time, and no name but those of |file|, which may be NULL;
 * it is used until the end. NULL when memory is short. */
gw_stats_registers *gw_stats_registers_new(gw_name_map *file);

/* gw_stats_registers_learn takes what |found|, a message of EtherBone, shows of a board's SDB
 * table. For each message once, in the capture's order. */
void gw_stats_registers_learn(gw_stats_registers *r, const gw_found *found);

/* gw_stats_registers_measure adds |delta_ns|, after which |board| answered whoever asked for
 * |address| of its bus. */
void gw_stats_registers_measure(gw_stats_registers *r, const gw_endpoint *board, uint64_t address,
                                int64_t delta_ns);

/* gw_stats_registers_end adds the rows of addresses that have a name, the file's before the
 * board's, to |rows|; the names live as long as |r|. False when memory is short. */
GW_MUST_USE bool gw_stats_registers_end(gw_stats_registers *r, gw_stats_rows *rows);

/* gw_stats_registers_free frees everything; NULL is allowed. */
void gw_stats_registers_free(gw_stats_registers *r);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What a campaign may send: nothing that writes outside the areas that a board file declares. */
#ifndef GOLDWIRE_CAMPAIGN_FENCE_H
#define GOLDWIRE_CAMPAIGN_FENCE_H

#include "goldwire/format.h"
#include "harness/board.h"

/* gw_fence_lets says whether |message| may go to |board|: all that can be read of it as a write
 * stays inside an area that may be written, and none of it is a setting of the board. Of what
 * cannot be read to its end, the part that can is looked at: what a board makes of the rest, which
 * it has to drop, nobody knows. */
bool gw_fence_lets(const gw_board_file *board, const gw_format *format, const gw_dialect *dialect,
                   const gw_message *message);

#endif

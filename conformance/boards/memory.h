/* SPDX-License-Identifier: BSD-2-Clause */
/* What a software board's memory holds when it starts: zeros, or, as after a real one's power-up,
 * anything. */
#ifndef GOLDWIRE_BOARDS_MEMORY_H
#define GOLDWIRE_BOARDS_MEMORY_H

#include "boards/peer.h"

/* gw_memory_fill fills |len| bytes of the board's memory number |which| as |config| wants them. The
 * same seed gives the same bytes; zeros are left as they are. */
void gw_memory_fill(const gw_peer_config *config, unsigned which, void *bytes, size_t len);

#endif

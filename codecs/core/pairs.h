/* SPDX-License-Identifier: BSD-2-Clause */
/* Who talks with whom in a format that has no sessions of its own: a port, or a link type that
 * anybody may use, makes nobody guilty. Two ends talk the format once a message between them could
 * be nothing else by chance; from then on all that they say is judged, however broken. */
#ifndef CORE_PAIRS_H
#define CORE_PAIRS_H

#include "goldwire/base.h"
#include "goldwire/message.h"

/* GW_PAIRS_SIZE is the size of the state of such introductions. */
#define GW_PAIRS_SETS 512
#define GW_PAIRS_WAYS 4
#define GW_PAIRS_SIZE (16 + (size_t)GW_PAIRS_SETS * GW_PAIRS_WAYS * 56)

/* gw_pairs_init forgets everybody. */
void gw_pairs_init(void *state);

/* gw_pairs_know says whether the ends of |message| talk the format; of a captured link without
 * addresses, whether its interface does. */
bool gw_pairs_know(void *state, const gw_message *message);

/* gw_pairs_meet does the same for a message that introduces its ends when it is |plausible|. */
bool gw_pairs_meet(void *state, const gw_message *message, bool plausible);

#endif

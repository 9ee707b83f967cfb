/* SPDX-License-Identifier: BSD-2-Clause */
/* A finding with as few packets as can be, and those as near to what is legal as can be. */
#ifndef GOLDWIRE_CAMPAIGN_SHRINK_H
#define GOLDWIRE_CAMPAIGN_SHRINK_H

#include "campaign/name.h"
#include "campaign/search.h"

/* gw_shrink makes |shots|, which bring the anomaly of |search| about in one of |patience| tries, as
 * small as it gets: fewer packets, fewer conversations, what a stream carries in fewer pieces, then
 * packets as they were before they were mutated, pieces of them left out, bytes as they were. It
 * ends early when the board is lost, or the search has made all its tries. False when memory is
 * short; |shots| are good in any case. */
GW_MUST_USE bool gw_shrink(gw_search *search, const gw_found_context *context, gw_shots *shots,
                           unsigned patience);

#endif

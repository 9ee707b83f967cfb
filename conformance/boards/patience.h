/* SPDX-License-Identifier: BSD-2-Clause */
/* How long a board waits for an answer before it asks again. The timer follows the path as TCP's
 * does (RFC 6298), more slowly: what is repeated needlessly costs more than a longer wait. */
#ifndef GOLDWIRE_BOARDS_PATIENCE_H
#define GOLDWIRE_BOARDS_PATIENCE_H

#include "goldwire/base.h"

/* gw_patience is what a board knows of the path to whom it asks. All zeros: nothing yet. */
typedef struct gw_patience {
    int64_t trip_ns;   /* from a request to its answer, smoothed, and ... */
    int64_t spread_ns; /* ... by how much it differs from that, smoothed */
    bool measured;
} gw_patience;

/* gw_patience_add takes in that an answer came |took_ns| after the only request that it can belong
 * to: of one that was repeated nobody knows which sending was answered (RFC 6298 section 3, Karn's
 * algorithm). */
void gw_patience_add(gw_patience *p, int64_t took_ns);

/* gw_patience_ns returns how long to wait for an answer to what is sent for the |tries|th time,
 * from 1, by a board that usually waits |usual_ns|: so long until anything was measured; then a
 * quarter of that and eight times the way there and back with its spread, twice as long with each
 * repetition. It is more than |usual_ns| only where RFC 6298 section 2.3 asks for it. */
int64_t gw_patience_ns(const gw_patience *p, int64_t usual_ns, unsigned tries);

#endif

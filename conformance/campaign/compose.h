/* SPDX-License-Identifier: BSD-2-Clause */
/* What is sent next: pieces of stories that are known to be good, with something changed in them;
 * sooner those, and such changes, that were sent least. */
#ifndef GOLDWIRE_CAMPAIGN_COMPOSE_H
#define GOLDWIRE_CAMPAIGN_COMPOSE_H

#include "campaign/model/coverage.h"
#include "campaign/stock.h"
#include "goldwire/random.h"

/* The most shots that one conversation has. */
#define GW_COMPOSE_MOST 24u

/* gw_composer is what composing needs. Nothing in it is owned. */
typedef struct gw_composer {
    const gw_stock *stock; /* with a story at least */
    const gw_target *target;
    const gw_format *format;
    const gw_dialect *dialect;
    const gw_board_file *board; /* whose areas may be written; NULL: anything may */
    gw_coverage *coverage;      /* of what was sent until now; NULL: nobody counts */
    uint32_t *told;             /* times that each story was, one for each */
    gw_random random;
    uint64_t mutated; /* shots, so far */
    uint64_t fenced;  /* mutations that would have written elsewhere, and were not sent */
} gw_composer;

/* gw_compose appends one conversation to |shots|. False when there is no room or memory. */
GW_MUST_USE bool gw_compose(gw_composer *composer, gw_shots *shots);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* A good board of the same role, our own, as what others do is measured by: what the format leaves
 * open, and what a case or a probe of ours takes for wrong that is not, it shows as well. */
#ifndef GOLDWIRE_CAMPAIGN_REFERENCE_H
#define GOLDWIRE_CAMPAIGN_REFERENCE_H

#include "campaign/altered/altered.h"
#include "campaign/shots.h"
#include "campaign/watch.h"

/* gw_likeness is how the board under test and ours compare. */
typedef enum gw_likeness {
    GW_LIKENESS_UNKNOWN = 0, /* ours cannot be started as that one is described, nor at all */
    GW_LIKENESS_ALIKE,       /* ours shows it as well: it is no finding */
    GW_LIKENESS_APART,       /* ours does not */
} gw_likeness;

/* gw_reference_compare sends |num| shots from |first| on to our own board of the role of |ctx|, in
 * memory, over the same carriage, in the same dialect and described by the same board file, plays
 * the case of |anomaly| with the same random numbers, and says whether it shows. Of a case
 * whatever is wrong counts, else what is equal to |anomaly|. Where our board does not pass the
 * cases of |watch| by that board file, it is described by its own instead. */
gw_likeness gw_reference_compare(const gw_ctx *ctx, const gw_watch *watch, const gw_shots *shots,
                                 size_t first, size_t num, const gw_anomaly *anomaly);

/* gw_reference_alters plays |how| to our own board like that, altered within the areas of |areas|
 * (NULL: anywhere), and says whether anything is wrong with it then. It is not known where its end
 * cannot be seen when it is answered well. */
gw_likeness gw_reference_alters(const gw_ctx *ctx, const gw_watch *watch,
                                const gw_board_file *areas, const gw_altered *how);

#endif

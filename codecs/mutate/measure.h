/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts and lengths that an edit has to carry along. */
#ifndef MUTATE_MEASURE_H
#define MUTATE_MEASURE_H

#include "mutate/internal.h"

#define GW_MEASURES_MAX 6 /* over one place: what measures the piece, and lengths around it */

/* gw_measures is what measures a place of a message: found before an edit, put right behind it. */
typedef struct gw_measures {
    gw_item items[GW_MEASURES_MAX];
    size_t num;
    uint32_t at;
} gw_measures;

/* gw_measures_over finds what counts pieces of |group|, or measures their bytes, around |at|: the
 * last such field before that place, or the first behind it; and all lengths of what goes on to the
 * end. */
gw_measures gw_measures_over(const gw_mutating *m, const gw_group *group, uint32_t at);

/* gw_measures_add tells them that |pieces| pieces, |bytes| bytes, came to the place, or with
 * negative numbers went. Where a field has no bits for that it keeps its value. */
void gw_measures_add(const gw_measures *measures, gw_mutating *m, int32_t pieces, int32_t bytes);

#endif

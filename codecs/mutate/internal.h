/* SPDX-License-Identifier: BSD-2-Clause */
/* What the mutators share: a message on its way from what it was to what it becomes. */
#ifndef MUTATE_INTERNAL_H
#define MUTATE_INTERNAL_H

#include "goldwire/mutate.h"
#include "mutate/edit.h"

/* gw_mutating is a mutation in progress. */
typedef struct gw_mutating {
    const gw_mutate_plan *plan;
    gw_random *random;
    const gw_message *original;
    gw_edit edit;
} gw_mutating;

/* gw_mutating_now returns the message as it is so far; it borrows the edit's bytes. */
static inline gw_message gw_mutating_now(const gw_mutating *m)
{
    return gw_mutated(m->original, m->edit.data, m->edit.len);
}

/* gw_mutating_walk walks the message as it is so far. */
static inline gw_error gw_mutating_walk(const gw_mutating *m, gw_sink *sink)
{
    gw_message now = gw_mutating_now(m);
    return m->plan->format->walk(&now, m->plan->dialect, sink);
}

/* gw_mutating_below is gw_random_below. */
static inline uint32_t gw_mutating_below(gw_mutating *m, size_t limit)
{
    return gw_random_below(m->random, (uint32_t)limit);
}

/* Each does one thing to the message, and returns false, with nothing changed, where there is
 * nothing to do it to. */
bool gw_mutate_legal_value(gw_mutating *m);
bool gw_mutate_boundary(gw_mutating *m);
bool gw_mutate_illegal_value(gw_mutating *m);
bool gw_mutate_flip(gw_mutating *m);
bool gw_mutate_reserved(gw_mutating *m);
bool gw_mutate_bytes(gw_mutating *m);
bool gw_mutate_false_measure(gw_mutating *m);
bool gw_mutate_repeat(gw_mutating *m);
bool gw_mutate_drop(gw_mutating *m);
bool gw_mutate_swap(gw_mutating *m);
bool gw_mutate_resize(gw_mutating *m);
bool gw_mutate_grow(gw_mutating *m);
bool gw_mutate_shrink(gw_mutating *m);
bool gw_mutate_cut(gw_mutating *m);
bool gw_mutate_extend(gw_mutating *m);
bool gw_mutate_byte_order(gw_mutating *m);
bool gw_mutate_layout(gw_mutating *m);
bool gw_mutate_splice(gw_mutating *m);
bool gw_mutate_cross(gw_mutating *m);
bool gw_mutate_overlay(gw_mutating *m);
bool gw_mutate_repair(gw_mutating *m);
bool gw_mutate_mend(gw_mutating *m);    /* puts all check bytes right */
bool gw_mutate_falsify(gw_mutating *m); /* makes one wrong, or, without any, a count or length */

/* gw_mutate_break_field puts an illegal value into a field whose line names the plan's rule. */
bool gw_mutate_break_field(gw_mutating *m);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files that read a message share: the reading, and the parts of it. */
#ifndef L1FARM_WALK_H
#define L1FARM_WALK_H

#include "l1farm/internal.h"

/* gw_l1_reading is the one reading of a message: |w| tells its fields to who looks, |out| gets what
 * it holds. */
typedef struct gw_l1_reading {
    gw_walk w;
    gw_l1_unit *out;
    const gw_l1_profile *profile;
} gw_l1_reading;

/* gw_l1_flat walks the flat |group|. False when it is not all there. */
static inline bool gw_l1_flat(gw_walk *w, int group)
{
    return gw_walk_flat(w, gw_l1_group(group), 0);
}

/* gw_l1_taken returns where |group| begins, which gw_l1_flat has just walked, all of it. */
static inline const uint8_t *gw_l1_taken(const gw_walk *w, int group)
{
    return gw_walk_taken(w, gw_l1_group(group));
}

/* gw_l1_derive tells a field that is computed from what stands at byte |offset|. */
static inline void gw_l1_derive(gw_walk *w, int field, uint64_t value, uint32_t offset)
{
    gw_walk_derive(w, gw_l1_field(field), value, offset);
}

/* gw_l1_stop stops at |field| of the group that begins at byte |start|. */
static inline void gw_l1_stop(gw_walk *w, gw_error_kind kind, uint32_t start, int field)
{
    gw_walk_stop(w, kind, start + gw_l1_field(field)->byte, gw_l1_field(field));
}

/* gw_l1_each reports |group|, in a |container| each, until the bytes end. Where nobody looks, only
 * what is left over matters. */
static inline void gw_l1_each(gw_walk *w, int container, int group)
{
    size_t left = gw_cursor_left(&w->c);

    if (w->sink == NULL && w->error.kind == GW_OK &&
        !gw_cursor_skip(&w->c, left / gw_l1_group(group)->bytes * gw_l1_group(group)->bytes))
        return;
    for (uint32_t i = 0; w->error.kind == GW_OK && gw_cursor_left(&w->c) > 0; i++) {
        gw_walk_open(w, gw_l1_group(container), i);
        (void)gw_l1_flat(w, group);
        gw_walk_close(w, gw_l1_group(container));
    }
}

/* gw_l1_string reports |len| bytes, or as many as were captured. False when that is fewer. */
static inline bool gw_l1_string(gw_walk *w, int group, int field, size_t len)
{
    if (w->error.kind != GW_OK)
        return false;
    size_t here = gw_walk_string(w, gw_l1_group(group), len);
    if (here < len)
        gw_walk_missing(w, gw_l1_field(field), (uint32_t)(len - here));
    return here == len;
}

/* gw_l1_read_record reads an SCI packet of |len| bytes behind its record header, gw_l1_read_trace
 * the clocks of a traced link. */
void gw_l1_read_record(gw_l1_reading *r, uint32_t len);
void gw_l1_read_trace(gw_walk *w);

/* gw_l1_read_edge and gw_l1_read_tag read what TagNet carries. */
void gw_l1_read_edge(gw_l1_reading *r);
void gw_l1_read_tag(gw_l1_reading *r);

/* gw_l1_read_result, gw_l1_read_descriptors and gw_l1_read_register read one result, a list of
 * descriptors, one access to a register. */
void gw_l1_read_result(gw_l1_reading *r);
void gw_l1_read_descriptors(gw_l1_reading *r);
void gw_l1_read_register(gw_l1_reading *r);

/* gw_l1_read_ode reads a block of |len| bytes from the detector, gw_l1_read_subevent a fragment of
 * an event. */
void gw_l1_read_ode(gw_l1_reading *r, uint32_t len);
void gw_l1_read_subevent(gw_l1_reading *r);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The interpreter: reports groups of a table to a sink, leaf by leaf. Formats call it from their
 * walk. */
#ifndef CORE_WALK_H
#define CORE_WALK_H

#include "goldwire/cursor.h"
#include "goldwire/error.h"
#include "goldwire/field.h"
#include "goldwire/message.h"

/* gw_walk is a walk in progress. After the first error every step returns false and reports
 * nothing. Who only wants to know what a message holds, and what is wrong with it, walks without a
 * sink. */
typedef struct gw_walk {
    gw_sink *sink; /* NULL: nobody looks */
    gw_cursor c;
    uint32_t len; /* of the message before the capture's cut */
    gw_error error;
} gw_walk;

/* gw_walk_over starts a walk over |message|. */
gw_walk gw_walk_over(const gw_message *message, gw_sink *sink);

/* gw_walk_flat reports the leaves and views of one flat group. When the bytes end inside it, the
 * fields that fit are reported, the error names the first that does not, and the cursor stands on
 * its first byte. Of a swizzled group nothing is reported then. */
GW_MUST_USE bool gw_walk_flat(gw_walk *w, const gw_group *group, uint32_t index);

/* gw_walk_taken returns where |group| begins, which gw_walk_flat has just walked, all of it. */
static inline const uint8_t *gw_walk_taken(const gw_walk *w, const gw_group *group)
{
    return w->c.p - group->bytes;
}

/* gw_walk_units reports |num| units of |unit| bytes whose last |width| bytes are the value. */
GW_MUST_USE bool gw_walk_units(gw_walk *w, const gw_group *group, uint32_t num, size_t unit,
                               size_t width);

/* gw_walk_string reports the next |len| bytes, or as many as are left, as the string group |group|,
 * and returns how many those are; nothing is reported of none. */
size_t gw_walk_string(gw_walk *w, const gw_group *group, size_t len);

/* gw_walk_rest reports all bytes that are left as the string group |group|; nothing when none are.
 */
void gw_walk_rest(gw_walk *w, const gw_group *group);

/* gw_walk_stop records an error of |kind| at |offset|, the first byte of |field|. The first one
 * stays. */
void gw_walk_stop(gw_walk *w, gw_error_kind kind, uint32_t offset, const gw_field *field);

/* gw_walk_missing records that |need| bytes of |field| were due at the cursor: truncated, by the
 * capture when the message went on that far. */
void gw_walk_missing(gw_walk *w, const gw_field *field, uint32_t need);

/* gw_walk_derive reports the derived number |field| = |value|, which follows from the bytes at
 * |offset|; gw_walk_derive_bytes a derived string of |len| bytes, which need live no longer than
 * the call. Neither moves the cursor, and both report even after an error. */
void gw_walk_derive(gw_walk *w, const gw_field *field, uint64_t value, uint32_t offset);
void gw_walk_derive_bytes(gw_walk *w, const gw_field *field, const uint8_t *bytes, uint32_t len,
                          uint32_t offset);

/* gw_walk_open and gw_walk_close bracket a container. */
void gw_walk_open(gw_walk *w, const gw_group *group, uint32_t index);
void gw_walk_close(gw_walk *w, const gw_group *group);

#endif

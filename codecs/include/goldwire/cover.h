/* SPDX-License-Identifier: BSD-2-Clause */
/* The proof that the leaves of a message cover each of its bits exactly once. */
#ifndef GOLDWIRE_COVER_H
#define GOLDWIRE_COVER_H

#include "goldwire/base.h"
#include "goldwire/field.h"

GW_BEGIN_DECLS

#define GW_COVER_BYTES 65536 /* the longest message that is proven */

/* gw_cover remembers which bits of a message some leaf has. */
typedef struct gw_cover {
    size_t len;
    const gw_field *fault; /* the first leaf that lies outside or takes a bit twice; or NULL */
    uint32_t fault_offset;
    bool twice; /* the fault is an overlap, not a leaf outside */
    uint8_t seen[GW_COVER_BYTES];
} gw_cover;

/* gw_cover_init starts over for a message of |len| captured bytes. False when it is longer than
 * GW_COVER_BYTES. */
GW_API GW_MUST_USE bool gw_cover_init(gw_cover *cover, size_t len);

/* gw_cover_add takes one leaf; views are ignored, and what is derived has no bits. False, and the
 * first fault kept, when it lies outside or overlaps an earlier one. */
GW_API bool gw_cover_add(gw_cover *cover, const gw_item *item);

/* gw_cover_hole returns the offset of the first byte with a bit that no leaf has; the length when
 * all are covered. */
GW_API size_t gw_cover_hole(const gw_cover *cover);

GW_END_DECLS

#endif

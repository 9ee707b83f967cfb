/* SPDX-License-Identifier: BSD-2-Clause */
/* Check bytes and checksums inside of messages: what an edit beside them makes stale. */
#ifndef INSPECT_MEND_H
#define INSPECT_MEND_H

#include "inspect/assemble.h"

#define GW_MEND_MAX 8 /* of one message; more are left as they are */

/* gw_stale is a leaf that does not fit what it is computed from. */
typedef struct gw_stale {
    gw_item item;
    uint64_t expected;
} gw_stale;

/* gw_mend_find finds the leaves of |a|, read in |dialect| (NULL: the document's), of which the walk
 * tells another value than they hold: NAME, and NAME.expected or NAME_expected. One of
 * which NAME.status says "not checked" was not generated. Returns how many. */
size_t gw_mend_find(gw_stale stale[GW_MEND_MAX], const gw_assembled *a, const gw_dialect *dialect);

/* gw_mend_apply puts the |num| expected values in. */
void gw_mend_apply(gw_assembled *a, const gw_stale *stale, size_t num);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Check bytes and checksums inside of messages: what an edit beside them makes stale. */
#ifndef GOLDWIRE_MEND_H
#define GOLDWIRE_MEND_H

#include "goldwire/base.h"
#include "goldwire/field.h"
#include "goldwire/format.h"
#include "goldwire/message.h"

GW_BEGIN_DECLS

#define GW_MEND_MAX 8 /* of one message; more are left as they are */

/* gw_check_leaf is a leaf that is computed from other bits, and what it would have to be. Its item
 * points into the message. */
typedef struct gw_check_leaf {
    gw_item item;
    uint64_t expected;
} gw_check_leaf;

/* gw_mend_list finds the leaves of |message|, read in |dialect| (NULL: the document's), of which
 * the walk of |format| tells what they have to be: NAME, and NAME.expected or NAME_expected. One of
 * which NAME.status says "not checked" was not generated. Returns how many. */
GW_API size_t gw_mend_list(gw_check_leaf leaves[GW_MEND_MAX], const gw_format *format,
                           const gw_message *message, const gw_dialect *dialect);

/* gw_mend_find finds those of them that hold another value. */
GW_API size_t gw_mend_find(gw_check_leaf stale[GW_MEND_MAX], const gw_format *format,
                           const gw_message *message, const gw_dialect *dialect);

/* gw_mend_apply puts the |num| expected values into the |len| bytes of the message at |bytes|. */
GW_API void gw_mend_apply(uint8_t *bytes, size_t len, const gw_check_leaf *stale, size_t num);

GW_END_DECLS

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The proof that leaves cover each bit once. */
#include "goldwire/cover.h"

#include <string.h>

#define FIXED_BYTES 32 /* a fixed field has fewer */

GW_WATCHER bool gw_cover_init(gw_cover *cover, size_t len)
{
    cover->fault = NULL;
    cover->fault_offset = 0;
    cover->twice = false;
    cover->len = len < GW_COVER_BYTES ? len : GW_COVER_BYTES;
    memset(cover->seen, 0, cover->len);
    return len <= GW_COVER_BYTES;
}

GW_WATCHER static bool refuse(gw_cover *cover, const gw_item *item, bool twice)
{
    if (cover->fault == NULL) {
        cover->fault = item->field;
        cover->fault_offset = item->offset;
        cover->twice = twice;
    }
    return false;
}

GW_WATCHER bool gw_cover_add(gw_cover *cover, const gw_item *item)
{
    uint8_t fixed[FIXED_BYTES];
    if (item->field->view)
        return true;

    bool whole = item->field->bits == 0; /* units and strings have whole bytes, any number */
    size_t bytes = gw_item_mask(item, fixed, whole ? 0 : sizeof fixed);
    if (item->offset > cover->len || bytes > cover->len - item->offset)
        return refuse(cover, item, false);

    uint8_t *seen = cover->seen + item->offset;
    for (size_t i = 0; i < bytes; i++) {
        uint8_t mask = whole ? 0xff : fixed[i];
        if ((seen[i] & mask) != 0)
            return refuse(cover, item, true);
        seen[i] |= mask;
    }
    return true;
}

GW_WATCHER size_t gw_cover_hole(const gw_cover *cover)
{
    size_t at = 0;

    while (at < cover->len && cover->seen[at] == 0xff)
        at++;
    return at;
}

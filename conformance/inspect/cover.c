/* SPDX-License-Identifier: BSD-2-Clause */
/* The proof that leaves cover each bit once. */
#include "inspect/cover.h"

#include <string.h>

bool gw_cover_init(gw_cover *cover, size_t len)
{
    cover->fault = NULL;
    cover->fault_offset = 0;
    cover->twice = false;
    cover->len = len < GW_COVER_BYTES ? len : GW_COVER_BYTES;
    memset(cover->seen, 0, cover->len);
    return len <= GW_COVER_BYTES;
}

static bool refuse(gw_cover *cover, const gw_item *item, bool twice)
{
    if (cover->fault == NULL) {
        cover->fault = item->field;
        cover->fault_offset = item->offset;
        cover->twice = twice;
    }
    return false;
}

bool gw_cover_add(gw_cover *cover, const gw_item *item)
{
    if (item->field->view)
        return true;

    size_t bytes = gw_item_mask(item, cover->mask, sizeof cover->mask);
    if (item->offset > cover->len || bytes > cover->len - item->offset)
        return refuse(cover, item, false);

    uint8_t *seen = cover->seen + item->offset;
    for (size_t i = 0; i < bytes; i++) {
        if ((seen[i] & cover->mask[i]) != 0)
            return refuse(cover, item, true);
        seen[i] |= cover->mask[i];
    }
    return true;
}

size_t gw_cover_hole(const gw_cover *cover)
{
    size_t at = 0;

    while (at < cover->len && cover->seen[at] == 0xff)
        at++;
    return at;
}

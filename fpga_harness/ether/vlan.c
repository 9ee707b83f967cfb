/* SPDX-License-Identifier: BSD-2-Clause */
/* VLAN tags put into frames, and taken out. */
#include "harness/vlan.h"

#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/writer.h"

enum {
    ADDRESSES = 12, /* bytes before the first tag */
    CUSTOMER_TAG = 0x8100,
    SERVICE_TAG = 0x88a8,
    OLD_SERVICE_TAG = 0x9100,
    ID = 0x0fff,
};

size_t gw_vlan_put(const gw_vlan *vlan, uint8_t *out, const uint8_t *frame, size_t len)
{
    const size_t extra = gw_vlan_extra(vlan);

    if (len < ADDRESSES) {
        memcpy(out, frame, len);
        return len;
    }
    memcpy(out, frame, ADDRESSES);
    for (size_t i = 0; i < vlan->num; i++) {
        uint8_t *tag = out + ADDRESSES + i * GW_VLAN_TAG;
        bool last = i + 1u == vlan->num;
        gw_store_be(tag, last ? CUSTOMER_TAG : SERVICE_TAG, 2);
        gw_store_be(tag + 2, (uint64_t)vlan->pcp << 13 | vlan->ids[i], 2);
    }
    memcpy(out + ADDRESSES + extra, frame + ADDRESSES, len - ADDRESSES);
    return len + extra;
}

static bool is_tag(uint16_t type)
{
    return type == CUSTOMER_TAG || type == SERVICE_TAG || type == OLD_SERVICE_TAG;
}

bool gw_vlan_fits(const gw_vlan *vlan, const uint8_t *frame, size_t len)
{
    const size_t extra = gw_vlan_extra(vlan);

    if (len < ADDRESSES + extra + 2)
        return false;
    for (size_t i = 0; i < vlan->num; i++) {
        const uint8_t *tag = frame + ADDRESSES + i * GW_VLAN_TAG;
        if (!is_tag(gw_load_be16(tag)) || (gw_load_be16(tag + 2) & ID) != vlan->ids[i])
            return false;
    }
    return !is_tag(gw_load_be16(frame + ADDRESSES + extra));
}

size_t gw_vlan_counted(const uint8_t *frame, size_t len)
{
    bool tagged = len >= ADDRESSES + GW_VLAN_TAG && gw_load_be16(frame + ADDRESSES) == CUSTOMER_TAG;

    return tagged ? len - GW_VLAN_TAG : len;
}

size_t gw_vlan_take(const gw_vlan *vlan, uint8_t *out, const uint8_t *frame, size_t len)
{
    const size_t extra = gw_vlan_extra(vlan);

    if (!gw_vlan_fits(vlan, frame, len))
        return 0;
    memcpy(out, frame, ADDRESSES);
    memcpy(out + ADDRESSES, frame + ADDRESSES + extra, len - ADDRESSES - extra);
    return len - extra;
}

size_t gw_vlan_restore(uint8_t *frame, size_t len, uint16_t control, uint16_t ethertype)
{
    if (len < ADDRESSES)
        return len;
    memmove(frame + ADDRESSES + GW_VLAN_TAG, frame + ADDRESSES, len - ADDRESSES);
    gw_store_be(frame + ADDRESSES, ethertype, 2);
    gw_store_be(frame + ADDRESSES + 2, control, 2);
    return len + GW_VLAN_TAG;
}

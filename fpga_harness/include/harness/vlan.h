/* SPDX-License-Identifier: BSD-2-Clause */
/* VLAN tags of Ethernet frames: one (IEEE 802.1Q), or one within another (802.1ad, "QinQ"). */
#ifndef HARNESS_VLAN_H
#define HARNESS_VLAN_H

#include "goldwire/base.h"

enum {
    GW_VLAN_TAG = 4,       /* bytes */
    GW_VLAN_TAGS = 2,      /* that a frame may have */
    GW_VLAN_ID_MAX = 4094, /* from 1; 0 and 4095 are no VLANs (802.1Q 9.6) */
    GW_VLAN_PCP_MAX = 7,
};

/* gw_vlan is the tags that all frames of a station have. All zero: none. */
typedef struct gw_vlan {
    uint16_t ids[GW_VLAN_TAGS]; /* outermost first */
    uint8_t num;
    uint8_t pcp; /* priority, of what is sent; what comes may have any */
} gw_vlan;

/* gw_vlan_extra returns how many bytes the tags take. */
static inline size_t gw_vlan_extra(const gw_vlan *vlan)
{
    return (size_t)vlan->num * GW_VLAN_TAG;
}

/* gw_vlan_put writes |frame|, of |len| bytes and without a tag, with the tags of |vlan| into |out|,
 * which has room for gw_vlan_extra more, and returns its length. Outer tags have the EtherType of
 * 802.1ad. */
size_t gw_vlan_put(const gw_vlan *vlan, uint8_t *out, const uint8_t *frame, size_t len);

/* gw_vlan_fits says whether |frame|, of |len| bytes, has just the tags of |vlan|. */
bool gw_vlan_fits(const gw_vlan *vlan, const uint8_t *frame, size_t len);

/* gw_vlan_counted returns how many of the |len| bytes of |frame| count where a link says how long a
 * frame may be: a tag of 802.1Q comes on top (IEEE 802.3 3.2.7). */
size_t gw_vlan_counted(const uint8_t *frame, size_t len);

/* gw_vlan_take writes |frame|, of |len| bytes, without its tags into |out|, which has room for as
 * many, and returns its length; 0 when it has not just the tags of |vlan|. */
size_t gw_vlan_take(const gw_vlan *vlan, uint8_t *out, const uint8_t *frame, size_t len);

/* gw_vlan_restore puts the tag with |control| and |ethertype| back that the kernel has taken out of
 * |frame|, of |len| bytes and with room for GW_VLAN_TAG more, and returns the new length. */
size_t gw_vlan_restore(uint8_t *frame, size_t len, uint16_t control, uint16_t ethertype);

#endif

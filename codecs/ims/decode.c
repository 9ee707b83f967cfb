/* SPDX-License-Identifier: BSD-2-Clause */
/* From bytes to structs. */
#include "goldwire/cursor.h"
#include "ims/internal.h"

static uint32_t load32(const uint8_t *p, gw_ims_order order)
{
    return order == GW_IMS_BE32 ? gw_load_be32(p) : gw_load_le32(p);
}

/* The low word comes first in both orders. */
static uint64_t load64(const uint8_t *p, gw_ims_order order)
{
    return (uint64_t)load32(p + 4, order) << 32 | load32(p, order);
}

gw_ims_status gw_ims_get_status(const uint8_t in[GW_IMS_STATUS], gw_ims_order order)
{
    if (order == GW_IMS_AUTO)
        order = gw_ims_detect_status(in);
    uint32_t word = load32(in, order);
    gw_ims_status status = {
        .method = (uint8_t)word,
        .reserved = (uint8_t)(word >> 8),
        .minor = (uint8_t)(word >> 16),
        .major = (uint8_t)(word >> 24),
        .lid = load32(in + 4, order),
        .qpn = load32(in + 8, order),
        .key = load32(in + 12, order),
        .va = load64(in + 16, order),
        .rkey = load32(in + 24, order),
    };
    return status;
}

gw_ims_ack gw_ims_get_ack(const uint8_t in[GW_IMS_ACK], gw_ims_order order)
{
    if (order == GW_IMS_AUTO)
        order = gw_ims_detect_ack(in);
    gw_ims_ack ack = {
        .type = load32(in, order),
        .events = load32(in + 4, order),
        .va = load64(in + 8, order),
    };
    return ack;
}

gw_ims_reaction gw_ims_reaction_to(const gw_ims_ack *ack)
{
    if (ack->type == GW_IMS_TYPE_ACK)
        return GW_IMS_DONE;
    if (ack->type != GW_IMS_TYPE_NACK)
        return GW_IMS_IGNORE;
    if ((ack->events & GW_IMS_FATAL) != 0)
        return GW_IMS_STOP;
    return (ack->events & GW_IMS_OUTSIDE_WINDOW) != 0 ? GW_IMS_WAIT : GW_IMS_RESEND;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* From bytes to structs. */
#include "ims/internal.h"

/* Macros, so that the order is a constant to each of their two uses. */
#define STATUS_IN(in, order)                                                                       \
    (gw_ims_status)                                                                                \
    {                                                                                              \
        .method = GET(in, STATUS_METHOD, order), .reserved = GET(in, STATUS_RESERVED, order),      \
        .minor = GET(in, STATUS_MINOR, order), .major = GET(in, STATUS_MAJOR, order),              \
        .lid = GET(in, STATUS_LID, order), .qpn = GET(in, STATUS_QPN, order),                      \
        .key = GET((in) + GW_IMS_KEY_AT, STATUS_QKEY, order),                                      \
        .va = GET((in) + GW_IMS_MEMORY_AT, STATUS_VA, order),                                      \
        .rkey = GET((in) + GW_IMS_MEMORY_AT, STATUS_RKEY, order),                                  \
    }
#define ACK_IN(in, order)                                                                          \
    (gw_ims_ack)                                                                                   \
    {                                                                                              \
        .type = GET(in, ACK_TYPE, order), .events = GET(in, ACK_EVENTS, order),                    \
        .va = GET(in, ACK_VA, order),                                                              \
    }

gw_ims_status gw_ims_get_status(const uint8_t in[GW_IMS_STATUS], gw_ims_order order)
{
    if (order == GW_IMS_AUTO)
        order = gw_ims_detect_status(in);
    return order == GW_IMS_BE32 ? STATUS_IN(in, GW_IMS_BE32) : STATUS_IN(in, GW_IMS_LE);
}

gw_ims_ack gw_ims_get_ack(const uint8_t in[GW_IMS_ACK], gw_ims_order order)
{
    if (order == GW_IMS_AUTO)
        order = gw_ims_detect_ack(in);
    return order == GW_IMS_BE32 ? ACK_IN(in, GW_IMS_BE32) : ACK_IN(in, GW_IMS_LE);
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

/* SPDX-License-Identifier: BSD-2-Clause */
/* What the specification leaves open, read in one way each. */
#include "goldwire/cursor.h"
#include "ims/internal.h"

enum {
    REVISION_0_0 = 0x0000,
    REVISION_1_0 = 0x0100,
    REVISION_1_1 = 0x0101,
};

static const gw_ims_dialect strict = {.revision = REVISION_1_1};
static const gw_ims_dialect be32 = {
    .revision = REVISION_1_1, .status_order = GW_IMS_BE32, .ack_order = GW_IMS_BE32};
static const gw_ims_dialect status_be32 = {.revision = REVISION_1_1, .status_order = GW_IMS_BE32};
static const gw_ims_dialect detect = {
    .revision = REVISION_1_1, .status_order = GW_IMS_AUTO, .ack_order = GW_IMS_AUTO};
static const gw_ims_dialect v1_0 = {.revision = REVISION_1_0};
static const gw_ims_dialect v0_0 = {.revision = REVISION_0_0};
static const gw_ims_dialect echo = {.revision = REVISION_1_1, .qpnd_echo = true};
static const gw_ims_dialect nack_below = {.revision = REVISION_1_1, .nack_below = true};
static const gw_ims_dialect images = {.revision = REVISION_1_1, .images = true};

const gw_dialect gw_ims_dialects[GW_IMS_NUM_DIALECTS] = {
    {"strict", "Revision 1.1, status packets and responses little-endian", &strict, NULL},
    {"be32", "32-bit words of status packets and responses most significant byte first", &be32,
     NULL},
    {"status-be32", "32-bit words of status packets, and only these, most significant byte first",
     &status_be32, NULL},
    {"order-auto", "The order of words by the bytes that must be 0", &detect, NULL},
    {"v1-0", "Revision 1.0: the events of a NACK are a code, not a mask", &v1_0, NULL},
    {"v0-0", "Before revision 1.0: no version, no mask, 32 bits of address in responses", &v0_0,
     NULL},
    {"qpnd-echo", "DATA_RES repeats the Worker's queue pair instead of telling the buffer's", &echo,
     NULL},
    {"nack-below", "Frames below the read pointer are refused as outside the window", &nack_below,
     NULL},
    {"images", "Frames of an image's size are images: address and CRC are judged", &images, NULL},
};

const gw_ims_dialect *gw_ims_dialect_of(const gw_dialect *dialect)
{
    return dialect == NULL ? &strict : (const gw_ims_dialect *)dialect->data;
}

bool gw_ims_is_mask(const gw_ims_dialect *dialect)
{
    return dialect->revision >= REVISION_1_1;
}

/* Whether the LID and the queue pair are no longer than they can be. */
static bool numbers_fit(const uint8_t *in, gw_ims_order order)
{
    return GET(in, STATUS_LID, order) <= UINT16_MAX &&
           GET(in, STATUS_QPN, order) <= GW_IB_NUMBER_MASK;
}

static bool method_fits(const uint8_t *in, gw_ims_order order)
{
    return GET(in, STATUS_METHOD, order) < GW_IMS_NUM_METHODS &&
           GET(in, STATUS_RESERVED, order) == 0;
}

/* In the right order the LID and the queue pair have their upper bytes 0. Where that is so in both
 * or neither, the word of method and version has the last say. */
gw_ims_order gw_ims_detect_status(const uint8_t in[GW_IMS_STATUS])
{
    bool le = numbers_fit(in, GW_IMS_LE), be = numbers_fit(in, GW_IMS_BE32);

    if (le != be)
        return be ? GW_IMS_BE32 : GW_IMS_LE;
    return method_fits(in, GW_IMS_BE32) && !method_fits(in, GW_IMS_LE) ? GW_IMS_BE32 : GW_IMS_LE;
}

static bool type_fits(const uint8_t *in, gw_ims_order order)
{
    return GET(in, ACK_TYPE, order) <= GW_IMS_TYPE_NACK;
}

static bool address_fits(const uint8_t *in, gw_ims_order order)
{
    return GET(in, ACK_VA, order) >> 56 == 0;
}

/* The type is 0 or 1; an ACK has no events, and those of a NACK are in the lower half of the word;
 * an address has its highest byte 0. */
gw_ims_order gw_ims_detect_ack(const uint8_t in[GW_IMS_ACK])
{
    bool le = type_fits(in, GW_IMS_LE), be = type_fits(in, GW_IMS_BE32);

    if (le != be)
        return be ? GW_IMS_BE32 : GW_IMS_LE;
    return address_fits(in, GW_IMS_BE32) && !address_fits(in, GW_IMS_LE) ? GW_IMS_BE32 : GW_IMS_LE;
}

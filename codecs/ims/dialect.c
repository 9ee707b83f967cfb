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

/* The upper half of the LID and the highest byte of the queue pair are 0 in the right order. Where
 * both or neither are, the word of method and version has the last say. */
gw_ims_order gw_ims_detect_status(const uint8_t in[GW_IMS_STATUS])
{
    bool le = in[6] == 0 && in[7] == 0 && in[11] == 0;
    bool be = in[4] == 0 && in[5] == 0 && in[8] == 0;
    bool method_le = in[0] < GW_IMS_NUM_METHODS && in[1] == 0;
    bool method_be = in[3] < GW_IMS_NUM_METHODS && in[2] == 0;

    if (le != be)
        return be ? GW_IMS_BE32 : GW_IMS_LE;
    return method_be && !method_le ? GW_IMS_BE32 : GW_IMS_LE;
}

/* The type is 0 or 1; an ACK has no events, and those of a NACK are in the lower half of the word;
 * an address has its highest bytes 0. */
gw_ims_order gw_ims_detect_ack(const uint8_t in[GW_IMS_ACK])
{
    uint32_t type_le = gw_load_le32(in), type_be = gw_load_be32(in);

    if (type_le <= GW_IMS_TYPE_NACK && type_be > GW_IMS_TYPE_NACK)
        return GW_IMS_LE;
    if (type_be <= GW_IMS_TYPE_NACK && type_le > GW_IMS_TYPE_NACK)
        return GW_IMS_BE32;
    if (in[12] == 0 && in[15] != 0)
        return GW_IMS_BE32;
    return GW_IMS_LE;
}

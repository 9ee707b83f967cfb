/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer cases: frames that are wrong in one way each. */
#include "formats/ims/buf/suite.h"

/* Far beyond any ring. */
#define FAR (UINT64_C(1) << 62)

const gw_imb_fault_info gw_imb_faults[GW_IMB_NUM_FAULTS] = {
    [GW_IMB_BAD_KEY] = {"IMS-B20", "a frame with another key", GW_IMS_INVALID_RKEY},
    [GW_IMB_BAD_VA] = {"IMS-B21", "a frame that begins 32 bytes beyond a multiple of 64",
                       GW_IMS_INVALID_VA},
    [GW_IMB_SHORT] = {"IMS-B22", "a frame that is 64 bytes shorter than its header says",
                      GW_IMS_FRAME_LENGTH},
    [GW_IMB_LONG] = {"IMS-B22", "a frame that is 64 bytes longer than its header says",
                     GW_IMS_FRAME_LENGTH},
    [GW_IMB_BEYOND] = {"IMS-B24", "a frame far beyond the window", GW_IMS_OUTSIDE_WINDOW},
    [GW_IMB_RUNT] = {"IMS-B23", "a frame with a last packet of 32 bytes", GW_IMS_PACKET_LENGTH},
    [GW_IMB_LOST_MIDDLE] = {"IMS-B19", "a frame whose second packet got lost",
                            GW_IMS_OUT_OF_SEQUENCE | GW_IMS_FRAME_LENGTH},
};

gw_imb_frame gw_imb_faulty(gw_ctx *ctx, gw_imb_worker *w, gw_imb_fault which)
{
    gw_imb_frame f = gw_imb_frame_of(ctx, w, 3 * GW_IMB_PACKET, GW_IMB_PACKET);

    switch (which) {
    case GW_IMB_BAD_KEY:
        f.reth.rkey ^= UINT32_C(1) << gw_case_random(ctx) % 32;
        break;
    case GW_IMB_BAD_VA:
        f.reth.va += GW_IMS_ALIGN / 2;
        f.size = f.reth.length = GW_IMB_PACKET; /* it ends where it may */
        break;
    case GW_IMB_SHORT:
        f.reth.length += GW_IMS_ALIGN;
        break;
    case GW_IMB_LONG:
        f.reth.length -= GW_IMS_ALIGN;
        break;
    case GW_IMB_BEYOND:
        f.reth.va += FAR;
        break;
    case GW_IMB_RUNT:
        f.size = f.reth.length = 2 * GW_IMB_PACKET + 32;
        break;
    default:
        f.skip = 2;
        break;
    }
    return f;
}

bool gw_imb_possible(gw_ctx *ctx, gw_imb_fault which)
{
    return gw_case_transport(gw_case_connection(ctx))->adapter == NULL ||
           (which != GW_IMB_SHORT && which != GW_IMB_LONG && which != GW_IMB_LOST_MIDDLE);
}

unsigned gw_imb_first_fault(gw_ctx *ctx, unsigned from)
{
    while (from < GW_IMB_NUM_FAULTS && !gw_imb_possible(ctx, from))
        from++;
    return from;
}

void gw_imb_orphans(gw_ctx *ctx, gw_imb_worker *w)
{
    gw_imb_frame f = gw_imb_frame_of(ctx, w, 3 * GW_IMB_PACKET, GW_IMB_PACKET);

    (void)gw_imb_packet(ctx, w, &f, GW_IMB_PACKET, GW_IMB_PACKET);
    (void)gw_imb_packet(ctx, w, &f, 2 * GW_IMB_PACKET, GW_IMB_PACKET);
}

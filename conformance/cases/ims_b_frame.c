/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer: good frames of every form. */
#include <stdio.h>

#include "cases/ims_b.h"

static void acked(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);

    gw_imb_open(ctx, w);
    /* In packets of 1024 to 256 bytes: adapters make no smaller ones. */
    for (uint32_t packets = 1; packets <= 4; packets *= 2) {
        gw_imb_frame f = gw_imb_frame_of(ctx, w, 4 * GW_IMB_PACKET, 4 * GW_IMB_PACKET / packets);
        gw_imb_acked(ctx, w, &f, "IMS-B16", "a good frame");
    }
}

/* A response to a good and to a bad frame, and no other behind it. */
static void one_response(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_miss miss = {.rule = "IMS-B15"};
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (unsigned i = 0; i < 2; i++) {
        gw_imb_frame f = gw_imb_frame_of(ctx, w, 2 * GW_IMB_PACKET, GW_IMB_PACKET);
        f.reth.rkey ^= i;
        gw_imb_write(ctx, w, &f);
        if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "a complete %s was not answered",
                         i == 0 ? "frame" : "frame with an invalid key");
        gw_imb_no_response(ctx, w, "IMS-B15", "the response");
    }
}

static void response_va(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_miss miss = {.rule = "IMS-B17"};
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (unsigned i = 0; i < 4; i++) {
        gw_imb_frame f = gw_imb_frame_of(ctx, w, 2 * GW_IMB_PACKET, GW_IMB_PACKET);
        f.reth.rkey ^= i & 1;
        gw_imb_write(ctx, w, &f);
        if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "a frame was not answered");
        gw_imb_want(ctx, &got, "IMS-B17", "ims.ack.va", f.reth.va);
    }
}

/* Frames of one packet, and of two with the last one shorter. */
static void packet_sizes(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    char what[64];

    gw_imb_open(ctx, w);
    for (uint32_t size = GW_IMS_PACKET_MIN; size <= GW_IMS_PACKET_MAX; size += GW_IMS_ALIGN) {
        gw_imb_frame f = gw_imb_frame_of(ctx, w, size, size);
        (void)snprintf(what, sizeof(what), "a packet of %u bytes", (unsigned)size);
        gw_imb_acked(ctx, w, &f, "IMS-B28", what);
    }
}

static void short_last(gw_ctx *ctx)
{
    static const uint32_t packets[] = {128, 256, 512, 1024, 2048, 4096};
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    char what[64];

    gw_imb_open(ctx, w);
    for (size_t i = 0; i < GW_ARRAY_LEN(packets); i++) {
        uint32_t last =
            GW_IMS_ALIGN * (1 + (uint32_t)(gw_case_random(ctx) % (packets[i] / GW_IMS_ALIGN - 1)));
        gw_imb_frame f = gw_imb_frame_of(ctx, w, 3 * packets[i] + last, packets[i]);
        (void)snprintf(what, sizeof(what), "a last packet of %u bytes behind %u", (unsigned)last,
                       (unsigned)packets[i]);
        gw_imb_acked(ctx, w, &f, "IMS-B28", what);
    }
}

static void psn_wrap(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);

    w->psn = GW_IB_NUMBER_MASK - 1;
    gw_imb_open(ctx, w);
    gw_imb_frame f = gw_imb_frame_of(ctx, w, 4 * GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_acked(ctx, w, &f, "IMS-B19", "a frame across the end of the sequence numbers");
}

/* The source is silent on a gap in front of a first packet. */
static void gap_between(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_acked(ctx, w, &f, "IMS-B16", "a good frame");
    w->psn = (w->psn + 7) & GW_IB_NUMBER_MASK;
    f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_write(ctx, w, &f);
    gw_miss miss = {.rule = "IMS-B15"};
    if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a frame behind lost ones was not answered");
    bool told = got.p.has_body && (got.p.ack.events & GW_IMS_OUT_OF_SEQUENCE) != 0;
    gw_case_note(ctx, "whole frames that got lost are %s", told ? "out of sequence" : "no error");
    if (told)
        gw_imb_acked(ctx, w, &f, "IMS-B29", "the frame when it comes again");
}

static void again_after_ack(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);

    gw_imb_open(ctx, w);
    gw_imb_hold(ctx, w);
    gw_imb_frame f = gw_imb_frame_of(ctx, w, 3 * GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_acked(ctx, w, &f, "IMS-B16", "a good frame");
    gw_imb_acked(ctx, w, &f, "IMS-B29", "an acknowledged frame that comes again");
}

static void below(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;
    gw_miss miss = {.rule = "IMS-B15"};

    gw_imb_open(ctx, w);
    gw_imb_hold(ctx, w);
    gw_imb_frame f = gw_imb_frame_of(ctx, w, 2 * GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_acked(ctx, w, &f, "IMS-B16", "a good frame");
    gw_imb_read_pointer(ctx, w, w->next);
    gw_imb_write(ctx, w, &f);
    if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a frame below the read pointer was not answered");
    gw_case_note(ctx, "frames below the read pointer are %s",
                 got.p.ack.type == GW_IMS_TYPE_ACK ? "acknowledged" : "refused");
}

const gw_case gw_ims_b_frame[] = {
    {.id = "ims-b/ack",
     .title = "frames without an error are acknowledged",
     .rules = GW_LIST("IMS-B16"),
     .after = GW_LIST("ims-b/ready"),
     .needs = GW_LIST("ring"),
     .run = acked},
    {.id = "ims-b/one-response",
     .title = "each frame is answered by one response",
     .rules = GW_LIST("IMS-B15"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .run = one_response},
    {.id = "ims-b/response-va",
     .title = "responses tell where the frame began",
     .rules = GW_LIST("IMS-B17"),
     .after = GW_LIST("ims-b/one-response"),
     .needs = GW_LIST("ring"),
     .run = response_va},
    {.id = "ims-b/packet-sizes",
     .title = "packets of 64 to 4096 bytes in steps of 64 are accepted",
     .rules = GW_LIST("IMS-B28"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .run = packet_sizes},
    {.id = "ims-b/short-last",
     .title = "the last packet of a frame may be shorter",
     .rules = GW_LIST("IMS-B28"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .run = short_last},
    {.id = "ims-b/psn-wrap",
     .title = "sequence numbers go on with 0 behind 0xffffff",
     .rules = GW_LIST("IMS-B19"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .run = psn_wrap},
    {.id = "ims-b/gap-between",
     .title = "frames behind ones that got lost whole are answered",
     .rules = GW_LIST("IMS-B15", "IMS-B29"),
     .after = GW_LIST("ims-b/one-response"),
     .needs = GW_LIST("ring"),
     .run = gap_between},
    {.id = "ims-b/again-after-ack",
     .title = "an acknowledged frame is accepted again while it is not exposed",
     .rules = GW_LIST("IMS-B29"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring", "regs"),
     .run = again_after_ack},
    {.id = "ims-b/below",
     .title = "a frame below the read pointer is answered",
     .rules = GW_LIST("IMS-B15"),
     .after = GW_LIST("ims-b/one-response"),
     .needs = GW_LIST("ring", "regs"),
     .run = below},
    {0},
};

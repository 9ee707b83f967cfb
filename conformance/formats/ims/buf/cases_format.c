/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer: what its packets look like. Everything else stands on that. */
#include "formats/ims/buf/suite.h"

/* The next packet, of any form; fails with |rule| when none comes. */
static void any_answer(gw_ctx *ctx, gw_imb_got *got, const char *rule)
{
    gw_miss miss = {.rule = rule};
    if (!gw_imb_next(ctx, got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "no answer came");
}

static void icrc(gw_ctx *ctx)
{
    gw_imb_got got;
    gw_miss miss = {.rule = "IMS-C13"};

    (void)gw_imb_send_request(ctx, gw_imb_one(ctx, 0), GW_IMS_STAT_REQ);
    any_answer(ctx, &got, "IMS-C13");
    miss.packet = got.number;
    if (got.icrc != GW_IB_RIGHT)
        gw_case_fail(ctx, &miss, "the ICRC fits no IPv4 identification: adapters will drop it");
}

/* All four answers, or the case ends. */
static void status_format(gw_ctx *ctx)
{
    static const uint8_t requests[] = {GW_IMS_STAT_REQ, GW_IMS_DATA_REQ, GW_IMS_DATA_TERM,
                                       GW_IMS_STAT_TERM};
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_want response = {.rule = "IMS-C3",
                        .field = "ims.status.method",
                        .value = GW_IMS_RESPONSE,
                        .mask = GW_IMS_RESPONSE};
    gw_imb_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(requests); i++) {
        (void)gw_imb_send_request(ctx, w, requests[i]);
        any_answer(ctx, &got, "IMS-C1");
        gw_imb_judge(ctx, &got);
        if (got.p.has_body)
            gw_case_expect(ctx, &got.message, got.number, &response);
    }
}

static void reserved_byte(gw_ctx *ctx)
{
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    (void)gw_imb_send_request(ctx, w, GW_IMS_STAT_REQ);
    any_answer(ctx, &got, "IMS-C5");
    gw_imb_judge(ctx, &got);
}

/* A good frame and a bad one: either form of response. */
static void response_format(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (unsigned i = 0; i < 2; i++) {
        gw_imb_frame f = gw_imb_frame_of(ctx, w, 2 * GW_IMB_PACKET, GW_IMB_PACKET);
        f.reth.rkey ^= i;
        (void)gw_imb_write(ctx, w, &f);
        /* Whether there is a response at all is for other cases. */
        if (gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
            gw_imb_judge(ctx, &got);
    }
}

const gw_case gw_ims_b_format[] = {
    {.id = "ims-c/icrc",
     .title = "Answers carry the invariant CRC of their packet",
     .rules = GW_LIST("IMS-C13"),
     .run = icrc},
    {.id = "ims-c/status-format",
     .title = "Answers are status packets of 28 bytes in datagrams",
     .rules = GW_LIST("IMS-C1", "IMS-C2", "IMS-C3", "IMS-C4", "IMS-C11"),
     .after = GW_LIST("ims-c/icrc"),
     .run = status_format},
    {.id = "ims-c/reserved-byte",
     .title = "The reserved byte of answers is 0",
     .rules = GW_LIST("IMS-C5"),
     .after = GW_LIST("ims-c/status-format"),
     .run = reserved_byte},
    {.id = "ims-c/response-format",
     .title = "Responses to frames have 16 bytes, a known type and events that suit it",
     .rules = GW_LIST("IMS-C6", "IMS-C7", "IMS-C8", "IMS-C9", "IMS-C17"),
     .after = GW_LIST("ims-c/status-format"),
     .needs = GW_LIST("ring"),
     .run = response_format},
    {0},
};

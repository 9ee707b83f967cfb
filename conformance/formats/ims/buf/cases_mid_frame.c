/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer: data channels among packets that are wrong, damaged, or none of a Worker's. */
#include "formats/ims/buf/suite.h"

/* ---- responses to what is wrong ---- */

static void format_of_refusals(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (unsigned i = gw_imb_first_fault(ctx, 0); i < GW_IMB_NUM_FAULTS;
         i = gw_imb_first_fault(ctx, i + 1)) {
        gw_imb_frame f = gw_imb_faulty(ctx, w, i);
        (void)gw_imb_write(ctx, w, &f);
        /* Whether there is a response at all is for other cases. */
        if (gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
            gw_imb_judge(ctx, &got);
    }
}

static void one_response_each(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_miss miss = {.rule = "IMS-B15"};
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (unsigned i = gw_imb_first_fault(ctx, 0); i < GW_IMB_NUM_FAULTS;
         i = gw_imb_first_fault(ctx, i + 1)) {
        gw_imb_frame f = gw_imb_faulty(ctx, w, i);
        miss.packet = gw_imb_write(ctx, w, &f);
        if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "%s was not answered", gw_imb_faults[i].what);
        gw_imb_no_response(ctx, w, "IMS-B15", "the response to a refused frame");
    }
}

/* ---- garbage between good packets ---- */

/* What the hardware drops before it looks at any sequence number: damaged copies, and what belongs
 * to another service. */
static void send_garbage(gw_ctx *ctx, const gw_imb_worker *w, const gw_imb_frame *f,
                         uint32_t offset)
{
    uint8_t data[GW_IB_MTU_MAX];
    gw_ims_draft draft = gw_imb_part(w, f, offset, data, GW_IMB_PACKET);

    gw_imb_send_damaged(ctx, &draft, UINT32_MAX);
    draft.bth.opcode = GW_IB_RC | (draft.bth.opcode & 0x1f);
    (void)gw_imb_send(ctx, &draft);
}

static void ack_among_garbage(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (unsigned i = 0; i < 2; i++) {
        gw_imb_frame f = gw_imb_frame_of(ctx, w, 4 * GW_IMB_PACKET, GW_IMB_PACKET);
        for (uint32_t offset = 0; offset < f.size; offset += GW_IMB_PACKET) {
            send_garbage(ctx, w, &f, offset);
            (void)gw_imb_packet(ctx, w, &f, offset, GW_IMB_PACKET);
        }
        gw_miss miss = {.rule = "IMS-B16"};
        if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "a good frame among garbage was not answered");
        gw_imb_want(ctx, &got, "IMS-B16", "ims.ack.type", GW_IMS_TYPE_ACK);
        gw_imb_want(ctx, &got, "IMS-B17", "ims.ack.va", f.reth.va);
    }
}

/* ---- good frames behind odd ones ---- */

static void sizes_among_odd(gw_ctx *ctx)
{
    static const uint32_t odd[] = {100, 68, 4, 4092, 36, 1000};
    static const uint32_t good[] = {64, 192, 4032, 64, 320, 2112};
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (size_t i = 0; i < GW_ARRAY_LEN(odd); i++) {
        gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMS_PACKET_MAX, GW_IMS_PACKET_MAX);
        f.size = f.reth.length = odd[i];
        (void)gw_imb_write(ctx, w, &f);
        (void)gw_imb_response(ctx, w, &got, gw_case_settle_ns(ctx));
        f.size = f.reth.length = f.packet = good[i];
        gw_imb_acked(ctx, w, &f, "IMS-B28", "a packet of a good size behind an odd one");
    }
}

/* A channel that is opened once more while what it has taken ended anywhere. */
static void aligned_among_odd(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_frame runt = gw_imb_faulty(ctx, w, GW_IMB_RUNT);
    (void)gw_imb_write(ctx, w, &runt);
    (void)gw_imb_response(ctx, w, &got, gw_case_settle_ns(ctx));
    gw_imb_ask(ctx, w, GW_IMS_DATA_REQ, &got, "IMS-B9");
    gw_imb_judge(ctx, &got);
    gw_imb_frame broken = gw_imb_faulty(ctx, w, GW_IMB_BAD_VA);
    broken.size = 3 * GW_IMB_PACKET;
    (void)gw_imb_packet(ctx, w, &broken, 0, 100);
    gw_imb_ask(ctx, w, GW_IMS_DATA_REQ, &got, "IMS-B9");
    gw_imb_judge(ctx, &got);
}

/* Queue pairs that are for management, or none at all. */
static void bad_queue_pair(gw_ctx *ctx)
{
    static const uint32_t bad[] = {0, 1, UINT32_C(0x1000080)};
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    /* A board that has no channel left, as one got lost or was kept, grants none whatever came
     * before. Where leaving may get lost, the channel stays. */
    gw_imb_open(ctx, w);
    if (!gw_case_loses(ctx)) {
        (void)gw_imb_send_request(ctx, w, GW_IMS_DATA_TERM);
        gw_imb_drain(ctx);
    }
    for (size_t i = 0; i < GW_ARRAY_LEN(bad); i++) {
        gw_ims_status s = gw_imb_request(w, GW_IMS_DATA_REQ);
        s.key = bad[i];
        gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
        (void)gw_imb_send(ctx, &draft);
        (void)gw_imb_next(ctx, &got, gw_case_settle_ns(ctx));
    }
    gw_imb_ask(ctx, w, GW_IMS_DATA_REQ, &got, "IMS-B9");
    w->buffer_qpn = got.p.status.key;
    w->rkey = got.p.status.rkey;
    w->next = w->va = got.p.status.va;
    gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_acked(ctx, w, &f, "IMS-B9", "a frame after DATA_REQs that could not be granted");
}

/* ---- neighbours ---- */

/* One Worker does everything wrong between the packets of another one. */
static void bad_neighbour(gw_ctx *ctx)
{
    gw_imb_worker *bad = gw_imb_one(ctx, 0);
    gw_imb_worker *good = gw_imb_one(ctx, 1);
    gw_imb_got got;

    gw_imb_open(ctx, bad);
    gw_imb_open(ctx, good);
    for (unsigned i = 0; i < GW_IMB_NUM_FAULTS; i++) {
        gw_miss miss = {.rule = "IMS-B13"};
        gw_imb_frame wrong = gw_imb_faulty(ctx, bad, i);
        gw_imb_frame right = gw_imb_frame_of(ctx, good, 2 * GW_IMB_PACKET, GW_IMB_PACKET);
        uint32_t half = wrong.size / 2;
        miss.packet = gw_imb_packet(ctx, good, &right, 0, GW_IMB_PACKET);
        (void)gw_imb_packet(ctx, bad, &wrong, 0, half);
        (void)gw_imb_packet(ctx, good, &right, GW_IMB_PACKET, GW_IMB_PACKET);
        bad->psn += wrong.skip != 0; /* one got lost */
        (void)gw_imb_packet(ctx, bad, &wrong, half, wrong.size - half);
        if (!gw_imb_response(ctx, good, &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "a good frame was not answered: its neighbour sent %s",
                         gw_imb_faults[i].what);
        gw_imb_want(ctx, &got, "IMS-B13", "ims.ack.type", GW_IMS_TYPE_ACK);
        gw_imb_want(ctx, &got, "IMS-B13", "ims.ack.va", right.reth.va);
        gw_imb_drain(ctx);
    }
}

const gw_case gw_ims_b_mid_frame[] = {
    {.id = "ims-c/response-format-faults",
     .title = "Responses to faulty frames have 16 bytes, a known type and events that suit it",
     .rules = GW_LIST("IMS-C6", "IMS-C7", "IMS-C8", "IMS-C9", "IMS-C17"),
     .after = GW_LIST("ims-c/response-format"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = format_of_refusals},
    {.id = "ims-b/one-response-each",
     .title = "A frame with any error is answered by one response",
     .rules = GW_LIST("IMS-B15"),
     .after = GW_LIST("ims-b/one-response"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = one_response_each},
    {.id = "ims-b/ack-amid-garbage",
     .title = "A good frame among packets that are to be dropped is acknowledged",
     .rules = GW_LIST("IMS-B16", "IMS-B17"),
     .after = GW_LIST("ims-b/one-response", "ims-b/response-va", "ims-c/damaged"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = ack_among_garbage},
    {0},
};

const gw_case gw_ims_b_others[] = {
    {.id = "ims-b/sizes-amid-odd",
     .title = "Packets of legal sizes are accepted after ones of odd sizes",
     .rules = GW_LIST("IMS-B28"),
     .after = GW_LIST("ims-b/packet-sizes", "ims-b/recovers", "ims-b/odd-lengths"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = sizes_among_odd},
    {.id = "ims-b/aligned-amid-odd",
     .title = "Frames begin at a multiple of 64, wherever earlier frames broke off",
     .rules = GW_LIST("IMS-B10", "IMS-B9"),
     .after = GW_LIST("ims-b/aligned", "ims-b/data-req-again"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = aligned_among_odd},
    {.id = "ims-b/bad-queue-pair",
     .title = "A legal DATA_REQ is granted after ones with impossible queue pairs",
     .rules = GW_LIST("IMS-B9"),
     .after = GW_LIST("ims-b/data-req-again"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = bad_queue_pair},
    {.id = "ims-b/bad-neighbour",
     .title = "One Worker's faulty frames do not disturb another one's good frames",
     .rules = GW_LIST("IMS-B13"),
     .after = GW_LIST("ims-b/interleaved", "ims-b/recovers", "ims-b/response-va"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = bad_neighbour},
    {0},
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer: data channels come and go. */
#include "formats/ims/buf/suite.h"

static void data_res(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_miss miss;
    gw_imb_got got;

    gw_imb_register(ctx, w);
    gw_imb_ask(ctx, w, GW_IMS_DATA_REQ, &got, "IMS-B9");
    const gw_ims_status *s = &got.p.status;
    bool echo = s->key == w->data_qpn;
    miss = (gw_miss){.rule = "IMS-B9",
                     .field = gw_format_field(&gw_ims, "ims.status.qpnd"),
                     .packet = got.number,
                     .offset = (uint32_t)(got.p.payload - got.bytes) + 12,
                     .got = s->key};
    if (s->key <= 1 || s->key > GW_IB_NUMBER_MASK)
        gw_case_fail(ctx, &miss, "the data channel's queue pair is 0x%x", (unsigned)s->key);
    gw_case_note(ctx, "DATA_RES tells the %s queue pair", echo ? "Worker's" : "buffer's");
}

static void aligned(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_register(ctx, w);
    gw_imb_ask(ctx, w, GW_IMS_DATA_REQ, &got, "IMS-B9");
    gw_imb_judge(ctx, &got);
}

/* A channel that is told is ready: the first frame, sent at once, is not lost. */
static void ready(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_miss miss = {.rule = "IMS-B9"};
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
    (void)gw_imb_write(ctx, w, &f);
    if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a frame right after DATA_RES was not answered");
}

static void repeated_request(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_ask(ctx, w, GW_IMS_DATA_REQ, &got, "IMS-B9");
    w->buffer_qpn = got.p.status.key;
    w->rkey = got.p.status.rkey;
    w->next = w->va = got.p.status.va;
    gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_acked(ctx, w, &f, "IMS-B9", "a frame after a repeated DATA_REQ");
}

/* Workers come to where the channel was. */
static void reopen(gw_ctx *ctx, const char *rule)
{
    gw_imb_worker *w = gw_imb_one(ctx, 1);

    gw_imb_open(ctx, w);
    gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_acked(ctx, w, &f, rule, "a frame of another Worker");
}

static void data_term(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_acked(ctx, w, &f, "IMS-B16", "a good frame");
    gw_imb_ask(ctx, w, GW_IMS_DATA_TERM, &got, "IMS-B11");
    f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
    (void)gw_imb_write(ctx, w, &f);
    gw_imb_no_response(ctx, w, "IMS-B11", "a frame behind DATA_TERM");
    gw_imb_ask(ctx, w, GW_IMS_DATA_REQ, &got, "IMS-B11");
}

static void data_term_again(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_ask(ctx, w, GW_IMS_DATA_TERM, &got, "IMS-B11");
    gw_imb_drain(ctx);
    (void)gw_imb_send_request(ctx, w, GW_IMS_DATA_TERM);
    gw_case_note(ctx, "a repeated DATA_TERM is %s",
                 gw_imb_answer(ctx, w, GW_IMS_DATA_DOWN, &got) ? "answered" : "not answered");
    gw_imb_ask(ctx, w, GW_IMS_DATA_REQ, &got, "IMS-B11");
}

/* Who was a stranger, or has left, is none once registered. */
static void served_again(gw_ctx *ctx)
{
    bool alone = gw_case_transport(gw_case_connection(ctx))->adapter != NULL;
    const gw_imb_worker *a = gw_imb_one(ctx, 0);
    const gw_imb_worker *b = alone ? a : gw_imb_one(ctx, 1);
    gw_imb_got got;

    gw_imb_register(ctx, a);
    if (!alone)
        gw_imb_register(ctx, b);
    for (unsigned i = 0; i < 3; i++) {
        gw_imb_ask(ctx, a, GW_IMS_DATA_REQ, &got, "IMS-B8");
        gw_imb_ask(ctx, a, GW_IMS_DATA_TERM, &got, "IMS-B8");
        gw_imb_ask(ctx, a, GW_IMS_STAT_TERM, &got, "IMS-B12");
        if (!alone) {
            gw_imb_ask(ctx, b, GW_IMS_DATA_REQ, &got, "IMS-B8");
            gw_imb_ask(ctx, b, GW_IMS_DATA_TERM, &got, "IMS-B8");
        }
        gw_imb_register(ctx, a);
    }
}

static void stat_term(gw_ctx *ctx)
{
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_register(ctx, w);
    gw_imb_ask(ctx, w, GW_IMS_STAT_TERM, &got, "IMS-B12");
    (void)gw_imb_send_request(ctx, w, GW_IMS_DATA_REQ);
    gw_imb_quiet(ctx, w, "IMS-B12", "a DATA_REQ behind STAT_TERM");
    gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &got, "IMS-B12");
}

static void stat_term_closes(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_ask(ctx, w, GW_IMS_STAT_TERM, &got, "IMS-B12");
    gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
    (void)gw_imb_write(ctx, w, &f);
    gw_imb_no_response(ctx, w, "IMS-B12", "a frame behind STAT_TERM");
    reopen(ctx, "IMS-B12");
}

static void independent(gw_ctx *ctx)
{
    gw_imb_worker *a = gw_imb_one(ctx, 0);
    gw_imb_worker *b = gw_imb_one(ctx, 1);
    gw_imb_got got;

    gw_imb_open(ctx, a);
    gw_imb_open(ctx, b);
    gw_imb_frame f = gw_imb_frame_of(ctx, b, 4 * GW_IMB_PACKET, GW_IMB_PACKET);
    (void)gw_imb_packet(ctx, b, &f, 0, GW_IMB_PACKET);
    (void)gw_imb_packet(ctx, b, &f, GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_ask(ctx, a, GW_IMS_STAT_TERM, &got, "IMS-B12");
    /* In the middle of a frame of the other one. */
    (void)gw_imb_packet(ctx, b, &f, 2 * GW_IMB_PACKET, GW_IMB_PACKET);
    (void)gw_imb_packet(ctx, b, &f, 3 * GW_IMB_PACKET, GW_IMB_PACKET);
    gw_miss miss = {.rule = "IMS-B13"};
    if (!gw_imb_response(ctx, b, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a frame was not answered: another Worker ended meanwhile");
    gw_imb_want(ctx, &got, "IMS-B13", "ims.ack.type", GW_IMS_TYPE_ACK);
    gw_imb_ask(ctx, b, GW_IMS_DATA_TERM, &got, "IMS-B13");
}

static void interleaved(gw_ctx *ctx)
{
    gw_imb_worker *a = gw_imb_one(ctx, 0);
    gw_imb_worker *b = gw_imb_one(ctx, 1);
    const gw_imb_worker *both[] = {a, b};
    gw_imb_got got;

    gw_imb_open(ctx, a);
    gw_imb_open(ctx, b);
    gw_imb_frame of_a = gw_imb_frame_of(ctx, a, 4 * GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_frame of_b = gw_imb_frame_of(ctx, b, 4 * GW_IMB_PACKET, GW_IMB_PACKET);
    for (uint32_t i = 0; i < 4; i++) {
        (void)gw_imb_packet(ctx, a, &of_a, i * GW_IMB_PACKET, GW_IMB_PACKET);
        (void)gw_imb_packet(ctx, b, &of_b, i * GW_IMB_PACKET, GW_IMB_PACKET);
    }
    for (size_t i = 0; i < GW_ARRAY_LEN(both); i++) {
        gw_miss miss = {.rule = "IMS-B13"};
        if (!gw_imb_response(ctx, both[i], &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "of two frames at a time one was not answered");
        gw_imb_want(ctx, &got, "IMS-B13", "ims.ack.type", GW_IMS_TYPE_ACK);
    }
}

const gw_case gw_ims_b_channel[] = {
    {.id = "ims-b/data-res",
     .title = "DATA_REQ is answered by DATA_RES",
     .rules = GW_LIST("IMS-B9"),
     .after = GW_LIST("ims-b/echoes"),
     .run = data_res},
    {.id = "ims-b/aligned",
     .title = "DATA_RES tells a start address that is a multiple of 64",
     .rules = GW_LIST("IMS-B10"),
     .after = GW_LIST("ims-b/data-res"),
     .run = aligned},
    {.id = "ims-b/ready",
     .title = "The data channel is ready when DATA_RES comes",
     .rules = GW_LIST("IMS-B9"),
     .after = GW_LIST("ims-c/response-format", "ims-b/aligned"),
     .needs = GW_LIST("ring"),
     .run = ready},
    {.id = "ims-b/stat-term",
     .title = "STAT_TERM is answered by STAT_DOWN and removes the Worker",
     .rules = GW_LIST("IMS-B12"),
     .after = GW_LIST("ims-b/strangers"),
     .run = stat_term},
    {.id = "ims-b/served-again",
     .title = "Workers that are registered are served, whichever others have left",
     .rules = GW_LIST("IMS-B8", "IMS-B12"),
     .after = GW_LIST("ims-b/stat-term", "ims-b/two-identities", "ims-b/data-res"),
     .run = served_again},
    {.id = "ims-b/data-term-again",
     .title = "A repeated DATA_TERM does no harm",
     .rules = GW_LIST("IMS-B11"),
     .after = GW_LIST("ims-b/data-res"),
     .run = data_term_again},
    {0},
};

const gw_case gw_ims_b_end[] = {
    {.id = "ims-b/data-req-again",
     .title = "A repeated DATA_REQ gives a data channel that works",
     .rules = GW_LIST("IMS-B9"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .run = repeated_request},
    {.id = "ims-b/data-term",
     .title = "Frames after DATA_TERM are not acknowledged",
     .rules = GW_LIST("IMS-B11"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = data_term},
    {.id = "ims-b/stat-term-closes",
     .title = "STAT_TERM ends an open data channel",
     .rules = GW_LIST("IMS-B12"),
     .after = GW_LIST("ims-b/ack", "ims-b/stat-term"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = stat_term_closes},
    {.id = "ims-b/independent",
     .title = "The end of one Worker does not disturb another one's frame",
     .rules = GW_LIST("IMS-B13", "IMS-B12"),
     .after = GW_LIST("ims-b/ack", "ims-b/stat-term"),
     .needs = GW_LIST("ring"),
     .run = independent},
    {.id = "ims-b/interleaved",
     .title = "Packets of two Workers' frames may alternate",
     .rules = GW_LIST("IMS-B13"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .run = interleaved},
    {0},
};

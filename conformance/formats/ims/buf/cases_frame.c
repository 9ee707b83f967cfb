/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer: good frames of every form. */
#include <stdio.h>

#include "formats/ims/buf/suite.h"
#include "suite/response.h"

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
        (void)gw_imb_write(ctx, w, &f);
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
        (void)gw_imb_write(ctx, w, &f);
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

/* Frames at the edge of what is right, and the event that they must not be told as. */
typedef struct fine {
    const char *rule;
    uint32_t event;
    bool neighbour;    /* another Worker sends as well */
    uint32_t sizes[4]; /* of frames, sent in turn */
    uint32_t packet[4];
} fine;

enum { FINE_KEY, FINE_VA, FINE_LENGTH, FINE_PACKETS, FINE_PLACE, FINE_START };

static const fine fines[] = {
    [FINE_KEY] = {"IMS-B20", GW_IMS_INVALID_RKEY, true, {512, 256, 512, 256}, {256, 256, 256, 256}},
    [FINE_VA] = {"IMS-B21", GW_IMS_INVALID_VA, false, {64, 64, 192, 64}, {64, 64, 192, 64}},
    [FINE_LENGTH] =
        {"IMS-B22", GW_IMS_FRAME_LENGTH, false, {64, 1088, 2048, 320}, {64, 1024, 1024, 256}},
    [FINE_PACKETS] =
        {"IMS-B23", GW_IMS_PACKET_LENGTH, false, {64, 4096, 4160, 128}, {64, 4096, 4096, 64}},
    [FINE_PLACE] =
        {"IMS-B24", GW_IMS_OUTSIDE_WINDOW, false, {4096, 8192, 64, 4096}, {1024, 1024, 64, 4096}},
    [FINE_START] = {"IMS-B25", GW_IMS_NO_START, false, {256, 512, 256, 512}, {256, 256, 256, 256}},
};

static void expect_not_told(gw_ctx *ctx, gw_imb_worker *w, const fine *one, unsigned i)
{
    gw_imb_frame f = gw_imb_frame_of(ctx, w, one->sizes[i], one->packet[i]);
    gw_imb_got got;

    (void)gw_imb_write(ctx, w, &f);
    if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a good frame was not answered");
    if (got.p.ack.type == GW_IMS_TYPE_ACK)
        return;
    gw_miss miss = gw_imb_events_miss(&got, one->rule, got.p.ack.events & ~one->event);
    if ((got.p.ack.events & one->event) == 0)
        gw_case_inconc(ctx, "a good frame was refused for something else");
    gw_case_fail(ctx, &miss,
                 "a good frame of %u bytes is told with events 0x%03x, 0x%03x among them",
                 (unsigned)one->sizes[i], (unsigned)got.p.ack.events, (unsigned)one->event);
}

static void told_nothing(gw_ctx *ctx)
{
    const fine *one = &fines[gw_case_self(ctx)->arg];
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_worker *other = one->neighbour ? gw_imb_one(ctx, 1) : w;
    gw_imb_got got;

    gw_imb_open(ctx, w);
    if (one->neighbour)
        gw_imb_open(ctx, other);
    for (unsigned i = 0; i < 2 * GW_ARRAY_LEN(one->sizes); i++)
        expect_not_told(ctx, i % 2 == 0 ? w : other, one, i % GW_ARRAY_LEN(one->sizes));
    /* A channel that is opened anew has a key, a place and a start of its own. */
    gw_imb_ask(ctx, w, GW_IMS_DATA_TERM, &got, "IMS-B11");
    gw_imb_open(ctx, w);
    expect_not_told(ctx, w, one, 0);
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
    (void)gw_imb_write(ctx, w, &f);
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
    (void)gw_imb_write(ctx, w, &f);
    if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a frame below the read pointer was not answered");
    gw_case_note(ctx, "frames below the read pointer are %s",
                 got.p.ack.type == GW_IMS_TYPE_ACK ? "acknowledged" : "refused");
}

static void response_time(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_responses responses = {.num = 0};
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (unsigned i = 0; i < GW_RESPONSE_ROUNDS && !gw_response_slow(ctx, &responses); i++) {
        gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
        unsigned sent = gw_imb_write(ctx, w, &f);
        if (gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
            gw_response_add(ctx, &responses, sent, got.number);
        else
            gw_response_missed(ctx, &responses);
    }
    gw_response_end(ctx, &responses);
}

#define FINE(id_, title_, which_, rule_, after_)                                                   \
    {                                                                                              \
        .id = id_, .title = title_, .rules = GW_LIST(rule_), .after = GW_LIST(after_),             \
        .needs = GW_LIST("ring"), .arg = which_, .run = told_nothing                               \
    }

const gw_case gw_ims_b_frame[] = {
    {.id = "ims-b/ack",
     .title = "Frames without an error are acknowledged",
     .rules = GW_LIST("IMS-B16"),
     .after = GW_LIST("ims-b/ready"),
     .needs = GW_LIST("ring"),
     .run = acked},
    {.id = "ims-b/one-response",
     .title = "Each frame is answered by one response",
     .rules = GW_LIST("IMS-B15"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .run = one_response},
    {.id = "ims-b/response-va",
     .title = "Responses tell the address where the frame began",
     .rules = GW_LIST("IMS-B17"),
     .after = GW_LIST("ims-b/one-response"),
     .needs = GW_LIST("ring"),
     .run = response_va},
    {.id = "ims-b/packet-sizes",
     .title = "Packets of 64 to 4096 bytes in steps of 64 are accepted",
     .rules = GW_LIST("IMS-B28"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .run = packet_sizes},
    {.id = "ims-b/short-last",
     .title = "The last packet of a frame may be shorter",
     .rules = GW_LIST("IMS-B28"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .run = short_last},
    {.id = "ims-b/psn-wrap",
     .title = "Packet sequence numbers go on with 0 after 0xffffff",
     .rules = GW_LIST("IMS-B19"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring"),
     .run = psn_wrap},
    {.id = "ims-b/gap-between",
     .title = "A frame is answered though whole frames before it got lost",
     .rules = GW_LIST("IMS-B15", "IMS-B29"),
     .after = GW_LIST("ims-b/one-response"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = gap_between},
    FINE("ims-b/true-key", "The right key is not reported as invalid RKEY", FINE_KEY, "IMS-B20",
         "ims-b/ack"),
    FINE("ims-b/true-alignment", "A start at a multiple of 64 is not reported as invalid VA",
         FINE_VA, "IMS-B21", "ims-b/ack"),
    FINE("ims-b/true-length", "A frame as long as it says is not reported as frame length",
         FINE_LENGTH, "IMS-B22", "ims-b/ack"),
    FINE("ims-b/true-packets", "Packets of 64 to 4096 bytes are not reported as packet length",
         FINE_PACKETS, "IMS-B23", "ims-b/short-last"),
    FINE("ims-b/true-place", "A frame right after the one before is not reported as outside window",
         FINE_PLACE, "IMS-B24", "ims-b/ack"),
    FINE("ims-b/true-start", "A frame of one or two packets is not reported as no start of frame",
         FINE_START, "IMS-B25", "ims-b/ack"),
    {.id = "ims-b/again-after-ack",
     .title = "An acknowledged frame that was not exposed yet is accepted again",
     .rules = GW_LIST("IMS-B29"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring", "regs"),
     .run = again_after_ack},
    {.id = "ims-b/below",
     .title = "A frame below the read pointer is answered",
     .rules = GW_LIST("IMS-B15"),
     .after = GW_LIST("ims-b/one-response"),
     .needs = GW_LIST("ring", "regs"),
     .run = below},
    {.id = "ims-b/response-time",
     .title = "99 of 100 frames are answered within the claimed time",
     .rules = GW_LIST("IMS-B15"),
     .after = GW_LIST("ims-b/ack"),
     .needs = GW_LIST("ring", "response_us"),
     .run = response_time},
    {0},
};

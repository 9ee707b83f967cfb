/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer: what is wrong with a frame is told, that and nothing else. */
#include <inttypes.h>

#include "formats/ims/buf/board.h"
#include "formats/ims/buf/suite.h"

static void told(gw_ctx *ctx)
{
    gw_imb_fault which = gw_case_self(ctx)->arg;
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_frame f = gw_imb_faulty(ctx, w, which);
    (void)gw_imb_write(ctx, w, &f);
    /* Of a lost packet the length is not for this rule to say. */
    uint32_t events =
        which == GW_IMB_LOST_MIDDLE ? GW_IMS_OUT_OF_SEQUENCE : gw_imb_faults[which].events;
    gw_imb_nacked(ctx, w, events, &got, gw_imb_faults[which].rule, gw_imb_faults[which].what);
}

/* Each fault once, behind one another: no bit is left over, none is too many. */
static void exact(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (unsigned i = gw_imb_first_fault(ctx, 0); i < GW_IMB_NUM_FAULTS;
         i = gw_imb_first_fault(ctx, i + 1)) {
        gw_imb_frame f = gw_imb_faulty(ctx, w, i);
        (void)gw_imb_write(ctx, w, &f);
        gw_imb_nacked(ctx, w, 0, &got, "IMS-B15", gw_imb_faults[i].what);
        uint32_t extra = got.p.ack.events & ~gw_imb_faults[i].events & GW_IMS_EVENTS;
        gw_miss miss = gw_imb_events_miss(&got, "IMS-B18", got.p.ack.events & ~extra);
        if (extra != 0)
            gw_case_fail(ctx, &miss,
                         "%s is refused with events 0x%03" PRIx32 "; 0x%03" PRIx32
                         " is not among its errors",
                         gw_imb_faults[i].what, got.p.ack.events, extra);
    }
}

/* Two errors, two bits. */
static void both(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_frame f = gw_imb_faulty(ctx, w, GW_IMB_BAD_KEY);
    f.reth.length += GW_IMS_ALIGN;
    (void)gw_imb_write(ctx, w, &f);
    gw_imb_nacked(ctx, w, GW_IMS_INVALID_RKEY | GW_IMS_FRAME_LENGTH, &got, "IMS-B18",
                  "a frame of another key and length");
}

static void recovers(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (unsigned i = gw_imb_first_fault(ctx, 0); i < GW_IMB_NUM_FAULTS;
         i = gw_imb_first_fault(ctx, i + 1)) {
        gw_imb_frame bad = gw_imb_faulty(ctx, w, i);
        (void)gw_imb_write(ctx, w, &bad);
        gw_imb_nacked(ctx, w, 0, &got, "IMS-B15", gw_imb_faults[i].what);
        w->next = w->va; /* nothing was delivered */
        gw_imb_frame good = gw_imb_frame_of(ctx, w, 2 * GW_IMB_PACKET, GW_IMB_PACKET);
        gw_imb_acked(ctx, w, &good, "IMS-B32", "a good frame behind a refused one");
        w->va = w->next;
    }
}

static void odd_lengths(gw_ctx *ctx)
{
    static const uint32_t sizes[] = {4, 32, 60, 100, 68};
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
        f.size = f.reth.length = sizes[i];
        (void)gw_imb_write(ctx, w, &f);
        if (sizes[i] < GW_IMS_PACKET_MIN) {
            gw_imb_nacked(ctx, w, GW_IMS_PACKET_LENGTH, &got, "IMS-B23",
                          "a packet of less than 64 bytes");
        } else if (gw_imb_response(ctx, w, &got, gw_case_settle_ns(ctx))) {
            gw_case_note(ctx, "a packet of %u bytes: events 0x%03" PRIx32, (unsigned)sizes[i],
                         got.p.ack.events);
        }
    }
}

static void no_start(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_orphans(ctx, w);
    gw_imb_nacked(ctx, w, GW_IMS_NO_START, &got, "IMS-B25", "a frame without its first packet");
}

static void no_start_va(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_frame f = gw_imb_frame_of(ctx, w, GW_IMB_PACKET, GW_IMB_PACKET);
    gw_imb_acked(ctx, w, &f, "IMS-B16", "a good frame");
    gw_imb_orphans(ctx, w);
    gw_imb_nacked(ctx, w, GW_IMS_NO_START, &got, "IMS-B25", "a frame without its first packet");
    gw_imb_want(ctx, &got, "IMS-B17", "ims.ack.va", 0);
}

/* A first packet while a frame is not finished: that one is told of, and the new one stands. */
static void unfinished(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;
    gw_miss miss = {.rule = "IMS-B32"};

    gw_imb_open(ctx, w);
    gw_imb_frame lost = gw_imb_frame_of(ctx, w, 3 * GW_IMB_PACKET, GW_IMB_PACKET);
    lost.skip = 4; /* the last packet */
    (void)gw_imb_write(ctx, w, &lost);
    w->next = w->va;
    gw_imb_frame f = gw_imb_frame_of(ctx, w, 3 * GW_IMB_PACKET, GW_IMB_PACKET);
    (void)gw_imb_write(ctx, w, &f);
    do {
        if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "a frame behind an unfinished one was not acknowledged");
    } while (!got.p.has_body || got.p.ack.type != GW_IMS_TYPE_ACK);
}

static void again_after_nack(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_frame f = gw_imb_frame_of(ctx, w, 3 * GW_IMB_PACKET, GW_IMB_PACKET);
    f.skip = 2;
    (void)gw_imb_write(ctx, w, &f);
    gw_imb_nacked(ctx, w, 0, &got, "IMS-B15", "a frame whose second packet got lost");
    f.skip = 0;
    gw_imb_acked(ctx, w, &f, "IMS-B29", "a refused frame that comes again");
}

/* Events that only the board itself can make, one after the other, each in a good frame: they are
 * told, and that alone, and the next frame knows nothing of them. */
static void injected(gw_ctx *ctx)
{
    uint32_t events = gw_case_self(ctx)->arg;
    const char *rule = gw_case_self(ctx)->rules[0];
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    uint32_t at = gw_imb_channel(ctx, w) + GW_IMS_BUF_REG_INJECT;
    for (uint32_t bit = 1; bit <= events; bit <<= 1) {
        if ((events & bit) == 0)
            continue;
        gw_regs_write(ctx, at, bit);
        gw_imb_frame f = gw_imb_frame_of(ctx, w, 2 * GW_IMB_PACKET, GW_IMB_PACKET);
        (void)gw_imb_write(ctx, w, &f);
        gw_imb_nacked(ctx, w, bit, &got, rule, "a frame with an error inside the board");
        gw_imb_want(ctx, &got, "IMS-B18", "ims.ack.events", bit);
        gw_imb_acked(ctx, w, &f, "IMS-B32", "the frame when it comes again");
    }
}

/* The same in frames that the Worker got wrong as well. */
static void injected_and_wrong(gw_ctx *ctx)
{
    static const gw_imb_fault wrong[] = {GW_IMB_BAD_KEY, GW_IMB_RUNT};
    uint32_t events = gw_case_self(ctx)->arg;
    const char *rule = gw_case_self(ctx)->rules[0];
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    uint32_t at = gw_imb_channel(ctx, w) + GW_IMS_BUF_REG_INJECT;
    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        gw_regs_write(ctx, at, events);
        gw_imb_frame f = gw_imb_faulty(ctx, w, wrong[i]);
        (void)gw_imb_write(ctx, w, &f);
        gw_imb_nacked(ctx, w, events, &got, rule,
                      "a wrong frame with an error inside the board besides");
    }
}

#define TOLD(id_, title_, fault_, rule_)                                                           \
    {                                                                                              \
        .id = id_, .title = title_, .rules = GW_LIST(rule_),                                       \
        .after = GW_LIST("ims-b/one-response"), .needs = GW_LIST("ring"), .negative = true,        \
        .arg = fault_, .run = told                                                                 \
    }

const gw_case gw_ims_b_errors[] = {
    TOLD("ims-b/gap", "A lost packet is reported as out of sequence", GW_IMB_LOST_MIDDLE,
         "IMS-B19"),
    TOLD("ims-b/rkey", "A wrong key is reported as invalid RKEY", GW_IMB_BAD_KEY, "IMS-B20"),
    TOLD("ims-b/alignment",
         "A frame that does not start at a multiple of 64 is reported as invalid VA", GW_IMB_BAD_VA,
         "IMS-B21"),
    TOLD("ims-b/short-frame", "A frame that is too short is reported as frame length", GW_IMB_SHORT,
         "IMS-B22"),
    TOLD("ims-b/long-frame", "A frame that is too long is reported as frame length", GW_IMB_LONG,
         "IMS-B22"),
    TOLD("ims-b/short-packet", "A packet of less than 64 bytes is reported as packet length",
         GW_IMB_RUNT, "IMS-B23"),
    TOLD("ims-b/far-beyond", "A frame far beyond the window is reported as outside window",
         GW_IMB_BEYOND, "IMS-B24"),
    {.id = "ims-b/odd-lengths",
     .title = "Packets of odd lengths are reported as packet length",
     .rules = GW_LIST("IMS-B23"),
     .after = GW_LIST("ims-b/one-response"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = odd_lengths},
    {.id = "ims-b/no-start",
     .title = "Packets without a first one are reported as no start of frame",
     .rules = GW_LIST("IMS-B25"),
     .after = GW_LIST("ims-b/one-response"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = no_start},
    {.id = "ims-b/no-start-va",
     .title = "A NACK tells address 0 where no frame began",
     .rules = GW_LIST("IMS-B17"),
     .after = GW_LIST("ims-b/no-start"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = no_start_va},
    {.id = "ims-b/exact-events",
     .title = "A NACK reports the frame's own errors and no other",
     .rules = GW_LIST("IMS-B18"),
     .after = GW_LIST("ims-b/gap", "ims-b/rkey", "ims-b/alignment", "ims-b/short-frame",
                      "ims-b/long-frame", "ims-b/short-packet", "ims-b/far-beyond"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = exact},
    {.id = "ims-b/two-errors",
     .title = "A frame with two errors is refused for both",
     .rules = GW_LIST("IMS-B18"),
     .after = GW_LIST("ims-b/exact-events"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = both},
    {.id = "ims-b/recovers",
     .title = "A refused frame does not disturb the next one",
     .rules = GW_LIST("IMS-B32"),
     .after = GW_LIST("ims-b/exact-events"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = recovers},
    {.id = "ims-b/again-after-nack",
     .title = "A refused frame is accepted when it is sent again",
     .rules = GW_LIST("IMS-B29"),
     .after = GW_LIST("ims-b/recovers"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = again_after_nack},
    {.id = "ims-b/unfinished",
     .title = "A frame after an unfinished one is acknowledged",
     .rules = GW_LIST("IMS-B32"),
     .after = GW_LIST("ims-b/recovers"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = unfinished},
    {.id = "ims-b/marked-bad",
     .title = "Packets and frames that are marked bad are reported as marked bad",
     .rules = GW_LIST("IMS-B26", "IMS-B18", "IMS-B32"),
     .after = GW_LIST("ims-b/exact-events"),
     .needs = GW_LIST("ring", "inject"),
     .arg = GW_IMS_BUF_MARKS,
     .run = injected},
    {.id = "ims-b/memory-errors",
     .title = "Parity and memory errors are reported as parity and memory errors",
     .rules = GW_LIST("IMS-B27", "IMS-B18", "IMS-B32"),
     .after = GW_LIST("ims-b/exact-events"),
     .needs = GW_LIST("ring", "inject"),
     .arg = GW_IMS_BUF_MEMORY_ERRORS,
     .run = injected},
    {.id = "ims-b/marked-bad-and-wrong",
     .title = "Bad marks are reported of frames that have other errors as well",
     .rules = GW_LIST("IMS-B26"),
     .after = GW_LIST("ims-b/marked-bad", "ims-b/one-response-each"),
     .needs = GW_LIST("ring", "inject"),
     .negative = true,
     .arg = GW_IMS_BUF_MARKS,
     .run = injected_and_wrong},
    {.id = "ims-b/memory-errors-and-wrong",
     .title = "Parity and memory errors are reported of frames that have other errors as well",
     .rules = GW_LIST("IMS-B27"),
     .after = GW_LIST("ims-b/memory-errors", "ims-b/one-response-each"),
     .needs = GW_LIST("ring", "inject"),
     .negative = true,
     .arg = GW_IMS_BUF_MEMORY_ERRORS,
     .run = injected_and_wrong},
    {0},
};

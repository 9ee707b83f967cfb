/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer: write window and ring, to the byte, with the software around the buffer. */
#include <inttypes.h>

#include "formats/ims/buf/suite.h"

#define SIZE UINT32_C(512) /* of a frame: two packets */

/* A good frame of |w|, as if it went on at |va|. */
static gw_imb_frame frame_at(gw_ctx *ctx, gw_imb_worker *w, uint64_t va)
{
    gw_imb_frame f = gw_imb_frame_of(ctx, w, SIZE, GW_IMB_PACKET);
    f.reth.va = va;
    return f;
}

static uint32_t word_of(const gw_imb_frame *f)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++)
        word = word << 8 | gw_imb_byte(f, i);
    return word;
}

/* What went wrong is in the data of packet |number|, which is ours, or in what became of them. */
static gw_miss miss_in(const char *rule, unsigned number, uint32_t expected, uint32_t got)
{
    return (gw_miss){.rule = rule,
                     .field = gw_format_field(&gw_ims, "ims.data.payload"),
                     .packet = number,
                     .offset = GW_IB_BTH + GW_IB_RETH,
                     .expected = expected,
                     .got = got};
}

/* Fails with |rule| unless the ring of |w| holds |f|, sent as packet |number|, at byte |place|. */
static void expect_stored(gw_ctx *ctx, const gw_imb_worker *w, const gw_imb_frame *f,
                          unsigned number, uint64_t place, const char *rule)
{
    uint32_t wanted = word_of(f);
    uint32_t there = gw_imb_memory(ctx, w, place);
    gw_miss miss = miss_in(rule, number, wanted, there);

    if (there != wanted)
        gw_case_fail(ctx, &miss,
                     "the ring has 0x%08" PRIx32 " at byte %" PRIu64 ", 0x%08" PRIx32 " was "
                     "written there",
                     there, place, wanted);
}

static void edges(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_hold(ctx, w);
    uint64_t ring = gw_imb_ring(ctx);
    uint64_t bound = ring - gw_imb_margin(ctx);
    gw_imb_frame f = frame_at(ctx, w, w->va + bound - SIZE);
    gw_imb_acked(ctx, w, &f, "IMS-B16", "a frame that ends at the window's bound");

    f = frame_at(ctx, w, w->va + bound + GW_IMS_ALIGN);
    uint64_t place = (bound + GW_IMS_ALIGN) % ring;
    uint32_t before = gw_imb_memory(ctx, w, place);
    if (before == word_of(&f))
        f.seed++;
    unsigned sent = gw_imb_write(ctx, w, &f);
    gw_imb_nacked(ctx, w, GW_IMS_OUTSIDE_WINDOW, &got, "IMS-B24",
                  "a frame 64 bytes beyond the window's bound");
    uint32_t after = gw_imb_memory(ctx, w, place);
    gw_miss miss = miss_in("IMS-B24", sent, before, after);
    if (after != before)
        gw_case_fail(ctx, &miss,
                     "the memory changed from 0x%08" PRIx32 " to 0x%08" PRIx32 ": a frame outside "
                     "the window was stored",
                     before, after);

    f = frame_at(ctx, w, w->va + bound);
    (void)gw_imb_write(ctx, w, &f);
    if (gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
        gw_case_note(ctx, "a frame that begins at the window's bound is %s",
                     got.p.ack.type == GW_IMS_TYPE_ACK ? "acknowledged" : "refused");
}

/* Where a window that wraps ends is not told; that nothing is taken there is. */
static void wrapping(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_frame f = frame_at(ctx, w, UINT64_MAX - (GW_IMS_ALIGN - 1));
    (void)gw_imb_write(ctx, w, &f);
    gw_imb_nacked(ctx, w, GW_IMS_OUTSIDE_WINDOW, &got, "IMS-B24",
                  "a frame that goes on behind the last address");
}

static void moves(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_hold(ctx, w);
    uint64_t bound = gw_imb_ring(ctx) - gw_imb_margin(ctx);
    gw_imb_frame f = frame_at(ctx, w, w->va + bound + GW_IMS_ALIGN);
    (void)gw_imb_write(ctx, w, &f);
    gw_imb_nacked(ctx, w, GW_IMS_OUTSIDE_WINDOW, &got, "IMS-B24", "a frame beyond the window");
    gw_imb_read_pointer(ctx, w, w->va + bound);
    gw_imb_acked(ctx, w, &f, "IMS-B31", "the frame once the read pointer has moved");
}

static void wraps_round(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_hold(ctx, w);
    uint64_t ring = gw_imb_ring(ctx);
    gw_imb_frame f = frame_at(ctx, w, w->va);
    for (unsigned round = 1; round <= 4; round++) {
        unsigned sent = gw_imb_write(ctx, w, &f);
        gw_miss miss = {.rule = "IMS-B31", .packet = sent};
        if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "a frame a whole ring further on was not answered");
        gw_imb_want(ctx, &got, "IMS-B31", "ims.ack.type", GW_IMS_TYPE_ACK);
        expect_stored(ctx, w, &f, sent, 0, "IMS-B30");
        gw_imb_read_pointer(ctx, w, w->va + round * ring - (uint64_t)SIZE);
        uint8_t seed = f.seed;
        f = frame_at(ctx, w, w->va + round * ring);
        f.seed = (uint8_t)(seed + 1);
    }
}

/* A frame that is refused where the ring begins anew leaves no trace, and comes to its place once
 * the window has moved. */
static void ring_after_refusal(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_open(ctx, w);
    gw_imb_hold(ctx, w);
    uint64_t ring = gw_imb_ring(ctx);
    gw_imb_frame old = frame_at(ctx, w, w->va);
    unsigned sent = gw_imb_write(ctx, w, &old);
    if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a good frame was not answered");
    gw_imb_frame f = frame_at(ctx, w, w->va + ring);
    f.seed = (uint8_t)(old.seed + 1);
    (void)gw_imb_write(ctx, w, &f);
    gw_imb_nacked(ctx, w, GW_IMS_OUTSIDE_WINDOW, &got, "IMS-B24",
                  "a frame a whole ring beyond the read pointer");
    expect_stored(ctx, w, &old, sent, 0, "IMS-B30");
    gw_imb_read_pointer(ctx, w, w->va + ring - (uint64_t)SIZE);
    sent = gw_imb_write(ctx, w, &f);
    if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)) || got.p.ack.type != GW_IMS_TYPE_ACK)
        gw_case_inconc(ctx, "the frame was not acknowledged once the window had moved");
    expect_stored(ctx, w, &f, sent, 0, "IMS-B30");
}

const gw_case gw_ims_b_window[] = {
    {.id = "ims-b/window-wrap",
     .title = "A frame behind the last address is refused as outside window",
     .rules = GW_LIST("IMS-B24"),
     .after = GW_LIST("ims-b/far-beyond"),
     .needs = GW_LIST("ring"),
     .negative = true,
     .run = wrapping},
    {.id = "ims-b/window-edges",
     .title = "Frames are accepted up to the window's bound, and not stored beyond",
     .rules = GW_LIST("IMS-B24"),
     .after = GW_LIST("ims-b/far-beyond"),
     .needs = GW_LIST("ring", "regs"),
     .negative = true,
     .run = edges},
    {.id = "ims-b/window-moves",
     .title = "The window moves with the read pointer",
     .rules = GW_LIST("IMS-B31"),
     .after = GW_LIST("ims-b/window-edges", "ims-b/recovers"),
     .needs = GW_LIST("ring", "regs"),
     .negative = true,
     .run = moves},
    {.id = "ims-b/ring",
     .title = "Addresses a ring's size apart name the same place",
     .rules = GW_LIST("IMS-B30", "IMS-B31"),
     .after = GW_LIST("ims-b/window-moves"),
     .needs = GW_LIST("ring", "regs"),
     .run = wraps_round},
    {.id = "ims-b/ring-after-refusal",
     .title = "A refused frame does not shift what lies in the ring",
     .rules = GW_LIST("IMS-B30", "IMS-B24"),
     .after = GW_LIST("ims-b/ring"),
     .needs = GW_LIST("ring", "regs"),
     .negative = true,
     .run = ring_after_refusal},
    {0},
};

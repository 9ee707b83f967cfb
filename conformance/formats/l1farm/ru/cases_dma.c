/* SPDX-License-Identifier: BSD-2-Clause */
/* Readout unit: its DMA engine with the whole list of descriptors, large blocks, and a host that
 * writes what it should not. */
#include "formats/l1farm/ru/suite.h"

#define LAPS 4 /* of all descriptors, until the path let a burst of each through */

/* A descriptor is another than was written when both times that it was written got lost. That is no
 * likelier than that one of so many datagrams does, whatever share gets lost. */
#define WRITTEN_TWICE (GW_L1_DESCRIPTORS / 2)

/* The burst of event |number|; what else comes has been sent before and is late, or comes twice. */
static bool burst_of(gw_ctx *ctx, gw_l1c_got *got, uint32_t number)
{
    gw_connection *out = gw_case_link(ctx, "out");
    int64_t deadline = gw_case_now(out) + gw_case_reply_ns(ctx);

    while (gw_l1r_next(ctx, got, GW_L1_KIND_SUBEVENT, deadline - gw_case_now(out)))
        if (got->u.shim.event == (uint16_t)number)
            return true;
    return false;
}

/* A tag over a path that loses. The number of tags that the unit has counted since |before| tells
 * what became of one that no burst follows. Returns the number of the next tag; |came| says whether
 * there was a burst.
 */
static uint32_t tag_counted(gw_ctx *ctx, uint32_t before, uint32_t number, gw_l1c_got *got,
                            bool *came)
{
    unsigned tries = 0;
    uint32_t counted;

    do {
        gw_l1r_pulse(ctx);
        *came = burst_of(ctx, got, number);
        if (*came)
            return number + 1;
        gw_l1r_line(ctx, GW_L1_TIN, 0); /* the end of that tag may have got lost */
        counted = gw_l1r_read(ctx, GW_L1_TAGS) - before;
    } while (counted == number && gw_case_again(ctx, &tries));
    return counted;
}

/* Round and round, until each descriptor was seen to be used. */
static void all_over_lossy_path(gw_ctx *ctx)
{
    bool seen[GW_L1_DESCRIPTORS] = {false};
    gw_miss miss = {.rule = "L1-D05"};
    unsigned num_seen = 0;
    gw_l1c_got got;
    bool came;

    uint32_t before = gw_l1r_read(ctx, GW_L1_TAGS);
    for (uint32_t i = 0, next; i < LAPS * GW_L1_DESCRIPTORS; i = next) {
        unsigned which = i % GW_L1_DESCRIPTORS;
        next = tag_counted(ctx, before, i, &got, &came);
        if (!came)
            continue;
        gw_case_stake(ctx, WRITTEN_TWICE);
        gw_l1r_want_burst(ctx, &got, "L1-D05", which, 64, (uint16_t)i);
        gw_case_stake(ctx, 0);
        num_seen += !seen[which];
        seen[which] = true;
        if (num_seen == GW_L1_DESCRIPTORS && i >= GW_L1_DESCRIPTORS + 2)
            return;
    }
    for (unsigned i = 0; i < GW_L1_DESCRIPTORS; i++)
        if (!seen[i])
            gw_case_fail(ctx, &miss, "descriptor %u was never used in %d rounds", i, LAPS);
}

static void all_descriptors(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-D05", .expected = GW_L1_DESCRIPTORS - 1};
    gw_l1c_got got;

    gw_l1r_set_up(ctx, GW_L1_DESCRIPTORS, 64, GW_L1R_ONE_A_TAG);
    miss.got = gw_l1r_read(ctx, GW_L1_DESCS);
    if (miss.got != miss.expected)
        gw_case_fail(ctx, &miss, "DESCS reads as %u; 63 was written", (unsigned)miss.got);
    if (gw_case_loses(ctx)) {
        all_over_lossy_path(ctx);
        return;
    }
    for (unsigned i = 0; i < GW_L1_DESCRIPTORS + 3; i++) {
        gw_l1r_pulse(ctx);
        gw_l1r_expect_burst(ctx, &got, "L1-D05", i % GW_L1_DESCRIPTORS, 64, (uint16_t)i);
    }
}

/* Registers that there are not, or that cannot be written, and descriptors behind the last. */
static void write_nowhere(gw_ctx *ctx)
{
    gw_l1r_write(ctx, 0x500, UINT32_MAX);
    gw_l1r_write(ctx, GW_L1_TAGS, 77);
    gw_l1r_write(ctx, GW_L1_DESCS, GW_L1_DESCRIPTORS + 5);
    for (unsigned i = 0; i < 2; i++)
        gw_l1r_describe(ctx, GW_L1_DESCRIPTORS + i, GW_L1_TARGET(1, 1, 0), 16);
}

static void descriptors_disturbed(gw_ctx *ctx)
{
    gw_l1c_got got;

    gw_l1r_set_up(ctx, 3, 128, GW_L1R_ONE_A_TAG);
    for (uint16_t i = 0; i < 7; i++) {
        write_nowhere(ctx);
        if (gw_l1r_read(ctx, GW_L1_DESCS) != 2) /* too many were refused, or cut: either is right */
            gw_l1r_write(ctx, GW_L1_DESCS, 2);
        gw_l1r_pulse(ctx);
        gw_l1r_expect_burst(ctx, &got, "L1-D01", i % 3, 128, i);
    }
}

/* A loop without end, and Clear by software that sets reserved bits. */
static void clear_dirty(gw_ctx *ctx)
{
    gw_l1c_got got;

    gw_l1r_set_up(ctx, 3, 64, GW_L1R_ONE_A_TAG | GW_L1_DMA_LOOP);
    gw_l1r_pulse(ctx);
    if (gw_l1r_count(ctx, 4) < 4)
        gw_case_inconc(ctx, "the loop did not begin");
    gw_l1r_write(ctx, GW_L1_DMACNTRL, GW_L1_DMA_CLEAR | GW_L1_DMA_RESERVED);
    gw_l1r_run_out(ctx);
    gw_case_stake(ctx, GW_L1R_STOP);
    gw_l1c_silence(ctx, "L1-D03", "Clear with reserved bits set");
    gw_case_stake(ctx, 0);
    gw_l1r_write(ctx, GW_L1_DMACNTRL, GW_L1R_ONE_A_TAG);
    gw_l1r_pulse(ctx);
    gw_l1r_expect_burst(ctx, &got, "L1-D03", 0, 64, 0);
}

static void control_kept(gw_ctx *ctx)
{
    static const uint32_t values[] = {
        GW_L1R_ONE_A_TAG,
        GW_L1_DMA_TAGNET | GW_L1_DMA_EXACTLY | UINT32_C(5) << GW_L1_DMA_TRANSFERS_SHIFT,
        GW_L1_DMA_LOOP | UINT32_C(0x1fffff) << GW_L1_DMA_TRANSFERS_SHIFT, 0};

    gw_l1r_write(ctx, GW_L1_DMACNTRL, GW_L1_DMA_CLEAR);
    for (size_t i = 0; i < GW_ARRAY_LEN(values); i++) {
        gw_miss miss = {.rule = "L1-D04", .expected = values[i]};
        gw_l1r_write(ctx, GW_L1_DMACNTRL, values[i]);
        miss.got = gw_l1r_read(ctx, GW_L1_DMACNTRL) & ~GW_L1_DMA_STATUS;
        if (miss.got != miss.expected)
            gw_case_fail(ctx, &miss, "DMACNTRL reads as 0x%08x, 0x%08x was written",
                         (unsigned)miss.got, (unsigned)values[i]);
    }
}

/* Takes the bursts of one block of |bytes|; each is judged by the rules of both cases. */
static void take_block(gw_ctx *ctx, uint32_t bytes)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));
    gw_miss miss = {.rule = "L1-D06"};
    gw_l1c_got got;
    uint32_t done = 0;
    uint16_t tag = 0;

    gw_l1r_pulse(ctx);
    while (gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_settle_ns(ctx))) {
        miss.packet = got.number;
        miss.rule = "L1-D06";
        if (got.u.shim.length > GW_L1_BURST)
            gw_case_fail(ctx, &miss, "a burst of %u bytes; 128 are the most", got.u.shim.length);
        miss.rule = "L1-E03";
        if (done == 0)
            tag = got.u.shim.event;
        if (got.u.shim.event != tag)
            gw_case_fail(ctx, &miss, "TagID 0x%04x inside a block of TagID 0x%04x",
                         got.u.shim.event, tag);
        if (!p->ode && (got.u.has != GW_L1_HAS_WORDS ||
                        !gw_l1_words_ok(got.u.data, got.u.data_len / GW_L1_WORD, tag)))
            gw_case_fail(ctx, &miss,
                         "the event words do not count up, or carry another TagID than their "
                         "block");
        done += got.u.shim.length;
    }
    miss.rule = "L1-D01";
    miss.expected = bytes;
    miss.got = done;
    if (bytes != 0 && done != bytes)
        gw_case_fail(ctx, &miss, "%u bytes of a block of %u came", done, bytes);
}

static void blocks(gw_ctx *ctx)
{
    static const uint32_t sizes[] = {256, 296, 1152, 2048};

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_l1r_set_up(ctx, 1, sizes[i], GW_L1R_ONE_A_TAG);
        take_block(ctx, sizes[i]);
    }
}

/* Blocks that are no whole event words, or that no buffer holds: how much comes is the unit's
 * affair, but not how. */
static void blocks_odd(gw_ctx *ctx)
{
    static const uint32_t sizes[] = {132, 1036, 8192, 65536};

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_l1r_set_up(ctx, 1, sizes[i], GW_L1R_ONE_A_TAG);
        take_block(ctx, 0);
    }
}

#define REGISTERS .needs = GW_LIST("registers")
#define LISTED .after = GW_LIST("l1-d/descriptors")

const gw_case gw_l1_d_blocks[] = {
    {.id = "l1-d/all-descriptors",
     .title = "All sixty-four descriptors are used, and the first again after the last",
     .rules = GW_LIST("L1-D05"),
     LISTED,
     REGISTERS,
     .run = all_descriptors},
    {.id = "l1-d/descriptors-disturbed",
     .title = "Descriptors do not change when addresses without a register are written",
     .rules = GW_LIST("L1-D01"),
     .after = GW_LIST("l1-d/descriptors", "l1-d/too-many"),
     REGISTERS,
     .negative = true,
     .run = descriptors_disturbed},
    {.id = "l1-d/clear-dirty",
     .title = "Clear works with reserved bits set beside it",
     .rules = GW_LIST("L1-D03"),
     .after = GW_LIST("l1-d/clear", "l1-d/loop", "l1-d/reserved"),
     REGISTERS,
     .negative = true,
     .endless = true,
     .run = clear_dirty},
    {.id = "l1-d/control-kept",
     .title = "DMACNTRL keeps the bits that are written to it",
     .rules = GW_LIST("L1-D04"),
     REGISTERS,
     .run = control_kept},
    {.id = "l1-d/blocks",
     .title = "A block of any size leaves whole, in bursts of one TagID",
     .rules = GW_LIST("L1-D06", "L1-D01", "L1-E03"),
     .after = GW_LIST("l1-d/split"),
     REGISTERS,
     .run = blocks},
    {.id = "l1-d/blocks-odd",
     .title = "A block of an odd size leaves in legal bursts, or not at all",
     .rules = GW_LIST("L1-D06", "L1-E03"),
     .after = GW_LIST("l1-d/blocks"),
     REGISTERS,
     .negative = true,
     .run = blocks_odd},
    {0},
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* Readout unit: the whole list of descriptors, large blocks and clean tags; and units before and
 * behind it that do not keep to the rules. */
#include "cases/l1_ru.h"

/* ---- DMA engine ---- */

static void all_descriptors(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-D05", .expected = GW_L1_DESCRIPTORS - 1};
    gw_l1c_got got;

    gw_l1r_set_up(ctx, GW_L1_DESCRIPTORS, 64, GW_L1R_ONE_A_TAG);
    miss.got = gw_l1r_read(ctx, GW_L1_DESCS);
    if (miss.got != miss.expected)
        gw_case_fail(ctx, &miss, "DESCS reads as %u; 63 was written", (unsigned)miss.got);
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

/* Lines that carry no tag, and half an edge. */
static void make_noise(gw_ctx *ctx)
{
    static const uint8_t rubbish[GW_L1_SHIM + 3] = {0x4c, 0x31, 1, GW_L1_KIND_EDGE};

    gw_l1r_line(ctx, GW_L1_TIN, 0);
    for (unsigned edge = 2; edge > 0; edge--) {
        gw_l1r_line(ctx, GW_L1_TON, (uint8_t)(edge - 1));
        gw_l1r_line(ctx, GW_L1_BON, (uint8_t)(edge - 1));
    }
    (void)gw_case_send(ctx, gw_case_line(ctx), rubbish, sizeof(rubbish));
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
    (void)gw_l1r_read(ctx, GW_L1_DMACNTRL);
    gw_case_wait(gw_case_line(ctx), gw_case_settle_ns(ctx));
    gw_l1c_drain(ctx);
    gw_l1c_silence(ctx, "L1-D03", "Clear with reserved bits set");
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

/* ---- tags as pulses ---- */

/* How many bursts and tags come until it is quiet. */
static void listen(gw_ctx *ctx, unsigned *bursts, unsigned *tags)
{
    gw_l1c_got got;

    *bursts = *tags = 0;
    while (gw_l1c_next(ctx, &got, gw_case_settle_ns(ctx))) {
        *bursts += got.u.has_shim && got.u.shim.kind == GW_L1_KIND_SUBEVENT;
        *tags += gw_l1r_is_edge(&got, GW_L1_TON, 1);
    }
}

static void noise(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G01"};
    unsigned bursts, tags;

    gw_l1r_set_up(ctx, 2, 64, GW_L1R_ONE_A_TAG);
    gw_l1c_drain(ctx);
    make_noise(ctx);
    listen(ctx, &bursts, &tags);
    if (bursts != 0 || tags != 0)
        gw_case_fail(ctx, &miss, "%u bursts and %u tags came, and no tag had", bursts, tags);
    gw_l1r_pulse(ctx);
    listen(ctx, &bursts, &tags);
    if (bursts != 1 || tags != 1)
        gw_case_fail(ctx, &miss, "after noise a tag gave %u bursts and %u tags", bursts, tags);
}

/* The next unit is busy, a tag waits, and the unit before sends more although it sees BOn. */
static void push(gw_ctx *ctx, unsigned too_many)
{
    gw_l1c_got got;

    gw_l1r_set_up(ctx, 2, 64, GW_L1R_ONE_A_TAG);
    gw_l1r_line(ctx, GW_L1_BIN, 1);
    gw_l1r_pulse(ctx);
    if (!gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a tag was followed by no burst");
    for (unsigned i = 0; i < too_many; i++) {
        gw_l1r_pulse(ctx);
        gw_l1r_line(ctx, GW_L1_BIN, 1);
    }
}

static void busy_pushed(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G02"};
    unsigned bursts, tags;

    push(ctx, 2);
    listen(ctx, &bursts, &tags);
    if (tags > 0)
        gw_case_fail(ctx, &miss, "a tag was forwarded to a busy unit when others came behind it");
}

static void not_lost_pushed(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G03"};
    unsigned bursts, tags;

    push(ctx, 1);
    gw_l1r_line(ctx, GW_L1_BIN, 0);
    listen(ctx, &bursts, &tags);
    if (tags == 0)
        gw_case_fail(ctx, &miss, "the tag that waited is gone since others came behind it");
}

/* TAGS counts transfers: none is made for a tag that comes too early, or is beyond correction. */
static void counted_disturbed(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G04"};
    uint32_t before;
    unsigned bursts, tags, all;

    gw_l1r_set_up(ctx, 2, 64, GW_L1R_ONE_A_TAG);
    gw_l1c_drain(ctx);
    before = gw_l1r_read(ctx, GW_L1_TAGS);
    make_noise(ctx);
    gw_l1r_line(ctx, GW_L1_BIN, 1);
    for (unsigned i = 0; i < 3; i++)
        gw_l1r_pulse(ctx);
    listen(ctx, &all, &tags);
    gw_l1r_line(ctx, GW_L1_BIN, 0);
    listen(ctx, &bursts, &tags);
    gw_l1r_pulse(ctx);
    all += bursts;
    listen(ctx, &bursts, &tags);
    all += bursts;
    miss.expected = all;
    miss.got = gw_l1r_read(ctx, GW_L1_TAGS) - before;
    if (miss.got != miss.expected)
        gw_case_fail(ctx, &miss, "TAGS went up by %u for %u transfers", (unsigned)miss.got, all);
}

/* ---- coded tags ---- */

static void clean(gw_ctx *ctx)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));
    gw_miss miss = {.rule = "L1-G05"};
    gw_l1c_got got;

    gw_l1r_set_up(ctx, 8, 64, GW_L1R_ONE_A_TAG);
    for (uint16_t dest = 0; dest < 7; dest++) {
        uint32_t word = gw_l1_tag_encode(dest, (gw_l1_code)p->code);
        gw_l1r_coded(ctx, dest, 0, 0);
        gw_l1r_expect_burst(ctx, &got, "L1-G05", dest, 64, dest);
        if (!gw_l1r_next(ctx, &got, GW_L1_KIND_TAG, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "a coded tag was not forwarded");
        miss.packet = got.number;
        miss.expected = word;
        miss.got = got.u.word;
        if (got.u.word != word)
            gw_case_fail(ctx, &miss, "the tag of destination %u leaves as 0x%05x, 0x%05x expected",
                         dest, got.u.word, word);
    }
}

static void last_mapped(gw_ctx *ctx)
{
    static const uint8_t lists[] = {1, 3, 64};
    gw_miss miss = {.rule = "L1-G06"};
    gw_l1c_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(lists); i++) {
        gw_l1r_set_up(ctx, lists[i], 64, GW_L1R_ONE_A_TAG);
        gw_l1c_drain(ctx);
        gw_l1r_coded(ctx, (uint16_t)(lists[i] - 1), 0, 0);
        if (!gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "the last of %u destinations starts nothing", lists[i]);
        gw_l1c_want(ctx, &got, "L1-G06", "l1farm.tunnel.dest", GW_L1R_NODE + lists[i] - 1u);
    }
}

#define REGISTERS .needs = GW_LIST("registers")
#define LISTED .after = GW_LIST("l1-d/descriptors")

const gw_case gw_l1_d_more[] = {
    {.id = "l1-d/all-descriptors",
     .title = "All sixty-four descriptors are used, and then the first again",
     .rules = GW_LIST("L1-D05"),
     LISTED,
     REGISTERS,
     .run = all_descriptors},
    {.id = "l1-d/descriptors-disturbed",
     .title = "Descriptors stay what they are when others write where nothing is",
     .rules = GW_LIST("L1-D01"),
     .after = GW_LIST("l1-d/descriptors", "l1-d/too-many"),
     REGISTERS,
     .negative = true,
     .run = descriptors_disturbed},
    {.id = "l1-d/clear-dirty",
     .title = "Clear is obeyed when reserved bits are set beside it",
     .rules = GW_LIST("L1-D03"),
     .after = GW_LIST("l1-d/clear", "l1-d/loop", "l1-d/reserved"),
     REGISTERS,
     .negative = true,
     .endless = true,
     .run = clear_dirty},
    {.id = "l1-d/control-kept",
     .title = "DMACNTRL keeps what it has bits for",
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
     .title = "A block that there cannot be leaves in good bursts, or not at all",
     .rules = GW_LIST("L1-D06", "L1-E03"),
     .after = GW_LIST("l1-d/blocks"),
     REGISTERS,
     .negative = true,
     .run = blocks_odd},
    {0},
};

const gw_case gw_l1_g_more[] = {
    {.id = "l1-g/noise",
     .title = "What is no tag starts nothing, and a tag behind it one burst",
     .rules = GW_LIST("L1-G01"),
     .after = GW_LIST("l1-g/one-for-one", "l1-d/too-many"),
     REGISTERS,
     .negative = true,
     .run = noise},
    {.id = "l1-g/busy-pushed",
     .title = "No tag is pushed on to a busy unit by those that come too early",
     .rules = GW_LIST("L1-G02"),
     .after = GW_LIST("l1-g/busy"),
     REGISTERS,
     .negative = true,
     .run = busy_pushed},
    {.id = "l1-g/not-lost-pushed",
     .title = "A tag that waits is not lost when others come too early",
     .rules = GW_LIST("L1-G03"),
     .after = GW_LIST("l1-g/not-lost"),
     REGISTERS,
     .negative = true,
     .run = not_lost_pushed},
    {.id = "l1-g/counted-disturbed",
     .title = "TAGS counts transfers, not tags that came too early",
     .rules = GW_LIST("L1-G04"),
     .after = GW_LIST("l1-g/counted", "l1-g/noise"),
     REGISTERS,
     .negative = true,
     .run = counted_disturbed},
    {.id = "l1-g/clean",
     .title = "Coded tags lead where they say, and leave as they came",
     .rules = GW_LIST("L1-G05"),
     LISTED,
     REGISTERS,
     .run = clean},
    {.id = "l1-g/last-mapped",
     .title = "The last destination in the table is in the table",
     .rules = GW_LIST("L1-G06"),
     LISTED,
     REGISTERS,
     .run = last_mapped},
    {0},
};

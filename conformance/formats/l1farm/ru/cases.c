/* SPDX-License-Identifier: BSD-2-Clause */
/* Readout unit: its DMA engine by registers and descriptors, tags as pulses and as coded words. */
#include <string.h>

#include "formats/l1farm/ru/suite.h"

/* ---- DMA engine ---- */

static void descriptors(gw_ctx *ctx)
{
    gw_l1c_got got;

    gw_l1r_set_up(ctx, 3, 128, GW_L1R_ONE_A_TAG);
    for (uint16_t i = 0; i < 7; i++) {
        gw_l1r_pulse(ctx);
        gw_l1r_expect_burst(ctx, &got, "L1-D01", i % 3, 128, i);
    }
}

static void words(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-E03"};
    gw_l1c_got got;

    if (gw_l1_profile_of(gw_case_dialect(ctx))->ode)
        gw_case_na(ctx, "sub-events hold detector data in this dialect");
    gw_l1r_set_up(ctx, 1, 64, GW_L1R_ONE_A_TAG);
    gw_l1r_pulse(ctx);
    if (!gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a tag was followed by no burst");
    miss.packet = got.number;
    miss.offset = GW_L1_SHIM;
    if (got.u.has != GW_L1_HAS_WORDS ||
        !gw_l1_words_ok(got.u.data, got.u.data_len / GW_L1_WORD, got.u.shim.event))
        gw_case_fail(ctx, &miss, "the event words do not count up, or carry another TagID");
}

static const struct {
    uint32_t mode, transfers;
    unsigned bursts; /* of three descriptors */
} modes[] = {
    {0, 2, 2},
    {0, 5, 3},
    {GW_L1_DMA_EXACTLY, 5, 5},
    {0, 0, 0},
};

static void mode(gw_ctx *ctx)
{
    unsigned which = gw_case_self(ctx)->arg;
    gw_miss miss = {.rule = "L1-D02", .expected = modes[which].bursts};

    gw_l1r_set_up(ctx, 3, 64,
                  GW_L1_DMA_TAGNET | modes[which].mode |
                      modes[which].transfers << GW_L1_DMA_TRANSFERS_SHIFT);
    gw_l1r_pulse(ctx);
    unsigned num = gw_l1r_count(ctx, 20);
    miss.got = num;
    if (num != modes[which].bursts)
        gw_case_fail(ctx, &miss, "%u bursts for a tag; %u are expected", num, modes[which].bursts);
    gw_case_expect_alive(ctx, "L1-D02", "the last burst");
}

static void loop(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-D02"};

    gw_l1r_set_up(ctx, 3, 64, GW_L1R_ONE_A_TAG | GW_L1_DMA_LOOP);
    gw_l1r_pulse(ctx);
    unsigned num = gw_l1r_count(ctx, 20);
    if (num < 20)
        gw_case_fail(ctx, &miss, "%u bursts, and then none; they go on until stopped", num);
    gw_l1r_write(ctx, GW_L1_DMACNTRL, GW_L1_DMA_CLEAR);
    gw_l1r_run_out(ctx);
    gw_case_stake(ctx, GW_L1R_STOP);
    gw_l1c_silence(ctx, "L1-D03", "Clear");
    gw_case_stake(ctx, 0);
    gw_case_expect_alive(ctx, "L1-D03", "Clear");
}

static void clear(gw_ctx *ctx)
{
    gw_l1c_got got;

    gw_l1r_set_up(ctx, 3, 64, GW_L1R_ONE_A_TAG);
    gw_l1r_pulse(ctx);
    gw_l1r_pulse(ctx);
    (void)gw_l1r_count(ctx, 2);
    gw_l1r_write(ctx, GW_L1_DMACNTRL, GW_L1_DMA_CLEAR);
    gw_l1r_write(ctx, GW_L1_DMACNTRL, GW_L1R_ONE_A_TAG);
    gw_l1r_pulse(ctx);
    gw_l1r_expect_burst(ctx, &got, "L1-D03", 0, 64, 0);
}

static void reserved(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-D04"};
    gw_l1c_got got;

    gw_l1r_set_up(ctx, 1, 64, GW_L1R_ONE_A_TAG | GW_L1_DMA_RESERVED);
    uint32_t value = gw_l1r_read(ctx, GW_L1_DMACNTRL);
    miss.got = value;
    miss.expected = GW_L1R_ONE_A_TAG;
    if ((value & GW_L1_DMA_RESERVED) != 0)
        gw_case_fail(ctx, &miss, "reserved bits of DMACNTRL read as 0x%03x",
                     value & GW_L1_DMA_RESERVED);
    gw_l1r_pulse(ctx);
    gw_l1r_expect_burst(ctx, &got, "L1-D04", 0, 64, 0);
}

static void too_many(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-D05"};

    gw_l1r_set_up(ctx, 1, 64, GW_L1R_ONE_A_TAG);
    gw_l1r_write(ctx, GW_L1_DESCS, GW_L1_DESCRIPTORS);
    miss.got = gw_l1r_read(ctx, GW_L1_DESCS);
    if (miss.got >= GW_L1_DESCRIPTORS)
        gw_case_fail(ctx, &miss, "DESCS reads as %u; 63 is the most", (unsigned)miss.got);
}

static void split(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-D06"};
    gw_l1c_got got;
    uint32_t done = 0;

    gw_l1r_set_up(ctx, 1, 288, GW_L1R_ONE_A_TAG);
    gw_l1r_pulse(ctx);
    while (done < 288) {
        if (!gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "%u bytes of a block of 288 came", done);
        miss.packet = got.number;
        miss.got = got.u.shim.length;
        if (got.u.shim.length > GW_L1_BURST || got.u.shim.length == 0)
            gw_case_fail(ctx, &miss, "a burst of %u bytes; 128 are the most", got.u.shim.length);
        if (gw_case_spread_ns(ctx) == 0) /* else the path may change their order */
            gw_l1c_want(ctx, &got, "L1-D06", "l1farm.tunnel.offset", GW_L1R_SLOT + done);
        done += got.u.shim.length;
    }
}

/* ---- tags as pulses ---- */

static void one_for_one(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G01"};
    gw_l1c_got got;

    gw_l1r_set_up(ctx, 2, 64, GW_L1R_ONE_A_TAG);
    for (unsigned i = 1; i <= 4; i++) {
        unsigned bursts = 0, tags = 0;
        gw_l1r_pulse(ctx);
        while (gw_l1c_next(ctx, &got, gw_case_settle_ns(ctx))) {
            bursts += got.u.has_shim && got.u.shim.kind == GW_L1_KIND_SUBEVENT;
            tags += gw_l1r_is_edge(&got, GW_L1_TON, 1);
            miss.packet = got.number;
            if (tags > bursts && gw_case_spread_ns(ctx) == 0)
                gw_case_fail(ctx, &miss, "tag %u was forwarded before its burst, or twice", i);
        }
        if (bursts != 1 || tags != 1)
            gw_case_fail(ctx, &miss, "tag %u gave %u bursts and %u tags", i, bursts, tags);
    }
}

/* A tag comes while the next unit is busy. */
static void hold(gw_ctx *ctx)
{
    gw_l1c_got got;

    gw_l1r_set_up(ctx, 2, 64, GW_L1R_ONE_A_TAG);
    gw_l1r_line(ctx, GW_L1_BIN, 1);
    gw_l1r_pulse(ctx);
    if (!gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a tag was followed by no burst");
}

static void heeds_busy(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G02"};
    gw_l1c_got got;

    hold(ctx);
    gw_l1c_silence(ctx, "L1-G02", "a tag that the next unit is too busy for");
    while (gw_l1c_hear(ctx, &got, gw_case_settle_ns(ctx))) {
        if (gw_l1r_is_edge(&got, GW_L1_BON, 0))
            gw_case_fail(ctx, &miss, "BOn was released while a tag waits");
    }
    gw_case_expect_alive(ctx, "L1-G02", "a tag that the next unit is too busy for");
}

static void not_lost(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G03"};
    gw_l1c_got got;

    hold(ctx);
    gw_l1r_line(ctx, GW_L1_BIN, 0);
    bool came = gw_l1r_next(ctx, &got, GW_L1_KIND_EDGE, gw_case_reply_ns(ctx));
    /* Where order may change, others of its edges may come before. */
    for (unsigned i = 0; i < 4 && came && !gw_l1r_is_edge(&got, GW_L1_TON, 1); i++)
        came = gw_case_spread_ns(ctx) > 0 &&
               gw_l1r_next(ctx, &got, GW_L1_KIND_EDGE, gw_case_reply_ns(ctx));
    if (!came)
        gw_case_fail(ctx, &miss, "the tag that waited was not forwarded");
}

static void counted(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G04", .expected = 5};
    uint32_t before;

    gw_l1r_set_up(ctx, 2, 64, GW_L1R_ONE_A_TAG);
    before = gw_l1r_read(ctx, GW_L1_TAGS);
    for (unsigned i = 0; i < 5; i++)
        gw_l1r_pulse(ctx);
    (void)gw_l1r_count(ctx, 5);
    miss.got = gw_l1r_read(ctx, GW_L1_TAGS) - before;
    if (miss.got != miss.expected)
        gw_case_fail(ctx, &miss, "TAGS went up by %u for 5 tags", (unsigned)miss.got);
}

/* ---- coded tags ---- */

static void corrected(gw_ctx *ctx)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));
    gw_l1c_got got;

    if (p->code == GW_L1_UNCODED)
        gw_case_na(ctx, "tags have no check bits in this dialect");
    gw_l1r_set_up(ctx, 3, 64, GW_L1R_ONE_A_TAG);
    for (unsigned bit = 1; bit < 20; bit += 6) {
        gw_l1c_drain(ctx);
        gw_l1r_coded(ctx, 1, 1u << bit, 0);
        if (!gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &(gw_miss){.rule = "L1-G05"},
                         "a tag with one wrong bit, %u, was not corrected", bit);
        gw_l1c_want(ctx, &got, "L1-G05", "l1farm.tunnel.dest", GW_L1R_NODE + 1);
    }
}

static void beyond_correction(gw_ctx *ctx)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));

    if (p->code != GW_L1_HAMMING_20)
        gw_case_na(ctx, "two wrong bits need not be seen in this dialect");
    gw_l1r_set_up(ctx, 3, 64, GW_L1R_ONE_A_TAG);
    gw_l1r_coded(ctx, 1, 0x48, 0);
    gw_l1r_no_burst(ctx, "L1-G05", "a tag with two wrong bits");
}

static void unmapped(gw_ctx *ctx)
{
    static const uint16_t dests[] = {3, 63, 64, GW_L1_DEST - 1};

    gw_l1r_set_up(ctx, 3, 64, GW_L1R_ONE_A_TAG);
    for (size_t i = 0; i < GW_ARRAY_LEN(dests); i++) {
        gw_l1r_coded(ctx, dests[i], 0, 0);
        gw_l1r_no_burst(ctx, "L1-G06", "a tag for a destination without a descriptor");
    }
}

static void time_step(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-X07"};
    gw_l1c_got got;

    gw_l1r_set_up(ctx, 3, 64, GW_L1R_ONE_A_TAG);
    gw_l1r_coded(ctx, 1, 0, 1000);
    if (!gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a tag was followed by no burst");
    gw_l1c_want(ctx, &got, "L1-X07", "l1farm.tunnel.step", 1000);
    if (!gw_l1r_next(ctx, &got, GW_L1_KIND_TAG, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "the tag was not forwarded");
    gw_l1c_want(ctx, &got, "L1-X07", "l1farm.tunnel.step", 1001);
}

#define REGISTERS .needs = GW_LIST("registers")

const gw_case gw_l1_d[] = {
    {.id = "l1-d/descriptors",
     .title = "Bursts have length and target of their descriptors, which follow round and round",
     .rules = GW_LIST("L1-D01"),
     REGISTERS,
     .run = descriptors},
    {.id = "l1-d/event-words",
     .title = "Event words count up and carry one TagID",
     .rules = GW_LIST("L1-E03"),
     REGISTERS,
     .run = words},
    {.id = "l1-d/some-transfers",
     .title = "A tag starts as many transfers as DMACNTRL says",
     .rules = GW_LIST("L1-D02"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .arg = 0,
     .run = mode},
    {.id = "l1-d/one-list",
     .title = "In mode 0 a tag starts no more transfers than there are descriptors",
     .rules = GW_LIST("L1-D02"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .arg = 1,
     .run = mode},
    {.id = "l1-d/exactly",
     .title = "In mode 3 a tag starts exactly as many transfers as told, round the list",
     .rules = GW_LIST("L1-D02"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .arg = 2,
     .run = mode},
    {.id = "l1-d/no-transfer",
     .title = "A tag starts nothing when it is to start 0 transfers",
     .rules = GW_LIST("L1-D02"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .negative = true,
     .arg = 3,
     .run = mode},
    {.id = "l1-d/loop",
     .title = "In mode 2 transfers go on until Clear",
     .rules = GW_LIST("L1-D02", "L1-D03"),
     .after = GW_LIST("l1-d/some-transfers"),
     REGISTERS,
     .endless = true,
     .run = loop},
    {.id = "l1-d/clear",
     .title = "Clear begins anew with the first descriptor and TagID 0",
     .rules = GW_LIST("L1-D03"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .run = clear},
    {.id = "l1-d/reserved",
     .title = "Reserved bits of DMACNTRL are ignored and read as zero",
     .rules = GW_LIST("L1-D04"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .negative = true,
     .run = reserved},
    {.id = "l1-d/too-many",
     .title = "A number of descriptors above 64 is refused or cut",
     .rules = GW_LIST("L1-D05"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .negative = true,
     .run = too_many},
    {.id = "l1-d/split",
     .title = "A large block leaves in bursts of 128 bytes",
     .rules = GW_LIST("L1-D06"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .run = split},
    {0},
};

const gw_case gw_l1_g[] = {
    {.id = "l1-g/one-for-one",
     .title = "A tag in gives one burst and then one tag out",
     .rules = GW_LIST("L1-G01"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .run = one_for_one},
    {.id = "l1-g/busy",
     .title = "No tag is forwarded while the next unit is busy",
     .rules = GW_LIST("L1-G02"),
     .after = GW_LIST("l1-g/one-for-one"),
     REGISTERS,
     .run = heeds_busy},
    {.id = "l1-g/not-lost",
     .title = "A tag that waited is forwarded when the next unit is free",
     .rules = GW_LIST("L1-G03"),
     .after = GW_LIST("l1-g/busy"),
     REGISTERS,
     .run = not_lost},
    {.id = "l1-g/counted",
     .title = "The TAGS register counts tags",
     .rules = GW_LIST("L1-G04"),
     .after = GW_LIST("l1-g/one-for-one"),
     REGISTERS,
     .run = counted},
    {.id = "l1-g/corrected",
     .title = "A coded tag with one wrong bit is corrected",
     .rules = GW_LIST("L1-G05"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .negative = true,
     .run = corrected},
    {.id = "l1-g/beyond-correction",
     .title = "A coded tag with two wrong bits starts nothing",
     .rules = GW_LIST("L1-G05"),
     .after = GW_LIST("l1-g/corrected"),
     REGISTERS,
     .negative = true,
     .run = beyond_correction},
    {.id = "l1-g/unmapped",
     .title = "A destination without a descriptor starts nothing",
     .rules = GW_LIST("L1-G06"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .negative = true,
     .run = unmapped},
    {.id = "l1-x/step",
     .title = "A forwarded tag is one time step on",
     .rules = GW_LIST("L1-X07"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .run = time_step},
    {0},
};

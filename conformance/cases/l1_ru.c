/* SPDX-License-Identifier: BSD-2-Clause */
/* Readout unit: its DMA engine by registers and descriptors, tags as pulses and as coded words.
 * goldwire is the unit before it, over the link "in", and over "out" the compute nodes and the unit
 * behind it. The line BIn of that one is driven over "in", so that it keeps its place among the
 * tags. */
#include <string.h>

#include "cases/l1.h"
#include "goldwire/writer.h"

#define FIRST_NODE 10 /* that descriptor 0 leads to; the others follow */
#define SLOT 0x100    /* where in a buffer */
#define ONE_A_TAG (GW_L1_DMA_TAGNET | UINT32_C(1) << GW_L1_DMA_TRANSFERS_SHIFT)

/* ---- registers ---- */

static void write_register(gw_ctx *ctx, uint16_t offset, uint32_t value)
{
    uint8_t bytes[8] = {0, GW_L1_WRITE};

    gw_store_be(bytes + 2, offset, 2);
    gw_store_be(bytes + 4, value, 4);
    gw_l1c_send(ctx, (gw_l1_shim){.kind = GW_L1_KIND_REGISTER, .length = sizeof(bytes)}, bytes);
}

static uint32_t read_register(gw_ctx *ctx, uint16_t offset)
{
    uint32_t value;

    if (!gw_l1c_register(ctx, offset, &value, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "register 0x%03x cannot be read", offset);
    return value;
}

/* |num| descriptors of |bytes| each; every tag shall do what |control| says. */
static void set_up(gw_ctx *ctx, unsigned num, uint32_t bytes, uint32_t control)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));
    uint8_t image[8 * GW_L1_DESCRIPTOR];

    for (unsigned i = 0; i < num; i++) {
        gw_l1_descriptor d = {.target = GW_L1_TARGET(FIRST_NODE + i, i % 2, SLOT),
                              .blocksize = bytes / p->unit};
        gw_l1_put_descriptor(image + (size_t)i * GW_L1_DESCRIPTOR, &d, p);
    }
    write_register(ctx, GW_L1_DMACNTRL, GW_L1_DMA_CLEAR);
    gw_l1c_send(ctx,
                (gw_l1_shim){.kind = GW_L1_KIND_DESCRIPTORS,
                             .little = true,
                             .length = (uint16_t)(num * GW_L1_DESCRIPTOR)},
                image);
    write_register(ctx, GW_L1_DESCS, num - 1);
    write_register(ctx, GW_L1_DMACNTRL, control);
}

/* ---- tags ---- */

static void line(gw_ctx *ctx, uint8_t which, uint8_t edge)
{
    const uint8_t bytes[4] = {which, edge, 0, 0};

    gw_l1c_send(ctx, (gw_l1_shim){.kind = GW_L1_KIND_EDGE, .length = sizeof(bytes)}, bytes);
}

static void pulse(gw_ctx *ctx)
{
    line(ctx, GW_L1_TIN, 1);
    line(ctx, GW_L1_TIN, 0);
}

static void coded(gw_ctx *ctx, uint16_t dest, uint32_t flips, uint32_t step)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));
    uint8_t word[4];

    gw_store_be(word, gw_l1_tag_encode(dest, (gw_l1_code)p->code) ^ flips, 4);
    gw_l1c_send(ctx, (gw_l1_shim){.kind = GW_L1_KIND_TAG, .step = step, .length = 4}, word);
}

/* The next datagram of |kind|; others are left out. */
static bool next_of(gw_ctx *ctx, gw_l1c_got *got, uint8_t kind, int64_t timeout_ns)
{
    gw_line *out = gw_case_link(ctx, "out");
    int64_t deadline = gw_case_now(out) + timeout_ns;

    while (gw_l1c_next(ctx, got, deadline - gw_case_now(out))) {
        if (got->u.has_shim && got->u.shim.kind == kind)
            return true;
    }
    return false;
}

/* The burst of descriptor |which|, |len| bytes, event |event|. */
static void expect_burst(gw_ctx *ctx, gw_l1c_got *got, const char *rule, unsigned which,
                         uint32_t len, uint16_t event)
{
    gw_miss miss = {.rule = rule};

    if (!next_of(ctx, got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a tag was followed by no burst");
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.dest", FIRST_NODE + which);
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.buffer", which % 2);
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.offset", SLOT);
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.length", len);
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.event", event);
}

/* ---- DMA engine ---- */

static void descriptors(gw_ctx *ctx)
{
    gw_l1c_got got;

    set_up(ctx, 3, 128, ONE_A_TAG);
    for (uint16_t i = 0; i < 7; i++) {
        pulse(ctx);
        expect_burst(ctx, &got, "L1-D01", i % 3, 128, i);
    }
}

static void words(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-E03"};
    gw_l1c_got got;

    set_up(ctx, 1, 64, ONE_A_TAG);
    pulse(ctx);
    if (!next_of(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a tag was followed by no burst");
    miss.packet = got.number;
    miss.offset = GW_L1_SHIM;
    if (got.u.has != GW_L1_HAS_WORDS ||
        !gw_l1_words_ok(got.u.data, got.u.data_len / GW_L1_WORD, got.u.shim.event))
        gw_case_fail(ctx, &miss, "the event words do not count up, or carry another TagID");
}

static unsigned count_bursts(gw_ctx *ctx, unsigned most)
{
    gw_l1c_got got;
    unsigned num = 0;

    while (num < most && next_of(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_settle_ns(ctx)))
        num++;
    return num;
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

    set_up(ctx, 3, 64,
           GW_L1_DMA_TAGNET | modes[which].mode |
               modes[which].transfers << GW_L1_DMA_TRANSFERS_SHIFT);
    pulse(ctx);
    unsigned num = count_bursts(ctx, 20);
    miss.got = num;
    if (num != modes[which].bursts)
        gw_case_fail(ctx, &miss, "%u bursts for a tag; %u are expected", num, modes[which].bursts);
}

static void loop(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-D02"};

    set_up(ctx, 3, 64, ONE_A_TAG | GW_L1_DMA_LOOP);
    pulse(ctx);
    unsigned num = count_bursts(ctx, 20);
    if (num < 20)
        gw_case_fail(ctx, &miss, "%u bursts, and then none; they go on until stopped", num);
    write_register(ctx, GW_L1_DMACNTRL, GW_L1_DMA_CLEAR);
    (void)read_register(ctx, GW_L1_DMACNTRL);
    gw_case_wait(gw_case_line(ctx), gw_case_settle_ns(ctx));
    gw_l1c_drain(ctx);
    gw_l1c_silence(ctx, "L1-D03", "Clear");
}

static void clear(gw_ctx *ctx)
{
    gw_l1c_got got;

    set_up(ctx, 3, 64, ONE_A_TAG);
    pulse(ctx);
    pulse(ctx);
    (void)count_bursts(ctx, 2);
    write_register(ctx, GW_L1_DMACNTRL, GW_L1_DMA_CLEAR);
    write_register(ctx, GW_L1_DMACNTRL, ONE_A_TAG);
    pulse(ctx);
    expect_burst(ctx, &got, "L1-D03", 0, 64, 0);
}

static void reserved(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-D04"};
    gw_l1c_got got;

    set_up(ctx, 1, 64, ONE_A_TAG | GW_L1_DMA_RESERVED);
    uint32_t value = read_register(ctx, GW_L1_DMACNTRL);
    miss.got = value;
    miss.expected = ONE_A_TAG;
    if ((value & GW_L1_DMA_RESERVED) != 0)
        gw_case_fail(ctx, &miss, "reserved bits of DMACNTRL read as 0x%03x",
                     value & GW_L1_DMA_RESERVED);
    pulse(ctx);
    expect_burst(ctx, &got, "L1-D04", 0, 64, 0);
}

static void too_many(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-D05"};

    set_up(ctx, 1, 64, ONE_A_TAG);
    write_register(ctx, GW_L1_DESCS, GW_L1_DESCRIPTORS);
    miss.got = read_register(ctx, GW_L1_DESCS);
    if (miss.got >= GW_L1_DESCRIPTORS)
        gw_case_fail(ctx, &miss, "DESCS reads as %u; 63 is the most", (unsigned)miss.got);
}

static void split(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-D06"};
    gw_l1c_got got;
    uint32_t done = 0;

    set_up(ctx, 1, 288, ONE_A_TAG);
    pulse(ctx);
    while (done < 288) {
        if (!next_of(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "%u bytes of a block of 288 came", done);
        miss.packet = got.number;
        miss.got = got.u.shim.length;
        if (got.u.shim.length > GW_L1_BURST || got.u.shim.length == 0)
            gw_case_fail(ctx, &miss, "a burst of %u bytes; 128 are the most", got.u.shim.length);
        gw_l1c_want(ctx, &got, "L1-D06", "l1farm.tunnel.offset", SLOT + done);
        done += got.u.shim.length;
    }
}

/* ---- tags as pulses ---- */

static bool is_edge(const gw_l1c_got *got, uint8_t which, uint8_t edge)
{
    return got->u.has == GW_L1_HAS_EDGE && got->u.u.edge.line == which &&
           got->u.u.edge.edge == edge;
}

static void one_for_one(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G01"};
    gw_l1c_got got;

    set_up(ctx, 2, 64, ONE_A_TAG);
    for (unsigned i = 1; i <= 4; i++) {
        unsigned bursts = 0, tags = 0;
        pulse(ctx);
        while (gw_l1c_next(ctx, &got, gw_case_settle_ns(ctx))) {
            bursts += got.u.has_shim && got.u.shim.kind == GW_L1_KIND_SUBEVENT;
            tags += is_edge(&got, GW_L1_TON, 1);
            miss.packet = got.number;
            if (tags > bursts)
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

    set_up(ctx, 2, 64, ONE_A_TAG);
    line(ctx, GW_L1_BIN, 1);
    pulse(ctx);
    if (!next_of(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a tag was followed by no burst");
}

static void heeds_busy(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G02"};
    gw_l1c_got got;

    hold(ctx);
    gw_l1c_silence(ctx, "L1-G02", "a tag that the next unit is too busy for");
    while (gw_l1c_hear(ctx, &got, gw_case_settle_ns(ctx))) {
        if (is_edge(&got, GW_L1_BON, 0))
            gw_case_fail(ctx, &miss, "BOn was released while a tag waits");
    }
}

static void not_lost(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G03"};
    gw_l1c_got got;

    hold(ctx);
    line(ctx, GW_L1_BIN, 0);
    if (!next_of(ctx, &got, GW_L1_KIND_EDGE, gw_case_reply_ns(ctx)) || !is_edge(&got, GW_L1_TON, 1))
        gw_case_fail(ctx, &miss, "the tag that waited was not forwarded");
}

static void counted(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-G04", .expected = 5};
    uint32_t before;

    set_up(ctx, 2, 64, ONE_A_TAG);
    before = read_register(ctx, GW_L1_TAGS);
    for (unsigned i = 0; i < 5; i++)
        pulse(ctx);
    (void)count_bursts(ctx, 5);
    miss.got = read_register(ctx, GW_L1_TAGS) - before;
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
    set_up(ctx, 3, 64, ONE_A_TAG);
    for (unsigned bit = 1; bit < 20; bit += 6) {
        gw_l1c_drain(ctx);
        coded(ctx, 2, 1u << bit, 0);
        if (!next_of(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &(gw_miss){.rule = "L1-G05"},
                         "a tag with one wrong bit, %u, was not corrected", bit);
        gw_l1c_want(ctx, &got, "L1-G05", "l1farm.tunnel.dest", FIRST_NODE + 2);
    }
}

static void no_burst(gw_ctx *ctx, const char *rule, const char *after)
{
    gw_miss miss = {.rule = rule};
    gw_l1c_got got;

    if (next_of(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_settle_ns(ctx))) {
        miss.packet = got.number;
        gw_case_fail(ctx, &miss, "a burst to node 0x%x follows %s", got.u.shim.dest, after);
    }
}

static void beyond_correction(gw_ctx *ctx)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));

    if (p->code != GW_L1_HAMMING_20)
        gw_case_na(ctx, "two wrong bits need not be seen in this dialect");
    set_up(ctx, 3, 64, ONE_A_TAG);
    coded(ctx, 1, 0x48, 0);
    no_burst(ctx, "L1-G05", "a tag with two wrong bits");
}

static void unmapped(gw_ctx *ctx)
{
    static const uint16_t dests[] = {3, 63, 64, GW_L1_DEST - 1};

    set_up(ctx, 3, 64, ONE_A_TAG);
    for (size_t i = 0; i < GW_ARRAY_LEN(dests); i++) {
        coded(ctx, dests[i], 0, 0);
        no_burst(ctx, "L1-G06", "a tag for a destination without a descriptor");
    }
}

static void time_step(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-X07"};
    gw_l1c_got got;

    set_up(ctx, 3, 64, ONE_A_TAG);
    coded(ctx, 1, 0, 1000);
    if (!next_of(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a tag was followed by no burst");
    gw_l1c_want(ctx, &got, "L1-X07", "l1farm.tunnel.step", 1000);
    if (!next_of(ctx, &got, GW_L1_KIND_TAG, gw_case_reply_ns(ctx)))
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
     .title = "In mode 3 a tag starts exactly as many, round the list",
     .rules = GW_LIST("L1-D02"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .arg = 2,
     .run = mode},
    {.id = "l1-d/no-transfer",
     .title = "Transfers of 0 start nothing",
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
     .run = loop},
    {.id = "l1-d/clear",
     .title = "Clear begins anew: first descriptor, TagID 0",
     .rules = GW_LIST("L1-D03"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .run = clear},
    {.id = "l1-d/reserved",
     .title = "Reserved bits of DMACNTRL are ignored and read as zero",
     .rules = GW_LIST("L1-D04"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
     .run = reserved},
    {.id = "l1-d/too-many",
     .title = "More descriptors than there are, are refused or cut",
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
     .title = "TAGS counts tags",
     .rules = GW_LIST("L1-G04"),
     .after = GW_LIST("l1-g/one-for-one"),
     REGISTERS,
     .run = counted},
    {.id = "l1-g/corrected",
     .title = "A coded tag with one wrong bit is corrected",
     .rules = GW_LIST("L1-G05"),
     .after = GW_LIST("l1-d/descriptors"),
     REGISTERS,
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

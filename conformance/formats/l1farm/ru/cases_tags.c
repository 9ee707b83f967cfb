/* SPDX-License-Identifier: BSD-2-Clause */
/* Readout unit: clean tags, and units before and behind it that do not keep to the rules. */
#include "formats/l1farm/ru/suite.h"

/* Lines that carry no tag, and half an edge. */
static void make_noise(gw_ctx *ctx)
{
    static const uint8_t rubbish[GW_L1_SHIM + 3] = {0x4c, 0x31, 1, GW_L1_KIND_EDGE};

    gw_l1r_line(ctx, GW_L1_TIN, 0);
    for (unsigned edge = 2; edge > 0; edge--) {
        gw_l1r_line(ctx, GW_L1_TON, (uint8_t)(edge - 1));
        gw_l1r_line(ctx, GW_L1_BON, (uint8_t)(edge - 1));
    }
    (void)gw_case_send(ctx, gw_case_connection(ctx), rubbish, sizeof(rubbish));
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

/* Of |num| descriptors the last one is used. Over a path that loses the others are left as they
 * are.
 */
static void list(gw_ctx *ctx, unsigned num)
{
    unsigned tries = 0, last = num - 1;

    gw_l1r_set_up(ctx, gw_case_loses(ctx) ? 1 : num, 64, GW_L1R_ONE_A_TAG);
    if (!gw_case_loses(ctx))
        return;
    do {
        gw_l1r_describe(ctx, last, GW_L1_TARGET(GW_L1R_NODE + last, last % 2, GW_L1R_SLOT), 64);
        gw_l1r_write(ctx, GW_L1_DESCS, last);
    } while (gw_l1r_read(ctx, GW_L1_DESCS) != last && gw_case_again(ctx, &tries));
}

static void last_mapped(gw_ctx *ctx)
{
    static const uint8_t lists[] = {1, 3, 64};
    gw_miss miss = {.rule = "L1-G06"};
    gw_l1c_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(lists); i++) {
        list(ctx, lists[i]);
        gw_l1c_drain(ctx);
        gw_l1r_coded(ctx, (uint16_t)(lists[i] - 1), 0, 0);
        if (!gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "the last of %u destinations starts nothing", lists[i]);
        gw_l1c_want(ctx, &got, "L1-G06", "l1farm.tunnel.dest", GW_L1R_NODE + lists[i] - 1u);
    }
}

#define REGISTERS .needs = GW_LIST("registers")
#define LISTED .after = GW_LIST("l1-d/descriptors")

const gw_case gw_l1_g_disturbed[] = {
    {.id = "l1-g/noise",
     .title =
         "Lines that move without a tag start nothing, and the tag after them starts one burst",
     .rules = GW_LIST("L1-G01"),
     .after = GW_LIST("l1-g/one-for-one", "l1-d/too-many"),
     REGISTERS,
     .negative = true,
     .run = noise},
    {.id = "l1-g/busy-pushed",
     .title = "No tag is forwarded to a busy unit though more tags come too early",
     .rules = GW_LIST("L1-G02"),
     .after = GW_LIST("l1-g/busy"),
     REGISTERS,
     .negative = true,
     .run = busy_pushed},
    {.id = "l1-g/not-lost-pushed",
     .title = "A tag that waits is not lost when more tags come too early",
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
     .title = "Coded tags lead where they say, and are forwarded as they came",
     .rules = GW_LIST("L1-G05"),
     LISTED,
     REGISTERS,
     .run = clean},
    {.id = "l1-g/last-mapped",
     .title = "A tag to the last destination in the table starts a burst",
     .rules = GW_LIST("L1-G06"),
     LISTED,
     REGISTERS,
     .run = last_mapped},
    {0},
};

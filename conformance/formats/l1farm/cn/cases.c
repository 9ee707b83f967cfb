/* SPDX-License-Identifier: BSD-2-Clause */
/* Compute node: what it makes of its buffers, and the results it sends. A node looks at a buffer
 * when the other one starts to change, so each event needs another behind it. About a mismatch it
 * may send a result or none (the thesis says both). */
#include "formats/l1farm/suite.h"

/* A mismatch: whatever the node says of it, it is not correct, and not counted as such. */
static void mismatch(gw_ctx *ctx, const gw_l1c_event *event, const char *rule)
{
    gw_l1c_got got;
    gw_miss miss = {.rule = rule};

    if (gw_l1c_look(ctx, event, &got)) {
        miss.packet = got.number;
        if (got.u.has == GW_L1_HAS_RESULT && got.u.u.result.status == GW_L1_CORRECT)
            gw_case_fail(ctx, &miss, "slots that do not belong together are called correct");
    }
    gw_l1c_go_on(ctx, &got);
    gw_l1c_want(ctx, &got, rule, "l1farm.result.nallok", 1);
}

static void complete(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t tag = gw_l1c_tag(ctx);

    gw_l1c_good_result(ctx, &got, tag, "L1-E01");
    gw_l1c_want(ctx, &got, "L1-E01", "l1farm.result.tag_id", tag);
}

static void wrong_slot(gw_ctx *ctx)
{
    gw_l1c_event event = gw_l1c_good(gw_l1c_tag(ctx));
    unsigned slot = gw_case_self(ctx)->arg;

    event.first[slot] = event.last[slot] = (uint16_t)(event.first[slot] + 7);
    mismatch(ctx, &event, "L1-E01");
}

static void foreign(gw_ctx *ctx)
{
    const gw_l1c_state *s = gw_case_state(ctx);
    gw_l1c_event event = gw_l1c_good(gw_l1c_tag(ctx));
    gw_l1c_got got;

    gw_l1c_put_to(ctx, (uint16_t)(s->node + 1), 0, &event);
    gw_l1c_put_to(ctx, (uint16_t)(s->node + 1), 1, &event);
    gw_l1c_silence(ctx, "L1-E01", "events for another node");
    gw_l1c_good_result(ctx, &got, gw_l1c_tag(ctx), "L1-E01");
    gw_l1c_want(ctx, &got, "L1-E01", "l1farm.result.ntries", 1);
}

/* One slot is a lap of all buffers older, or newer, than the others. |tag| is the others'. */
static void other_lap(gw_ctx *ctx, uint16_t tag, bool newer, const char *rule)
{
    gw_l1c_event event = gw_l1c_good(tag);
    uint16_t lap = gw_l1c_lap(ctx);
    gw_l1c_got got;

    event.first[2] = event.last[2] = (uint16_t)(newer ? tag + lap : tag - lap);
    if (!gw_l1c_look_again(ctx, &event, &got))
        gw_case_na(ctx, "the node sends no result about a mismatch");
    gw_l1c_want(ctx, &got, rule, "l1farm.result.status", GW_L1_UNDERSTOOD);
}

static void wrap(gw_ctx *ctx)
{
    other_lap(ctx, (uint16_t)(gw_l1c_lap(ctx) / 2), false, "L1-E02");
}

static void lost_or_overwritten(gw_ctx *ctx)
{
    other_lap(ctx, 0x4000, gw_case_self(ctx)->arg == 1, "L1-E06");
}

static void half_a_slot(gw_ctx *ctx)
{
    gw_l1c_event event = gw_l1c_good(gw_l1c_tag(ctx));

    event.last[1] = (uint16_t)(event.first[1] - gw_l1c_lap(ctx));
    mismatch(ctx, &event, "L1-E03");
}

static void counters(gw_ctx *ctx)
{
    gw_l1c_event bad = gw_l1c_good(gw_l1c_tag(ctx));
    gw_l1c_got got;

    gw_l1c_good_result(ctx, &got, gw_l1c_tag(ctx), "L1-E04"); /* and one good is being looked at */
    gw_l1c_go_on(ctx, &got);
    bad.first[0] = bad.last[0] = (uint16_t)(bad.first[1] + 3);
    gw_l1c_drain(ctx);
    gw_l1c_put(ctx, &bad);
    (void)gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx)); /* of the good one before */
    gw_l1c_event good = gw_l1c_good(gw_l1c_tag(ctx));
    gw_l1c_drain(ctx);
    gw_l1c_put(ctx, &good);
    (void)gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx)); /* of the mismatch, if it tells */
    gw_l1c_go_on(ctx, &got);
    gw_l1c_want(ctx, &got, "L1-E04", "l1farm.result.ntries", 5);
    gw_l1c_want(ctx, &got, "L1-E04", "l1farm.result.nallok", 4);
}

/* All slots are overwritten while the node looks at them. A node that was quicker has called the
 * event before correct, which is no fault. */
static void overwritten(gw_ctx *ctx)
{
    const gw_l1c_state *s = gw_case_state(ctx);
    gw_miss miss = {.rule = "L1-E05"};
    gw_l1c_got got;

    for (unsigned attempt = 0; attempt < 5; attempt++) {
        uint16_t tag = gw_l1c_tag(ctx);
        gw_l1c_event event = gw_l1c_good(tag), next = gw_l1c_good((uint16_t)(tag + 26));
        gw_l1c_event later = gw_l1c_good((uint16_t)(tag + gw_l1c_lap(ctx)));
        gw_l1c_put_to(ctx, s->node, 0, &event);
        gw_l1c_put_to(ctx, s->node, 1, &next);
        gw_l1c_put_to(ctx, s->node, 0, &later);
        bool told = gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx));
        if (!told || got.u.has != GW_L1_HAS_RESULT || got.u.u.result.status != GW_L1_CORRECT)
            return;
        miss.packet = got.number;
        if (got.u.u.result.tag_id != tag)
            gw_case_fail(ctx, &miss,
                         "a buffer that was overwritten meanwhile is called correct, with the "
                         "TagID of what has overwritten it");
        (void)gw_l1c_listen(ctx, gw_case_reply_ns(ctx));
    }
    gw_case_na(ctx, "the node looks at a buffer faster than it can be overwritten from here");
}

static void once(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t tag = gw_l1c_tag(ctx);

    gw_l1c_good_result(ctx, &got, tag, "L1-R01");
    gw_l1c_want(ctx, &got, "L1-R01", "l1farm.result.tag_id", tag);
    gw_l1c_quiet(ctx, "L1-R01", "the result");
}

static void growing(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-R02"};
    gw_l1c_got got;
    uint32_t before;

    gw_l1c_good_result(ctx, &got, gw_l1c_tag(ctx), "L1-R02");
    for (unsigned i = 0; i < 6; i++) {
        before = got.u.u.result.ntries;
        gw_l1c_go_on(ctx, &got);
        miss.packet = got.number;
        miss.got = got.u.u.result.ntries;
        if (got.u.u.result.ntries <= before)
            gw_case_fail(ctx, &miss, "Ntries %u follows %u", got.u.u.result.ntries, before);
        if (got.u.u.result.nallok > got.u.u.result.ntries)
            gw_case_fail(ctx, &miss, "Nallok %u exceeds Ntries %u", got.u.u.result.nallok,
                         got.u.u.result.ntries);
    }
}

static void reserved(gw_ctx *ctx)
{
    gw_l1c_got got;

    gw_l1c_good_result(ctx, &got, gw_l1c_tag(ctx), "L1-R03");
    gw_l1c_want(ctx, &got, "L1-R03", "l1farm.result.rsv", 0);
}

const gw_case gw_l1_e[] = {
    {.id = "l1-e/complete",
     .title = "An event whose slots carry one TagID is called correct",
     .rules = GW_LIST("L1-E01"),
     .needs = GW_LIST("buffers"),
     .run = complete},
    {.id = "l1-e/wrong-slot-1",
     .title = "Another TagID in the first slot is detected",
     .rules = GW_LIST("L1-E01"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .arg = 0,
     .negative = true,
     .run = wrong_slot},
    {.id = "l1-e/wrong-slot-2",
     .title = "Another TagID in the second slot is detected",
     .rules = GW_LIST("L1-E01"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .arg = 1,
     .negative = true,
     .run = wrong_slot},
    {.id = "l1-e/wrong-slot-3",
     .title = "Another TagID in the third slot is detected",
     .rules = GW_LIST("L1-E01"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .arg = 2,
     .negative = true,
     .run = wrong_slot},
    {.id = "l1-e/foreign",
     .title = "Fragments for another node are ignored",
     .rules = GW_LIST("L1-E01"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .negative = true,
     .run = foreign},
    {.id = "l1-e/wrap",
     .title = "TagIDs are compared modulo 65536",
     .rules = GW_LIST("L1-E02"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .negative = true,
     .run = wrap},
    {.id = "l1-e/half-slot",
     .title = "A slot of which only half was written is detected",
     .rules = GW_LIST("L1-E03"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .negative = true,
     .run = half_a_slot},
    {.id = "l1-e/counters",
     .title = "Ntries counts what was looked at, Nallok what was correct",
     .rules = GW_LIST("L1-E04"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .negative = true,
     .run = counters},
    {.id = "l1-e/overwritten",
     .title = "A buffer that is overwritten while it is looked at is not taken for good",
     .rules = GW_LIST("L1-E05"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .negative = true,
     .run = overwritten},
    {.id = "l1-e/lost",
     .title = "A slot of the lap before is understood as a lost packet",
     .rules = GW_LIST("L1-E06"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .arg = 0,
     .negative = true,
     .run = lost_or_overwritten},
    {.id = "l1-e/newer",
     .title = "A slot of the lap to come is understood as overwritten",
     .rules = GW_LIST("L1-E06"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .arg = 1,
     .negative = true,
     .run = lost_or_overwritten},
    {0},
};

const gw_case gw_l1_r[] = {
    {.id = "l1-r/once",
     .title = "An event gives one result, with its TagID",
     .rules = GW_LIST("L1-R01"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .run = once},
    {.id = "l1-r/growing",
     .title = "Ntries grows, and Nallok does not exceed it",
     .rules = GW_LIST("L1-R02"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .run = growing},
    {.id = "l1-r/reserved",
     .title = "Reserved bits of a result are zero",
     .rules = GW_LIST("L1-R03"),
     .needs = GW_LIST("buffers"),
     .after = GW_LIST("l1-e/complete"),
     .run = reserved},
    {0},
};

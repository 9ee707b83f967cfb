/* SPDX-License-Identifier: BSD-2-Clause */
/* Compute node: events that are in order however their fragments come, and nonsense between them
 * that must not show in results. */
#include "formats/l1farm/suite.h"
#include "suite/response.h"

static uint16_t nodes(gw_ctx *ctx)
{
    return gw_l1_profile_of(gw_case_dialect(ctx))->nodes;
}

/* The result of |tag|, which must be correct, and the next one that comes. */
static void correct(gw_ctx *ctx, gw_l1c_got *got, const char *rule, uint16_t tag)
{
    gw_miss miss = {.rule = rule};

    if (!gw_l1c_next(ctx, got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "event 0x%04x was followed by no result", tag);
    gw_l1c_want(ctx, got, rule, "l1farm.result.tag_id", tag);
    gw_l1c_want(ctx, got, rule, "l1farm.result.status", GW_L1_CORRECT);
}

/* Puts |num| good events from |tag| on, each |apart| from the one before, and wants results. */
static void in_turn(gw_ctx *ctx, const char *rule, uint16_t tag, uint16_t apart, unsigned num)
{
    gw_l1c_got got;

    for (unsigned i = 0; i < num; i++, tag = (uint16_t)(tag + apart)) {
        gw_l1c_event event = gw_l1c_good(tag);
        gw_l1c_discard(ctx);
        gw_l1c_put(ctx, &event);
        if (i > 0)
            correct(ctx, &got, rule, (uint16_t)(tag - apart));
    }
}

static void across_the_wrap(gw_ctx *ctx)
{
    in_turn(ctx, "L1-E02", (uint16_t)(0 - 3u * nodes(ctx) + 5), nodes(ctx), 7);
}

/* The index may begin anew in each slot or run on (the thesis leaves it open). */
static void index_runs_on(gw_ctx *ctx)
{
    gw_l1c_event event = gw_l1c_good(gw_l1c_tag(ctx));
    gw_l1c_got got;
    gw_miss miss = {.rule = "L1-E03"};

    for (unsigned ru = 0; ru < GW_L1C_UNITS; ru++)
        event.index[ru] = (uint16_t)(100 + ru * GW_L1_SUBEVENT / GW_L1_WORD);
    if (!gw_l1c_look(ctx, &event, &got))
        gw_case_fail(ctx, &miss, "a good event was followed by no result");
    gw_l1c_want(ctx, &got, "L1-E03", "l1farm.result.status", GW_L1_CORRECT);
}

static void all_good(gw_ctx *ctx)
{
    gw_l1c_got got;

    gw_l1c_good_result(ctx, &got, gw_l1c_tag(ctx), "L1-E04");
    for (unsigned i = 2; i < 8; i++) {
        gw_l1c_go_on(ctx, &got);
        gw_l1c_want(ctx, &got, "L1-E04", "l1farm.result.ntries", i);
        gw_l1c_want(ctx, &got, "L1-E04", "l1farm.result.nallok", i);
    }
}

/* While the node looks at one buffer the next event goes to the other, and fragments for the same
 * buffer of its neighbour go by, as on a ringlet. */
static void left_alone(gw_ctx *ctx)
{
    const gw_l1c_state *s = gw_case_state(ctx);
    uint16_t before = 0;
    gw_l1c_got got;

    for (unsigned i = 0; i < 6; i++) {
        gw_l1c_event event = gw_l1c_good(gw_l1c_tag(ctx));
        gw_l1c_event other = gw_l1c_good((uint16_t)(event.first[0] + 1));
        uint8_t buffer = gw_l1c_turn(ctx);
        gw_l1c_discard(ctx);
        (void)gw_l1c_put_to(ctx, s->node, buffer, &event);
        (void)gw_l1c_put_to(ctx, (uint16_t)(s->node + 1), buffer ^ 1, &other);
        if (i > 0)
            correct(ctx, &got, "L1-E05", before);
        before = event.first[0];
    }
}

/* What a buffer held a lap ago is no reason to take its event for lost, or for too new; nor is it
 * when the node is left out every other time. */
static void lap_after_lap(gw_ctx *ctx)
{
    uint16_t lap = gw_l1c_lap(ctx);
    unsigned num = gw_case_loses(ctx) ? 4 : 9; /* a long row does not get through */

    in_turn(ctx, "L1-E06", gw_l1c_tag(ctx), lap / 2, num);
    (void)gw_l1c_listen(ctx, gw_case_reply_ns(ctx));
    in_turn(ctx, "L1-E06", gw_l1c_tag(ctx), lap, num);
}

/* ---- fragments in any order ---- */

static void put_in_order(gw_ctx *ctx, const gw_l1c_event *event, const uint8_t order[3])
{
    const gw_l1c_state *s = gw_case_state(ctx);
    uint8_t buffer = gw_l1c_turn(ctx);

    for (unsigned i = 0; i < GW_L1C_UNITS; i++)
        (void)gw_l1c_put_slot(ctx, s->node, buffer, event, order[i]);
    gw_l1c_next_event(ctx);
}

static void any_order(gw_ctx *ctx)
{
    static const uint8_t orders[][3] = {{2, 1, 0}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}};
    uint16_t before = 0;
    gw_l1c_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(orders); i++) {
        gw_l1c_event event = gw_l1c_good(gw_l1c_tag(ctx));
        gw_l1c_discard(ctx);
        put_in_order(ctx, &event, orders[i]);
        if (i > 0)
            correct(ctx, &got, "L1-S08", before);
        before = event.first[0];
    }
}

/* Fragments that come twice, and some that are for another node, lie between. Before the second
 * event begins nothing may come of them. */
static void any_order_disturbed(gw_ctx *ctx)
{
    const gw_l1c_state *s = gw_case_state(ctx);
    uint16_t before = 0;
    gw_l1c_got got;

    for (unsigned i = 0; i < 5; i++) {
        gw_l1c_event event = gw_l1c_good(gw_l1c_tag(ctx));
        gw_l1c_event other = gw_l1c_good((uint16_t)(event.first[0] + 1));
        uint8_t buffer = gw_l1c_turn(ctx);
        gw_l1c_discard(ctx);
        for (unsigned k = GW_L1C_UNITS; k > 0; k--) {
            (void)gw_l1c_put_slot(ctx, s->node, buffer, &event, k - 1);
            (void)gw_l1c_put_slot(ctx, (uint16_t)(s->node + 1), buffer, &other, k - 1);
            (void)gw_l1c_put_slot(ctx, s->node, buffer, &event, k - 1);
        }
        gw_l1c_next_event(ctx);
        if (i > 0)
            correct(ctx, &got, "L1-S08", before);
        else
            gw_l1c_silence(ctx, "L1-S08", "fragments that came twice, and no event behind them");
        before = event.first[0];
    }
}

/* ---- results ---- */

static void repeated(gw_ctx *ctx)
{
    gw_l1c_event event = gw_l1c_good(gw_l1c_tag(ctx));
    const gw_l1c_state *s = gw_case_state(ctx);
    gw_l1c_got got;
    gw_miss miss = {.rule = "L1-R01"};
    uint8_t buffer = gw_l1c_turn(ctx);

    for (unsigned i = 0; i < 3; i++)
        gw_l1c_put_to(ctx, s->node, buffer, &event);
    gw_l1c_silence(ctx, "L1-R01", "an event that was written three times, and none behind it");
    gw_l1c_event next = gw_l1c_good(gw_l1c_tag(ctx));
    gw_l1c_put(ctx, &next);
    if (!gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "an event that was written three times has no result");
    gw_l1c_want(ctx, &got, "L1-R01", "l1farm.result.tag_id", event.first[0]);
    gw_l1c_quiet(ctx, "L1-R01", "the result of an event that was written three times");
}

static void growing_disturbed(gw_ctx *ctx)
{
    static const uint8_t rubbish[GW_L1_SHIM + 5] = {0x4c, 0x31, 1, 0};
    const gw_l1c_state *s = gw_case_state(ctx);
    gw_miss miss = {.rule = "L1-R02"};
    gw_l1c_got got;

    gw_l1c_good_result(ctx, &got, gw_l1c_tag(ctx), "L1-R02");
    for (unsigned i = 0; i < 4; i++) {
        uint32_t before = got.u.u.result.ntries;
        gw_l1c_event other = gw_l1c_good((uint16_t)(i + 1));
        gw_l1c_put_to(ctx, (uint16_t)(s->node + 1 + i), (uint8_t)(i % 2), &other);
        gw_l1c_put_to(ctx, s->node, 9, &other); /* a buffer that there is not */
        (void)gw_case_send(ctx, gw_case_connection(ctx), rubbish, sizeof(rubbish));
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

/* The result of an event whose slots do not match; a node may send none. */
static void mismatch(gw_ctx *ctx, gw_l1c_got *got)
{
    gw_l1c_event event = gw_l1c_good(gw_l1c_tag(ctx));

    event.first[1] = event.last[1] = (uint16_t)(event.first[0] + 9);
    if (!gw_l1c_look_again(ctx, &event, got) || got->u.has != GW_L1_HAS_RESULT)
        gw_case_na(ctx, "the node sends no result about a mismatch");
}

static void reserved_mismatch(gw_ctx *ctx)
{
    gw_l1c_got got;

    mismatch(ctx, &got);
    gw_l1c_want(ctx, &got, "L1-R03", "l1farm.result.rsv", 0);
}

static void status_known(gw_ctx *ctx)
{
    gw_l1c_got got;

    mismatch(ctx, &got);
    gw_miss miss = {.rule = "L1-R04", .packet = got.number, .got = got.u.u.result.status};
    if (got.u.u.result.status > GW_L1_MISMATCH)
        gw_case_fail(ctx, &miss, "status %u; there are 0, 1 and 2", got.u.u.result.status);
}

/* From the fragment that begins the next event, which is when a node looks at this one. */
static void response_time(gw_ctx *ctx)
{
    gw_responses responses = {.least_ns = gw_l1c_path_ns(ctx)};
    gw_l1c_event event = gw_l1c_good(gw_l1c_tag(ctx));

    gw_l1c_put(ctx, &event);
    for (unsigned i = 0; i < GW_RESPONSE_ROUNDS && !gw_response_slow(ctx, &responses); i++) {
        gw_l1c_got got;
        uint16_t tag = event.first[0];
        event = gw_l1c_good(gw_l1c_tag(ctx));
        unsigned begun = gw_l1c_put(ctx, &event);
        /* What is lost on its way tells nothing of time, nor does an event whose fragments are. */
        if (!gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx)) || got.u.has != GW_L1_HAS_RESULT ||
            got.u.u.result.tag_id != tag) {
            gw_l1c_drain(ctx);
            gw_response_missed(ctx, &responses);
        } else {
            gw_response_add(ctx, &responses, begun, got.number);
        }
    }
    gw_response_end(ctx, &responses);
}

#define BUFFERS .needs = GW_LIST("buffers")
#define AFTER .after = GW_LIST("l1-e/complete")

const gw_case gw_l1_e_order[] = {
    {.id = "l1-e/across-the-wrap",
     .title = "Events are in order across TagID 65535",
     .rules = GW_LIST("L1-E02"),
     BUFFERS,
     AFTER,
     .run = across_the_wrap},
    {.id = "l1-e/index-runs-on",
     .title = "An index that runs on from slot to slot is in order",
     .rules = GW_LIST("L1-E03"),
     BUFFERS,
     AFTER,
     .run = index_runs_on},
    {.id = "l1-e/all-good",
     .title = "Ntries and Nallok grow together while all events are correct",
     .rules = GW_LIST("L1-E04"),
     BUFFERS,
     AFTER,
     .run = all_good},
    {.id = "l1-e/left-alone",
     .title = "A buffer that nobody writes while it is looked at is taken for good",
     .rules = GW_LIST("L1-E05"),
     BUFFERS,
     .after = GW_LIST("l1-e/complete", "l1-e/foreign"),
     .run = left_alone},
    {.id = "l1-e/lap-after-lap",
     .title = "An event one lap, or two, after the last one in its buffer is in order",
     .rules = GW_LIST("L1-E06"),
     BUFFERS,
     AFTER,
     .run = lap_after_lap},
    {.id = "l1-s/any-order",
     .title = "Fragments make an event whatever order they come in",
     .rules = GW_LIST("L1-S08"),
     BUFFERS,
     AFTER,
     .run = any_order},
    {.id = "l1-s/any-order-disturbed",
     .title = "Repeated fragments, and those of others between, do not change an event",
     .rules = GW_LIST("L1-S08"),
     BUFFERS,
     .after = GW_LIST("l1-s/any-order", "l1-e/foreign"),
     .negative = true,
     .run = any_order_disturbed},
    {0},
};

const gw_case gw_l1_r_disturbed[] = {
    {.id = "l1-r/repeated",
     .title = "An event whose fragments come three times gives one result",
     .rules = GW_LIST("L1-R01"),
     BUFFERS,
     .after = GW_LIST("l1-r/once"),
     .negative = true,
     .run = repeated},
    {.id = "l1-r/growing-disturbed",
     .title = "Ntries grows whatever events come between",
     .rules = GW_LIST("L1-R02"),
     BUFFERS,
     .after = GW_LIST("l1-r/growing", "l1-e/foreign"),
     .negative = true,
     .run = growing_disturbed},
    {.id = "l1-r/reserved-mismatch",
     .title = "Reserved bits of a mismatch's result are zero",
     .rules = GW_LIST("L1-R03"),
     BUFFERS,
     .after = GW_LIST("l1-r/reserved"),
     .negative = true,
     .run = reserved_mismatch},
    {.id = "l1-r/status",
     .title = "The result of a mismatch has one of the defined statuses",
     .rules = GW_LIST("L1-R04"),
     BUFFERS,
     AFTER,
     .negative = true,
     .run = status_known},
    {.id = "l1-r/response-time",
     .title = "Results come within the time that the board claims",
     .rules = GW_LIST("L1-R01"),
     .needs = GW_LIST("buffers", "response_us"),
     .after = GW_LIST("l1-r/once"),
     .run = response_time},
    {0},
};

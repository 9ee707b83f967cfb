/* SPDX-License-Identifier: BSD-2-Clause */
/* Decision unit: results in the order in which events entered, time-outs, and late results; and the
 * prototype's cyclic buffer, when nobody says what enters. */

#include "formats/l1farm/suite.h"

/* A node's event enters, and its result comes at once. */
static void serve(gw_ctx *ctx, uint16_t event, uint16_t node)
{
    gw_l1c_enter(ctx, event, node);
    gw_l1c_give(ctx, event, node, GW_L1_CORRECT, 2u * node);
}

/* Waits for the time-out of |event|, which has no result. */
static void await_timeout(gw_ctx *ctx, uint16_t event)
{
    gw_l1c_got got;

    if (!gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx)) || got.u.shim.event != event ||
        got.u.shim.kind != GW_L1_KIND_TIMEOUT)
        gw_case_inconc(ctx, "event 0x%04x was not given up", event);
}

static void passes_on(gw_ctx *ctx)
{
    gw_l1c_got got;

    for (unsigned status = GW_L1_CORRECT; status <= GW_L1_MISMATCH; status++) {
        uint16_t event = gw_l1c_tag(ctx);
        gw_l1c_enter(ctx, event, 4);
        gw_l1c_give(ctx, event, 4, (uint16_t)status, 8);
        gw_l1c_expect(ctx, &got, "L1-U01", GW_L1_KIND_DECISION, event);
        gw_l1c_want(ctx, &got, "L1-U01", "l1farm.result.tag_id", event);
        gw_l1c_want(ctx, &got, "L1-U01", "l1farm.result.node_id", 4);
        gw_l1c_want(ctx, &got, "L1-U01", "l1farm.result.status", status);
        gw_l1c_silence(ctx, "L1-U01", "the decision");
    }
    gw_case_expect_alive(ctx, "L1-U01", "the decision");
}

static void in_order(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t first = 0xfffe; /* across the wrap */

    for (unsigned i = 0; i < 4; i++)
        gw_l1c_enter(ctx, (uint16_t)(first + i), (uint16_t)i);
    for (unsigned i = 4; i > 0; i--)
        gw_l1c_give(ctx, (uint16_t)(first + i - 1), (uint16_t)(i - 1), GW_L1_CORRECT, 2 * i);
    for (unsigned i = 0; i < 4; i++)
        gw_l1c_expect(ctx, &got, "L1-U01", GW_L1_KIND_DECISION, (uint16_t)(first + i));
}

static void not_passed_over(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t event = gw_l1c_tag(ctx);

    gw_l1c_enter(ctx, event, 1);
    serve(ctx, (uint16_t)(event + 1), 2);
    gw_l1c_expect(ctx, &got, "L1-U01", GW_L1_KIND_TIMEOUT, event);
    gw_l1c_expect(ctx, &got, "L1-U01", GW_L1_KIND_DECISION, (uint16_t)(event + 1));
}

static void in_time(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t event = gw_l1c_tag(ctx);

    gw_l1c_enter(ctx, event, 1);
    gw_l1c_expect(ctx, &got, "L1-U03", GW_L1_KIND_TIMEOUT, event);
}

static void late(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t event = gw_l1c_tag(ctx);

    gw_l1c_enter(ctx, event, 1);
    await_timeout(ctx, event);
    gw_l1c_give(ctx, event, 1, GW_L1_CORRECT, 2);
    gw_l1c_silence(ctx, "L1-U02", "a result that came too late");
    serve(ctx, (uint16_t)(event + 1), 2);
    gw_l1c_expect(ctx, &got, "L1-U02", GW_L1_KIND_DECISION, (uint16_t)(event + 1));
}

/* The same TagID enters again, 65536 events later. */
static void next_lap(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t event = gw_l1c_tag(ctx);

    gw_l1c_enter(ctx, event, 1);
    await_timeout(ctx, event);
    gw_l1c_give(ctx, event, 1, GW_L1_MISMATCH, 2);
    gw_l1c_silence(ctx, "L1-U02", "a result that came too late");
    gw_l1c_enter(ctx, event, 1);
    gw_l1c_expect(ctx, &got, "L1-U02", GW_L1_KIND_TIMEOUT, event);
}

static void one_stops(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t event = gw_l1c_tag(ctx);

    gw_l1c_enter(ctx, event, 1);
    for (uint16_t i = 1; i < 6; i++)
        serve(ctx, (uint16_t)(event + i), (uint16_t)(i + 1));
    gw_l1c_expect(ctx, &got, "L1-U04", GW_L1_KIND_TIMEOUT, event);
    for (uint16_t i = 1; i < 6; i++)
        gw_l1c_expect(ctx, &got, "L1-U04", GW_L1_KIND_DECISION, (uint16_t)(event + i));
}

/* ---- the prototype's buffer ---- */

static void to_slot(gw_ctx *ctx, unsigned slot, uint16_t event)
{
    gw_l1c_give(ctx, event, (uint16_t)(slot / 2), GW_L1_CORRECT, slot);
}

static void slots(gw_ctx *ctx)
{
    gw_l1c_got got;

    gw_l1c_needs_patience(ctx, gw_case_spread_ns(ctx));
    (void)gw_l1c_listen(ctx, gw_case_reply_ns(ctx));
    for (unsigned i = 0; i < GW_L1C_SLOTS + 4; i++)
        to_slot(ctx, i % GW_L1C_SLOTS, (uint16_t)(100 + i));
    for (unsigned i = 0; i < GW_L1C_SLOTS + 4; i++)
        gw_l1c_expect(ctx, &got, "L1-U01", GW_L1_KIND_DECISION, (uint16_t)(100 + i));
}

/* 8 and 9 stay silent. Where a decision takes its time to come back, the pointer has perhaps passed
 * slot 10 by then. */
static void silent_slots(gw_ctx *ctx)
{
    gw_l1c_got got;
    bool ahead = !gw_case_near(ctx);

    to_slot(ctx, 7, 200);
    if (ahead)
        to_slot(ctx, 10, 203);
    gw_l1c_expect(ctx, &got, "L1-U01", GW_L1_KIND_DECISION, 200);
    if (!ahead)
        to_slot(ctx, 10, 203);
    gw_l1c_expect(ctx, &got, "L1-U01", GW_L1_KIND_DECISION, 203);
}

#define LATE 301      /* the event whose result comes when the pointer has passed its slot, ... */
#define NEXT_TURN 353 /* ... and the one that has this slot in the pointer's next round */

/* Decisions of the slots behind it have been heard, in their order: whatever got lost, the pointer
 * had passed the slot. */
static void expect_next_turn(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "L1-U02"};
    gw_l1c_got got;

    if (!gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "nothing came about event 0x%04x", NEXT_TURN);
    miss.packet = got.number;
    gw_case_stake(ctx, 1);
    if (got.u.shim.event == LATE)
        gw_case_fail(ctx, &miss, "a late result was kept for the next turn of its slot");
    gw_case_stake(ctx, 0);
    gw_l1c_want_event(ctx, &got, "L1-U02", GW_L1_KIND_DECISION, NEXT_TURN);
}

/* Over a path that takes longer than the board waits, nothing can be waited for in between: the
 * late result comes in the middle of the time for which the board waits for the next slot's. */
static void late_slot_ahead(gw_ctx *ctx, int64_t patience_ns)
{
    int64_t most_ns = patience_ns + gw_case_lag_ns(ctx) - gw_l1c_path_ns(ctx);
    gw_l1c_got got;

    if (2 * gw_case_spread_ns(ctx) > patience_ns || most_ns >= 2 * patience_ns)
        gw_case_inconc(ctx, "what is sent over this path comes apart by more than the board waits");
    (void)gw_l1c_listen(ctx, gw_case_reply_ns(ctx));
    to_slot(ctx, 0, 300);
    to_slot(ctx, 2, 302);
    gw_case_wait(gw_case_connection(ctx), patience_ns + most_ns / 2);
    to_slot(ctx, 1, LATE); /* the pointer has passed it */
    for (unsigned i = 3; i <= GW_L1C_SLOTS; i++)
        to_slot(ctx, i % GW_L1C_SLOTS, (uint16_t)(300 + i));
    to_slot(ctx, 1, NEXT_TURN);
    gw_l1c_expect(ctx, &got, "L1-U02", GW_L1_KIND_DECISION, 300);
    for (unsigned i = 2; i <= GW_L1C_SLOTS; i++)
        gw_l1c_expect(ctx, &got, "L1-U02", GW_L1_KIND_DECISION, (uint16_t)(300 + i));
    expect_next_turn(ctx);
}

static void late_slot(gw_ctx *ctx)
{
    int64_t needs_ns = gw_case_settle_ns(ctx) + 2 * gw_case_lag_ns(ctx);
    int64_t patience_ns = gw_l1c_patience_ns(ctx);
    gw_l1c_got got;

    gw_l1c_drain(ctx);
    if (patience_ns > 0 && patience_ns < needs_ns) {
        late_slot_ahead(ctx, patience_ns);
        return;
    }
    (void)gw_l1c_listen(ctx, gw_case_reply_ns(ctx));
    to_slot(ctx, 0, 300);
    gw_l1c_expect(ctx, &got, "L1-U02", GW_L1_KIND_DECISION, 300);
    to_slot(ctx, 2, 302);
    gw_l1c_expect(ctx, &got, "L1-U02", GW_L1_KIND_DECISION, 302);
    to_slot(ctx, 1, LATE); /* the pointer has passed it */
    gw_l1c_silence(ctx, "L1-U02", "a result for a slot that was passed over");
    for (unsigned i = 3; i <= GW_L1C_SLOTS; i++) {
        to_slot(ctx, i % GW_L1C_SLOTS, (uint16_t)(300 + i));
        gw_l1c_expect(ctx, &got, "L1-U02", GW_L1_KIND_DECISION, (uint16_t)(300 + i));
    }
    to_slot(ctx, 1, NEXT_TURN);
    expect_next_turn(ctx);
}

const gw_case gw_l1_u[] = {
    {.id = "l1-u/passes-on",
     .title = "A result is passed on once, whatever its status",
     .rules = GW_LIST("L1-U01"),
     .run = passes_on},
    {.id = "l1-u/order",
     .title = "Decisions leave in the order in which events entered",
     .rules = GW_LIST("L1-U01"),
     .after = GW_LIST("l1-u/passes-on"),
     .run = in_order},
    {.id = "l1-u/in-time",
     .title = "An event without a result is given up in time",
     .rules = GW_LIST("L1-U03"),
     .after = GW_LIST("l1-u/passes-on"),
     .negative = true,
     .run = in_time},
    {.id = "l1-u/not-passed-over",
     .title = "No event is passed over without a time-out",
     .rules = GW_LIST("L1-U01"),
     .after = GW_LIST("l1-u/passes-on"),
     .negative = true,
     .run = not_passed_over},
    {.id = "l1-u/late",
     .title = "A result that comes after its time-out is dropped",
     .rules = GW_LIST("L1-U02"),
     .after = GW_LIST("l1-u/in-time"),
     .negative = true,
     .run = late},
    {.id = "l1-u/next-lap",
     .title = "A late result is not taken for the same TagID's next event",
     .rules = GW_LIST("L1-U02"),
     .after = GW_LIST("l1-u/in-time"),
     .negative = true,
     .run = next_lap},
    {.id = "l1-u/one-stops",
     .title = "A node that stopped does not disturb the others",
     .rules = GW_LIST("L1-U04"),
     .after = GW_LIST("l1-u/passes-on"),
     .negative = true,
     .run = one_stops},
    {.id = "l1-u/slots",
     .title = "The prototype's buffer is read slot by slot, round and round",
     .rules = GW_LIST("L1-U01"),
     .run = slots},
    {.id = "l1-u/silent-slots",
     .title = "The prototype's pointer passes a silent slot without a decision",
     .rules = GW_LIST("L1-U01"),
     .after = GW_LIST("l1-u/slots"),
     .negative = true,
     .run = silent_slots},
    {.id = "l1-u/late-slot",
     .title = "A late result is not kept for the slot's next turn",
     .rules = GW_LIST("L1-U02"),
     .after = GW_LIST("l1-u/silent-slots"),
     .negative = true,
     .run = late_slot},
    {0},
};

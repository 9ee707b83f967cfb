/* SPDX-License-Identifier: BSD-2-Clause */
/* Decision unit: a whole farm at work, time-outs between good events, and what should not have been
 * sent. */
#include "formats/l1farm/suite.h"
#include "goldwire/writer.h"
#include "suite/response.h"

#define NODES 26

static void serve(gw_ctx *ctx, uint16_t event, uint16_t node, uint16_t status)
{
    gw_l1c_enter(ctx, event, node);
    gw_l1c_give(ctx, event, node, status, 2u * node);
}

/* Every node works, the odd ones slower than the even ones. */
/* The last few alone: of a hundred datagrams one gets lost where any do. */
static void last_nodes(gw_ctx *ctx)
{
    gw_l1c_got got;

    for (uint16_t i = NODES; i-- > NODES - 3;) {
        uint16_t event = gw_l1c_tag(ctx);
        serve(ctx, event, i, GW_L1_CORRECT);
        gw_l1c_expect(ctx, &got, "L1-U04", GW_L1_KIND_DECISION, event);
    }
}

static void all_nodes(gw_ctx *ctx)
{
    gw_l1c_got got;
    if (gw_case_loses(ctx))
        last_nodes(ctx);
    uint16_t first = gw_l1c_tag(ctx);

    for (uint16_t i = 0; i < NODES; i++)
        gw_l1c_enter(ctx, (uint16_t)(first + i), i);
    for (uint16_t odd = 0; odd < 2; odd++)
        for (uint16_t i = odd; i < NODES; i += 2)
            gw_l1c_give(ctx, (uint16_t)(first + i), i, GW_L1_CORRECT, 2u * i);
    for (uint16_t i = 0; i < NODES; i++)
        gw_l1c_expect(ctx, &got, "L1-U04", GW_L1_KIND_DECISION, (uint16_t)(first + i));
}

static void comes_back(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t event = gw_l1c_tag(ctx);

    gw_l1c_enter(ctx, event, 3);
    gw_l1c_expect(ctx, &got, "L1-U03", GW_L1_KIND_TIMEOUT, event);
    serve(ctx, (uint16_t)(event + 1), 3, GW_L1_CORRECT);
    gw_l1c_expect(ctx, &got, "L1-U04", GW_L1_KIND_DECISION, (uint16_t)(event + 1));
}

static void again(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t event = gw_l1c_tag(ctx);

    for (unsigned status = GW_L1_CORRECT; status <= GW_L1_MISMATCH; status++) {
        gw_l1c_enter(ctx, event, 6);
        gw_l1c_give(ctx, event, 6, (uint16_t)status, 12);
        gw_l1c_expect(ctx, &got, "L1-U02", GW_L1_KIND_DECISION, event);
        gw_l1c_want(ctx, &got, "L1-U02", "l1farm.result.status", status);
    }
}

/* ---- time ---- */

static int64_t between(gw_ctx *ctx, unsigned earlier, unsigned later)
{
    int64_t begin = gw_case_seen(ctx, earlier)->time_ns;

    return gw_case_seen(ctx, later)->time_ns - begin;
}

/* A first event without a result shows how long the board waits; the result of a second one comes
 * after a third of that. */
static void a_third(gw_ctx *ctx)
{
    gw_l1c_got got;
    gw_miss miss = {.rule = "L1-U03"};
    uint16_t event = gw_l1c_tag(ctx);

    unsigned entered = gw_l1c_enter(ctx, event, 1);
    gw_l1c_expect(ctx, &got, "L1-U03", GW_L1_KIND_TIMEOUT, event);
    int64_t path_ns = gw_case_near(ctx) ? 0 : gw_case_lag_ns(ctx);
    int64_t limit = between(ctx, entered, got.number) - path_ns;
    event++;
    entered = gw_l1c_enter(ctx, event, 2);
    gw_case_wait(gw_case_connection(ctx), limit / 3);
    unsigned given = gw_l1c_give(ctx, event, 2, GW_L1_CORRECT, 4);
    if (between(ctx, entered, given) > limit / 2)
        gw_case_inconc(ctx, "the result could not be sent in time from here");
    if (!gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a result in time was followed by no decision");
    miss.packet = got.number;
    if (got.u.shim.kind == GW_L1_KIND_TIMEOUT)
        gw_case_fail(ctx, &miss,
                     "the board waited %lld us for one event, and not a third of that "
                     "for the next",
                     (long long)(limit / 1000));
    gw_l1c_want(ctx, &got, "L1-U03", "l1farm.tunnel.kind", GW_L1_KIND_DECISION);
}

/* A second event, without a result, shows when the first one's time is over too. */
static void decided_once(gw_ctx *ctx)
{
    gw_l1c_got got;
    uint16_t event = gw_l1c_tag(ctx);

    serve(ctx, event, 1, GW_L1_CORRECT);
    gw_l1c_expect(ctx, &got, "L1-U01", GW_L1_KIND_DECISION, event);
    gw_l1c_enter(ctx, (uint16_t)(event + 1), 2);
    gw_l1c_expect(ctx, &got, "L1-U01", GW_L1_KIND_TIMEOUT, (uint16_t)(event + 1));
    gw_l1c_quiet(ctx, "L1-U01", "a decision and a time-out");
}

/* ---- what should not have been sent ---- */

/* The first |len| bytes of a result: a remote store that the bus has torn. */
static void give_torn(gw_ctx *ctx, uint16_t event, uint16_t node, uint16_t len)
{
    uint8_t image[GW_L1_RESULT];
    gw_l1_result r = {.nallok = 7, .ntries = 7, .node_id = node, .tag_id = event};

    gw_l1_put_result(image, &r);
    gw_l1c_send(ctx,
                (gw_l1_shim){.kind = GW_L1_KIND_RESULT,
                             .little = true,
                             .dest = node,
                             .event = event,
                             .offset = 2u * node * GW_L1_RESULT,
                             .length = len},
                image);
}

static void noise(gw_ctx *ctx)
{
    static const uint8_t rubbish[GW_L1_SHIM] = {0x4c, 0x31, 9, 99};
    gw_l1c_got got;
    uint16_t event = gw_l1c_tag(ctx);

    gw_l1c_enter(ctx, event, 5);
    give_torn(ctx, event, 5, 8);
    give_torn(ctx, event, 5, 4);
    gw_l1c_give(ctx, (uint16_t)(event + 0x2000), 5, GW_L1_CORRECT, 10); /* which has not entered */
    (void)gw_case_send(ctx, gw_case_connection(ctx), rubbish, sizeof(rubbish));
    (void)gw_case_send(ctx, gw_case_connection(ctx), rubbish, 3);
    /* What comes of that would come before the decision: a silence might be longer than the board
     * waits for a result. */
    gw_l1c_give(ctx, event, 5, GW_L1_UNDERSTOOD, 10);
    gw_l1c_expect(ctx, &got, "L1-U01", GW_L1_KIND_DECISION, event);
    gw_l1c_want(ctx, &got, "L1-U01", "l1farm.result.status", GW_L1_UNDERSTOOD);
    gw_l1c_quiet(ctx, "L1-U01", "the decision");
}

/* ---- how quick ---- */

static void response_time(gw_ctx *ctx)
{
    gw_responses responses = {.least_ns = gw_l1c_path_ns(ctx)};

    for (unsigned i = 0; i < GW_RESPONSE_ROUNDS && !gw_response_slow(ctx, &responses); i++) {
        gw_l1c_got got;
        uint16_t event = gw_l1c_tag(ctx);
        gw_l1c_enter(ctx, event, 1);
        unsigned given = gw_l1c_give(ctx, event, 1, GW_L1_CORRECT, 2);
        /* What is lost on its way tells nothing of time. */
        if (!gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx)) || got.u.shim.event != event ||
            got.u.shim.kind != GW_L1_KIND_DECISION) {
            gw_l1c_drain(ctx);
            gw_response_missed(ctx, &responses);
        } else {
            gw_response_add(ctx, &responses, given, got.number);
        }
    }
    gw_response_end(ctx, &responses);
}

#define AFTER .after = GW_LIST("l1-u/passes-on")

const gw_case gw_l1_u_farm[] = {
    {.id = "l1-u/all-nodes",
     .title = "A farm of 26 nodes is decided without a time-out",
     .rules = GW_LIST("L1-U04"),
     AFTER,
     .run = all_nodes},
    {.id = "l1-u/comes-back",
     .title = "A node that was silent once is heard again",
     .rules = GW_LIST("L1-U04", "L1-U03"),
     .after = GW_LIST("l1-u/in-time"),
     .negative = true,
     .run = comes_back},
    {.id = "l1-u/again",
     .title = "A TagID that comes again is decided by its new result",
     .rules = GW_LIST("L1-U02"),
     AFTER,
     .run = again},
    {.id = "l1-u/a-third",
     .title = "A result that comes after a third of the time-out is accepted",
     .rules = GW_LIST("L1-U03"),
     .after = GW_LIST("l1-u/in-time"),
     .run = a_third},
    {.id = "l1-u/decided-once",
     .title = "An event that was decided is not given up afterwards",
     .rules = GW_LIST("L1-U01"),
     .after = GW_LIST("l1-u/in-time"),
     .run = decided_once},
    {.id = "l1-u/noise",
     .title = "Half a result, or one of an event that has not entered, decides nothing",
     .rules = GW_LIST("L1-U01"),
     AFTER,
     .negative = true,
     .run = noise},
    {.id = "l1-u/response-time",
     .title = "Decisions come within the time that the board claims",
     .rules = GW_LIST("L1-U03"),
     AFTER,
     .needs = GW_LIST("response_us"),
     .run = response_time},
    {0},
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* The Level-1 farm: how fast a readout unit sends sub-events, a compute node looks at events and a
 * decision unit passes decisions on, and what the thesis measured of the prototype. */
#include "formats/l1farm/ru/suite.h"
#include "speed/load.h"

typedef struct loading {
    uint32_t size;
    bool away;      /* something was sent and not answered */
    bool primed;    /* a compute node holds an event that it has not looked at yet */
    uint16_t event; /* readout unit: of the next tag; compute node: that a result is due about */
    uint16_t last;  /* compute node: that it holds */
    uint16_t entered[GW_LOAD_DEPTH_MAX]; /* decision unit: events ... */
    bool due[GW_LOAD_DEPTH_MAX];         /* ... that are not decided */
} loading;

static void want(gw_ctx *ctx, const char *need)
{
    char why[160];
    if (!gw_l1c_has(ctx, need, why, sizeof(why)))
        gw_case_na(ctx, "%s", why);
}

static int64_t deadline_of(gw_ctx *ctx, int64_t timeout_ns)
{
    return gw_case_now(gw_case_link(ctx, "out")) + timeout_ns;
}

static int64_t left_until(gw_ctx *ctx, int64_t deadline)
{
    return deadline - gw_case_now(gw_case_link(ctx, "out"));
}

/* ---- readout unit ---- */

/* The unit counts tags: after one that got lost it is cleared, and begins with event 0. */
static void set_up(gw_ctx *ctx, loading *l)
{
    gw_l1r_set_up(ctx, 1, l->size, GW_L1R_ONE_A_TAG);
    l->event = 0;
    l->away = false;
}

static void prepare_tag(gw_ctx *ctx, void *state, uint32_t size)
{
    loading *l = state;
    want(ctx, "prototype");
    want(ctx, "registers");
    l->size = size;
    set_up(ctx, l);
}

static void ready_tag(gw_ctx *ctx, void *state)
{
    loading *l = state;
    if (!l->away)
        return;
    gw_l1r_write(ctx, GW_L1_DMACNTRL, GW_L1_DMA_CLEAR);
    gw_l1r_run_out(ctx);
    set_up(ctx, l);
}

static unsigned send_tag(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    unsigned before = gw_case_num_seen(ctx);
    (void)slot;
    l->away = true;
    gw_l1r_pulse(ctx);
    return before + 1;
}

static unsigned await_burst(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    loading *l = state;
    int64_t deadline = deadline_of(ctx, timeout_ns);
    uint32_t came = 0;
    gw_l1c_got got;
    *slot = 0;
    while (gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, left_until(ctx, deadline))) {
        if (got.u.shim.event != l->event)
            continue;
        came += got.u.shim.length;
        if (came > l->size)
            gw_case_inconc(ctx, "%u bytes of a sub-event came where %u are due", (unsigned)came,
                           (unsigned)l->size);
        if (came < l->size)
            continue;
        l->event++;
        l->away = false;
        return got.number;
    }
    return 0;
}

/* ---- compute node ---- */

static void prepare_event(gw_ctx *ctx, void *state, uint32_t size)
{
    (void)state;
    (void)size;
    want(ctx, "event buffers");
}

/* A node looks at an event when the next one comes, so there is one before the first. */
static void ready_event(gw_ctx *ctx, void *state)
{
    loading *l = state;
    if (l->away)
        gw_l1c_begin(ctx);
    if (l->away || !l->primed) {
        gw_l1c_event first = gw_l1c_good(l->last = gw_l1c_tag(ctx));
        (void)gw_l1c_put(ctx, &first);
    }
    l->primed = true;
    l->away = false;
}

static unsigned send_event(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    (void)slot;
    l->event = l->last;
    gw_l1c_event next = gw_l1c_good(l->last = gw_l1c_tag(ctx));
    l->away = true;
    return gw_l1c_put(ctx, &next);
}

static unsigned await_result(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    loading *l = state;
    int64_t deadline = deadline_of(ctx, timeout_ns);
    gw_l1c_got got;
    *slot = 0;
    while (gw_l1c_next(ctx, &got, left_until(ctx, deadline))) {
        if (got.u.has != GW_L1_HAS_RESULT || got.u.u.result.tag_id != l->event)
            continue;
        if (got.u.u.result.status != GW_L1_CORRECT && gw_case_loses(ctx))
            return 0;
        if (got.u.u.result.status != GW_L1_CORRECT)
            gw_case_inconc(ctx, "a good event is not called correct: status %u",
                           got.u.u.result.status);
        l->away = false;
        return got.number;
    }
    return 0;
}

/* ---- decision unit ---- */

static void prepare_result(gw_ctx *ctx, void *state, uint32_t size)
{
    (void)state;
    (void)size;
    gw_l1c_drain(ctx);
}

/* Each slot is a compute node of its own. */
static unsigned send_result(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    l->entered[slot] = gw_l1c_tag(ctx);
    l->due[slot] = true;
    unsigned number = gw_l1c_enter(ctx, l->entered[slot], (uint16_t)slot);
    (void)gw_l1c_give(ctx, l->entered[slot], (uint16_t)slot, GW_L1_CORRECT, 2 * slot);
    return number;
}

static bool find(const loading *l, uint16_t event, unsigned *slot)
{
    for (unsigned i = 0; i < GW_LOAD_DEPTH_MAX; i++) {
        if (!l->due[i] || l->entered[i] != event)
            continue;
        *slot = i;
        return true;
    }
    return false;
}

static unsigned await_decision(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    loading *l = state;
    int64_t deadline = deadline_of(ctx, timeout_ns);
    gw_l1c_got got;
    while (gw_l1c_next(ctx, &got, left_until(ctx, deadline))) {
        if (!got.u.has_shim || !find(l, got.u.shim.event, slot))
            continue;
        if (got.u.shim.kind == GW_L1_KIND_TIMEOUT && !gw_case_loses(ctx))
            gw_case_inconc(ctx, "an event is given up whose result was sent");
        if (got.u.shim.kind != GW_L1_KIND_DECISION)
            continue;
        l->due[*slot] = false;
        return got.number;
    }
    return 0;
}

/* ---- all of them ---- */

static const uint32_t blocks[] = {32, 64, 128, 256, 512, 1024};
static const uint32_t event_sizes[] = {GW_L1C_UNITS * GW_L1_SUBEVENT};
static const uint32_t result_sizes[] = {GW_L1_RESULT};

static const gw_load ru_loads[] = {
    {.id = "subevent",
     .title = "A tag, until the sub-event that it starts has come with all of its bursts of 128 "
              "bytes at the most",
     .item = "sent",
     .per = "sub-events",
     .sizes = blocks,
     .num_sizes = GW_ARRAY_LEN(blocks),
     .back = true,
     .depth = 1,
     .state_size = sizeof(loading),
     .prepare = prepare_tag,
     .ready = ready_tag,
     .send = send_tag,
     .await = await_burst},
};

static const gw_load cn_loads[] = {
    {.id = "event",
     .title =
         "An event of three mock-up sub-events, from its first one, which has the node look at "
         "the event before, until the result about that has come",
     .item = "written",
     .per = "events",
     .sizes = event_sizes,
     .num_sizes = GW_ARRAY_LEN(event_sizes),
     .depth = 1,
     .state_size = sizeof(loading),
     .prepare = prepare_event,
     .ready = ready_event,
     .send = send_event,
     .await = await_result},
};

static const gw_load du_loads[] = {
    {.id = "result",
     .title = "An event that enters and its result message behind it, until the decision has come",
     .item = "of results",
     .per = "results",
     .sizes = result_sizes,
     .num_sizes = GW_ARRAY_LEN(result_sizes),
     .depth = GW_LOAD_DEPTH_MAX,
     .state_size = sizeof(loading),
     .prepare = prepare_result,
     .send = send_result,
     .await = await_decision},
};

#define DOCUMENT                                                                                   \
    "A. Walsch, \"Architecture and Prototype of a Real-Time Processor Farm Running at 1 MHz\", "   \
    "thesis, University of Mannheim, 2002"

static const gw_printed ru_printed[] = {
    {.quantity = GW_QUANTITY_REQUESTS_S,
     .size = 128,
     .value = 1240000,
     .what = "sub-events a second of each of three units of the prototype, as it ran",
     .where = "thesis 7.7, System Performance"},
    {.quantity = GW_QUANTITY_NS,
     .size = 128,
     .value = 810,
     .what = "from one of them to the next",
     .where = "thesis 7.7, System Performance"},
    {.quantity = GW_QUANTITY_REQUESTS_S,
     .size = 128,
     .value = 1380000,
     .what = "the most that TagNet supports",
     .where = "thesis 7.8, System Frequency"},
    {.quantity = GW_QUANTITY_REQUESTS_S,
     .size = 128,
     .value = 1960000,
     .what = "the most of one unit without a schedule",
     .where = "thesis 7.9.1, Non-Scheduled Transfer"},
    {.quantity = GW_QUANTITY_REQUESTS_S,
     .size = 64,
     .value = 1510000,
     .what = "the most with interleaved transfers on a bus of 32 bits at 33 MHz",
     .where = "thesis chapter 8, Summary and Outlook"},
    {.quantity = GW_QUANTITY_BYTES_S,
     .value = 478000000,
     .what = "peak of two units on a ringlet together",
     .where = "thesis 7.9.1, Non-Scheduled Transfer",
     .aside = true},
};

static const gw_printed cn_printed[] = {
    {.quantity = GW_QUANTITY_NS,
     .size = GW_L1C_UNITS * GW_L1_SUBEVENT,
     .value = 7380,
     .what = "from the last unit's sub-event to the result at the decision unit, the network "
             "included, plus or minus 270 ns; the node looked at each event at once",
     .where = "thesis 7.11, System Latency, table 7.4"},
    {.quantity = GW_QUANTITY_NS,
     .size = GW_L1C_UNITS * GW_L1_SUBEVENT,
     .value = 3000,
     .what = "what of it the node itself takes, about",
     .where = "thesis 7.11, System Latency"},
    {.quantity = GW_QUANTITY_REQUESTS_S,
     .value = 1240000,
     .what = "events a second of all 26 nodes together",
     .where = "thesis 7.6, The Level-1 Decision Unit Interface",
     .aside = true},
    {.quantity = GW_QUANTITY_NS,
     .value = 21000,
     .what = "between two events of one of 26 nodes",
     .where = "thesis 7.7, figure 7.20",
     .aside = true},
};

static const gw_printed du_printed[] = {
    {.quantity = GW_QUANTITY_REQUESTS_S,
     .size = GW_L1_RESULT,
     .value = 1240000,
     .what = "events a second of the prototype, each with a result message of 128 bits",
     .where = "thesis 7.6, The Level-1 Decision Unit Interface"},
    {.quantity = GW_QUANTITY_REQUESTS_S,
     .value = 40000,
     .what = "events a second that the trigger accepts",
     .where = "thesis 2.4, The LHCb Trigger System",
     .aside = true},
};

/* A tunnel's datagrams are on no wire of the farm. */
static const gw_beneath tunnel = {.what = NULL};

#define LOADS(role_, silent_)                                                                      \
    {                                                                                              \
        .loads = role_##_loads, .num_loads = GW_ARRAY_LEN(role_##_loads), .document = DOCUMENT,    \
        .printed = role_##_printed, .num_printed = GW_ARRAY_LEN(role_##_printed),                  \
        .silent = (silent_), .beneath = &tunnel                                                    \
    }

const gw_loads gw_l1_ru_loads = LOADS(
    ru, "It prints numbers for 128 and 64 bytes; other sizes are in figures 5.11 and 7.22 alone, "
        "without numbers.");
const gw_loads gw_l1_cn_loads = LOADS(
    cn,
    "It prints no times by size: all of its sub-events have 128 bytes, and so have goldwire's.");
const gw_loads gw_l1_du_loads =
    LOADS(du, "It prints no time that the decision unit takes; its watchdog has none either.");

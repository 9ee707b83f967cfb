/* SPDX-License-Identifier: BSD-2-Clause */
/* Readout unit in a farm: goldwire sends it the scheduler's tags, plays the units beside it and the
 * nodes, and judges the schedule that comes of both as it judges a captured one. Only what the
 * board itself has sent is held against it, and only rules that the case is about. */
#include <stdio.h>
#include <string.h>

#include "formats/l1farm/ru/suite.h"

enum {
    PLACES = 52, /* buffers of the prototype's farm, a descriptor each */
    NODES = 26,
    EVENTS = 64, /* a lap of all buffers, and some */
    FEW = 6,
    FEW_PLACES = 8, /* that as many events use, and some that too many tags lead to */
    TRIES = 8,      /* at a schedule, over a path that breaks it off */
    STEPS = 10000,  /* time step of the first event at unit 0 */
    PLAYED = 2,     /* units beside the board */
    OURS = 1000000, /* frames from here on are of units that we play */
};

/* A conversation that is being judged. */
typedef struct farm {
    gw_verdict_sink sink; /* first */
    gw_ctx *ctx;
    gw_l1c_ru_state *state;
    const char *rule; /* that the board broke; NULL: none */
    unsigned rank;    /* of it among those of the case */
    unsigned packet;
    uint32_t offset;
    char text[200];
    uint64_t played; /* datagrams of ours */
} farm;

static const gw_dialect *dialect_of(const farm *f)
{
    return gw_case_dialect(f->ctx);
}

static bool is_final(gw_ctx *ctx)
{
    return gw_l1_profile_of(gw_case_dialect(ctx))->final;
}

/* One wrong fragment may break several rules: the one that the case names first is told. */
static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    farm *f = (farm *)sink;
    const char *const *rules = gw_case_self(f->ctx)->rules;
    unsigned rank = 0;

    while (rules[rank] != NULL && strcmp(rules[rank], finding->rule->id) != 0)
        rank++;
    if (rules[rank] == NULL || finding->frame >= OURS || (f->rule != NULL && f->rank <= rank))
        return;
    f->rule = rules[rank];
    f->rank = rank;
    f->packet = (unsigned)finding->frame;
    f->offset = finding->offset;
    (void)snprintf(f->text, sizeof(f->text), "%s", finding->text);
}

/* Not as datagrams, which the path may lose or repeat: a case asks anew until that is ruled out. */
static void feed(farm *f, const uint8_t *bytes, size_t len, uint64_t frame)
{
    gw_message m = gw_message_of(bytes, len);

    m.frame = frame;
    gw_l1farm.session->feed(f->state->session, &m, dialect_of(f), &f->sink);
}

static void judge(farm *f)
{
    gw_miss miss = {.rule = f->rule, .packet = f->packet, .offset = f->offset};

    if (f->rule != NULL)
        gw_case_fail(f->ctx, &miss, "%s (frames above %d are of the units that goldwire plays)",
                     f->text, OURS);
}

static void finish(farm *f)
{
    gw_l1c_got got;

    while (gw_l1c_next(f->ctx, &got, gw_case_settle_ns(f->ctx)))
        feed(f, got.bytes, got.message.len, got.number);
    judge(f);
    gw_l1farm.session->end(f->state->session, &f->sink);
    judge(f);
}

/* ---- the farm ---- */

/* The prototype uses the first buffer of every node, then the second. In the planned farm there are
 * more nodes than descriptors. */
static uint16_t node_of(gw_ctx *ctx, unsigned place)
{
    return (uint16_t)(is_final(ctx) ? place : place % NODES);
}

static uint8_t buffer_of(gw_ctx *ctx, unsigned place)
{
    return (uint8_t)(is_final(ctx) ? 0 : place / NODES);
}

static void set_up(gw_ctx *ctx, uint32_t bytes, unsigned places)
{
    gw_l1r_set_up(ctx, 1, bytes, 0);
    for (unsigned i = 0; i < places * gw_l1r_times(ctx, places); i++)
        gw_l1r_describe(
            ctx, i % places,
            GW_L1_TARGET(node_of(ctx, i % places), buffer_of(ctx, i % places), GW_L1R_SLOT), bytes);
    gw_l1r_write(ctx, GW_L1_DESCS, PLACES - 1);
    gw_l1r_write(ctx, GW_L1_DMACNTRL, GW_L1R_ONE_A_TAG);
    (void)gw_l1r_read(ctx, GW_L1_DESCS);
    gw_l1c_drain(ctx);
}

static void play(farm *f, gw_l1_shim shim)
{
    uint8_t bytes[GW_L1_SHIM + GW_L1_SUBEVENT];

    shim.version = 1;
    gw_l1_put_shim(bytes, &shim);
    gw_l1_put_words(bytes + GW_L1_SHIM, shim.event, 0, shim.length / GW_L1_WORD);
    feed(f, bytes, (size_t)GW_L1_SHIM + shim.length, OURS + ++f->played);
}

static void begin(farm *f, gw_ctx *ctx)
{
    gw_l1c_ru_state *state = gw_case_state(ctx);

    *f = (farm){.sink = {.finding = on_finding}, .ctx = ctx, .state = state};
    if (!gw_l1farm.session->init(state->session, sizeof(state->session), INT64_MAX))
        gw_case_error(ctx, "the schedule's judge has too little memory");
    /* Whether buffers are released can be judged only where it shows. */
    if (is_final(ctx))
        play(f, (gw_l1_shim){.kind = GW_L1_KIND_FREE, .dest = node_of(ctx, PLACES)});
}

/* What the units beside the board send of |event|; in the planned farm its buffer is free by now.
 */
static void play_units(farm *f, unsigned event)
{
    unsigned place = event % PLACES, board = f->state->common.node;
    gw_l1_shim shim = {.kind = GW_L1_KIND_FREE,
                       .buffer = buffer_of(f->ctx, place),
                       .dest = node_of(f->ctx, place),
                       .event = (uint16_t)event};

    if (is_final(f->ctx) && event >= PLACES)
        play(f, shim);
    shim.kind = GW_L1_KIND_SUBEVENT;
    shim.little = true;
    shim.length = GW_L1_SUBEVENT;
    for (unsigned i = 1; i <= PLAYED; i++) {
        unsigned unit = i == 1 ? board ^ 1 : board + i; /* the first one in the same row */
        shim.ru = (uint8_t)unit;
        shim.step = STEPS + event + unit;
        shim.offset = unit * GW_L1_SUBEVENT;
        play(f, shim);
    }
}

/* Tags that no transfer may come of, and lines that carry none. */
static void disturb(gw_ctx *ctx, unsigned event)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));

    gw_l1r_line(ctx, GW_L1_TIN, 0);
    gw_l1r_line(ctx, GW_L1_TON, 0);
    if (p->code == GW_L1_HAMMING_20 && event % 3 == 0)
        gw_l1r_coded(ctx, (uint16_t)(event % PLACES), 0x48, STEPS + event);
    if (event % 5 == 0)
        gw_l1r_coded(ctx, (uint16_t)(GW_L1_DESCRIPTORS + event), 0, STEPS + event);
}

/* Waits until the tag of |dest| is forwarded; what comes before it is judged. */
static bool await_tag(farm *f, uint16_t dest)
{
    gw_l1c_got got;

    while (gw_l1c_next(f->ctx, &got, gw_case_reply_ns(f->ctx))) {
        feed(f, got.bytes, got.message.len, got.number);
        judge(f);
        if (got.u.has == GW_L1_HAS_TAG && got.u.u.tag.dest == dest)
            return true;
    }
    return false;
}

/* A schedule that a path broke off is begun anew. False when it may not be. */
static bool again(gw_ctx *ctx, unsigned *tries)
{
    bool more = gw_case_loses(ctx) && ++*tries < TRIES;

    if (more)
        gw_l1r_run_out(ctx);
    return more;
}

/* The scheduler's tags, one a time step, in fragments of |bytes|. Returns the destination whose tag
 * was not forwarded; PLACES when all were. */
static unsigned schedule_once(gw_ctx *ctx, uint32_t bytes, bool siblings, bool disturbed,
                              unsigned events)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));
    farm f;

    set_up(ctx, bytes, events < FEW_PLACES ? FEW_PLACES : PLACES);
    begin(&f, ctx);
    for (unsigned event = 0; event < events; event++) {
        uint16_t dest = (uint16_t)(event % PLACES);
        bool wrong = disturbed && p->code != GW_L1_UNCODED && event % 2 == 1;
        if (siblings)
            play_units(&f, event);
        if (disturbed)
            disturb(ctx, event);
        gw_l1r_coded(ctx, dest, wrong ? UINT32_C(2) << event % 18 : 0,
                     STEPS + event + f.state->common.node);
        if (!await_tag(&f, dest))
            return dest;
    }
    finish(&f);
    return PLACES;
}

/* Over a path that loses, a few events first: what shows in them need not come through a hundred
 * datagrams. */
static void schedule(gw_ctx *ctx, uint32_t bytes, bool siblings, bool disturbed)
{
    for (bool all = !gw_case_loses(ctx);; all = true) {
        unsigned tries = 0;
        unsigned missing;
        do
            missing = schedule_once(ctx, bytes, siblings, disturbed, all ? EVENTS : FEW);
        while (missing < PLACES && all && again(ctx, &tries));
        if (missing < PLACES)
            gw_case_inconc(ctx, "the tag of destination %u was not forwarded", missing);
        if (all)
            return;
    }
}

static void in_schedule(gw_ctx *ctx)
{
    schedule(ctx, GW_L1_SUBEVENT, true, gw_case_self(ctx)->negative);
}

/* 288 bytes a time step leave the ringlet some room, but not for a whole burst more. */
static void rate(gw_ctx *ctx)
{
    schedule(ctx, 288, false, gw_case_self(ctx)->negative);
}

/* Tags as pulses, which take the buffers in turn; now and then some come too early. Returns the
 * number of the tag that was not forwarded; 0 when all were. */
static unsigned laps_once(gw_ctx *ctx, unsigned events)
{
    bool disturbed = gw_case_self(ctx)->negative;
    farm f;

    if (gw_case_loses(ctx)) { /* where the edges of the time before got lost */
        gw_l1r_line(ctx, GW_L1_TIN, 0);
        gw_l1r_line(ctx, GW_L1_BIN, 0);
    }
    set_up(ctx, 64, events < FEW_PLACES ? FEW_PLACES : PLACES);
    begin(&f, ctx);
    for (unsigned event = 0; event < events; event++) {
        bool push = disturbed && event % 9 == 4, out = false;
        gw_l1c_got got;
        if (push)
            gw_l1r_line(ctx, GW_L1_BIN, 1);
        gw_l1r_pulse_at(ctx, STEPS + event);
        if (push) {
            gw_l1r_pulse_at(ctx, STEPS + event);
            gw_l1r_line(ctx, GW_L1_BIN, 0);
        }
        while (!out && gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx))) {
            feed(&f, got.bytes, got.message.len, got.number);
            judge(&f);
            out = gw_l1r_is_edge(&got, GW_L1_TON, 0);
        }
        if (!out)
            return event + 1;
    }
    finish(&f);
    return 0;
}

static void laps(gw_ctx *ctx)
{
    for (bool all = !gw_case_loses(ctx);; all = true) {
        unsigned tries = 0;
        unsigned missing;
        do
            missing = laps_once(ctx, all ? PLACES + EVENTS : FEW);
        while (missing != 0 && all && again(ctx, &tries));
        if (missing != 0)
            gw_case_inconc(ctx, "tag %u was not forwarded", missing);
        if (all)
            return;
    }
}

#define AFTER .after = GW_LIST("l1-d/descriptors", "l1-g/clean")

/* l1_final_test.c has mutants that fail them. */
#define TWO_IN_A_ROW .unproven = "only the planned farm has two units in a row"

const gw_case gw_l1_x[] = {
    {.id = "l1-x/farm",
     .title = "A readout unit among others keeps its time step, its buffers and its events",
     .rules = GW_LIST("L1-X06", "L1-X01"),
     AFTER,
     .needs = GW_LIST("registers"),
     .run = in_schedule},
    {.id = "l1-x/farm-disturbed",
     .title = "A readout unit keeps its time step, buffers and events among damaged tags",
     .rules = GW_LIST("L1-X06", "L1-X01", "L1-X07"),
     .after = GW_LIST("l1-x/farm", "l1-g/corrected", "l1-g/beyond-correction", "l1-g/unmapped"),
     .needs = GW_LIST("registers"),
     .negative = true,
     .run = in_schedule},
    {.id = "l1-x/lap",
     .title = "No buffer is used again before all of them were",
     .rules = GW_LIST("L1-X03"),
     .after = GW_LIST("l1-g/one-for-one"),
     .needs = GW_LIST("registers", "prototype"),
     .run = laps},
    {.id = "l1-x/lap-disturbed",
     .title = "No buffer is used again too early when tags come too early",
     .rules = GW_LIST("L1-X03"),
     .after = GW_LIST("l1-x/lap", "l1-g/not-lost"),
     .needs = GW_LIST("registers", "prototype"),
     .negative = true,
     .run = laps},
    {.id = "l1-x/rate",
     .title = "A readout unit's ringlet carries no more than its descriptors say",
     .rules = GW_LIST("L1-X04"),
     AFTER,
     .needs = GW_LIST("registers"),
     .run = rate},
    {.id = "l1-x/rate-disturbed",
     .title = "A readout unit's ringlet carries no more when tags come without a destination",
     .rules = GW_LIST("L1-X04"),
     .after = GW_LIST("l1-x/rate", "l1-g/corrected", "l1-g/beyond-correction", "l1-g/unmapped"),
     .needs = GW_LIST("registers"),
     .negative = true,
     .run = rate},
    {.id = "l1-x/row",
     .title =
         "A readout unit sends into other columns than the unit beside it, and names no node twice",
     .rules = GW_LIST("L1-X02", "L1-G07"),
     AFTER,
     .needs = GW_LIST("registers", "final"),
     TWO_IN_A_ROW,
     .run = in_schedule},
    {.id = "l1-x/row-disturbed",
     .title = "A readout unit keeps to its columns when tags are damaged, or lead nowhere",
     .rules = GW_LIST("L1-X02", "L1-G07"),
     .after = GW_LIST("l1-x/row", "l1-g/corrected", "l1-g/beyond-correction", "l1-g/unmapped"),
     .needs = GW_LIST("registers", "final"),
     TWO_IN_A_ROW,
     .negative = true,
     .run = in_schedule},
    {0},
};

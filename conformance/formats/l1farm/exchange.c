/* SPDX-License-Identifier: BSD-2-Clause */
/* Level-1 farm cases: talking to a readout unit, a compute node, a decision unit. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/l1farm/suite.h"
#include "suite/response.h"

#define LISTENS 3     /* of a pair */
#define PROBE_NODE 14 /* which no case leaves silent */

/* Two event buffers, of which the cases use the slots of three readout units. */
#define BUFFER_BYTES (UINT64_C(2) * GW_L1_SUBEVENT_MAX)

/* The registers of a DMA engine, then its descriptors. */
#define REGISTER_BYTES (0x500 + GW_L1_DESCBUF_BYTES)

static gw_l1c_state *state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

static gw_connection *way_out(gw_ctx *ctx)
{
    return gw_case_link(ctx, "out");
}

/* ---- what goes in, and what comes out ---- */

static unsigned send_over(gw_ctx *ctx, gw_connection *conn, gw_l1_shim shim, const uint8_t *data)
{
    uint8_t datagram[GW_L1_SHIM + 2 * GW_L1_SUBEVENT];

    shim.version = 1;
    gw_l1_put_shim(datagram, &shim);
    for (size_t i = 0; i < shim.length; i++)
        datagram[GW_L1_SHIM + i] = data[i];
    return gw_case_send(ctx, conn, datagram, (size_t)GW_L1_SHIM + shim.length);
}

/* The farm's boards take what comes as it comes, so nothing may overtake what was sent before. A
 * sign of life measures the path, and must not measure this. */
unsigned gw_l1c_send(gw_ctx *ctx, gw_l1_shim shim, const uint8_t *data)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t spread_ns = gw_case_spread_ns(ctx);

    if (spread_ns > 0 && !state_of(ctx)->is_probe)
        gw_case_wait(conn, spread_ns);
    return send_over(ctx, conn, shim, data);
}

static bool receive(gw_ctx *ctx, gw_connection *conn, gw_l1c_got *got, int64_t timeout_ns)
{
    gw_packet packet;

    if (gw_case_recv(ctx, conn, timeout_ns, &packet) != GW_RECV_DATA)
        return false;
    got->message = gw_case_keep(&packet, got->bytes, sizeof(got->bytes));
    got->number = packet.number;
    got->u = (gw_l1_unit){0};
    (void)gw_l1_decode(&got->u, &got->message, gw_case_dialect(ctx));
    return true;
}

bool gw_l1c_next(gw_ctx *ctx, gw_l1c_got *got, int64_t timeout_ns)
{
    return receive(ctx, way_out(ctx), got, timeout_ns);
}

bool gw_l1c_hear(gw_ctx *ctx, gw_l1c_got *got, int64_t timeout_ns)
{
    return receive(ctx, gw_case_connection(ctx), got, timeout_ns);
}

bool gw_l1c_register(gw_ctx *ctx, uint16_t offset, uint32_t *value, int64_t timeout_ns)
{
    uint8_t bytes[4] = {0, GW_L1_READ, (uint8_t)(offset >> 8), (uint8_t)offset};
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    gw_l1c_got got;

    gw_l1c_send(ctx, (gw_l1_shim){.kind = GW_L1_KIND_REGISTER, .length = sizeof(bytes)}, bytes);
    while (gw_l1c_hear(ctx, &got, deadline - gw_case_now(conn))) {
        if (got.u.has != GW_L1_HAS_REGISTER || got.u.u.reg.offset != offset)
            continue;
        *value = got.u.u.reg.value;
        return got.u.u.reg.has_value;
    }
    return false;
}

void gw_l1c_drain(gw_ctx *ctx)
{
    /* Answers come over "out", but it is over "in" that something was said. */
    gw_case_drain(ctx, gw_case_connection(ctx));
    gw_case_drain(ctx, way_out(ctx));
}

void gw_l1c_discard(gw_ctx *ctx)
{
    gw_l1c_got got;

    for (unsigned i = 0; i < 1000 && gw_l1c_next(ctx, &got, 0); i++)
        ;
}

bool gw_l1c_listen(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_l1c_state *s = state_of(ctx);
    gw_l1c_got got;
    gw_connection *conn = way_out(ctx);

    gw_l1c_drain(ctx);
    send_over(ctx, conn, (gw_l1_shim){.kind = GW_L1_KIND_LISTEN}, NULL);
    int64_t begin = gw_case_now(conn);
    s->buffer = 0;
    while (gw_l1c_next(ctx, &got, begin + timeout_ns - gw_case_now(conn))) {
        if (!got.u.has_shim || got.u.shim.kind != GW_L1_KIND_LISTEN)
            continue;
        int64_t path_ns = gw_case_now(conn) - begin;
        if (s->path_ns == 0 || path_ns < s->path_ns)
            s->path_ns = path_ns;
        s->node = got.u.shim.dest;
        s->known = true;
        return true;
    }
    return false;
}

int64_t gw_l1c_path_ns(gw_ctx *ctx)
{
    return state_of(ctx)->path_ns;
}

void gw_l1c_want(gw_ctx *ctx, const gw_l1c_got *got, const char *rule, const char *field,
                 uint64_t value)
{
    gw_want want = {.rule = rule, .field = field, .value = value};

    gw_case_expect(ctx, &got->message, got->number, &want);
}

void gw_l1c_silence(gw_ctx *ctx, const char *rule, const char *after)
{
    gw_l1c_got got;
    gw_miss miss = {.rule = rule};

    if (!gw_l1c_next(ctx, &got, gw_case_settle_ns(ctx)))
        return;
    miss.packet = got.number;
    gw_case_fail(ctx, &miss, "a datagram of kind %u came after %s; none is expected",
                 got.u.shim.kind, after);
}

void gw_l1c_quiet(gw_ctx *ctx, const char *rule, const char *after)
{
    gw_l1c_silence(ctx, rule, after);
    gw_case_expect_alive(ctx, rule, after);
}

/* ---- towards a compute node ---- */

uint16_t gw_l1c_lap(gw_ctx *ctx)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));

    return (uint16_t)(p->nodes * p->buffers);
}

gw_l1c_event gw_l1c_good(uint16_t tag)
{
    return (gw_l1c_event){.first = {tag, tag, tag}, .last = {tag, tag, tag}};
}

unsigned gw_l1c_put_slot(gw_ctx *ctx, uint16_t node, uint8_t buffer, const gw_l1c_event *event,
                         unsigned ru)
{
    gw_l1c_state *s = state_of(ctx);
    const size_t half = GW_L1_SUBEVENT / GW_L1_WORD / 2;
    uint8_t words[GW_L1_SUBEVENT];
    gw_l1_shim shim = {.kind = GW_L1_KIND_SUBEVENT,
                       .little = true,
                       .ru = (uint8_t)ru,
                       .buffer = buffer,
                       .dest = node,
                       .event = event->first[ru],
                       .step = s->step + ru,
                       .offset = ru * GW_L1_SUBEVENT,
                       .length = GW_L1_SUBEVENT};

    gw_l1_put_words(words, event->first[ru], event->index[ru], half);
    gw_l1_put_words(words + half * GW_L1_WORD, event->last[ru], (uint16_t)(event->index[ru] + half),
                    half);
    return gw_l1c_send(ctx, shim, words);
}

void gw_l1c_next_event(gw_ctx *ctx)
{
    state_of(ctx)->step += GW_L1C_UNITS;
}

unsigned gw_l1c_put_to(gw_ctx *ctx, uint16_t node, uint8_t buffer, const gw_l1c_event *event)
{
    unsigned first = gw_l1c_put_slot(ctx, node, buffer, event, 0);

    for (unsigned ru = 1; ru < GW_L1C_UNITS; ru++)
        (void)gw_l1c_put_slot(ctx, node, buffer, event, ru);
    gw_l1c_next_event(ctx);
    return first;
}

uint8_t gw_l1c_turn(gw_ctx *ctx)
{
    gw_l1c_state *s = state_of(ctx);
    uint8_t buffer = s->buffer;

    s->buffer ^= 1;
    return buffer;
}

unsigned gw_l1c_put(gw_ctx *ctx, const gw_l1c_event *event)
{
    return gw_l1c_put_to(ctx, state_of(ctx)->node, gw_l1c_turn(ctx), event);
}

uint16_t gw_l1c_tag(gw_ctx *ctx)
{
    gw_l1c_state *s = state_of(ctx);
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));

    s->tag = (uint16_t)(s->tag + p->nodes);
    return s->tag;
}

static void put_good(gw_ctx *ctx)
{
    gw_l1c_event good = gw_l1c_good(gw_l1c_tag(ctx));

    gw_l1c_drain(ctx);
    gw_l1c_put(ctx, &good);
}

bool gw_l1c_look(gw_ctx *ctx, const gw_l1c_event *event, gw_l1c_got *got)
{
    gw_l1c_put(ctx, event);
    put_good(ctx);
    return gw_l1c_next(ctx, got, gw_case_reply_ns(ctx));
}

bool gw_l1c_look_again(gw_ctx *ctx, const gw_l1c_event *event, gw_l1c_got *got)
{
    unsigned tries = 0;

    while (!gw_l1c_look(ctx, event, got)) {
        if (!gw_case_loses(ctx) || !gw_case_again(ctx, &tries))
            return false;
        gw_l1c_begin(ctx);
    }
    return true;
}

void gw_l1c_go_on(gw_ctx *ctx, gw_l1c_got *got)
{
    put_good(ctx);
    if (!gw_l1c_next(ctx, got, gw_case_reply_ns(ctx)) || got->u.has != GW_L1_HAS_RESULT)
        gw_case_inconc(ctx, "a good event is not followed by a result");
}

void gw_l1c_good_result(gw_ctx *ctx, gw_l1c_got *got, uint16_t tag, const char *rule)
{
    gw_l1c_event good = gw_l1c_good(tag);
    gw_miss miss = {.rule = rule};

    if (!gw_l1c_look(ctx, &good, got))
        gw_case_fail(ctx, &miss, "a good event was followed by no result");
    gw_l1c_want(ctx, got, rule, "l1farm.result.status", GW_L1_CORRECT);
}

/* ---- towards a decision unit ---- */

unsigned gw_l1c_enter(gw_ctx *ctx, uint16_t event, uint16_t node)
{
    gw_l1c_state *s = state_of(ctx);

    return gw_l1c_send(
        ctx,
        (gw_l1_shim){.kind = GW_L1_KIND_ENTERED, .event = event, .dest = node, .step = s->step++},
        NULL);
}

unsigned gw_l1c_give(gw_ctx *ctx, uint16_t event, uint16_t node, uint16_t status, unsigned slot)
{
    gw_l1c_state *s = state_of(ctx);
    uint8_t image[GW_L1_RESULT];
    gw_l1_result r = {
        .nallok = s->step, .ntries = s->step, .node_id = node, .status = status, .tag_id = event};
    gw_l1_shim shim = {.kind = GW_L1_KIND_RESULT,
                       .little = true,
                       .dest = node,
                       .event = event,
                       .step = s->step++,
                       .offset = slot * GW_L1_RESULT,
                       .length = GW_L1_RESULT};

    gw_l1_put_result(image, &r);
    return gw_l1c_send(ctx, shim, image);
}

void gw_l1c_want_event(gw_ctx *ctx, const gw_l1c_got *got, const char *rule, uint8_t kind,
                       uint16_t event)
{
    if (kind == GW_L1_KIND_DECISION && got->u.shim.kind == GW_L1_KIND_TIMEOUT &&
        gw_case_spread_ns(ctx) > 0)
        gw_case_inconc(ctx,
                       "event 0x%04x was given up; what is sent over this path comes up to %" PRId64
                       " us later or earlier, so its result may have been late",
                       got->u.shim.event, gw_case_spread_ns(ctx) / 1000);
    if (got->u.shim.event != event && gw_case_spread_ns(ctx) > 0)
        gw_case_inconc(ctx,
                       "event 0x%04x came before 0x%04x, and the path may have changed their order",
                       got->u.shim.event, event);
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.event", event);
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.kind", kind);
}

void gw_l1c_expect(gw_ctx *ctx, gw_l1c_got *got, const char *rule, uint8_t kind, uint16_t event)
{
    gw_miss miss = {.rule = rule};

    if (!gw_l1c_next(ctx, got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "nothing came about event 0x%04x", event);
    gw_l1c_want_event(ctx, got, rule, kind, event);
}

int64_t gw_l1c_patience_ns(gw_ctx *ctx)
{
    uint16_t event = gw_l1c_tag(ctx);
    gw_l1c_got got;

    if (gw_case_near(ctx))
        return 0;
    unsigned entered = gw_l1c_enter(ctx, event, 1);
    if (!gw_l1c_next(ctx, &got, gw_case_reply_ns(ctx)) || got.u.shim.kind != GW_L1_KIND_TIMEOUT)
        return 0;
    int64_t begin = gw_case_seen(ctx, entered)->time_ns;
    int64_t patience = gw_case_seen(ctx, got.number)->time_ns - begin - gw_case_lag_ns(ctx);
    return patience > 0 ? patience : 1;
}

void gw_l1c_needs_patience(gw_ctx *ctx, int64_t time_ns)
{
    int64_t patience = gw_l1c_patience_ns(ctx);

    if (patience == 0)
        return; /* it is not known for how long */
    if (patience < time_ns)
        gw_case_inconc(ctx,
                       "the board waits %" PRId64 " us at least before it goes on by itself, and "
                       "over this path the case takes it %" PRId64 " us",
                       patience / 1000, time_ns / 1000);
    gw_l1c_drain(ctx);
}

/* ---- signs of life ---- */

static bool may_write(gw_ctx *ctx, uint64_t bytes)
{
    return gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 32, bytes) != NULL;
}

static bool look_at_cn(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_l1c_event first = gw_l1c_good(gw_l1c_tag(ctx));
    gw_l1c_got got;

    if (!gw_l1c_listen(ctx, timeout_ns))
        return false;
    if (!may_write(ctx, BUFFER_BYTES))
        return true;
    gw_l1c_put(ctx, &first);
    put_good(ctx);
    return gw_l1c_next(ctx, &got, timeout_ns);
}

/* A run has begun before each sign of life; the fewer datagrams it takes, the better it measures
 * what becomes of one. */
static bool look_at_ru(gw_ctx *ctx, int64_t timeout_ns)
{
    uint32_t tags;

    if (gw_case_near(ctx) && !gw_l1c_listen(ctx, timeout_ns))
        return false;
    return gw_l1c_register(ctx, GW_L1_TAGS, &tags, timeout_ns);
}

/* The word on an earlier event may come first; ours is waited for a little all the same. */
static bool look_at_du(gw_ctx *ctx, int64_t timeout_ns)
{
    uint16_t event = gw_l1c_tag(ctx);
    gw_connection *conn = gw_case_connection(ctx);
    gw_l1c_got got;
    bool came = false;

    if (!gw_l1c_listen(ctx, timeout_ns))
        return false;
    gw_l1c_enter(ctx, event, PROBE_NODE);
    gw_l1c_give(ctx, event, PROBE_NODE, 0, 2 * PROBE_NODE);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_l1c_next(ctx, &got, deadline - gw_case_now(conn))) {
        if (got.u.shim.event == event)
            return true;
        if (!came)
            deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
        came = true;
    }
    return came;
}

/* A pair of which one got lost tells nothing of order; how much gets lost, single probes tell. */
static gw_pair whole(gw_pair pair)
{
    return pair.answered == 2 ? pair : (gw_pair){0};
}

/* Both are answered alike, so that one that overtook the other is not seen. */
gw_pair gw_l1c_pair(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_connection *conn = way_out(ctx);
    unsigned came = 0;
    gw_l1c_got got;

    gw_l1c_drain(ctx);
    for (unsigned i = 0; i < 2; i++)
        send_over(ctx, conn, (gw_l1_shim){.kind = GW_L1_KIND_LISTEN}, NULL);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_l1c_next(ctx, &got, deadline - gw_case_now(conn))) {
        if (got.u.has_shim && got.u.shim.kind == GW_L1_KIND_LISTEN && ++came == 2)
            deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    }
    return whole((gw_pair){.answered = came < 2 ? came : 2, .repeated = came > 2 ? came - 2 : 0});
}

/* Two events with their results: decisions leave in the order in which the events entered. What the
 * path repeats is seen by what the board says before: deciding twice may be the board's fault. */
gw_pair gw_l1c_du_pair(gw_ctx *ctx, int64_t timeout_ns)
{
    const uint16_t events[] = {gw_l1c_tag(ctx), gw_l1c_tag(ctx)};
    gw_l1c_state *s = state_of(ctx);
    gw_connection *conn = gw_case_connection(ctx);
    gw_pair pair = {0};
    unsigned heard = 0;
    bool done = false;
    gw_l1c_got got;

    gw_l1c_drain(ctx);
    for (unsigned i = 0; i < LISTENS; i++)
        send_over(ctx, way_out(ctx), (gw_l1_shim){.kind = GW_L1_KIND_LISTEN}, NULL);
    if (gw_l1c_next(ctx, &got, timeout_ns))
        heard += got.u.has_shim && got.u.shim.kind == GW_L1_KIND_LISTEN;
    s->is_probe = true; /* it measures the order, and must not keep it */
    for (uint16_t i = 0; i < 2; i++)
        (void)gw_l1c_enter(ctx, events[i], i);
    for (uint16_t i = 0; i < 2; i++)
        (void)gw_l1c_give(ctx, events[i], i, GW_L1_CORRECT, 2u * i);
    s->is_probe = false;
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_l1c_next(ctx, &got, deadline - gw_case_now(conn))) {
        heard += got.u.has_shim && got.u.shim.kind == GW_L1_KIND_LISTEN;
        for (unsigned i = 0; i < 2; i++) {
            if (got.u.shim.kind != GW_L1_KIND_DECISION || got.u.shim.event != events[i])
                continue;
            if (!pair.came[i])
                gw_pair_answer(&pair, i);
        }
        if (pair.answered == 2 && !done)
            deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
        done = done || pair.answered == 2;
    }
    pair.repeated = heard > LISTENS ? heard - LISTENS : 0;
    return whole(pair);
}

static void ask_register(gw_ctx *ctx, uint16_t offset)
{
    uint8_t bytes[4] = {0, GW_L1_READ, (uint8_t)(offset >> 8), (uint8_t)offset};

    send_over(ctx, gw_case_connection(ctx),
              (gw_l1_shim){.kind = GW_L1_KIND_REGISTER, .length = sizeof(bytes)}, bytes);
}

gw_pair gw_l1c_ru_pair(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    gw_pair pair = {0};
    bool first = false, second = false;
    gw_l1c_got got;

    gw_l1c_drain(ctx);
    ask_register(ctx, GW_L1_TAGS);
    ask_register(ctx, GW_L1_DMACNTRL);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_l1c_hear(ctx, &got, deadline - gw_case_now(conn))) {
        if (got.u.has != GW_L1_HAS_REGISTER)
            continue;
        bool *which = got.u.u.reg.offset == GW_L1_TAGS ? &first : &second;
        pair.repeated += *which;
        pair.overtaken |= which == &first && !first && second;
        pair.answered += !*which;
        *which = true;
        if (pair.answered == 2 && pair.repeated == 0)
            deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    }
    return whole(pair);
}

static bool look_with(gw_ctx *ctx, bool (*look)(gw_ctx *ctx, int64_t timeout_ns),
                      int64_t timeout_ns)
{
    gw_l1c_state *s = state_of(ctx);

    s->is_probe = true;
    bool seen = look(ctx, timeout_ns);
    s->is_probe = false;
    return seen;
}

bool gw_l1c_cn_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    return look_with(ctx, look_at_cn, timeout_ns);
}

bool gw_l1c_ru_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    return look_with(ctx, look_at_ru, timeout_ns);
}

bool gw_l1c_du_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    return look_with(ctx, look_at_du, timeout_ns);
}

void gw_l1c_begin(gw_ctx *ctx)
{
    unsigned tries = 0;

    state_of(ctx)->is_probe = false; /* whatever ended the last one */
    while (!gw_l1c_listen(ctx, gw_case_reply_ns(ctx)) && gw_case_again(ctx, &tries))
        ;
}

bool gw_l1c_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    if (strcmp(need, "response_us") == 0)
        return gw_response_claimed(ctx, why, why_cap);
    bool final = gw_l1_profile_of(gw_case_dialect(ctx))->final;
    if (strcmp(need, "final") == 0 || strcmp(need, "prototype") == 0) {
        (void)snprintf(why, why_cap, "it is about the %s farm; --dialect says which one it is",
                       final ? "prototype of the" : "planned");
        return final == (need[0] == 'f');
    }
    uint64_t bytes = strcmp(need, "registers") == 0 ? REGISTER_BYTES : BUFFER_BYTES;

    (void)snprintf(why, why_cap, "no ram area of %u bytes is declared for the %s", (unsigned)bytes,
                   need);
    return may_write(ctx, bytes);
}

void gw_l1c_show(gw_ctx *ctx, gw_claims *shown)
{
    const gw_l1c_state *s = gw_case_state(ctx);

    if (s->known)
        shown->node = s->node;
}

void gw_l1c_identify(gw_ctx *ctx, char *out, size_t cap)
{
    const gw_l1c_state *s = state_of(ctx);

    if (s->known)
        (void)snprintf(out, cap, "number 0x%04x", s->node);
    else
        (void)snprintf(out, cap, "a board that does not tell its number");
}

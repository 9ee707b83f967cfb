/* SPDX-License-Identifier: BSD-2-Clause */
/* Stands between a case and its connection. */
#include "campaign/altered/altered.h"

#include <stdlib.h>
#include <string.h>

#include "campaign/fence.h"
#include "evidence/packet_message.h"
#include "goldwire/ib.h"
#include "goldwire/mutate.h"

#define MUTATIONS 8 /* tried until one may be sent */
#define GROWTH 512u
#define LONGEST_NS (10 * GW_SECOND) /* from the first answer to the last */
#define PIECES_MAX 64u              /* messages that go into a stream at once */

/* One answer on its way. */
typedef struct answer {
    const uint8_t *data; /* without what the carriage adds */
    size_t len;
    gw_random random;
    gw_shot like; /* which message of it is altered: all of a datagram */
    size_t at;    /* where that begins */
    size_t part_len;
} answer;

/* ---- which message it is ---- */

/* Messages that a piece of a stream consists of. */
typedef struct pieces {
    gw_shot list[PIECES_MAX];
    size_t num;
    size_t len; /* of all of them */
} pieces;

static void on_piece(void *arg, const gw_message *m)
{
    pieces *p = arg;
    if (m->dir != GW_DIR_OUT)
        return;
    p->len += m->len;
    if (p->num < PIECES_MAX)
        p->list[p->num++] = (gw_shot){.len = m->len, .part = m->part, .part_arg = m->part_arg};
}

static void pass_over(void *arg, const gw_message *m)
{
    (void)arg;
    (void)m;
}

/* What the board said since the last answer: what a stream means depends on both directions. */
static void catch_up(gw_alterer *a, const gw_ctx *ctx, const gw_connection *conn)
{
    const gw_format *format = ctx->suite->format;
    if (a->line != conn->number || a->heard > ctx->evidence.num_packets) {
        format->stream->init(a->stream, ctx->setup->dialect);
        a->line = conn->number;
    }
    for (; a->heard < ctx->evidence.num_packets; a->heard++) {
        const gw_evidence_packet *p = gw_evidence_get(&ctx->evidence, a->heard + 1);
        gw_message m;
        if (p->dir == GW_DIR_IN && p->line == conn->number &&
            gw_evidence_message(&m, &ctx->evidence, a->heard + 1, format))
            format->stream->push(a->stream, 0, &m, pass_over, NULL);
    }
}

/* Chooses the message of |one| that is altered. A stream that is out of step is altered as it
 * stands. */
static void choose_piece(gw_alterer *a, const gw_ctx *ctx, const gw_connection *conn, answer *one)
{
    pieces cut = {.num = 0};
    const gw_format *format = ctx->suite->format;
    one->part_len = one->len;
    if (a->stream == NULL)
        return;
    catch_up(a, ctx, conn);
    gw_message m = gw_message_of(one->data, one->len);
    m.dir = GW_DIR_OUT;
    m.transport = GW_OVER_TCP;
    format->stream->push(a->stream, 1, &m, on_piece, &cut);
    if (cut.num == 0 || cut.len != one->len)
        return;
    size_t which = gw_random_below(&one->random, (uint32_t)cut.num);
    for (size_t i = 0; i < which; i++)
        one->at += cut.list[i].len;
    one->like.part = cut.list[which].part;
    one->like.part_arg = cut.list[which].part_arg;
    one->part_len = cut.list[which].len;
}

/* ---- what becomes of it ---- */

/* A run of bytes that differ, of messages alike in length. */
typedef struct run {
    size_t from;
    size_t to;
} run;

/* The first one at or behind |from|; it is empty where there is none. */
static run next_run(const uint8_t *now, const uint8_t *was, size_t len, size_t from)
{
    run r = {.from = from};
    while (r.from < len && now[r.from] == was[r.from])
        r.from++;
    for (r.to = r.from; r.to < len && now[r.to] != was[r.to];)
        r.to++;
    return r;
}

uint64_t gw_altered_parts(const uint8_t *now, size_t now_len, const uint8_t *was, size_t was_len)
{
    size_t both = now_len < was_len ? now_len : was_len;
    uint64_t parts = (uint64_t)(now_len != was_len) << GW_ALTERED_TAIL;
    run r = next_run(now, was, both, 0);
    for (unsigned i = 0; i < GW_ALTERED_TAIL && r.from < r.to; i++) {
        parts |= UINT64_C(1) << i;
        r = next_run(now, was, both, r.to);
    }
    return parts;
}

/* Takes back what is not to be mutated of |len| bytes at |was|: runs of bytes that differ, and what
 * is there more or less at the end. */
static void take_back(gw_alterer *a, const uint8_t *was, size_t len, uint64_t back)
{
    size_t both = a->now_len < len ? a->now_len : len;
    run r = next_run(a->now, was, both, 0);
    for (unsigned i = 0; i < GW_ALTERED_TAIL && r.from < r.to; i++) {
        if ((back >> i & 1) != 0)
            memcpy(a->now + r.from, was + r.from, r.to - r.from);
        r = next_run(a->now, was, both, r.to);
    }
    if ((back >> GW_ALTERED_TAIL & 1) == 0)
        return;
    if (a->now_len < len)
        memcpy(a->now + both, was + both, len - both);
    a->now_len = len;
}

/* An answer that is a write to whom it answers cannot be told from one that should not be sent. */
static bool may_go(const gw_alterer *a, const gw_ctx *ctx, const gw_message *was,
                   const gw_message *now)
{
    const gw_format *format = ctx->suite->format;
    const gw_dialect *dialect = ctx->setup->dialect;
    return a->board == NULL || !gw_fence_lets(a->board, format, dialect, was) ||
           gw_fence_lets(a->board, format, dialect, now);
}

/* Room for what grows, as far as the path carries it. */
static size_t room_for(const gw_ctx *ctx, const gw_connection *conn, size_t len)
{
    size_t behind = ctx->suite->format->infiniband ? GW_IB_ICRC : 0;
    size_t carries = conn->transport->stream ? 0 : conn->transport->carries;
    size_t cap = len + GROWTH < GW_SHOT_MAX ? len + GROWTH : GW_SHOT_MAX;
    return carries > behind && cap > carries - behind ? carries - behind : cap;
}

/* False when it stays what it is. */
static bool mutate(gw_alterer *a, const gw_ctx *ctx, const gw_connection *conn, answer *one,
                   uint64_t back)
{
    const gw_mutate_plan plan = {.format = ctx->suite->format, .dialect = ctx->setup->dialect};
    const uint8_t *was = one->data + one->at;
    gw_message m = gw_shots_message(&one->like, was, (uint32_t)one->part_len);
    size_t cap = room_for(ctx, conn, one->part_len);
    for (unsigned i = 0; i < MUTATIONS; i++) {
        a->now_len = gw_mutate(&plan, &one->random, &m, a->now, cap).len;
        if (a->now_len == 0 ||
            (a->now_len == one->part_len && memcmp(a->now, was, a->now_len) == 0))
            continue;
        take_back(a, was, one->part_len, back);
        gw_message now = gw_mutated(&m, a->now, a->now_len);
        if (may_go(a, ctx, &m, &now)) {
            a->mutated++;
            return true;
        }
        a->fenced++;
    }
    return false;
}

static gw_fate choose_fate(gw_random *random)
{
    static const gw_fate seldom[] = {GW_FATE_LOST, GW_FATE_TWICE, GW_FATE_EXCHANGED, GW_FATE_LATE};
    uint32_t dice = gw_random_below(random, 16);
    return dice < GW_ARRAY_LEN(seldom) ? seldom[dice] : GW_FATE_SENT;
}

/* How late an answer comes: soon, as late as some wait, and later than most do. */
static int64_t lateness_ns(const gw_ctx *ctx, gw_random *random)
{
    static const int64_t times[] = {20 * GW_MS, 200 * GW_MS, 1100 * GW_MS};
    return gw_case_scaled_ns(ctx, times[gw_random_below(random, GW_ARRAY_LEN(times))]);
}

/* ---- sending ---- */

/* Puts the answer, with what its message became, into |a|->out, and returns the length. */
static size_t put_together(gw_alterer *a, const gw_ctx *ctx, const gw_connection *conn,
                           const answer *one)
{
    size_t behind = one->at + one->part_len;
    size_t len = one->at + a->now_len + one->len - behind;
    memcpy(a->out, one->data, one->at);
    memcpy(a->out + one->at, a->now, a->now_len);
    memcpy(a->out + one->at + a->now_len, one->data + behind, one->len - behind);
    return ctx->suite->format->infiniband
               ? gw_ib_close_udp(a->out, sizeof(a->out), a->out, len, &conn->transport->local,
                                 &conn->transport->remote, 0)
               : len;
}

/* What was held back goes out behind the next answer, if its connection is still there. */
static void send_held(gw_alterer *a, gw_ctx *ctx, gw_connection *conn)
{
    size_t len = a->held_len;
    a->held_len = 0;
    if (len > 0 && a->held_on == conn->number && conn->transport != NULL)
        (void)gw_ctx_send_as_is(ctx, conn, a->held, len);
}

/* Notes the answer before it goes out, as that may be the last that is done. */
static void note(gw_alterer *a, const gw_connection *conn, const answer *one, bool mutated)
{
    gw_shot like = one->like;
    const uint8_t *was = one->data + one->at;
    like.link = conn->link;
    like.answer = true;
    bool ok = mutated ? gw_shots_add(a->done, &like, a->now, (uint32_t)a->now_len, was,
                                     (uint32_t)one->part_len)
                      : gw_shots_add(a->done, &like, was, (uint32_t)one->part_len, NULL, 0);
    a->short_of_memory = a->short_of_memory || !ok;
}

static unsigned send_altered(gw_alterer *a, gw_ctx *ctx, gw_connection *conn, answer *one)
{
    gw_fate fate = (gw_fate)one->like.fate;
    size_t len = put_together(a, ctx, conn, one);
    unsigned number = 0;
    if (fate == GW_FATE_EXCHANGED) {
        memcpy(a->held, a->out, len);
        a->held_len = len;
        a->held_on = conn->number;
    } else if (fate != GW_FATE_LOST) {
        if (fate == GW_FATE_LATE)
            gw_case_wait(conn, lateness_ns(ctx, &one->random));
        number = gw_ctx_send_as_is(ctx, conn, a->out, len);
        if (fate == GW_FATE_TWICE)
            number = gw_ctx_send_as_is(ctx, conn, a->out, len);
    }
    if (a->sent != NULL && a->done->num > 0 && a->done->num <= GW_ALTERED_MOST)
        a->sent[a->done->num - 1] = number;
    return number;
}

/* Each answer has random numbers of its own: which others are altered makes it no other. */
static void begin_answer(const gw_alterer *a, answer *one, unsigned index)
{
    uint64_t number = (uint64_t)index + a->how->shift + 1;
    gw_random seed = {a->how->seed + UINT64_C(0x9e3779b97f4a7c15) * number};
    one->random.state = gw_random_next(&seed);
    one->like.fate = (uint8_t)choose_fate(&one->random);
    if ((a->how->lost >> index & 1) != 0)
        one->like.fate = GW_FATE_LOST;
}

/* A board may ask for everything again and again, seconds apart, once it took one answer wrong:
 * that much of it is enough. */
static void end_in_time(gw_alterer *a, gw_ctx *ctx, gw_connection *conn)
{
    int64_t now_ns = gw_case_now(conn);
    if (a->num == 0)
        a->began_ns = now_ns;
    if (now_ns - a->began_ns > gw_case_scaled_ns(ctx, LONGEST_NS))
        gw_case_inconc(ctx, "the conversation has lasted long enough");
}

static unsigned send_in_place(void *arg, gw_ctx *ctx, gw_connection *conn, const void *data,
                              size_t len)
{
    gw_alterer *a = arg;
    end_in_time(a, ctx, conn);
    unsigned index = a->num++;
    size_t behind = ctx->suite->format->infiniband ? GW_IB_ICRC : 0;
    answer one = {.data = data, .len = len - behind};
    bool alters = index < GW_ALTERED_MOST && (a->how->mask >> index & 1) != 0 && len > behind &&
                  len <= GW_SHOT_MAX;
    if (len <= GW_SHOT_MAX && len > behind) {
        begin_answer(a, &one, index % GW_ALTERED_MOST);
        choose_piece(a, ctx, conn, &one);
    }
    unsigned number;
    if (alters) {
        bool mutated =
            one.like.fate == GW_FATE_SENT && mutate(a, ctx, conn, &one, a->how->back[index]);
        if (!mutated) {
            a->now_len = one.part_len;
            memcpy(a->now, one.data + one.at, one.part_len);
        }
        note(a, conn, &one, mutated);
        number = send_altered(a, ctx, conn, &one);
    } else {
        number = gw_ctx_send_as_is(ctx, conn, data, len);
    }
    if (!alters || one.like.fate != GW_FATE_EXCHANGED)
        send_held(a, ctx, conn);
    return number;
}

bool gw_alterer_begin(gw_alterer *a, gw_ctx *ctx)
{
    const gw_stream_ops *stream = ctx->suite->format->stream;
    if (ctx->target->links[0].stream && stream != NULL) {
        a->stream = calloc(1, stream->size);
        if (a->stream == NULL)
            return false;
        stream->init(a->stream, ctx->setup->dialect);
        a->line = UINT16_MAX;
    }
    ctx->alter = send_in_place;
    ctx->alter_arg = a;
    return true;
}

void gw_alterer_end(gw_alterer *a, gw_ctx *ctx)
{
    ctx->alter = NULL;
    ctx->alter_arg = NULL;
    free(a->stream);
    a->stream = NULL;
}

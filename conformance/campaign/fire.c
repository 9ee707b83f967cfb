/* SPDX-License-Identifier: BSD-2-Clause */
/* One shot after the other. A board is not flooded: few of them may be unanswered, and what was not
 * answered for as long as an answer is under way is not going to be. */
#include "campaign/fire.h"

#include <stdio.h>
#include <string.h>

#include "goldwire/ib.h"
#include "replay/format.h"

#define PACE_TIMES 2
#define PACE_PERCENT 90
#define TAKE_MAX 64 /* messages that are taken in behind one shot */
#define OUTSTANDING                                                                                \
    4 /* shots on a connection that may be unanswered before they are waited for                   \
       */

/* What shots go out by. */
typedef struct gun {
    gw_connection *lines[GW_TARGET_LINKS][GW_SHOT_LINES]; /* [0] is the usual one */
    uint32_t sent[GW_TARGET_LINKS][GW_SHOT_LINES];        /* datagrams, for formats that count */
} gun;

static bool counts(const gw_ctx *ctx)
{
    return gw_replay_format_of(ctx->suite->format)->number != NULL;
}

/* Ends the conversations that are open. A usual connection that carries datagrams stays, where
 * nobody counts them. */
static void close_lines(gw_ctx *ctx, gun *g)
{
    for (unsigned link = 0; link < GW_TARGET_LINKS; link++) {
        for (unsigned line = 0; line < GW_SHOT_LINES; line++) {
            gw_connection *conn = g->lines[link][line];
            if (conn != NULL && (line > 0 || ctx->target->links[link].stream || counts(ctx)))
                gw_case_close(ctx, conn);
        }
    }
    *g = (gun){0};
}

/* The first one of a conversation: the suite may have spoken over it before. */
static gw_connection *usual(gw_ctx *ctx, gun *g, unsigned link)
{
    const gw_target_link *l = &ctx->target->links[link];
    gw_connection *conn = &ctx->conns[link];
    if (g->lines[link][0] == NULL && conn->transport != NULL && (l->stream || counts(ctx)))
        gw_case_close(ctx, conn);
    return g->lines[link][0] = gw_case_link(ctx, l->name);
}

static gw_connection *line_of(gw_ctx *ctx, gun *g, const gw_shot *shot)
{
    const gw_target_link *l = &ctx->target->links[shot->link];
    gw_connection **conn = &g->lines[shot->link][shot->line];
    /* A port that carries one conversation carries all lines. */
    if (shot->line == 0 || l->single)
        return usual(ctx, g, shot->link);
    if (*conn == NULL || (*conn)->transport == NULL)
        *conn = gw_case_connect_link(ctx, l->name);
    return *conn;
}

/* How long an answer to nearly every request takes, and as much again. The longest one that ever
 * was would be waited for behind every packet that nobody answers; an answer that comes later still
 * is taken in with the next. */
static int64_t pace_ns(const gw_ctx *ctx)
{
    int64_t lag_ns = gw_case_lag_ns(ctx);
    int64_t usual_ns = PACE_TIMES * gw_timing_percentile(&ctx->path.rtt, PACE_PERCENT);
    return ctx->target->virtual_time || lag_ns < usual_ns ? lag_ns : usual_ns;
}

/* Takes in what is there; with too much outstanding, waits for what may still come of it, and takes
 * it for lost after that. */
static void listen(gw_ctx *ctx, gw_connection *conn)
{
    gw_packet packet;
    for (unsigned i = 0; i < TAKE_MAX; i++) {
        bool waits = conn->unanswered >= OUTSTANDING;
        if (gw_case_recv(ctx, conn, waits ? pace_ns(ctx) : 0, &packet) == GW_RECV_DATA)
            continue;
        if (waits)
            conn->unanswered = 0;
        return;
    }
}

/* One shot on its way. */
typedef struct firing {
    gun gun;
    const gw_shots *shots;
    const gw_shot *shot;
    size_t joined;   /* shots behind it that go out in one piece with it */
    unsigned number; /* of the packet that it went out in; 0: it did not */
} firing;

/* Puts the shot and those that are joined to it into |out| and returns how many bytes they are. */
static size_t join(uint8_t out[GW_SHOT_MAX], const firing *f)
{
    size_t len = 0;
    for (size_t i = 0; i <= f->joined; i++) {
        const gw_shot *shot = f->shot + i;
        size_t some = shot->len < GW_SHOT_MAX - len ? shot->len : GW_SHOT_MAX - len;
        memcpy(out + len, gw_shots_data(f->shots, shot), some);
        len += some;
    }
    return len;
}

/* The suite ends what they begin. */
static void tell_suite(gw_ctx *ctx, const firing *f)
{
    for (size_t i = 0; ctx->suite->told != NULL && i <= f->joined; i++) {
        const gw_shot *shot = f->shot + i;
        gw_message m = gw_shots_message(shot, gw_shots_data(f->shots, shot), shot->len);
        ctx->suite->told(ctx, &m);
    }
}

static void fire_one(gw_ctx *ctx, void *arg)
{
    firing *f = arg;
    uint8_t bytes[GW_SHOT_MAX];
    const gw_shot *shot = f->shot;
    gw_connection *conn = line_of(ctx, &f->gun, shot);
    size_t len = join(bytes, f);
    tell_suite(ctx, f);
    if (ctx->suite->format->infiniband)
        len = gw_ib_close_udp(bytes, sizeof(bytes), bytes, len, &conn->transport->local,
                              &conn->transport->remote, 0);
    if (counts(ctx) && !ctx->target->links[shot->link].stream)
        gw_replay_format_of(ctx->suite->format)
            ->number(f->gun.sent[shot->link][shot->line]++, bytes, len);
    f->number = gw_case_send(ctx, conn, bytes, len);
    listen(ctx, conn);
}

/* Takes in what may still come of what was sent last. */
static void drain(gw_ctx *ctx, gw_connection *conn)
{
    gw_packet packet;
    int64_t until = conn->unanswered > 0 ? conn->sent_ns + pace_ns(ctx) : 0;
    for (unsigned i = 0; i < TAKE_MAX; i++) {
        int64_t left = until - gw_case_now(conn);
        if (gw_case_recv(ctx, conn, left > 0 ? left : 0, &packet) != GW_RECV_DATA)
            break;
    }
    conn->unanswered = 0;
}

static void drain_all(gw_ctx *ctx, void *arg)
{
    firing *f = arg;
    for (unsigned link = 0; link < ctx->target->num_links; link++)
        for (unsigned line = 0; line < GW_SHOT_LINES; line++)
            if (f->gun.lines[link][line] != NULL && f->gun.lines[link][line]->transport != NULL)
                drain(ctx, f->gun.lines[link][line]);
}

bool gw_fire(gw_ctx *ctx, const gw_shots *shots, size_t first, size_t num, unsigned *sent,
             char *why, size_t why_cap)
{
    firing f = {.shots = shots};
    gw_ahead_fn ahead = ctx->ahead;
    gw_result spare = {0};
    gw_outcome how = GW_OUTCOME_RETURNED;
    ctx->ahead = NULL;
    if (sent != NULL)
        memset(sent, 0, num * sizeof(*sent));
    for (size_t i = first; i < first + num; i += 1 + f.joined) {
        f.shot = &shots->list[i];
        f.joined = f.number = 0;
        while (i + f.joined + 1 < first + num && shots->list[i + f.joined + 1].joined)
            f.joined++;
        if (f.shot->anew)
            close_lines(ctx, &f.gun);
        how = gw_ctx_aside(ctx, fire_one, &f, &spare);
        for (size_t k = 0; sent != NULL && k <= f.joined; k++)
            sent[i - first + k] = f.number;
        if (how == GW_OUTCOME_ENDED && spare.verdict != GW_NA)
            break;
        how = GW_OUTCOME_RETURNED;
    }
    if (how == GW_OUTCOME_RETURNED)
        how = gw_ctx_aside(ctx, drain_all, &f, &spare);
    close_lines(ctx, &f.gun);
    ctx->ahead = ahead;
    if (how == GW_OUTCOME_RETURNED || spare.verdict != GW_ERROR)
        return true;
    (void)snprintf(why, why_cap, "%s", spare.text);
    return false;
}

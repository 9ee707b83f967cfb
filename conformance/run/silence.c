/* SPDX-License-Identifier: BSD-2-Clause */
/* Silence: waiting until nothing is under way any more, and proving that nothing comes. One place
 * for it, so that silence means the same to all formats: the path had its time, and the board is
 * still there afterwards. */
#include <stdio.h>

#include "run/alive.h"

#define AGAIN_NEAR 1
#define AGAIN_MAX 8
#define AGAIN_RISK 1e-4

static bool excused(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet)
{
    return ctx->suite->excused != NULL && ctx->suite->excused(ctx, conn, packet);
}

GW_NORETURN static void broke_silence(gw_ctx *ctx, const gw_silence *s, unsigned number,
                                      const gw_packet *packet)
{
    gw_miss miss = {.rule = s->rule, .packet = packet->number};
    gw_case_mark(ctx, number, "%s: must get no answer", s->rule);
    gw_case_mark(ctx, packet->number, "%s: this answer must not come", s->rule);
    gw_case_fail(ctx, &miss, "%s was answered with %zu bytes; silence expected", s->what,
                 packet->len);
}

/* A connection that the board closes is silent as well. */
static void hear_nothing(gw_ctx *ctx, const gw_silence *s, gw_connection *conn, unsigned number)
{
    gw_packet packet;
    int64_t deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA)
        if (!excused(ctx, conn, &packet))
            broke_silence(ctx, s, number, &packet);
}

void gw_case_expect_silence(gw_ctx *ctx, const gw_silence *s)
{
    gw_connection *conn = s->conn != NULL ? s->conn : gw_case_connection(ctx);
    unsigned number = s->number != 0 ? s->number : ctx->last_sent;
    hear_nothing(ctx, s, conn, number);
    gw_case_expect_alive(ctx, s->rule, s->what);
}

void gw_case_expect_alive(gw_ctx *ctx, const char *rule, const char *what)
{
    unsigned sent = ctx->last_sent;
    unsigned received = ctx->last_received;
    unsigned listened = ctx->listened;
    bool alive = gw_alive_surely(ctx, true);
    /* What follows is about what the case sent. */
    ctx->last_sent = sent;
    ctx->last_received = received;
    ctx->listened = listened;
    if (!alive)
        gw_case_lost(ctx, rule, "the board stopped answering after %s", what);
}

void gw_case_stake(gw_ctx *ctx, unsigned datagrams)
{
    ctx->stake = datagrams;
}

bool gw_case_loses(const gw_ctx *ctx)
{
    bool told = gw_impairs(&ctx->target->impairment);
    return !gw_case_stream(ctx) && !gw_ctx_near(ctx) && (told || !gw_path_stats_clean(&ctx->path));
}

/* How often a request may be lost in a row, on the path as it was measured. */
static unsigned losses_in_a_row(gw_ctx *ctx)
{
    return gw_ctx_near(ctx) ? AGAIN_NEAR : gw_path_stats_losses(&ctx->path, AGAIN_RISK, AGAIN_MAX);
}

/* Whether the answer that lacks was waited for on a byte stream, which loses nothing. A board has
 * links of both kinds: an APElink, say, and beside it registers. */
static bool awaited_on_stream(const gw_ctx *ctx)
{
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++) {
        const gw_connection *conn = &ctx->conns[i];
        if (conn->transport != NULL && conn->number + 1u == ctx->listened)
            return conn->transport->stream;
    }
    return gw_case_stream(ctx);
}

static bool ask_again(gw_ctx *ctx, unsigned *tries)
{
    if (awaited_on_stream(ctx) || ctx->suite->calls_us || *tries >= losses_in_a_row(ctx))
        return false;
    ++*tries;
    ctx->path.asked_again++;
    return true;
}

bool gw_case_again(gw_ctx *ctx, unsigned *tries)
{
    return ask_again(ctx, tries);
}

bool gw_case_again_if_lossy(gw_ctx *ctx, unsigned *tries)
{
    bool loses = ctx->path.lost > 0 || ctx->path.outages > 0 || ctx->target->impairment.loss > 0 ||
                 ctx->target->impairment.corrupt > 0;
    return loses && !gw_ctx_near(ctx) && ask_again(ctx, tries);
}

void gw_pair_answer(gw_pair *pair, unsigned which)
{
    pair->repeated += pair->came[which];
    pair->answered += !pair->came[which];
    pair->overtaken = pair->overtaken || (which == 0 && !pair->came[0] && pair->came[1]);
    pair->came[which] = true;
}

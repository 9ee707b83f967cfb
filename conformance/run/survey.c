/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring the path with probes of its own. */
#include "run/survey.h"

#include <string.h>
#include <time.h>

#include "harness/socket.h"
#include "run/alive.h"

#define PROBES 24 /* a survey, or twice as many as the case has datagrams, ... */
#define PROBES_MAX 1000
#define PAIRS 12 /* ... and half as many pairs as probes */
#define SURVEYS_MAX 12
#define REPEATS_MAX 4             /* of one answer */
#define BUDGET_NS (3 * GW_SECOND) /* of real time */

static bool in_time(const gw_ctx *ctx, int64_t began_ns)
{
    return ctx->target->virtual_time || gw_clock_ns(CLOCK_MONOTONIC) - began_ns < BUDGET_NS;
}

typedef struct pairing {
    gw_pair pair;
    int64_t timeout_ns;
} pairing;

static void send_pair(gw_ctx *ctx, void *arg)
{
    pairing *p = arg;
    p->pair = ctx->suite->pair(ctx, p->timeout_ns);
}

static void try_pair(gw_ctx *ctx)
{
    pairing p = {.timeout_ns = gw_case_reply_ns(ctx)};
    gw_ctx_aside(ctx, send_pair, &p, NULL);
    if (p.pair.answered == 0)
        return;
    ctx->path.pairs++;
    ctx->path.overtaken += p.pair.overtaken;
    ctx->path.repeated += p.pair.repeated;
    /* Beside a stream each of the two is the only probe that its way gets. Elsewhere single ones
     * tell how much gets lost, and of pairs those that are not whole. */
    for (unsigned i = 0; i < p.pair.answered && (gw_case_stream(ctx) || p.pair.answered == 1); i++)
        gw_path_stats_untimed(&ctx->path);
    if (p.pair.answered == 1)
        gw_path_stats_lost(&ctx->path, ctx->path.last_ns);
}

/* Answers that come after the probe's own are that once more. */
static void hear_repeats(gw_ctx *ctx, void *arg)
{
    gw_packet packet;
    gw_connection *conn = gw_case_connection(ctx);
    (void)arg;
    for (unsigned i = 0; i < REPEATS_MAX; i++) {
        const gw_evidence_packet *before = gw_case_seen(ctx, ctx->last_received);
        uint32_t len = before != NULL ? before->len : 0;
        if (gw_case_recv(ctx, conn, gw_path_stats_lag_ns(&ctx->path), &packet) != GW_RECV_DATA)
            return;
        const uint8_t *bytes = gw_case_seen_bytes(ctx, packet.number - 1);
        if (bytes != NULL && packet.len == len && memcmp(bytes, packet.data, len) == 0)
            ctx->path.repeated++;
    }
}

static void listen_for_repeats(gw_ctx *ctx)
{
    gw_ctx_aside(ctx, hear_repeats, NULL, NULL);
}

void gw_survey(gw_ctx *ctx, unsigned datagrams)
{
    unsigned probes = 2 * datagrams > PROBES ? 2 * datagrams : PROBES;
    unsigned pairs = probes / 2 > PAIRS ? probes / 2 : PAIRS;
    int64_t began_ns = gw_clock_ns(CLOCK_MONOTONIC);
    unsigned sent = ctx->last_sent;
    unsigned received = ctx->last_received;
    unsigned listened = ctx->listened;
    /* A stream tells no more, unless there are links beside it that are none. */
    bool stream = gw_case_stream(ctx);
    if (ctx->suite->calls_us || (stream && ctx->suite->pair == NULL) || gw_ctx_near(ctx) ||
        ctx->path.surveys == SURVEYS_MAX)
        return;
    ctx->path.surveys++;
    if (probes > PROBES_MAX)
        probes = PROBES_MAX;
    unsigned known = ctx->path.probes;
    for (unsigned i = known < probes ? known : probes - PROBES;
         i < probes && in_time(ctx, began_ns); i++) {
        if (!gw_alive_surely(ctx, false))
            break;
        if (!stream)
            listen_for_repeats(ctx);
    }
    for (unsigned i = 0; ctx->suite->pair != NULL && i < pairs && in_time(ctx, began_ns); i++)
        try_pair(ctx);
    ctx->last_sent = sent;
    ctx->last_received = received;
    ctx->listened = listened;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Signs of life and recovery. The probe must not write its own failures into the result of the case
 * it surrounds, and must not take longer than it is told. */
#include "run/alive.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "goldwire/text.h"
#include "harness/raw.h"
#include "harness/socket.h"
#include "harness/stop.h"

#define RECOVER_NS (250 * GW_MS) /* one attempt to see a board come back */
#define RECOVER_TRIES 8
#define PATIENCE_TRIES 40 /* such attempts where a network may be down for a while */
#define RESTART_AFTER 1   /* attempts before a board that can be reset is reset */
#define HOOKS_AFTER 2     /* attempts before the lab's hooks are run */
#define PAUSE_NS (50 * GW_MS)

/* Probes until a board that answers none of them is taken for dead. */
#define TRIES_NEAR 2
#define TRIES_FAR 4
#define TRIES_MAX 16
#define TRIES_RISK 1e-6

typedef struct life_sign {
    int64_t timeout_ns;
    bool mid_case; /* the state of the case is to stay as it is */
    bool seen;
} life_sign;

static void look(gw_ctx *ctx, void *arg)
{
    life_sign *sign = arg;
    if (ctx->suite->begin != NULL && !sign->mid_case)
        ctx->suite->begin(ctx);
    /* What begins a case may take long for reasons of its own: only the probe is measured. */
    ctx->num_probe_rtts = 0;
    ctx->vague_rtt_ns = 0;
    sign->seen = ctx->suite->alive(ctx, sign->timeout_ns);
}

/* Nobody tells where the board's address is; frames in another VLAN may be the reason. */
static void note_unanswered(gw_ctx *ctx, const gw_transport *usual)
{
    gw_text text = gw_text_over(ctx->silence, sizeof(ctx->silence));
    bool ipv6 = usual->remote.family == GW_FAMILY_IPV6;
    char address[INET6_ADDRSTRLEN] = "";
    (void)inet_ntop(ipv6 ? AF_INET6 : AF_INET, usual->remote.ip, address, sizeof(address));
    gw_text_str(&text, "; nobody answers ");
    gw_text_str(&text, ipv6 ? "neighbor solicitations for " : "ARP requests for ");
    gw_text_str(&text, address);
    if (usual->raw->mistagged == 0)
        return;
    gw_text_str(&text, "; frames came ");
    gw_text_str(&text, usual->raw->vlan.num > 0 ? "that are not in its VLAN: "
                                                : "with a VLAN tag, and none was said: ");
    gw_text_dec(&text, usual->raw->mistagged);
}

/* Why there was no sign of life, to go behind another sentence. */
static void note_silence(gw_ctx *ctx, const gw_result *spare)
{
    const gw_transport *usual = ctx->conns[0].transport;
    ctx->silence[0] = '\0';
    ctx->refused = (usual != NULL && usual->unreachable) || (usual == NULL && spare->text[0] != 0);
    if (usual != NULL && usual->unreachable)
        (void)snprintf(ctx->silence, sizeof(ctx->silence), "; %s%s",
                       ctx->target->sim != NULL ? "" : "nothing listens there: ", usual->error);
    else if (usual != NULL && usual->raw != NULL && usual->raw->unanswered)
        note_unanswered(ctx, usual);
    else if (spare->text[0] != '\0')
        (void)snprintf(ctx->silence, sizeof(ctx->silence), "; %.200s", spare->text);
}

/* What the steps of a sign of life took; of one that calls us, it is not the path that takes it.
 * What may be the answer to an earlier step counts for want of something better, unless it is as
 * long as a wait for nothing. */
static void count_probe(gw_ctx *ctx)
{
    if (ctx->suite->calls_us)
        return;
    for (unsigned i = 0; i < ctx->num_probe_rtts; i++)
        gw_path_stats_answered(&ctx->path, ctx->probe_at[i], ctx->probe_rtts[i]);
    if (ctx->num_probe_rtts > 0)
        return;
    if (ctx->vague_rtt_ns > 0 && ctx->vague_rtt_ns < ctx->reply_ns / 2)
        gw_path_stats_answered(&ctx->path, ctx->vague_at, ctx->vague_rtt_ns);
    else
        gw_path_stats_untimed(&ctx->path);
}

static bool look_for_life(gw_ctx *ctx, int64_t timeout_ns, bool mid_case)
{
    gw_result spare = {0};
    int64_t reply_cap_ns = ctx->reply_cap_ns;
    int64_t connect_ns = ctx->connect_ns;
    life_sign sign = {.timeout_ns = timeout_ns, .mid_case = mid_case};
    ctx->reply_cap_ns = timeout_ns;
    if (connect_ns > timeout_ns)
        ctx->connect_ns = timeout_ns;
    ctx->probing = true;
    ctx->num_probe_rtts = 0;
    ctx->vague_rtt_ns = 0;
    gw_ctx_aside(ctx, look, &sign, &spare);
    ctx->probing = false;
    ctx->reply_cap_ns = reply_cap_ns;
    ctx->connect_ns = connect_ns;
    ctx->fault[0] = '\0';
    if (spare.verdict == GW_ERROR)
        (void)snprintf(ctx->fault, sizeof(ctx->fault), "%.*s", (int)sizeof(ctx->fault) - 1,
                       spare.text);
    note_silence(ctx, &spare);
    if (sign.seen)
        count_probe(ctx);
    return sign.seen;
}

bool gw_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    return look_for_life(ctx, timeout_ns, false);
}

/* How many probes have to be lost before that cannot be the path's doing. */
static unsigned tries_wanted(const gw_ctx *ctx)
{
    if (ctx->suite->calls_us)
        return 1;
    /* What is lost of a stream comes late, and so may be taken for lost. */
    if (gw_ctx_near(ctx) || (gw_case_stream(ctx) && gw_path_stats_clean(&ctx->path)))
        return TRIES_NEAR;
    unsigned tries = gw_path_stats_losses(&ctx->path, TRIES_RISK, TRIES_MAX);
    return tries > TRIES_FAR ? tries : TRIES_FAR;
}

bool gw_alive_surely(gw_ctx *ctx, bool mid_case)
{
    unsigned tries = tries_wanted(ctx);
    int64_t timeout_ns = gw_case_reply_ns(ctx);
    for (unsigned i = 0; i < tries && !gw_stopped(); i++) {
        if (look_for_life(ctx, timeout_ns, mid_case)) {
            for (unsigned k = 0; k < i; k++)
                gw_path_stats_lost(&ctx->path, ctx->path.last_ns);
            return true;
        }
        if (ctx->fault[0] != '\0')
            break;
    }
    return false;
}

/* A board that babbles on has said enough. */
#define WORDS_MAX 1000
#define WORD_NS (2 * GW_MS)

static void hear_all(gw_ctx *ctx, void *arg)
{
    gw_packet packet;
    (void)arg;
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++) {
        gw_connection *conn = &ctx->conns[i];
        if (conn->transport == NULL || conn->transport->stream)
            continue;
        for (unsigned n = 0; n < WORDS_MAX; n++) {
            if (gw_case_recv(ctx, conn, gw_case_scaled_ns(ctx, WORD_NS), &packet) != GW_RECV_DATA)
                break;
        }
    }
}

void gw_listen_on(gw_ctx *ctx)
{
    unsigned received = ctx->last_received;
    unsigned listened = ctx->listened;
    gw_ctx_aside(ctx, hear_all, NULL, NULL);
    ctx->last_received = received;
    ctx->listened = listened;
}

static void drain_all(gw_ctx *ctx, void *arg)
{
    (void)arg;
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++)
        if (ctx->conns[i].transport != NULL && !ctx->conns[i].transport->stream)
            gw_case_drain(ctx, &ctx->conns[i]);
}

void gw_back_in_step(gw_ctx *ctx)
{
    const gw_transport *usual = ctx->conns[0].transport;
    bool costly = usual != NULL && (usual->raw != NULL || usual->adapter != NULL);
    unsigned received = ctx->last_received;
    unsigned listened = ctx->listened;
    gw_ctx_aside(ctx, drain_all, NULL, NULL);
    ctx->last_received = received;
    ctx->listened = listened;
    gw_ctx_close_all(ctx, costly);
}

void gw_alive_pause(const gw_ctx *ctx)
{
    if (ctx->target->virtual_time)
        return;
    struct timespec time = {.tv_nsec = PAUSE_NS};
    (void)nanosleep(&time, NULL);
}

static bool way_is_broken(const gw_ctx *ctx, char *why, size_t why_cap)
{
    gw_target *target = ctx->target;
    return target->broken != NULL && target->broken(target, why, why_cap);
}

/* Looks |tries| times, each time for |timeout_ns|. */
static gw_recovery look_for(gw_ctx *ctx, unsigned tries, int64_t timeout_ns, char *how,
                            size_t how_cap)
{
    for (unsigned i = 0; i < tries && !gw_stopped(); i++) {
        gw_ctx_close_all(ctx, false);
        gw_alive_pause(ctx);
        if (gw_alive(ctx, timeout_ns))
            return GW_RECOVERED;
        if (ctx->fault[0] != '\0') {
            (void)snprintf(how, how_cap, "%s", ctx->fault);
            return GW_OUR_FAULT;
        }
        if (way_is_broken(ctx, how, how_cap))
            return GW_PATH_BROKEN;
    }
    return GW_BOARD_GONE;
}

static gw_recovery look_again(gw_ctx *ctx, unsigned tries, char *how, size_t how_cap)
{
    return look_for(ctx, tries, gw_case_scaled_ns(ctx, RECOVER_NS), how, how_cap);
}

/* The wall's clock counts until a simulator is there; then a core's time is its own. */
static bool has_had_its_time(const gw_ctx *ctx, int64_t until)
{
    bool simulates = ctx->target->sim != NULL && !ctx->refused;
    return simulates || gw_clock_ns(CLOCK_MONOTONIC) >= until;
}

/* Looks for as long as hook |kind| lets the board settle; who refuses, does so in no time. One that
 * calls us is waited for in one piece: hanging up might make it begin anew. */
static gw_recovery look_after_hook(gw_ctx *ctx, unsigned kind, char *how, size_t how_cap)
{
    int64_t settle_ns = ctx->rescue.hooks[kind].settle_s * GW_SECOND;
    if (ctx->suite->calls_us)
        return look_for(ctx, 1, settle_ns + gw_case_scaled_ns(ctx, RECOVER_NS), how, how_cap);
    int64_t until = gw_clock_ns(CLOCK_MONOTONIC) + settle_ns;
    gw_recovery came;
    do
        came = look_again(ctx, 1, how, how_cap);
    while (came == GW_BOARD_GONE && !gw_stopped() && !has_had_its_time(ctx, until));
    return came;
}

/* A board of ours is started anew before each look. */
static gw_recovery restart(gw_ctx *ctx, char *how, size_t how_cap)
{
    gw_target *target = ctx->target;
    for (unsigned i = RESTART_AFTER; i < RECOVER_TRIES; i++) {
        gw_ctx_close_all(ctx, false);
        if (!target->restart(target, how, how_cap))
            return GW_OUR_FAULT;
        gw_recovery came = look_again(ctx, 1, how, how_cap);
        (void)snprintf(how, how_cap, "the board was restarted");
        if (came != GW_BOARD_GONE)
            return came;
    }
    return GW_BOARD_GONE;
}

gw_recovery gw_recover_with_hooks(gw_ctx *ctx, gw_hook_kind last, char *how, size_t how_cap)
{
    how[0] = '\0';
    for (unsigned kind = 0; kind <= (unsigned)last; kind++) {
        char one[96];
        char broken[160];
        if (!gw_rescue_has(&ctx->rescue, (gw_hook_kind)kind))
            continue;
        gw_ctx_close_all(ctx, false);
        bool well = gw_rescue_run(&ctx->rescue, (gw_hook_kind)kind, one, sizeof(one));
        size_t len = strlen(how);
        (void)snprintf(how + len, how_cap - len, "%s%s", len > 0 ? ", " : "", one);
        if (!well)
            continue;
        gw_recovery came = look_after_hook(ctx, kind, broken, sizeof(broken));
        if (came == GW_BOARD_GONE)
            continue;
        if (came != GW_RECOVERED)
            (void)snprintf(how, how_cap, "%s", broken);
        return came;
    }
    return GW_BOARD_GONE;
}

typedef struct revival {
    bool done;
} revival;

static void use_own_means(gw_ctx *ctx, void *arg)
{
    ((revival *)arg)->done = ctx->suite->revive(ctx);
}

gw_recovery gw_revive(gw_ctx *ctx, char *how, size_t how_cap)
{
    revival r = {false};

    if (ctx->suite->revive == NULL)
        return GW_BOARD_GONE;
    /* A register that does not answer decides nothing. */
    gw_ctx_aside(ctx, use_own_means, &r, NULL);
    if (!r.done || !gw_alive_surely(ctx, false))
        return GW_BOARD_GONE;
    (void)snprintf(how, how_cap, "a reset through its registers");
    return GW_RECOVERED;
}

static gw_recovery pull_reset(gw_ctx *ctx, char *how, size_t how_cap)
{
    char why[240];
    gw_target *target = ctx->target;
    if (target->reset == NULL || !target->reset(target, why, sizeof(why)))
        return GW_BOARD_GONE;
    gw_ctx_close_all(ctx, false);
    if (!gw_alive_surely(ctx, false))
        return GW_BOARD_GONE;
    (void)snprintf(how, how_cap, "a reset by its wire");
    return GW_RECOVERED;
}

gw_recovery gw_recover(gw_ctx *ctx, char *how, size_t how_cap)
{
    const gw_run_setup *setup = ctx->setup;
    bool hooks = ctx->rescue.hooks != NULL && gw_board_has_hooks(setup->board);
    bool can_restart = ctx->target->restart != NULL;
    how[0] = '\0';
    unsigned tries = can_restart ? RESTART_AFTER : hooks ? HOOKS_AFTER : RECOVER_TRIES;
    /* A link that is down comes back by itself; nobody resets a board for that. */
    bool patient = !gw_ctx_near(ctx) && !ctx->suite->calls_us && !ctx->refused;
    int64_t began_ns = ctx->path.last_ns;
    gw_recovery came = look_again(ctx, patient ? PATIENCE_TRIES : tries, how, how_cap);
    if (came == GW_RECOVERED && patient)
        gw_path_stats_outage(&ctx->path, ctx->path.last_ns - began_ns);
    if (came != GW_BOARD_GONE)
        return came;
    if (gw_revive(ctx, how, how_cap) == GW_RECOVERED)
        return GW_RECOVERED;
    if (pull_reset(ctx, how, how_cap) == GW_RECOVERED)
        return GW_RECOVERED;
    if (can_restart)
        return restart(ctx, how, how_cap);
    if (hooks)
        return gw_recover_with_hooks(ctx, GW_HOOK_START, how, how_cap);
    if (gw_board_has_hooks(setup->board))
        (void)snprintf(how, how_cap, "its hooks were not run: --hooks lets goldwire run them");
    return GW_BOARD_GONE;
}

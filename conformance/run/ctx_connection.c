/* SPDX-License-Identifier: BSD-2-Clause */
/* A case's connections: opened, waited on, sent through and received from, all of it evidence. */
#include "run/ctx.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "boards/mem.h"
#include "harness/raw.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "harness/times.h"
#include "running/running.h"

#define DRAIN_MAX 4096 /* packets; a board that babbles on is not waited for */

/* The time of what is sent now, to lie on one axis with the stamps of what is received. */
static int64_t wall_ns(const gw_ctx *ctx, gw_transport *t)
{
    if (ctx->target->virtual_time)
        return GW_VIRTUAL_EPOCH_NS + t->ops->now(t);
    return gw_clock_ns(CLOCK_REALTIME);
}

/* Headers are made up the way the board's format fills them; registers are read over EtherBone. */
static bool leads_to_regs(const gw_ctx *ctx, const gw_connection *conn)
{
    return strcmp(ctx->target->links[conn->link].name, GW_REGS_LINK) == 0;
}

static gw_evidence_packet packet_of(const gw_ctx *ctx, const gw_connection *conn,
                                    gw_evidence_kind kind, gw_direction dir, int64_t time_ns,
                                    size_t len)
{
    const gw_transport *t = conn->transport;
    bool regs = leads_to_regs(ctx, conn);
    gw_evidence_packet packet = {.time_ns = time_ns,
                                 .local = t->local,
                                 .remote = t->remote,
                                 .len = (uint32_t)len,
                                 .line = conn->number,
                                 .dir = (uint8_t)dir,
                                 .kind = (uint8_t)kind,
                                 .stream = t->stream,
                                 .wire = t->raw != NULL,
                                 .link = ctx->target->links[conn->link].name,
                                 .regs = regs,
                                 .style = regs ? NULL : ctx->suite->format->ip_style};
    if (dir == GW_DIR_OUT)
        packet.remote.port = gw_transport_answer_port(t);
    return packet;
}

/* Keeps what passes now, and hands it on to who looks on. */
static unsigned keep(gw_ctx *ctx, const gw_evidence_packet *packet, const uint8_t *data)
{
    gw_running_packet(ctx->setup->running, packet, data, NULL, 0);
    return gw_evidence_add(&ctx->evidence, packet, data);
}

static unsigned record(gw_ctx *ctx, gw_connection *conn, gw_evidence_kind kind, gw_direction dir,
                       int64_t time_ns, const uint8_t *data, size_t len)
{
    gw_evidence_packet packet = packet_of(ctx, conn, kind, dir, time_ns, len);
    return keep(ctx, &packet, data);
}

/* A board may send from another port than the one that it is spoken to at. */
static unsigned record_received(gw_ctx *ctx, gw_connection *conn, const gw_packet *received)
{
    gw_evidence_packet packet =
        packet_of(ctx, conn, GW_EVIDENCE_BYTES, GW_DIR_IN, received->time_ns, received->len);
    packet.remote = received->from;
    return keep(ctx, &packet, received->data);
}

/* Of a connection that is a station on an Ethernet every frame is kept. */
static unsigned record_frame(void *arg, uint8_t dir, int64_t stamp_ns, const uint8_t *frame,
                             size_t len, const gw_net *net)
{
    gw_connection *conn = arg;
    gw_ctx *ctx = conn->ctx;
    int64_t time_ns = stamp_ns != INT64_MIN ? stamp_ns : wall_ns(ctx, conn->transport);
    const uint8_t *data = net != NULL ? net->payload.p : frame;
    size_t data_len = net != NULL ? (size_t)(net->payload.end - net->payload.p) : len;
    gw_evidence_packet packet =
        packet_of(ctx, conn, net != NULL ? GW_EVIDENCE_BYTES : GW_EVIDENCE_FRAME, (gw_direction)dir,
                  time_ns, data_len);
    gw_running_packet(ctx->setup->running, &packet, data, frame, len);
    return gw_evidence_add_frame(&ctx->evidence, &packet, data, frame, len);
}

/* A path that loses packets may lose both segments that a call has time for. So one that fails is
 * made once more, but not as a sign of life, which is tried more often anyway. */
static gw_transport *call(gw_ctx *ctx, unsigned link, bool *unreachable, char *why, size_t why_cap)
{
    gw_target *target = ctx->target;
    gw_transport *t = target->open(target, link, ctx->connect_ns, unreachable, why, why_cap);
    if (t == NULL && *unreachable && !ctx->probing && gw_case_stream(ctx) &&
        !ctx->suite->calls_us && !gw_stopped())
        t = target->open(target, link, ctx->connect_ns, unreachable, why, why_cap);
    return t;
}

static void open_connection(gw_ctx *ctx, gw_connection *conn, unsigned link)
{
    bool unreachable = false;
    char why[256] = "";
    gw_target *target = ctx->target;
    gw_transport *t = call(ctx, link, &unreachable, why, sizeof(why));
    if (t == NULL && unreachable)
        gw_case_inconc(ctx, "no connection to the board: %s", why);
    if (t == NULL)
        gw_case_error(ctx, "%s", why);
    if (ctx->suite->calls_us && gw_rescue_has(&ctx->rescue, GW_HOOK_START))
        (void)gw_rescue_run(&ctx->rescue, GW_HOOK_START, why, sizeof(why));
    conn->ctx = ctx;
    conn->transport = t;
    conn->link = (uint8_t)link;
    conn->number = ctx->num_connections++;
    conn->greeted = !ctx->suite->calls_us;
    conn->hung_up = false;
    conn->unanswered = 0;
    conn->spent = &ctx->spent;
    if (ctx->local.family == GW_FAMILY_NONE)
        ctx->local = t->local;
    conn->spin = ctx->setup->spin && !target->virtual_time;
    if (t->raw != NULL)
        gw_raw_set_tap(t, record_frame, conn);
    if (t->stream && conn->greeted)
        record(ctx, conn, GW_EVIDENCE_OPEN, GW_DIR_OUT, wall_ns(ctx, t), NULL, 0);
}

static gw_connection *usual_connection(gw_ctx *ctx, unsigned link)
{
    gw_connection *conn = &ctx->conns[link];
    if (conn->transport == NULL)
        open_connection(ctx, conn, link);
    return conn;
}

static gw_connection *another_connection(gw_ctx *ctx, unsigned link)
{
    if (ctx->target->links[link].single)
        gw_case_na(ctx, "needs two conversations at once, and this way to the board carries one");
    for (size_t i = ctx->target->num_links; i < GW_MAX_CONNECTIONS; i++) {
        if (ctx->conns[i].transport != NULL)
            continue;
        open_connection(ctx, &ctx->conns[i], link);
        return &ctx->conns[i];
    }
    gw_case_error(ctx, "the case wants more than %d connections at once", GW_MAX_CONNECTIONS);
}

static unsigned find_link(gw_ctx *ctx, const char *name)
{
    const gw_target *target = ctx->target;
    for (unsigned i = 0; i < target->num_links; i++) {
        if (target->links[i].present && strcmp(target->links[i].name, name) == 0)
            return i;
    }
    gw_case_na(ctx, "nobody said where the board's link %s is: give --dut %s=URL", name, name);
}

gw_connection *gw_case_connection(gw_ctx *ctx)
{
    return usual_connection(ctx, 0);
}

gw_connection *gw_case_link(gw_ctx *ctx, const char *name)
{
    return usual_connection(ctx, find_link(ctx, name));
}

bool gw_case_has_link(const gw_ctx *ctx, const char *name)
{
    const gw_target *target = ctx->target;
    for (unsigned i = 0; i < target->num_links; i++) {
        if (target->links[i].present && strcmp(target->links[i].name, name) == 0)
            return true;
    }
    return false;
}

gw_connection *gw_case_reconnect(gw_ctx *ctx)
{
    /* Whoever alters a conversation wants to see the end of that one. */
    if (ctx->alter != NULL && ctx->conns[0].transport != NULL)
        gw_case_inconc(ctx, "a conversation is altered, and this is another one");
    gw_case_close(ctx, &ctx->conns[0]);
    return gw_case_connection(ctx);
}

gw_connection *gw_case_connect(gw_ctx *ctx)
{
    return another_connection(ctx, 0);
}

gw_connection *gw_case_connect_link(gw_ctx *ctx, const char *name)
{
    return another_connection(ctx, find_link(ctx, name));
}

void gw_case_close(gw_ctx *ctx, gw_connection *conn)
{
    gw_transport *t = conn->transport;
    if (t == NULL)
        return;
    if (t->stream && conn->greeted)
        record(ctx, conn, GW_EVIDENCE_CLOSE, GW_DIR_OUT, wall_ns(ctx, t), NULL, 0);
    if (t->raw != NULL && t->raw->damaged < t->raw->sound)
        ctx->path.damaged += t->raw->damaged;
    gw_transport_close(t);
    conn->transport = NULL;
}

void gw_ctx_close_all(gw_ctx *ctx, bool keep_usual)
{
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++) {
        gw_connection *conn = &ctx->conns[i];
        bool keep = keep_usual && i < ctx->target->num_links && conn->transport != NULL &&
                    !conn->transport->stream && !conn->transport->unreachable;
        if (!keep)
            gw_case_close(ctx, conn);
    }
}

gw_transport *gw_case_transport(gw_connection *conn)
{
    return conn->transport;
}

unsigned gw_case_connection_number(const gw_connection *conn)
{
    return conn->number;
}

bool gw_case_stream(const gw_ctx *ctx)
{
    return ctx->target->links[0].stream;
}

int64_t gw_case_now(gw_connection *conn)
{
    return conn->transport->ops->now(conn->transport);
}

static void wait_until(const gw_connection *conn, int64_t deadline)
{
    gw_transport *t = conn->transport;
    if (!conn->spin) {
        t->ops->wait(t, deadline);
        return;
    }
    while (t->ops->now(t) < deadline && !gw_stopped())
        ;
}

/* The part of a wait of |time_ns| that a start hook may still run in. */
static int64_t watched(const gw_ctx *ctx, int64_t time_ns)
{
    int64_t left = gw_rescue_left(&ctx->rescue);
    return left < time_ns ? left : time_ns;
}

/* A wait that was cut short says nothing about the board. */
static void poll_stop(gw_ctx *ctx)
{
    if (gw_stopped())
        gw_case_inconc(ctx, GW_INTERRUPTED);
}

/* Settle times of a simulated board that a case may wait in one go. A wait that follows from the
 * board's own times is far below; one of a document, or of a trace, may be seconds. */
#define SIM_WAIT_MAX 1000

/* The part of a wait of |time_ns| that a simulator can be asked for. */
static int64_t affordable(const gw_ctx *ctx, int64_t time_ns)
{
    int64_t most = SIM_WAIT_MAX * ctx->settle_ns;
    return ctx->target->sim != NULL && most < time_ns ? most : time_ns;
}

/* Ends a case that waits |time_ns|, more than is affordable. */
static _Noreturn void tell_cost(gw_ctx *ctx, int64_t time_ns)
{
    char text[24];
    gw_case_na(ctx,
               "waits %s, which would cost %" PRIu64
               " cycles of the simulation; --patience %" PRId64 " has them simulated",
               gw_times_text(text, sizeof(text), time_ns), gw_target_cycle(ctx->target, time_ns),
               time_ns / SIM_WAIT_MAX / ctx->settle_ns + 1);
}

void gw_case_wait(gw_connection *conn, int64_t time_ns)
{
    if (affordable(conn->ctx, time_ns) < time_ns)
        tell_cost(conn->ctx, time_ns);
    int64_t start = gw_case_now(conn);
    int64_t first_ns = watched(conn->ctx, time_ns);
    wait_until(conn, start + first_ns);
    gw_rescue_watch(&conn->ctx->rescue);
    if (first_ns < time_ns)
        wait_until(conn, start + time_ns);
    conn->spent->pauses_ns += gw_case_now(conn) - start;
    poll_stop(conn->ctx);
}

/* ---- sending and receiving ---- */

/* Ends a case that needs more than the path carries: neither the board nor the case is at fault. */
static void check_path_mtu(gw_ctx *ctx, const gw_transport *t, size_t len)
{
    if (!t->stream && t->carries != 0 && len > t->carries)
        gw_case_na(ctx, "needs a datagram of %zu bytes, and the path carries %zu", len, t->carries);
}

/* A station's frames are recorded one by one, the one with the datagram last. */
static unsigned send_framed(gw_ctx *ctx, gw_connection *conn, const void *data, size_t len)
{
    gw_transport *t = conn->transport;
    check_path_mtu(ctx, t, len);
    if (!t->ops->send(t, data, len) && !t->unreachable && !t->stream)
        gw_case_error(ctx, "sending %zu bytes failed: %s", len, t->error);
    /* Whom the frame goes to had perhaps to be asked first: that is no part of a round trip. */
    conn->sent_ns = gw_case_now(conn);
    ctx->last_sent = t->raw->last.number;
    return ctx->last_sent;
}

static void note_sent(gw_connection *conn)
{
    conn->sent_ns = gw_case_now(conn);
    conn->unanswered++;
    conn->ctx->unasked = 0;
}

/* Round trips are measured with what a good board answers, and counted once it has. What is
 * answered should be beyond doubt: the only thing that was sent. */
static void note_heard(gw_ctx *ctx, gw_connection *conn)
{
    int64_t now = gw_case_now(conn);
    if (ctx->probing && conn->unanswered == 1 && ctx->num_probe_rtts < GW_PROBE_STEPS) {
        ctx->probe_at[ctx->num_probe_rtts] = now;
        ctx->probe_rtts[ctx->num_probe_rtts++] = now - conn->sent_ns;
    } else if (ctx->probing && conn->unanswered > 1) {
        ctx->vague_rtt_ns = now - conn->sent_ns;
        ctx->vague_at = now;
    }
    if (conn->unanswered > 0)
        conn->unanswered--;
}

/* Ends a case whose packet must not go out. */
static void tell_ahead(gw_ctx *ctx, const gw_connection *conn, const void *data, size_t len)
{
    char why[200] = "";
    if (ctx->ahead != NULL && !ctx->ahead(ctx->ahead_arg, conn, data, len, why, sizeof(why)))
        gw_case_error(ctx, "%s", why);
}

unsigned gw_case_send(gw_ctx *ctx, gw_connection *conn, const void *data, size_t len)
{
    if (ctx->alter != NULL)
        return ctx->alter(ctx->alter_arg, ctx, conn, data, len);
    return gw_ctx_send_as_is(ctx, conn, data, len);
}

unsigned gw_ctx_send_as_is(gw_ctx *ctx, gw_connection *conn, const void *data, size_t len)
{
    gw_transport *t = conn->transport;
    tell_ahead(ctx, conn, data, len);
    note_sent(conn);
    if (t->raw != NULL)
        return send_framed(ctx, conn, data, len);
    check_path_mtu(ctx, t, len);
    int64_t stamp_ns = wall_ns(ctx, t);
    if (t->adapter != NULL && !t->ops->send(t, data, len))
        gw_case_na(ctx, "an adapter does not send this: %s", t->error);
    ctx->last_sent = record(ctx, conn, GW_EVIDENCE_BYTES, GW_DIR_OUT, stamp_ns, data, len);
    /* A board that is gone, or has closed, shows as silence; the cases and the runner judge that.
     */
    if (t->adapter == NULL && !t->ops->send(t, data, len) && !t->unreachable && !t->stream) {
        check_path_mtu(ctx, t, len); /* of which more may be known now */
        gw_case_error(ctx, "sending %zu bytes failed: %s", len, t->error);
    }
    return ctx->last_sent;
}

unsigned gw_case_send_as_other(gw_ctx *ctx, gw_connection *conn, const void *data, size_t len,
                               char *why, size_t why_cap)
{
    gw_transport *t = conn->transport;
    gw_endpoint from = {.port = 0};
    int64_t stamp_ns = wall_ns(ctx, t);
    (void)snprintf(why, why_cap, "what is sent that way comes from one address only");
    if (t->ops->send_as_other == NULL)
        return 0;
    tell_ahead(ctx, conn, data, len);
    if (!t->ops->send_as_other(t, data, len, &from)) {
        (void)snprintf(why, why_cap, "%s", t->error);
        return 0;
    }
    gw_evidence_packet packet = packet_of(ctx, conn, GW_EVIDENCE_BYTES, GW_DIR_OUT, stamp_ns, len);
    packet.local = from;
    return keep(ctx, &packet, data);
}

/* Many more messages than a board has to say to one request, or one that calls us before its next:
 * a frame of 32 MiB in packets of 64 bytes is half as many. Whoever waits for silence would wait
 * for ever. */
#define UNASKED_MAX (1u << 18)
#define UNASKED_MAX_CALLER (1u << 20)

/* A board that does not stop talking ends a case, and is no reason not to hear an interrupt. */
static void check_babble(gw_ctx *ctx)
{
    unsigned most = ctx->suite->calls_us ? UNASKED_MAX_CALLER : UNASKED_MAX;
    poll_stop(ctx);
    if (++ctx->unasked <= most)
        return;
    ctx->unasked = 0;
    gw_case_inconc(ctx, "the board does not stop talking: %u messages came since it was last asked",
                   most);
}

static gw_recv_status recv_until(gw_ctx *ctx, gw_transport *t, int64_t deadline, gw_packet *out)
{
    return t->ops->recv(t, ctx->received, sizeof(ctx->received), &out->len, deadline, &out->time_ns,
                        &out->from);
}

/* A board that calls us has connected by now; behind the end of a connection that is another one.
 */
static void greet(gw_ctx *ctx, gw_connection *conn, int64_t time_ns)
{
    if (conn->hung_up) {
        conn->number = ctx->num_connections++;
        ctx->listened = conn->number + 1u;
        conn->greeted = conn->hung_up = false;
    }
    if (conn->transport->stream && !conn->greeted)
        record(ctx, conn, GW_EVIDENCE_OPEN, GW_DIR_IN, time_ns, NULL, 0);
    conn->greeted = true;
}

gw_recv_status gw_case_recv(gw_ctx *ctx, gw_connection *conn, int64_t timeout_ns, gw_packet *out)
{
    gw_transport *t = conn->transport;
    memset(out, 0, sizeof(*out));
    /* Past its deadline a loop ends, however much a babbling board has queued for it. */
    if (timeout_ns < 0)
        return GW_RECV_TIMEOUT;
    ctx->listened = conn->number + 1u;
    int64_t start = gw_case_now(conn);
    int64_t whole_ns = affordable(ctx, timeout_ns);
    int64_t first_ns = watched(ctx, whole_ns);
    gw_recv_status status = recv_until(ctx, t, start + first_ns, out);
    gw_rescue_watch(&ctx->rescue);
    if (status == GW_RECV_TIMEOUT && first_ns < whole_ns)
        status = recv_until(ctx, t, start + whole_ns, out);
    if (status == GW_RECV_TIMEOUT && whole_ns < timeout_ns)
        tell_cost(ctx, timeout_ns);
    int64_t *spent = status == GW_RECV_DATA ? &conn->spent->answers_ns : &conn->spent->silence_ns;
    *spent += gw_case_now(conn) - start;
    if (status != GW_RECV_DATA)
        poll_stop(ctx);
    switch (status) {
    case GW_RECV_DATA:
        note_heard(ctx, conn);
        greet(ctx, conn, out->time_ns);
        if (ctx->suite->calls_us)
            gw_rescue_heard(&ctx->rescue);
        out->data = ctx->received;
        out->number = t->raw != NULL ? t->raw->last.number : record_received(ctx, conn, out);
        ctx->last_received = out->number;
        if (ctx->suite->heard != NULL)
            ctx->suite->heard(ctx, conn, out);
        check_babble(ctx);
        break;
    case GW_RECV_CLOSED:
        record(ctx, conn, GW_EVIDENCE_CLOSE, GW_DIR_IN, wall_ns(ctx, t), NULL, 0);
        conn->hung_up = ctx->suite->calls_us;
        break;
    case GW_RECV_ERROR:
        if (!t->unreachable)
            gw_case_error(ctx, "receiving failed: %s", t->error);
        return GW_RECV_TIMEOUT;
    case GW_RECV_TIMEOUT:
        break;
    }
    return status;
}

gw_message gw_case_keep(const gw_packet *packet, uint8_t *bytes, size_t cap)
{
    size_t len = packet->len < cap ? packet->len : cap;

    memcpy(bytes, packet->data, len);
    gw_message message = gw_message_of(bytes, len);
    message.transport = GW_OVER_UDP;
    return message;
}

void gw_case_drain(gw_ctx *ctx, gw_connection *conn)
{
    gw_packet packet;
    int64_t until = conn->unanswered > 0 ? conn->sent_ns + gw_path_stats_lag_ns(&ctx->path) : 0;
    for (unsigned i = 0; i < DRAIN_MAX; i++) {
        int64_t left = until - gw_case_now(conn);
        if (gw_case_recv(ctx, conn, left > 0 ? left : 0, &packet) != GW_RECV_DATA)
            break;
    }
    conn->unanswered = 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: running an exchange with the master. */
#include <string.h>

#include "formats/etherbone/master/exchange.h"

#define IDLE_NS (3 * GW_SECOND)        /* our own master repeats within a second */
#define IDLE_STREAM_NS (6 * GW_SECOND) /* or five */
#define WINDOW_NS (3 * GW_SECOND)      /* of a foreign master, which may never stop */
#define OTHERS_NS (10 * GW_SECOND)     /* of all who call behind the first; there may be no end */
#define OTHERS_SLICE_NS (200 * GW_MS)
#define GATHER_NS (5 * GW_MS)       /* requests that belong together follow each other at once */
#define LONGEST_NS (60 * GW_SECOND) /* of an exchange, however it drags on */
#define GATHER_MAX_NS (200 * GW_MS)
#define END_NS GW_SECOND /* from the end of its connection to a master's own */
#define MUTE_NS (10 * GW_SECOND)

/* Whether this packet is to be dropped with its answer. */
static bool count_probe(gw_eb_master_session *t)
{
    t->exchange->num_probes++;
    if (t->dropped == t->behavior->drop_probes)
        return false;
    t->dropped++;
    return true;
}

static void handle_packet(gw_eb_master_session *t, const gw_packet *packet)
{
    if (gw_eb_master_starts_another(t, packet))
        return;
    gw_eb_master_record(t, GW_DIR_IN, packet->number, packet->time_ns, packet->data, packet->len);
    t->waiting = false;
    if (gw_eb_master_is_probe(packet->data, packet->len) && count_probe(t))
        return;
    gw_eb_master_note_requests(t, GW_DIR_IN, packet->data, packet->len);
    t->ended = t->ended || t->silenced;
    if (!t->ended)
        gw_eb_test_slave_answer(t->slave, packet->data, packet->len, t->stream);
}

/* Requests that are on their way together are answered together. */
static void gather_requests(gw_eb_master_session *t)
{
    gw_packet packet;
    bool matters = t->behavior->reverse || t->behavior->stray_reply || t->behavior->wrong_mode ||
                   t->behavior->late || t->behavior->watched || t->behavior->from_other;
    int64_t deadline = gw_case_now(t->conn) + GATHER_MAX_NS;
    while (!t->ended && t->slave->num_answers > 0 && matters && gw_case_now(t->conn) < deadline &&
           gw_case_recv(t->ctx, t->conn, GATHER_NS, &packet) == GW_RECV_DATA)
        handle_packet(t, &packet);
}

static int64_t idle_limit(const gw_eb_master_session *t)
{
    if (t->behavior->no_reply || t->behavior->late || t->behavior->drop_probes > 0 || t->waiting)
        return MUTE_NS;
    if (t->behavior->trailing && t->exchange->num_requests == 1)
        return MUTE_NS;
    if (!gw_case_fresh(t->ctx))
        return GW_SECOND;
    return t->stream ? IDLE_STREAM_NS : IDLE_NS;
}

/* Takes up what came for this exchange during the last one. */
static bool take_early(gw_ctx *ctx, gw_packet *out)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    if (state->num_early == 0)
        return false;
    *out = (gw_packet){.data = state->early, .len = state->num_early, .time_ns = state->early_ns};
    state->num_early = 0;
    return true;
}

static gw_recv_status receive_packet(gw_eb_master_session *t, int64_t timeout_ns, gw_packet *out)
{
    if (t->exchange->num_packets == t->first_packet && take_early(t->ctx, out))
        return GW_RECV_DATA;
    return gw_case_recv(t->ctx, t->conn, timeout_ns, out);
}

static void run_session(gw_eb_master_session *t, int64_t first_ns)
{
    int64_t start = gw_case_now(t->conn);
    int64_t deadline = start + first_ns;
    int64_t heard = start;
    int64_t slice = gw_case_slice_ns(t->ctx);
    int64_t window = gw_case_fresh(t->ctx) ? INT64_MAX / 4 : WINDOW_NS;
    while (!t->ended) {
        gw_packet packet;
        int64_t now = gw_case_now(t->conn);
        int64_t left = deadline - now;
        if (left <= 0 || now - start > first_ns + LONGEST_NS)
            return;
        gw_recv_status status = receive_packet(t, left < slice ? left : slice, &packet);
        t->exchange->silent_ns = gw_case_now(t->conn) - heard;
        if (status == GW_RECV_TIMEOUT && gw_case_over(t->ctx))
            t->exchange->left = GW_EB_MASTER_FINISHED;
        if (status == GW_RECV_CLOSED)
            t->exchange->left = GW_EB_MASTER_CLOSED;
        if (t->exchange->left != GW_EB_MASTER_STAYED)
            return;
        if (status != GW_RECV_DATA)
            continue;
        if (t->exchange->num_packets == t->first_packet)
            start = now;
        heard = gw_case_now(t->conn);
        handle_packet(t, &packet);
        gather_requests(t);
        gw_eb_master_send_replies(t);
        deadline = gw_case_now(t->conn) + idle_limit(t);
        if (idle_limit(t) < MUTE_NS && deadline > start + window)
            deadline = start + window;
    }
}

/* Whoever came to its end did so behind the last reply, unless that took its patience, or it told
 * of a failure. A connection is closed a little before. */
static bool ended_well(gw_eb_master_session *t)
{
    const gw_eb_master_exchange *exchange = t->exchange;
    if (exchange->replied_ns == 0 || exchange->repeated)
        return false;
    int64_t deadline = gw_case_now(t->conn) + END_NS;
    while (exchange->left == GW_EB_MASTER_CLOSED && gw_case_fresh(t->ctx) &&
           !gw_case_over(t->ctx) && gw_case_now(t->conn) < deadline)
        gw_case_wait(t->conn, gw_case_slice_ns(t->ctx));
    bool left = exchange->left == GW_EB_MASTER_FINISHED || exchange->left == GW_EB_MASTER_CLOSED;
    return left && gw_case_over(t->ctx) && gw_case_no_start(t->ctx) == NULL;
}

bool gw_eb_master_run_exchange(gw_ctx *ctx, gw_eb_master_exchange *exchange,
                               const gw_eb_master_behavior *behavior, int64_t first_ns)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    bool stream = gw_case_stream(ctx);
    gw_eb_master_session t = {.ctx = ctx,
                              .exchange = exchange,
                              .slave = &state->slave,
                              .behavior = behavior,
                              .stream = stream};
    bool anew = gw_case_fresh(ctx) || stream;
    t.conn = anew ? gw_case_reconnect(ctx) : gw_case_connection(ctx);
    if (anew)
        state->num_early = 0; /* who sent that is started anew */
    gw_eb_test_slave_start(ctx, &state->slave, behavior, stream);
    gw_eb_master_init_stream(ctx);
    gw_eb_master_clear(exchange, behavior->offer);
    const gw_eb_dialect *ways = gw_eb_dialect_of(gw_case_dialect(ctx));
    gw_case_transport(t.conn)->at_own_port = ways->answers_own_port && !stream;
    run_session(&t, first_ns);
    exchange->num_accepted += ended_well(&t);
    exchange->held = exchange->num_packets > 0;
    return exchange->held;
}

void gw_eb_master_answer_others(gw_ctx *ctx)
{
    static const gw_eb_master_behavior good = {.offer = GW_EB_MASTER_WIDE};
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    gw_eb_master_exchange *exchange = &state->others;
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + OTHERS_NS;
    gw_eb_master_clear(exchange, good.offer);
    if (gw_case_ours(ctx) || !gw_case_fresh(ctx))
        return; /* who calls next does so for the next case */
    while ((state->num_early > 0 || gw_case_hook_runs(ctx)) && gw_case_now(conn) < deadline) {
        gw_eb_master_session t = {.ctx = ctx,
                                  .conn = conn,
                                  .exchange = exchange,
                                  .slave = &state->slave,
                                  .behavior = &good,
                                  .stream = gw_case_stream(ctx),
                                  .first_packet = exchange->num_packets,
                                  .first_request = exchange->num_requests};
        exchange->left = GW_EB_MASTER_STAYED;
        exchange->replied_ns = exchange->probed_ns = 0;
        gw_eb_test_slave_start(ctx, &state->slave, &good, t.stream);
        gw_eb_master_init_stream(ctx);
        run_session(&t, OTHERS_SLICE_NS);
    }
    state->num_early = 0;
    exchange->held = exchange->num_packets > 0;
}

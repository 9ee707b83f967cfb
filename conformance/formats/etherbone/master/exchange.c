/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: exchanges with the master, received and kept. */
#include <string.h>

#include "formats/etherbone/master/exchange.h"

#define IDLE_NS (3 * GW_SECOND)        /* our own master repeats within a second */
#define IDLE_STREAM_NS (6 * GW_SECOND) /* or five */
#define WINDOW_NS (3 * GW_SECOND)      /* of a foreign master, which may never stop */
#define SLICE_NS (20 * GW_MS)
#define GATHER_NS (5 * GW_MS)       /* requests that belong together follow each other at once */
#define LONGEST_NS (60 * GW_SECOND) /* of an exchange, however it drags on */
#define LOOK_BACK 8                 /* requests in flight that a repetition may reach over */
#define GATHER_MAX_NS (200 * GW_MS)
#define MUTE_NS (10 * GW_SECOND)
#define AT_ONCE_NS (100 * GW_MS)
#define TRIP_MAX_NS GW_SECOND /* whoever takes longer thinks before it asks */

/* ---- keeping ---- */

void gw_eb_master_record(gw_eb_master_session *t, gw_direction dir, unsigned number,
                         int64_t time_ns, const uint8_t *data, size_t len)
{
    gw_eb_master_exchange *exchange = t->exchange;
    gw_transport *transport = gw_case_transport(t->conn);
    if (exchange->num_packets == GW_EB_MASTER_PACKETS ||
        len > sizeof(exchange->bytes) - exchange->num_bytes) {
        t->ended = true; /* enough was seen */
        return;
    }
    exchange->numbers[exchange->num_packets] = number;
    exchange->packets[exchange->num_packets++] = (gw_evidence_packet){.time_ns = time_ns,
                                                                      .local = transport->local,
                                                                      .remote = transport->remote,
                                                                      .data = exchange->num_bytes,
                                                                      .len = (uint32_t)len,
                                                                      .dir = (uint8_t)dir,
                                                                      .stream = transport->stream};
    memcpy(exchange->bytes + exchange->num_bytes, data, len);
    exchange->num_bytes += len;
}

bool gw_eb_master_is_probe(const uint8_t *data, size_t len)
{
    return len >= 4 && gw_load_be16(data) == GW_EB_MAGIC && (data[2] & GW_EB_PF) != 0;
}

static void blank(uint8_t *copy, uint32_t len, size_t at, size_t num)
{
    if (at <= len && num <= len - at)
        memset(copy + at, 0, num);
}

/* FNV-1a over everything but the return addresses and the values written: a master may choose both
 * anew when it repeats a request. */
uint64_t gw_eb_master_fingerprint(const gw_message *message, const gw_dialect *dialect)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    gw_eb_reader reader;
    gw_eb_record record;
    uint8_t copy[2048];
    uint32_t len = message->len < sizeof(copy) ? message->len : (uint32_t)sizeof(copy);
    memcpy(copy, message->data, len);
    if (gw_eb_open(&reader, message, dialect))
        while (gw_eb_next(&reader, &record)) {
            if (record.wcount > 0)
                blank(copy, len, (size_t)(record.writes - message->data),
                      (size_t)record.wcount * reader.layout.data_unit);
            if (record.rcount > 0)
                blank(copy, len, (size_t)(record.reads - message->data) - reader.layout.addr_unit,
                      reader.layout.addr_unit);
        }
    for (uint32_t i = 0; i < len; i++)
        hash = (hash ^ copy[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint8_t kind_of(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_reader reader;
    gw_eb_record record;
    unsigned reading = 0;
    uint8_t kind = 0;
    if (!gw_eb_open(&reader, message, dialect))
        return 0;
    while (gw_eb_next(&reader, &record)) {
        if (record.rcount == 0)
            continue;
        reading++;
        kind |= (record.flags & GW_EB_RFF) != 0 ? GW_EB_MASTER_FIXED : GW_EB_MASTER_ASCENDING;
    }
    return reading > 1 ? kind | GW_EB_MASTER_SEVERAL : kind;
}

/* Whoever takes a reply goes on at once, or when it likes; whoever does not waits until its
 * patience is over and asks again. */
static void note_accepted(gw_eb_master_session *t, gw_eb_master_exchange *exchange)
{
    size_t i = exchange->num_requests;
    bool same = i > 0 && exchange->fingerprints[i] == exchange->fingerprints[i - 1];
    int64_t now_ns = gw_case_now(t->conn);
    bool replied = exchange->replied_ns != 0;
    if (i == 0 && exchange->probed_ns != 0)
        exchange->trip_ns =
            now_ns - exchange->probed_ns < TRIP_MAX_NS ? now_ns - exchange->probed_ns : TRIP_MAX_NS;
    int64_t patience_ns = AT_ONCE_NS + 4 * gw_case_settle_ns(t->ctx) + 2 * exchange->trip_ns;
    exchange->slow[i] = replied && now_ns - exchange->replied_ns > patience_ns;
    exchange->repeated = exchange->repeated || (same && exchange->slow[i]);
    /* Where a packet is one record, what is read back is written in the one before. */
    bool pair = gw_eb_dialect_of(gw_case_dialect(t->ctx))->record_words > 0 && i > 1 &&
                exchange->fingerprints[i] == exchange->fingerprints[i - 2];
    exchange->crossed =
        exchange->crossed ||
        ((same || pair) && replied && !gw_case_near(t->ctx) &&
         now_ns - exchange->replied_ns + GW_EB_MASTER_CROSSED_NS < exchange->trip_ns);
    exchange->num_accepted += replied && (!exchange->slow[i] || !exchange->repeated);
    exchange->replied_ns = 0;
}

static void note_request(gw_eb_master_session *t, const gw_message *message)
{
    gw_eb_master_exchange *exchange = t->exchange;
    if (exchange->num_requests == GW_EB_MASTER_PACKETS)
        return;
    exchange->kinds[exchange->num_requests] = kind_of(message, gw_case_dialect(t->ctx));
    exchange->fingerprints[exchange->num_requests] =
        gw_eb_master_fingerprint(message, gw_case_dialect(t->ctx));
    note_accepted(t, exchange);
    exchange->request_packets[exchange->num_requests++] = (unsigned)exchange->num_packets;
}

static void note_record(void *arg, const gw_message *message)
{
    bool packet =
        message->part == GW_EB_PACKET && !gw_eb_master_is_probe(message->data, message->len);
    if (message->dir == GW_DIR_IN && (packet || message->part == GW_EB_RECORD))
        note_request(arg, message);
}

void gw_eb_master_note_requests(gw_eb_master_session *t, gw_direction dir, const uint8_t *data,
                                size_t len)
{
    gw_message message = gw_message_of(data, len);
    message.dir = (uint8_t)dir;
    if (t->stream) {
        message.transport = GW_OVER_TCP;
        gw_etherbone.stream->push(gw_eb_master_state_of(t->ctx)->stream, dir == GW_DIR_OUT,
                                  &message, note_record, t);
    } else if (dir == GW_DIR_IN && !gw_eb_master_is_probe(data, len)) {
        note_request(t, &message);
    }
}

/* ---- receiving ---- */

/* Whether this packet is to be dropped with its answer. */
static bool count_probe(gw_eb_master_session *t)
{
    t->exchange->num_probes++;
    if (t->dropped == t->behavior->drop_probes)
        return false;
    t->dropped++;
    return true;
}

bool gw_eb_master_starts_another(gw_eb_master_session *t, const gw_packet *packet)
{
    gw_eb_master_state *state = gw_eb_master_state_of(t->ctx);
    bool elsewhere = t->exchange->num_packets > 0 &&
                     !gw_endpoint_equal(&packet->from, &t->exchange->packets[0].remote);
    if (gw_case_ours(t->ctx) || t->stream || !gw_eb_master_is_probe(packet->data, packet->len) ||
        (t->exchange->num_requests == 0 && !elsewhere) || packet->len > sizeof(state->early))
        return false;
    t->ended = true;
    t->exchange->left = GW_EB_MASTER_RESTARTED;
    if (gw_case_fresh(t->ctx))
        return true; /* a hook starts the master anew */
    memcpy(state->early, packet->data, packet->len);
    state->num_early = packet->len;
    state->early_ns = packet->time_ns;
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
                   t->behavior->late || t->behavior->watched;
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
    if (t->exchange->num_packets == 0 && take_early(t->ctx, out))
        return GW_RECV_DATA;
    return gw_case_recv(t->ctx, t->conn, timeout_ns, out);
}

static void run_session(gw_eb_master_session *t, int64_t first_ns)
{
    int64_t start = gw_case_now(t->conn);
    int64_t deadline = start + first_ns;
    int64_t heard = start;
    int64_t window = gw_case_fresh(t->ctx) ? INT64_MAX / 4 : WINDOW_NS;
    while (!t->ended) {
        gw_packet packet;
        int64_t now = gw_case_now(t->conn);
        int64_t left = deadline - now;
        if (left <= 0 || now - start > first_ns + LONGEST_NS)
            return;
        gw_recv_status status = receive_packet(t, left < SLICE_NS ? left : SLICE_NS, &packet);
        t->exchange->silent_ns = gw_case_now(t->conn) - heard;
        if (status == GW_RECV_TIMEOUT && gw_case_over(t->ctx))
            t->exchange->left = GW_EB_MASTER_FINISHED;
        if (status == GW_RECV_CLOSED)
            t->exchange->left = GW_EB_MASTER_CLOSED;
        if (t->exchange->left != GW_EB_MASTER_STAYED)
            return;
        if (status != GW_RECV_DATA)
            continue;
        if (t->exchange->num_packets == 0)
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

void gw_eb_master_init_stream(gw_ctx *ctx)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    if (gw_etherbone.stream->size > sizeof(state->stream))
        gw_case_error(ctx, "the stream decoder wants %zu bytes", gw_etherbone.stream->size);
    gw_etherbone.stream->init(state->stream, gw_case_dialect(ctx));
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
    t.conn = gw_case_fresh(ctx) || stream ? gw_case_reconnect(ctx) : gw_case_connection(ctx);
    gw_eb_test_slave_start(ctx, &state->slave, behavior, stream);
    gw_eb_master_init_stream(ctx);
    exchange->num_packets = 0;
    exchange->num_bytes = 0;
    exchange->num_requests = 0;
    exchange->num_probes = 0;
    exchange->num_sent = 0;
    exchange->early = 0;
    exchange->early_is_reply = false;
    exchange->crossed = false;
    exchange->hasty = 0;
    exchange->num_late = 0;
    exchange->num_replies = 0;
    exchange->num_accepted = 0;
    exchange->num_forged = 0;
    exchange->repeated = false;
    exchange->replied_ns = 0;
    exchange->silent_ns = 0;
    exchange->probed_ns = 0;
    exchange->trip_ns = 0;
    exchange->left = GW_EB_MASTER_STAYED;
    exchange->offer = behavior->offer;
    const gw_eb_dialect *ways = gw_eb_dialect_of(gw_case_dialect(ctx));
    gw_case_transport(t.conn)->at_own_port = ways->answers_own_port && !stream;
    run_session(&t, first_ns);
    /* Whoever came to its end did so behind the last reply, unless that took its patience. */
    exchange->num_accepted +=
        exchange->left == GW_EB_MASTER_FINISHED && exchange->replied_ns != 0 && !exchange->repeated;
    exchange->held = exchange->num_packets > 0;
    return exchange->held;
}

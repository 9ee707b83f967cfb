/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: conversations, in good manners and in bad ones. */
#include <string.h>

#include "cases/ebm.h"

#define IDLE_NS (3 * GW_SECOND)        /* our own master repeats within a second */
#define IDLE_STREAM_NS (6 * GW_SECOND) /* or five */
#define WINDOW_NS (3 * GW_SECOND)      /* of a foreign master, which may never stop */
#define SLICE_NS (20 * GW_MS)
#define GATHER_NS (5 * GW_MS)       /* requests that belong together follow each other at once */
#define LONGEST_NS (60 * GW_SECOND) /* of a conversation, however it drags on */
#define GATHER_MAX_NS (200 * GW_MS)
#define MUTE_NS (10 * GW_SECOND)
#define PROBE_NS (20 * GW_MS) /* sooner than this no probe is lost */
#define HELD_REPLIES 2        /* each costs the patience of the master */

/* A conversation that goes on. */
typedef struct talking {
    gw_ctx *ctx;
    gw_line *line;
    gw_ebm_talk *talk;
    gw_ebm_slave *slave;
    const gw_ebm_manner *manner;
    bool stream;
    bool muted; /* the reply that the manner takes away is gone */
    bool ended;
    unsigned dropped;   /* probes */
    uint8_t held[2048]; /* a reply that will come late, ... */
    size_t held_len;    /* ... 0: none, ... */
    uint64_t held_for;  /* ... and the shape of its request */
    unsigned num_held;
} talking;

/* ---- taking down ---- */

static void keep(talking *t, gw_direction dir, int64_t time_ns, const uint8_t *data, size_t len)
{
    gw_ebm_talk *talk = t->talk;
    gw_transport *transport = gw_case_transport(t->line);
    if (talk->num_packets == GW_EBM_PACKETS || len > sizeof(talk->bytes) - talk->num_bytes) {
        t->ended = true; /* enough was seen */
        return;
    }
    talk->packets[talk->num_packets++] = (gw_evidence_packet){.time_ns = time_ns,
                                                              .local = transport->local,
                                                              .remote = transport->remote,
                                                              .data = talk->num_bytes,
                                                              .len = (uint32_t)len,
                                                              .dir = (uint8_t)dir,
                                                              .stream = transport->stream};
    memcpy(talk->bytes + talk->num_bytes, data, len);
    talk->num_bytes += len;
}

static bool is_probe(const uint8_t *data, size_t len)
{
    return len >= 4 && gw_load_be16(data) == GW_EB_MAGIC && (data[2] & GW_EB_PF) != 0;
}

static bool is_probe_response(const uint8_t *data, size_t len)
{
    return len == 8 && gw_load_be16(data) == GW_EB_MAGIC && (data[2] & GW_EB_PR) != 0;
}

static void blank(uint8_t *copy, uint32_t len, size_t at, size_t num)
{
    if (at <= len && num <= len - at)
        memset(copy + at, 0, num);
}

/* FNV-1a over everything but the return addresses and the values written: a master may choose both
 * anew when it repeats a request. */
uint64_t gw_ebm_shape(const gw_message *message, const gw_dialect *dialect)
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

static bool reads_several(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_reader reader;
    gw_eb_record record;
    unsigned reading = 0;
    if (gw_eb_open(&reader, message, dialect))
        while (gw_eb_next(&reader, &record))
            reading += record.rcount > 0;
    return reading > 1;
}

static void note_request(talking *t, const gw_message *message)
{
    gw_ebm_talk *talk = t->talk;
    if (talk->num_shapes == GW_EBM_PACKETS)
        return;
    talk->several[talk->num_shapes] = reads_several(message, gw_case_dialect(t->ctx));
    talk->shapes[talk->num_shapes] = gw_ebm_shape(message, gw_case_dialect(t->ctx));
    talk->shape_at[talk->num_shapes++] = (unsigned)talk->num_packets;
}

static void note_record(void *arg, const gw_message *message)
{
    if (message->part == GW_EB_RECORD && message->dir == GW_DIR_IN)
        note_request(arg, message);
}

/* A datagram is a request as it stands; a stream has to be cut, which takes both sides of it. */
static void follow(talking *t, gw_direction dir, const uint8_t *data, size_t len)
{
    gw_message message = gw_message_of(data, len);
    message.dir = (uint8_t)dir;
    if (t->stream) {
        message.transport = GW_OVER_TCP;
        gw_etherbone.stream->push(gw_ebm_state_of(t->ctx)->stream, dir == GW_DIR_OUT, &message,
                                  note_record, t);
    } else if (dir == GW_DIR_IN && !is_probe(data, len)) {
        note_request(t, &message);
    }
}

/* Our own replies, and what answers them, decoded by the widths that we agreed to. */
static gw_message as_message(const talking *t, const uint8_t *data, size_t len)
{
    gw_message message = gw_message_of(data, len);
    if (t->stream) {
        message.transport = GW_OVER_TCP;
        message.part = GW_EB_RECORD;
        message.part_arg = gw_eb_refine(t->talk->offer, 0xff);
    }
    return message;
}

/* ---- answering ---- */

static void say(talking *t, const uint8_t *data, size_t len)
{
    unsigned number = gw_case_send(t->ctx, t->line, data, len);
    const gw_evidence_packet *seen = gw_case_seen(t->ctx, number);
    keep(t, GW_DIR_OUT, seen != NULL ? seen->time_ns : 0, data, len);
    follow(t, GW_DIR_OUT, data, len);
    t->talk->num_sent++;
}

/* Takes the next packet that is no probe, within |timeout_ns|; counts the probes on the way. */
static bool next_but_probes(talking *t, int64_t timeout_ns, gw_packet *packet, unsigned *num_probes)
{
    int64_t deadline = gw_case_now(t->line) + timeout_ns;
    while (gw_case_recv(t->ctx, t->line, deadline - gw_case_now(t->line), packet) == GW_RECV_DATA) {
        keep(t, GW_DIR_IN, packet->time_ns, packet->data, packet->len);
        if (!is_probe(packet->data, packet->len))
            return true;
        (*num_probes)++;
    }
    return false;
}

/* After something that must be ignored: whatever comes now came too early. */
static void watch(talking *t, unsigned *early)
{
    gw_packet packet;
    if (!next_but_probes(t, gw_case_settle_ns(t->ctx), &packet, &t->talk->num_probes) ||
        *early != 0)
        return;
    *early = (unsigned)t->talk->num_packets;
    gw_message message = as_message(t, packet.data, packet.len);
    gw_eb_reader reader;
    gw_eb_record record;
    bool reads = false;
    if (gw_eb_open(&reader, &message, gw_case_dialect(t->ctx)))
        while (gw_eb_next(&reader, &record))
            reads = reads || record.rcount > 0 || (record.flags & GW_EB_WCA) == 0;
    t->talk->early_is_reply = !reads;
    t->ended = true;
}

/* A reply like |data| that the master must not take for its own: its values are others. */
static void say_falsely(talking *t, const uint8_t *data, size_t len)
{
    uint8_t copy[2048];
    gw_eb_reader reader;
    gw_eb_record record;
    if (len > sizeof(copy))
        return;
    memcpy(copy, data, len);
    gw_message message = as_message(t, data, len);
    if (!gw_eb_open(&reader, &message, NULL))
        return;
    while (gw_eb_next(&reader, &record)) {
        if (record.wcount == 0)
            continue;
        size_t values = (size_t)(record.writes - message.data);
        if (t->manner->stranger)
            copy[values - 1] ^= 0x40;
        if (t->manner->wrong_mode)
            copy[record.offset] ^= GW_EB_WFF;
        for (size_t i = 0; i < (size_t)record.wcount * reader.layout.data_unit; i++)
            copy[values + i] ^= 0x55;
    }
    say(t, copy, len);
    watch(t, &t->talk->early);
}

static void say_probe_response(talking *t, const uint8_t *data, size_t len)
{
    if (t->manner->slow_probe && t->talk->num_probes == 1) {
        gw_packet packet;
        t->ended = next_but_probes(t, PROBE_NS, &packet, &t->talk->hasty);
    }
    if (t->manner->wrong_id) {
        uint8_t wrong[8];
        memcpy(wrong, data, sizeof(wrong));
        wrong[7] ^= 0x01;
        say(t, wrong, sizeof(wrong));
        watch(t, &t->talk->early);
        /* A stream has one response: a second one would be taken for records. */
        t->ended = t->ended || t->stream;
    }
    if (!t->ended)
        say(t, data, len);
}

/* Holds a reply back until another request has come, and sends it before the reply to that. True
 * when nothing is to be sent now. */
static bool is_held_back(talking *t, const uint8_t *data, size_t len)
{
    const gw_ebm_talk *talk = t->talk;
    uint64_t shape = talk->num_shapes > 0 ? talk->shapes[talk->num_shapes - 1] : 0;
    if (t->held_len == 0) {
        if (t->num_held == HELD_REPLIES || len > sizeof(t->held))
            return false;
        memcpy(t->held, data, len);
        t->held_len = len;
        t->held_for = shape;
        t->num_held++;
        return true;
    }
    if (shape == t->held_for)
        return false; /* asked once more, and answered this time */
    size_t held_len = t->held_len;
    t->held_len = 0;
    t->talk->num_late++;
    say(t, t->held, held_len);
    watch(t, &t->talk->early);
    return t->ended;
}

static void say_reply(talking *t, const uint8_t *data, size_t len, bool first)
{
    uint8_t copy[2048];
    if (t->manner->mute && !t->muted) {
        t->muted = true;
        return;
    }
    if (t->manner->late && is_held_back(t, data, len))
        return;
    /* Once for requests in flight together: the first true reply may set the next one free. */
    if (first && (t->manner->stranger || t->manner->wrong_mode))
        say_falsely(t, data, len);
    if (t->ended)
        return;
    if (!t->manner->trailing || len + 8 > sizeof(copy)) {
        say(t, data, len);
        return;
    }
    memcpy(copy, data, len);
    memset(copy + len, 0, 8);
    say(t, copy, len + 8);
}

static void flush(talking *t)
{
    gw_ebm_slave *s = t->slave;
    unsigned num = s->num_answers;
    for (unsigned k = 0; k < num && !t->ended; k++) {
        unsigned i = t->manner->reverse ? num - 1 - k : k;
        size_t start = i == 0 ? 0 : s->ends[i - 1];
        const uint8_t *data = s->bytes + start;
        size_t len = s->ends[i] - start;
        if (is_probe_response(data, len))
            say_probe_response(t, data, len);
        else
            say_reply(t, data, len, k == 0);
    }
    s->num_answers = 0;
    s->num_bytes = 0;
}

/* ---- listening ---- */

/* Whether this packet is to be swallowed with its answer. */
static bool count_probe(talking *t)
{
    t->talk->num_probes++;
    if (t->dropped == t->manner->drop_probes)
        return false;
    t->dropped++;
    return true;
}

/* A foreign master that probes again, after requests or from another port, begins another
 * conversation: its probe waits for that. */
static bool begins_another(talking *t, const gw_packet *packet)
{
    gw_ebm_state *state = gw_ebm_state_of(t->ctx);
    bool elsewhere =
        t->talk->num_packets > 0 && !gw_endpoint_equal(&packet->from, &t->talk->packets[0].remote);
    if (gw_case_fresh(t->ctx) || t->stream || !is_probe(packet->data, packet->len) ||
        (t->talk->num_shapes == 0 && !elsewhere) || packet->len > sizeof(state->early))
        return false;
    memcpy(state->early, packet->data, packet->len);
    state->num_early = packet->len;
    state->early_ns = packet->time_ns;
    t->ended = true;
    return true;
}

static void listen(talking *t, const gw_packet *packet)
{
    if (begins_another(t, packet))
        return;
    keep(t, GW_DIR_IN, packet->time_ns, packet->data, packet->len);
    if (is_probe(packet->data, packet->len) && count_probe(t))
        return;
    follow(t, GW_DIR_IN, packet->data, packet->len);
    t->ended = t->ended || t->muted;
    if (!t->ended)
        gw_ebm_answer(t->slave, packet->data, packet->len, t->stream);
}

/* Requests that are on their way together are answered together. */
static void gather(talking *t)
{
    gw_packet packet;
    bool matters =
        t->manner->reverse || t->manner->stranger || t->manner->wrong_mode || t->manner->late;
    int64_t deadline = gw_case_now(t->line) + GATHER_MAX_NS;
    while (!t->ended && t->slave->num_answers > 0 && matters && gw_case_now(t->line) < deadline &&
           gw_case_recv(t->ctx, t->line, GATHER_NS, &packet) == GW_RECV_DATA)
        listen(t, &packet);
}

static int64_t idle_limit(const talking *t)
{
    if (t->manner->mute || t->manner->late || t->manner->drop_probes > 0)
        return MUTE_NS;
    if (!gw_case_fresh(t->ctx))
        return GW_SECOND;
    return t->stream ? IDLE_STREAM_NS : IDLE_NS;
}

/* Takes up what came for this conversation during the last one. */
static bool take_early(gw_ctx *ctx, gw_packet *out)
{
    gw_ebm_state *state = gw_ebm_state_of(ctx);
    if (state->num_early == 0)
        return false;
    *out = (gw_packet){.data = state->early, .len = state->num_early, .time_ns = state->early_ns};
    state->num_early = 0;
    return true;
}

static gw_recv_status hear(talking *t, int64_t timeout_ns, gw_packet *out)
{
    if (t->talk->num_packets == 0 && take_early(t->ctx, out))
        return GW_RECV_DATA;
    return gw_case_recv(t->ctx, t->line, timeout_ns, out);
}

static void converse(talking *t, int64_t first_ns)
{
    int64_t start = gw_case_now(t->line);
    int64_t deadline = start + first_ns;
    int64_t window = gw_case_fresh(t->ctx) ? INT64_MAX / 4 : WINDOW_NS;
    while (!t->ended) {
        gw_packet packet;
        int64_t now = gw_case_now(t->line);
        int64_t left = deadline - now;
        if (left <= 0 || now - start > first_ns + LONGEST_NS)
            return;
        gw_recv_status status = hear(t, left < SLICE_NS ? left : SLICE_NS, &packet);
        if (status == GW_RECV_CLOSED)
            return;
        if (status == GW_RECV_TIMEOUT && gw_case_over(t->ctx))
            return;
        if (status != GW_RECV_DATA)
            continue;
        if (t->talk->num_packets == 0)
            start = now;
        listen(t, &packet);
        gather(t);
        flush(t);
        deadline = gw_case_now(t->line) + idle_limit(t);
        if (idle_limit(t) < MUTE_NS && deadline > start + window)
            deadline = start + window;
    }
}

void gw_ebm_init_stream(gw_ctx *ctx)
{
    gw_ebm_state *state = gw_ebm_state_of(ctx);
    if (gw_etherbone.stream->size > sizeof(state->stream))
        gw_case_error(ctx, "the stream decoder wants %zu bytes", gw_etherbone.stream->size);
    gw_etherbone.stream->init(state->stream, gw_case_dialect(ctx));
}

bool gw_ebm_hold(gw_ctx *ctx, gw_ebm_talk *talk, const gw_ebm_manner *manner, int64_t first_ns)
{
    gw_ebm_state *state = gw_ebm_state_of(ctx);
    bool stream = gw_case_stream(ctx);
    talking t = {
        .ctx = ctx, .talk = talk, .slave = &state->slave, .manner = manner, .stream = stream};
    t.line = gw_case_fresh(ctx) || stream ? gw_case_redial(ctx) : gw_case_line(ctx);
    gw_ebm_start(ctx, &state->slave, manner, stream);
    gw_ebm_init_stream(ctx);
    talk->num_packets = 0;
    talk->num_bytes = 0;
    talk->num_shapes = 0;
    talk->num_probes = 0;
    talk->num_sent = 0;
    talk->early = 0;
    talk->early_is_reply = false;
    talk->hasty = 0;
    talk->num_late = 0;
    talk->offer = manner->offer;
    converse(&t, first_ns);
    talk->held = talk->num_packets > 0;
    return talk->held;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: what our slave sends, by the behavior of the exchange. */
#include <string.h>

#include "formats/etherbone/master/exchange.h"

#define PROBE_NS (20 * GW_MS)      /* sooner than this no probe is lost */
#define IN_FLIGHT 4                /* requests whose turn to come again it may be */
#define LONG_TRIP_NS (600 * GW_MS) /* masters wait for a second */
#define HELD_REPLIES 2             /* each costs the patience of the master */

static bool is_probe_response(const uint8_t *data, size_t len)
{
    return len >= 8 && gw_load_be16(data) == GW_EB_MAGIC && (data[2] & GW_EB_PR) != 0;
}

gw_message gw_eb_master_message_of(const gw_eb_master_session *t, const uint8_t *data, size_t len)
{
    gw_message message = gw_message_of(data, len);
    if (t->stream) {
        message.transport = GW_OVER_TCP;
        message.part = GW_EB_RECORD;
        message.part_arg = gw_eb_refine(t->exchange->offer, 0xff);
    }
    return message;
}

void gw_eb_master_send_bytes(gw_eb_master_session *t, const uint8_t *data, size_t len)
{
    unsigned number = gw_case_send(t->ctx, t->conn, data, len);
    const gw_evidence_packet *seen = gw_case_seen(t->ctx, number);
    gw_eb_master_record(t, GW_DIR_OUT, number, seen != NULL ? seen->time_ns : 0, data, len);
    gw_eb_master_note_requests(t, GW_DIR_OUT, data, len);
    t->exchange->num_sent++;
}

/* Takes the next packet that is no probe, within |timeout_ns|; counts the probes on the way, but
 * for one that begins another exchange. */
static bool next_but_probes(gw_eb_master_session *t, int64_t timeout_ns, gw_packet *packet,
                            unsigned *num_probes)
{
    int64_t deadline = gw_case_now(t->conn) + timeout_ns;
    while (gw_case_recv(t->ctx, t->conn, deadline - gw_case_now(t->conn), packet) == GW_RECV_DATA) {
        if (gw_eb_master_starts_another(t, packet))
            return false;
        gw_eb_master_record(t, GW_DIR_IN, packet->number, packet->time_ns, packet->data,
                            packet->len);
        if (!gw_eb_master_is_probe(packet->data, packet->len))
            return true;
        (*num_probes)++;
    }
    return false;
}

/* A request that comes again at another time than an answer would comes because the master's
 * patience is over, and so it may where an answer takes about as long as masters wait. */
static void note_crossed(gw_eb_master_session *t, const gw_message *message, int64_t took_ns)
{
    gw_eb_master_exchange *exchange = t->exchange;
    int64_t room_ns = exchange->trip_ns / 8 + GW_EB_MASTER_CROSSED_NS;
    bool in_time = exchange->trip_ns < LONG_TRIP_NS && took_ns > exchange->trip_ns - room_ns &&
                   took_ns < exchange->trip_ns + room_ns;
    uint64_t shape = gw_eb_master_fingerprint(message, gw_case_dialect(t->ctx));
    bool again = false;
    for (size_t i = exchange->num_requests; i > 0 && i + IN_FLIGHT > exchange->num_requests; i--)
        again = again || exchange->fingerprints[i - 1] == shape;
    exchange->crossed = exchange->crossed || (again && !in_time && !gw_case_near(t->ctx));
}

void gw_eb_master_watch_early(gw_eb_master_session *t, unsigned *early)
{
    gw_packet packet;
    int64_t begin_ns = gw_case_now(t->conn);
    /* What comes of it is under way as long as the first request was behind its probe. */
    int64_t trip_ns = t->exchange->trip_ns != 0 ? t->exchange->trip_ns
                                                : gw_eb_master_state_of(t->ctx)->wide.trip_ns;
    if (!next_but_probes(t, gw_case_settle_ns(t->ctx) + trip_ns + trip_ns / 4, &packet,
                         &t->exchange->num_probes) ||
        *early != 0)
        return;
    *early = (unsigned)t->exchange->num_packets;
    gw_message message = gw_eb_master_message_of(t, packet.data, packet.len);
    note_crossed(t, &message, gw_case_now(t->conn) - begin_ns);
    gw_eb_reader reader;
    gw_eb_record record;
    bool reads = false;
    if (gw_eb_open(&reader, &message, gw_case_dialect(t->ctx)))
        while (gw_eb_next(&reader, &record))
            reads = reads || record.rcount > 0 || (record.flags & GW_EB_WCA) == 0;
    t->exchange->early_is_reply = !reads;
    t->ended = true;
}

static void send_probe_response(gw_eb_master_session *t, const uint8_t *data, size_t len)
{
    if (t->behavior->slow_probe && t->exchange->num_probes == 1) {
        gw_packet packet;
        t->ended = next_but_probes(t, PROBE_NS, &packet, &t->exchange->hasty) || t->ended;
    }
    if (t->behavior->false_probe_responses && t->exchange->num_probes == 1) {
        gw_eb_master_send_false_probe(t);
        return;
    }
    if (t->behavior->wrong_id) {
        uint8_t wrong[16] = {0};
        len = len < sizeof(wrong) ? len : sizeof(wrong);
        memcpy(wrong, data, len);
        wrong[7] ^= 0x01;
        gw_eb_master_send_bytes(t, wrong, len);
        gw_eb_master_watch_early(t, &t->exchange->early);
        /* A stream has one response: a second one would be taken for records. */
        t->ended = t->ended || t->stream;
    }
    if (!t->ended)
        gw_eb_master_send_bytes(t, data, len);
}

/* Holds a reply back until another request has come, and sends it before the reply to that. True
 * when nothing is to be sent now. */
static bool is_held_back(gw_eb_master_session *t, const uint8_t *data, size_t len)
{
    const gw_eb_master_exchange *exchange = t->exchange;
    uint64_t shape =
        exchange->num_requests > 0 ? exchange->fingerprints[exchange->num_requests - 1] : 0;
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
    t->exchange->num_late++;
    gw_eb_master_send_bytes(t, t->held, held_len);
    gw_eb_master_watch_early(t, &t->exchange->early);
    return t->ended;
}

static void send_reply(gw_eb_master_session *t, const uint8_t *data, size_t len, bool first)
{
    uint8_t copy[2048];
    if (t->behavior->no_reply && !t->silenced) {
        t->silenced = true;
        return;
    }
    if (t->behavior->late && is_held_back(t, data, len))
        return;
    if (t->behavior->lose_reply && gw_eb_master_loses_reply(t, data, len))
        return;
    if (first && t->behavior->false_responses != 0)
        gw_eb_master_send_false(t, data, len);
    /* Once for requests in flight together: the first true reply may set the next one free. */
    if (first && (t->behavior->stray_reply || t->behavior->wrong_mode))
        gw_eb_master_send_forged(t, data, len);
    if (t->ended)
        return;
    if (!t->behavior->trailing || len + 8 > sizeof(copy)) {
        gw_eb_master_send_bytes(t, data, len);
        return;
    }
    memcpy(copy, data, len);
    memset(copy + len, 0, 8);
    gw_eb_master_send_bytes(t, copy, len + 8);
}

/* What the master does next shows whether it took it. */
static void send_noted(gw_eb_master_session *t, const uint8_t *data, size_t len, bool first)
{
    unsigned sent = t->exchange->num_sent;
    send_reply(t, data, len, first);
    if (t->exchange->num_sent == sent)
        return;
    t->exchange->num_replies++;
    t->exchange->replied_ns = gw_case_now(t->conn) + 1;
}

void gw_eb_master_send_replies(gw_eb_master_session *t)
{
    gw_eb_test_slave *s = t->slave;
    unsigned num = s->num_answers;
    for (unsigned k = 0; k < num && !t->ended; k++) {
        unsigned i = t->behavior->reverse ? num - 1 - k : k;
        size_t start = i == 0 ? 0 : s->ends[i - 1];
        const uint8_t *data = s->bytes + start;
        size_t len = s->ends[i] - start;
        if (is_probe_response(data, len)) {
            send_probe_response(t, data, len);
            t->exchange->probed_ns = gw_case_now(t->conn);
        } else
            send_noted(t, data, len, k == 0);
    }
    s->num_answers = 0;
    s->num_bytes = 0;
}

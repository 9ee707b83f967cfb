/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: sending, and watching what comes too early. */
#include <string.h>

#include "formats/etherbone/master/exchange.h"

#define IN_FLIGHT 4 /* requests whose turn to come again it may be */

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

static void note_sent(gw_eb_master_session *t, unsigned number, const uint8_t *data, size_t len)
{
    const gw_evidence_packet *seen = gw_case_seen(t->ctx, number);
    gw_eb_master_record(t, GW_DIR_OUT, number, seen != NULL ? seen->time_ns : 0, data, len);
    gw_eb_master_note_requests(t, GW_DIR_OUT, data, len);
    t->exchange->num_sent++;
}

void gw_eb_master_send_bytes(gw_eb_master_session *t, const uint8_t *data, size_t len)
{
    note_sent(t, gw_case_send(t->ctx, t->conn, data, len), data, len);
}

bool gw_eb_master_send_as_other(gw_eb_master_session *t, const uint8_t *data, size_t len)
{
    gw_eb_master_exchange *exchange = t->exchange;
    unsigned number = gw_case_send_as_other(t->ctx, t->conn, data, len, exchange->no_other,
                                            sizeof(exchange->no_other));
    if (number != 0)
        note_sent(t, number, data, len);
    return number != 0;
}

bool gw_eb_master_next_but_probes(gw_eb_master_session *t, int64_t timeout_ns, gw_packet *packet,
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

/* A request that comes again may do so because the master's patience is over, unless that is known
 * to last longer, and it comes when an answer to what was said would. */
static void note_crossed(gw_eb_master_session *t, const gw_message *message, int64_t took_ns)
{
    gw_eb_master_exchange *exchange = t->exchange;
    int64_t room_ns = exchange->trip_ns / 8 + GW_EB_MASTER_CROSSED_NS;
    bool patient = gw_eb_master_state_of(t->ctx)->patience_ns >
                   exchange->trip_ns + room_ns + GW_EB_MASTER_CROSSED_NS;
    bool in_time =
        patient && took_ns > exchange->trip_ns - room_ns && took_ns < exchange->trip_ns + room_ns;
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
    if (!gw_eb_master_next_but_probes(t, gw_case_settle_ns(t->ctx) + trip_ns + trip_ns / 4, &packet,
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

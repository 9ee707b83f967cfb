/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: what our slave replies, by the behavior of the exchange. */
#include <string.h>

#include "formats/etherbone/master/exchange.h"

#define PROBE_NS (20 * GW_MS) /* sooner than this no probe is lost */
#define HELD_REPLIES 2        /* each costs the patience of the master */

static bool is_probe_response(const uint8_t *data, size_t len)
{
    return len >= 8 && gw_load_be16(data) == GW_EB_MAGIC && (data[2] & GW_EB_PR) != 0;
}

static void send_probe_response(gw_eb_master_session *t, const uint8_t *data, size_t len)
{
    if (t->behavior->slow_probe && t->exchange->num_probes == 1) {
        gw_packet packet;
        t->ended =
            gw_eb_master_next_but_probes(t, PROBE_NS, &packet, &t->exchange->hasty) || t->ended;
    }
    if (t->behavior->false_probe_responses && t->exchange->num_probes == 1) {
        gw_eb_master_send_false_probe(t);
        return;
    }
    /* Behind a true one nobody knows which of the two the master goes on after: it may still wait
     * for that to an earlier probe. */
    if (t->behavior->wrong_id && t->exchange->probed_ns == 0) {
        uint8_t wrong[16] = {0};
        len = len < sizeof(wrong) ? len : sizeof(wrong);
        memcpy(wrong, data, len);
        /* Far from the next one to whoever counts them, from either end. */
        wrong[6] ^= 0x80;
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
    if (first && (t->behavior->stray_reply || t->behavior->wrong_mode || t->behavior->from_other))
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
            if (t->exchange->probed_ns == 0)
                t->exchange->probed_ns = gw_case_now(t->conn);
        } else
            send_noted(t, data, len, k == 0);
    }
    s->num_answers = 0;
    s->num_bytes = 0;
}
